import Foundation
import PropertyEngine
import RecordModel

// What each save policy takes of a record, by the kind, the side of encryption and the mark of each of its fields. One
// law: `copies(of:)` draws the fields as the server and a device have them.

extension RecordLaw {
  /// Catches the policy "all keys" that is taken for "the whole record", or that knows one side of encryption alone,
  /// and a policy that looks at the kind of a field.
  ///
  /// Beside `a`, which the device sets, and `b`, which it does not know, there are up to eight keys of any kind:
  /// the device has of each the server's value, none, another one that it has not marked, as a device that merges by
  /// itself does, or one that it has; or it has cleared the key.
  ///
  /// Worked example: the server has `a` and `b`, the device saves `{a: 2}` by `.all`. `b` must
  /// stay: the device may not know that there is such a key.
  ///
  ///     the device has       `unchanged`, `changed`     `all`
  ///     nothing              the server's stays         the server's stays
  ///     7, not marked        the server's stays         7, on the side on which the device has it
  ///     7, marked            7                          7
  ///     nothing, marked      gone                       gone
  static let forcedSaveMerges = value(
    "server.forced-save-merges",
    "Forced saves keep other keys.",
    "Under each policy the server keeps fields that the saver never had, and takes those that the saver has marked; by "
      + "the policy for all keys it takes the saver's others as well, plain or encrypted, of any kind.",
    source: .document("Records.md", "The server"),
    count: 60
  ) { subject, choices in
    let server = subject.server()
    let id = RecordID(recordName: "r0", zoneID: recordZone)
    let policies = RecordRequest.Policy.allCases
    let policy = choices.element(of: policies + [.all])
    let copies = choices.copies(of: id)
    var first = Record(recordType: "Note", recordID: id)
    first["a"] = .int64(1)
    first["b"] = .int64(1)
    for (key, copy) in copies {
      if let before = copy.before { first.set(key, before, copy.wasEncrypted) }
    }
    guard case .done(let saved?)? = server.modify(RecordRequest(saving: [first])).outcomes[id]
    else {
      return .record("save.refused", "the first save was refused")
    }
    // With the tag that the device was told.
    var known = Record(systemFields: saved.systemFields)
    for (key, copy) in copies where !copy.isMarked {
      if let now = copy.now { known.set(key, now, copy.isEncrypted) }
    }
    var mine = known.unmarked()
    mine["a"] = .int64(2)
    for (key, copy) in copies where copy.isMarked {
      mine[key] = nil
      if let now = copy.now { mine.set(key, now, copy.isEncrypted) }
    }
    let answer = server.modify(RecordRequest(saving: [mine], policy: policy))
    guard answer.isDone, let now = server.fetch(id) else {
      return .record("save.refused", "the save was refused: \(answer.outcomes)")
    }
    var (fields, encrypted) = (saved.fields, saved.encryptedFields)
    var keys = mine.changedKeySet
    if policy == .all {
      keys.formUnion(mine.fields.keys)
      keys.formUnion(mine.encryptedFields.keys)
    }
    for key in keys {
      fields[key] = mine.fields[key]
      encrypted[key] = mine.encryptedFields[key]
    }
    return .fields(
      "policy.lost",
      "a save by policy \(policy.rawValue) left other fields than it says",
      expected: Record(systemFields: now.systemFields, fields: fields, encryptedFields: encrypted),
      actual: now,
      between: "the fields that the policy gives",
      "the record on the server"
    )
  }
}

/// A field as a server has it and as a device does.
private struct FieldCopy {
  /// The server's; `nil` for none, and so `now`, the device's.
  var before: RecordValue?
  var wasEncrypted = false
  var now: RecordValue?
  var isEncrypted = false
  var isMarked = false
}

extension Record {
  /// Sets a value on one side of encryption.
  fileprivate mutating func set(_ key: String, _ value: RecordValue, _ isEncrypted: Bool) {
    if isEncrypted { self[encrypted: key] = value } else { self[key] = value }
  }
}

extension Choices {
  /// Up to eight fields of one record, each of any kind, as the server and a device have them.
  ///
  /// References and assets are on the plain side, as they must be.
  fileprivate mutating func copies(of id: RecordID) -> [(key: String, copy: FieldCopy)] {
    let dates = [1.0, 2].map { Date(timeIntervalSince1970: $0) }
    let places = [1.0, 2].map { RecordLocation(latitude: $0, longitude: $0) }
    let links = [RecordReference.Action.none, .deleteSelf].map {
      RecordReference(recordID: id, action: $0)
    }
    let assets = ["/a", "/b"].map { RecordAsset(fileURL: URL(fileURLWithPath: $0)) }
    let pairs: [(RecordValue, RecordValue)] = [
      (.int64(1), .int64(2)), (.string("a"), .string("b")), (.double(1), .double(2)),
      (.bytes(Data([1])), .bytes(Data([2]))), (.timestamp(dates[0]), .timestamp(dates[1])),
      (.location(places[0]), .location(places[1])),
      (.list(.int64s([1])), .list(.int64s([1, 2]))), (.list(.strings(["a"])), .list(.strings([]))),
      (.list(.doubles([1])), .list(.doubles([2]))), (.list(.bytes([])), .list(.bytes([Data()]))),
      (.list(.timestamps(dates)), .list(.timestamps([dates[1]]))),
      (.list(.locations(places)), .list(.locations([places[1]]))),
      (.reference(links[0]), .reference(links[1])), (.asset(assets[0]), .asset(assets[1])),
      (.list(.references([links[0]])), .list(.references([links[1]]))),
      (.list(.assets([assets[0]])), .list(.assets([assets[1]]))),
    ]
    return (0..<index(below: 9)).map { number in
      let (first, second) = element(of: pairs)
      let mayHide = ![.asset, .reference].contains(first.kind.kind)
      var copy = FieldCopy(before: first)
      copy.wasEncrypted = flag() && mayHide
      copy.isEncrypted = flag() && mayHide
      switch index(below: 5) {
      case 0: (copy.now, copy.isEncrypted) = (first, copy.wasEncrypted)
      case 1: copy.now = nil
      case 2: copy.now = second
      case 3: (copy.now, copy.isMarked) = (second, true)
      default: copy.isMarked = true
      }
      if flag(), copy.now != nil { copy.before = nil }
      return ("key\(number)", copy)
    }
  }
}
