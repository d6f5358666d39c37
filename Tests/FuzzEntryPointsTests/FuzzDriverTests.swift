import Foundation
import FuzzEntryPoints
import Histories
import PropertyEngine
import Synchronization
import TestSupport
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
  of target: FuzzTarget = .histories,
  _ body: (FuzzDriver, URL, Printed) throws -> Result
) throws -> Result {
  try withFolder { folder in
    for (name, bytes) in files {
      try Data(bytes).write(to: folder.appendingPathComponent(name))
    }
    let printed = Printed()
    let driver = FuzzDriver(try target.subject(id)) { printed.add($0) }
    return try body(driver, folder, printed)
  }
}

@Suite("The driver of fuzz targets")
struct FuzzDriverTests {
  private static let mutant = "mutant:counter-as-register"

  private static func failing() throws -> [UInt8] {
    try firstFailing(subject(mutant)).input.bytes
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
      #expect(printed.text.hasSuffix("2 inputs on \(Self.mutant): 1 violates a law"))
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
      #expect(printed.text == driver.usage)
    }
    let environment = [FuzzSubject.variable: "mutant:none"]
    #expect(FuzzProgram.run(arguments: ["x", "histories", "x"], environment: environment) == 64)
    for words in [["x", "histories"], ["x", "nothing"], ["x"], []] {
      #expect(FuzzProgram.run(arguments: words, environment: [:]) == 64)
    }
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
      let smallest = try FuzzTarget.histories.judge(FuzzInputs.read(bytes))
      let stored = try CaseFile.parse(utf8: Array(try Data(contentsOf: file)))
      #expect(smallest.bytes.count < failing.count)
      #expect(stored.sample == smallest.history?.history.text)
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
      for goal in SeedGoal.histories {
        let file = corpus.appendingPathComponent(goal.name + ".bin")
        let input = try FuzzTarget.histories.judge(FuzzInputs.read(file))
        #expect(goal.isReached(input), "\(goal.name)")
        #expect(
          try histories.insert(#require(input.history).history.lines).inserted,
          "\(goal.name)"
        )
        #expect(printed.text.contains("`\(goal.name).bin`"))
      }
      #expect(try FuzzTarget.histories.inputs(at: corpus).count == SeedGoal.histories.count)
    }
  }

  @Test("A program's name says what is judged, whatever follows in it")
  func programs() throws {
    for target in FuzzTarget.all {
      for name in [target.executable, "out/\(target.executable)_release"] {
        let driver = try FuzzDriver(program: name, environment: [:])
        #expect(driver.usage.hasPrefix("usage: TouchstoneFuzz \(target.id) PATH..."))
        #expect(driver.usage.contains("is judged: \(target.usualSubject) unless set"))
        #expect(driver.usage.contains("a case file if") == target.readsChoices)
      }
    }
    #expect(throws: (any Error).self) { try FuzzDriver(program: "Fuzz", environment: [:]) }
  }

  @Test("A file to load is judged as it is; where nothing fails, nothing is shrunk")
  func files() throws {
    let files: [String: [UInt8]] = ["a.automerge": [1, 2], "b.case": [3]]
    try withDriver(nil, files, of: .load) { driver, folder, printed in
      #expect(driver.run(arguments: [folder.path]) == 0)
      #expect(printed.text == "1 input on engine: 0 violate a law")
      #expect(driver.run(arguments: ["--shrink", folder.path + "/a.automerge", "b"]) == 0)
    }
    #expect(throws: UnknownFuzzSubject.self) { try FuzzTarget.load.subject("naive") }
  }
}
