import Texts

extension Report {
  /// The runs that a report tells of: those it was merged of, or itself.
  var parts: [Part] { run.parts ?? [Part(self)] }

  /// What several runs came to together: the gravest word of all, and `failed` where a part is missing.
  static func outcome(of reports: [Report], _ shared: [SharedRun]) -> RunOutcome {
    let words = reports.map { report in
      // That parts were missing when it was merged says nothing of what they found.
      let words = report.parts.map(\.word)
      return words.contains(nil) ? report.outcome.word : words.compactMap(\.self).max() ?? .failed
    }
    let reasons = reports.flatMap(\.outcome.reasons).uniqued()
      .filter { !$0.hasPrefix(RunOutcome.incompleteness) }
    let missing = shared.compactMap(\.absence).map { "\(RunOutcome.incompleteness) \($0)" }
    return RunOutcome(
      word: missing.isEmpty ? words.max() ?? .failed : .failed,
      reasons: reasons + missing
    )
  }

  /// The commands one after the other; that of the whole run in the place of all its parts.
  static func repeatCommand(of reports: [Report], _ shared: [SharedRun]) -> String {
    let whole = Set(shared.filter { $0.absence == nil }.map(\.command))
    let commands = reports.flatMap { report in
      let commands = report.parts.compactMap(\.repeatCommand)
      return commands.isEmpty ? [report.run.repeatCommand] : commands
    }
    let wholes = commands.map { command in
      guard let share = Share(command), whole.contains(share.command) else { return command }
      return share.command
    }
    return wholes.uniqued().joined(separator: "; ")
  }

  /// The part of a run that a command asks for: `touchstone check --cases 200 --shard 2/8`.
  private struct Share {
    /// The command of the whole run.
    let command: String
    let number: Int
    let count: Int

    /// `nil` for the command of a whole run.
    init?(_ text: String) {
      guard let match = text.wholeMatch(of: /(.*) --shard ([0-9]+)\/([0-9]+)/),
        let number = Int(match.2), let count = Int(match.3), number > 0, number <= count
      else { return nil }
      (command, self.number, self.count) = (String(match.1), number, count)
    }
  }

  /// A run that several machines share, as far as its parts are there.
  struct SharedRun {
    /// The command of the whole run.
    let command: String
    let seed: String
    /// The number of its parts.
    let count: Int
    /// The numbers of those that are there.
    private(set) var present: Set<Int> = []

    /// Missing parts that are named.
    private static let absenceLimit = 12

    /// Those that any of the runs is a part of, in the order of their first appearance.
    static func all(in parts: [Part]) -> [SharedRun] {
      struct Key: Hashable {
        let command: String
        let count: Int
      }
      var places: [Key: Int] = [:]
      var all: [SharedRun] = []
      for part in parts {
        guard let share = part.repeatCommand.flatMap(Share.init) else { continue }
        let key = Key(command: share.command, count: share.count)
        let place = places[key] ?? all.count
        if place == all.count {
          places[key] = place
          all.append(SharedRun(command: share.command, seed: part.seed, count: share.count))
        }
        all[place].present.insert(share.number)
      }
      return all
    }

    /// Which parts are missing, in words; `nil` if none is.
    var absence: String? {
      let missing = count - present.count
      guard missing > 0 else { return nil }
      let named = (1...count).lazy.filter { !present.contains($0) }.prefix(Self.absenceLimit)
      let names = named.map { "\($0)/\(count)" }.joined(separator: ", ")
      let further = missing - Self.absenceLimit
      let rest = further > 0 ? " and \(grouped(further)) more" : ""
      return "\(grouped(missing)) of \(counted(count, "part")) of the run with seed \(seed) "
        + "\(missing == 1 ? "is" : "are") missing: \(names)\(rest)"
    }
  }
}
