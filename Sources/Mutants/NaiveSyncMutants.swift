import DocumentModel
import NaiveModel

private enum NothingStated: Rules {
  static func stated(_ changes: [NaiveChange.ID]) -> [NaiveChange.ID] { [] }
}

private enum OwnChangesStated: Rules {
  static func stated(_ changes: [NaiveChange.ID]) -> [NaiveChange.ID] { Array(changes.prefix(1)) }
}

private enum FirstOfEachSent: Rules {
  static func sends(isStated: Bool, followsSent: Bool) -> Bool { !isStated && !followsSent }
}

private enum UnknownTakenForShared: Rules {
  static func shared(
    _ before: [NaiveChange.ID],
    stated: [NaiveChange.ID],
    isKnown: (NaiveChange.ID) -> Bool
  ) -> [NaiveChange.ID] {
    stated
  }
}

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
    "sync-shares-the-unknown",
    UnknownTakenForShared.self,
    "Heads that a peer states are taken for shared, known here or not."
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
