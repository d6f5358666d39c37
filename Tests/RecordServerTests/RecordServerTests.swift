import Foundation
import RecordModel
import RecordServer
import Testing

private let zone = RecordZoneID(zoneName: "Notes")

private func id(_ name: String) -> RecordID { RecordID(recordName: name, zoneID: zone) }

private func record(_ name: String, _ fields: [String: RecordValue] = [:]) -> Record {
  var record = Record(recordType: "Note", recordID: id(name))
  for (key, value) in fields { record[key] = value }
  return record
}

private func owned(_ name: String, by owner: String) -> Record {
  record(name, ["owner": .reference(RecordReference(recordID: id(owner), action: .deleteSelf))])
}

/// A server that expectations may change.
private final class HeldServer {
  private var server = RecordServer(pageLimit: 2)

  init() { server.createZone(zone) }

  func modify(
    saving: [Record],
    deleting: [RecordID] = [],
    policy: RecordSavePolicy = .ifServerRecordUnchanged,
    isAtomic: Bool = false,
    fault: RecordFault = .none
  ) -> RecordReply {
    server.modify(
      saving: saving,
      deleting: deleting,
      policy: policy,
      isAtomic: isAtomic,
      fault: fault
    )
  }

  func fetch(_ id: RecordID) throws -> Record { try server.fetch(id) }
  func records(in zone: RecordZoneID) -> [Record] { server.records(in: zone) }
  func schema(of type: String) -> RecordSchema { server.schema(of: type) }
  func changes(
    in zone: RecordZoneID,
    since token: RecordChangeToken? = nil
  ) throws -> RecordChanges { try server.changes(in: zone, since: token) }
  func expireTokens() { server.expireTokens() }
  func deleteZone(_ zone: RecordZoneID) -> Bool { server.deleteZone(zone) }
}

extension RecordReply {
  fileprivate func failure(_ name: String) -> RecordServerError? {
    if case .failure(let error)? = saved[id(name)] { error } else { nil }
  }

  fileprivate func record(_ name: String) -> Record? {
    if case .success(let record)? = saved[id(name)] { record } else { nil }
  }
}

@Suite("The record server")
struct RecordServerTests {
  @Test(
    "RC-42 An old tag is refused with both records; policies that do not compare send what they say"
  )
  func tags() throws {
    let server = HeldServer()
    let first = try #require(
      server.modify(saving: [record("a", ["x": .int64(1), "y": .int64(1)])]).record("a")
    )
    #expect(first.recordChangeTag?.utf8.count == 8 && first.changedKeys().isEmpty)
    var mine = first
    mine["x"] = .int64(2)
    let second = try #require(server.modify(saving: [mine]).record("a"))
    #expect(second.recordChangeTag != first.recordChangeTag)
    var late = first
    late["y"] = .int64(3)
    #expect(
      server.modify(saving: [late]).failure("a")
        == .serverRecordChanged(server: second, client: late)
    )
    let fresh = record("a", ["z": .int64(1)])
    #expect(
      server.modify(saving: [fresh]).failure("a")
        == .serverRecordChanged(server: second, client: fresh)
    )
    #expect(server.modify(saving: [late], policy: .changedKeys).record("a")?["x"] == .int64(2))
    let all = server.modify(saving: [late], policy: .allKeys).record("a")
    #expect(all?["x"] == .int64(1) && all?["y"] == .int64(3))
    var cleared = try server.fetch(id("a"))
    cleared["x"] = nil
    #expect(server.modify(saving: [cleared]).record("a")?.allKeys() == ["y"])
    #expect(throws: RecordServerError.unknownItem) { try server.fetch(id("b")) }
    _ = server.modify(saving: [], deleting: [id("a")])
    #expect(server.modify(saving: [cleared]).failure("a") == .unknownItem)
  }

  @Test("RC-42 A deletion that is asked for twice tells what went with it, once")
  func repeatedDeletions() {
    let server = HeldServer()
    _ = server.modify(saving: [record("a"), owned("b", by: "a")])
    let reply = server.modify(saving: [], deleting: [id("a"), id("a"), id("b")])
    #expect(reply.deleted[id("a")] == .success([id("a"), id("b")]))
    #expect(reply.deleted[id("b")] == .success([]))
  }

  @Test("RC-42 A request that is refused as a whole does nothing where its connection ends, either")
  func cutRefusals() {
    let server = HeldServer()
    let reply = server.modify(saving: [record("a"), record("a")], fault: .cut)
    #expect(reply.failure("a") == .networkFailure)
    #expect(server.records(in: zone).isEmpty)
  }

  @Test("RC-42 What is fetched is a copy: changing it changes nothing on the server")
  func copies() throws {
    let server = HeldServer()
    _ = server.modify(saving: [record("a", ["x": .int64(1)])])
    var copy = try server.fetch(id("a"))
    copy["x"] = nil
    #expect(try server.fetch(id("a"))["x"] == .int64(1))
  }

  @Test(
    "RC-42 An atomic request that fails in part leaves the zone as it was; another does what it can"
  )
  func batches() throws {
    let server = HeldServer()
    let bad = record("bad", ["1": .int64(1)])
    let whole = server.modify(saving: [record("a"), bad], isAtomic: true)
    #expect(whole.failure("a") == .batchRequestFailed)
    #expect(server.records(in: zone).isEmpty)
    guard case .invalidRecord? = whole.failure("bad") else { return #expect(Bool(false)) }
    let parted = server.modify(saving: [record("a"), bad])
    #expect(parted.hasFailure && server.records(in: zone).map(\.recordID) == [id("a")])
  }

  @Test("RC-42 Deletions cascade along references, through several records")
  func cascades() throws {
    let server = HeldServer()
    let reply = server.modify(
      saving: [owned("c", by: "b"), owned("b", by: "a"), record("a"), record("d")]
    )
    #expect(!reply.hasFailure)
    let deleted = server.modify(saving: [], deleting: [id("a")]).deleted[id("a")]
    #expect(try deleted?.get().map(\.recordName) == ["a", "b", "c"])
    #expect(server.records(in: zone).map(\.recordID.recordName) == ["d"])
    #expect(try server.modify(saving: [], deleting: [id("a")]).deleted[id("a")]?.get() == [])
    #expect(
      server.modify(saving: [owned("e", by: "a")]).failure("e") == .referenceViolation(id("a"))
    )
    let circle = server.modify(saving: [owned("x", by: "y"), owned("y", by: "x")])
    #expect(circle.failure("x") == .referenceViolation(id("y")))
  }

  @Test(
    "RC-42 Changes come page by page with deletions; an expired token and a missing zone are told"
  )
  func changes() throws {
    let server = HeldServer()
    for name in ["a", "b", "c"] { _ = server.modify(saving: [record(name)]) }
    let first = try server.changes(in: zone)
    #expect(first.saved.map(\.recordID.recordName) == ["a", "b"] && first.isPartial)
    let second = try server.changes(in: zone, since: first.token)
    #expect(second.saved.map(\.recordID.recordName) == ["c"] && !second.isPartial)
    // An answer without news has a token as well.
    let third = try server.changes(in: zone, since: second.token)
    let fourth = try server.changes(in: zone, since: third.token)
    #expect(fourth.saved.isEmpty && fourth.deleted.isEmpty && !fourth.isPartial)
    _ = server.modify(saving: [], deleting: [id("a")])
    #expect(try server.changes(in: zone, since: fourth.token).deleted == [id("a")])
    server.expireTokens()
    #expect(throws: RecordServerError.changeTokenExpired) {
      try server.changes(in: zone, since: second.token)
    }
    let other = RecordZoneID(zoneName: "Other")
    #expect(throws: RecordServerError.zoneNotFound) { try server.changes(in: other) }
    #expect(server.deleteZone(zone) && server.records(in: zone).isEmpty)
  }

  @Test("A token of a zone that was deleted expires, also where one of its name was made again")
  func renewed() throws {
    var server = RecordServer()
    server.createZone(zone)
    _ = server.modify(saving: [record("a")])
    let token = try server.changes(in: zone).token
    server.deleteZone(zone)
    let without = server
    #expect(throws: RecordServerError.zoneNotFound) {
      try without.changes(in: zone, since: token)
    }
    server.createZone(zone)
    _ = server.modify(saving: [record("b")])
    let renewed = server
    #expect(throws: RecordServerError.changeTokenExpired) {
      try renewed.changes(in: zone, since: token)
    }
    #expect(try server.changes(in: zone).saved.map(\.recordID) == [id("b")])
  }

  @Test("RC-42 A field keeps the kind of its first save; an empty list of nothing begins none")
  func kinds() throws {
    let server = HeldServer()
    let empty = server.modify(saving: [record("a", ["x": .list(.empty)])])
    #expect(
      empty.failure("a")
        == .schemaMismatch(key: "x", expected: nil, found: RecordFieldKind(nil, isList: true))
    )
    _ = server.modify(saving: [record("a", ["x": .list(.strings([]))])])
    let other = server.modify(saving: [record("b", ["x": .bytes(Data())])])
    #expect(
      other.failure("b")
        == .schemaMismatch(
          key: "x",
          expected: RecordFieldKind(.string, isList: true),
          found: RecordFieldKind(.bytes)
        )
    )
    #expect(server.schema(of: "Note").kinds == ["x": RecordFieldKind(.string, isList: true)])
  }

  @Test(
    "A request that saves one record twice is refused as a whole",
    arguments: [RecordFault.none, .reversed]
  )
  func savedTwice(_ fault: RecordFault) throws {
    let server = HeldServer()
    #expect(!server.modify(saving: [record("old")]).hasFailure)
    let reply = server.modify(
      saving: [record("a", ["x": .int64(1)]), record("b"), record("a", ["x": .int64(2)])],
      deleting: [id("old")],
      policy: .allKeys,
      fault: fault
    )
    #expect(reply.failure("a") == .savedTwice(id("a")))
    #expect(reply.failure("b") == .savedTwice(id("a")))
    #expect(reply.deleted[id("old")] == .failure(.savedTwice(id("a"))))
    #expect(server.records(in: zone).map(\.recordID) == [id("old")])
  }

  @Test("RC-42 Requests and references have limits")
  func limits() {
    let server = HeldServer()
    let many = (0...RecordLimits.requestItems).map { record("n\($0)") }
    #expect(server.modify(saving: many).failure("n0") == .limitExceeded)
    #expect(!server.modify(saving: many.dropLast()).hasFailure)
    let big = (0..<3).map { record("b\($0)", ["x": .bytes(Data(count: 700_000))]) }
    #expect(server.modify(saving: big).failure("b0") == .limitExceeded)
    for start in stride(from: 0, to: RecordLimits.deletingReferences, by: 250) {
      let batch = (start..<(start + 250)).map { owned("o\($0)", by: "n0") }
      #expect(!server.modify(saving: batch).hasFailure)
    }
    #expect(
      server.modify(saving: [owned("more", by: "n0")]).failure("more")
        == .referenceViolation(id("n0"))
    )
  }

  @Test("RC-42 Requests and replies get lost, end early, and come in another order")
  func faults() throws {
    let server = HeldServer()
    #expect(
      server.modify(saving: [record("a")], fault: .lostRequest).failure("a") == .networkFailure
    )
    #expect(server.records(in: zone).isEmpty)
    #expect(
      server.modify(saving: [record("a")], fault: .lostReply).failure("a") == .networkFailure
    )
    #expect(server.records(in: zone).count == 1)
    let cut = server.modify(saving: [record("b"), record("c")], fault: .cut)
    #expect(cut.record("b") != nil && cut.failure("c") == .networkFailure)
    _ = server.modify(saving: [record("d"), record("e")], fault: .reversed)
    #expect(try server.changes(in: zone).saved.map(\.recordID.recordName) == ["a", "b"])
    let names = server.records(in: zone).map(\.recordID.recordName)
    #expect(names == ["a", "b", "d", "e"])
    let tags = server.records(in: zone).compactMap(\.recordChangeTag)
    #expect(Set(tags).count == 4)
  }
}
