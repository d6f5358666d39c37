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
    let lines =
      ["[libfuzzer]"] + target.libFuzzerOptions.map { "\($0.name) = \($0.value)" }
      + (target.dictionary == nil ? [] : ["dict = \(target.id).dict"])
    return lines.joined(separator: "\n") + "\n"
  }

  @Test("Each target has its options as a file, and its dictionary; no file is of another")
  func agree() throws {
    var options: [String: String] = [:]
    var dictionaries: [String: String] = [:]
    for target in FuzzTarget.all {
      options["\(target.executable).options"] = Self.text(target)
      dictionaries["\(target.id).dict"] = target.dictionary?.text
    }
    #expect(dictionaries.count > 8)
    for (folder, files) in [("Options", options), ("Dictionaries", dictionaries)] {
      let folder = Self.fuzz.appendingPathComponent(folder)
      if ProcessInfo.processInfo.environment["TOUCHSTONE_GENERATE"] != nil {
        for (name, text) in files {
          try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(Set(names) == Set(files.keys).union(["README.md"]))
      for (name, text) in files {
        let file = folder.appendingPathComponent(name)
        let found = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        #expect(found == text, "Scripts/generate.sh writes \(name)")
      }
    }
  }

  @Test("A dictionary spells bytes that are no plain letters in hexadecimal digits")
  func spelling() throws {
    let load = try #require(FuzzTarget.load.dictionary).text
    #expect(load.contains("chunk.0=\"\\x85oJ\\x83\\x00\\x00\\x00\\x00\\x00\"\n"))
    #expect(load.contains("op.action=\"B\\x02\"\n"))
    let json = try #require(FuzzTarget(id: "json")?.dictionary).text
    #expect(json.contains("word1=\"null\"\n"))
    #expect(json.contains("\\x5cu00e9"))
    #expect(FuzzTarget.histories.dictionary == nil)
  }

  @Test("A target's executable is its id with a capital: scripts rely on it")
  func names() {
    for target in FuzzTarget.all {
      #expect(target.executable.dropFirst(4).lowercased() == target.id)
      #expect(!target.sentence.isEmpty)
    }
  }
}
