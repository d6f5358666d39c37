import Mutants
import PropertyEngine

/// Lines that self-tests print about implementations without a bug.
enum SelfTestLines {
  /// Stands above what the patched program comes to without a bug.
  static let withoutBug = "without a bug:"

  /// Says which false alarms there were, or that there was none.
  static func result(alarms: [String]) -> String {
    alarms.isEmpty ? "  no false alarm" : "  \(alarms.joined(separator: ", "))"
  }

  /// Names a false alarm on a part of the package.
  static func alarm(_ finding: Finding, on target: SourcePatch.Target) -> String {
    "\(target.rawValue): \(finding.key.law): \(finding.difference.summary)"
  }
}
