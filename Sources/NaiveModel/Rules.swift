package import DocumentModel

/// Automerge's rules: the specification.
///
/// Overrides nothing: all defaults hold.
package enum AutomergeRules: Rules {}

/// Everything about a document that an implementation could get wrong, one small function each.
///
/// Names in quotes below are headings of `Documentation/Specification/Semantics.md`.
///
/// The defaults are Automerge's rules; each is explained, with its source, where it is written:
/// `Rules+Reading.swift`, `Rules+Marks.swift`, `Rules+Cursors.swift`,
/// `Rules+Patches.swift`, `Rules+Writing.swift`, `Rules+Travel.swift`, `Rules+Sync.swift`. A mutant overrides one.
///
/// Static functions, and no state: what a rule decides it decides from its arguments. Adding one:
/// give it its default with a source in a `Rules+` file, have the model ask it, and override it in
/// a mutant.
package protocol Rules {
  // Reading: "Identity", "Registers and conflicts", "Visibility", "Text", "Counters".
  static func precedes(_ left: OpID, _ right: OpID) -> Bool
  static func readsPresent(atUnknownHeads isUnknown: Bool) -> Bool
  static func isSameKey(_ left: ExactString, _ right: ExactString) -> Bool
  static func isVisible(
    _ action: NaiveOp.Action,
    successors: [NaiveOp.Action],
    atHeads: Bool
  ) -> Bool
  static func counts(successor: NaiveOp.Action, isCovered: Bool, atHeads: Bool) -> Bool
  static func rank(of value: NaiveValue) -> OpID
  static func conflictSet(_ ascending: [NaiveValue]) -> [NaiveValue]
  static func showsContents(ofWinner isWinner: Bool) -> Bool
  static func registers(
    ofElement values: [NaiveValue],
    successorsOfInsert: () -> [NaiveOp.Action]
  ) -> [[NaiveValue]]
  static func counterValue(
    start: Int64,
    increments: [(id: OpID, amount: Int64)],
    reader: ActorID
  ) -> Int64
  static func width(of winner: NaiveOp.Action, in kind: ObjectKind) -> Int
  static func piece(of winner: NaiveOp.Action) -> String

  // Marks: "Marks".
  static func expands(_ expand: MarkExpansion) -> (atStart: Bool, atEnd: Bool)
  static func marksNothing(expand: MarkExpansion) -> Bool
  static func referenceOfEnd(_ reference: OpID?, begin: OpID, referenceOfBegin: OpID?) -> OpID?
  static func closes(_ mark: NaiveOp, begin: OpID) -> Bool
  static func staysBefore(_ mark: NaiveOp) -> Bool
  static func outranks(mark: OpID, _ other: OpID) -> Bool
  static func shows(mark value: Scalar) -> Bool
  static func continues(mark value: Scalar, with next: Scalar) -> Bool

  // Cursors: "Cursors".
  static func cursorName(winner: OpID, element: OpID) -> OpID
  static func stepBack(reference: OpID?, neighbour: OpID?) -> OpID?
  static func positionOfHidden(_ unitsBefore: Int, isOwn: Bool) -> Int
  static func places(cursorCovered isCovered: Bool) -> Bool

  // Patches: "Patch actions".
  static func placeOfInserted(_ start: Int, deleted: Int) -> Int
  static func fills(objectShownAgain isOld: Bool) -> Bool
  static func tellsMarks(overKept isKept: Bool, in kind: ObjectKind) -> Bool
  static func tellsConflict(ofKept isKept: Bool) -> Bool
  static func tellsFirst(ownValue isOwn: Bool) -> Bool
  static func puts(kept isKept: Bool) -> Bool

  // Lists: "Insert rule".
  static func firstPosition(after reference: Int?) -> Int
  static func skips(_ next: OpID, placing new: OpID) -> Bool
  static func keepsTombstones() -> Bool

  // Writing: "Local edits".
  static func firstCounter(highest: UInt32, ownHighest: UInt32) -> UInt64
  static func isSkipped(put new: Scalar, over visible: [NaiveValue]) -> Bool
  static func isEqual(put new: Scalar, to old: Scalar) -> Bool
  static func predecessors(visible: [OpID], author: ActorID) -> [OpID]
  static func predecessorsOfIncrement(visible: [NaiveValue]) -> [OpID]
  static func placeOfPut(element: OpID) -> NaiveOp.Place
  static func elements(of text: String) -> [String]
  static func isReached(index: Int, by sum: Int) -> Bool
  static func reference(candidate: OpID?, tombstonesAfter: () -> [OpID]) -> OpID?
  static func referenceOfNext(inserted previous: OpID, first: OpID?) -> OpID?
  static func deleted(_ spans: [Range<Int>], in range: Range<Int>) -> [Int]
  static func insertionIndex(start: Int, deletedUnits: Int) -> Int
  static func overwritten(by op: NaiveOp, present: () -> [OpID]) -> [OpID]
  static func spliceStart(_ index: Int, length: Int) -> Int?
  static func numbersTaken(byRefusals refusals: Int, rollbacks: Int) -> Int

  // Changes: "Transactions and commits", "History and clocks", "Fork, merge, duplicates".
  static func commits(before call: CommittingCall) -> Bool
  static func dependencies(heads: [NaiveChange.ID], previous: NaiveChange.ID?) -> [NaiveChange.ID]
  static func heads(_ heads: [NaiveChange.ID], after change: NaiveChange) -> [NaiveChange.ID]
  static func ancestors(toFollowFrom change: NaiveChange) -> [NaiveChange.ID]
  static func clockEntry(of change: NaiveChange) -> UInt32
  static func covers(_ entry: UInt32, _ counter: UInt32) -> Bool
  static func isDuplicate(_ change: NaiveChange, of known: NaiveChange) -> Bool
  static func isReady(_ change: NaiveChange, isKnown: (NaiveChange.ID) -> Bool) -> Bool
  static func stillWaiting(_ waiting: [NaiveChange]) -> [NaiveChange]
  static func isTaken(_ id: NaiveChange.ID, byWaiting waiting: [NaiveChange]) -> Bool
  static func isInVain(_ change: NaiveChange, isTaken: Bool) -> Bool
  static func isNext(_ seq: Int, expected: Int) -> Bool
  static func dropsBad(isOwn: Bool) -> Bool
  static func told(dropped count: Int) -> Int
  static func merged(
    _ history: [NaiveChange],
    of other: ActorID,
    heads: [NaiveChange.ID]
  ) -> [NaiveChange]

  // Sync: "Sync protocol" of the format.
  static func stated(_ changes: [NaiveChange.ID]) -> [NaiveChange.ID]
  static func sends(isStated: Bool, followsSent: Bool) -> Bool
  static func isDue(isSent: Bool) -> Bool
  static func isSilent(
    saidHeads: Bool,
    isInFlight: Bool,
    theirHeadsAreOurs: Bool,
    hasChanges: Bool
  ) -> Bool
  static func shared(
    _ before: [NaiveChange.ID],
    stated: [NaiveChange.ID],
    isKnown: (NaiveChange.ID) -> Bool
  ) -> [NaiveChange.ID]

  // Saving: what is stored is what was there.
  static func saved(_ history: [NaiveChange]) -> [NaiveChange]
  static func savedWaiting(_ waiting: [NaiveChange]) -> [NaiveChange]
  static func isSaved(_ op: NaiveOp, losesConflict: () -> Bool) -> Bool
  static func stored(_ value: Scalar) -> Scalar
  static func restored(_ value: Scalar) -> Scalar
  static func incremented(_ new: [NaiveChange], by actor: ActorID) -> [NaiveChange]
  static func headsToForkAt(_ heads: [NaiveChange.ID]) -> [NaiveChange.ID]
}
