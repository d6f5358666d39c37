import CodingLaws
import CodingSupport
import DocumentModel
import ModelGeneration
import NaiveModel

// How a list is written over a list: as the difference, by the rules of Specification/Codable.md,
// "Lists". First whole elements that are the same are matched (`matches`), then what stands between
// two matches is paired (`gap`).

extension NaiveWriter {
  /// One thing that happens to the list, by the numbers of elements in the old and the new list.
  enum Step {
    /// The old element stays, and gets what is new in it.
    case update(old: Int, new: Int)
    case insert(new: Int)
    case delete(old: Int)
    /// Of a set: the twin of an element that has another place.
    case keep
  }

  /// Writes the difference between the elements that are there and the new ones.
  ///
  ///     old  [a, b, c]     new  [b, x, c]     matches  b-b, c-c
  ///     steps: delete a, update b, insert x, update c
  ///
  /// Steps are carried out from the left; `index` is where the next one stands in the list as it is
  /// by then, so a deletion leaves it where it is.
  ///
  /// - Throws: `NaiveCodingError` if `readonly` would have to add an element, or what writing an element throws.
  mutating func write(
    _ elements: [Recorded],
    into object: ObservedObject,
    _ path: CodingPath,
    isSet: Bool
  ) throws {
    guard let id = object.id, case .list(let old) = object.content else {
      throw NaiveCodingError(.other, path)
    }
    if isReadonlyMismatch(elements.count, old.count) {
      throw NaiveCodingError(.missing, path.appending(.index(old.count)))
    }
    var index = 0
    // The mutant `long-lists-cut`.
    let elements = rules.writesLongLists ? elements : Array(elements.prefix(64))
    let plan =
      isSet
      ? setSteps(elements, old, in: id)
      : rowSteps(elements, old, path) ?? pairSteps(elements, old, path)
        ?? steps(elements, old, in: id)
    for step in plan ?? steps(elements, old, in: id) {
      switch step {
      case .keep: index += 1
      case .update(let oldIndex, let new):
        let place = Place(
          object: id,
          slot: .index(index),
          old: old[oldIndex].values.last?.content,
          path: path.appending(.index(new))
        )
        try write(elements[new], at: place)
        index += 1
      case .insert(let new):
        let place = Place(
          object: id,
          slot: .index(index),
          old: nil,
          inserts: true,
          path: path.appending(.index(new))
        )
        try write(elements[new], at: place)
        index += 1
      case .delete:
        if settings.strategy == .readonly, rules.readonlyRemovesNothing {
          index += 1
          continue
        }
        guard rules.removesSurplusElements else { continue }
        _ = try model.apply(.delete(id, .index(index)))
      }
    }
  }

  /// Whether readonly would have to add elements; to have fewer is no mismatch, as surplus ones
  /// stay.
  private func isReadonlyMismatch(_ new: Int, _ old: Int) -> Bool {
    settings.strategy == .readonly && rules.readonlyCreatesNothing && new > old
  }

  /// The steps for a set: what is there stays in its order, and what is new comes behind it.
  ///
  /// An element that two writers added stands twice, and a set does not see the second one: that stays, or a
  /// set that was only read would be written. Of texts and counters that are alike a set has each. A text or counter that is bound to an element is that one,
  /// whatever either holds: on a branch they hold what is known of later.
  ///
  ///     old  [c, a, a, x]     new  {a, b, c}     c, a, the twin of a, delete x, insert b
  ///
  /// - Returns: `nil` where a wrong rule, or readonly, has lists written otherwise.
  private func setSteps(
    _ new: [Recorded],
    _ old: [ObservedRegister],
    in object: ObjectID
  ) -> [Step]? {
    guard rules.matchesElements, rules.comparesLists, rules.comparesListsOfOthers,
      rules.keepsTwinsInSets, settings.strategy != .readonly
    else { return nil }
    var left = Array(new.indices)
    var bound: [Int: Int] = [:]
    for index in old.indices where rules.knowsBoundElements {
      guard
        let place = left.firstIndex(where: { isBound(new[$0], to: old[index], in: object) })
      else { continue }
      bound[index] = left.remove(at: place)
    }
    var steps = old.enumerated().map { index, register -> Step in
      if let new = bound[index] { return .update(old: index, new: new) }
      let tree = Tree(observed: register)
      if let place = left.firstIndex(where: { isSameBelow(new[$0], tree) }) {
        return .update(old: index, new: left.remove(at: place))
      }
      // Two texts or counters that hold the same are two elements of a set: each is bound to one.
      let isTwin = new.contains { element in
        if case .reference = element { return false }
        return isSameBelow(element, tree)
      }
      return isTwin ? .keep : .delete(old: index)
    }
    steps += left.map { .insert(new: $0) }
    return steps
  }

  /// Whether an element is a text or counter that is bound to the one that is there.
  private func isBound(
    _ new: Recorded,
    to old: ObservedRegister,
    in list: ObjectID
  ) -> Bool {
    guard case .reference(let instance, _) = new else { return false }
    if let text = instance as? NaiveText, case .object(let object)? = old.values.last?.content {
      return text.isBound(to: home) && text.object == object.id
    }
    if let counter = instance as? NaiveCounter, case .scalar(.counter)? = old.values.last?.content {
      return counter.isBound(to: home, CounterPlace(list, of: old))
    }
    return false
  }

  /// The steps from the old list to the new one, from the left.
  private func steps(
    _ new: [Recorded],
    _ old: [ObservedRegister],
    in object: ObjectID
  ) -> [Step] {
    let isAnew =
      !rules.comparesListsOfOthers && old.contains { $0.values.last?.id?.actor != model.actor }
    guard rules.comparesLists, !isAnew else {
      return new.indices.map { .insert(new: $0) } + old.indices.map { .delete(old: $0) }
    }
    // Readonly writes in place: it may neither insert nor delete, so that elements keep their
    // indices.
    let canMatch = rules.matchesElements && settings.strategy != .readonly
    let pairs = canMatch ? matches(new, old, in: object) : []
    var steps: [Step] = []
    var position = (new: 0, old: 0)
    // One pair past both ends, so that the last gap is closed as the others are.
    for pair in pairs + [(new: new.count, old: old.count)] {
      gap(position.new..<pair.new, position.old..<pair.old, new: new, old: old, into: &steps)
      if pair.new < new.count { steps.append(.update(old: pair.old, new: pair.new)) }
      position = (pair.new + 1, pair.old + 1)
    }
    return steps
  }

  /// Pairs what stands between two matches by position, as far as an old element can be written over; pairs
  /// maps by what they have alike if one came or went.
  ///
  ///     old  [1, 2]  new  [5]        update 1 -> 5, delete 2
  ///     old  [{..}]  new  [7]        delete, insert: a map never becomes a number
  private func gap(
    _ newRange: Range<Int>,
    _ oldRange: Range<Int>,
    new: [Recorded],
    old: [ObservedRegister],
    into steps: inout [Step]
  ) {
    if rules.matchesElements, newRange.count != oldRange.count,
      newRange.allSatisfy({ new[$0].tree.kind == .map }),
      oldRange.allSatisfy({ Tree(observed: old[$0]).kind == .map })
    {
      return alikeGap(newRange, oldRange, new: new, old: old, into: &steps)
    }
    var oldIndex = oldRange.lowerBound
    for index in newRange {
      guard oldIndex < oldRange.upperBound else {
        steps.append(.insert(new: index))
        continue
      }
      if isCompatible(new[index], old[oldIndex]) {
        steps.append(.update(old: oldIndex, new: index))
      } else {
        steps += [.delete(old: oldIndex), .insert(new: index)]
      }
      oldIndex += 1
    }
    while oldIndex < oldRange.upperBound {
      steps.append(.delete(old: oldIndex))
      oldIndex += 1
    }
  }

  /// Pairs maps so that they have the most fields alike in sum, in order on both sides.
  ///
  /// `most[r][c]` is the greatest sum that the elements from `r` and `c` on can have. At equal sums
  /// an old element goes first, then a new one comes, and only then two are paired. Cost: the
  /// product of the two counts, each with a look at all fields.
  ///
  /// Worked example: old `[{id 1, a, b}, {id 2, c, d}]`, new `[{id 2, c, x}]`: paired with the
  /// second, which has two fields alike, and the first goes. By position the first would get all of
  /// the second's fields.
  private func alikeGap(
    _ newRange: Range<Int>,
    _ oldRange: Range<Int>,
    new: [Recorded],
    old: [ObservedRegister],
    into steps: inout [Step]
  ) {
    func alike(_ index: Int, _ oldIndex: Int) -> Int {
      guard isCompatible(new[index], old[oldIndex]), case .map(let map) = new[index] else {
        return 0
      }
      let tree = Tree(observed: old[oldIndex])
      // One for being pairable at all, so that two maps without a field alike are paired before one
      // goes and one comes.
      return 1
        + map.entries.count { entry in
          tree.child(.key(entry.key)).map { isSameBelow(entry.value, $0) } ?? false
        }
    }
    // For what is left of both from there on, the most that can be alike.
    var most = Array(
      repeating: Array(repeating: 0, count: oldRange.count + 1),
      count: newRange.count + 1
    )
    let (from, oldFrom) = (newRange.lowerBound, oldRange.lowerBound)
    for i in newRange.reversed() {
      for j in oldRange.reversed() {
        let (row, column) = (i - from, j - oldFrom)
        most[row][column] = max(
          most[row + 1][column],
          most[row][column + 1],
          most[row + 1][column + 1] + alike(i, j)
        )
      }
    }
    var (i, j) = (from, oldFrom)
    while i < newRange.upperBound || j < oldRange.upperBound {
      let (row, column) = (i - from, j - oldFrom)
      if j == oldRange.upperBound {
        steps.append(.insert(new: i))
        i += 1
      } else if i == newRange.upperBound || most[row][column] == most[row][column + 1] {
        steps.append(.delete(old: j))
        j += 1
      } else if most[row][column] == most[row + 1][column] {
        steps.append(.insert(new: i))
        i += 1
      } else {
        steps.append(.update(old: j, new: i))
        (i, j) = (i + 1, j + 1)
      }
    }
  }

  /// Whether an element may become another without being replaced.
  ///
  /// Not a text or counter that is bound to this document: it has an element of its own, which was
  /// not matched here.
  func isCompatible(_ new: Recorded, _ old: ObservedRegister) -> Bool {
    // What may stand there is for the element's own rules to say, if the caller wants to be told.
    if settings.strategy == .readonly || settings.cautiousWrite { return true }
    // A string is another version's text, and not one that went: the text's own rules say so.
    if case .reference(_, .text) = new, Tree(observed: old).kind == .string { return true }
    if case .reference(let instance, .text) = new {
      if let text = instance as? NaiveText, text.isBound(to: home) { return false }
    }
    // One that moved is bound to its own element, which another's number must not take.
    if case .reference(let instance, .counter) = new {
      if let counter = instance as? NaiveCounter, counter.isBound(to: home) { return false }
    }
    let oldTree = Tree(observed: old)
    if rules.tellsIdentities, isOther(new, oldTree) { return false }
    let (newKind, oldKind) = (new.tree.kind, oldTree.kind)
    let isObject = !newKind.isScalar || !oldKind.isScalar
    return !isObject || newKind == oldKind
  }

  /// Whether a map has another `id` than one that is there, and less than half of its fields alike.
  ///
  /// Worked example: `{id 1, a, b}` and `{id 7, x, y}`: nothing alike of three, another element.
  /// `{id 7, a, b}` has two of three alike, and is the old one with another id.
  private func isOther(_ new: Recorded, _ old: Tree) -> Bool {
    guard case .map(let map) = new, case .map = old,
      let id = map.entries.first(where: { $0.key == "id" })?.value, id.tree.kind.isScalar,
      let oldID = old.child(.key("id")), !isSame(id, as: oldID)
    else { return false }
    let alike = map.entries.count { entry in
      old.child(.key(entry.key)).map { isSameBelow(entry.value, $0) } ?? false
    }
    return alike * 2 < map.entries.count
  }

  /// A longest common subsequence, by content, and by identity for bound texts; a counter matches its own element by
  /// either.
  ///
  /// Of several it is one that has all of both equal ends, so that an element that changed among equal
  /// ones is written over, and none comes or goes:
  ///
  ///     old  [7, 7, 7]     new  [0, 7, 7]     the last two stay, and 7 becomes 0
  ///
  /// `lengths[i][j]` is the length for what is left from `i` and `j` on. Cost: the product of the
  /// two counts in time and in memory, which the specification may have and a coder may not.
  private func matches(
    _ new: [Recorded],
    _ old: [ObservedRegister],
    in object: ObjectID
  ) -> [(new: Int, old: Int)] {
    let oldTrees = old.map { Tree(observed: $0) }
    func isMatch(_ newIndex: Int, _ oldIndex: Int) -> Bool {
      if case .reference(let instance, .text) = new[newIndex],
        let text = instance as? NaiveText, text.isBound(to: home)
      {
        guard case .object(let object)? = old[oldIndex].values.last?.content else { return false }
        return text.object == object.id
      }
      // On a branch a counter counts what it was given later; its element is the same.
      return isBound(new[newIndex], to: old[oldIndex], in: object)
        || isSameBelow(new[newIndex], oldTrees[oldIndex])
    }
    let shorter = min(new.count, old.count)
    let start = (0..<shorter).prefix { isMatch($0, $0) }.count
    // Counted from the back; the range has at least one place, which the condition then refuses.
    let end = (1...max(shorter - start, 1)).prefix { place in
      place <= shorter - start && isMatch(new.count - place, old.count - place)
    }.count
    let (newEnd, oldEnd) = (new.count - end, old.count - end)
    var lengths = Array(
      repeating: Array(repeating: 0, count: oldEnd + 1),
      count: newEnd + 1
    )
    for i in (start..<newEnd).reversed() {
      for j in (start..<oldEnd).reversed() {
        lengths[i][j] =
          isMatch(i, j) ? lengths[i + 1][j + 1] + 1 : max(lengths[i + 1][j], lengths[i][j + 1])
      }
    }
    var pairs = (0..<start).map { (new: $0, old: $0) }
    var (i, j) = (start, start)
    while i < newEnd, j < oldEnd {
      if isMatch(i, j) {
        pairs.append((i, j))
        (i, j) = (i + 1, j + 1)
      } else if lengths[i + 1][j] >= lengths[i][j + 1] {
        // At equal lengths the new element is passed over first, and so comes before the old one
        // goes.
        i += 1
      } else {
        j += 1
      }
    }
    return pairs + (0..<end).map { (new: newEnd + $0, old: oldEnd + $0) }
  }

  /// Whether an element stands there already, timestamps by what they are truncated to.
  ///
  /// Keys that its type never named tell it from no other.
  func isSameBelow(_ new: Recorded, _ old: Tree) -> Bool {
    switch (new, old) {
    case (.set(let left), .list(let right)):
      return left.allSatisfy { element in right.contains { isSameBelow(element, $0) } }
        && right.allSatisfy { element in left.contains { isSameBelow($0, element) } }
    case (.list(let left), .list(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { isSameBelow($0, $1) }
    case (.map(let left), .map(let right)):
      let isSpared = settings.unknownKeys == .preserve && left.owner == .type
      let named = Set((left.entries.map(\.key) + left.absentKeys).map { ExactString($0) })
      let known = isSpared ? right.filter { named.contains(ExactString($0.key)) } : right
      return known.count == left.entries.count
        && left.entries.allSatisfy { entry in
          Tree.map(known).child(.key(entry.key)).map { isSameBelow(entry.value, $0) } ?? false
        }
    default: return isSame(new, as: old)
    }
  }
}
