import Foundation
import PropertyEngine
import RecordModel

// Servers before their specification (`NaiveRecordServer.swift`): whole runs of requests, records
// at the edge of a rule, and the rebase by which a device answers a conflict.

extension RecordLaw {
  /// Servers before their specification.
  static let serverLaws: [RecordLaw] = [serverByRules, keepsApart, invalidRefused, rebases]

  /// Catches a server that forgets what it saved when the reply is lost, orders saves otherwise than
  /// by their references, keeps what an atomic request took back, or rounds dates but no lists of
  /// them.
  ///
  /// One to eight requests by devices that may have any copy that ever was of a record. Tags are
  /// not compared: the specification counts versions, and a copy knows the version it was read at.
  /// Misses what spans zones and types, as there is one of each: `server.keeps-apart` has two.
  ///
  /// Worked example: r1 refers to r0, both are new, and the request has r1 first. Saved in the
  /// order of the request r1 is refused for its reference; the rule is that r0 comes first.
  ///
  ///     request                             the server                  the specification
  ///     save r0, no tag                     done, a tag                 done, version 1
  ///     save r0, as of version 1            done, another tag           done, version 2
  ///     save r0, as of version 1            changed                     changed: 1 is not 2
  ///     atomic: save r0 as of 1, delete r1  r0 changed, r1 `batch`      the same, and r1 is still there
  ///
  /// `server-undone-deletions-told` answers the last with "done" for r1: the device forgets a
  /// record that the server still has, and no later change tells of it.
  static let serverByRules = value(
    "server.by-rules",
    "A server answers by the rules.",
    "Each record of each request, whatever it saves and deletes, by any policy, whole or in parts, with any "
      + "fault, is answered as the specification answers, with what a refusal is about, and the zone holds what it holds; a field keeps the kind of "
      + "its first save that was carried out, and the dates of a record are those of its first and its last save.",
    source: .document("Records.md", "The server"),
    count: 448
  ) { subject, choices in
    let server = subject.server()
    var naive = NaiveRecordServer()
    // All copies that a device may have of each record, the oldest first.
    var copies: [RecordID: [(record: Record, version: Int?)]] = [:]
    var dates = SaveDates()
    var before: [RecordID: Record] = [:]
    for number in 0..<choices.number(in: 1...8) {
      // Drawn for what is there by now, so that conflicts and references are as frequent in the
      // last request as in the first.
      let request = choices.request(copies)
      let answer = server.modify(
        RecordRequest(
          saving: request.saving.map(\.record),
          deleting: request.deleting,
          policy: request.policy,
          isAtomic: request.isAtomic,
          fault: request.fault
        )
      )
      // The specification gets the same request, with the versions that its own rows had when the
      // copies were read.
      let expected = naive.modify(request)
      for (id, wanted) in expected.sorted(by: { $0.key.recordName < $1.key.recordName }) {
        guard let found = answer.outcomes[id], found.answer == wanted else {
          return .record(
            "server.answer",
            "request \(number) was answered otherwise for \(id)",
            expected: wanted,
            actual: answer.outcomes[id].map { "\($0)" } ?? "no answer",
            between: "the naive server",
            "the server"
          )
        }
      }
      let zone = Dictionary(server.all().map { ($0.recordID, $0) }) { $1 }
      for id in Set(zone.keys).union(naive.rows.keys)
        .sorted(by: { $0.recordName < $1.recordName })
      where zone[id]?.fields != naive.rows[id]?.fields
        || zone[id]?.encryptedFields != naive.rows[id]?.encrypted
      {
        return zoneDifference(
          "after request \(number) the zone holds another \(id)",
          expected: naive.rows[id],
          actual: zone[id]
        )
      }
      // What it says, not only what it has: a device takes the record of an answer for the
      // server's.
      if let found = toldOtherwise(answer, before, zone) { return found }
      if let found = blamedOtherwise(answer, to: request, over: before, by: server) { return found }
      for (id, row) in naive.rows.sorted(by: { $0.value.version < $1.value.version }) {
        guard let record = zone[id], !dates.take(record, row) else { continue }
        return .record("server.dates", "after request \(number) \(id) has dates of other saves")
      }
      // Each new state is one more copy that a device may have kept.
      before = zone
      for (id, record) in zone {
        guard let version = naive.rows[id]?.version, copies[id]?.last?.version != version else {
          continue
        }
        copies[id, default: []].append((record, version))
      }
    }
    return nil
  }

  /// Says how a record differs from what the specification holds: by its first other field, where both have it.
  private static func zoneDifference(
    _ summary: String,
    expected row: NaiveRecordServer.Row?,
    actual record: Record?
  ) -> Difference {
    let (naive, real) = ("the naive server", "the server")
    if let row, let record {
      let expected = Record(
        systemFields: record.systemFields,
        fields: row.fields,
        encryptedFields: row.encrypted
      )
      if let found = Difference.fields(
        "server.zone",
        summary,
        expected: expected,
        actual: record,
        between: naive,
        real
      ) {
        return found
      }
    }
    func shown(_ fields: [String: RecordValue]?) -> String {
      fields.map { "a record with the fields \($0.keys.sorted())" } ?? "no record"
    }
    return .record(
      "server.zone",
      summary,
      expected: shown(row?.fields),
      actual: shown(record?.fields),
      between: naive,
      real
    )
  }
}

extension RecordLaw {
  /// Catches a server that finds records by their names, or fixes kinds by their keys: an app of two types, or of two
  /// zones, loses records, and saves are refused for a field that another type has.
  ///
  /// Two names in two zones, the server's own and that of the laws, and two types, one on each diagonal. Notes hold a
  /// number under the key under which pages hold a text. Each request saves some of the four and deletes others.
  ///
  ///     name     in the default zone     in the zone of the laws
  ///     r0       a note                  a page
  ///     r1       a page                  a note
  static let keepsApart = value(
    "server.keeps-apart",
    "Types and zones stay apart.",
    "A server keeps records of one name in two zones, and kinds of one key in two types, apart: each save and each "
      + "deletion, alone or with others in one request, concerns its own record, and changes of a zone tell of it alone; "
      + "to make a zone that is there changes nothing, and a zone that is not there has and takes no record.",
    source: .document("Records.md", "The server"),
    count: 72
  ) { subject, choices in
    let server = subject.server()
    let zones = [RecordZoneID.default, recordZone]
    let ids = (0..<4).map { RecordID(recordName: "r\($0 / 2)", zoneID: zones[$0 % 2]) }
    var expected: [RecordID: RecordValue] = [:]
    for number in 0..<choices.number(in: 1...5) {
      var request = RecordRequest(policy: .all)
      for (index, id) in ids.enumerated() {
        switch choices.index(below: 3) {
        case 0:
          let isNote = index == 0 || index == 3
          var record = Record(recordType: isNote ? "Note" : "Page", recordID: id)
          record["field"] = isNote ? .int64(Int64(number)) : .string("\(number)")
          request.saving.append(record)
          expected[id] = record["field"]
        case 1:
          request.deleting.append(id)
          expected[id] = nil
        default: break
        }
      }
      let answer = server.modify(request)
      guard answer.isDone else {
        return .record("apart.refused", "request \(number) was refused: \(answer.outcomes)")
      }
      if choices.flag() { server.makeZone() }
      if choices.flag(), let found = absentZone(server, expected, &choices) { return found }
      for id in ids where server.fetch(id)?["field"] != expected[id] {
        return .record(
          "apart.other",
          "after request \(number) \(id) has another field",
          expected: expected[id] as Any,
          actual: server.fetch(id)?["field"] as Any,
          between: "what was saved",
          "what the server has"
        )
      }
      let told = server.changes(since: nil).map { $0.saved.map(\.recordID) + $0.deleted } ?? []
      let all = Set(server.all().map(\.recordID))
      guard told.allSatisfy({ $0.zoneID == recordZone }),
        all == Set(expected.keys.filter { $0.zoneID == recordZone })
      else {
        return .record("apart.zone", "after request \(number) a zone tells of other records")
      }
    }
    return nil
  }
}

extension RecordLaw {
  /// How a server does not refuse what concerns a zone that is not there, alone or beside what it has.
  private static func absentZone(
    _ server: any RecordServing,
    _ known: [RecordID: RecordValue],
    _ choices: inout Choices
  ) -> Difference? {
    let id = RecordID(recordName: "r0", zoneID: RecordZoneID(zoneName: "Elsewhere"))
    var request = RecordRequest(policy: choices.element(of: RecordRequest.Policy.allCases))
    let isDeletion = choices.flag()
    if isDeletion {
      request.deleting = [id]
    } else {
      request.saving = [Record(recordType: "Note", recordID: id)]
    }
    // What would go with it, if the request were not refused as a whole.
    let good = known.keys.min { "\($0)" < "\($1)" }
    if let good, choices.flag() {
      request.deleting.insert(good, at: 0)
      request.isAtomic = true
    }
    let outcome = server.modify(request).outcomes[id]
    guard case .refused? = outcome, server.fetch(id) == nil else {
      return .record(
        "apart.absent",
        "a \(isDeletion ? "deletion" : "save") in a zone that is not there was answered otherwise",
        expected: "refused",
        actual: outcome.map { "\($0)" } ?? "no answer",
        between: nil,
        "what the server answered"
      )
    }
    if let good, server.fetch(good) == nil {
      return .record("apart.undone", "a request that was refused as a whole deleted \(good)")
    }
    return nil
  }

  /// A server that takes what a real one refuses hides that a coder writes it.
  ///
  /// Worked example: a name of 255 characters is saved, one of 256 refused. A legal record is then
  /// sent twice in a request with a neighbour, which must not be saved either.
  static let invalidRefused = value(
    "server.invalid-refused",
    "Servers refuse records that break rules.",
    "A record that breaks one rule of names, zones, encryption, numbers or sizes is refused and not stored, and one "
      + "that just keeps it is saved; a request that saves it twice is refused as a whole.",
    source: [.document("Records.md", "Names"), .document("Records.md", "The server")]
  ) { subject, choices in
    // One rule at a time: a record that broke two would be refused for either.
    let (record, isLegal, rule) = choices.edge()
    let server = subject.server()
    let answer = server.modify(RecordRequest(saving: [record]))
    guard answer.isDone != isLegal || server.all().isEmpty == isLegal else {
      return isLegal
        ? doubleSave(of: record, server, isAtomic: choices.flag(), isCut: choices.flag()) : nil
    }
    return .record(
      isLegal ? "invalid.refused" : "invalid.taken",
      "a record was \(answer.isDone ? "saved" : "refused") that is at the edge of a rule: \(rule)",
      expected: isLegal ? "saved" : "refused",
      between: nil,
      "what the server answered"
    )
  }

  /// What is wrong with the answer to a request that saves a record twice, and a good one before it.
  ///
  /// By the policy `all`, which compares no tags: by `unchanged` the record would be refused for
  /// its tag, and the double save would not be asked for. The neighbour is first in the request, so
  /// that a server that notices the double when it comes to it has saved the neighbour by then.
  private static func doubleSave(
    of record: Record,
    _ server: any RecordServing,
    isAtomic: Bool,
    isCut: Bool
  ) -> Difference? {
    let neighbour = Record(
      recordType: "Note",
      recordID: RecordID(recordName: "a neighbour", zoneID: recordZone)
    )
    let fault = isCut ? RecordRequest.Fault.cut : .none
    let answer = server.modify(
      RecordRequest(
        saving: [neighbour, record, record],
        policy: .all,
        isAtomic: isAtomic,
        fault: fault
      )
    )
    let isStored = server.all().contains { $0.recordID == neighbour.recordID }
    guard answer.isDone || isStored else { return nil }
    return .record(
      "double.taken",
      "a request that saves one record twice was \(answer.isDone ? "carried out" : "carried out in part")",
      expected: "refused as a whole",
      between: nil,
      "what the server answered"
    )
  }

  /// Catches encrypted fields that a conflict takes back, and marks of what needs no save.
  ///
  /// Worked example: mine changed `a` to 2, theirs has `a` 1 and `b` 5: the rebase has `a` 2,
  /// marked, and `b` 5, unmarked. Had theirs `a` 2 already, nothing would be marked, and nothing
  /// need be sent.
  ///
  ///     mine                          theirs        the rebase
  ///     a: 2, marked                  a: 1          a: 2, marked
  ///     a: 2, marked                  a: 2          a: 2, not marked
  ///     a: 2, not marked              a: 1          a: 1
  ///     no a, marked                  a: 1          no a, marked
  ///     a: 2 encrypted, marked        a: 1          a: 2 encrypted, marked, and no a in the clear
  ///     of another name or type       any           refused
  static let rebases = value(
    "record.rebases",
    "A rebase keeps own changes.",
    "The changes of a record on top of another state of it are that state with the values of the changed keys, "
      + "encrypted ones included; keys are marked that differ from it, and the state of another record is refused.",
    source: .document("Records.md", "The server"),
    count: 60
  ) { subject, choices in
    let id = RecordID(recordName: "r0", zoneID: recordZone)
    // Four keys: plain, encrypted, cleared, or untouched; then perhaps saved, and changed once
    // more.
    func record(_ id: RecordID, _ type: String, _ tag: String) -> Record {
      var fields = RecordSystemFields(recordType: type, recordID: id)
      fields.recordChangeTag = tag
      var record = Record(systemFields: fields)
      for key in ["a", "b", "c", "d"] {
        switch choices.index(below: 4) {
        case 0: record[key] = choices.plainValue()
        case 1: record[encrypted: key] = choices.plainValue()
        case 2: record[key] = nil
        default: continue
        }
      }
      guard choices.flag() else { return record }
      record = record.unmarked()
      for key in ["a", "d"] where choices.flag() { record[key] = choices.plainValue() }
      return record
    }
    let mine = record(id, "Note", "t1")
    let isOther = choices.flag(percent: 10)
    let otherID = isOther && choices.flag() ? RecordID(recordName: "r1", zoneID: recordZone) : id
    let theirs = record(otherID, isOther && otherID == id ? "Other" : "Note", "t2")
    let found = subject.rebase(mine, onto: theirs)
    guard !isOther, let found else {
      guard found != nil || !isOther else { return nil }
      return .record(
        "rebase.identity",
        "the state of \(isOther ? "another" : "the") record was \(found == nil ? "refused" : "taken")"
      )
    }
    var (fields, encrypted) = (theirs.fields, theirs.encryptedFields)
    var marks: Set<String> = []
    // The oracle: own marked keys over theirs, one by one, on both sides of encryption.
    for key in mine.changedKeySet {
      fields[key] = mine.fields[key]
      encrypted[key] = mine.encryptedFields[key]
      if fields[key] != theirs.fields[key] || encrypted[key] != theirs.encryptedFields[key] {
        marks.insert(key)
      }
    }
    let expected = Record(
      systemFields: theirs.systemFields,
      fields: fields,
      encryptedFields: encrypted,
      changedKeys: marks
    )
    guard found != expected else { return nil }
    return .fields(
      "rebase.fields",
      "a rebase has other fields",
      expected: expected,
      actual: found,
      between: "the rebase that the rules give",
      "the rebase"
    )
      ?? .record(
        "rebase.marks",
        "a rebase has other marks or system fields",
        expected: expected.changedKeys(),
        actual: found.changedKeys(),
        between: "the rebase that the rules give",
        "the rebase"
      )
  }

  /// An answer whose record is not the one that the server has, or that it had before the request.
  private static func toldOtherwise(
    _ answer: RecordAnswer,
    _ before: [RecordID: Record],
    _ zone: [RecordID: Record]
  ) -> Difference? {
    for (id, outcome) in answer.outcomes.sorted(by: { $0.key.recordName < $1.key.recordName }) {
      switch outcome {
      case .done(let saved?) where zone[id].map { $0 != saved } == true:
        return .record(
          "server.saved",
          "it says that it saved another \(id) than it has",
          expected: zone[id]?.description,
          actual: saved.description,
          between: "what the server has",
          "what the server says it saved"
        )
      case .changed(let theirs) where before[id].map { $0 != theirs } == true:
        return .record(
          "server.theirs",
          "the record of a conflict is not the server's \(id)",
          expected: before[id]?.description,
          actual: theirs.description,
          between: "what the server had",
          "what the server says it has"
        )
      default: continue
      }
    }
    return nil
  }
}

/// The dates that a server gave to saves, by the versions of the specification.
///
/// Two versions may have one date: a server's clock may stand still between two saves.
///
///     versions 1, 2, 3 at 10:00, 10:00, 10:05      may be
///     versions 1, 2, 3 at 10:00, 10:05, 10:00      not: the third save is no earlier than the second
///     version 2 of a record that was made by 1     made 10:00, changed 10:05, and no other two
private struct SaveDates {
  private var known: [Int: Date] = [:]

  /// Whether a record's dates are those of its first and its last save, and follow the order of all saves.
  mutating func take(_ record: Record, _ row: NaiveRecordServer.Row) -> Bool {
    guard let changed = record.modificationDate, let made = record.creationDate else {
      return false
    }
    if let other = known[row.version], other != changed { return false }
    if known.contains(where: { $0.key < row.version && $0.value > changed }) { return false }
    known[row.version] = changed
    return made == known[row.created]
  }
}

extension Choices {
  /// A record at the edge of a rule, whether it keeps it, and the rule in words.
  ///
  /// Both sides of one rule, one step apart where the rule is a number: 255 and 256 characters,
  /// 999,999 and 1,000,000 bytes with the keys.
  ///
  ///     rule               kept                        broken
  ///     length of a name   255 characters              256
  ///     name               "-", "a b", "1_", "~"       "", "_a", U+00E9
  ///     type               "N", "n_1"                  "", "1N", "_N", "N-", "N" and U+00E9
  ///     reference          to the record's zone        to the zone "Other"
  ///     encryption         an encrypted number         a key on both sides, a list of references
  ///     number             the greatest finite one     an infinity or NaN, alone or in a list
  ///     date               0.25 ms, which is rounded   1e300 s, an infinity or NaN, alone or in a list
  ///     size               999,999 bytes               1,000,000, however parted
  fileprivate mutating func edge() -> (record: Record, isLegal: Bool, rule: String) {
    let isLegal = flag()
    var (type, name) = ("Note", "r0")
    var fields: [String: RecordValue] = [:]
    var encrypted: [String: RecordValue] = [:]
    let rule: String
    switch index(below: 8) {
    case 0:
      rule = "the length of a name"
      name = String(repeating: "n", count: isLegal ? 255 : 256)
    case 1:
      rule = "the characters of a name"
      name = isLegal ? element(of: ["-", "a b", "1_", "~"]) : element(of: ["", "_a", "\u{E9}"])
    case 2:
      rule = "the characters of a type"
      type = isLegal ? element(of: ["N", "n_1"]) : element(of: ["", "1N", "_N", "N-", "N\u{E9}"])
    case 3:
      rule = "the zone of a reference"
      let zone = isLegal ? recordZone : RecordZoneID(zoneName: "Other")
      fields["owner"] = .reference(
        RecordReference(recordID: RecordID(recordName: name, zoneID: zone))
      )
    case 4:
      rule = "a key on both sides, or a kind that none may encrypt"
      let list = RecordValue.list(.references([]))
      encrypted["a"] = isLegal || flag() ? .int64(1) : list
      fields[isLegal || encrypted["a"] == list ? "b" : "a"] = .int64(1)
    case 5:
      rule = "a number without an end"
      let number: Double =
        isLegal ? .greatestFiniteMagnitude : element(of: [.infinity, -.infinity, .nan])
      fields["a"] = flag() ? .double(number) : .list(.doubles([0, number]))
    case 6:
      rule = "a date that is no number of milliseconds"
      let seconds: Double = isLegal ? 0.000_25 : element(of: [1e300, -.infinity, .nan])
      let date = Date(timeIntervalSince1970: seconds)
      fields["a"] = flag() ? .timestamp(date) : .list(.timestamps([date]))
    default:
      rule = "the size of a record with an encrypted part"
      let part = number(in: 0...999_000)
      fields["a"] = .bytes(Data(count: part))
      encrypted["b"] = .bytes(Data(count: 999_997 - part + (isLegal ? 0 : 1)))
    }
    let id = RecordID(recordName: name, zoneID: recordZone)
    let record = Record(
      systemFields: RecordSystemFields(recordType: type, recordID: id),
      fields: fields,
      encryptedFields: encrypted,
      changedKeys: Set(fields.keys).union(encrypted.keys)
    )
    return (record, isLegal, rule)
  }

  /// A number, or now and then a text: a field has the kind of its first save.
  ///
  /// A text of one in ten is refused where numbers stand already: `kind`.
  private mutating func small() -> RecordValue {
    let number = number(in: 0...3)
    return weighed([9, 1]) == 0 ? .int64(Int64(number)) : .string("\(number)")
  }

  /// A list of up to two dates, mostly with parts of milliseconds, which no server keeps.
  private mutating func times() -> RecordValue {
    .list(.timestamps((0..<number(in: 0...2)).map { _ in date() }))
  }

  /// A request of up to three saves and two deletions of four records, no record in it twice.
  ///
  /// Copies make conflicts: 6 of 9 saves have the latest copy of their record, 2 an older or the
  /// same one, 1 none at all.
  ///
  /// The order of saves is turned round three times as often as in a story (12 of 100 and 4): a
  /// story links three notes at most, and here the order is what is judged.
  fileprivate mutating func request(
    _ copies: [RecordID: [(record: Record, version: Int?)]]
  ) -> NaiveRecordServer.Request {
    var request = NaiveRecordServer.Request()
    var ids = (0..<4).map { RecordID(recordName: "r\($0)", zoneID: recordZone) }
    let all = ids
    let (saves, deletes) = (number(in: 0...3), number(in: 0...2, bias: .small))
    for index in 0..<(saves + deletes) where !ids.isEmpty {
      let id = ids.remove(at: self.index(below: ids.count))
      guard index < saves else {
        request.deleting.append(id)
        continue
      }
      let known = copies[id] ?? []
      // The latest copy as a rule; an older one, or none, makes a conflict.
      let place = weighed([6, 2, 1])
      var copy: (record: Record, version: Int?) = (Record(recordType: "Note", recordID: id), nil)
      if place == 0, let last = known.last { copy = last }
      if place == 1, !known.isEmpty { copy = element(of: known) }
      for key in ["a", "b"] where flag() {
        copy.record[key] = weighed([3, 1]) == 1 ? nil : small()
      }
      if flag() {
        copy.record[encrypted: "c"] = weighed([3, 1]) == 1 ? nil : small()
      }
      if flag() { copy.record["at"] = .timestamp(date()) }
      if flag() { copy.record["times"] = times() }
      if flag() { copy.record[encrypted: "hiddenTimes"] = times() }
      request.saving.append(NaiveRecordServer.Save(record: copy.record, version: copy.version))
    }
    // To what is there, to what is not, and to what the request saves before or behind them.
    for index in request.saving.indices where weighed([6, 4]) == 1 {
      // Any of the four, itself included: a reference to oneself needs no other record.
      let target = element(of: all)
      request.saving[index].record["owner"] = .reference(
        RecordReference(recordID: target, action: flag() ? .deleteSelf : .none)
      )
    }
    // In lists as well, mostly to what is there: each element counts.
    let known = all.filter { copies[$0] != nil }
    for index in request.saving.indices where flag() {
      let owners = (0..<(1 + self.index(below: 2))).map { _ in
        RecordReference(
          recordID: element(of: known.isEmpty ? all : known),
          action: flag() ? .deleteSelf : .none
        )
      }
      request.saving[index].record["owners"] = .list(.references(owners))
    }
    request.policy = element(of: RecordRequest.Policy.allCases)
    request.isAtomic = weighed([6, 4]) == 1
    request.fault = RecordRequest.Fault.allCases[weighed([60, 8, 12, 8, 12])]
    if request.saving.count > 1, weighed([7, 1]) == 1 { request.makeCircle() }
    return request
  }
}
