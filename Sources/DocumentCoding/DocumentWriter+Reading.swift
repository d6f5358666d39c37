import AutomergeDocument
import Foundation
import MergeEngine

/// Whether the document shows a staged value already.
///
/// Reads nothing but what is compared, and writes nothing. Texts and counters that it finds equal
/// are noted to be bound: a comparison that fails drops its notes.
extension DocumentWriter {
  /// Whether a stored value is what the staged one would be decoded from, and come to again.
  ///
  ///     the model has    and these stored values are left as they are
  ///     Int 7            int 7, uint 7, double 7.0
  ///     Float 0.1        every double that rounds to it
  ///     Date             a timestamp of what it is cut to, or one that is cut to the same
  ///     URL              a string of its bytes, or one that Foundation spells like it
  ///     UUID             its string, in upper or lower case
  ///     String           a string of its bytes
  ///
  /// Where a string is, a text that reads like it may be.
  ///
  /// The asymmetry is wanted: a value that another language stored in another form, and that
  /// decodes to the very same model value, is not rewritten into our form. Otherwise two apps would
  /// write over each other's form for ever without a change of meaning. For cautious writers the
  /// form counts as well.
  func reads(_ current: MergeEngine.Value, as value: StagedValue) -> Bool {
    if isCautious, !current.isNull, current.word != value.storedScalar.word { return false }
    let stored: Scalar
    switch current {
    case .scalar(let scalar): stored = scalar
    case .object(let object, .text):
      guard let text = try? engine.text(object) else { return false }
      stored = .string(text)
    case .object: return false
    }
    switch value {
    case .scalar(let scalar): return scalar.isEqualNumber(stored)
    case .float(let float):
      switch stored {
      case .double(let number): return Float(number) == float
      case .int(let number): return Float(exactly: number) == float
      case .uint(let number): return Float(exactly: number) == float
      default: return false
      }
    case .date(let date, let milliseconds):
      guard case .timestamp(let known) = stored else { return false }
      return known == milliseconds || dateTruncation.truncated(known) == milliseconds
        || Date(millisecondsSince1970: known) == date
    case .url(let text):
      guard case .string(let known) = stored else { return false }
      return known.utf8.elementsEqual(text.utf8)
        || URL(string: known)?.absoluteString.utf8.elementsEqual(text.utf8) ?? false
    case .uuid(let uuid):
      guard case .string(let known) = stored else { return false }
      return UUID(uuidString: known) == uuid
    case .absent, .keyedNil: return stored == .null
    case .text, .counter, .map, .list, .kept: return false
    }
  }

  /// Whether all of a staged value stands in the document, down to the last element.
  ///
  /// Cost: what is equal up to the first difference; of lists in any order all fingerprints.
  ///
  /// The value stands at `step` of `holder`.
  mutating func shows(
    _ current: MergeEngine.Value,
    _ value: StagedValue,
    in holder: ObjectID,
    _ step: CounterPlace.Step
  ) throws -> Bool {
    let noted = bindings.count
    let result = try compare(current, value, in: holder, step)
    if !result { bindings.removeSubrange(noted...) }
    return result
  }

  /// A text or counter that is bound here is equal if it is bound to this very place, whatever it
  /// holds; others if they hold the same.
  ///
  ///     the model's text                      equal
  ///     bound to this text                    yes: what it holds is what stands here
  ///     bound to another text of `home`       no, even if both read alike: it has moved
  ///     unbound, or of another document       if the bytes are equal; it is then noted to be bound
  private mutating func compare(
    _ current: MergeEngine.Value,
    _ value: StagedValue,
    in holder: ObjectID,
    _ step: CounterPlace.Step
  ) throws -> Bool {
    switch value {
    case .map(let map):
      guard case .object(let object, let kind) = current, kind == .map || kind == .table else {
        return false
      }
      return try shows(object, map)
    case .list(let list):
      guard case .object(let object, .list) = current else { return false }
      return try shows(object, list)
    case .text(let text):
      guard case .object(let object, .text) = current else { return false }
      if let known = text.object(in: home) { return known == object }
      let content = held.content(of: text, in: home)
      guard try engine.text(object).utf8.elementsEqual(content.utf8) else { return false }
      bindings.append(.text(text, object))
      return true
    case .counter(let counter):
      guard case .scalar(.counter(let known)) = current else { return false }
      let place = CounterPlace(holder: holder, step: step)
      if let bound = counter.place(in: home), bound.holder == holder { return bound == place }
      guard held.count(of: counter, in: home) == known else { return false }
      bindings.append(.counter(counter, place))
      return true
    case .kept: return false
    default:
      guard reads(current, as: value) else { return false }
      noteString(over: current)
      return true
    }
  }

  private mutating func shows(_ object: ObjectID, _ map: StagedMap) throws -> Bool {
    var walk = try engine.comparison(of: map.node, in: map.tree.draft, with: object)
    return try finish(&walk, map.tree)
  }

  private mutating func shows(_ object: ObjectID, _ list: StagedList) throws -> Bool {
    if list.order == .fixed {
      var walk = try engine.comparison(of: list.node, in: list.tree.draft, with: object)
      return try finish(&walk, list.tree)
    }
    guard try engine.length(object) == list.count else { return false }
    let known = try StoredList(object, engine)
    let plan = try planUnordered(list, known)
    for step in plan.steps {
      switch step.match {
      case .same: break
      case .insert: return false
      case .update(let index):
        guard
          try shows(
            known.values[index],
            step.value,
            in: object,
            known.step(index, step.value)
          )
        else { return false }
      }
    }
    return true
  }

  /// The engine walks on its own, and asks where only the coder knows what is equal.
  ///
  /// Each answer costs a call into the coder; plain maps, lists and scalars of one kind are
  /// compared within the engine without one.
  private mutating func finish(_ walk: inout DraftComparison, _ tree: StagedTree) throws -> Bool {
    while true {
      switch engine.resume(&walk) {
      case .equal: return true
      case .different: return false
      case .question(let question):
        guard try answer(question, tree) else { return false }
      }
    }
  }

  /// How many elements at the start of a list of `count`, and at its end, are as they are to be.
  ///
  /// Of lists that became longer or shorter the start alone is looked at.
  ///
  ///     model       a b c d e f        one walk from the start; the first difference ends `start`,
  ///     document    a b X d e f        each later one begins `end` again: start 2, end 3
  mutating func shownEnds(
    _ object: ObjectID,
    of count: Int,
    _ list: StagedList
  ) throws -> (start: Int, end: Int) {
    var walk = try engine.prefixComparison(of: list.node, in: list.tree.draft, with: object)
    var (start, behindLast) = (list.count, 0)
    // Why notes need undoing: a counter found equal in element 3 is noted before element 3 turns
    // out to differ in another field. If that element is then matched with another, the note would
    // bind the counter to the wrong place.
    // Notes of elements that differ, and of those between them, are dropped.
    var noted = (begun: 0, bindings: bindings.count)
    while true {
      var isEqual = false
      switch engine.resume(&walk) {
      case .equal:
        return behindLast == 0
          ? (walk.begun, 0) : (start, walk.begun - behindLast)
      case .different: break
      case .question(let question):
        if walk.begun != noted.begun, behindLast == 0 { noted = (walk.begun, bindings.count) }
        isEqual = try answer(question, list.tree)
      }
      if isEqual { continue }
      if behindLast == 0 {
        start = walk.begun - 1
        if walk.begun != noted.begun { noted.bindings = bindings.count }
      }
      bindings.removeSubrange(noted.bindings...)
      if count != list.count { return (start, 0) }
      behindLast = walk.begun
      walk.skip()
    }
  }

  /// A yes lets the walk go on behind what was asked for; a no ends it, or skips the element.
  private mutating func answer(
    _ question: DraftComparison.Question,
    _ tree: StagedTree
  ) throws -> Bool {
    switch question {
    case .surplus(let node): keepsUnknownKeys(StagedMap(tree, node))
    case .value(let node, let current, let holder, let element):
      try compare(
        current,
        tree.value(node),
        in: holder,
        element.map { .element($0) } ?? .key(tree.draft.key(node))
      )
    }
  }
}

extension Scalar {
  /// Equal, or numbers of different kinds and one value.
  ///
  /// Strings are equal if their bytes are.
  ///
  /// Exact in each direction: 2^53 + 1 as an integer is not equal to the double 2^53, though it
  /// would round to it. NaN is equal to nothing, and never staged.
  @inline(__always)
  func isEqualNumber(_ stored: Scalar) -> Bool {
    switch (self, stored) {
    case (.string(let left), .string(let right)):
      return left == right && left.utf8.elementsEqual(right.utf8)
    case (.int(let left), .int(let right)): return left == right
    case (.int(let left), .uint(let right)): return UInt64(exactly: left) == right
    case (.int(let left), .double(let right)): return Int64(exactly: right) == left
    case (.uint(let left), .uint(let right)): return left == right
    case (.uint(let left), .int(let right)): return Int64(exactly: left) == right
    case (.uint(let left), .double(let right)): return UInt64(exactly: right) == left
    case (.double(let left), .double(let right)): return left == right
    case (.double(let left), .int(let right)): return Double(exactly: right) == left
    case (.double(let left), .uint(let right)): return Double(exactly: right) == left
    case (.null, .null): return true
    case (.bool(let left), .bool(let right)): return left == right
    case (.bytes(let left), .bytes(let right)): return left == right
    default: return false
    }
  }
}
