// What a generator of histories may do: sizes, abilities, faults and hostility. Laws that bring
// histories of their own change some of it (`DocumentLaws/ScenarioLaws.swift`,
// `HostileLaws.swift`).

package import DocumentModel

/// How large and how wild the histories of a generator are.
package struct HistoryLimits: Hashable, Sendable {
  /// Replicas at the start.
  ///
  /// Forks may add one beyond the upper bound; a crowd starts with up to 16.
  package var replicas: ClosedRange<Int>
  /// Edits in all; a history may have fewer than the lower bound where some do not apply.
  ///
  /// A burst counts as one.
  package var edits: ClosedRange<Int>
  /// Edits on average.
  ///
  /// Large worlds have fewer (``WorldSize/editMean(_:)``).
  package var editMean: Int
  /// What the subjects of the history can do.
  package var capabilities: Capabilities
  /// Faults that may happen; an empty set gives a network that delivers.
  ///
  /// With an empty set nothing is sent and delivered apart either: replicas exchange at once.
  package var faults: Set<Fault>
  /// Whether strings may be hostile: combining marks, bidirectional controls, NUL, long runs.
  ///
  /// A quarter of the histories then have such strings.
  package var hostileText = true
  /// Whether some histories are large: bursts, bases of many elements, many replicas.
  ///
  /// One in thirty or so.
  package var largeWorlds: Bool
  /// Whether calls may be made that are refused or taken back, and others off the usual way.
  package var impoliteCalls: Bool
  /// What hostile peers do, and how often.
  package var hostility = Hostility.rare

  package init(
    replicas: ClosedRange<Int> = 2...5,
    edits: ClosedRange<Int> = 0...40,
    editMean: Int = 14,
    capabilities: Capabilities = .all,
    faults: Set<Fault> = Set(Fault.allCases),
    largeWorlds: Bool = true,
    impoliteCalls: Bool = true
  ) {
    self.replicas = replicas
    self.edits = edits
    self.editMean = editMean
    self.capabilities = capabilities
    self.faults = faults
    self.largeWorlds = largeWorlds
    self.impoliteCalls = impoliteCalls
  }
}

/// How often hostile peers send something, and whether replicas can still agree on it.
///
/// Attacks weigh 1 if rare, where all steps of a small world together weigh some 120, and 64 if
/// frequent.
package enum Hostility: Hashable, Sendable {
  case rare
  /// A third of all steps.
  case frequent
  /// The same, and peers write two changes under one name and number: whichever a replica hears first
  /// stays, and replicas that heard different ones stay apart.
  case equivocal

  var kinds: [Attack.Kind] {
    Attack.Kind.allCases.filter { self == .equivocal || $0 != .equivocate }
  }
}

/// What the simulated network and machines do wrong.
package enum Fault: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// A message arrives after other things have happened.
  case delay
  /// Messages or changes of one sender arrive in another order than they were sent.
  ///
  /// Worked example: `m2 deliver` before `m1 deliver`, both from r0, or part 1 of a message before
  /// part 0.
  case reorderWithinSender
  /// Messages of two senders arrive in another order than they were sent.
  ///
  /// Worked example: `m2 deliver` before `m1 deliver`, of two senders to one receiver.
  case reorderAcrossSenders
  /// A message arrives twice.
  ///
  /// Worked example: `m1 deliver`, and later `m1 deliver` again.
  case duplication
  /// A message, or a part of it, never arrives.
  case loss
  /// Two groups of replicas cannot reach each other.
  case partition
  /// One group hears the other, and is not heard.
  case oneWayPartition
  /// One path holds its messages back.
  case clog
  /// A replica loses what it had not saved and starts again from what it had.
  case crash
  /// A replica starts again from an old snapshot, without what others know it wrote.
  ///
  /// Worked example: `r0 save s0`, an edit, `r0 save s1`, and then `r0 restart s0`.
  case staleRestart

  package var description: String { rawValue }
}
