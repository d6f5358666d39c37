/// Memory that libFuzzer takes for counters of its own, by the section of the program that it stands in: an input
/// that raises one of them further than others did is kept, as if it had reached new code.
///
/// A literal, since what stands in a section of a name must be known before any code runs. It has a reader where libFuzzer
/// is part of the program. On systems without ELF files libFuzzer does not find it.
enum FuzzCounters {
  /// Number of counters, of a byte each.
  static let count = 4096

  /// Raises counters; libFuzzer clears them before each input, and reads them behind it, on the same thread.
  static func raise(_ counts: some Sequence<(slot: Int, count: Int)>) {
    unsafe withUnsafeMutableBytes(of: &extraCounters) { bytes in
      for (slot, count) in counts {
        unsafe bytes[slot] = max(bytes[slot], UInt8(clamping: count))
      }
    }
  }

  /// What counters hold that are not 0, by their slots.
  static var raised: [Int: UInt8] {
    unsafe withUnsafeMutableBytes(of: &extraCounters) { bytes in
      var result: [Int: UInt8] = [:]
      for slot in 0..<count {
        let value = unsafe bytes[slot]
        if value > 0 { result[slot] = value }
      }
      return result
    }
  }
}

// One thread judges inputs, and libFuzzer reads between them.
#if objectFormat(ELF)
@section("__libfuzzer_extra_counters")
#endif
@used
nonisolated(unsafe) private var extraCounters: ExtraCounters = (
  (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
)

private typealias Words = (
  UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64,
  UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64
)

private typealias ExtraCounters = (
  Words, Words, Words, Words, Words, Words, Words, Words,
  Words, Words, Words, Words, Words, Words, Words, Words,
  Words, Words, Words, Words, Words, Words, Words, Words,
  Words, Words, Words, Words, Words, Words, Words, Words
)
