import Campaigns
import CaseFiles
import Foundation
import RunHistories

/// What `touchstone init` puts into a user's package: a first test, and a workflow that runs it.
struct Starter {
  /// Why nothing was written.
  enum Refusal: Error, Hashable, CustomStringConvertible {
    /// The folder is no Swift package.
    case noPackage(String)
    /// A file that is there already.
    case wouldOverwrite(String)

    var description: String {
      switch self {
      case .noPackage(let path):
        "there is no Package.swift in \(path): `swift init --type library` makes one"
      case .wouldOverwrite(let path): "nothing was written, as there is already \(path)"
      }
    }
  }

  /// What the first test judges.
  enum Kind: String, CaseIterable {
    case model
    case merge
    case engine

    fileprivate var product: String {
      switch self {
      case .model, .merge: "Touchstone"
      case .engine: "TouchstoneEngines"
      }
    }

    fileprivate var test: (path: String, text: String) {
      switch self {
      case .model: ("Tests/\(target)/ModelLaws.swift", modelTest)
      case .merge: ("Tests/\(target)/MergeLaws.swift", mergeTest)
      case .engine: ("Tests/\(target)/ReplicaLaws.swift", engineTest)
      }
    }

    /// What a user has who wants this one.
    fileprivate var question: String {
      switch self {
      case .model: "a Codable model"
      case .merge: "a type that merges"
      case .engine: "a CRDT engine, in any language"
      }
    }

    /// What a person is asked who did not say which one.
    static var questions: String {
      let lines = allCases.enumerated().map { "  \($0 + 1)  \($1.question)" }
      return "What do you want to test?\n\(lines.joined(separator: "\n"))\n[1] "
    }

    /// The kind that an answer names, by its number or name; the first one for an empty answer.
    init?(answer: String) {
      let word = answer.trimmingCharacters(in: .whitespaces)
      let numbered = Int(word).flatMap { number in
        Self.allCases.indices.contains(number - 1) ? Self.allCases[number - 1] : nil
      }
      guard let kind = word.isEmpty ? .model : numbered ?? Self(rawValue: word) else { return nil }
      self = kind
    }
  }

  /// The target of the test.
  static let target = "LawTests"
  /// The folder beside the test in which failures are stored.
  static let failures = HistoryStore.caseFolderOfTests

  private let kind: Kind
  private let folder: URL

  init(_ kind: Kind, in folder: URL) {
    self.kind = kind
    self.folder = folder
  }

  /// A file of the package.
  struct File: Hashable {
    /// Below the folder.
    let path: String
    /// Whether it was there before, and stays as it was.
    let isKept: Bool
  }

  private func isThere(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.appendingPathComponent(path).path)
  }

  /// Writes the test, and unless they are there the workflow, which runs the tests of all kinds, and
  /// the folder of their failures: SwiftPM warns of an excluded folder that is not there.
  ///
  /// `program`: Where this program is, in whose clone the workflow finds Touchstone.
  ///
  /// - Throws: ``Refusal``, ``FileFailure``.
  func write(_ program: URL?) throws -> [File] {
    let manifest = folder.appendingPathComponent("Package.swift")
    guard FileManager.default.fileExists(atPath: manifest.path) else {
      throw Refusal.noPackage(folder.path)
    }
    guard !isThere(kind.test.path) else { throw Refusal.wouldOverwrite(kind.test.path) }
    let failures = "Tests/\(Self.target)/\(Self.failures)/README.md"
    let files = [
      (kind.test.path, named(kind.test.text)), (StarterWorkflow.path, workflow(program).text),
      (failures, Self.failuresText),
    ]
    return try files.map { path, text in
      let isKept = isThere(path)
      if !isKept { try writeFile(Data(text.utf8), to: folder.appendingPathComponent(path)) }
      return File(path: path, isKept: isKept)
    }
  }

  /// What the manifest says; empty if it cannot be read.
  private var manifest: String {
    let url = folder.appendingPathComponent("Package.swift")
    return (try? String(contentsOf: url, encoding: .utf8)) ?? ""
  }

  /// The first target that the manifest names and that is no test: most likely what is to be tested.
  private var ownTarget: String? {
    let target = #/\.(?:target|executableTarget)\(\s*name:\s*"([^"]+)"/#
    return manifest.firstMatch(of: target).map { String($0.output.1) }
  }

  /// A test with the name of the module in its import, which stays a comment: the test declares an
  /// example type, and a user replaces that first.
  private func named(_ test: String) -> String {
    guard let ownTarget else { return test }
    return test.replacing("@testable import MyApp", with: "@testable import \(ownTarget)")
  }

  /// The products that the tests of the package need, as a manifest names them.
  private var products: [String] {
    var needed: [String] = []
    for kind in Kind.allCases where kind == self.kind || isThere(kind.test.path) {
      if !needed.contains(kind.product) { needed.append(kind.product) }
    }
    return needed.map { ".product(name: \"\($0)\", package: \"touchstone\")" }
  }

  /// What the manifest says of the target of the tests; `nil` if it has none.
  private var statedTarget: Substring? {
    let manifest = manifest
    let start = #/\.testTarget\(\s*name:\s*"(\w+)"/#
    guard let found = manifest.matches(of: start).first(where: { $0.output.1 == Self.target })
    else {
      return nil
    }
    let rest = manifest[found.range.upperBound...]
    return rest.prefix(
      upTo: rest.firstMatch(of: #/[tT]arget\(/#)?.range.lowerBound ?? rest.endIndex
    )
  }

  /// The clone that a program was built in; `nil` if it stands somewhere else.
  static func clone(ofProgram program: URL) -> URL? {
    var folder = program.resolvingSymlinksInPath().deletingLastPathComponent()
    while folder.path.count > 1 {
      if folder.lastPathComponent == ".build" {
        let clone = folder.deletingLastPathComponent()
        let manifest = try? Data(contentsOf: clone.appendingPathComponent("Package.swift"))
        let name = Data("name: \"touchstone\"".utf8)
        return manifest?.range(of: name) == nil ? nil : clone
      }
      folder.deleteLastPathComponent()
    }
    return nil
  }

  /// The workflow of the package whose manifest has the line of ``dependency(_:)``.
  func workflow(_ program: URL?) -> StarterWorkflow {
    StarterWorkflow(of: folder, touchstone: program.flatMap(Self.clone(ofProgram:)))
  }

  /// The line that names Touchstone: the clone that this program was built in, since that is there; elsewhere a line
  /// to be filled in, and how.
  private func dependency(_ program: URL?) -> String {
    func line(_ path: String) -> String {
      ".package(name: \"touchstone\", path: \"\(path)\"),"
    }
    guard let clone = program.flatMap(Self.clone(ofProgram:)) else {
      // A branch, and no version: none has been released yet.
      return """
            .package(url: "<where Touchstone is>", branch: "main"),

        Put the address of Touchstone's repository in the place of <where Touchstone is>, such as
        https://example.com/you/touchstone.git, or name a clone by its path, such as one beside this package:

            \(line("../touchstone"))

        """
    }
    return "    \(line(relativePath(from: folder, to: clone)))\n"
  }

  /// What is left to be done by hand, since this program edits no manifest; or that all of it is done.
  ///
  /// `program`: Where this program is.
  func manifestLines(_ program: URL?) -> String {
    let products = products
    let hasDependency = manifest.firstMatch(of: #/\.package\([^)]*touchstone/#.ignoresCase()) != nil
    let stated = statedTarget
    let isComplete = stated.map { stated in
      (products + ["\"\(Self.failures)\""]).allSatisfy { stated.contains($0) }
    }
    var lines: [String] = []
    if !hasDependency {
      lines.append("In Package.swift, beside the other dependencies:\n\n\(dependency(program))")
    }
    if isComplete != true {
      let dependencies = (ownTarget.map { ["\"\($0)\""] } ?? []) + products
      let place =
        isComplete == nil
        ? "among the targets" : "in the place of the target \(Self.target) that is there"
      lines.append(
        """
        \(hasDependency ? "In Package.swift, " : "and ")\(place):

            .testTarget(
              name: "\(Self.target)",
              dependencies: [\(dependencies.joined(separator: ", "))],
              exclude: ["\(Self.failures)"]
            ),

        """
      )
    }
    lines.append(
      lines.isEmpty
        ? "Package.swift has what it needs already. Then:"
        : "On Apple systems the package also needs `platforms: [.macOS(.v15)]`. Then:"
    )
    return lines.joined(separator: "\n") + "\n\n    swift test --filter \(Self.target)"
  }

  private static let failuresText = """
    # Stored failures

    The smallest case of each failure of the tests beside this folder. It is tried first at the next run: commit
    it, and it guards what was fixed. The target in `Package.swift` excludes this folder, as SwiftPM warns of
    files that it does not know.

    What Touchstone did not store does not belong here.

    """

  private static let modelTest = #"""
    import Foundation
    import Testing
    import Touchstone

    // @testable import MyApp

    /// Put your own types in the place of this one, and the module that they are in above.
    struct Note: Codable {
      var title: String
      var due: Date?
      var tags: [String]
    }

    /// Laws that every stored model keeps: what is written is read, as it was.
    @Suite("Laws of models")
    struct ModelLaws {
      /// Values are derived from `init(from:)`; a failure prints the smallest one that shows it.
      @Test("Notes are kept by documents that merge")
      func notesInDocuments() async throws {
        try await expectLaws(of: Note.self)
        // A value that `init(from:)` cannot make, such as a nil that it reads as 1, is tried only if you give it:
        // try await expectLaws(of: Note.self, samples: [Note(title: "", due: nil, tags: [])])
      }

      @Test("Notes are kept by JSON")
      func notesInJSON() async throws {
        try await expectLaws(of: Note.self, with: .foundationJSON)
      }
    }

    """#

  private static let mergeTest = #"""
    import Testing
    import Touchstone

    // @testable import MyApp

    /// Put your own type in the place of this one: a counter to which each replica adds for itself.
    struct Votes {
      let replica: Int
      var counts: [Int: Int] = [:]

      mutating func add(_ amount: Int) { counts[replica, default: 0] += amount }

      mutating func merge(_ other: Votes) { counts.merge(other.counts) { max($0, $1) } }
    }

    /// How Touchstone starts, edits and reads a replica.
    extension Votes: MergeType {
      init(replica: Int) { self.init(replica: replica, counts: [:]) }

      mutating func edit(_ source: inout ValueSource) -> String {
        let amount = source.number(in: 1...3)
        add(amount)
        return "adds \(amount)"
      }

      var content: Int { counts.values.reduce(0, +) }
    }

    /// Laws that every type keeps whose replicas merge: they converge, however their states travel.
    @Suite("Laws of merging")
    struct MergeLaws {
      /// A failure prints the shortest history that shows it.
      @Test("Votes converge")
      func votesConverge() async throws {
        try await expectConverges(Votes.self)
      }
    }

    """#

  private static let engineTest = #"""
    import Testing
    import TouchstoneEngines

    /// Laws that every replicated document keeps, whatever the network does.
    ///
    /// `engine` is the engine that comes with Touchstone. To judge your own, in whatever language, put
    /// an adapter into `Adapters/<id>` and its id here; `touchstone list laws` names what is demanded.
    @Suite("Laws of replicated documents")
    struct ReplicaLaws {
      /// A failure prints the smallest history that shows it, and attaches a test of that history.
      @Test("Random histories of several replicas keep every law")
      func randomHistories() async throws {
        try await expectLaws(of: "engine", cases: 60)
      }

      /// One history, written down: two replicas set one key without knowing of each other.
      @Test("Concurrent puts leave every replica with the same winner")
      func concurrentPuts() async throws {
        try await expectLaw(
          "network.converges",
          of: "engine",
          on: """
            history 1
            base empty
            replicas 2
            healing merge
            r0 put root "title" string "Draft"
            r1 put root "title" string "Final"
            """
        )
      }
    }

    """#
}
