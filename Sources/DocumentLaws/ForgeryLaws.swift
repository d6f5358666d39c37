// Forgeries: files with right checksums and hashes, and with one thing that is wrong. Read
// `Forgery/Kind` for what may be wrong, then `Parts` for how it is made wrong. The law is at the
// end.
//
// Every file holds one list of `count` elements at the key "l" of the root, as a change or as a
// document:
//
//     row          id       object   key           insert   action      value
//     0            1@07     root     "l"           false    2 (list)    -
//     1 ... count  2@07...  1@07     the head      true     1 (set)     an int of one byte, a short string, a number
//
// or, where a value is what may be wrong, each element behind the one before, as a list that was typed: a reader may
// take such rows in one step.
//
// Where the key or the strings may be no UTF-8, their sound twins are other texts at its borders; where a number may
// not be what its type asks for, they are numbers at the borders of their types.
//
// or, for what is wrong with changes of one operation, an int at the key "l" of the root, or there a counter with an
// increment; or the list, and a change by another actor with one operation on its last element. What is wrong with a
// list of changes stands in `ForgedHistories.swift`, what is wrong with one operation, or one row, in
// `ForgedOperations.swift`, and what rows may not name in `ForgedRows.swift`.

import DocumentModel
package import PropertyEngine

/// A file that is well formed in all but one thing, its hashes included; or its good twin.
///
/// Random damage hardly ever makes a file whose hashes agree. Here the forger computes them, so
/// that only a reader who checks the one thing refuses it. The good twin is made by the same code:
/// a reader that refuses everything fails, too.
///
/// Worked example, `runsTooShort`: the actions of the elements, all 1, are written one by one where
/// the format has one run. Read, they are the same; written again, the change has other bytes, and
/// so another hash.
package struct Forgery: Sendable, CustomStringConvertible {
  /// What is wrong.
  package enum Kind: String, Sendable, CaseIterable {
    /// Taken in, such a key cannot be named by a caller, or traps where it becomes a string.
    case keyOfBrokenText = "a key that is not UTF-8"
    /// Taken in, two replicas show one list in two orders.
    case siblingsOutOfOrder = "elements at one place in the wrong order"
    /// Taken in, the change gets another hash when it is written again, and what depends on it
    /// waits for ever.
    case runsTooShort = "a column that is not in its only form"
    /// Taken in, the change with the number left out can never be taken in.
    case numberSkipped = "an actor's second change without its first"
    /// Taken in, one stranger has stopped all writing in the document for good.
    case numbersUsedUp = "a change near the last number of all operations"
    /// The same in a run of strings, which a fast path may take in one step.
    case valueOfBrokenText = "a string among others that is not UTF-8"
    /// Taken in, a value reads beyond the column.
    case valuesTooShort = "values that end within the last one"
    /// Taken in, a read of the value traps or gives another one, and written again it has other bytes.
    case valueOfWrongForm = "a value whose bytes do not fit its type"
    /// Taken in, the counter has no sum.
    case incrementByNoInt = "an increment by what is no int"
    /// Taken in, the row belongs to the root or to no object.
    case objectOfHalfID = "an object's id without its actor"
    /// As a column not in its only form, in a change of one operation, for which a reader may have a way of
    /// its own.
    case numberTooLong = "a number of one operation with a byte too many"
    /// The same: written again, the change does not list the actor.
    case actorWithoutUse = "an actor that the one operation does not name"
    /// Taken in, the saved document has rows in an order that no load takes.
    case elementLaterThanOp = "an operation on an element with a later id"
    /// Taken in, an element hides another one that was not deleted.
    case insertionOverAnother = "an insertion that names a predecessor"
    /// Taken in as the positive number of the same seven bits, the operation is on another element than it says.
    case negativeNumber = "an operation on an element with a negative number"
    /// Taken in, the change has a number that no peer takes.
    case emptyBehindLastNumber = "an empty change behind the last number of all operations"
    /// Taken in, no peer takes the change, and what depends on it waits for ever.
    case dependencyTwice = "a change that depends on another twice"
    /// Taken in, the difference of two times leaves 64 bits.
    case timeTooLarge = "a time beyond 2^62"
    /// Taken in, a column has a number that stands for none.
    case columnsTooMany = "more columns than there are numbers for"
    /// As a number with a byte too many: read as far as it goes, it is another one.
    case numberWithoutEnd = "a number of one operation that does not end"
    /// Taken in, the operation is at another place than its writer's.
    case keyOfTwoParts = "an operation at a key and at an element"
    /// As a column not in its only form, or as a trap.
    case flagTooMany = "an insertion with a flag too many"
    /// As a column not in its only form.
    case lengthWithoutBytes = "a value of no bytes with a length"
    /// Taken in, the items of the member belong to no row.
    case memberUnknown = "a group of columns with a member that it has not"
    /// Taken in, the columns of keys and of other things are read askew.
    case keyAmongElements = "a key in the row of an element"
    /// Taken in, a value stands where no element is.
    case valueOfNoElement = "a second value for an element that is not there"
    /// Read, there are no bytes to read.
    case columnWithoutBytes = "a change with a column of no bytes"
    /// Taken in without it, the change has other bytes when it is written again.
    case predecessorUncounted = "a predecessor's number that no operation counts"
    /// Taken in, the text, its marks and its patches contradict one another.
    case valueOfMark = "a value in the place of a mark"
    /// Taken in, no peer takes the changes one by one.
    case changesOutOfOrder = "an operation in front of what it names"

    /// How often it is drawn: more often where one kind has many forms.
    fileprivate var weight: Int {
      switch self {
      case .valueOfWrongForm: 6
      case .elementLaterThanOp, .valuesTooShort, .valueOfMark: 2
      case .changesOutOfOrder: 3
      default: 1
      }
    }
  }

  package let kind: Kind
  /// Half of the samples are good twins: without them a reader that refuses everything would hold.
  package let isForged: Bool
  /// Elements in the list, or the int that stands in its place.
  ///
  /// 2 to 41.
  package let count: Int
  package let bytes: [UInt8]
  /// More files, each to be judged by itself; they have no others.
  ///
  /// One alone takes less time than the rest of a case: a run of a minute would not come to most kinds in most forms.
  package var others: [Forgery] = []

  /// This one, then the others.
  package var files: [Forgery] { [self] + others }

  package var description: String {
    "\(isForged ? kind.rawValue : "nothing wrong"), \(count) elements, \(bytes.count) bytes"
      + (others.isEmpty ? "" : ", and \(others.count) more")
  }

  package static let samples = Generator<Forgery> { choices in
    var sample = drawn(&choices)
    choices.repeated(upTo: 24, averaging: 8, "file") { choices in
      sample.others.append(drawn(&choices))
    }
    return sample
  }

  private static func drawn(_ choices: inout Choices) -> Forgery {
    let kind = Kind.allCases[choices.pick(weights: Kind.allCases.map(\.weight))]
    let isForged = choices.index(below: 2) == 1
    // At most 41 elements: ints up to 40 take one byte of signed LEB128, which ends at 63.
    let count = 2 + choices.index(below: 40)
    if kind == .numberTooLong || kind == .actorWithoutUse || kind == .numberWithoutEnd {
      // The last one is there alone where it does not end.
      let columns = SingleOp.numberColumns
      let column = choices.index(below: columns.count - (kind == .numberWithoutEnd ? 0 : 1))
      let fault = isForged ? kind : nil
      // The numbers of a map are all 0.
      let op =
        choices.flag()
        ? SingleOp(action: 0, meta: 0, value: [], fault: fault, column: column)
        : SingleOp(meta: 0x14, value: [UInt8(count)], fault: fault, column: column)
      return Forgery(kind: kind, isForged: isForged, count: count, bytes: op.change)
    }
    if kind == .valueOfWrongForm {
      let typed = TypedValue.all[choices.index(below: TypedValue.all.count)]
      // Documents with typed elements are read in runs, in which one wrong value may pass.
      let form = choices.pick(weights: [1, 1, 1, 1, 4])
      let bytes = typed.bytes(isForged: isForged, count: count, form)
      return Forgery(kind: kind, isForged: isForged, count: count, bytes: bytes)
    }
    if kind == .incrementByNoInt {
      let value = choices.index(below: Increment.others.count)
      let increment = Increment(by: isForged ? Increment.others[value] : (4, [UInt8(count)]))
      let bytes = increment.forms[choices.index(below: increment.forms.count)]
      return Forgery(kind: kind, isForged: isForged, count: count, bytes: bytes)
    }
    if kind == .elementLaterThanOp || kind == .insertionOverAnother || kind == .negativeNumber {
      let call = Follower.calls[choices.index(below: Follower.calls.count)]
      let follower = Follower(
        kind: kind,
        // Numbers of seven bits with the highest set: the sign of a number of one byte.
        count: kind == .negativeNumber ? count + 62 : count,
        isForged: isForged,
        call: kind == .insertionOverAnother ? .insert : call
      )
      return Forgery(kind: kind, isForged: isForged, count: count, bytes: follower.changes)
    }
    let whole: [UInt8]? =
      switch kind {
      case .emptyBehindLastNumber: emptyChange(isForged: isForged, count: count)
      case .dependencyTwice: dependency(isForged: isForged, value: UInt8(count))
      case .timeTooLarge: time(isForged: isForged, count: count)
      case .columnsTooMany: columns(isForged: isForged)
      case .keyOfTwoParts: keyOfTwoParts(isForged: isForged, value: UInt8(count))
      case .flagTooMany: flagTooMany(isForged: isForged, count: count)
      case .lengthWithoutBytes:
        lengthWithoutBytes(isForged: isForged, count: count, makesObject: choices.flag())
      case .memberUnknown: memberUnknown(isForged: isForged, value: UInt8(count))
      case .keyAmongElements: keyAmongElements(isForged: isForged, count: count)
      case .valueOfNoElement: valueOfNoElement(isForged: isForged, value: UInt8(count))
      case .columnWithoutBytes: columnWithoutBytes(isForged: isForged, count: count)
      case .predecessorUncounted: predecessorUncounted(isForged: isForged, value: UInt8(count))
      case .valueOfMark:
        valueOfMark(isForged: isForged, overwrites: choices.flag(), isDocument: choices.flag())
      case .changesOutOfOrder:
        changesOutOfOrder(isForged: isForged, naming: choices.element(of: Named.allCases))
      default: nil
      }
    if let whole { return Forgery(kind: kind, isForged: isForged, count: count, bytes: whole) }
    let isOfStrings = kind == .valueOfBrokenText || kind == .valuesTooShort
    var parts = Parts(count: count, fault: isForged ? kind : nil, isOfStrings: isOfStrings)
    let isDocument =
      switch kind {
      case .keyOfBrokenText, .valueOfBrokenText, .valuesTooShort, .objectOfHalfID:
        choices.index(below: 2) == 1
      // A change has no order but that of its writing.
      case .siblingsOutOfOrder: true
      case .runsTooShort, .numberSkipped, .numbersUsedUp, .numberTooLong, .actorWithoutUse,
        .valueOfWrongForm, .incrementByNoInt, .elementLaterThanOp, .insertionOverAnother,
        .negativeNumber, .emptyBehindLastNumber, .dependencyTwice, .timeTooLarge, .columnsTooMany,
        .numberWithoutEnd, .keyOfTwoParts, .flagTooMany, .lengthWithoutBytes, .memberUnknown,
        .keyAmongElements, .valueOfNoElement, .columnWithoutBytes, .predecessorUncounted,
        .valueOfMark, .changesOutOfOrder:
        false
      }
    if isOfStrings { parts.isForward = choices.index(below: 2) == 1 }
    if isOfStrings || kind == .keyOfBrokenText {
      parts.textShift = choices.index(below: Parts.texts.count)
      // A reader may take bytes without a look at each value.
      if kind == .valuesTooShort { parts.isOfBytes = choices.flag() }
      parts.brokenShift = choices.index(below: count)
    }
    let bytes = isDocument ? parts.document : parts.change
    return Forgery(kind: kind, isForged: isForged, count: count, bytes: bytes)
  }

  /// A good document with `count` nulls in a list, in about a hundred bytes.
  ///
  /// Of the bomb `bomb.many-chunks`.
  static func list(ofNulls count: Int) -> [UInt8] {
    Parts(count: count, fault: nil, isOfNulls: true).document
  }

  /// The same with each null behind the one before, as in a list that was typed: all columns go on alike.
  ///
  /// Of the files of `bomb.long-list`.
  static func typedList(ofNulls count: Int) -> [UInt8] {
    Parts(count: count, fault: nil, isOfNulls: true, isForward: true).document
  }

  /// A value of a type that says which bytes it may have: sound ones, and others.
  private struct TypedValue {
    /// By Specification/Format.md, "Value columns".
    let type: UInt64
    let sound: [UInt8]
    /// As many bytes as the sound one has, where that can be: then one element of a run is wrong.
    let broken: [UInt8]

    /// For each type no byte at all, and for numbers in LEB128 one that is cut off, one with a byte too many, two
    /// in one value, and those just beyond the greatest and the least.
    static let all: [TypedValue] = {
      let ones = [UInt8](repeating: 0xff, count: 9)
      let zeros = [UInt8](repeating: 0x80, count: 9)
      let one: [UInt8] = [0, 0, 0, 0, 0, 0, 0xf0, 0x3f]
      let signed: [(sound: [UInt8], broken: [UInt8])] = [
        ([5], []), ([0xc0, 0], [0x85, 0x80]), ([0xc0, 0], [0x85, 0]),
        ([0xbf, 0x7f], [0xff, 0x7f]), ([0xc0, 0], [5, 5]), (ones + [0], ones + [1]),
        (zeros + [0x7f], zeros + [0x7e]),
      ]
      let unsigned: [(sound: [UInt8], broken: [UInt8])] = [
        ([5], []), ([0x85, 1], [0x85, 0x80]), ([0x85, 1], [0x85, 0]), ([0x85, 1], [5, 5]),
        (ones + [1], ones + [2]),
      ]
      let doubles = [(one, []), (one, Array(one.dropFirst())), (one, one + [0])]
      // Uint, int, double, counter, timestamp.
      return [(3, unsigned), (4, signed), (5, doubles), (8, signed), (9, signed)].flatMap {
        type,
        forms in
        forms.map { TypedValue(type: type, sound: $0.0, broken: $0.1) }
      }
    }()

    /// In the only operation of a change (form 0), or in a list that comes as a change (1) or as a document (2); in
    /// one that was typed as well (3, 4).
    func bytes(isForged: Bool, count: Int, _ form: Int) -> [UInt8] {
      let fault: Kind? = isForged ? .valueOfWrongForm : nil
      guard form > 0 else {
        let value = isForged ? broken : sound
        return SingleOp(meta: meta(of: value), value: value, fault: fault, column: 0).change
      }
      let parts = Parts(count: count, fault: fault, typed: self, isForward: form > 2)
      return form % 2 == 1 ? parts.change : parts.document
    }

    func meta(of bytes: [UInt8]) -> UInt64 { UInt64(bytes.count) << 4 | type }

    /// The values of a list's elements, with that in the middle broken, or all, where their length is what is wrong.
    func values(_ count: Int, isForged: Bool) -> [[UInt8]] {
      (0..<count).map { place in
        isForged && (sound.count != broken.count || place == count / 2) ? broken : sound
      }
    }
  }

  /// A list that the actor 7 has made, and a change of the actor 8, who knows it, of one operation on its last element.
  ///
  ///     1@7                     the list
  ///     2@7 ... (count + 1)@7   its elements
  ///     (count + 2)@8           the sound operation, above all that its writer knows
  ///     count@8                 the one of `elementLaterThanOp`, below the element (count + 1)@7 that it names
  private struct Follower {
    /// What is done with the element, or behind it.
    enum Call { case insert, put, delete }

    let kind: Kind
    /// Elements of the list; they are nulls where the kind is `negativeNumber`.
    let count: Int
    let isForged: Bool
    let call: Call

    /// Half are insertions, which name no predecessor that a reader could refuse instead.
    static let calls: [Call] = [.insert, .put, .delete, .insert]

    var changes: [UInt8] {
      let list = Parts(count: count, fault: nil, isOfNulls: kind == .negativeNumber).change
      let isNegative = isForged && kind == .negativeNumber
      let element: [UInt8] =
        [0x7f] + (isNegative ? [UInt8(count) + 1] : ChunkForge.signed(Int64(count) + 1))
      let isInsertion: [UInt8] = call == .insert ? [0, 1] : [1]
      // Action 3 deletes, and has no value.
      let (action, meta): ([UInt8], [UInt8]) =
        call == .delete ? ([0x7f, 3], [0x7f, 0]) : ([0x7f, 1], [0x7f, 0x14])
      let value: [UInt8] = call == .delete ? [] : [5]
      // In the list 1@7, at an element of 7: the first other actor has the index 1.
      var ops: [(spec: UInt64, bytes: [UInt8])] = [
        (0x01, [0x7f, 1]), (0x02, [0x7f, 1]), (0x11, [0x7f, 1]), (0x13, element),
        (0x34, isInsertion), (0x42, action), (0x56, meta), (0x57, value),
      ]
      let isOverAnother = isForged && kind == .insertionOverAnother
      if call == .insert && !isOverAnother {
        ops += [(0x70, [0x7f, 0])]
      } else {
        ops += [(0x70, [0x7f, 1]), (0x71, [0x7f, 1]), (0x73, element)]
      }
      let follower = ChunkForge.change(
        actor: 8,
        startOp: UInt64(isForged && kind == .elementLaterThanOp ? count : count + 2),
        dependencies: [ChunkForge.hash(ofChunk: list)],
        others: [7],
        ops: ops
      )
      return list + follower
    }
  }

  /// A list at a key of the root, each of whose elements was inserted before all others, or behind them.
  ///
  ///     row    1          2          3                 the list, and its elements in the order of insertion
  ///     list   at "l"     value 0    value 1           shown: 1, 0, for each was inserted at the head
  ///                                                    typed: 0, 1, each behind the one before
  ///
  /// Both forms are made of the same columns, so that the document's head can be the hash of the
  /// change.
  private struct Parts {
    let count: Int
    let fault: Kind?
    var isOfNulls = false
    /// Strings of one to four bytes instead of numbers of one.
    var isOfStrings = false
    /// The strings' bytes as values of the type bytes.
    var isOfBytes = false
    /// Values of a type of their own instead.
    var typed: TypedValue?
    /// Whether each element was inserted behind the one before: rows whose ids rise may be read many at once.
    var isForward = false
    /// Which text it is, and which of the strings is broken, beyond those that the count says.
    var textShift = 0
    var brokenShift = 0

    private var length: Int64 { Int64(count) }
    /// The number of the operation that makes the list; the elements have the next ones.
    private var startOp: UInt64 {
      // The last element then has the number 2^32 - 1, the greatest there is.
      fault == .numbersUsedUp ? UInt64(UInt32.max) - UInt64(count) : 1
    }
    private var key: [UInt8] {
      if fault == .keyOfBrokenText { return text.broken }
      return fault == nil && !isOfNulls && typed == nil ? text.sound : [0x6c]
    }
    /// The text that a key or a string is, sound and broken.
    private var text: (sound: [UInt8], broken: [UInt8]) {
      Self.texts[(count + textShift) % Self.texts.count]
    }

    /// Texts at the borders of UTF-8, and as many bytes just beyond each.
    ///
    /// In this order: a byte that begins nothing, one that nothing follows, overlong forms of one to three
    /// bytes' worth, the first and the last surrogate, what lies above U+10FFFF, and bytes above those that may follow.
    static let texts: [(sound: [UInt8], broken: [UInt8])] = [
      ([0x6c], [0xff]), ([0x7f], [0x80]), ([0xc3, 0xa9], [0xc3, 0x41]),
      ([0xc2, 0x80], [0xc1, 0xbf]), ([0xdf, 0xbf], [0xc0, 0x80]),
      ([0xe0, 0xa0, 0x80], [0xe0, 0x9f, 0xbf]), ([0xe2, 0x82, 0xac], [0xe2, 0x82, 0x2c]),
      ([0xed, 0x9f, 0xbf], [0xed, 0xa0, 0x80]), ([0xee, 0x80, 0x80], [0xed, 0xbf, 0xbf]),
      ([0xf0, 0x90, 0x80, 0x80], [0xf0, 0x8f, 0xbf, 0xbf]),
      ([0xf4, 0x8f, 0xbf, 0xbf], [0xf4, 0x90, 0x80, 0x80]),
      ([0xf3, 0xa0, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80]),
      ([0xc3, 0xbf], [0xc3, 0xc0]), ([0xe1, 0xbf, 0xbf], [0xe1, 0xc0, 0xbf]),
      ([0xf1, 0xbf, 0xbf, 0xbf], [0xf1, 0xbf, 0xbf, 0xc0]),
    ]
    /// The bytes of each element's value.
    private var values: [[UInt8]] {
      if isOfNulls { return [] }
      if let typed { return typed.values(count, isForged: fault != nil) }
      guard isOfStrings else { return (0..<count).map { [UInt8($0)] } }
      return (0..<count).map {
        fault == .valueOfBrokenText && $0 == (count / 2 + brokenShift) % count
          ? text.broken : text.sound
      }
    }

    /// Type and length of each element's value.
    private var valueKind: UInt64 {
      if let typed { return typed.meta(of: values.first ?? typed.sound) }
      return isOfStrings ? UInt64(text.sound.count) << 4 | (isOfBytes ? 7 : 6) : 0x14
    }

    /// One value, then `count` times another.
    ///
    /// `runsTooShort` writes all values one by one in a literal run, where the canonical form has
    /// one run.
    private func column(_ first: UInt64, _ rest: UInt64) -> [UInt8] {
      if fault == .runsTooShort {
        let literal =
          ChunkForge.unsigned(first)
          + (0..<count).flatMap { _ in
            ChunkForge.unsigned(rest)
          }
        return ChunkForge.signed(-length - 1) + literal
      }
      return [0x7f] + ChunkForge.unsigned(first) + ChunkForge.run(count, rest)
    }

    /// The columns that stand in a change and in a document alike; `values` in order of rows.
    ///
    /// 0x14 is `1 << 4 | 4`, an int of one byte; a string of two would be 0x26, `2 << 4 | 6`. Key
    /// counters have differences of 0: each element's key is the head, which has no actor. Typed, the second and the
    /// later ones have the element before as their key.
    private func shared(_ values: [[UInt8]]) -> [(spec: UInt64, bytes: [UInt8])] {
      [
        (0x01, fault == .objectOfHalfID ? [] : [0, 1] + ChunkForge.run(count, 0)),
        (0x02, [0, 1] + ChunkForge.run(count, startOp)),
        (0x11, keyActors),
        (0x13, [0, 1] + keyCounters),
        (0x15, [0x7f, UInt8(key.count)] + key + [0] + ChunkForge.unsigned(UInt64(count))),
        (0x34, [1] + ChunkForge.unsigned(UInt64(count))),
        (0x42, column(2, 1)),
        (0x56, isOfNulls ? ChunkForge.run(count + 1, 0) : column(0, valueKind)),
        (0x57, Array(values.joined().dropLast(fault == .valuesTooShort ? 1 : 0))),
      ]
    }

    var change: [UInt8] {
      ChunkForge.change(
        actor: 7,
        seq: fault == .numberSkipped ? 2 : 1,
        startOp: startOp,
        ops: shared(values) + [(0x70, ChunkForge.run(count + 1, 0))]
      )
    }

    /// The elements stand in the order of the list, the last one inserted first, unless they were typed.
    ///
    /// The head is the hash of the change, which has its rows in the order of their numbers. So it
    /// stays right when the document's rows are out of order: only a look at the order finds that.
    var document: [UInt8] {
      let isRising = isForward || fault == .siblingsOutOfOrder
      let ids = isRising ? ChunkForge.steps(count + 1, 1) : falling
      var ops = shared(isRising ? values : values.reversed())
      ops += [
        (0x21, ChunkForge.run(count + 1, 0)), (0x23, ids),
        (0x80, ChunkForge.run(count + 1, 0)),
      ]
      return Forgery.document(
        of: change,
        lastOp: length + 1,
        ops: ops.sorted { $0.spec < $1.spec }
      )
    }

    /// None for the list and for the head, and then the writer.
    private var keyActors: [UInt8] {
      guard isForward else { return [] }
      return [0, 2] + ChunkForge.run(count > 2 ? count - 1 : -1, 0)
    }

    /// The differences of 0, the head, and of the elements' numbers from 2 to `count` where each is behind the last.
    ///
    /// For four elements the keys are 0, 2, 3, 4 and the differences 0, 2, 1, 1: two literals and a run. For three, a
    /// run of one is not allowed, and all are literals.
    private var keyCounters: [UInt8] {
      guard isForward else { return ChunkForge.steps(count, 0) }
      let first = ChunkForge.signed(0) + ChunkForge.signed(2)
      switch count {
      case 2: return ChunkForge.signed(-2) + first
      case 3: return ChunkForge.signed(-3) + first + ChunkForge.signed(1)
      default: return ChunkForge.signed(-2) + first + ChunkForge.steps(count - 2, 1)
      }
    }

    /// The differences of 1, then `count + 1` down to 2.
    ///
    /// The ids in the order of the list: that of the list's making, then of the elements from the
    /// last one down.
    ///
    /// For four elements the ids are 1, 5, 4, 3, 2 and the differences 1, 4, -1, -1, -1: two
    /// literals and a run. For two elements, 1, 3, 2, a run of one is not allowed, and all three
    /// are literals.
    private var falling: [UInt8] {
      let down = count > 2 ? ChunkForge.steps(count - 1, -1) : ChunkForge.signed(-1)
      let literals: Int64 = count > 2 ? -2 : -3
      return ChunkForge.signed(literals) + ChunkForge.signed(1) + ChunkForge.signed(length) + down
    }
  }
}

/// What a file may not say although all its checksums and hashes are right.
package enum ForgeryLaws<R: StoredReplica> {
  package static var refused: Law<Forgery> {
    Law(
      "forgery.refused",
      "A file with one flaw is refused.",
      "A file that is wrong in one thing alone is refused; without that thing it is taken.",
      source: .specification(
        .format,
        "Columns",
        "Document chunk",
        "Change chunk",
        "Applying changes"
      ),
      forAll: Forgery.samples
    ) { sample in
      for file in sample.files {
        if let difference = try verdict(of: file) { return difference }
      }
      return nil
    }
  }

  /// What a forged file makes does not matter: that it is taken in is the failure.
  private static func verdict(of sample: Forgery) throws -> Difference? {
    var work = 0
    do {
      var document = try R.load(sample.bytes, actor: DamageLaws<R>.reader, work: &work)
      if sample.isForged {
        return Difference(kind: "accepted", summary: "taken in: \(sample.kind.rawValue)")
      }
      return try DamageLaws<R>.soundness(of: &document)
    } catch {
      guard !sample.isForged else { return nil }
      return Difference(kind: "refused", summary: "the good twin is refused: \(error)")
    }
  }
}
