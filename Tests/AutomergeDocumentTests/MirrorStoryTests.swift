import AutomergeDocument
import Foundation
import MergeEngine
import PropertyEngine
import TestSupport
import Testing

/// What a view keeps of a document: changed by patches alone, and never read again.
private struct Mirror: Equatable {
  enum Content: Equatable {
    case map([String: AutomergeDocument.Value])
    case list([AutomergeDocument.Value])
    case text([Unit])
  }

  /// A unit of a text, with the marks over it.
  struct Unit: Equatable {
    var character: UInt32
    var marks: [String: ScalarValue] = [:]
  }

  struct Misfit: Error, CustomStringConvertible {
    let description: String
  }

  private(set) var objects: [ObjId: Content] = [.ROOT: .map([:])]
  let encoding: AutomergeDocument.TextEncoding

  init(_ encoding: AutomergeDocument.TextEncoding) { self.encoding = encoding }

  static func == (left: Mirror, right: Mirror) -> Bool { left.objects == right.objects }

  private func units(_ text: String) -> [UInt32] {
    switch encoding {
    case .utf8: text.utf8.map { UInt32($0) }
    case .utf16: text.utf16.map { UInt32($0) }
    case .unicodeScalar, .graphemeCluster: text.unicodeScalars.map(\.value)
    }
  }

  private static func content(_ type: ObjType) -> Content {
    switch type {
    case .Map: .map([:])
    case .List: .list([])
    case .Text: .text([])
    }
  }

  private mutating func note(_ value: AutomergeDocument.Value) {
    if case .Object(let id, let type) = value { objects[id] = Self.content(type) }
  }

  mutating func apply(_ patch: Patch) throws {
    switch patch.action {
    case .Put(let object, .Key(let key), let value):
      guard case .map(var values)? = objects[object] else { throw misfit(patch) }
      values[key] = value
      objects[object] = .map(values)
      note(value)
    case .Put(let object, .Index(let index), let value):
      guard case .list(var values)? = objects[object], Int(index) < values.count else {
        throw misfit(patch)
      }
      values[Int(index)] = value
      objects[object] = .list(values)
      note(value)
    case .Insert(let object, let index, let new):
      guard case .list(var values)? = objects[object], Int(index) <= values.count else {
        throw misfit(patch)
      }
      values.insert(contentsOf: new, at: Int(index))
      objects[object] = .list(values)
      for value in new { note(value) }
    case .SpliceText(let object, let index, let text, let marks):
      guard case .text(var values)? = objects[object], Int(index) <= values.count else {
        throw misfit(patch)
      }
      let scalars = marks.compactMapValues { value in
        // A name that was taken away here is told as null.
        if case .Scalar(let scalar) = value, scalar != .Null { scalar } else { nil }
      }
      values.insert(
        contentsOf: units(text).map { Unit(character: $0, marks: scalars) },
        at: Int(index)
      )
      objects[object] = .text(values)
    case .Increment(let object, .Key(let key), let amount):
      guard case .map(var values)? = objects[object],
        case .Scalar(.Counter(let count))? = values[key]
      else { throw misfit(patch) }
      values[key] = .Scalar(.Counter(count + amount))
      objects[object] = .map(values)
    case .Increment(let object, .Index(let index), let amount):
      guard case .list(var values)? = objects[object],
        case .Scalar(.Counter(let count)) = values[Int(index)]
      else { throw misfit(patch) }
      values[Int(index)] = .Scalar(.Counter(count + amount))
      objects[object] = .list(values)
    case .DeleteMap(let object, let key):
      guard case .map(var values)? = objects[object], values.removeValue(forKey: key) != nil else {
        throw misfit(patch)
      }
      objects[object] = .map(values)
    case .DeleteSeq(let deletion):
      let range = Int(deletion.index)..<Int(deletion.index + deletion.length)
      switch objects[deletion.obj] {
      case .list(var values)? where range.upperBound <= values.count:
        values.removeSubrange(range)
        objects[deletion.obj] = .list(values)
      case .text(var values)? where range.upperBound <= values.count:
        values.removeSubrange(range)
        objects[deletion.obj] = .text(values)
      default: throw misfit(patch)
      }
    case .Marks(let object, let marks):
      guard case .text(var values)? = objects[object] else { throw misfit(patch) }
      for mark in marks {
        for index in Int(mark.start)..<Int(mark.end) {
          values[index].marks[mark.name] = mark.value == .Null ? nil : mark.value
        }
      }
      objects[object] = .text(values)
    case .Conflict: break
    }
  }

  private func misfit(_ patch: Patch) -> Misfit {
    Misfit(description: "\(patch) does not fit \(objects)")
  }

  /// Without the objects that nothing shows any more.
  var shown: Mirror {
    var result = self
    result.objects = [:]
    var next: [ObjId] = [.ROOT]
    while let object = next.popLast() {
      guard let content = objects[object] else { continue }
      result.objects[object] = content
      let values: [AutomergeDocument.Value] =
        switch content {
        case .map(let values): Array(values.values)
        case .list(let values): values
        case .text: []
        }
      for case .Object(let id, _) in values { next.append(id) }
    }
    return result
  }

  /// What a document shows, read anew.
  init(reading document: Document) throws {
    encoding = document.textEncoding
    objects = [:]
    var next: [(ObjId, ObjType)] = [(.ROOT, .Map)]
    while let (object, type) = next.popLast() {
      switch type {
      case .Map:
        let entries = try document.mapEntries(obj: object)
        objects[object] = .map(Dictionary(uniqueKeysWithValues: entries))
        for case (_, .Object(let id, let type)) in entries { next.append((id, type)) }
      case .List:
        let values = try document.values(obj: object)
        objects[object] = .list(values)
        for case .Object(let id, let type) in values { next.append((id, type)) }
      case .Text:
        var values = units(try document.text(obj: object)).map { Unit(character: $0) }
        for mark in try document.marks(obj: object) {
          for index in Int(mark.start)..<Int(mark.end) {
            values[index].marks[mark.name] = mark.value
          }
        }
        objects[object] = .text(values)
      }
    }
  }
}

/// A call, or what an observer does when it hears of one.
private enum Action: CustomStringConvertible {
  case edit(Int, Int, Int)
  case peerEdits(Int, Int, Int)
  case merge
  case mergeWithPatches
  case apply
  case load
  case commit
  case read
  case observe(Int)
  case leave(Int)

  init(_ choices: inout Choices) {
    switch choices.pick(weights: [10, 8, 3, 2, 2, 1, 1, 1, 2, 1]) {
    case 0:
      self = .edit(
        choices.index(below: 16),
        choices.index(below: 6),
        choices.index(below: 8)
      )
    case 1:
      self = .peerEdits(
        choices.index(below: 16),
        choices.index(below: 6),
        choices.index(below: 8)
      )
    case 2: self = .merge
    case 3: self = .mergeWithPatches
    case 4: self = .apply
    case 5: self = .load
    case 6: self = .commit
    case 7: self = .read
    case 8: self = .observe(choices.index(below: 6))
    default: self = .leave(choices.index(below: 6))
    }
  }

  var description: String {
    switch self {
    case .edit(let kind, let object, let number): "edit \(kind) \(object) \(number)"
    case .peerEdits(let kind, let object, let number): "peer \(kind) \(object) \(number)"
    case .merge: "merge"
    case .mergeWithPatches: "merge with patches"
    case .apply: "apply"
    case .load: "load"
    case .commit: "commit"
    case .read: "read"
    case .observe(let object): "observe \(object)"
    case .leave(let number): "leave \(number)"
    }
  }
}

/// A document, a view that follows its events by patches, and observers who come, go and edit.
private final class Story: @unchecked Sendable {
  private final class Listener: @unchecked Sendable {
    var token: ObservationToken?
    let object: ObjId?
    var open: [UInt64] = []
    var heard: Set<UInt64> = []
    var hasLeft = false

    init(_ object: ObjId?) { self.object = object }
  }

  private let document: Document
  private let peer: Document
  private var listeners: [Listener] = []
  private var tokens: [ObservationToken] = []
  private var answers: [Action]
  private var depth = 0
  /// By the numbers of calls, what each object held just before.
  private var before: [UInt64: [ObjId: String]] = [:]
  private var begun: [UInt64: (operations: Int, changes: Int)] = [:]
  private var mirror: Mirror
  private var heads: Set<AutomergeDocument.ChangeHash> = []
  private var sent: Set<AutomergeDocument.ChangeHash> = []
  /// The objects that calls were told to have changed.
  private var told: [UInt64: DocumentEvent] = [:]
  private(set) var complaint: String?

  init(_ encoding: AutomergeDocument.TextEncoding, answers: [Action]) throws {
    document = Document(textEncoding: encoding)
    document.actor = try #require(ActorId(data: Data([1])))
    let list = try document.putObject(obj: .ROOT, key: "list", ty: .List)
    try document.splice(obj: list, start: 0, delete: 0, values: [.Int(1), .Counter(2)])
    let text = try document.putObject(obj: .ROOT, key: "text", ty: .Text)
    try document.spliceText(obj: text, start: 0, delete: 0, value: "hé😀")
    peer = document.fork()
    peer.actor = try #require(ActorId(data: Data([2])))
    self.answers = answers
    mirror = try Mirror(reading: document)
    heads = document.heads()
    // The first to be told, and the last: what lies between a call's two is the call's alone.
    tokens.append(document.observe { [unowned self] in first($0) })
    listeners.append(Listener(nil))
    listen(listeners[0])
    tokens.append(document.observe { [unowned self] in last($0) })
  }

  private func complain(_ text: @autoclosure () -> String) {
    if complaint == nil { complaint = text() }
  }

  private func attempt(_ body: () throws -> Void) {
    do { try body() } catch { complain("\(error)") }
  }

  // MARK: - Observers

  private func listen(_ listener: Listener) {
    listener.token = document.observe(listener.object) { [unowned self] in hear($0, listener) }
  }

  private func hear(_ event: DocumentEvent, _ listener: Listener) {
    if listener.hasLeft { complain("told after it has left") }
    switch event.phase {
    case .will:
      if !listener.heard.insert(event.mutation).inserted { complain("told twice of a beginning") }
      listener.open.append(event.mutation)
    case .did:
      if listener.open.popLast() != event.mutation { complain("told of an end without beginning") }
    }
    if let object = listener.object, event.phase == .did, event.target != object,
      !event.changed.contains(object)
    {
      complain("told of another object")
    }
    guard listener === listeners[0], depth < 3, !answers.isEmpty else { return }
    depth += 1
    run(answers.removeFirst())
    depth -= 1
  }

  /// The last who is told of a beginning.
  private func last(_ event: DocumentEvent) {
    guard event.phase == .will else { return }
    attempt {
      before[event.mutation] = try contents()
      begun[event.mutation] = document.reading {
        ($0.pendingOpCount, $0.changeHashesWithoutCommit.count)
      }
    }
  }

  /// The first who is told of an end.
  private func first(_ event: DocumentEvent) {
    guard event.phase == .did else { return }
    attempt {
      told[event.mutation] = event
      guard let old = before.removeValue(forKey: event.mutation),
        let start = begun.removeValue(forKey: event.mutation)
      else { return }
      let now = try contents()
      let differing = Set(
        now.keys.filter { old[$0] != now[$0] && !(old[$0] == nil && now[$0]?.isEmpty ?? true) }
      )
      if !differing.isSubset(of: event.changed) {
        complain("told \(event.changed), changed \(differing)")
      }
      if let target = event.target, !event.changed.isSubset(of: [target]) {
        complain("an edit of one object told of others")
      }
      let end = document.reading { ($0.pendingOpCount, $0.changeHashesWithoutCommit.count) }
      if start == end, !event.changed.isEmpty {
        complain("nothing was done, and told \(event.changed)")
      }
      let patches = document.difference(since: heads)
      for patch in patches { try mirror.apply(patch) }
      heads = document.heads()
      let shown = mirror.shown
      if shown != (try Mirror(reading: document)) { complain("the mirror shows \(shown)") }
    }
  }

  /// What each object holds itself, conflicts included.
  private func contents() throws -> [ObjId: String] {
    var result: [ObjId: String] = [:]
    var next: [(ObjId, ObjType)] = [(.ROOT, .Map)]
    while let (object, type) = next.popLast() {
      var values: [AutomergeDocument.Value] = []
      var words: [String] = []
      switch type {
      case .Map:
        for key in document.keys(obj: object) {
          let all = try document.getAll(obj: object, key: key)
          values += all
          words.append("\(key) \(all.map { "\($0)" }.sorted())")
        }
      case .List:
        for index in 0..<document.length(obj: object) {
          let all = try document.getAll(obj: object, index: index)
          values += all
          words.append("\(all.map { "\($0)" }.sorted())")
        }
      case .Text:
        words = ["\(try document.text(obj: object)) \(try document.marks(obj: object))"]
        if try document.text(obj: object).isEmpty { words = [] }
      }
      result[object] = words.joined(separator: ",")
      for case .Object(let id, let type) in values { next.append((id, type)) }
    }
    return result
  }

  // MARK: - Calls

  func run(_ action: Action) {
    attempt {
      switch action {
      case .edit(let kind, let object, let number):
        try? Self.edit(document, kind, object, number)
      case .peerEdits(let kind, let object, let number):
        try? Self.edit(peer, kind, object, number)
      case .merge: try document.merge(other: peer)
      case .mergeWithPatches:
        var copy = try Mirror(reading: document)
        let isQuiet = answers.isEmpty
        let patches = try document.mergeWithPatches(other: peer)
        // An observer that was told of the merge may have edited meanwhile.
        guard isQuiet else { return }
        for patch in patches { try copy.apply(patch) }
        if copy.shown != (try Mirror(reading: document)) {
          complain("patches of a merge lead to \(copy.shown)")
        }
      case .apply:
        let bytes = try peer.encodeChangesSince(heads: sent)
        sent = peer.heads()
        try document.applyEncodedChanges(encoded: bytes)
      case .load: try document.applyEncodedChanges(encoded: peer.save())
      case .commit: document.commitWith(timestamp: Date(timeIntervalSince1970: 1))
      case .read: _ = (document.heads(), document.save())
      case .observe(let number):
        let known = Array(try contents().keys).sorted {
          $0.bytes.lexicographicallyPrecedes($1.bytes)
        }
        let listener = Listener(number == 0 ? nil : known[number % known.count])
        listeners.append(listener)
        listen(listener)
      case .leave(let number):
        guard listeners.count > 1 else { return }
        let listener = listeners.remove(at: 1 + number % (listeners.count - 1))
        listener.hasLeft = true
        listener.token?.cancel()
      }
    }
  }

  private static func edit(
    _ document: Document,
    _ kind: Int,
    _ place: Int,
    _ number: Int
  ) throws {
    var objects: [ObjId] = [.ROOT]
    var next = 0
    while next < objects.count {
      if document.objectType(obj: objects[next]) != .Text {
        for case .Object(let id, _) in try document.values(obj: objects[next]) {
          objects.append(id)
        }
      }
      next += 1
    }
    let object = objects[place % objects.count]
    let length = document.length(obj: object)
    let index = length == 0 ? 0 : UInt64(number) % (length + 1)
    let key = ["a", "b", "list", "text"][number % 4]
    switch document.objectType(obj: object) {
    case .Map:
      switch kind {
      case 0...3: try document.put(obj: object, key: key, value: .Int(Int64(kind + number)))
      case 4, 5: try document.put(obj: object, key: key, value: .Counter(Int64(number)))
      case 6, 7: try document.increment(obj: object, key: key, by: Int64(number) - 3)
      case 8...10:
        _ = try document.putObject(obj: object, key: key, ty: [.Map, .List, .Text][kind - 8])
      case 11, 12: try document.delete(obj: object, key: key)
      default: try document.put(obj: object, key: "c\(number)", value: .String("é"))
      }
    case .List:
      switch kind {
      case 0, 1: try document.insert(obj: object, index: index, value: .Int(Int64(number)))
      case 2: try document.insert(obj: object, index: index, value: .Counter(Int64(number)))
      case 3, 4: try document.put(obj: object, index: index, value: .Int(Int64(kind)))
      case 5: try document.put(obj: object, index: index, value: .Counter(1))
      case 6, 7: try document.increment(obj: object, index: index, by: Int64(number) - 3)
      case 8, 9:
        _ = try document.insertObject(obj: object, index: index, ty: [.Map, .Text][kind - 8])
      case 10: _ = try document.putObject(obj: object, index: index, ty: .List)
      case 11, 12: try document.delete(obj: object, index: index)
      default:
        try document.splice(
          obj: object,
          start: index,
          delete: Int64(number) - 4,
          values: [.Int(1), .Counter(1)]
        )
      }
    case .Text:
      switch kind {
      case 0...4:
        try document.spliceText(
          obj: object,
          start: index,
          delete: Int64(number) - 4,
          value: ["x", "é😀", "日本", ""][number % 4]
        )
      case 5...7: try document.updateText(obj: object, value: String("ab😀é日".prefix(number)))
      case 8...13:
        try document.mark(
          obj: object,
          start: index,
          end: min(length, index + UInt64(number)),
          expand: [.before, .after, .both, .none][number % 4],
          name: ["m", "n"][kind % 2],
          value: [.Int(1), .Int(2), .Null][number % 3]
        )
      default: try document.delete(obj: object, index: index)
      }
    }
  }
}

@Suite("A view that follows events by patches")
struct MirrorStoryTests {
  private struct Sample: CustomStringConvertible {
    var encoding: AutomergeDocument.TextEncoding
    var actions: [Action] = []
    var answers: [Action] = []

    var description: String { "\(encoding): \(actions), answered by \(answers)" }
  }

  private static let law = Law<Sample>(
    "story.mirror",
    "Events and patches tell all that a document becomes.",
    source: .specification(.codable, "Notification"),
    forAll: Generator { choices in
      var sample = Sample(
        encoding: choices.element(of: [.unicodeScalar, .utf16, .utf8, .graphemeCluster])
      )
      choices.repeated(upTo: 20, averaging: 12, "action") { sample.actions.append(Action(&$0)) }
      choices.repeated(upTo: 8, averaging: 3, "answer") { sample.answers.append(Action(&$0)) }
      return sample
    }
  ) { sample in
    let story = try Story(sample.encoding, answers: sample.answers)
    for (number, action) in sample.actions.enumerated() {
      story.run(action)
      guard let complaint = story.complaint else { continue }
      return Difference(kind: "story", summary: "action \(number), \(action): \(complaint)")
    }
    return nil
  }

  @Test("Whatever is called, also by observers, a view kept by patches shows the document")
  func stories() throws {
    let outcome = try checkLaw(Self.law, seed: 1, cases: 60)
    #expect(outcome.failure == nil, "\(outcome)")
  }
}
