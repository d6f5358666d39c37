/// Writes one run-length column in canonical form.
///
/// The caller may cut the rows into runs anywhere: equal neighbours join, single values gather
/// into literal runs, a column of nothing but nulls stays empty.
///
/// Example: `[0, 0, 0, null, null, 1, 2, 3]` becomes `03 00 00 02 7d 01 02 03`.
///
/// Source: Specification/Format.md, "Run-length columns".
///
/// What waits to be written is either `count` rows of `value` or `nulls`, never both. A single
/// value goes into the literal run that is open, or opens one; the literal's count is filled in
/// when it closes:
///
///     values 1, 2        literalStart = 0, bytes 00 01          2 still waits: more of it may come
///     then 5, 5, 5       bytes 00 01 02, still open             three of 5 wait
///     finish             bytes 7e 01 02 03 05
struct RunEncoder: ~Copyable {
  private(set) var bytes = Arena<UInt8>()
  private let isSigned: Bool
  private var value: UInt64 = 0
  /// Rows of `value` not yet written.
  private var count: UInt64 = 0
  private var nulls: UInt64 = 0
  /// Where the open literal run's count goes; negative when none is open.
  private var literalStart = -1
  private var literalCount = 0

  init(signed: Bool = false) {
    isSigned = signed
  }

  /// Empties the column; its memory is kept for the next change.
  mutating func reset() {
    bytes.truncate(to: 0)
    count = 0
    nulls = 0
    literalStart = -1
    literalCount = 0
  }

  /// Appends `times` rows of `newValue`; a signed value by its bits.
  @inline(__always)
  mutating func run(_ newValue: UInt64, _ times: UInt64) {
    if count > 0 && newValue == value {
      count += times
    } else {
      startRun(newValue, times)
    }
  }

  /// Not inlined: within the loop that writes nine columns, it makes saving W2 take 13 % longer (least
  /// of seven runs each).
  @inline(never)
  private mutating func startRun(_ newValue: UInt64, _ times: UInt64) {
    if times == 0 { return }
    if count > 0 {
      flush()
    } else if nulls > 0 {
      bytes.append(0)
      bytes.appendULEB(nulls)
      nulls = 0
    }
    value = newValue
    count = times
  }

  /// Appends `times` null rows.
  @inline(__always)
  mutating func null(_ times: UInt64) {
    if times == 0 { return }
    if count > 0 {
      flush()
      closeLiteral()
    }
    nulls += times
  }

  @inline(__always)
  private mutating func write(_ value: UInt64) {
    if isSigned {
      bytes.appendSLEB(Int64(bitPattern: value))
    } else {
      bytes.appendULEB(value)
    }
  }

  /// Writes the pending run; the count of a literal run follows when it closes.
  private mutating func flush() {
    if count == 1 {
      if literalStart < 0 {
        literalStart = bytes.count
        literalCount = 0
        bytes.append(0)
      }
      literalCount += 1
      write(value)
    } else if count > 1 {
      closeLiteral()
      bytes.appendSLEB(Int64(count))
      write(value)
    }
    count = 0
  }

  private mutating func closeLiteral() {
    guard literalStart >= 0 else { return }
    patchLiteralCount(&bytes, at: literalStart, count: literalCount)
    literalStart = -1
  }

  /// Ends the column; its bytes are then complete.
  mutating func finish() {
    if count > 0 {
      flush()
      closeLiteral()
    } else if nulls > 0 && !bytes.isEmpty {
      bytes.append(0)
      bytes.appendULEB(nulls)
    }
    nulls = 0
  }
}

/// Fills in a literal run's count, for which one byte was kept free.
///
/// -64 is the least number of one byte. Longer literals move their bytes up once, at their end.
///
///     count 3      00 01 02 03            ->    7d 01 02 03
///     count 64     00 ...                 ->    40 ...
///     count 65     00 ...                 ->    bf 7f ...           one byte more
func patchLiteralCount(_ bytes: inout Arena<UInt8>, at start: Int, count: Int) {
  if count <= 64 {
    bytes[start] = UInt8(truncatingIfNeeded: -count) & 0x7F
    return
  }
  var head = Arena<UInt8>(capacity: 10)
  head.appendSLEB(-Int64(count))
  bytes.openGap(at: start + 1, shift: head.count - 1)
  for index in 0..<head.count { bytes[start + index] = head[index] }
}

/// Writes one delta column in canonical form.
///
/// Example: `[7, 8, 9, 10]` is 7 and three times 1 more: `7f 07 03 01`.
///
/// A null keeps the last value: the next difference is taken from the value before it.
///
/// Differences wrap in 64 bits. Ids and places are below 2^32, and times below 2^62 in size
/// (``Limits/timeLimit``), so that none does.
struct DeltaEncoder: ~Copyable {
  private var runs = RunEncoder(signed: true)
  private var last: Int64 = 0

  mutating func reset() {
    runs.reset()
    last = 0
  }

  @inline(__always)
  mutating func value(_ value: Int64) {
    runs.run(UInt64(bitPattern: value &- last), 1)
    last = value
  }

  /// Appends `count` rows, each `step` more than the one before.
  @inline(__always)
  mutating func steps(_ step: Int64, _ count: UInt64) {
    guard count > 0 else { return }
    runs.run(UInt64(bitPattern: step), count)
    last &+= step &* Int64(count)
  }

  @inline(__always)
  mutating func null(_ count: UInt64) { runs.null(count) }

  mutating func finish() { runs.finish() }

  var bytes: Arena<UInt8> { @inline(__always) _read { yield runs.bytes } }
}

/// Writes one boolean column: counts of false and true rows in turn, false first.
///
/// Example: `[true, true, false]` becomes `00 02 01`.
///
/// A column in which every row is false still has a count. Whether it is written is the caller's
/// rule: `insert` is, and `expand` only if a row is true.
struct FlagEncoder: ~Copyable {
  private(set) var bytes = Arena<UInt8>()
  private var value = false
  private var count: UInt64 = 0
  /// Whether any row was true.
  private(set) var hasTrue = false

  mutating func reset() {
    bytes.truncate(to: 0)
    value = false
    count = 0
    hasTrue = false
  }

  @inline(__always)
  mutating func run(_ newValue: Bool, _ times: UInt64) {
    if times == 0 { return }
    if newValue != value {
      bytes.appendULEB(count)
      value = newValue
      count = 0
      if newValue { hasTrue = true }
    }
    count += times
  }

  mutating func finish() {
    if count > 0 { bytes.appendULEB(count) }
    count = 0
  }
}

/// Writes one column of strings, given as handles of a key table.
///
/// Example: `["a", "a", "bc"]` becomes `02 01 61 7f 02 62 63`: two rows of the string of one byte,
/// then a literal run of one.
///
/// The states are those of ``RunEncoder``. Equal keys have equal handles, so that no bytes are
/// compared.
struct KeyEncoder: ~Copyable {
  private(set) var bytes = Arena<UInt8>()
  private var key = KeyHandle.none
  private var count: UInt64 = 0
  private var nulls: UInt64 = 0
  private var literalStart = -1
  private var literalCount = 0

  mutating func reset() {
    bytes.truncate(to: 0)
    count = 0
    nulls = 0
    literalStart = -1
    literalCount = 0
  }

  mutating func run(_ newKey: KeyHandle, _ times: UInt64, _ keys: borrowing KeyTable) {
    if times == 0 { return }
    if count > 0 && newKey == key {
      count += times
      return
    }
    if count > 0 {
      flush(keys)
    } else if nulls > 0 {
      bytes.append(0)
      bytes.appendULEB(nulls)
      nulls = 0
    }
    key = newKey
    count = times
  }

  mutating func null(_ times: UInt64, _ keys: borrowing KeyTable) {
    if times == 0 { return }
    if count > 0 {
      flush(keys)
      closeLiteral()
    }
    nulls += times
  }

  private mutating func flush(_ keys: borrowing KeyTable) {
    if count == 1 {
      if literalStart < 0 {
        literalStart = bytes.count
        literalCount = 0
        bytes.append(0)
      }
      literalCount += 1
    } else {
      closeLiteral()
      bytes.appendSLEB(Int64(count))
    }
    let text = keys.view(key)
    bytes.appendULEB(UInt64(text.count))
    bytes.append(text)
    count = 0
  }

  private mutating func closeLiteral() {
    guard literalStart >= 0 else { return }
    patchLiteralCount(&bytes, at: literalStart, count: literalCount)
    literalStart = -1
  }

  mutating func finish(_ keys: borrowing KeyTable) {
    if count > 0 {
      flush(keys)
      closeLiteral()
    } else if nulls > 0 && !bytes.isEmpty {
      bytes.append(0)
      bytes.appendULEB(nulls)
    }
    nulls = 0
  }
}
