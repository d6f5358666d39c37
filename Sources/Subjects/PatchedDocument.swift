// `Document`'s patches, carried out on a copy of what it showed: the twin of
// `DocumentLaws/PatchedState.swift` for calls whose patches no law sees (merges, applications, sync
// messages), in any text encoding. It compares ids of objects too, and paths, which are followed
// step by step (`follow`).
//
// `Document.checkPatches` at the end is the entrance.

package import AutomergeDocument
import DocumentModel
import MergeEngine

/// What marks lie over.
private protocol Markable {
  var marks: [ExactString: DocumentModel.Scalar] { get set }
}

/// What a document shows, kept by the patches that it gives, and by nothing else.
///
/// Patches lead from one state to another if they turn the first into the second: what this type
/// knows of a text are its units, and of an object what was put into it.
///
/// `nodes` is flat, by object: one that loses its place stays until `forgetUnreachable`.
struct PatchedDocument {
  /// A value in a form whose equality is that of its bits.
  ///
  /// Winners alone: `Document`'s patches tell of no others but by `Conflict`.
  enum Shown: Hashable {
    case scalar(DocumentModel.Scalar)
    case object(ObjId, ObjType)
  }

  /// One element of a list.
  struct Element: Hashable, Markable {
    var shown: Shown
    var marks: [ExactString: DocumentModel.Scalar] = [:]
  }

  /// One unit of a text.
  ///
  /// The bytes make any unit comparable, whatever it is of.
  struct Unit: Hashable, Markable {
    /// Its bytes: of a scalar or cluster in UTF-8, of a UTF-16 unit two.
    let bytes: [UInt8]
    /// The object that stands here, in the first of its units.
    var object: ObjId?
    var marks: [ExactString: DocumentModel.Scalar] = [:]
  }

  enum Node: Hashable {
    case map([ExactString: Shown])
    case list([Element])
    case text([Unit])
  }

  /// The reachable objects of a state: what two of them have to agree on.
  private(set) var nodes: [ObjId: Node] = [:]
  private let encoding: TextEncoding

  /// The state of a document at some heads.
  init(_ document: Document, at heads: Set<AutomergeDocument.ChangeHash>) throws {
    encoding = document.textEncoding
    try read(.ROOT, .Map, of: document, at: heads)
  }

  /// Each object once, from the root: one that stands at two places does not occur.
  private mutating func read(
    _ object: ObjId,
    _ type: ObjType,
    of document: Document,
    at heads: Set<AutomergeDocument.ChangeHash>
  ) throws {
    var inner: [AutomergeDocument.Value] = []
    switch type {
    case .Map:
      var entries: [ExactString: Shown] = [:]
      for (key, value) in try document.mapEntriesAt(obj: object, heads: heads) {
        entries[ExactString(key)] = try Self.shown(value)
        inner.append(value)
      }
      nodes[object] = .map(entries)
    case .List:
      inner = try document.valuesAt(obj: object, heads: heads)
      var elements = try inner.map { Element(shown: try Self.shown($0)) }
      for mark in try document.marksAt(obj: object, heads: heads) {
        try Self.set(mark, in: &elements)
      }
      nodes[object] = .list(elements)
    case .Text:
      inner = try document.valuesAt(obj: object, heads: heads)
      var units = try inner.flatMap { try self.units(of: $0) }
      for mark in try document.marksAt(obj: object, heads: heads) {
        try Self.set(mark, in: &units)
      }
      nodes[object] = .text(units)
    }
    for case .Object(let id, let type) in inner { try read(id, type, of: document, at: heads) }
  }

  private static func shown(_ value: AutomergeDocument.Value) throws -> Shown {
    switch value {
    case .Object(let id, let type): .object(id, type)
    case .Scalar(let scalar): .scalar(EngineReplica.scalar(try scalar.engineScalar()))
    }
  }

  // MARK: - Texts

  /// A value that is no string has the units of U+FFFC: one scalar, three bytes of UTF-8, one unit
  /// of UTF-16.
  ///
  /// The first holds the object.
  private func units(of value: AutomergeDocument.Value) throws -> [Unit] {
    switch value {
    case .Scalar(.String(let text)): return units(of: text)
    case .Scalar: return units(of: "\u{FFFC}")
    case .Object(let id, _):
      var units = units(of: "\u{FFFC}")
      units[0].object = id
      return units
    }
  }

  private func units(of text: String) -> [Unit] {
    switch encoding {
    case .unicodeScalar: text.unicodeScalars.map { Unit(bytes: Array(String($0).utf8)) }
    case .utf8: text.utf8.map { Unit(bytes: [$0]) }
    case .utf16: text.utf16.map { Unit(bytes: [UInt8($0 >> 8), UInt8($0 & 255)]) }
    case .graphemeCluster: text.map { Unit(bytes: Array($0.utf8)) }
    }
  }

  /// A null takes the name away.
  private static func set<Place: Markable>(
    _ mark: AutomergeDocument.Mark,
    in units: inout [Place]
  ) throws {
    try expect(mark.start < mark.end, "a mark covers nothing")
    let value = EngineReplica.scalar(try mark.value.engineScalar())
    for index in try range(mark.start, mark.end - mark.start, units.count) {
      units[index].marks[ExactString(mark.name)] = value == .null ? nil : value.inMarks
    }
  }

  /// The range, if the object has it; throws if a patch reaches beyond.
  private static func range(_ start: UInt64, _ count: UInt64, _ limit: Int) throws -> Range<Int> {
    let end = UInt64(limit)
    try expect(
      start <= end && count <= end - start,
      "a patch acts on \(count) units from \(start) of \(limit)"
    )
    return Int(start)..<Int(start + count)
  }

  // MARK: - Patches

  /// Carries out one patch.
  ///
  /// A put of an element of a text comes as a deletion and a splice: the specification has no put
  /// there.
  ///
  /// Source: Specification/Semantics.md, "Differences between two states".
  mutating func apply(_ patch: Patch) throws {
    let object = Self.object(of: patch.action)
    try follow(patch.path, to: object)
    guard let node = nodes.removeValue(forKey: object) else {
      throw PublicCallFault("a patch names an object that is not there")
    }
    switch (patch.action, node) {
    case (.Put(_, .Key(let key), let value), .map(var entries)):
      try enter(value)
      entries[ExactString(key)] = try Self.shown(value)
      nodes[object] = .map(entries)
    case (.Put(_, .Index(let index), let value), .list(var values)):
      try enter(value)
      for place in try Self.range(index, 1, values.count) {
        values[place].shown = try Self.shown(value)
      }
      nodes[object] = .list(values)
    case (.Insert(_, let index, let inserted), .list(var values)):
      for value in inserted { try enter(value) }
      let range = try Self.range(index, 0, values.count)
      let new = try inserted.map { Element(shown: try Self.shown($0)) }
      values.insert(contentsOf: new, at: range.lowerBound)
      nodes[object] = .list(values)
    case (.Insert(_, let index, let inserted), .text(var units)):
      for value in inserted { try enter(value) }
      let range = try Self.range(index, 0, units.count)
      let new = try inserted.flatMap { try self.units(of: $0) }
      units.insert(contentsOf: new, at: range.lowerBound)
      nodes[object] = .text(units)
    case (.SpliceText(_, let index, let text, let marks), .text(var units)):
      var new = self.units(of: text)
      for (name, value) in marks {
        guard case .scalar(let scalar) = try Self.shown(value), scalar != .null else { continue }
        for place in new.indices { new[place].marks[ExactString(name)] = scalar.inMarks }
      }
      let range = try Self.range(index, 0, units.count)
      units.insert(contentsOf: new, at: range.lowerBound)
      nodes[object] = .text(units)
    case (.Increment(_, let prop, let amount), _):
      nodes[object] = try Self.incremented(node, prop, amount)
    case (.DeleteMap(_, let key), .map(var entries)):
      try expect(entries.removeValue(forKey: ExactString(key)) != nil, "a patch deletes nothing")
      nodes[object] = .map(entries)
    case (.DeleteSeq(let deleted), .list(var values)):
      let range = try Self.range(deleted.index, deleted.length, values.count)
      values.removeSubrange(range)
      nodes[object] = .list(values)
    case (.DeleteSeq(let deleted), .text(var units)):
      let range = try Self.range(deleted.index, deleted.length, units.count)
      units.removeSubrange(range)
      nodes[object] = .text(units)
    case (.Marks(_, let marks), .text(var units)):
      for mark in marks { try Self.set(mark, in: &units) }
      nodes[object] = .text(units)
    case (.Marks(_, let marks), .list(var values)):
      for mark in marks { try Self.set(mark, in: &values) }
      nodes[object] = .list(values)
    case (.Conflict, _):
      nodes[object] = node
    default:
      throw PublicCallFault("a patch does not fit its object: \(patch.action)")
    }
  }

  /// A new object is empty, whatever it held before.
  ///
  /// Put again, an object that is there already is emptied, too: what it holds must follow in
  /// patches.
  private mutating func enter(_ value: AutomergeDocument.Value) throws {
    guard case .Object(let id, let type) = value else { return }
    switch type {
    case .Map: nodes[id] = .map([:])
    case .List: nodes[id] = .list([])
    case .Text: nodes[id] = .text([])
    }
  }

  /// Losers of a conflict are not kept, so that an increment must be of the winner.
  private static func incremented(
    _ node: Node,
    _ prop: AutomergeDocument.Prop,
    _ amount: Int64
  )
    throws -> Node
  {
    switch (node, prop) {
    case (.map(var entries), .Key(let key)):
      if case .scalar(.counter(let value))? = entries[ExactString(key)] {
        entries[ExactString(key)] = .scalar(.counter(value &+ amount))
        return .map(entries)
      }
    case (.list(var values), .Index(let index)) where index < UInt64(values.count):
      if case .scalar(.counter(let value)) = values[Int(index)].shown {
        values[Int(index)].shown = .scalar(.counter(value &+ amount))
        return .list(values)
      }
    // A counter in a text shows as U+FFFC, whatever it counts.
    case (.text, .Index): return node
    default: break
    }
    throw PublicCallFault("a patch adds to what is no counter")
  }

  private static func object(of action: PatchAction) -> ObjId {
    switch action {
    case .Put(let object, _, _), .Insert(let object, _, _), .SpliceText(let object, _, _, _),
      .Increment(let object, _, _), .DeleteMap(let object, _), .Marks(let object, _),
      .Conflict(let object, _):
      object
    case .DeleteSeq(let deleted): deleted.obj
    }
  }

  /// A path leads from the root to the object of its patch.
  ///
  /// Followed in the state that the patches before have made: an index of a path counts as one of
  /// the patch does.
  private func follow(_ path: [PathElement], to object: ObjId) throws {
    var place = ObjId.ROOT
    for step in path {
      try expect(step.obj == place, "a path goes through another object")
      switch (nodes[place], step.prop) {
      case (.map(let entries)?, .Key(let key)):
        guard case .object(let id, _)? = entries[ExactString(key)] else { break }
        place = id
        continue
      case (.list(let values)?, .Index(let index)) where index < UInt64(values.count):
        guard case .object(let id, _) = values[Int(index)].shown else { break }
        place = id
        continue
      case (.text(let units)?, .Index(let index)) where index < UInt64(units.count):
        guard let id = units[Int(index)].object else { break }
        place = id
        continue
      default: break
      }
      throw PublicCallFault("a path names a place without an object")
    }
    try expect(place == object, "a path leads to another object")
  }

  /// A node in words.
  fileprivate static func nodeText(_ node: Node?) -> String {
    switch node {
    case nil: "not there"
    case .map(let entries)?: "a map of \(entries.sorted { $0.key < $1.key })"
    case .list(let values)?:
      "a list of "
        + values.map { "\($0.shown)\($0.marks.sorted { $0.key < $1.key })" }.joined(separator: ", ")
    case .text(let units)?:
      units.map { unit in
        "\(unit.bytes)\(unit.object == nil ? "" : "*")\(unit.marks.sorted { $0.key < $1.key })"
      }.joined(separator: " ")
    }
  }

  /// Forgets the objects that nothing shows any longer.
  ///
  /// Cost: a walk over all that is shown.
  mutating func forgetUnreachable() {
    var kept: [ObjId: Node] = [:]
    var open: [ObjId] = [.ROOT]
    while let id = open.popLast() {
      guard let node = nodes[id], kept[id] == nil else { continue }
      kept[id] = node
      switch node {
      case .map(let entries):
        for case .object(let id, _) in entries.values { open.append(id) }
      case .list(let values):
        for case .object(let id, _) in values.map(\.shown) { open.append(id) }
      case .text(let units): open += units.compactMap(\.object)
      }
    }
    nodes = kept
  }
}

extension Document {
  /// Throws if patches do not lead from the state at some heads to that at others.
  ///
  /// Conflicts are compared only in objects that both states have: a new object's are told by its
  /// own patches.
  package func checkPatches(
    _ patches: [Patch],
    from before: Set<AutomergeDocument.ChangeHash>,
    to after: Set<AutomergeDocument.ChangeHash>,
    _ call: String
  ) throws {
    var state = try PatchedDocument(self, at: before)
    let known = Set(state.nodes.keys)
    for patch in patches { try state.apply(patch) }
    state.forgetUnreachable()
    let due = try PatchedDocument(self, at: after)
    let told = patches.compactMap { patch -> ConflictPlace? in
      if case .Conflict(let object, let prop) = patch.action {
        ConflictPlace(object, prop)
      } else {
        nil
      }
    }
    for object in Set(state.nodes.keys).intersection(due.nodes.keys) where known.contains(object) {
      let wanted = try newConflicts(in: object, from: before, to: after)
      let found = told.filter { $0.object == object }
      try expect(
        found.count == wanted.count && Set(found) == Set(wanted),
        "the patches of \(call) tell \(found.count) conflicts, and \(wanted.count) are new"
      )
    }
    let differing = Set(state.nodes.keys).union(due.nodes.keys)
      .filter { state.nodes[$0] != due.nodes[$0] }
    guard let first = differing.min(by: { $0.debugDescription < $1.debugDescription }) else {
      return
    }
    throw PublicCallFault(
      "the patches of \(call) lead to another state: \(first.debugDescription) is "
        + PatchedDocument.nodeText(state.nodes[first]) + ", not "
        + PatchedDocument.nodeText(due.nodes[first])
    )
  }

  /// Throws if the differences between two states do not lead from each to the other.
  ///
  /// Also from the present without naming it: `difference(since:)`, `difference(to:)`.
  package func checkDifferences(
    between before: Set<AutomergeDocument.ChangeHash>,
    and after: Set<AutomergeDocument.ChangeHash>
  ) throws {
    try checkPatches(difference(from: before, to: after), from: before, to: after, "difference")
    let back = difference(from: after, to: before)
    try checkPatches(back, from: after, to: before, "difference back")
    if after == heads() {
      try checkPatches(difference(since: before), from: before, to: after, "difference(since:)")
      try checkPatches(difference(to: before), from: after, to: before, "difference(to:)")
    }
    try expect(difference(from: after, to: after).isEmpty, "a difference of one state")
  }
}
