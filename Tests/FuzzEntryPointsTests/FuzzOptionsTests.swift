import Foundation
import FuzzEntryPoints
import Testing

@Suite("Options of fuzz targets in files")
struct FuzzOptionsTests {
  private static let fuzz = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fuzz")

  /// The file of a target, as OSS-Fuzz reads it.
  private static func text(_ target: FuzzTarget) -> String {
    let dictionary = "\(target.id).dict"
    let hasDictionary = FileManager.default.fileExists(
      atPath: fuzz.appendingPathComponent("Dictionaries/\(dictionary)").path
    )
    let lines =
      ["[libfuzzer]"] + target.libFuzzerOptions.map { "\($0.name) = \($0.value)" }
      + (hasDictionary ? ["dict = \(dictionary)"] : [])
    return lines.joined(separator: "\n") + "\n"
  }

  @Test("Each target has a file, and the file says what the code says")
  func agree() throws {
    let folder = Self.fuzz.appendingPathComponent("Options")
    for target in FuzzTarget.all {
      let file = folder.appendingPathComponent("\(target.executable).options")
      #expect(try String(contentsOf: file, encoding: .utf8) == Self.text(target))
    }
  }

  @Test("No file is of a target that is gone")
  func noneIsStale() throws {
    let folder = Self.fuzz.appendingPathComponent("Options")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".options") }
    #expect(Set(names) == Set(FuzzTarget.all.map { "\($0.executable).options" }))
  }

  @Test("A target's executable is its id with a capital: scripts rely on it")
  func names() {
    for target in FuzzTarget.all {
      #expect(target.executable.dropFirst(4).lowercased() == target.id)
      #expect(!target.sentence.isEmpty)
    }
  }
}
