import ArgumentParser
import Campaigns
import CaseFiles
import CodingLaws
import DocumentLaws
import Foundation
import Histories
import PropertyEngine
import Texts

/// `touchstone worlds`: small worlds, exhaustively.
struct WorldsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worlds",
    abstract: "Tries every history of a small world: one key, one list, one counter.",
    discussion: """
      Of a coder: an element of every kind at every place of every list of some models; and everything that two peers \
      of other versions can do at once to one place of a small document, or to a place and one below it.

      Every choice of who edits, who has heard from whom, and what the edit is; then every order in \
      which the messages arrive. Nothing is random, so a world that holds holds for good.
      """
  )

  @Option(
    help: ArgumentHelp(
      "A subject of documents, or a coder of documents, by its id; may be repeated.",
      discussion: "`touchstone list subjects` names them; `mutant:ID` is a wrong one.",
      valueName: "id"
    )
  )
  var subject: [String] = ["naive"]

  @OptionGroup var adapterFolder: AdapterFolderOptions

  @Option(help: .value("n", "Replicas, 2 or 3."), from: 2, to: 3)
  var replicas: Int = 3

  @Option(help: .value("n", "Edits in all, at most 4."), from: 1, to: 4)
  var edits: Int = 3

  @Argument(
    help: .value(
      "world",
      """
      Worlds to walk: key, list or counter of a subject of documents, mixed-lists or concurrent-drifts of a \
      coder. Default: all.
      """
    )
  )
  var world: [String] = []

  @Option(
    help: .value(
      "dir",
      "Where the case of each violation goes, for `touchstone show` and `touchstone replay`."
    )
  )
  var cases: String?

  @Flag(help: "Print an array of JSON objects instead of words.")
  var json = false

  mutating func validate() throws {
    try requireFolder(cases, of: "--cases")
    let names = SmallWorld.allCases.map(\.rawValue) + WorldRun.CoderWorld.allCases.map(\.rawValue)
    for name in world where !names.contains(name) {
      throw ValidationError(
        "There is no small world '\(name)'.\(suggestion(for: name, among: names)) "
          + "Write \(names.joined(separator: ", "))."
      )
    }
  }

  /// Whether a world was asked for.
  private func isChosen(_ name: String) -> Bool { world.isEmpty || world.contains(name) }

  func run() throws {
    try requireSubjects(subject, of: adapterFolder.registry)
    let console = Console(isQuiet: json)
    Interruption.install(console: console)
    let found = try adapterFolder.registry.find(subject)
    if let absent = found.absent.first { throw absent }
    try Self.refuseOthers(found)
    // A walk takes minutes: that its case has no place is said before.
    if let cases { try tryWriting(into: URL(fileURLWithPath: cases)) }
    let coders = found.ids.compactMap(JudgedCoder.named)
    let worlds = found.subjects.isEmpty ? [] : SmallWorld.allCases.filter { isChosen($0.rawValue) }
    let coderWorlds =
      coders.isEmpty ? [] : WorldRun.CoderWorld.allCases.filter { isChosen($0.rawValue) }
    // Nothing would be judged.
    for name in world where !(worlds.map(\.rawValue) + coderWorlds.map(\.rawValue)).contains(name) {
      let own =
        (found.subjects.isEmpty ? [] : SmallWorld.allCases.map(\.rawValue))
        + (coders.isEmpty ? [] : WorldRun.CoderWorld.allCases.map(\.rawValue))
      throw ValidationError(
        "'\(name)' is no world of \(subject.joined(separator: ", ")). "
          + "Write \(own.joined(separator: ", "))."
      )
    }
    var results: [WorldRun.Result] = []
    // Worlds that were walked to their end, or to a violation.
    var doneCount = 0
    func take(
      _ walked: WorldRun.Result,
      of id: String,
      _ noun: String,
      _ nouns: String
    ) throws {
      var result = walked
      try keep(&result)
      results.append(result)
      if result.violation != nil || !Interruption.isRequested { doneCount += 1 }
      if !json { show(result, of: id, noun, nouns) }
    }
    for judge in found.judges {
      for world in worlds where !Interruption.isRequested {
        let result = WorldRun(judge, replicas: replicas, edits: edits).run(
          world,
          onProgress: { if $0 > 0 { console.line("\(world.rawValue): \($0) histories") } },
          isInterrupted: { Interruption.isRequested }
        )
        try take(result, of: judge.subject.id, "history", "histories")
      }
    }
    for coder in coders {
      for world in coderWorlds where !Interruption.isRequested {
        let result = try WorldRun.run(
          world,
          of: coder,
          onProgress: { if $0.isMultiple(of: 5000) { console.line("\(world): \($0) samples") } },
          isInterrupted: { Interruption.isRequested }
        )
        try take(result, of: coder.subject.id, "sample", "samples")
      }
    }
    if json { try printJSON(results) }
    let total = found.subjects.count * worlds.count + coders.count * coderWorlds.count
    if let ending = Interruption.ending(after: doneCount, of: total, "world") {
      Interruption.tell(ending, besideJSON: json)
    }
    throw ExitCode(Interruption.exitStatus ?? Self.exitStatus(results))
  }

  /// 1 for a law that was violated, as in a check; else 2 where a law could not be judged or none was.
  private static func exitStatus(_ results: [WorldRun.Result]) -> Int32 {
    results.contains { $0.violation != nil } ? 1 : results.allSatisfy(\.holds) ? 0 : 2
  }

  /// Refuses what has no small worlds: nothing would be judged.
  private static func refuseOthers(_ found: SubjectRegistry.Found) throws {
    let coders = found.ids.compactMap(JudgedCoder.named).map(\.subject)
      .filter { $0.features.isSuperset(of: [.documents, .documentRules]) }
    let able = Set(found.subjects.map(\.id) + coders.map(\.id))
    guard let other = found.ids.first(where: { !able.contains($0) }) else { return }
    throw ValidationError(
      "\(other) has no small worlds: they are of subjects of documents, and of coders that write documents."
    )
  }

  /// Writes the case of a violation.
  private func keep(_ result: inout WorldRun.Result) throws {
    guard let cases, let failure = result.violation?.failure else { return }
    let folder = CaseFolder(URL(fileURLWithPath: cases))
    let name = "\(result.world)--\(failure.slug)"
    try folder.write(failure.caseFile, name: name)
    result.violation?.caseFile = "\(cases)/\(name).case"
  }

  private func show(_ result: WorldRun.Result, of id: String, _ noun: String, _ nouns: String) {
    let mark =
      result.violation != nil
      ? "✕" : Interruption.isRequested ? "–" : result.holds ? "✓" : "!"
    print("\(mark) \(id)  \(result.world)  \(counted(result.samples, noun, nouns))")
    if let violation = result.violation {
      print("violated: \(violation.law)\n\(violation.summary)")
      for line in violation.sample { print("  \(line)") }
      if let file = violation.caseFile {
        let path = shellWord(file)
        let adapters = adapterFolder.registry.arguments.map { " \($0)" }.joined()
        print("show it:   touchstone show \(path)")
        print("replay it: touchstone replay \(path)\(adapters)")
      } else if violation.failure == nil {
        print("No other command asks \(violation.law): run this world again.")
      } else {
        print("Its case can be kept: add --cases DIR.")
      }
    }
    for law in result.laws where law.errored > 0 {
      let count = counted(law.errored, noun, nouns)
      print("  \(law.name) could not be judged on \(count): \(law.reason ?? "no reason was given")")
    }
    let unjudged = result.laws.filter { $0.errored == 0 && $0.held == 0 && $0.skipped > 0 }
    for (reason, laws) in Dictionary(grouping: unjudged, by: { $0.reason ?? "" }).sorted(by: {
      $0.key < $1.key
    }) {
      let names =
        laws.count == result.laws.count ? "no law" : laws.map(\.name).joined(separator: ", ")
      let verb = laws.count == result.laws.count ? "was judged" : "not judged"
      print("  \(names) \(verb): it \(reason)")
    }
  }
}
