import CodingSupport
import ModelGeneration
import PropertyEngine

// What the next or the last version of a type would have written, out of the type's schema.
// `places` finds where, `draw` says what. Used by `drift.by-schema` and `drift.concurrent`, and by
// the walk `ConcurrentDriftWorld`.

/// Drifts that a type's own schema suggests: what its next version could have, or its last had.
///
/// Drifts of a value's tree meet only what is there. The schema knows the keys that are absent, the
/// width of integers, the cases of enumerations and the types that other fields have.
struct DriftsBySchema {
  /// A place, for which the schema says what belongs there.
  struct Place {
    /// From the root; what stands there may be absent, but its parent is present.
    let path: [PathKey]
    /// Nil for a container that is nested by hand.
    let type: SchemaType?
    /// Whether the type takes nothing, or null, for a value.
    let isOptional: Bool
  }

  private let schema: Schema
  /// What a document holds for the value.
  private let tree: Tree

  /// Drifts of a value's tree.
  init(schema: Schema, tree: Tree) {
    self.schema = schema
    self.tree = tree.withTimestamps
  }

  /// Types within types that are looked into: no model of ours nests deeper, but it could.
  ///
  /// A slot may be empty, for what is read by a single-value container: depth then grows where the
  /// tree does not.
  private static let depthLimit = 64

  /// All places of the root's type and of what it holds, present or absent; each once.
  var places: [Place] {
    var found = Finding()
    if let root = schema.types.first { collect(root, in: tree, at: [], depth: 0, into: &found) }
    return found.places
  }

  /// Places so far.
  private struct Finding {
    var places: [Place] = []
    private var seen: Set<[PathKey]> = []

    mutating func add(_ place: Place) {
      if seen.insert(place.path).inserted { places.append(place) }
    }
  }

  /// Goes into what is there: of what is absent it reports the place alone.
  ///
  /// Types that a place may have are gone through one by one; a path that was found before keeps
  /// its first type.
  private func collect(
    _ types: [SchemaType],
    in tree: Tree,
    at path: [PathKey],
    depth: Int,
    into found: inout Finding
  ) {
    guard depth < Self.depthLimit else { return }
    for type in types {
      switch type.form {
      case .optional(let inner):
        collect([inner], in: tree, at: path, depth: depth + 1, into: &found)
      case .list(let inner):
        walk([.element], to: [inner], in: tree, at: path, depth: depth, into: &found)
      // Dictionaries with other keys are lists, or refused.
      case .dictionary(.string, let inner):
        walk([.anyKey], to: [inner], in: tree, at: path, depth: depth, into: &found)
      default:
        guard let shape = schema.shape(of: type) else { continue }
        collect(shape, in: tree, at: path, depth: depth, into: &found)
      }
    }
  }

  /// Goes into the fields of a type.
  private func collect(
    _ shape: Schema.TypeShape,
    in tree: Tree,
    at path: [PathKey],
    depth: Int,
    into found: inout Finding
  ) {
    for field in shape.fields {
      walk(
        field.slot.steps[...],
        to: field.types,
        isOptional: field.isOptional,
        in: tree,
        at: path,
        depth: depth,
        into: &found
      )
    }
  }

  /// Follows a slot, through containers that the type nests by hand.
  ///
  /// The first two elements of a list or dictionary stand for all of them.
  ///
  /// Worked example: the slot `.groups.*[]` over `{"groups": {"a": [1, 2, 3]}}` gives four places.
  ///
  ///     groups        a container nested by hand, without a type
  ///     groups.a      the same
  ///     groups.a[0]   the first of the field's types
  ///     groups.a[1]   the same; element 2 is no place
  private func walk(
    _ slot: ArraySlice<SchemaSlot.Step>,
    to types: [SchemaType],
    isOptional: Bool = false,
    in tree: Tree,
    at path: [PathKey],
    depth: Int,
    into found: inout Finding
  ) {
    guard let first = slot.first else {
      return collect(types, in: tree, at: path, depth: depth + 1, into: &found)
    }
    let rest = slot.dropFirst()
    let steps: [PathKey]
    switch (first, tree) {
    case (.element, .list(let elements)): steps = (0..<min(2, elements.count)).map { .index($0) }
    case (.anyKey, .map(let entries)): steps = entries.prefix(2).map { .key($0.key) }
    case (.key(let key), .map): steps = [.key(key)]
    default: return
    }
    for step in steps {
      let place = path + [step]
      // A container that is nested by hand has no type of its own.
      let type = rest.isEmpty ? types.first : nil
      let takesNull = rest.isEmpty && (isOptional || type?.isOptional ?? false)
      found.add(Place(path: place, type: type, isOptional: takesNull))
      guard let child = tree.child(step) else { continue }
      walk(
        rest,
        to: types,
        isOptional: isOptional,
        in: child,
        at: place,
        depth: depth,
        into: &found
      )
    }
  }

  /// A drift at one of the places, or at the one of a path; `nil` if the schema names none.
  ///
  /// Of eight equally likely numbers one removes, one puts a null, one swaps in another field's
  /// value, one renames, three take a value at the edge of the type, and one any stranger. What
  /// does not apply falls to the stranger.
  func draw(_ choices: inout Choices, at path: [PathKey]? = nil) -> Drift? {
    let all = places
    let places = path.map { path in all.filter { $0.path == path } } ?? all
    guard !places.isEmpty else { return nil }
    let place = choices.element(of: places)
    let present = tree[place.path]
    switch choices.number(in: 0...7) {
    case 0 where present != nil: return Drift(.remove, place.path)
    case 1: return Drift(.put, place.path)
    case 2:
      // The value of another field, whose type this one has now.
      let others = all.compactMap { tree[$0.path] }
      guard !others.isEmpty else { break }
      return Drift(.put, place.path, choices.element(of: others))
    case 3 where present != nil: return Drift(.rename, place.path)
    case 4, 5, 6:
      let own = place.type.map { values(fitting: $0, present) } ?? []
      guard !own.isEmpty else { break }
      return Drift(.put, place.path, choices.element(of: own))
    default: break
    }
    return Drift(.put, place.path, choices.element(of: CodingSample.strangers))
  }

  /// Values at the edge of a type: the ends of its range and one past them, other cases.
  ///
  /// For integers the ends of the range and one past them; for enumerations all raw values or a few
  /// cases, one that does not exist, two at once, and none.
  ///
  /// Worked example: `Int8` gives 127, -128, `uint 127`, `uint 128`, 128, -129, 1.0 and 1.5. The
  /// mutant `one-past-is-last` takes 128 for 127.
  private func values(fitting type: SchemaType, _ present: Tree?) -> [Tree] {
    if case .integer(let width, let isSigned) = type.form {
      let top = isSigned ? Int64.max >> Int64(64 - width) : Int64.max
      let edges: [Tree] =
        isSigned
        ? [.int(top), .int(-top - 1), .uint(UInt64(top)), .uint(UInt64(top) + 1)]
          + (width < 64 ? [.int(top + 1), .int(-top - 2)] : [])
        : [.uint(.max >> UInt64(64 - width)), .int(-1), .int(0)]
          + (width < 64 ? [.uint(1 << UInt64(width)), .int(1 << Int64(width))] : [])
      return edges + [.float(1), .float(1.5)]
    }
    guard let shape = schema.shape(of: type) else { return [] }
    if !shape.rawValues.isEmpty {
      return shape.rawValues.flatMap { raw -> [Tree] in
        raw.integer.map { [.int($0), .uint(UInt64(clamping: $0)), .float(Double($0))] }
          ?? [.string(raw.text), .text(raw.text)]
      } + [.string("of the next version"), .int(12_345)]
    }
    guard !shape.cases.isEmpty else { return [] }
    // Each case gets the payload of the present one; whether it can be decoded from that is for the
    // rules to say.
    let payload = present.flatMap { $0.steps.first.flatMap($0.child) } ?? .map([])
    let unknown = Tree.Entry("of the next version", .map([]))
    let entries = shape.cases.prefix(4).map { Tree.Entry($0, payload) }
    return entries.map { .map(of: [$0]) }
      + entries.map { .map(of: [$0, unknown]) }
      + [.map([unknown]), .map([]), .string(shape.cases[0])]
  }
}

extension SchemaType {
  fileprivate var isOptional: Bool {
    if case .optional = form { true } else { false }
  }
}
