import CodingLaws
import Foundation
import PropertyEngine

/// What an executable of a target of coders is when it is built without libFuzzer: it judges stored
/// inputs, makes a failing one smaller, and makes the seed corpus.
public struct CoderReplayDriver: Sendable {
  /// Candidates for each smaller input.
  package static let shrinkLimit = 4_000
  /// Inputs that are looked at for each of the seed corpus.
  package static let seedCaseLimit = 400

  private let target: CoderFuzzTarget
  private let subject: CoderFuzzSubject
  private let output: @Sendable (String) -> Void

  /// A driver that judges `subject`, and hands each line of output to `output`.
  public init(
    _ target: CoderFuzzTarget,
    subject: CoderFuzzSubject,
    output: @escaping @Sendable (String) -> Void = { print($0) }
  ) {
    self.target = target
    self.subject = subject
    self.output = output
  }

  private var usage: String {
    """
    usage: \(target.executable) PATH...
           \(target.executable) --shrink INPUT OUTPUT
           \(target.executable) --seeds FOLDER

    A PATH is an input, or a folder of which every `.bin` file is one and every file without an
    extension, which is how libFuzzer names them.

      --shrink   makes the smallest input that breaks the same law in the same way; an OUTPUT that
                 ends in .case is written as a case file
      --seeds    makes the seed corpus: for each model, an input that its law holds for

    \(FuzzSubject.variable) chooses what is judged: document-coder (unless set), naive-coder, or
    mutant:ID.

    exit: 0 all laws held; 1 a law was violated; 2 a file cannot be read or written; 64 usage.

    """
  }

  /// Runs the process as its arguments and environment say; its exit status.
  public static func main(
    _ target: CoderFuzzTarget,
    arguments: [String],
    environment: [String: String]
  ) -> Int32 {
    do {
      let subject = try CoderFuzzSubject(id: environment[FuzzSubject.variable])
      return Self(target, subject: subject).run(arguments: Array(arguments.dropFirst()))
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
        output(usage)
        return 0
      case "--shrink" where arguments.count == 3:
        return try shrink(URL(fileURLWithPath: arguments[1]), URL(fileURLWithPath: arguments[2]))
      case "--seeds" where arguments.count == 2:
        try makeSeeds(URL(fileURLWithPath: arguments[1]))
        return 0
      case let first? where !first.hasPrefix("-"): return try judge(arguments)
      default:
        complain(usage)
        return 64
      }
    } catch {
      complain("\(target.executable): \(error)\n")
      return 2
    }
  }

  private func input(_ file: URL) throws -> CodingInput {
    CodingInput(bytes: Array(try Data(contentsOf: file)), target, subject)
  }

  private func judge(_ paths: [String]) throws -> Int32 {
    let files = try paths.flatMap { try inputFiles(at: URL(fileURLWithPath: $0)) }
    var failureCount = 0
    for file in files {
      let input = try input(file)
      guard let finding = input.finding(on: subject) else { continue }
      failureCount += 1
      output(input.words(for: finding, on: subject, file: file.relativePath))
    }
    guard !files.isEmpty else {
      complain("\(target.executable): there are no inputs at \(paths.joined(separator: ", "))\n")
      return 2
    }
    output("\(files.count) inputs on \(subject.id): \(failureCount) violate a law")
    return failureCount == 0 ? 0 : 1
  }

  private func shrink(_ file: URL, _ goal: URL) throws -> Int32 {
    let input = try input(file)
    guard let finding = input.finding(on: subject) else {
      output("all laws hold on \(subject.id): there is nothing to shrink")
      return 0
    }
    let smallest = input.shrunk(on: subject, stepLimit: Self.shrinkLimit) { candidate in
      candidate.finding(on: subject)?.isSameFailure(as: finding) == true
    }
    let smallestFinding = smallest.finding(on: subject) ?? finding
    let data =
      goal.pathExtension == "case"
      ? Data(smallest.caseFile(smallestFinding, on: subject).render().utf8) : Data(smallest.bytes)
    try data.write(to: goal, options: .atomic)
    output(smallest.words(for: smallestFinding, on: subject, file: goal.relativePath))
    return 1
  }

  /// The seeds: for each law of the target the smallest input of a few models that it holds for.
  private func makeSeeds(_ folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for law in target.laws {
      for model in Self.seedModels {
        guard let input = seed(of: law.name, model) else { continue }
        let name = "\(law.name.replacing(".", with: "-"))-\(model.lowercased())"
        let file = folder.appendingPathComponent("\(name).bin")
        try Data(input.bytes).write(to: file, options: .atomic)
        output("| `\(name).bin` | \(input.bytes.count) | `\(law.name)` holds for a \(model) |")
      }
    }
  }

  /// Models of very different shapes; the last ones for laws that speak of few.
  private static let seedModels = [
    "Scalars", "LeafOptionals", "Shapes", "Branch", "Dog", "MeetingNotes", "ScalarLists",
    "ColorList", "TextList", "NestedByHand", "SampleNote",
  ]

  private func seed(of law: String, _ model: String) -> CodingInput? {
    func fits(_ input: CodingInput) -> Bool {
      input.law.name == law && input.sample?.model == model && (input.sample?.size ?? 0) > 4
        && input.verdict(on: subject) == .held
    }
    for index in 0..<(Self.seedCaseLimit * target.laws.count) {
      let choices = Choices(seed: Seed(value: 1).stream(UInt64(index)))
      let input = CodingInput(drawing: choices, target, subject)
      if fits(input) {
        return input.shrunk(on: subject, stepLimit: Self.seedCaseLimit, keeping: fits)
      }
    }
    return nil
  }
}
