import Foundation

/// Process CPU time in milliseconds, user and system.
func cpuMilliseconds() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

/// What one process measured: milliseconds and facts, printed as one JSON object.
struct Report {
  private var milliseconds: [(String, Double)] = []
  private var facts: [(String, String)] = []
  /// How often each part was run that ``time(_:times:_:)`` measured.
  private var repeats: [(String, Int)] = []
  let subject: String

  init(subject: String = "engine") {
    self.subject = subject
  }

  /// Notes a time that was measured elsewhere.
  mutating func note(_ name: String, milliseconds time: Double) {
    milliseconds.append((name, time))
  }

  /// Runs `body` `times` times and notes the mean.
  ///
  /// Never inlined: `growth.py` has callgrind count what happens in it.
  @inline(never)
  mutating func time(_ name: String, times: Int = 1, _ body: () throws -> Void) rethrows {
    let start = cpuMilliseconds()
    for _ in 0..<times { try body() }
    milliseconds.append((name, (cpuMilliseconds() - start) / Double(times)))
    repeats.append((name, times))
  }

  /// Notes a measure that is no time, such as megabytes.
  mutating func measure(_ name: String, _ value: Double) { milliseconds.append((name, value)) }

  /// Notes something to be checked: heads, a hash, a length.
  mutating func fact(_ name: String, _ value: String) { facts.append((name, value)) }

  var json: String {
    let times = milliseconds.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ")
    let known = facts.map { "\"\($0.0)\": \"\($0.1)\"" }.joined(separator: ", ")
    let often = repeats.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ")
    return "{\"subject\": \"\(subject)\", \"times\": {\(times)}, \"repeats\": {\(often)}, "
      + "\"facts\": {\(known)}}"
  }
}

/// Memory of the process in kilobytes, by a name of `/proc/self/status`; 0 elsewhere.
func memory(_ name: String) -> Int {
  guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
    return 0
  }
  for line in status.split(separator: "\n") where line.hasPrefix(name + ":") {
    return Int(line.split(whereSeparator: \.isWhitespace)[1]) ?? 0
  }
  return 0
}

/// Forgets the peak so far.
func resetPeakMemory() {
  try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
}

/// SplitMix64, the generator of the workloads.
struct SplitMix {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func letter() -> String { String(UnicodeScalar(UInt8(97 + below(26)))) }
}
