/// Reads one run-length column, run by run.
///
///     03 05        three rows of 5
///     00 02        two rows of null
///     7d 01 02 03  -3: a literal run of three rows, 1, 2 and 3
///
/// `value` stands for the next `remaining` rows (null rows when `isNull`); a literal run counts
/// as runs of one. Runs of any length cost the same, so a run count of 2^60 is harmless as long
/// as no caller loops over it: every reader stops at the chunk's number of rows.
///
/// Source: Specification/Format.md, "Run-length columns"; run sequences need not be canonical.
///
///     at                remaining   literal   what `refill` does
///     a run             rows left   0         is not called
///     a literal's row   1 or 0      rows left behind it    reads the next value
///     between two       0           0         reads the next count
///     the end           0           0         nothing: every further row is null
struct RunCursor: BitwiseCopyable {
  /// How the column's values are written.
  enum Kind { case unsigned, signed, string }

  private var cursor: ByteCursor
  private var literal: UInt64 = 0
  let part: Fault.Part
  private let kind: Kind
  /// Rows left of the run at hand; 0 before the first and after the last.
  private(set) var remaining: UInt64 = 0
  private(set) var isNull = false
  /// The run's value: the number, the bits of a signed number, or the offset of a string.
  private(set) var value: UInt64 = 0
  /// The string's length.
  private(set) var length = 0

  init(_ bytes: ByteView, _ kind: Kind, _ part: Fault.Part) {
    cursor = ByteCursor(bytes)
    self.kind = kind
    self.part = part
  }

  /// Whether the column has no row left.
  var isExhausted: Bool { remaining == 0 && literal == 0 && cursor.isAtEnd }

  func fault(_ reason: ChunkError.Reason) -> Fault { Fault(reason, cursor.offset, part) }

  /// Makes `remaining` positive unless the column has ended.
  @inline(__always)
  mutating func fill() throws(Fault) {
    if remaining == 0 { try refill() }
  }

  private mutating func refill() throws(Fault) {
    while remaining == 0 {
      if literal > 0 {
        literal -= 1
        try readValue()
        remaining = 1
        return
      }
      if cursor.isAtEnd { return }
      let count = try cursor.readSLEB(strict: false, part)
      if count > 0 {
        try readValue()
        remaining = UInt64(count)
      } else if count < 0 {
        // The magnitude: the least number of 64 bits has no negative.
        literal = count.magnitude
      } else {
        remaining = try cursor.readULEB(strict: false, part)
        isNull = true
        value = 0
      }
    }
  }

  @inline(__always)
  private mutating func readValue() throws(Fault) {
    isNull = false
    switch kind {
    case .unsigned: value = try cursor.readULEB(strict: false, part)
    case .signed: value = UInt64(bitPattern: try cursor.readSLEB(strict: false, part))
    case .string:
      let count = try cursor.readULEB(strict: false, part)
      guard count <= UInt64(cursor.remaining) else { throw fault(.truncated) }
      value = UInt64(cursor.offset)
      length = Int(count)
      let bytes = try cursor.readBytes(length, part)
      guard isUTF8(bytes) else { throw fault(.invalidUTF8) }
    }
  }

  /// Takes `count` rows, at most `remaining`.
  ///
  /// More than `remaining` traps; callers take the least of several columns.
  @inline(__always)
  mutating func skip(_ count: UInt64) { remaining -= count }

  /// Takes one row; a row beyond the end is null.
  @inline(__always)
  mutating func next() throws(Fault) -> UInt64? {
    if remaining == 0 { try refill() }
    if remaining == 0 { return nil }
    remaining -= 1
    return isNull ? nil : value
  }

  /// Takes one row which must have a value.
  @inline(__always)
  mutating func required() throws(Fault) -> UInt64 {
    guard let value = try next() else { throw fault(.unexpectedNull) }
    return value
  }

  /// Passes `count` rows, whatever they hold; rows beyond the end are passed, too.
  ///
  /// Cost: a step for each run.
  mutating func pass(_ count: UInt64) throws(Fault) {
    var left = count
    while left > 0 {
      try fill()
      if remaining == 0 { return }
      let step = min(left, remaining)
      skip(step)
      left -= step
    }
  }

  /// Null rows at hand; behind the end there is no end of them.
  ///
  /// A column that is missing, or shorter than the others, reads as nulls: that is how columns
  /// without content are left out.
  @inline(__always)
  mutating func nullsAhead() throws(Fault) -> UInt64 {
    try fill()
    if remaining == 0 { return .max }
    return isNull ? remaining : 0
  }

  /// The bytes of the string of the run at hand.
  var string: ByteView { cursor.bytes.part(from: Int(value), length: length) }
}

/// Reads one delta column: differences, summed up.
///
///     7f 07 03 01      7, then three times 1 more: 7, 8, 9, 10
///
/// Nulls neither have a difference nor change the value that the next one builds on.
///
/// `current` is 0 before the first row. A sum that leaves 64 bits is refused; what a value may be
/// besides is for the readers of rows to say.
struct DeltaCursor: BitwiseCopyable {
  private(set) var runs: RunCursor
  /// The last value taken.
  private(set) var current: Int64 = 0

  init(_ bytes: ByteView, _ part: Fault.Part) {
    runs = RunCursor(bytes, .signed, part)
  }

  func fault(_ reason: ChunkError.Reason) -> Fault { runs.fault(reason) }
  var isExhausted: Bool { runs.isExhausted }

  @inline(__always)
  mutating func next() throws(Fault) -> Int64? {
    guard let bits = try runs.next() else { return nil }
    let (sum, overflow) = current.addingReportingOverflow(Int64(bitPattern: bits))
    guard !overflow else { throw runs.fault(.integerTooLarge) }
    current = sum
    return sum
  }

  @inline(__always)
  mutating func required() throws(Fault) -> Int64 {
    guard let value = try next() else { throw runs.fault(.unexpectedNull) }
    return value
  }

  /// Rows at hand that each step by `step`; 0 if the next row does otherwise.
  ///
  /// A caller asks several columns and takes the least answer, so that one question stands for many
  /// rows.
  @inline(__always)
  mutating func steps(of step: Int64) throws(Fault) -> UInt64 {
    try runs.fill()
    let fits = !runs.isNull && Int64(bitPattern: runs.value) == step
    return fits ? runs.remaining : 0
  }

  /// Passes `count` rows, at most ``Limits/rowLimit``; rows beyond the end are passed, too.
  ///
  /// A sum that leaves 64 bits wraps here, and is not refused.
  mutating func pass(_ count: UInt64) throws(Fault) {
    var left = count
    while left > 0 {
      try runs.fill()
      if runs.remaining == 0 { return }
      let step = min(left, runs.remaining)
      advance(step)
      left -= step
    }
  }

  /// Takes `count` rows of the run at hand.
  ///
  /// Wraps: callers have bounded `count` so that the value stays within 32 bits.
  @inline(__always)
  mutating func advance(_ count: UInt64) {
    runs.skip(count)
    current &+= Int64(bitPattern: runs.value) &* Int64(count)
  }
}

/// Reads one boolean column: counts of false and true rows in turn, false first.
///
///     02 03        false, false, true, true, true
///     00 01        true
///
/// Counts of 0 are passed, also in a row: each is a byte of the input, which bounds them.
struct FlagCursor: BitwiseCopyable {
  private var cursor: ByteCursor
  let part: Fault.Part
  private(set) var remaining: UInt64 = 0
  /// The value of the run at hand.
  ///
  /// The opposite of the first run's: each count that is read turns it over.
  private(set) var value = true

  init(_ bytes: ByteView, _ part: Fault.Part) {
    cursor = ByteCursor(bytes)
    self.part = part
  }

  func fault(_ reason: ChunkError.Reason) -> Fault { Fault(reason, cursor.offset, part) }

  /// Makes `remaining` positive unless the column has ended.
  @inline(__always)
  mutating func fill() throws(Fault) {
    while remaining == 0 && !cursor.isAtEnd {
      remaining = try cursor.readULEB(strict: false, part)
      value.toggle()
    }
  }

  @inline(__always)
  mutating func skip(_ count: UInt64) { remaining -= min(count, remaining) }

  /// Passes `count` rows, whatever they hold; rows beyond the end are passed, too.
  mutating func pass(_ count: UInt64) throws(Fault) {
    var left = count
    while left > 0 {
      try fill()
      if remaining == 0 { return }
      let step = min(left, remaining)
      skip(step)
      left -= step
    }
  }

  /// Takes one row; `nil` behind the end.
  @inline(__always)
  mutating func next() throws(Fault) -> Bool? {
    try fill()
    guard remaining > 0 else { return nil }
    remaining -= 1
    return value
  }
}
