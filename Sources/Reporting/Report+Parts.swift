import Texts

extension Report {
  /// A part of a run that machines share.
  package struct Share: Codable, Hashable, Sendable {
    /// The command of the whole run.
    package let command: String
    /// Which part, from 1.
    package let number: Int
    /// How many parts the run has.
    package let count: Int

    /// The command that repeats the part: `touchstone check --cases 200 --shard 2/8`.
    var repeatCommand: String { "\(command) --shard \(number)/\(count)" }

    /// `nil` if there is no such part.
    init?(command: String, number: Int, count: Int) {
      guard number > 0, number <= count else { return nil }
      (self.command, self.number, self.count) = (command, number, count)
    }

    package init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      let share = Self(
        command: try values.decode(String.self, forKey: .command),
        number: try values.decode(Int.self, forKey: .number),
        count: try values.decode(Int.self, forKey: .count)
      )
      guard let share else {
        throw DecodingError.dataCorruptedError(
          forKey: .number,
          in: values,
          debugDescription: "a run has no such part"
        )
      }
      self = share
    }
  }

  /// The runs of a report: those it was merged of, or itself.
  var parts: [Part] { run.parts ?? [Part(self)] }

  /// What several runs came to together: the gravest word of all, and `failed` where a part is missing.
  static func outcome(of reports: [Report], _ shared: [SharedRun]) -> RunOutcome {
    // Those of the parts: that of a merged report says whether parts were missing as well.
    let words = reports.map { $0.parts.map(\.word).max() ?? .failed }
    let reasons = reports.flatMap(\.outcome.reasons).uniqued()
      .filter { $0.kind != .missingParts }
    let missing = shared.compactMap { run in
      run.absence.map { words in
        let isAlone = shared.count { $0.seed == run.seed } == 1
        return Reason.missingParts(words + (isAlone ? "" : " (\(run.command))"))
      }
    }
    return RunOutcome(
      word: missing.isEmpty ? words.max() ?? .failed : .failed,
      reasons: reasons + missing
    )
  }

  /// The commands one after the other; that of the whole run in the place of all its parts.
  static func repeatCommand(of reports: [Report], _ shared: [SharedRun]) -> String {
    let whole = Set(shared.filter { $0.absence == nil }.map(\.command))
    let commands = reports.flatMap { report in
      report.parts.map { part in
        part.share.map(\.command).flatMap { whole.contains($0) ? $0 : nil } ?? part.repeatCommand
      }
    }
    return commands.uniqued().joined(separator: "; ")
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

    /// The shared runs that any of the parts belongs to, in the order of their first appearance.
    static func all(in parts: [Part]) -> [SharedRun] {
      struct Key: Hashable {
        let command: String
        let count: Int
      }
      var places: [Key: Int] = [:]
      var all: [SharedRun] = []
      for part in parts {
        guard let share = part.share else { continue }
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
