public import Foundation
import LocalStore
import RecordCoding
import RecordServer

/// An address book that works offline: changes are in the local store at once, and go to the server when it is reached.
public actor ContactBook {
  /// A contact, and what the server had when it was last heard of.
  private struct Entry: Codable, Identifiable, Sendable {
    var id: String { contact.id }
    var contact: Contact
    /// The server's record, serialized; nil for one that it does not have.
    var base: Data?
    /// Whether the server has yet to learn of it, and whether what it has to learn is that it was deleted.
    var isChanged = false
    var isDeleted = false

    var record: Record? { base.flatMap { try? Record(serialized: $0) } }
  }

  private let entries: LocalRepository<Entry>
  private let server: any ContactServer
  private var token: RecordChangeToken?
  private let encoder = CloudKitRecordEncoder(zoneID: contactZone)
  private let decoder = CloudKitRecordDecoder()

  /// Opens a book, or makes one.
  public init(in folder: URL, server: any ContactServer) async throws {
    entries = try await LocalRepository.open(directory: folder, filename: "contacts.json")
    self.server = server
  }

  public var contacts: [Contact] {
    get async { await entries.loadAll().filter { !$0.isDeleted }.map(\.contact) }
  }

  public func save(_ contact: Contact) async throws {
    try await entries.update(contact.id) { old in
      var entry = old ?? Entry(contact: contact)
      entry.contact = contact
      (entry.isChanged, entry.isDeleted) = (true, false)
      return entry
    }
  }

  public func delete(_ id: String) async throws {
    try await entries.update(id) { old in
      guard var entry = old, entry.base != nil else { return nil }
      (entry.isChanged, entry.isDeleted) = (true, true)
      return entry
    }
  }

  public func close() async throws { try await entries.close() }

  // MARK: - The server

  /// Fetches what others changed, and sends what was changed here; what cannot be sent now is sent the next time.
  public func sync() async throws {
    try await fetch()
    for entry in await entries.loadAll() where entry.isChanged { try await send(entry) }
  }

  private func fetch() async throws {
    while true {
      let changes = try await server.changes(since: token)
      for record in changes.saved { try await take(record) }
      for id in changes.deleted {
        try await entries.update(id.recordName) { $0?.isChanged == true ? $0 : nil }
      }
      token = changes.token
      if !changes.isPartial { return }
    }
  }

  /// Takes a record of the server: what was changed here stays on top of it.
  private func take(_ record: Record) async throws {
    let id = record.recordID.recordName
    guard var entry = await entries.find(by: id) ?? newEntry(of: record) else { return }
    guard !entry.isDeleted else { return }
    var shown = record
    if entry.isChanged {
      shown = try encode(entry).rebased(onto: record) ?? record
      entry.isChanged = !shown.changedKeys().isEmpty
    }
    entry.contact = try decoder.decode(Contact.self, from: shown)
    entry.base = record.serialized()
    try await entries.save(entry)
  }

  private func newEntry(of record: Record) -> Entry? {
    (try? decoder.decode(Contact.self, from: record)).map { Entry(contact: $0) }
  }

  private func encode(_ entry: Entry) throws -> Record {
    try encoder.encode(entry.contact, onto: entry.record)
  }

  private func send(_ entry: Entry) async throws {
    if entry.isDeleted {
      guard let id = entry.record?.recordID else { return }
      let reply = await server.modify(saving: [], deleting: [id])
      if case .success? = reply.deleted[id] { try await entries.delete(entry.id) }
      return
    }
    let record = try encode(entry)
    let reply = await server.modify(saving: [record], deleting: [])
    switch reply.saved[record.recordID] {
    case .success(let saved)?, .failure(.serverRecordChanged(let saved, _))?: try await take(saved)
    // It is sent again with the next sync, which is no harm if it arrived.
    default: break
    }
  }
}
