import Foundation

/// What is checked out in the working directory; `nil` outside of a repository, without git, and on systems where no
/// program can be started.
package func currentCommit() -> String? {
  #if os(Linux) || os(macOS)
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["git", "rev-parse", "HEAD"]
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = FileHandle.nullDevice
  process.standardInput = FileHandle.nullDevice
  guard (try? process.run()) != nil else { return nil }
  let output = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  let text = String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  let isCommit = process.terminationStatus == 0 && (40...64).contains(text.utf8.count)
  return isCommit && text.allSatisfy(\.isHexDigit) ? text : nil
  #else
  return nil
  #endif
}
