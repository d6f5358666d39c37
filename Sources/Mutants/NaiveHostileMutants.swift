import DocumentModel
import NaiveModel

/// The poisoned queue: a stranger's change stops every call that brings what it waits for.
private enum BadWaitingRefusesCall: Rules {
  static func dropsBad(isOwn: Bool) -> Bool { false }
}

/// The first change that names a number takes it.
private enum WaitingTakesNumbers: Rules {
  static func isTaken(_ id: NaiveChange.ID, byWaiting waiting: [NaiveChange]) -> Bool {
    waiting.contains { $0.id == id }
  }
}

/// A document saves what its load refuses.
private enum SavesWhatWaitsInVain: Rules {
  static func isInVain(_ change: NaiveChange, isTaken: Bool) -> Bool { false }
}

private enum NumbersMaySkip: Rules {
  static func isNext(_ seq: Int, expected: Int) -> Bool { seq >= expected }
}

private enum DropsInSilence: Rules {
  static func told(dropped count: Int) -> Int { 0 }
}

/// Changes are known by their names and not by what they say.
private enum TwinsAreOne: Rules {
  static func isDuplicate(_ change: NaiveChange, of known: NaiveChange) -> Bool {
    change.id == known.id
  }
}

/// Nothing that a stranger sends may keep out, show or hide anything.
///
/// Each mutant trusts one thing that a change says of itself before it is known to be its author's.
let hostileMutants = [
  NaiveMutant(
    "hostile-waiting-refuses-calls",
    BadWaitingRefusesCall.self,
    "A waiting change that turns out bad refuses the call that brought its dependencies."
  ),
  NaiveMutant(
    "hostile-waiting-takes-numbers",
    WaitingTakesNumbers.self,
    "A change is refused whose author's number is named by one that waits."
  ),
  NaiveMutant(
    "hostile-saves-in-vain",
    SavesWhatWaitsInVain.self,
    "A waiting change stays whose number is taken: no load takes what the document saves."
  ),
  NaiveMutant(
    "hostile-numbers-may-skip",
    NumbersMaySkip.self,
    "A change is taken in whose author's change before it does not exist."
  ),
  NaiveMutant(
    "hostile-drops-in-silence",
    DropsInSilence.self,
    "Waiting changes that are dropped are not counted."
  ),
  NaiveMutant(
    "hostile-twins-are-one",
    TwinsAreOne.self,
    "A second change under a known name and number is taken for the first."
  ),
]
