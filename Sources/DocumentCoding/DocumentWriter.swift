import AutomergeDocument
import CodingSupport
import Foundation
import MergeEngine

/// Makes a document show a staged value, by as few operations as there are differences.
///
/// Everything is compared before it is written: a place that reads as the model already is left
/// alone, whatever kind of number or which fraction of a second stands there. A writer that throws
/// has written a part: its caller takes that back.
struct DocumentWriter {
  /// The document that texts and counters are bound to.
  ///
  /// The engine may be that of a fork of it.
  let home: Document
  let engine: MergeDocument
  let strategy: SchemaStrategy
  let isCautious: Bool
  let unknownKeys: UnknownKeys
  let dateTruncation: DateTruncation
  let log: DocumentLog
  /// All keys that the model names anywhere; `nil` if unknown keys are deleted.
  let namedKeys: Set<ExactKey>?
  /// What bound texts and counters held before the first write; filled as texts are overwritten.
  var held: HeldValues
  /// Texts and counters to bind when all has been written.
  var bindings: [PendingBinding] = []

  /// Where a value goes.
  ///
  ///     {"a": 1, "l": [7, 8]}     key(root, "a")     element(l, 1): the 8     insertion(l, 2): behind it
  enum Place {
    case key(ObjectID, String)
    case element(ObjectID, Int)
    /// Before the element that now has the index.
    case insertion(ObjectID, Int)

    var holder: ObjectID {
      switch self {
      case .key(let holder, _), .element(let holder, _), .insertion(let holder, _): holder
      }
    }
  }

  /// Writes a value where `current` stands, or nothing does.
  ///
  /// The questions go from the strictest to the loosest: nothing there, null, an instruction
  /// without a value, a container, and last a scalar, which is compared before it is put.
  ///
  ///     stands there      is to stand there     readonly           createWhenNeeded   override
  ///     nothing           anything but nil      SchemaMissing      made               made
  ///     null              map, list or text     SchemaMissing      made               made
  ///     another kind      map, list or text     MismatchedSchema   MismatchedSchema   replaced
  ///     an object         a scalar, a counter   MismatchedSchema   replaced           replaced
  ///     a scalar          a scalar, a counter   put                put                put
  ///     a text            a string              the text is edited, by every strategy
  ///     a value of a key  nil (`.absent`)       stays              deleted            deleted
  ///
  /// Null stays where `nil` is to stand. Cautious writing refuses a scalar or counter over anything
  /// of another kind but null, before any of these.
  mutating func write(
    _ value: StagedValue,
    over current: MergeEngine.Value?,
    at place: Place,
    _ path: () -> CodingPath
  ) throws {
    guard let current else { return try write(new: value, at: place, path) }
    // Null is nothing, where an object is to stand.
    if current.isNull, value.containerWord != nil { return try write(new: value, at: place, path) }
    switch value {
    case .absent:
      if case .key(let holder, let key) = place, strategy != .readonly, !current.isNull {
        try engine.delete(holder, .key(key))
      }
    case .kept: break
    case .keyedNil:
      if !current.isNull { try put(.null, over: current, at: place, path) }
    case .text(let text): try write(text, over: current, at: place, path)
    case .counter(let counter): try write(counter, over: current, at: place, path)
    case .map(let map): try write(map, over: current, at: place, path)
    case .list(let list): try write(list, over: current, at: place, path)
    case .scalar, .float, .date, .url, .uuid:
      try check(value, against: current, path)
      noteString(over: current)
      if reads(current, as: value) { return }
      let scalar = value.storedScalar
      if case .object(let object, .text) = current, case .string(let text) = scalar {
        // It stays a text, so that what others type meanwhile is kept.
        held.keep(object, of: engine)
        return try engine.updateText(object, text)
      }
      try put(scalar, over: current, at: place, path)
    }
  }

  /// Puts a scalar over what stands there; a readonly encode replaces no object.
  private func put(
    _ scalar: Scalar,
    over current: MergeEngine.Value,
    at place: Place,
    _ path: () -> CodingPath
  ) throws {
    if case .object(_, let kind) = current, strategy == .readonly {
      throw mismatch(path(), wanted: "a scalar", found: kind.word)
    }
    log.trace("setting \(path())")
    switch place {
    case .key(let holder, let key): try engine.put(holder, .key(key), scalar)
    case .element(let holder, let index): try engine.put(holder, .index(index), scalar)
    case .insertion(let holder, let index): try engine.insert(holder, at: index, scalar)
    }
  }

  /// Writes a value where nothing stands.
  mutating func write(
    new value: StagedValue,
    at place: Place,
    _ path: () -> CodingPath
  ) throws {
    if case .absent = value { return }
    if strategy == .readonly {
      throw CodingKeyLookupError.SchemaMissing(
        "Nothing exists at \(path().keys.dotted) and schema is read-only"
      )
    }
    try create(value, at: place, path)
  }

  /// Makes a new value; nothing of it need be compared.
  ///
  /// Called for new places and, by `.override`, over what is replaced: putting an object over a
  /// value hides all that stood there.
  ///
  /// Unlike a write over something, this makes operations without reading what is there.
  mutating func create(
    _ value: StagedValue,
    at place: Place,
    _ path: () -> CodingPath
  ) throws {
    switch value {
    case .absent, .kept: break
    case .map(let map):
      let object = try engine.make(.map, at: place)
      log.debug("made a map at \(path())")
      try fill(object, with: map, path)
    case .list(let list):
      let object = try engine.make(.list, at: place)
      log.debug("made a list at \(path())")
      try fill(object, with: list, path)
    case .text(let text):
      let object = try engine.make(.text, at: place)
      log.debug("made a text at \(path())")
      let content = held.content(of: text, in: home)
      if !content.isEmpty { try engine.spliceText(object, at: 0, delete: 0, insert: content) }
      bindings.append(.text(text, object))
    case .counter(let counter):
      try set(.counter(held.count(of: counter, in: home)), at: place)
      note(counter, at: place)
    default:
      try set(value.storedScalar, at: place)
    }
  }

  /// Sets a place without comparing: a new one, or one whose value is to be replaced.
  @inline(__always)
  func set(_ scalar: Scalar, at place: Place) throws {
    switch place {
    case .key(let holder, let key): try engine.put(holder, .key(key), scalar)
    case .element(let holder, let index): try engine.put(holder, .index(index), scalar)
    case .insertion(let holder, let index): try engine.insert(holder, at: index, scalar)
    }
  }

  // MARK: - Refusals

  /// The document's shape is another; told with both.
  func mismatch(_ path: CodingPath, wanted: String, found: String) -> CodingKeyLookupError {
    .MismatchedSchema("The model wants \(wanted) at \(path.keys.dotted), the document has \(found)")
  }

  /// Refuses a scalar of another kind than the one that stands there, if writing is cautious.
  ///
  /// A stored null fits every kind. Numbers of different kinds do not fit each other:
  ///
  ///     stored               int 3     uint 3     double 3.0     "3"         null
  ///     the model's Int 4    put       refused    refused        refused     put
  func check(
    _ value: StagedValue,
    against current: MergeEngine.Value,
    _ path: () -> CodingPath
  ) throws {
    guard isCautious, !current.isNull else { return }
    let scalar = value.storedScalar
    guard scalar.word != current.word else { return }
    let path = path()
    throw EncodingError.invalidValue(
      value.callersValue,
      EncodingError.Context(
        codingPath: path.codingKeys,
        debugDescription: "The type in the automerge document (\(current.word)) doesn't match "
          + "the type being written (\(scalar.word)), at \(path)"
      )
    )
  }

  /// Refuses a counter over anything else, if writing is cautious.
  func check(
    _ counter: Counter,
    against current: MergeEngine.Value,
    _ path: () -> CodingPath
  ) throws {
    guard isCautious, !current.isNull else { return }
    let path = path()
    throw EncodingError.invalidValue(
      counter,
      EncodingError.Context(
        codingPath: path.codingKeys,
        debugDescription: "The type in the automerge document (\(current.word)) doesn't match "
          + "the type being written (counter), at \(path)"
      )
    )
  }
}

/// A text or counter, and what it is to be bound to.
///
/// Held until the transaction is sure, since what is bound cannot be unbound without the caller
/// seeing it.
enum PendingBinding {
  case text(AutomergeText, ObjectID)
  /// A string took the place of a text to which an instance of the model is bound: that one has moved.
  case string(ObjectID)
  case counter(Counter, CounterPlace)
  /// The element that has the index when all is written.
  case elementCounter(Counter, ObjectID, Int)
}

/// Texts and counters in the order in which they were written, each with the place that it has now.
struct BindingPlaces {
  var texts: [(AutomergeText, ObjectID)] = []
  /// Texts where strings of the model stand.
  var strings: Set<ObjectID> = []
  var counters: [(Counter, CounterPlace)] = []
}

extension StagedValue {
  /// What a place holds that shows the value; null for what is no scalar.
  var storedScalar: Scalar {
    switch self {
    case .scalar(let scalar): scalar
    case .float(let value): .double(Double(value))
    case .date(_, let milliseconds): .timestamp(milliseconds)
    case .url(let text): .string(text)
    case .uuid(let uuid): .string(uuid.uuidString)
    default: .null
    }
  }
}
