import Foundation
import FuzzEntryPoints
import Histories
import PropertyEngine
import Synchronization
import Testing

/// What a driver printed; several tests share none, so a lock is enough.
private final class Printed: Sendable {
  private let lines = Mutex<[String]>([])

  var text: String { lines.withLock { $0.joined(separator: "\n") } }

  func add(_ line: String) { lines.withLock { $0.append(line) } }
}

/// Runs a driver in a folder of its own, which holds the given files.
private func withDriver<Result>(
  _ id: String?,
  _ files: [String: [UInt8]] = [:],
  _ body: (ReplayDriver, URL, Printed) throws -> Result
) throws -> Result {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("touchstone-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  for (name, bytes) in files {
    try Data(bytes).write(to: folder.appendingPathComponent(name))
  }
  let printed = Printed()
  let driver = ReplayDriver(subject: try FuzzSubject(id: id)) { printed.add($0) }
  return try body(driver, folder, printed)
}

@Suite("The replay driver")
struct ReplayDriverTests {
  private static let mutant = "mutant:counter-as-register"

  private static func failing() throws -> [UInt8] {
    try firstFailing(FuzzSubject(id: mutant)).0.bytes
  }

  @Test("A folder's inputs are judged: .bin files and those that libFuzzer named")
  func judgesFolder() throws {
    let failing = try Self.failing()
    let files = ["a.bin": failing, "0f3c": failing, "README.md": failing, ".hidden": failing]
    try withDriver("naive", files) { driver, folder, printed in
      #expect(driver.run(arguments: [folder.path]) == 0)
      #expect(printed.text == "2 inputs on naive: 0 violate a law")
    }
    try withDriver(Self.mutant, files) { driver, folder, printed in
      #expect(driver.run(arguments: [folder.path]) == 1)
      #expect(printed.text.hasSuffix("2 inputs on \(Self.mutant): 2 violate a law"))
      #expect(printed.text.contains("/0f3c\n"))
      #expect(printed.text.contains("/a.bin\n"))
    }
  }

  @Test("A file that is named is judged, whatever its name")
  func judgesFile() throws {
    try withDriver(Self.mutant, ["x.md": Self.failing(), "y.md": []]) { driver, folder, printed in
      let (x, y) = (folder.path + "/x.md", folder.path + "/y.md")
      #expect(driver.run(arguments: [y]) == 0)
      #expect(driver.run(arguments: [y, x]) == 1)
      #expect(printed.text.hasSuffix("2 inputs on \(Self.mutant): 1 violate a law"))
    }
  }

  @Test("What cannot be judged is an error, and a wrong call is told from it")
  func refuses() throws {
    try withDriver(nil) { driver, folder, printed in
      #expect(driver.run(arguments: [folder.path]) == 2)
      #expect(driver.run(arguments: [folder.path + "/none"]) == 2)
      #expect(driver.run(arguments: ["--shrink", folder.path + "/none", folder.path]) == 2)
      for arguments in [[], ["--unknown"], ["--shrink", "a"], ["--seeds"], ["--seeds", "a", "b"]] {
        #expect(driver.run(arguments: arguments) == 64, "\(arguments)")
      }
      #expect(printed.text == "")
      #expect(driver.run(arguments: ["--help"]) == 0)
      #expect(printed.text == ReplayDriver.usage)
    }
    let environment = [FuzzSubject.variable: "mutant:none"]
    #expect(ReplayDriver.main(arguments: ["FuzzHistories", "x"], environment: environment) == 64)
    #expect(ReplayDriver.main(arguments: ["FuzzHistories"], environment: [:]) == 64)
  }

  @Test("A failing input is shrunk to bytes or to a case file; one that holds is left alone")
  func shrinks() throws {
    let failing = try Self.failing()
    try withDriver(Self.mutant, ["a": failing, "b": []]) { driver, folder, printed in
      let (input, held) = (folder.path + "/a", folder.path + "/b")
      let bytes = folder.appendingPathComponent("small.bin")
      let file = folder.appendingPathComponent("small.case")
      #expect(driver.run(arguments: ["--shrink", input, bytes.path]) == 1)
      #expect(driver.run(arguments: ["--shrink", input, file.path]) == 1)
      let smallest = HistoryInput(bytes: Array(try Data(contentsOf: bytes)))
      let stored = try CaseFile.parse(utf8: Array(try Data(contentsOf: file)))
      #expect(smallest.bytes.count < failing.count)
      #expect(stored.sample == smallest.history.history.text)
      #expect(printed.text.contains("violated: \(stored.law) on \(Self.mutant)"))
      #expect(driver.run(arguments: ["--shrink", held, folder.path + "/none.bin"]) == 0)
      #expect(!FileManager.default.fileExists(atPath: folder.path + "/none.bin"))
    }
  }

  @Test("The seed corpus has one input for each situation, and no history twice")
  func seeds() throws {
    try withDriver(nil) { driver, folder, printed in
      let corpus = folder.appendingPathComponent("corpus")
      #expect(driver.run(arguments: ["--seeds", corpus.path]) == 0)
      var histories: Set<[String]> = []
      for goal in SeedGoal.all {
        let file = corpus.appendingPathComponent(goal.name + ".bin")
        let input = HistoryInput(bytes: Array(try Data(contentsOf: file)))
        #expect(goal.isReached(input), "\(goal.name)")
        #expect(histories.insert(input.history.history.lines).inserted, "\(goal.name)")
        #expect(printed.text.contains("`\(goal.name).bin`"))
      }
      #expect(try inputFiles(at: corpus).count == SeedGoal.all.count)
    }
  }
}
