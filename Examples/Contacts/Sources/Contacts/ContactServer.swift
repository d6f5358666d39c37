public import RecordCoding
public import RecordServer

/// What a book asks of a server.
public protocol ContactServer: Sendable {
  func modify(saving: [Record], deleting: [RecordID]) async -> RecordReply
  func changes(since token: RecordChangeToken?) async throws -> RecordChanges
}

/// The zone of all contacts.
public let contactZone = RecordZoneID(zoneName: "Contacts")

/// A server in memory, whose next replies may be lost.
public actor ServerInMemory: ContactServer {
  private var server = RecordServer()
  private var faults: [RecordFault] = []

  public init() { server.createZone(contactZone) }

  /// Lets the next requests meet faults.
  public func meet(_ faults: RecordFault...) { self.faults = faults }

  public func modify(saving: [Record], deleting: [RecordID]) -> RecordReply {
    let fault = faults.isEmpty ? .none : faults.removeFirst()
    return server.modify(saving: saving, deleting: deleting, fault: fault)
  }

  public func changes(since token: RecordChangeToken?) throws -> RecordChanges {
    try server.changes(in: contactZone, since: token)
  }

  public var records: [Record] { server.records(in: contactZone) }
}
