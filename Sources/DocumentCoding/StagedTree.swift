import CodingSupport
import Foundation
import MergeEngine

/// What a model asks to be written, before anything is.
///
/// Staging runs the model's code, and can fail; writing compares with the document, and runs no
/// code but ours. The draft holds the tree; here is what the draft does not understand.
///
///     Note(title: "a", due: date, likes: counter)
///
///     draft    map [ title: "a" | due: timestamp, note 1 | likes: foreign, note 2 ]
///     notes    0: keyed nil   1: the date with its fraction   2: the counter itself
///
/// The notes say what else counts as equal, and what is to be bound.
final class StagedTree {
  let draft = Draft()
  /// The way from the root of the document to the root of the tree.
  private let start: CodingPath
  /// Values that are more than a scalar, by the notes of their nodes.
  private var notes: ContiguousArray<StagedValue> = [.keyedNil]

  init(at start: CodingPath) {
    self.start = start
  }

  /// A value of a type that has a rule of its own, as the draft has it.
  func content(of value: StagedValue) -> Draft.Content {
    switch value {
    case .float(let number):
      return Draft.Content(.double, Double(number).bitPattern, note: note(value))
    case .date(_, let milliseconds):
      return Draft.Content(.timestamp, UInt64(bitPattern: milliseconds), note: note(value))
    case .url(let text): return draft.content(text, note: note(value))
    case .uuid(let uuid): return draft.content(uuid.uuidString, note: note(value))
    case .text, .counter: return Draft.Content(.foreign, note: note(value))
    case .scalar(.bytes(let bytes)): return draft.content(bytes)
    case .absent, .keyedNil, .scalar, .map, .list, .kept:
      preconditionFailure("\(value) has no rule of its own")
    }
  }

  /// Notes are kept for values that a draft's node cannot hold; the node has the number.
  private func note(_ value: StagedValue) -> Draft.Note {
    notes.append(value)
    return Draft.Note(notes.count - 1)
  }

  /// The texts and counters of the tree, each as often as it stands there.
  var references: [StagedValue] {
    notes.filter {
      switch $0 {
      case .text, .counter: true
      default: false
      }
    }
  }

  /// What stands at a node.
  ///
  /// Most nodes are plain scalars and are looked at first.
  @inline(__always)
  func value(_ node: Draft.Node) -> StagedValue {
    if let scalar = draft.plainScalar(node) { return .scalar(scalar) }
    if let note = draft.note(node) { return notes[note.index] }
    switch draft.kind(node) {
    case .map, .open: return .map(StagedMap(self, node))
    case .list: return .list(StagedList(self, node))
    default: return .absent
    }
  }

  /// The way from the root of the document to a node.
  ///
  ///     an encode at .notes; the root of its tree is a list, and the node the key "body" in its element 2
  ///     start .notes, then [2], then body      .notes.[2].body
  ///
  /// Cost: the depth; asked for when something fails, and by models.
  func path(to node: Draft.Node) -> CodingPath {
    var steps: [PathKey] = []
    var node = node
    while let parent = draft.parent(node) {
      if draft.kind(parent) == .list {
        steps.append(.index(draft.index(node)))
      } else if !draft.marks(node).contains(.pathless) {
        steps.append(.key(draft.key(node)))
      }
      node = parent
    }
    return steps.reversed().reduce(start) { $0.appending($1) }
  }

  /// The path of a value that is yet to be put somewhere.
  func path(to place: StagingPlace) -> CodingPath {
    switch place {
    case .key(let key, let map): path(to: map).appending(.key(key))
    case .behind(let list): path(to: list).appending(.index(draft.count(list)))
    case .node(let node): path(to: node)
    }
  }
}

/// Where a value goes.
enum StagingPlace {
  case key(String, in: Draft.Node)
  /// Behind the last element of a list.
  case behind(Draft.Node)
  /// A place that is there already.
  case node(Draft.Node)
}

extension Draft.Content {
  static var absent: Self { Self(.absent) }
  static var null: Self { Self(.null) }
  /// Nil from `encodeNil(forKey:)`: the first of the notes.
  static var keyedNil: Self { Self(.null, note: Draft.Note(0)) }
  static func bool(_ value: Bool) -> Self { Self(.bool, value ? 1 : 0) }
  static func int(_ value: Int64) -> Self { Self(.int, UInt64(bitPattern: value)) }
  static func uint(_ value: UInt64) -> Self { Self(.uint, value) }
}

// The lowest bit is the engine's (`unordered`), which compares lists by it; these it only keeps.
extension Draft.Marks {
  /// Of a list: keys and values alternate.
  static let pairs = Self(rawValue: 2)
  /// Of a map: a dictionary.
  static let dictionary = Self(rawValue: 4)
  /// Of a map: an enum, or what its case nests.
  static let enumeration = Self(rawValue: 8)
  /// Of a list: what its elements are is known by their places.
  static let row = Self(rawValue: 8)
  /// Asked for by `nestedContainer`, so that the map is part of the value around it.
  static let nested = Self(rawValue: 16)
  /// Of a superclass under a key: the coding path stays, as in automerge-swift.
  static let pathless = Self(rawValue: 32)
  /// Passed on by a value through a single-value container: its own type says nothing of it.
  static let passedOn = Self(rawValue: 64)
  /// Written anew where a part of it differs.
  static let whole = Self(rawValue: 128)
  /// Of a map: an enum has passed on a value of another type, with the case nowhere but in its keys.
  static let handedOn = Self(rawValue: 256)
  /// Of a map: its keys are of a type that may name any, as a struct may.
  static let openKeys = Self(rawValue: 512)
}
