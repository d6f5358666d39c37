package import Foundation
import Histories
import PropertyEngine

/// What the executable of the target *histories* is when it is built without libFuzzer: it judges
/// stored inputs, makes a failing one smaller, and makes the seed corpus.
public struct ReplayDriver {
  /// How the driver is called.
  public static let usage = """
    usage: FuzzHistories PATH...
           FuzzHistories --shrink INPUT OUTPUT
           FuzzHistories --seeds FOLDER

    A PATH is an input, or a folder of which every `.bin` file is one and every file without an
    extension, which is how libFuzzer names them. Each is judged; a law that is violated is told with
    the history, the difference, and the command that replays it.

      --shrink   makes the smallest input that breaks the same law in the same way; an OUTPUT that
                 ends in .case is written as a case file
      --seeds    makes the seed corpus: the smallest input found for each situation by name

    \(FuzzSubject.variable) chooses what is judged: naive (unless set), engine, or mutant:ID.

    exit: 0 all laws held; 1 a law was violated; 2 a file cannot be read or written; 64 usage.

    """

  /// Histories that are looked at for each situation of the seed corpus.
  package static let seedCaseLimit = 20_000
  /// Candidates for each smaller input.
  package static let shrinkLimit = 4_000

  private let subject: FuzzSubject
  private let output: @Sendable (String) -> Void

  /// A driver that judges `subject`, and hands each line of output to `output`.
  public init(
    subject: FuzzSubject,
    output: @escaping @Sendable (String) -> Void = { print($0) }
  ) {
    self.subject = subject
    self.output = output
  }

  /// Runs the process as its arguments and environment say; its exit status.
  public static func main(arguments: [String], environment: [String: String]) -> Int32 {
    do {
      let subject = try FuzzSubject(id: environment[FuzzSubject.variable])
      return Self(subject: subject).run(arguments: Array(arguments.dropFirst()))
    } catch {
      complain("\(error)\n")
      return 64
    }
  }

  /// Runs the command that `arguments`, without the program's name, spell; its exit status.
  public func run(arguments: [String]) -> Int32 {
    do {
      switch arguments.first {
      case "--help", "-h":
        output(Self.usage)
        return 0
      case "--shrink" where arguments.count == 3:
        return try shrink(URL(fileURLWithPath: arguments[1]), URL(fileURLWithPath: arguments[2]))
      case "--seeds" where arguments.count == 2:
        try makeSeeds(URL(fileURLWithPath: arguments[1]))
        return 0
      case let first? where !first.hasPrefix("-"):
        return try judge(arguments)
      default:
        complain(Self.usage)
        return 64
      }
    } catch {
      complain("FuzzHistories: \(error)\n")
      return 2
    }
  }

  private func judge(_ paths: [String]) throws -> Int32 {
    let files = try paths.flatMap { try inputFiles(at: URL(fileURLWithPath: $0)) }
    var failureCount = 0
    for file in files {
      let input = HistoryInput(bytes: Array(try Data(contentsOf: file)))
      guard let finding = input.finding(on: subject) else { continue }
      failureCount += 1
      output(input.words(for: finding, on: subject, file: file.relativePath))
    }
    guard !files.isEmpty else { throw NothingToJudge(paths: paths) }
    output("\(files.count) inputs on \(subject.id): \(failureCount) violate a law")
    return failureCount == 0 ? 0 : 1
  }

  private func shrink(_ file: URL, _ target: URL) throws -> Int32 {
    let input = HistoryInput(bytes: Array(try Data(contentsOf: file)))
    guard let finding = input.finding(on: subject) else {
      output("all laws hold on \(subject.id): there is nothing to shrink")
      return 0
    }
    let smallest = input.shrunk(stepLimit: Self.shrinkLimit) { candidate in
      candidate.finding(on: subject)?.isSameFailure(as: finding) == true
    }
    let smallestFinding = smallest.finding(on: subject) ?? finding
    let data =
      target.pathExtension == "case"
      ? Data(smallest.caseFile(smallestFinding, on: subject).render().utf8) : Data(smallest.bytes)
    try data.write(to: target, options: .atomic)
    output(smallest.words(for: smallestFinding, on: subject, file: target.relativePath))
    return 1
  }

  private func makeSeeds(_ folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var known: Set<History> = []
    for goal in SeedGoal.all {
      let input = goal.input(
        seed: 1,
        caseLimit: Self.seedCaseLimit,
        shrinkLimit: Self.shrinkLimit,
        besides: known
      )
      guard let input else { throw UnreachedGoal(name: goal.name) }
      known.insert(input.history.history)
      let file = folder.appendingPathComponent(goal.name + ".bin")
      try Data(input.bytes).write(to: file, options: .atomic)
      output("| `\(goal.name).bin` | \(input.bytes.count) | \(goal.sentence) |")
    }
  }
}

/// The inputs at a path: the file itself, or those in the folder, in the order of their names.
///
/// In a folder, an input ends in `.bin` or has no extension, which is how libFuzzer names them.
///
/// - Throws: What the file system says, if the path is not there.
package func inputFiles(at url: URL, extensions: [String] = ["", "bin"]) throws -> [URL] {
  let values = try url.resourceValues(forKeys: [.isDirectoryKey])
  guard values.isDirectory == true else { return [url] }
  return try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    .map { url.appendingPathComponent($0) }
    .filter { file in
      let isFolder = try? file.resourceValues(forKeys: [.isDirectoryKey]).isDirectory
      return extensions.contains(file.pathExtension) && isFolder == false
        && !file.lastPathComponent.hasPrefix(".")
    }
}

/// A driver was given paths with no input in them.
private struct NothingToJudge: Error, CustomStringConvertible {
  let paths: [String]

  var description: String { "there are no inputs at \(paths.joined(separator: ", "))" }
}

/// No history reached a situation of the seed corpus.
private struct UnreachedGoal: Error, CustomStringConvertible {
  let name: String

  var description: String {
    "no history of \(ReplayDriver.seedCaseLimit) reached \(name): the generator never makes it"
  }
}
