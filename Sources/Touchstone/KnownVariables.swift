import Foundation
import Synchronization
import Texts

/// The variables of the environment that begin as those of Touchstone do.
///
/// This is the one list of them: `RepositoryTests` hold it against every use in the repository, and against the table
/// of ``LawSettings``.
package enum KnownVariables {
  private static let prefix = "TOUCHSTONE_"

  /// What expectations of tests read.
  static let ofTests = [
    "TOUCHSTONE_SEED", "TOUCHSTONE_CASES", "TOUCHSTONE_PROFILE", "TOUCHSTONE_REPLAY",
    "TOUCHSTONE_HISTORY", "TOUCHSTONE_ACCEPT", "TOUCHSTONE_ADAPTERS",
  ]

  /// What the program, the build, and the project's own tests and scripts read or set.
  static let others = [
    "TOUCHSTONE_ADAPTER", "TOUCHSTONE_BOUNDARY_INPUTS", "TOUCHSTONE_FUZZ",
    "TOUCHSTONE_FUZZ_ARGUMENTS", "TOUCHSTONE_FUZZ_FEEDBACK", "TOUCHSTONE_FUZZ_SUBJECT",
    "TOUCHSTONE_FUZZ_TALLY", "TOUCHSTONE_GENERATE",
    "TOUCHSTONE_HOSTILE_HISTORIES", "TOUCHSTONE_LIVE_SESSIONS", "TOUCHSTONE_MUTANT",
    "TOUCHSTONE_DEBUGGER", "TOUCHSTONE_FUZZER", "TOUCHSTONE_ONLY",
    "TOUCHSTONE_PATCH_HISTORIES", "TOUCHSTONE_QUICK_BUILD",
    "TOUCHSTONE_REACHED", "TOUCHSTONE_SHARD",
    "TOUCHSTONE_SHARDS", "TOUCHSTONE_SWIFT_CRYPTO", "TOUCHSTONE_SYNC_WORLDS",
    "TOUCHSTONE_WORKER_NOTE",
  ]

  /// What a test says of variables that nothing reads, in the order of their names: most likely they are misspelt.
  ///
  /// An empty variable counts as unset.
  package static func warnings(_ environment: [String: String]) -> [String] {
    let known = Set(ofTests + others)
    return environment.filter { name, value in
      name.hasPrefix(prefix) && !value.isEmpty && !known.contains(name)
    }
    .keys.sorted().map { name in
      // What all have in common says nothing of how close they are.
      let endings = ofTests.map { String($0.dropFirst(prefix.count)) }
      let closest = suggestions(for: String(name.dropFirst(prefix.count)), among: endings).first
      return closest.map { "\(name) is not known; \(prefix)\($0) is" }
        ?? "\(name) is not known: tests read \(ofTests.joined(separator: ", "))"
    }
  }

  private static let areTold = Atomic<Bool>(false)

  /// The warnings of this process's environment, for the first who asks.
  package static func untoldWarnings() -> [String] {
    guard !areTold.exchange(true, ordering: .relaxed) else { return [] }
    return warnings(ProcessInfo.processInfo.environment)
  }
}
