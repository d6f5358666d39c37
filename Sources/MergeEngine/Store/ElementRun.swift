/// Neighbouring list elements whose every column is constant or steps by one.
///
/// The unit of editing, merging, saving and loading. Element `j` of `0..<count` has
///
///     id        = (counter + j, actor)
///     reference = j == 0 ? (reference, referenceActor) : (counter + j - 1, actor)
///     successor = none | (successor + j, successorActor) | (successor - j, successorActor)
///     value     = `byteCount` bytes at `value + j * byteCount`
///
/// Example: actor 3 types "hello" into an empty text, from operation 7 on, and then deletes the
/// last two letters with the backspace key. Two runs hold it:
///
///     id       7    8    9      10   11          counter    7      10
///     letter   h    e    l      l    o           count      3       2
///     refers   head 7    8      9    10          reference  0       9
///     deleted  -    -    -      13   12          successor  0      13, descending
///     run      |--- visible --| |-hidden-|       value      v     v+3   (meta: 1 byte, string)
///
/// An element with more history than one insert and at most one delete, and every mark, is
/// *complex*: a run of one whose rows stand in a register (``register``).
///
///     byte   0         4       8           12          16      20      24      26        28       30       31
///            counter | count | reference | successor | value | meta  | actor | ref.    | succ.  | action | flags
///                                                                            | actor   | actor  |
///
/// Two to a cache line of 64 bytes: what a search in a leaf looks at.
///
/// What holds of every run in use: `count` is 1 or more, and its last id is at most 2^32 - 1,
/// behind which ``end`` would wrap to 0; a complex run has a count of 1; at most one of the two
/// directions is set, and none of a complex element, whose rows say what hides it.
struct ElementRun: BitwiseCopyable {
  /// Counter of the first element's id, with `actor`.
  var counter: UInt32
  /// Elements, hidden ones and those without width included.
  var count: UInt32
  /// Counter of the element behind which the first was inserted; 0 for the head of the list.
  var reference: UInt32
  /// Of a hidden run, the counter of the first element's deletion; of a complex one its register.
  var successor: UInt32 = 0
  /// Offset in the value bytes.
  var value: UInt32
  /// Type and length of each element's value; all elements of a run share it.
  var meta: ValueMeta
  var actor: UInt16
  var referenceActor: UInt16
  var successorActor: UInt16 = 0
  var action: Action
  var flags: Flags = []

  struct Flags: OptionSet, BitwiseCopyable {
    let rawValue: UInt8

    /// One successor each, rising with the elements.
    static let ascending = Flags(rawValue: 1)
    /// One successor each, falling with the elements.
    static let descending = Flags(rawValue: 2)
    /// Whichever way they go.
    static let hidden: Flags = [.ascending, .descending]
    static let complex = Flags(rawValue: 4)
    /// A string of exactly one Unicode scalar.
    static let plain = Flags(rawValue: 8)
    static let mark = Flags(rawValue: 16)
  }

  /// What fills the free slots of a leaf.
  ///
  /// Never read as an element: only the first `count` slots of a leaf are.
  static let blank = ElementRun(
    counter: 0,
    count: 0,
    reference: 0,
    value: 0,
    meta: .null,
    actor: 0,
    referenceActor: 0,
    action: .makeMap
  )

  var isHidden: Bool { !flags.isDisjoint(with: .hidden) }
  var isDescending: Bool { flags.contains(.descending) }
  var isComplex: Bool { flags.contains(.complex) }
  var isPlain: Bool { flags.contains(.plain) }
  var isMark: Bool { flags.contains(.mark) }
  var byteCount: UInt32 { meta.byteCount }
  /// The counter behind the last element's.
  var end: UInt32 { counter &+ count }
  var first: PackedID { PackedID(counter, actor) }
  var last: PackedID { PackedID(end &- 1, actor) }
  /// The rows of a complex element.
  var register: RegisterHandle { RegisterHandle(place: successor) }

  /// Ids of a run rise by one, so that two comparisons are enough.
  func contains(_ id: PackedID) -> Bool {
    actor == id.actor && id.counter >= counter && id.counter &- counter < count
  }

  /// The width of each element of a visible run, which share the run's.
  func unitWidth(in width: UInt32) -> UnitWidth { UnitWidth(of: width, sharedBy: count) }

  /// The id of element `offset`.
  func id(of offset: UInt32) -> PackedID { PackedID(counter &+ offset, actor) }

  /// The reference of element `offset`.
  func reference(of offset: UInt32) -> PackedID {
    offset == 0
      ? PackedID(reference, referenceActor) : PackedID(counter &+ offset &- 1, actor)
  }

  /// Where the value of element `offset` begins.
  func value(of offset: UInt32) -> UInt32 { value &+ offset &* byteCount }

  /// The successor's counter of element `offset` of a hidden run.
  func successorCounter(of offset: UInt32) -> UInt32 {
    isDescending ? successor &- offset : successor &+ offset
  }

  /// Whether the first element is what would be element `before.count` of another run, were that
  /// longer: all columns but the successors go on.
  ///
  /// Neither run may be complex.
  ///
  ///     [7...9@a "abc" at 40] and 10@a, behind 9@a, "d" at 43     goes on
  ///     the same, but "d" at 90                                   does not: not the next bytes
  ///     the same, but behind 8@a                                  does not: another reference
  ///
  /// Values without bytes all have the offset 0 (``Core/store(_:)``), so that they go on, too.
  func continues(_ before: ElementRun) -> Bool {
    actor == before.actor && counter == before.end
      && reference == before.end &- 1 && referenceActor == before.actor
      && meta == before.meta && action == before.action && isPlain == before.isPlain
      && value == before.value(of: before.count)
  }

  /// Whether the hidden run can grow at its end by an element that `op` deletes, and be ascending.
  ///
  /// The direction is free while the run has one element.
  func isHiddenUpwards(to op: PackedID) -> Bool {
    (count == 1 || flags.contains(.ascending))
      && successorActor == op.actor && successor &+ count == op.counter
  }

  /// Whether the hidden run can grow at its end by an element that `op` deletes, and be descending.
  func isHiddenDownwards(to op: PackedID) -> Bool {
    (count == 1 || isDescending) && successorActor == op.actor && successor &- count == op.counter
  }

  /// Whether the hidden run can grow at its front by an element that `op` deletes: the order of the
  /// backspace key.
  func isHiddenDownwards(from op: PackedID) -> Bool {
    (count == 1 || isDescending)
      && successorActor == op.actor && successor &+ 1 == op.counter
  }

  /// Hides the run in a direction, or shows it with `[]`.
  mutating func setDirection(_ direction: Flags) {
    flags = flags.subtracting(.hidden).union(direction)
  }

  /// Makes the run a complex element whose rows stand in `register`.
  mutating func makeComplex(_ register: RegisterHandle) {
    setDirection([])
    flags.insert(.complex)
    successor = register.place
  }

  /// Drops the first `offset` elements.
  ///
  /// The new first element refers to the last that went: of a run each element refers to the one
  /// before. At 0 nothing would be dropped, and the reference would be wrong: callers ask for 1 or
  /// more.
  mutating func dropFirst(_ offset: UInt32) {
    if isHidden { successor = successorCounter(of: offset) }
    let last = PackedID(counter &+ offset &- 1, actor)
    counter &+= offset
    count &-= offset
    reference = last.counter
    referenceActor = last.actor
    value &+= offset &* byteCount
  }
}

/// Units of one element of a run.
///
///     "abc" in UTF-16        3 units of 3 elements     1 each
///     two emoji in UTF-16    4 units of 2 elements     2 each: units 0 and 1 are of element 0
///
/// One unit nearly always, and then nothing is divided: an edit asks up to six times, and W1's replay takes
/// 2 % less so (the least of eleven runs in turns).
struct UnitWidth {
  private let each: UInt32

  init(of width: UInt32, sharedBy count: UInt32) { each = width == count ? 1 : width / count }

  /// Whole elements before unit `units`.
  func elements(in units: UInt32) -> UInt32 { each == 1 ? units : units / each }

  func units(of elements: UInt32) -> UInt32 { elements &* each }
}
