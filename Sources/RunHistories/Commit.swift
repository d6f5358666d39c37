import Foundation

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
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["git"] + arguments
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = FileHandle.nullDevice
  process.standardInput = FileHandle.nullDevice
  guard (try? process.run()) != nil else { return nil }
  let output = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  guard process.terminationStatus == 0 else { return nil }
  return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  #else
  return nil
  #endif
}
