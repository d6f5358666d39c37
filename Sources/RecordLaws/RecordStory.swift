import Foundation
import PropertyEngine
import RecordModel

// A sample's steps on three devices and one server, as a well-written app would behave: that is
// what laws of devices judge. Read `tell` first, then `save` and `pull`. A violation is noted on
// the way (`found` for any law, `noted` for the one law that asks for it) or found by the law's
// check afterwards, in `attempts` and the server's zone.

/// Devices with two versions of an app and one server, while a sample's steps happen.
///
/// A device keeps a record of each note with the marks of what it changed. It saves them, takes what the
/// server has instead where tags differ, puts its own changes on top and saves again; a request without a
/// reply is repeated once. What laws need is noted on the way.
///
///     step             device 1                       server                  noted
///     1 edits 0 title  decode, set, encode; marked    -                       edit-alone
///     1 saves          its marked records   ------->  compares tags           attempt: before, after
///                      takes what it is told <------  saved, or its own       retry-once
///     1 pulls          its mark             ------->  what happened since     changes-complete
package final class RecordStory {
  /// One request, and the zone before and after it.
  ///
  /// Laws of single requests look through all of them: a later save may correct what was wrong once.
  struct Attempt {
    let device: Int
    let request: RecordRequest
    let before: [RecordID: Record]
    let after: [RecordID: Record]
    let answer: RecordAnswer
  }

  /// One device's state.
  struct Device {
    /// As the device has them, with its own unsaved changes.
    var notes: [RecordID: Record] = [:]
    /// Up to where it knows what happened; `nil` before the first pull and after an expired mark.
    var mark: Int?
    /// Everything is being fetched, from nothing.
    var fetchesAll = false
    /// The mark is from before the server forgot.
    var markIsOld = false
    /// What the news alone say of the zone.
    var mirror: [RecordID: Record] = [:]
  }

  let subject: any RecordSubject
  let server: any RecordServing
  private(set) var devices = Array(repeating: Device(), count: RecordSample.deviceCount)
  private(set) var attempts: [Attempt] = []
  /// The devices that edited a field of a note, and the number of the last edit.
  private(set) var edits: [RecordID: [NoteField: (devices: Set<Int>, number: Int)]] = [:]
  /// Whether anything was deleted.
  private(set) var hasDeletion = false
  /// What a step itself shows to be wrong, whatever the law; the first of it.
  private(set) var found: Difference?
  /// What single laws ask for: the first difference of each.
  private(set) var noted: [Noted: Difference] = [:]

  /// What shows only while a step happens, each for one law: `retryOnce` for `devices.retry-once`.
  enum Noted {
    case retryOnce
    case changesComplete
    case expiredTold
    case editAlone
  }

  init(_ subject: any RecordSubject) {
    self.subject = subject
    server = subject.server()
  }

  /// Notes a difference for the law that it breaks; later ones of that law are dropped.
  private func note(_ law: Noted, _ difference: @autoclosure () -> Difference?) {
    if noted[law] == nil, let difference = difference() { noted[law] = difference }
  }

  /// Notes are named r0 to r2, on all devices: two that make the same note make one record.
  private func id(_ note: Int) -> RecordID {
    RecordID(recordName: "r\(note)", zoneID: recordZone)
  }

  // MARK: - Steps

  /// Carries out the steps.
  ///
  /// - Throws: What the coder threw, which breaks every law.
  func tell(_ steps: [RecordStep]) throws {
    for step in steps {
      switch step {
      case .edit(let device, let note, let field, let number):
        try edit(id(note), on: device, field, to: number)
      case .link(let device, let note, let target):
        let reference = RecordReference(recordID: id(target), action: .deleteSelf)
        try change(id(note), on: device) { $0.refer(to: note == target ? nil : reference) }
      case .save(let device, let fault): try save(device, fault: fault)
      case .atomic(let device, let fault): try save(device, isAtomic: true, fault: fault)
      case .force(let device): try save(device, policy: .changed)
      case .delete(let device, let note, let fault): delete(device, id(note), fault)
      case .pull(let device): pull(device)
      case .peek(let device): pull(device, pageLimit: 1)
      case .expire:
        server.expire()
        ageMarks()
      case .renew:
        // Its records are gone, as if each had been deleted.
        hasDeletion = true
        if !server.renewZone() {
          found = found ?? .record("zone.missing", "the server did not have its zone")
        }
        ageMarks()
      }
    }
  }

  /// A mark that a device holds now must be refused at its next use.
  private func ageMarks() {
    for device in devices.indices { devices[device].markIsOld = devices[device].mark != nil }
  }

  /// All devices save and take in what happened, until nothing is left to do.
  ///
  /// Three rounds are enough: what one device saves in the first reaches all by the second.
  func heal() throws {
    for _ in 0..<3 {
      for device in devices.indices {
        try save(device)
        pull(device)
      }
    }
  }

  /// Notes who edited the field, since only fields with one writer have an outcome that is certain.
  private func edit(
    _ id: RecordID,
    on device: Int,
    _ field: NoteField,
    to number: Int
  ) throws {
    var known = edits[id]?[field] ?? (devices: [], number: 0)
    known.devices.insert(device)
    known.number = number
    edits[id, default: [:]][field] = known
    let before = devices[device].notes[id]
    try change(id, on: device) { $0.set(field, to: number) }
    guard let before, let after = devices[device].notes[id] else { return }
    // Only if there was a record before: a new one has all its fields marked.
    note(.editAlone, Self.strayChange(before, after, field.key))
  }

  /// What an edit of one field did to another.
  ///
  /// Worked example: the title is edited, and a date that is rounded once more on the way is marked
  /// as well. The next save sends both, and takes back a date that another device has set
  /// meanwhile.
  private static func strayChange(_ before: Record, _ after: Record, _ key: String) -> Difference? {
    var expected = before
    expected[key] = after[key]
    if let found = Difference.fields(
      "edit.fields",
      "an edit of '\(key)' changed another field",
      expected: expected,
      actual: after,
      between: "the record before the edit",
      "the record after the edit"
    ) {
      return found
    }
    let marks = after.changedKeySet.subtracting(before.changedKeySet).subtracting([key])
    guard let stray = marks.min() else { return nil }
    return .record("edit.marks", "an edit of '\(key)' marked '\(stray)'")
  }

  /// What an app does: decode the record that it keeps, change the value, encode it onto the same
  /// record.
  private func change(
    _ id: RecordID,
    on device: Int,
    _ body: (inout any EditableNote) throws -> Void
  ) throws {
    if RecordSample.isNew(device) {
      try change(id, on: device, as: NewNote.self, body)
    } else {
      try change(id, on: device, as: OldNote.self, body)
    }
  }

  /// The same for a version of the app, whose type decodes only the fields that it knows.
  private func change<Note: EditableNote>(
    _ id: RecordID,
    on device: Int,
    as type: Note.Type,
    _ body: (inout any EditableNote) throws -> Void
  ) throws {
    let base = devices[device].notes[id] ?? Record(recordType: "Note", recordID: id)
    var value: any EditableNote
    if devices[device].notes[id] == nil {
      value = Note(named: id.recordName)
    } else {
      value = try subject.decode(type, from: base)
    }
    try body(&value)
    // It still is: `body` edits it in place and makes no other.
    guard let value = value as? Note else { return }
    devices[device].notes[id] = try subject.encode(value, onto: base)
  }

  // MARK: - Requests

  /// All records by their ids; a law's own look at the server.
  // A read that costs the devices nothing: it is no request of the story.
  private func zone() -> [RecordID: Record] {
    Dictionary(server.all().map { ($0.recordID, $0) }, uniquingKeysWith: { $1 })
  }

  /// A request with the zone before and after it, for laws of single requests.
  private func send(_ device: Int, _ request: RecordRequest) -> RecordAnswer {
    let before = zone()
    let answer = server.modify(request)
    attempts.append(
      Attempt(
        device: device,
        request: request,
        before: before,
        after: zone(),
        answer: answer
      )
    )
    return answer
  }

  /// What has marks, or was never saved.
  ///
  /// In the order of names, so that a request is the same in each run.
  private func pending(_ device: Int) -> [Record] {
    devices[device].notes.values
      .filter { !$0.changedKeySet.isEmpty || $0.recordChangeTag == nil }
      .sorted { $0.recordID.recordName < $1.recordID.recordName }
  }

  /// Up to six times: each conflict takes the server's record in, and a request without a reply is
  /// sent again.
  ///
  /// The fault is that of the first.
  ///
  ///     device   title "b" marked, tag t1 ->    server has tag t2, count 5
  ///     answer   changed(record with t2)        the device's record becomes: count 5, title "b" marked, tag t2
  ///     device   title "b" marked, tag t2 ->    done(record with t3), nothing marked
  func save(
    _ device: Int,
    policy: RecordRequest.Policy = .unchanged,
    isAtomic: Bool = false,
    fault: RecordRequest.Fault = .none
  ) throws {
    var fault = fault
    // Three notes and a lost request need at most a few; a save that never ends shows as
    // `devices.unsaved`.
    for _ in 0..<6 {
      let records = pending(device)
      guard !records.isEmpty else { return }
      let answer = send(
        device,
        RecordRequest(saving: records, policy: policy, isAtomic: isAtomic, fault: fault)
      )
      fault = .none
      for record in records { try take(answer.outcomes[record.recordID], of: record, device) }
    }
  }

  /// What an app does with the outcome of one record.
  ///
  /// `unknown`: the server's record was deleted, and the device gives its own up. `reference`: the
  /// target is gone, and so the reference is taken out and the note saved again.
  ///
  ///     outcome            the device's record then
  ///     done               the server's, nothing marked
  ///     changed            the server's with the own changes on top; sent again
  ///     unknown            none
  ///     reference          without its owner, which is marked; sent again
  ///     kind, refused      as it was; the story is violated, whatever its law
  ///     batch, network     as it was; sent again
  private func take(_ outcome: RecordAnswer.Outcome?, of record: Record, _ device: Int) throws {
    let id = record.recordID
    switch outcome {
    case .done(let saved?):
      devices[device].notes[id] = saved
      // At once, before another device changes the record.
      note(.retryOnce, sameAsServer(saved))
    case .changed(let theirs):
      guard let rebased = subject.rebase(record, onto: theirs) else { return }
      devices[device].notes[id] = rebased
    case .unknown: devices[device].notes[id] = nil
    case .reference: try change(id, on: device) { $0.refer(to: nil) }
    case .kind(let key): refused(id, "schema of \(key)")
    case .refused(let words): refused(id, words)
    case .done(nil), .batch, .network, nil: break
    }
  }

  private func refused(_ id: RecordID, _ words: String) {
    found = found ?? .record("save.refused", "a save of \(id) was refused: \(words)")
  }

  /// What a server says that it saved is what it has.
  private func sameAsServer(_ saved: Record) -> Difference? {
    guard let theirs = server.fetch(saved.recordID) else {
      return .record("save.lost", "\(saved.recordID) was saved and is not there")
    }
    return .fields(
      "save.differs",
      "the server has another record",
      expected: saved,
      actual: theirs,
      between: "what the server says it saved",
      "what the server has"
    )
  }

  /// A record that was never saved is forgotten without a request.
  ///
  /// A deletion compares no tags; a lost reply is tried once more.
  private func delete(_ device: Int, _ id: RecordID, _ fault: RecordRequest.Fault) {
    hasDeletion = true
    guard devices[device].notes[id]?.recordChangeTag != nil else {
      devices[device].notes[id] = nil
      return
    }
    for fault in [fault, .none] {
      let answer = send(device, RecordRequest(deleting: [id], fault: fault))
      if answer.outcomes[id] != .network { break }
    }
    devices[device].notes[id] = nil
  }

  // MARK: - News

  /// Pages follow each other until one is the last; an expired mark starts again from nothing.
  ///
  /// Nothing happens between two pages, so that one that is announced has something.
  ///
  ///     since nothing     a page, mark 10, more to come
  ///     since 10          a page, mark 17, the last: now the copy must be the zone
  ///     since 17          refused, the server forgot: from nothing; what that does not tell of is gone
  ///
  /// `pageLimit` 1 takes one page and stops, so that other devices change things between two pages.
  func pull(_ device: Int, pageLimit: Int = 64) {
    if devices[device].mark == nil { devices[device].fetchesAll = true }
    var isLast = pageLimit > 1
    var isAnnounced = false
    for _ in 0..<pageLimit {
      guard let news = server.changes(since: devices[device].mark) else {
        guard devices[device].mark != nil else { return }
        devices[device].mark = nil
        devices[device].mirror = [:]
        devices[device].markIsOld = false
        devices[device].fetchesAll = true
        isAnnounced = false
        continue
      }
      if devices[device].markIsOld {
        note(.expiredTold, .record("mark.taken", "an expired mark was answered"))
        devices[device].markIsOld = false
      }
      if isAnnounced, news.saved.isEmpty, news.deleted.isEmpty {
        note(.changesComplete, .record("news.none", "more was announced and none came"))
      }
      isAnnounced = news.isPartial
      take(news, device)
      guard news.isPartial else {
        isLast = true
        break
      }
    }
    guard isLast else { return }
    note(.changesComplete, repeatedNews(device))
    let mirror = devices[device].mirror
    // The copy that the news alone made, not the device's notes, which have changes of their own.
    note(.changesComplete, Self.difference(mirror, zone()))
    // After a whole fetch what is not there any more was deleted.
    guard devices[device].fetchesAll else { return }
    devices[device].fetchesAll = false
    for (id, record) in devices[device].notes
    where record.recordChangeTag != nil && mirror[id] == nil {
      devices[device].notes[id] = nil
    }
  }

  /// What a server tells behind its last page, where nothing has happened since.
  ///
  /// Asked twice, each time by the mark of the answer before: an answer without news has a mark of
  /// its own. The device goes on by the last of them.
  private func repeatedNews(_ device: Int) -> Difference? {
    for _ in 0..<2 {
      guard let news = server.changes(since: devices[device].mark) else {
        return .record("news.refused", "the mark of the last page was refused")
      }
      if let known = news.saved.first?.recordID ?? news.deleted.first {
        return .record("news.repeated", "the changes told of \(known) once more")
      }
      if news.isPartial {
        return .record("news.endless", "more was announced where nothing is new")
      }
      devices[device].mark = news.mark
    }
    return nil
  }

  /// Own changes are put on top of what is new; without any, the new record is taken as it is.
  private func take(_ news: RecordNews, _ device: Int) {
    devices[device].mark = news.mark
    for record in news.saved {
      let id = record.recordID
      // What changed has another tag.
      if let told = devices[device].mirror[id], told.recordChangeTag == record.recordChangeTag {
        note(.changesComplete, .record("news.repeated", "the changes told of \(id) once more"))
      }
      devices[device].mirror[id] = record
      // A note without a tag was made here and not saved: it counts as changed.
      let own = devices[device].notes[id]
      let hasChanges = own.map { !$0.changedKeySet.isEmpty || $0.recordChangeTag == nil } ?? false
      let rebased = hasChanges ? own.flatMap { subject.rebase($0, onto: record) } : nil
      devices[device].notes[id] = rebased ?? record
    }
    for id in news.deleted {
      devices[device].mirror[id] = nil
      if devices[device].notes[id]?.recordChangeTag != nil { devices[device].notes[id] = nil }
    }
  }

  /// Where a copy of the zone departs from it.
  ///
  /// Kinds: `news.missing`, `news.deleted`, `news.differ`; names in their order.
  static func difference(
    _ copy: [RecordID: Record],
    _ zone: [RecordID: Record]
  ) -> Difference? {
    for id in Set(copy.keys).union(zone.keys).sorted(by: { $0.recordName < $1.recordName }) {
      guard let copied = copy[id] else {
        return .record("news.missing", "the changes never told of \(id)")
      }
      guard let record = zone[id] else {
        return .record("news.deleted", "the changes never told that \(id) is gone")
      }
      if let found = Difference.fields(
        "news.differ",
        "the changes tell otherwise of \(id)",
        expected: record,
        actual: copied,
        between: "the zone on the server",
        "the copy that was told of changes"
      ) {
        return found
      }
    }
    return nil
  }
}
