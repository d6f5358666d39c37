import AutomergeDocument
import CodingSupport
import Foundation
import MergeEngine

/// A list of the document as it is before it is written.
///
/// Values and ids are read once, and are those of before: writing does not bring them up to date.
///
/// Cost of making one: the whole list. So a list that is found to be shown already never makes one.
final class StoredList {
  let object: ObjectID
  let values: [MergeEngine.Value]
  private let engine: MergeDocument
  private var elementIDs: [OpID]?

  init(_ object: ObjectID, _ engine: MergeDocument) throws {
    self.object = object
    self.engine = engine
    values = try engine.listValues(object)
  }

  var count: Int { values.count }

  /// Where an element stands; only counters need the element's own id.
  func step(_ index: Int, _ value: StagedValue) throws -> CounterPlace.Step {
    guard case .counter = value else { return .unnamed }
    let ids = try elementIDs ?? engine.elementIDs(object)
    elementIDs = ids
    return .element(ids[index])
  }
}

/// What becomes of each element of a list: the model's elements in the order they will have.
///
///     document    a  b  c  d            model   a  x  c'
///     plan        same(0)  insert  update(2)            b and d are deleted, x is inserted, c made c'
struct ListPlan {
  enum Match {
    /// The element that has the index in the document shows the value already.
    case same(Int)
    /// The element that has the index in the document is made to show the value.
    case update(Int)
    case insert
  }

  var steps: [(value: StagedValue, match: Match)] = []
}

/// Lists: arrays, sets, dictionaries without string keys.
extension DocumentWriter {
  /// Makes what stands at a place show a list.
  ///
  /// Another kind is replaced only if the strategy says so.
  mutating func write(
    _ list: StagedList,
    over current: MergeEngine.Value,
    at place: Place,
    _ path: () -> CodingPath
  ) throws {
    if case .object(let object, .list) = current {
      if try writeAsWhole(.list(list), over: object, at: place, path) { return }
      return try update(object, with: list, path())
    }
    guard strategy == .override else {
      throw mismatch(path(), wanted: "a list", found: current.word)
    }
    try create(.list(list), at: place, path)
  }

  /// Fills a new, empty list.
  mutating func fill(
    _ object: ObjectID,
    with list: StagedList,
    _ path: () -> CodingPath
  ) throws {
    if list.order == .fixed {
      try fill(object, with: list.node, of: list.tree, path)
    } else {
      try insert(sorted(list), into: object, at: 0, path)
    }
  }

  /// Inserts elements one after the other, scalars that follow each other by one splice.
  ///
  ///     1, 2, {"a": 3}, 4 at index 5      splice 1, 2 at 5; make a map at 7; splice 4 at 8
  private mutating func insert(
    _ elements: some Sequence<StagedValue>,
    into object: ObjectID,
    at start: Int,
    _ path: () -> CodingPath
  ) throws {
    var index = start
    var run: [Scalar] = []
    for element in elements {
      if let scalar = element.plainScalar {
        run.append(scalar)
        continue
      }
      if !run.isEmpty {
        try engine.splice(object, at: index, delete: 0, insert: run)
        index += run.count
        run.removeAll(keepingCapacity: true)
      }
      try create(element, at: .insertion(object, index)) { path().appending(.index(index)) }
      index += 1
    }
    if !run.isEmpty { try engine.splice(object, at: index, delete: 0, insert: run) }
  }

  /// Makes a list show what was staged.
  ///
  /// In the order of what it costs: nothing is read of a list that is shown already; otherwise both
  /// ends are left out, and the middle is planned.
  mutating func update(_ object: ObjectID, with list: StagedList, _ path: CodingPath) throws {
    if list.order != .fixed {
      let known = try StoredList(object, engine)
      let plan = try planUnordered(list, known)
      return strategy == .readonly
        ? try overwrite(known, by: plan, path) : try carryOut(plan, on: known, path)
    }
    if strategy == .readonly {
      return try overwrite(StoredList(object, engine), with: list, path)
    }
    let count = try engine.length(object)
    let shown = try shownEnds(object, of: count, list)
    // Most lists are as they were: nothing of them is read then.
    if shown.start == list.count, shown.start == count { return }
    let known = try StoredList(object, engine)
    if list.isRow, isSameRow(list, known) { return try overwrite(known, with: list, path) }
    try carryOut(plan(list, known, between: shown, path), on: known, path)
  }

  /// Whether each element of a row stands where it stood, and can become what it is.
  ///
  /// Looked for by content it might be found in another's place, and two writers who do that leave more elements or
  /// fewer than the row has. Elements with an identity are looked for: they may move.
  private func isSameRow(_ list: StagedList, _ known: StoredList) -> Bool {
    list.count == known.count
      && zip(list, known.values).allSatisfy { value, current in
        if case .map(let map) = value, map.value(of: Self.identityKey) != nil { return false }
        return Self.fits(current, value)
      }
  }

  /// Writes elements over those that are there, and none else.
  ///
  /// Nothing is added or removed: a value beyond the end goes to `write(new:)`, which refuses it,
  /// and elements beyond the model's end stay.
  private mutating func overwrite(
    _ known: StoredList,
    with list: StagedList,
    _ path: CodingPath
  ) throws {
    for (index, value) in list.enumerated() {
      let current = index < known.count ? known.values[index] : nil
      try write(value, over: current, at: .element(known.object, index)) {
        path.appending(.index(index))
      }
    }
  }

  /// Writes what a plan updates, and refuses what it inserts.
  private mutating func overwrite(
    _ known: StoredList,
    by plan: ListPlan,
    _ path: CodingPath
  ) throws {
    for step in plan.steps {
      switch step.match {
      case .same: break
      case .update(let index):
        try write(
          step.value,
          over: known.values[index],
          at: .element(known.object, index)
        ) { path.appending(.index(index)) }
      case .insert:
        try write(new: step.value, at: .insertion(known.object, known.count)) {
          path.appending(.index(known.count))
        }
      }
    }
  }

  /// First all deletions, from the end on so that indexes in front stay right; then the plan from
  /// its start, in which each step's index is the final one.
  ///
  ///     document   a b c d            plan  same(0), insert x, update(2) to c'
  ///     delete 3   a b c
  ///     delete 1   a c
  ///     step 0     a c                stays
  ///     step 1     a x c              inserted at 1
  ///     step 2     a x c'             written over the element that is at 2 now
  ///
  /// The old indexes in the plan serve to look up what stood there; matches ascend, so that what
  /// stays is in the order of the plan already.
  private mutating func carryOut(
    _ plan: ListPlan,
    on known: StoredList,
    _ path: CodingPath
  ) throws {
    var stays = [Bool](repeating: false, count: known.count)
    for step in plan.steps {
      switch step.match {
      case .same(let index), .update(let index): stays[index] = true
      case .insert: break
      }
    }
    var end = known.count
    while end > 0 {
      guard !stays[end - 1] else {
        end -= 1
        continue
      }
      var start = end - 1
      while start > 0, !stays[start - 1] { start -= 1 }
      try engine.splice(known.object, at: start, delete: end - start)
      end = start
    }

    var index = 0
    while index < plan.steps.count {
      let step = plan.steps[index]
      switch step.match {
      case .same: index += 1
      case .update(let old):
        let target = index
        try write(
          step.value,
          over: known.values[old],
          at: .element(known.object, target)
        ) { path.appending(.index(target)) }
        index += 1
      case .insert:
        var end = index + 1
        while end < plan.steps.count, case .insert = plan.steps[end].match { end += 1 }
        let fresh = plan.steps[index..<end].lazy.map(\.value)
        try insert(fresh, into: known.object, at: index) { path }
        index = end
      }
    }
  }

  // MARK: - Sets, and dictionaries as lists

  /// Keeps the document's order of what it has already, and appends what is new.
  ///
  /// Elements are found by fingerprint and then compared; a pair of a dictionary by its key. A value that is an
  /// object is then updated. One that would take its element's place goes with its key, and the new pair comes where
  /// it stood: a writer who deletes the pair meanwhile deletes both elements, and of a value that was put over one of
  /// them there would be no key. Of two writers who change one pair both new ones stay, and a decode takes the last.
  ///
  ///      document     x 1 y 2     A: x 7     delete x 1, insert x 7     merged     x 7 y 2
  ///                               B: no x    delete x 1
  ///
  /// A known element that no staged one claims gets no step, and so is deleted by
  /// ``carryOut(_:on:_:)``; a readonly encode leaves it. Elements with equal fingerprints are taken
  /// from the back of a stack that was filled backwards, and so in the model's order; but of bound texts and counters
  /// that are alike each has an element of its own.
  ///
  ///      document    c  a  a  x          model   {a, b, c}
  ///      steps       same c, same a, kept (the twin of a), insert b;   x is deleted
  mutating func planUnordered(_ list: StagedList, _ known: StoredList) throws -> ListPlan {
    let width = list.order == .anyPairs ? 2 : 1
    let elements = sorted(list)
    var fresh: [Int: [Int]] = [:]
    for start in stride(from: 0, to: elements.count, by: width).reversed() {
      fresh[fingerprint(elements[start]), default: []].append(start)
    }
    var matches: [Int: (place: Int, isTwin: Bool)] = [:]
    var used: Set<Int> = []
    var twins: [Int: Int] = [:]
    let starts = Array(stride(from: 0, through: known.count - width, by: width))
    // Of two pairs with one key a dictionary is decoded with the last.
    for start in width == 2 ? starts.reversed() : starts {
      let current = known.values[start]
      let print = try fingerprint(asWritten(current, among: elements))
      let places = fresh[print] ?? []
      let claimants = places.map { elements[$0] }
      if let found = try claimant(of: current, among: claimants, at: start, of: known) {
        let place = places[found]
        fresh[print]?.remove(at: found)
        used.insert(place)
        twins[print] = place
        matches[start] = (place, false)
      } else if width == 1, let place = twins[print],
        try isTwin(current, of: elements[place], at: start, of: known)
      {
        // Two replicas added the same element: a set does not see the second one.
        matches[start] = (place, true)
      }
    }
    var plan = ListPlan()
    for start in starts {
      guard let (place, isTwin) = matches[start] else { continue }
      if width == 2, !elements[place].isReference,
        try setsPlace(elements[place + 1], over: known.values[start + 1])
      {
        plan.steps += [(elements[place], .insert), (elements[place + 1], .insert)]
        continue
      }
      plan.steps.append((isTwin ? .kept : elements[place], .same(start)))
      if width == 2 { plan.steps.append((elements[place + 1], .update(start + 1))) }
    }
    for start in stride(from: 0, to: elements.count, by: width) where !used.contains(start) {
      for offset in 0..<width { plan.steps.append((elements[start + offset], .insert)) }
    }
    return plan
  }

  /// Which of the elements that look like a stored one stands there: the last one that is bound to it or holds nothing
  /// that could be, otherwise the last one that reads like it.
  private mutating func claimant(
    of current: MergeEngine.Value,
    among values: [StagedValue],
    at index: Int,
    of known: StoredList
  ) throws -> Int? {
    let noted = bindings.count
    var alike: Int?
    for (number, value) in values.enumerated().reversed() {
      guard try shows(current, value, in: known.object, known.step(index, value)) else { continue }
      if bindings.count == noted { return number }
      bindings.removeSubrange(noted...)
      alike = alike ?? number
    }
    guard let alike else { return nil }
    // Once more, for what is to be bound.
    _ = try shows(current, values[alike], in: known.object, known.step(index, values[alike]))
    return alike
  }

  /// Whether an element is one more of what an element of a set shows.
  ///
  /// A text or counter is not: decoded, each is bound to an element of its own, so that a set has both.
  private mutating func isTwin(
    _ current: MergeEngine.Value,
    of value: StagedValue,
    at index: Int,
    of known: StoredList
  ) throws -> Bool {
    let noted = bindings.count
    defer { bindings.removeSubrange(noted...) }
    return try shows(current, value, in: known.object, known.step(index, value))
      && bindings.count == noted
  }

  /// A stored element in the form in which the elements of a set would be written.
  ///
  /// A float of more digits reads as the nearest `Float`, and a URL may be spelled otherwise: such an element
  /// has the fingerprint of another form. All elements of a set are of one type.
  private func asWritten(
    _ current: MergeEngine.Value,
    among elements: ContiguousArray<StagedValue>
  ) -> MergeEngine.Value {
    switch (elements.first, current) {
    case (.float?, .scalar(.double(let number))): .scalar(.double(Double(Float(number))))
    case (.url?, .scalar(.string(let text))):
      .scalar(.string(URL(string: text)?.absoluteString ?? text))
    default: current
    }
  }

  /// Elements that come in a random order, by value where they are scalars.
  ///
  ///     a set of 3, 1, 2                1, 2, 3
  ///     keys and values 2, x, 1, y      1, y, 2, x: pairs by their keys, each with its value
  ///
  /// A set of values that have no order is written as it comes.
  private func sorted(_ list: StagedList) -> ContiguousArray<StagedValue> {
    let width = list.order == .anyPairs ? 2 : 1
    let elements = list.elements
    guard list.order != .fixed, elements.count > width else { return elements }
    var groups: [(key: SortKey, start: Int)] = []
    for start in stride(from: 0, to: elements.count, by: width) {
      guard let key = SortKey(elements[start]) else { return elements }
      groups.append((key, start))
    }
    groups.sort { $0.key < $1.key }
    return ContiguousArray(groups.flatMap { elements[$0.start..<$0.start + width] })
  }
}

/// An order of scalars, so that a set is written in the same order in every run.
///
/// Kinds come one behind the other, as the cases stand; within one, numbers by value and strings as
/// Swift orders them. Booleans and bytes have none: a set of them is written as it comes.
private enum SortKey: Comparable {
  case integer(Int64)
  case large(UInt64)
  case number(Double)
  case text(String)

  init?(_ value: StagedValue) {
    switch value {
    case .scalar, .float, .date, .url, .uuid: break
    default: return nil
    }
    switch value.storedScalar {
    case .int(let number), .timestamp(let number): self = .integer(number)
    case .uint(let number): self = .large(number)
    case .double(let number): self = .number(number)
    case .string(let text): self = .text(text)
    default: return nil
    }
  }
}

extension StagedValue {
  /// The scalar that is written for the value wherever it is new; `nil` for any other value.
  var plainScalar: Scalar? {
    switch self {
    case .scalar(let scalar): scalar
    case .keyedNil: .null
    case .float, .date, .url, .uuid: storedScalar
    case .absent, .text, .counter, .map, .list, .kept: nil
    }
  }
}
