/// Writes the patches of one object, joining neighbours.
///
/// - a deletion where the last one was, to that;
/// - an insertion at the end of the last one, to that; typed text likewise, under equal marks;
/// - marks that changed, all to one patch at the end, equal ones that touch to one stretch.
///
/// Source: Specification/Semantics.md, "Joining patches".
///
///      calls       keep 2, type "a", type "b", delete 1, delete 2
///      patches     spliceText(2, "ab")  deleteElements(4, 3)          index is 4
struct PatchWriter {
  let object: ObjectID
  let kind: ObjectKind
  /// Where its path ends.
  let path: Int
  /// Units of the sequence as far as it is written: a place in the state that the patches have
  /// made.
  ///
  /// What is kept or inserted moves it on, a deletion does not.
  private(set) var index = 0
  private var actions: [DocumentPatch.Action] = []
  private var changedMarks: [Mark] = []
  /// The last changed stretch of each name, by its place in `changedMarks`.
  private var lastMark: [KeyHandle: Int] = [:]
  /// What was noted of the stretch at hand, by question: it is written when another stretch is noted.
  private var noted = [Noted?](repeating: nil, count: NotedMarks.Question.allCases.count)
  private var notedStretch = -1
  /// Marks that were looked at to write them.
  private(set) var markCount = 0

  /// The answer to a question, and the units for which it was given, from the first to the last.
  private struct Noted {
    let changes: [MarkChange]
    var range: Range<Int>
  }

  /// Whether units are what readers see as characters, which may join where texts do.
  private let countsClusters: Bool

  init(object: ObjectID, kind: ObjectKind, path: Int, unit: TextUnit) {
    countsClusters = unit == .grapheme
    self.object = object
    self.kind = kind
    self.path = path
  }

  /// Appends a patch that joins nothing.
  mutating func add(_ action: DocumentPatch.Action) { actions.append(action) }

  private var last: DocumentPatch.Action? { actions.last }

  private mutating func replaceLast(_ action: DocumentPatch.Action) {
    actions[actions.count - 1] = action
  }

  /// Passes units that stay, over which the values of some names changed.
  mutating func keep(_ width: Int, _ marks: NotedMarks) {
    note(marks, over: width)
    index += width
  }

  /// Notes the values of some names over units from the present index on.
  ///
  /// While no mark begins or ends, all that is passed has the same marks in the second state. So an answer holds of
  /// whatever lies between two places where it was given, too:
  ///
  ///     a kept, x typed, b kept, under a new bold      bold over a...b, once
  ///
  /// Cost: constant within a stretch, and for each stretch the names: a peer can put any number of marks
  /// over any number of elements.
  private mutating func note(_ marks: NotedMarks, over width: Int) {
    if width == 0 || marks.changes.isEmpty { return }
    if marks.stretch != notedStretch {
      writeNoted()
      notedStretch = marks.stretch
    }
    let question = marks.question.rawValue
    if let start = noted[question]?.range.lowerBound {
      noted[question]?.range = start..<index + width
    } else {
      noted[question] = Noted(changes: marks.changes, range: index..<index + width)
    }
  }

  /// Enters what was noted of the last stretch into the changed marks, what begins first in front.
  private mutating func writeNoted() {
    let answers = noted.compactMap(\.self).sorted { $0.range.lowerBound < $1.range.lowerBound }
    for answer in answers {
      markCount += answer.changes.count
      for change in answer.changes { enter(change, over: answer.range) }
    }
    for question in noted.indices { noted[question] = nil }
  }

  /// Enters a changed mark, as one with that of the same name in front of it, if it touches that.
  private mutating func enter(_ change: MarkChange, over range: Range<Int>) {
    if let place = lastMark[change.name],
      changedMarks[place].range.upperBound >= range.lowerBound,
      changedMarks[place].value.isEqual(to: change.value)
    {
      let last = changedMarks[place].range
      let end = max(last.upperBound, range.upperBound)
      changedMarks[place] = mark(change, last.lowerBound..<end)
    } else {
      lastMark[change.name] = changedMarks.count
      changedMarks.append(mark(change, range))
    }
  }

  private func mark(_ change: MarkChange, _ range: Range<Int>) -> Mark {
    Mark(range: range, name: change.text, value: change.value)
  }

  /// Deletes units at the present index, which stays.
  ///
  /// Neighbours join as their indexes are equal: what is deleted at an index brings the next unit
  /// there.
  mutating func delete(_ width: Int) {
    if width == 0 { return }
    if case .deleteElements(index, let count) = last {
      replaceLast(.deleteElements(index: index, count: count + width))
    } else {
      add(.deleteElements(index: index, count: width))
    }
  }

  /// Inserts one element; the marks over it are written with those that changed.
  mutating func insert(_ value: Value, width: Int, _ marks: NotedMarks) {
    note(marks, over: width)
    defer { index += width }
    if width == 1, case .insert(let start, var values) = last, start + values.count == index {
      // The array is taken out of the patch, so that it grows in place.
      replaceLast(.insert(index: start, []))
      values.append(value)
      replaceLast(.insert(index: start, values))
    } else {
      add(.insert(index: index, [value]))
    }
  }

  /// Types text; text without units is no patch.
  mutating func type(_ text: String, width: Int, _ marks: TypedMarks) {
    if width == 0 { return }
    note(marks.others, over: width)
    defer {
      index += width
      (typedEnd, typedStretch) = (index, marks.stretch)
      if countsClusters { lastCluster = text.last }
    }
    if typedEnd == index, case .spliceText(let start, var known, let other) = last,
      marks.stretch == typedStretch || Self.areSame(other, marks.named),
      !countsClusters || staysApart(text)
    {
      replaceLast(.spliceText(index: start, "", marks: other))
      known += text
      replaceLast(.spliceText(index: start, known, marks: other))
    } else {
      add(.spliceText(index: index, text, marks: marks.named))
    }
  }

  /// Whether names and values are the same to the byte.
  private static func areSame(_ left: [String: Scalar], _ right: [String: Scalar]) -> Bool {
    if left.isEmpty && right.isEmpty { return true }
    return left.count == right.count
      && left.allSatisfy { name, value in
        guard let place = right.index(forKey: name) else { return false }
        let (key, other) = right[place]
        return key.utf8.elementsEqual(name.utf8) && value.isSame(as: other)
      }
  }

  /// Whether text that is appended to what was typed last begins a character of its own.
  ///
  ///     "e", then U+0301      one character together: a patch of its own
  ///     "e", then "f"         two: one patch
  ///
  /// The last character alone decides: what follows it moves no boundary before it.
  private func staysApart(_ text: String) -> Bool {
    guard let lastCluster else { return true }
    return (String(lastCluster) + text).count == 1 + text.count
  }

  /// Where the text typed last ended.
  private var typedEnd = -1
  /// The stretch that it is in.
  private var typedStretch = -1
  /// What readers see as the last character typed, where units are such characters.
  private var lastCluster: Character?

  /// What the patches do, that of marks last: its ranges are of the final state.
  mutating func finish() -> [DocumentPatch.Action] {
    writeNoted()
    if !changedMarks.isEmpty { add(.marks(changedMarks)) }
    return actions
  }
}
