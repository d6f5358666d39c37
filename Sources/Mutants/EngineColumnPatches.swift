/// Bugs of the engine in bytes and columns, read and written.
let engineColumnPatches: [SourcePatch] = [
  // MARK: Arena.swift

  // The sign is bit 6 of the last byte, not bit 7.
  SourcePatch(
    .engine("64-is-negative"),
    "The signed number 64 is written in one byte, which reads as -64.",
    law: "agreement.states",
    in: "Sources/MergeEngine/Bytes/Arena.swift",
    "value >= -64 && value < 64",
    becomes: "value >= -64 && value <= 64"
  ),

  // MARK: ByteCursor.swift

  SourcePatch(
    .engine("surrogates-as-utf8"),
    "Surrogates in three bytes pass as UTF-8.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Bytes/ByteCursor.swift",
    "high = 0x9F",
    becomes: "high = 0xBF",
    as: .statements
  ),
  SourcePatch(
    .engine("high-bytes-in-texts"),
    "The second byte of a character may be one above those that go on.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Bytes/ByteCursor.swift",
    "0xBF",
    becomes: "0xC0"
  ),

  // MARK: Deflate+Zlib.swift

  SourcePatch(
    .document("inflating-ends-at-full-steps"),
    "Bytes that are inflated are taken for damaged where a step is full and all input is read.",
    law: "api.alike-bytes",
    in: "Sources/MergeEngine/Bytes/Deflate+Zlib.swift",
    "stream.avail_in == 0 && stream.avail_out != 0",
    becomes: "stream.avail_in == 0"
  ),

  // MARK: ColumnLayout.swift

  SourcePatch(
    .engine("one-column-too-many"),
    "A chunk may have as many columns as there are numbers, and the last has the number of none.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Columns/ColumnLayout.swift",
    "count <= Limits.columnLimit",
    becomes: "count <= Limits.columnLimit + 1"
  ),
  SourcePatch(
    .engine("groups-of-any-members"),
    "A group of columns may have members that no reader knows.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Columns/ColumnLayout.swift",
    "count > 0 && (seen != expected || count > 2)",
    becomes: "false"
  ),

  // MARK: OpRowReader.swift

  SourcePatch(
    .engine("timestamp-unchecked"),
    "The bytes of a received timestamp are taken without a look at them.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Columns/OpRowReader.swift",
    "TypeCode.timestamp",
    becomes: "TypeCode.counter"
  ),

  // MARK: RunCursor.swift

  SourcePatch(
    .engine("literal-one-short"),
    "A literal run of several values is read as one value fewer.",
    law: "calls.succeed",
    in: "Sources/MergeEngine/Columns/RunCursor.swift",
    "literal = count.magnitude",
    becomes: "literal = count.magnitude > 1 ? count.magnitude - 1 : 1"
  ),
  // Readers take rows one by one or several at a time; the second way is the fast one, and the one
  // with bugs.
  SourcePatch(
    .engine("delta-advances-once"),
    "Taking several rows of a delta column at once adds one step.",
    law: "calls.succeed",
    in: "Sources/MergeEngine/Columns/RunCursor.swift",
    "current &+= Int64(bitPattern: runs.value) &* Int64(count)",
    becomes: "current &+= Int64(bitPattern: runs.value)",
    as: .statements
  ),
  SourcePatch(
    .engine("flag-run-not-taken"),
    "Taking rows of a boolean column at once takes one too few.",
    law: "subject.answers",
    in: "Sources/MergeEngine/Columns/RunCursor.swift",
    "min(count, remaining)",
    becomes: "min(count, remaining) &- (count > 1 ? 1 : 0)"
  ),
  // Shows with hostile bytes alone: no writer of ours makes them.
  SourcePatch(
    .engine("load-trusts-text"),
    "Strings of columns are not checked for well-formed UTF-8.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Columns/RunCursor.swift",
    "isUTF8(bytes)",
    becomes: "true"
  ),
  SourcePatch(
    .engine("keys-among-elements"),
    "Where one run of a column of keys ends, the reader takes the column for one that has ended.",
    law: "forgery.refused",
    in: "Sources/MergeEngine/Columns/RunCursor.swift",
    """
    try fill()
        if remaining == 0 { return .max }
    """,
    becomes: """
      if remaining == 0 { return .max }
      """,
    as: .statements
  ),

  // MARK: RunEncoder.swift

  // LEB128 with sign: a literal run's count is negative, and -64 is the least that fits one byte.
  SourcePatch(
    .engine("literal-of-65-in-a-byte"),
    "The count of a literal run of 65 values is written in one byte.",
    law: "storage.column-lengths",
    in: "Sources/MergeEngine/Columns/RunEncoder.swift",
    "count <= 64",
    becomes: "count <= 65"
  ),
  SourcePatch(
    .engine("flag-runs-in-a-byte"),
    "The last run of a boolean column is written in one byte, however long it is.",
    law: "calls.succeed",
    in: "Sources/MergeEngine/Columns/RunEncoder.swift",
    "if count > 0 { bytes.appendULEB(count) }",
    becomes: "if count > 0 { bytes.append(UInt8(truncatingIfNeeded: count)) }",
    as: .statements
  ),
  // A writer's bug that other programs see: our own reader refuses the file as well.
  SourcePatch(
    .engine("run-counts-one-more"),
    "A run-length column claims one row more than it has in each repeated run.",
    law: "calls.succeed",
    in: "Sources/MergeEngine/Columns/RunEncoder.swift",
    """
    closeLiteral()
          bytes.appendSLEB(Int64(count))
          write(value)
    """,
    becomes: "closeLiteral()\nbytes.appendSLEB(Int64(count) + 1)\nwrite(value)",
    as: .statements
  ),
  SourcePatch(
    .engine("delta-forgets-steps"),
    "A delta column goes on from the value before a run of steps.",
    law: "calls.succeed",
    in: "Sources/MergeEngine/Columns/RunEncoder.swift",
    "last &+= step &* Int64(count)",
    becomes: "last &+= step",
    as: .statements
  ),
  // A boolean column alternates and begins with false, so the first run is often empty and easily
  // forgotten.
  SourcePatch(
    .engine("flags-start-with-true"),
    "A boolean column whose first row is true leaves out the empty run of false.",
    law: "calls.succeed",
    in: "Sources/MergeEngine/Columns/RunEncoder.swift",
    """
    bytes.appendULEB(count)
          value = newValue
          count = 0
    """,
    becomes: "if count > 0 { bytes.appendULEB(count) }\nvalue = newValue\ncount = 0",
    as: .statements
  ),
  SourcePatch(
    .engine("keys-repeat-the-first"),
    "A column of strings takes every string for the one before.",
    law: "agreement.states",
    in: "Sources/MergeEngine/Columns/RunEncoder.swift",
    "count > 0 && newKey == key",
    becomes: "count > 0"
  ),

  // MARK: StoredValue.swift

  SourcePatch(
    .engine("text-width-in-bytes"),
    "A string of several scalars counts its bytes.",
    law: "reads.agree",
    in: "Sources/MergeEngine/Columns/StoredValue.swift",
    "byte & 0xC0 != 0x80",
    becomes: "true"
  ),
  // A value from a later version must be carried through unchanged, or its change's hash no longer
  // fits.
  SourcePatch(
    .engine("forgets-unknown-types"),
    "A value of an unknown type is read as of type 15.",
    law: "golden.accepted",
    in: "Sources/MergeEngine/Columns/StoredValue.swift",
    ".unknown(code: UInt8(type), bytes: bytes.array)",
    becomes: ".unknown(code: 15, bytes: bytes.array)"
  ),
  SourcePatch(
    .document("view-believes-last-letters"),
    "Of the letters of a text a view does not find a byte 80 among the last seven.",
    law: "api.view-checks",
    in: "Sources/MergeEngine/Columns/StoredValue.swift",
    "self[at] >= 0x80",
    becomes: "self[at] > 0x80"
  ),
]
