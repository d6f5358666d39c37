/// A text as one word of a shell: as it is if nothing in it has a meaning there, else in quotation marks.
package func shellWord(_ text: String) -> String {
  let isPlain = text.utf8.allSatisfy { byte in
    (0x61...0x7a).contains(byte) || (0x41...0x5a).contains(byte) || (0x30...0x39).contains(byte)
      || "/._-".utf8.contains(byte)
  }
  return isPlain && !text.isEmpty ? text : "'\(text.replacing("'", with: "'\\''"))'"
}

/// The command that runs a test, or all tests, of a package; with a path, so that it judges the case that stands
/// there and nothing else.
///
/// - Parameters:
///   - test: What `swift test --filter` takes; `nil` for all tests.
///   - path: The case file, as it is typed in the package's folder.
/// - Returns: The command, for the package's folder.
package func testCommand(_ test: String?, replaying path: String? = nil) -> String {
  (path.map { "TOUCHSTONE_REPLAY=\(shellWord($0)) " } ?? "") + "swift test"
    + (test.map { " --filter \(shellWord($0))" } ?? "")
}
