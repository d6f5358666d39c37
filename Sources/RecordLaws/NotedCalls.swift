import Foundation
import ModelGeneration
import PropertyEngine
import RecordModel
import Synchronization
import Texts

// What a law called, for a person who reads a failure: numbers are all that a sample of values has, and say nothing
// of the value that is drawn from them.

extension RecordLaw {
  /// The calls that a law made on a sample, and what came back, in order, two lines each.
  ///
  ///     encode {"title": "a"} onto nothing
  ///       -> Note r0 {title: STRING "a"}, changed: title
  ///
  /// None for a story of devices, whose steps say it.
  package func calls(on subject: any RecordSubject, of sample: RecordSample) -> [String] {
    guard sample.steps.isEmpty else { return [] }
    let notes = CallNotes()
    _ = try? check(NotingSubject(subject, notes), sample)
    return notes.lines
  }
}

/// The calls of one check.
private final class CallNotes: Sendable {
  /// Calls that are kept: a law that makes more repeats itself.
  private static let limit = 16
  /// Characters of a line that are kept.
  private static let width = 600

  private struct State {
    var calls: [(call: String, answer: String)] = []
    var left = 0
  }
  private let state = Mutex(State())

  var lines: [String] {
    state.withLock { state in
      let lines = state.calls.flatMap { [$0.call, "  -> \($0.answer)"] }
      return lines + (state.left > 0 ? ["and \(counted(state.left, "more call"))"] : [])
    }
  }

  private static func cut(_ line: String) -> String {
    let visible = VisibleText()(line)
    return visible.count > width ? "\(visible.prefix(width))…" : visible
  }

  /// Makes a call, and notes it with what it gives or throws.
  func note<Answer>(
    _ call: String,
    _ answer: (Answer) -> String,
    _ body: () throws -> Answer
  ) rethrows -> Answer {
    do {
      let result = try body()
      add(call, answer(result))
      return result
    } catch {
      add(call, "throws \(error)")
      throw error
    }
  }

  private func add(_ call: String, _ answer: String) {
    state.withLock { state in
      if state.calls.count < Self.limit {
        state.calls.append((Self.cut(call), Self.cut(answer)))
      } else {
        state.left += 1
      }
    }
  }
}

/// A subject whose calls are noted.
private struct NotingSubject: RecordSubject {
  private let subject: any RecordSubject
  private let notes: CallNotes

  init(_ subject: any RecordSubject, _ notes: CallNotes) {
    self.subject = subject
    self.notes = notes
  }

  var id: String { subject.id }
  var version: String { subject.version }

  func encode<T: Encodable>(
    _ value: T,
    onto base: Record?,
    _ settings: RecordSettings
  ) throws -> Record {
    let words = base.map { " onto \(shown($0))" } ?? ""
    return try notes.note("encode \(shown(value))\(words)\(shown(settings))", shown) {
      try subject.encode(value, onto: base, settings)
    }
  }

  func removeFiles(of record: Record, _ settings: RecordSettings) {
    notes.note("remove the files of \(shown(record))", done) {
      subject.removeFiles(of: record, settings)
    }
  }

  func encodeRecords<T: Encodable>(_ value: T, _ settings: RecordSettings) throws -> [Record] {
    try notes.note("encode \(shown(value)) as records\(shown(settings))", shown) {
      try subject.encodeRecords(value, settings)
    }
  }

  func decode<T: Decodable>(
    _ type: T.Type,
    from record: Record,
    _ settings: RecordReadSettings,
    resolving resolve: @escaping (RecordID) -> Record?
  ) throws -> T {
    try notes.note("decode \(type) from \(shown(record))\(shown(settings))", shown(anything:)) {
      try subject.decode(type, from: record, settings, resolving: resolve)
    }
  }

  func decode<T: Decodable & Sendable>(
    _ type: T.Type,
    from record: Record,
    _ settings: RecordReadSettings,
    fetching fetch: @escaping @Sendable (RecordID) async throws -> Record?
  ) throws -> T {
    let call = "decode \(type), fetching, from \(shown(record))\(shown(settings))"
    return try notes.note(call, shown(anything:)) {
      try subject.decode(type, from: record, settings, fetching: fetch)
    }
  }

  func schema<T: Encodable>(of value: T, _ settings: RecordSettings) throws -> RecordSchema {
    try notes.note("schema of \(shown(value))\(shown(settings))", shown) {
      try subject.schema(of: value, settings)
    }
  }

  func changes(of schema: RecordSchema, since earlier: RecordSchema) -> [RecordSchema.Change] {
    notes.note("changes of \(shown(schema)) since \(shown(earlier))", described) {
      subject.changes(of: schema, since: earlier)
    }
  }

  func violations<T: Encodable>(
    of value: T,
    for audience: RecordAudience,
    _ settings: RecordSettings
  ) throws -> [RecordViolation] {
    try notes.note("violations of \(shown(value)) for \(audience)\(shown(settings))", described) {
      try subject.violations(of: value, for: audience, settings)
    }
  }

  func bytes(of record: Record) throws -> Data {
    try notes.note("bytes of \(shown(record))", shown) { try subject.bytes(of: record) }
  }

  func record(of bytes: Data) throws -> Record {
    try notes.note("record of \(shown(bytes))", shown) { try subject.record(of: bytes) }
  }

  func rebase(_ record: Record, onto other: Record) -> Record? {
    notes.note("rebase \(shown(record)) onto \(shown(other))", shown) {
      subject.rebase(record, onto: other)
    }
  }

  func server() -> any RecordServing { NotingServer(subject.server(), notes) }
}

/// A server whose calls are noted.
private final class NotingServer: RecordServing {
  private let server: any RecordServing
  private let notes: CallNotes

  init(_ server: any RecordServing, _ notes: CallNotes) {
    self.server = server
    self.notes = notes
  }

  func modify(_ request: RecordRequest) -> RecordAnswer {
    let deleted = request.deleting.map { "\($0)" }
    let parts = [
      request.saving.isEmpty ? nil : "save \(shown(request.saving))",
      deleted.isEmpty ? nil : "delete \(deleted.joined(separator: ", "))",
      request.policy == .unchanged ? nil : "policy \(request.policy.rawValue)",
      request.isAtomic ? "atomic" : nil,
      request.fault == .none ? nil : request.fault.rawValue,
    ]
    let call = "server: \(parts.compactMap(\.self).joined(separator: ", "))"
    return notes.note(call, shown) { server.modify(request) }
  }

  func fetch(_ id: RecordID) -> Record? {
    notes.note("server: fetch \(id)", shown) { server.fetch(id) }
  }

  func all() -> [Record] { notes.note("server: all", shown) { server.all() } }

  func changes(since mark: Int?) -> RecordNews? {
    let call = "server: changes since \(mark.map { "mark \($0)" } ?? "the beginning")"
    return notes.note(call, shown) { server.changes(since: mark) }
  }

  func expire() { notes.note("server: expire", done) { server.expire() } }

  func renewZone() -> Bool {
    notes.note("server: renew the zone", described) { server.renewZone() }
  }

  func makeZone() { notes.note("server: make the zone", done) { server.makeZone() } }

  func kinds(of recordType: String) -> [String: RecordFieldKind] {
    notes.note("server: kinds of \(recordType)", described) { server.kinds(of: recordType) }
  }

  func refusal(ofFetching id: RecordID) -> RecordRefusal? {
    notes.note("server: why \(id) is not fetched", described) { server.refusal(ofFetching: id) }
  }

  func refusal(ofChangesIn zone: RecordZoneID, since mark: Int?) -> RecordRefusal? {
    let mark = (words: mark.map { "mark \($0)" } ?? "the beginning", number: mark)
    return notes.note(
      "server: why changes of \(zone.zoneName) since \(mark.words) are not told",
      described
    ) {
      server.refusal(ofChangesIn: zone, since: mark.number)
    }
  }
}

// MARK: - Words

private func done(_: Void) -> String { "done" }

private func described(_ answer: some Any) -> String { exactText(answer) }

/// `{"title": "a"}`: what a value gives to an encoder.
private func shown(_ value: some Encodable) -> String {
  (try? TreeRecorder.tree(of: value)).map { "\($0)" } ?? exactText(value)
}

private func shown(anything value: some Any) -> String {
  (value as? any Encodable).map { shown($0) } ?? exactText(value)
}

/// Names the options that are not as they are by themselves: `, storesIdentifier true`.
private func shown(_ settings: RecordSettings) -> String { options(settings, RecordSettings()) }

private func shown(_ settings: RecordReadSettings) -> String {
  options(settings, RecordReadSettings())
}

private func options<Settings>(_ settings: Settings, _ usual: Settings) -> String {
  zip(Mirror(reflecting: settings).children, Mirror(reflecting: usual).children)
    .compactMap { own, other in
      let value = exactText(own.value)
      return value == exactText(other.value) ? nil : ", \(own.label ?? "") \(value)"
    }
    .joined()
}

/// `Note Notes/r0 {title: STRING "a"}, changed: title`; of encrypted fields the keys alone.
private func shown(_ record: Record) -> String {
  let encrypted = record.encryptedFields.keys.sorted().map { "\($0): encrypted" }
  let fields = record.allKeys().compactMap { key in record[key].map { "\(key): \(shown($0))" } }
  let content = (fields + encrypted).joined(separator: ", ")
  let tag = record.systemFields.recordChangeTag.map { ", tag \($0)" } ?? ""
  let changed = record.changedKeys()
  return "\(record.recordType) \(record.recordID) {\(content)}\(tag)"
    + (changed.isEmpty ? "" : ", changed: \(changed.joined(separator: ", "))")
}

private func shown(_ record: Record?) -> String { record.map { shown($0) } ?? "nothing" }

private func shown(_ records: [Record]) -> String {
  records.isEmpty ? "nothing" : records.map { shown($0) }.joined(separator: "; ")
}

private func shown(_ news: RecordNews?) -> String {
  guard let news else { return "the mark has expired" }
  let deleted = news.deleted.map { "\($0)" }
  let parts = [
    "saved \(shown(news.saved))",
    deleted.isEmpty ? nil : "deleted \(deleted.joined(separator: ", "))",
    "mark \(news.mark)",
    news.isPartial ? "more to come" : nil,
  ]
  return parts.compactMap(\.self).joined(separator: ", ")
}

private func shown(_ answer: RecordAnswer) -> String {
  let outcomes = answer.outcomes.map { id, outcome in
    let words =
      switch outcome {
      case .done(let record?): "done \(shown(record))"
      case .done(nil): "done"
      case .changed(let record): "changed \(shown(record))"
      default: "\(outcome)"
      }
    return "\(id): \(words)"
  }
  return outcomes.isEmpty ? "no outcome" : outcomes.sorted().joined(separator: "; ")
}

/// `Note {title: STRING, secret: BYTES encrypted}`.
private func shown(_ schema: RecordSchema) -> String {
  let keys = schema.kinds.sorted { $0.key < $1.key }.map { key, kind in
    "\(key): \(kind)\(schema.encryptedKeys.contains(key) ? " encrypted" : "")"
  }
  return "\(schema.recordType) {\(keys.joined(separator: ", "))}"
}

private func shown(_ bytes: Data) -> String {
  let limit = 24
  let start = hexString(Array(bytes.prefix(limit)))
  return "\(counted(bytes.count, "byte")) \(start)\(bytes.count > limit ? "…" : "")"
}

/// `STRING "a"`, `LIST<INT64> [1, 2]`.
private func shown(_ value: RecordValue) -> String { "\(value.kind) \(content(of: value))" }

/// `"a"`, `[1, 2]`: a value without its kind, as elements are shown, since the list names their kind.
private func content(of value: RecordValue) -> String {
  switch value {
  case .string(let text): quoted(text)
  case .int64(let number): "\(number)"
  case .double(let number): "\(number)"
  case .bytes(let bytes): content(bytes)
  case .timestamp(let date): content(date)
  case .location(let place): "\(place.latitude) \(place.longitude)"
  case .reference(let reference): content(reference)
  case .asset(let asset): asset.fileURL?.absoluteString ?? "without a file"
  case .list(let list): "[\(list.elements.map { content(of: $0) }.joined(separator: ", "))]"
  }
}

/// A text where the bytes are one, as those of JSON are.
private func content(_ bytes: Data) -> String {
  String(data: bytes, encoding: .utf8).map { quoted($0) } ?? shown(bytes)
}

/// All digits: laws ask for parts of a millisecond.
private func content(_ date: Date) -> String { "\(date.timeIntervalSince1970) s after 1970" }

private func content(_ reference: RecordReference) -> String {
  "\(reference.recordID)\(reference.action == .deleteSelf ? ", deleted with it" : "")"
}
