package import MergeEngine

/// One step on the way from what a document showed to what it shows.
///
/// Patches are carried out in order: indexes and paths speak of the state after the patches before.
/// A view can apply patches instead of reading the document again.
public struct Patch: Hashable, Sendable {
  public let action: PatchAction
  private let way: Way

  /// The path as it was given, or as the engine has it, whose patches share their paths.
  private enum Way: Sendable {
    case given([PathElement])
    case shared(PatchPath)
  }

  /// From the root to the object that the action names.
  ///
  /// Cost: its length, each time that it is asked for.
  public var path: [PathElement] {
    switch way {
    case .given(let path): path
    case .shared(let path):
      path.steps.map { PathElement(obj: ObjId($0.object, $0.kind), prop: Prop($0.prop)) }
    }
  }

  public init(action: PatchAction, path: [PathElement]) {
    self.action = action
    way = .given(path)
  }

  private init(_ patch: DocumentPatch, _ marks: inout TypedMarks) {
    action = PatchAction(patch.action, in: ObjId(patch.object, patch.kind), &marks)
    way = .shared(patch.path)
  }

  /// The engine's patches, which share marks over typed text where those do.
  package static func all(_ patches: [DocumentPatch]) -> [Patch] {
    var marks = TypedMarks()
    return patches.map { Patch($0, &marks) }
  }
}

/// Marks over typed text, made once for all patches that have them from one place.
///
/// A peer can type any number of pieces under any number of marks.
struct TypedMarks {
  private var last: (engine: [String: Scalar], made: [String: Value]) = ([:], [:])

  fileprivate mutating func values(_ marks: [String: Scalar]) -> [String: Value] {
    if Self.place(of: marks) != Self.place(of: last.engine) {
      last = (marks, marks.mapValues { .Scalar(ScalarValue($0)) })
    }
    return last.made
  }

  /// Where in memory a dictionary stands: alike for two says that they are the same, while both are alive.
  ///
  /// Equal ones may differ, in names that are canonically equivalent.
  private static func place(of marks: [String: Scalar]) -> UInt {
    unsafe unsafeBitCast(marks, to: UInt.self)
  }
}

extension Patch {
  public static func == (left: Patch, right: Patch) -> Bool {
    left.action == right.action && left.path == right.path
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(action)
    hasher.combine(path)
  }
}

/// What a patch does.
///
///     "cat" to "chat"             SpliceText(obj: the text, index: 1, value: "h", marks: [:])
///     a counter from 3 to 5       Increment(the map, .Key("n"), 2)
///     {"a": 1} to {}              DeleteMap(the map, "a")
///     [1, 2, 3] to [1, 3]         DeleteSeq(obj: the list, index: 1, length: 1)
// swift-format-ignore: AlwaysUseLowerCamelCase
public enum PatchAction: Hashable, Sendable {
  /// Sets a key or an element; an object comes empty, and what it holds follows.
  case Put(ObjId, Prop, Value)
  /// Inserts elements of a list, or an object into a text.
  case Insert(obj: ObjId, index: UInt64, values: [Value])
  /// Types text, under marks by name.
  case SpliceText(obj: ObjId, index: UInt64, value: String, marks: [String: Value])
  /// Adds to a counter.
  case Increment(ObjId, Prop, Int64)
  case DeleteMap(ObjId, String)
  case DeleteSeq(AutomergeDocument.DeleteSeq)
  /// Marks that changed over text that stays; `Null` takes a name away.
  case Marks(ObjId, [Mark])
  /// The value that stays is in conflict with another from now on.
  case Conflict(ObjId, Prop)

  fileprivate init(
    _ action: DocumentPatch.Action,
    in object: ObjId,
    _ typed: inout TypedMarks
  ) {
    switch action {
    case .put(let prop, let value, _): self = .Put(object, Prop(prop), Value(value))
    case .insert(let index, let values):
      self = .Insert(obj: object, index: UInt64(clamping: index), values: values.map { Value($0) })
    case .spliceText(let index, let text, let marks):
      self = .SpliceText(
        obj: object,
        index: UInt64(clamping: index),
        value: text,
        marks: typed.values(marks)
      )
    case .increment(let prop, let amount): self = .Increment(object, Prop(prop), amount)
    case .conflict(let prop): self = .Conflict(object, Prop(prop))
    case .deleteKey(let key): self = .DeleteMap(object, key)
    case .deleteElements(let index, let count):
      self = .DeleteSeq(
        AutomergeDocument.DeleteSeq(
          obj: object,
          index: UInt64(clamping: index),
          length: UInt64(clamping: count)
        )
      )
    case .marks(let marks): self = .Marks(object, marks.map { Mark($0) })
    }
  }
}

/// A stretch of a list or text that is deleted.
public struct DeleteSeq: Hashable, Sendable {
  public let obj: ObjId
  public let index: UInt64
  public let length: UInt64

  public init(obj: ObjId, index: UInt64, length: UInt64) {
    self.obj = obj
    self.index = index
    self.length = length
  }
}
