import DocumentModel
import NaiveModel

private enum NothingStated: Rules {
  static func stated(_ changes: [NaiveChange.ID]) -> [NaiveChange.ID] { [] }
}

private enum OwnChangesStated: Rules {
  static func stated(_ changes: [NaiveChange.ID]) -> [NaiveChange.ID] { Array(changes.prefix(1)) }
}

/// Needs two changes in a row on one side; with one each, sync is complete.
private enum FirstOfEachSent: Rules {
  static func sends(isStated: Bool, followsSent: Bool) -> Bool { !isStated && !followsSent }
}

/// In an app: two devices that keep the radio on for ever.
private enum TalksOn: Rules {
  static func isSilent(
    saidHeads: Bool,
    isInFlight: Bool,
    theirHeadsAreOurs: Bool,
    hasChanges: Bool
  ) -> Bool {
    saidHeads && isInFlight
  }
}

/// The first message says heads and has no changes yet; what the answer asks for is never sent.
private enum SilentTooSoon: Rules {
  static func isSilent(
    saidHeads: Bool,
    isInFlight: Bool,
    theirHeadsAreOurs: Bool,
    hasChanges: Bool
  ) -> Bool {
    saidHeads
  }
}

/// Sync has to end, and to end with equal documents.
///
/// Each mutant breaks one of the two: it holds back what the other lacks, or says what the other
/// has already told that it knows.
let syncMutants = [
  NaiveMutant(
    "sync-states-nothing",
    NothingStated.self,
    "A replica that syncs does not say which changes it has beyond the shared ones."
  ),
  NaiveMutant(
    "sync-states-one-change",
    OwnChangesStated.self,
    "A replica that syncs states only the first of its changes beyond the shared ones."
  ),
  NaiveMutant(
    "sync-sends-first-changes-only",
    FirstOfEachSent.self,
    "A change that depends on one that is sent is held back."
  ),
  NaiveMutant(
    "sync-never-ends",
    TalksOn.self,
    "A replica goes on to talk to a peer that has the same changes."
  ),
  NaiveMutant(
    "sync-silent-too-soon",
    SilentTooSoon.self,
    "A replica that has once stated its heads says nothing more until they change."
  ),
]
