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

  /// What several runs came to together: the gravest word of all, and `failed` where a part is missing, or all are
  /// there and never reached what their run requires.
  static func outcome(
    of reports: [Report],
    _ shared: [SharedRun],
    waypoints: [WaypointCount]
  ) -> RunOutcome {
    // Those of the parts: that of a merged report says whether parts were missing as well.
    let words = reports.map { $0.parts.map(\.word).max() ?? .failed }
    let reasons = reports.flatMap(\.outcome.reasons).uniqued()
      .filter { $0.kind != .missingParts && $0.kind != .unreached }
    let missing = shared.compactMap { $0.missingParts(among: shared) }
    // What one part does not reach another may: nothing is said of it before all are there.
    let unreached =
      missing.isEmpty
      ? waypoints.filter { $0.isRequiredOfWhole == true && $0.count <= 0 }
        .map { Reason($0.absence, kind: .unreached) } : []
    let lacks = missing + unreached
    return RunOutcome(
      word: lacks.isEmpty ? words.max() ?? .failed : .failed,
      reasons: reasons + lacks
    )
  }

  /// A part, by its place, of a run that is there as a whole as well, by its place: the cases of the part would count
  /// twice.
  static func doubled(in parts: [Part]) -> (part: Int, whole: Int)? {
    let whole = parts.indices.filter { parts[$0].share == nil }
    for (index, part) in parts.enumerated() {
      guard let command = part.share?.command,
        let place = whole.first(where: { parts[$0].isRun(of: command) })
      else { continue }
      return (index, place)
    }
    return nil
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

  /// Why a report is not whole, whose missing parts may be in other reports.
  ///
  /// `shared`: The shared runs of all reports together.
  func shortfalls(among shared: [SharedRun]) -> [Reason] {
    outcome.shortfalls.filter { $0.kind != .missingParts }
      + shared.filter { $0.contains(anyOf: parts) }.compactMap { $0.missingParts(among: shared) }
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

    /// The reason that parts are missing, which names the command where others of these runs have the seed; `nil` if
    /// none is.
    func missingParts(among shared: [SharedRun]) -> Reason? {
      absence.map { words in
        let isAlone = shared.count { $0.seed == seed } == 1
        return Reason.missingParts(words + (isAlone ? "" : " (\(command))"))
      }
    }

    /// Whether one of these parts belongs to the run.
    func contains(anyOf parts: [Part]) -> Bool {
      parts.contains { $0.share?.command == command && $0.share?.count == count }
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

extension Report.Part {
  /// Whether it is the whole run of a command, which may have tried stored cases as well.
  fileprivate func isRun(of command: String) -> Bool {
    repeatCommand == command || repeatCommand.hasPrefix("\(command) --corpus ")
  }
}
