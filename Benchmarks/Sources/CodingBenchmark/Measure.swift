import Foundation

/// Process CPU time in milliseconds, user and system.
func cpuMilliseconds() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

/// Kilobytes, by a name of `/proc/self/status`; 0 elsewhere.
func memory(_ name: String) -> Int {
  guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
    return 0
  }
  for line in status.split(separator: "\n") where line.hasPrefix(name + ":") {
    return Int(line.split(whereSeparator: \.isWhitespace)[1]) ?? 0
  }
  return 0
}

/// Times of parts that are run in turn, so that a noisy moment of the machine meets all of them.
struct Turns {
  private var names: [String] = []
  private var times: [String: [Double]] = [:]

  /// Times one part once.
  mutating func time<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
    let start = cpuMilliseconds()
    let result = try body()
    let elapsed = cpuMilliseconds() - start
    if times[name] == nil { names.append(name) }
    times[name, default: []].append(elapsed)
    return result
  }

  /// The median of each part, in the order in which they first ran.
  var medians: [(name: String, milliseconds: Double)] {
    names.map { name in
      let sorted = (times[name] ?? []).sorted()
      return (name, sorted.isEmpty ? 0 : sorted[sorted.count / 2])
    }
  }
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
