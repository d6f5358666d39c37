import Foundation
import Programs

/// What is checked out in the working directory; `nil` outside of a repository, without git, and on systems where no
/// program can be started.
package func currentCommit() -> String? {
  guard let text = gitOutput(["rev-parse", "HEAD"]) else { return nil }
  return (40...64).contains(text.utf8.count) && text.allSatisfy(\.isHexDigit) ? text : nil
}

/// What git prints, without the space around it; `nil` if it fails, without git, and on systems where no program
/// can be started.
package func gitOutput(_ arguments: [String]) -> String? {
  #if os(Linux) || os(macOS)
  let env = URL(fileURLWithPath: "/usr/bin/env")
  return Subprogram.output(of: env, ["git"] + arguments, seconds: 10).map {
    String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
  #else
  return nil
  #endif
}
