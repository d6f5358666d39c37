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
    /// The arguments that try stored cases again, which one part tries for all: `["--corpus cases"]`; `nil` for a part
    /// that tried none.
    package internal(set) var storedArguments: [String]?

    /// The command that repeats the part: `touchstone check --cases 200 --shard 2/8`.
    var repeatCommand: String { "\(command) --shard \(number)/\(count)" }

    /// `nil` if there is no such part.
    init?(command: String, number: Int, count: Int) {
      guard number > 0, number <= count else { return nil }
      (self.command, self.number, self.count) = (command, number, count)
    }

    package init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      var share = Self(
        command: try values.decode(String.self, forKey: .command),
        number: try values.decode(Int.self, forKey: .number),
        count: try values.decode(Int.self, forKey: .count)
      )
      share?.storedArguments = try values.decodeIfPresent(
        [String].self,
        forKey: .storedArguments
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

  /// What several runs came to together: the gravest word of all, and `failed` where a part of a run is missing, or all
  /// are there and never reached what their run requires.
  static func outcome(of reports: [Report], _ shared: [SharedRun]) -> RunOutcome {
    // Those of the parts: that of a merged report says whether parts were missing as well.
    let words = reports.map { $0.parts.map(\.word).max() ?? .failed }
    let reasons = reports.flatMap(\.outcome.reasons).uniqued()
      .filter { $0.kind != .missingParts && $0.kind != .unreached }
    let lacks =
      shared.compactMap { $0.missingParts(among: shared) }
      + shared.flatMap { $0.unreachedWaypoints(among: shared) }
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

  /// The commands one after the other; that of the whole run in the place of all its parts, with the stored cases that
  /// one of them tried.
  static func repeatCommand(of reports: [Report], _ shared: [SharedRun]) -> String {
    let whole = Dictionary(shared.filter { $0.absence == nil }.map { ($0.command, $0) }) {
      first,
      _ in first
    }
    let commands = reports.flatMap { report in
      report.parts.map { part in
        part.share.flatMap { whole[$0.command]?.repeatCommand } ?? part.repeatCommand
      }
    }
    return commands.uniqued().joined(separator: "; ")
  }

  /// Why a report is not whole, whose missing parts may be in other reports; or what none of all parts reached.
  ///
  /// `shared`: The shared runs of all reports together.
  func shortfalls(among shared: [SharedRun]) -> [Reason] {
    let own = shared.filter { run in parts.contains(where: run.contains) }
    return outcome.shortfalls.filter { $0.kind != .missingParts }
      + own.compactMap { $0.missingParts(among: shared) }
      + own.flatMap { $0.unreachedWaypoints(among: shared) }
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
    /// Whether there are no other runs beside it.
    private var isOnly = false
    /// The arguments that try the stored cases again that its parts tried.
    private(set) var storedArguments: [String] = []
    /// The waypoints that none of these parts reached.
    private var unreached: [WaypointCount] = []

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
        all[place].add(part, share)
      }
      if all.count == 1, parts.allSatisfy({ $0.share != nil }) { all[0].isOnly = true }
      return all
    }

    private mutating func add(_ part: Part, _ share: Share) {
      let missed = part.unreached ?? []
      if present.isEmpty {
        unreached = missed
      } else {
        let names = Dictionary(missed.map { ($0.name, $0) }) { first, _ in first }
        unreached = unreached.compactMap { waypoint in
          names[waypoint.name].map { other in
            var waypoint = waypoint
            // Parts that end by time have other numbers of cases: what one requires is enough.
            waypoint.isRequiredOfWhole = waypoint.isRequiredOfWhole ?? other.isRequiredOfWhole
            return waypoint
          }
        }
      }
      present.insert(share.number)
      storedArguments = (storedArguments + (share.storedArguments ?? [])).uniqued()
    }

    /// The command that repeats the whole run, stored cases included.
    var repeatCommand: String { ([command] + storedArguments).joined(separator: " ") }

    /// A reason for each waypoint that the run requires and none of its parts reached; nothing is said of them before
    /// all parts are there, as what one does not reach another may.
    func unreachedWaypoints(among shared: [SharedRun]) -> [Reason] {
      let missed = unreached.filter { $0.isRequiredOfWhole == true }
      guard absence == nil, !missed.isEmpty else { return [] }
      // Beside others it is named, which may have reached the same.
      let run = isOnly ? nil : named("the run with seed \(seed)", among: shared)
      return missed.map { Reason($0.absence(in: run), kind: .unreached) }
    }

    /// Words that have the seed, with the command where others of these runs have it as well.
    private func named(_ words: String, among shared: [SharedRun]) -> String {
      let isAlone = shared.count { $0.seed == seed } == 1
      return words + (isAlone ? "" : " (\(command))")
    }

    /// The reason that parts are missing, which names the command where others of these runs have the seed; `nil` if
    /// none is.
    func missingParts(among shared: [SharedRun]) -> Reason? {
      absence.map { Reason.missingParts(named($0, among: shared)) }
    }

    /// Whether a part belongs to the run.
    func contains(_ part: Part) -> Bool {
      part.share?.command == command && part.share?.count == count
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
