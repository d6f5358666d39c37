import Foundation
import PropertyEngine
import RecordModel

// What a server tells besides its outcomes: what went with a deletion, why it has nothing, and what a refusal is about.

extension RecordLaw {
  /// Catches a server that deletes a record and does not say so, or that says so twice: an app that counts what it removes
  /// from its list, or undoes a deletion, does too little or too much.
  ///
  /// Up to six notes refer to some of those before them, by a field and by a list. Names go up or down, since a server may
  /// go through referrers by their names.
  ///
  /// Worked example: r0 refers to r1 and to r2, r1 refers to r2, and both want to be deleted with what they refer to. Who
  /// deletes r2 comes to r0 twice, and must tell of it once.
  ///
  ///     deleted                      tells
  ///     r2                           r2, r1, r0
  ///     r1 and r2, in one request    r1, r0; r2
  ///     what is not there            nothing
  static let deletionsTold = value(
    "server.deletions-told",
    "A deletion tells what went with it.",
    "Each deletion tells the record and all that were deleted with it, each once, and nothing where there was nothing left "
      + "to delete; the next changes tell the same.",
    source: .document("Records.md", "The server"),
    count: 72
  ) { subject, choices in
    let server = subject.server()
    let count = choices.number(in: 1...6)
    let goesUp = choices.flag()
    let ids = (0..<7).map { number in
      RecordID(recordName: "r\(goesUp ? number : 6 - number)", zoneID: recordZone)
    }
    var targets: [RecordID: Set<RecordID>] = [:]
    let notes = (0..<count).map { number in
      var note = Record(recordType: "Note", recordID: ids[number])
      func reference() -> RecordReference {
        let target = ids[choices.index(below: number)]
        let goesAlong = choices.weighed([3, 1]) == 0
        if goesAlong { targets[ids[number], default: []].insert(target) }
        return RecordReference(recordID: target, action: goesAlong ? .deleteSelf : .none)
      }
      if number > 0, choices.flag() { note["owner"] = .reference(reference()) }
      if number > 0, choices.flag() {
        let owners = (0..<choices.number(in: 1...2)).map { _ in reference() }
        note["owners"] = .list(.references(owners))
      }
      return note
    }
    guard server.modify(RecordRequest(saving: notes, policy: .all)).isDone else {
      return .record("told.refused", "notes that refer to each other were refused")
    }
    var mark = news(of: server, since: nil).mark
    for _ in 0..<choices.number(in: 1...2) {
      let before = Set(server.all().map(\.recordID))
      let deleting = (0..<choices.number(in: 1...2)).map { _ in choices.element(of: ids) }
      let answer = server.modify(RecordRequest(deleting: deleting))
      let left = Set(server.all().map(\.recordID))
      var due = before.intersection(deleting)
      while let next = before.subtracting(due).first(where: { id in
        !targets[id, default: []].isDisjoint(with: due)
      }) {
        due.insert(next)
      }
      let told = Set(deleting).flatMap { answer.gone[$0] ?? [] }
      let names = (due: names(due), left: names(before.subtracting(left)), told: names(told))
      guard names.due == names.left, names.due == names.told else {
        return .record(
          "told.deletion",
          "the deletion of \(RecordLaw.names(deleting)) tells of other records",
          expected: names.due,
          actual: names.due == names.left ? names.told : names.left,
          between: nil,
          "what the server deleted or told"
        )
      }
      let found = news(of: server, since: mark)
      mark = found.mark
      guard RecordLaw.names(found.deleted) == names.due, found.savedCount == 0 else {
        return .record(
          "told.changes",
          "changes tell of other records than were deleted",
          expected: names.due,
          actual: RecordLaw.names(found.deleted),
          between: nil,
          "the changes"
        )
      }
    }
    return nil
  }

  /// Catches an error that sends an app the wrong way: told that its mark has expired, it fetches all; told that there is no
  /// zone, it makes one.
  ///
  ///     the zone               a record     changes since nothing, since a mark
  ///     was never made         no zone      no zone
  ///     is there               none there   told
  ///     was forgotten          none there   told, expired
  ///     was made once more     none there   told, expired
  ///     another one            none there   told, expired: the mark is of this one
  static let refusalsTold = value(
    "server.refusals-told",
    "A server tells why it has nothing.",
    "A record that is not fetched is told by its zone or by itself, changes that are not told by their zone or by a mark that "
      + "expired or is of another zone; what is there is told, and the records of a zone are in the order of their names.",
    source: .document("Records.md", "The server")
  ) { subject, choices in
    let server = subject.server()
    let names = ["b", "a", "c"].filter { _ in choices.flag() }
    let notes = names.map { name in
      Record(recordType: "Note", recordID: RecordID(recordName: name, zoneID: recordZone))
    }
    guard server.modify(RecordRequest(saving: notes)).isDone else {
      return .record("refusals.saved", "new notes were refused")
    }
    guard server.all().map(\.recordID.recordName) == names.sorted() else {
      return .record(
        "refusals.order",
        "the records of a zone are not in the order of their names",
        expected: names.sorted(),
        actual: server.all().map(\.recordID.recordName),
        between: nil,
        "what the server has"
      )
    }
    let mark = news(of: server, since: nil).mark
    let nowhere = RecordZoneID(zoneName: "Nowhere")
    let (forgets, renews) = (choices.flag(), choices.flag())
    if forgets { server.expire() }
    if renews { _ = server.renewZone() }
    let isOld: RecordRefusal? = forgets || renews ? .expired : nil
    func id(_ name: String, _ zone: RecordZoneID) -> RecordID {
      RecordID(recordName: name, zoneID: zone)
    }
    let questions: [(words: String, due: RecordRefusal?, found: RecordRefusal?)] = [
      ("a record of no zone", .noZone, server.refusal(ofFetching: id("a", nowhere))),
      ("a record that is not there", .noRecord, server.refusal(ofFetching: id("z", recordZone))),
      (
        "a record", names.contains("a") && !renews ? nil : .noRecord,
        server.refusal(ofFetching: id("a", recordZone))
      ),
      ("changes of no zone", .noZone, server.refusal(ofChangesIn: nowhere, since: nil)),
      (
        "changes of no zone since a mark", .noZone,
        server.refusal(ofChangesIn: nowhere, since: mark)
      ),
      ("changes", nil, server.refusal(ofChangesIn: recordZone, since: nil)),
      ("changes since a mark", isOld, server.refusal(ofChangesIn: recordZone, since: mark)),
      (
        "changes of another zone since a mark", .expired,
        server.refusal(ofChangesIn: .default, since: mark)
      ),
    ]
    guard let wrong = questions.first(where: { $0.due != $0.found }) else { return nil }
    return .record(
      "refusals.reason",
      "asked for \(wrong.words) the server has another answer",
      expected: wrong.due?.rawValue ?? "an answer",
      actual: wrong.found?.rawValue ?? "an answer",
      between: nil,
      "the server"
    )
  }

  private static func names(_ ids: some Sequence<RecordID>) -> [String] {
    ids.map(\.recordName).sorted()
  }

  /// All that happened since a mark, page by page.
  private static func news(
    of server: any RecordServing,
    since start: Int?
  ) -> (mark: Int?, deleted: [RecordID], savedCount: Int) {
    var found: (mark: Int?, deleted: [RecordID], savedCount: Int) = (start, [], 0)
    // As many pages as there can be records.
    for _ in 0..<16 {
      guard let page = server.changes(since: found.mark) else { return found }
      found.mark = page.mark
      found.deleted += page.deleted
      found.savedCount += page.saved.count
      if !page.isPartial { break }
    }
    return found
  }

  /// A refusal that names another record, target or kind than it is about.
  ///
  /// What a record refers to is what was sent, over what the server had. A kind that an atomic request fixed is forgotten
  /// with it.
  static func blamedOtherwise(
    _ answer: RecordAnswer,
    to request: NaiveRecordServer.Request,
    over before: [RecordID: Record],
    by server: any RecordServing
  ) -> Difference? {
    for sent in request.saving.map(\.record) {
      let id = sent.recordID
      let isRight =
        switch (answer.details[id], answer.outcomes[id]) {
        case (.sent(let record), .changed): record == sent
        case (.target(let target), .reference):
          target != id
            && (sent.references + (before[id]?.references ?? [])).contains { $0.recordID == target }
        case (.kinds(let fixed, let found), .kind(let key)):
          fixed != found && server.kinds(of: sent.recordType)[key].map { $0 == fixed } != false
            && [sent[key], sent[encrypted: key], before[id]?[key], before[id]?[encrypted: key]]
              .contains { $0?.kind == found }
        default: answer.details[id] == nil
        }
      guard !isRight else { continue }
      return .record(
        "server.details",
        "the refusal of \(id) is about something else than was sent",
        actual: answer.details[id].map { "\($0)" } ?? "nothing",
        between: nil,
        "the refusal"
      )
    }
    return nil
  }
}

extension NaiveRecordServer.Request {
  /// Has the first two saves refer to each other, the first by a field that it does not send.
  ///
  /// So that the first can be carried out, and the second behind it: which one is tried first matters.
  mutating func makeCircle() {
    let ids = saving.prefix(2).map(\.record.recordID)
    guard ids.count == 2 else { return }
    for index in 0..<2 {
      let target = RecordReference(recordID: ids[1 - index], action: .none)
      saving[index].record["owner"] = .reference(target)
    }
    saving[0].record = saving[0].record.unmarked()
  }
}
