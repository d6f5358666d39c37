package import Foundation
package import PropertyEngine

/// What `touchstone fuzz` asks of the tests of a package: a JSON file that the environment names.
package struct FuzzRequest: Codable, Hashable, Sendable {
  package enum Mode: String, Codable, Sendable {
    /// Each stage of laws says what it is, and runs nothing.
    case list
    /// One stage judges what libFuzzer hands over, until the process ends.
    case fuzz
    /// One stage judges one input, makes what fails small, and stores it.
    case judge
    /// One stage judges all inputs of a folder, and says nothing of what fails: for a program that counts what it
    /// enters.
    case enter
  }

  package var mode: Mode
  /// Where answers are appended, one line of JSON each.
  package var answersPath: String
  /// The stage that is meant; `nil` where all are.
  package var stage: String?
  /// The literals of the package, which fields of models may be besides what a generator makes.
  package var literals = Literals()
  /// A folder for inputs to start from, below which each stage has its own.
  package var seedsPath: String?
  /// A folder for inputs that fail.
  package var artifactsPath: String?
  /// Failures that need not be found again.
  package var known: [FailureKey] = []
  /// The input to judge, or the folder of all.
  package var inputPath: String?
  /// Whether a case at which the process ends is stored.
  package var storesCases = true

  package init(mode: Mode, answersPath: String) {
    self.mode = mode
    self.answersPath = answersPath
  }

  /// Name of the environment variable that holds the path of a request.
  package static let variable = "TOUCHSTONE_FUZZ"
  /// Name of the environment variable that holds libFuzzer's arguments, one a line.
  package static let argumentsVariable = "TOUCHSTONE_FUZZ_ARGUMENTS"

  /// The request that the environment names; `nil` outside of `touchstone fuzz`.
  ///
  /// - Throws: What reading the file throws.
  package init?(environment: [String: String]) throws {
    guard let path = environment[Self.variable], !path.isEmpty else { return nil }
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    self = try JSONDecoder().decode(Self.self, from: data)
  }

  /// The request of this process, read once.
  package static let current = Result { try Self(environment: ProcessInfo.processInfo.environment) }

  /// Whether this process has libFuzzer judge inputs: what a test notes for a trap would take most of the
  /// time, and is noted when the input is judged again.
  package static var isFuzzing: Bool {
    if case .success(let request?) = current { request.mode == .fuzz } else { false }
  }

  /// Writes the request to a file.
  package func write(to url: URL) throws {
    try JSONEncoder().encode(self).write(to: url, options: .atomic)
  }

  // MARK: - Answers

  /// Appends an answer as whole lines, so that several processes may write to the file.
  package func answer(_ answer: FuzzAnswer) throws {
    let line = Data(try answer.line.utf8)
    if !FileManager.default.fileExists(atPath: answersPath) {
      _ = FileManager.default.createFile(atPath: answersPath, contents: nil)
    }
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: answersPath))
    defer { try? handle.close() }
    try handle.seekToEnd()
    try handle.write(contentsOf: line)
  }

  /// The answers so far; a line that a dying process left unfinished is none.
  package var answers: [FuzzAnswer] {
    // An unfinished line may end within a character.
    let data = FileManager.default.contents(atPath: answersPath) ?? Data()
    return String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap { line in
      try? JSONDecoder().decode(FuzzAnswer.self, from: Data(line.utf8))
    }
  }
}

/// What the tests of a package answer.
package enum FuzzAnswer: Codable, Hashable, Sendable {
  /// A stage of laws that can be fuzzed.
  case stage(FuzzStage)
  /// A failure of the judged input, or of what a test judged while it was listed.
  case failure(FuzzFailureText)
  /// The stage judged its inputs, which may have shown failures.
  case judged
  /// At what the process ended; a handler of signals writes what was made ready before.
  case ending(FuzzFailureText)
  /// Why a stage cannot be fuzzed.
  case problem(String)

  /// The answer as a line of JSON, with its end.
  package var line: String {
    get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) + "\n" }
  }
}

/// Laws on samples of one kind that one test asks for: what a fuzzer runs on.
package struct FuzzStage: Codable, Hashable, Sendable {
  /// `NoteTests.noteIsSafe()/Note/document-coder/model`: test, type, subject, kind of laws.
  package let id: String
  /// The test's id as `swift test --filter` matches it; its plain name where no id is known.
  package let test: String
  /// The type that is judged, as messages name it.
  package let model: String
  /// Names of the laws.
  package let laws: [String]

  package init(id: String, test: String, model: String, laws: [String]) {
    self.id = id
    self.test = test
    self.model = model
    self.laws = laws
  }
}

/// A failure, or an end of the process in a model's code, as a test tells it.
package struct FuzzFailureText: Codable, Hashable, Sendable {
  /// What names it among the failures of its stage.
  package var name: FailureKey
  /// What differs, or what ends the process, in one line.
  package var summary: String
  /// All that a person needs.
  package var text: String
  /// The case as a file; `nil` for an end, whose case is where ``storedPath`` says.
  package var caseFile: String?
  /// Where the case is stored; `nil` if it is not.
  package var storedPath: String?
  /// The command that judges it again; `nil` if it is not stored.
  package var replay: String?

  package init(
    name: FailureKey,
    summary: String,
    text: String,
    caseFile: String? = nil,
    storedPath: String? = nil,
    replay: String? = nil
  ) {
    self.name = name
    self.summary = summary
    self.text = text
    self.caseFile = caseFile
    self.storedPath = storedPath
    self.replay = replay
  }
}
