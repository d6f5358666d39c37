import Foundation
import FuzzSessions
package import PropertyEngine
import Texts

/// What the executable of a fuzz target does: as a fuzzer it judges what libFuzzer hands over; without
/// libFuzzer it judges stored inputs, makes a failing one smaller, and makes the seed corpus.
package struct FuzzDriver: FuzzedCode {
  private let subject: FuzzSubject
  let mutation: FuzzMutation
  private let tally = FuzzTally()
  private let output: @Sendable (String) -> Void

  /// A driver that judges `subject`, and hands each line of output to `output`.
  package init(
    _ subject: FuzzSubject,
    output: @escaping @Sendable (String) -> Void = { print($0) }
  ) {
    self.subject = subject
    mutation = FuzzMutation(subject)
    self.output = output
  }

  /// The driver of the target that a program is named by, on the subject that the environment names.
  ///
  /// `FuzzHistories` and `out/FuzzHistories_release` are both programs of the target *histories*.
  ///
  /// - Throws: An error in words if there is no such target, or no such subject.
  package init(program: String, environment: [String: String]) throws {
    let name = URL(fileURLWithPath: program).lastPathComponent
    guard let target = FuzzTarget.all.first(where: { name.hasPrefix($0.executable) }) else {
      let names = FuzzTarget.all.map(\.executable).joined(separator: ", ")
      throw FuzzFailure("no fuzz target is called '\(name)': a program's name begins with \(names)")
    }
    self.init(try target.subject(environment[FuzzSubject.variable]))
  }

  /// The name of the program that ignores its inputs: what libFuzzer itself costs.
  package static let idleProgram = "FuzzNothing"

  // MARK: - Under libFuzzer

  /// Judges a fuzzer's bytes.
  ///
  /// A law that the subject breaks is reported on standard error, with the sample, the difference
  /// and how to replay it; then the process traps, which is how a fuzzer learns of it.
  ///
  /// - Returns: 0, which keeps an input that reaches something new in the fuzzer's corpus.
  package func judge(_ bytes: [UInt8]) -> CInt {
    let input = FuzzInput(bytes: bytes, on: subject)
    mutation.keep(input, of: bytes)
    tally.add(isPassed: input.isPastEntrance)
    if let sample = input.judged.sample { FuzzFeedback.note(sample) }
    guard let finding = input.finding else { return 0 }
    complain(input.explanation(of: finding, file: nil))
    abort()
  }

  package func mutated(
    _ bytes: [UInt8],
    seed: UInt32,
    by plain: ChoiceMutation.Plain
  ) -> [UInt8] {
    mutation.mutated(bytes, seed: seed, by: plain)
  }

  package func crossed(_ first: [UInt8], _ second: [UInt8], seed: UInt32) -> [UInt8] {
    mutation.crossed(first, second, seed: seed)
  }

  /// Tells the command that runs the fuzzer how many inputs got past the entrance.
  package func end() {
    tally.append(environment: ProcessInfo.processInfo.environment)
  }

  // MARK: - The program

  /// Runs the command that `arguments`, without the program's name, spell; its exit status.
  package func run(arguments: [String]) -> Int32 {
    do {
      switch arguments.first {
      case "--help", "-h":
        output(usage)
        return 0
      case "--shrink" where arguments.count == 3:
        return try shrink(arguments[1], to: URL(fileURLWithPath: arguments[2]))
      case "--seeds" where arguments.count == 2:
        try makeSeeds(URL(fileURLWithPath: arguments[1]))
        return 0
      case let first? where !first.hasPrefix("-"): return try judge(arguments)
      default:
        complain(usage)
        return 64
      }
    } catch {
      complain("TouchstoneFuzz \(subject.target.id): \(error)\n")
      return 2
    }
  }

  /// How the driver is called.
  package var usage: String {
    let target = subject.target
    let program = "TouchstoneFuzz \(target.id)"
    let endings = target.extensions.filter { !$0.isEmpty }.map { "`.\($0)`" }
    let caseHelp =
      target.readsChoices ? ",\n             as a case file if OUTPUT ends in .case" : ""
    return """
      usage: \(program) PATH...
             \(program) --shrink INPUT OUTPUT
             \(program) --seeds FOLDER

      A PATH is an input, or a folder whose inputs are the files that end in \(
        endings.joined(separator: " or ")
      ) or have
      no extension, which is how libFuzzer names them. Each is judged; a violated law is reported
      with the sample, the difference, and the command that replays it.

        --shrink   makes the smallest input that breaks the same law in the same way\(caseHelp)
        --seeds    makes the seed corpus: \(target.seeds.sentence)

      \(FuzzSubject.variable) chooses what is judged: \(target.usualSubject) unless set.

      exit: 0 all laws held; 1 a law was violated; 2 a file cannot be read or written; 64 usage.

      """
  }

  private func input(_ file: URL) throws -> FuzzInput {
    FuzzInput(bytes: try FuzzInputs.read(file), on: subject)
  }

  private func judge(_ paths: [String]) throws -> Int32 {
    let files = try paths.flatMap { try subject.target.inputs(at: URL(fileURLWithPath: $0)) }
    guard !files.isEmpty else {
      throw FuzzFailure("there are no inputs at \(paths.joined(separator: ", "))")
    }
    var failureCount = 0
    for file in files {
      let input = try input(file)
      guard let finding = input.finding else { continue }
      failureCount += 1
      output(input.explanation(of: finding, file: file.relativePath))
    }
    let failures = counted(failureCount, "violates", "violate")
    output("\(counted(files.count, "input")) on \(subject.id): \(failures) a law")
    return failureCount == 0 ? 0 : 1
  }

  private func shrink(_ path: String, to goal: URL) throws -> Int32 {
    let input = try input(URL(fileURLWithPath: path))
    guard let finding = input.finding else {
      output("all laws hold on \(subject.id): there is nothing to shrink")
      return 0
    }
    let (small, smallFinding) = input.smallest(showing: finding)
    let file = goal.pathExtension == "case" ? small.caseFile(smallFinding) : nil
    let data = file.map { Data($0.render().utf8) } ?? Data(small.bytes)
    try data.write(to: goal, options: .atomic)
    output(small.explanation(of: smallFinding, file: goal.relativePath))
    return 1
  }

  private func makeSeeds(_ folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try subject.target.seeds.make(subject) { seed in
      let file = folder.appendingPathComponent("\(seed.name).bin")
      try Data(seed.bytes).write(to: file, options: .atomic)
      output("| `\(seed.name).bin` | \(seed.bytes.count) | \(seed.sentence) |")
    }
  }
}

/// The program `TouchstoneFuzz`.
///
/// Public for the nested package `Fuzz/` alone. Unstable.
public enum FuzzProgram {
  /// Runs the process as its arguments and environment say; its exit status.
  ///
  /// With libFuzzer the program's name is that of the target, and libFuzzer's arguments follow:
  /// `FuzzHistories FOLDER...`. Without, the target is the first argument: `TouchstoneFuzz histories PATH...`.
  public static func run(arguments: [String], environment: [String: String]) -> Int32 {
    do {
      let program = arguments.first ?? ""
      if LibFuzzer.isLinked {
        let name = URL(fileURLWithPath: program).lastPathComponent
        let code: any FuzzedCode =
          name.hasPrefix(FuzzDriver.idleProgram)
          ? IdleCode() : try FuzzDriver(program: program, environment: environment)
        LibFuzzer.run(code, arguments: arguments)
      }
      let id = arguments.dropFirst().first ?? ""
      guard let target = FuzzTarget(id: id) else {
        let names = FuzzTarget.all.map(\.id).joined(separator: ", ")
        throw FuzzFailure("no fuzz target is called '\(id)': the first argument is one of \(names)")
      }
      let driver = FuzzDriver(try target.subject(environment[FuzzSubject.variable]))
      return driver.run(arguments: Array(arguments.dropFirst(2)))
    } catch {
      complain("\(error)\n")
      return 64
    }
  }
}

/// Why a driver cannot do what it was asked for.
struct FuzzFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Code that ignores its inputs.
private struct IdleCode: FuzzedCode {
  func judge(_: [UInt8]) -> CInt { 0 }

  func mutated(_ bytes: [UInt8], seed: UInt32, by plain: ChoiceMutation.Plain) -> [UInt8] {
    plain(bytes, .max)
  }

  func crossed(_: [UInt8], _: [UInt8], seed: UInt32) -> [UInt8] { [] }
}

/// Writes to standard error at once: nothing may be left in a buffer when the process traps.
private func complain(_ text: String) {
  // If this fails, there is no one left to tell.
  try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
}
