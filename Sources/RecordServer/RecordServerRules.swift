/// Which rules a server keeps: all, but in a server that is wrong on purpose.
package struct RecordServerRules: Hashable, Sendable {
  package enum Cascade: Hashable, Sendable {
    case whole
    case oneStep
    case none
  }

  /// A save with an old tag is refused.
  package var comparesTags = true
  /// A save of a record that is there is a save of that record.
  package var comparesIdentity = true
  /// Each save gives a new tag.
  package var movesTags = true
  /// Keys that a save does not send stay.
  package var keepsOtherFields = true
  /// Cleared keys are cleared.
  package var clearsFields = true
  /// An atomic request that fails in part leaves nothing.
  package var undoesFailedBatches = true
  /// What was undone is not told as done, deletions included.
  package var tellsUndoneDeletions = true
  /// A field keeps its kind.
  package var fixesKinds = true
  /// Each type of records has kinds of its own.
  package var partsTypes = true
  /// A record keeps the rules of names, encryption, numbers and sizes.
  package var checksRecords = true
  /// References lead to records that are there.
  package var checksReferences = true
  /// A request saves each record once.
  package var refusesDoubles = true
  /// A request has limits.
  package var limitsRequests = true
  /// A record that refers to another is counted once, however often it is saved.
  package var countsReferrersOnce = true
  /// Changes include deletions.
  package var tellsDeletions = true
  /// A token from before the server forgot is refused.
  package var tellsExpiredTokens = true
  /// A token of a zone that was deleted is refused, also by another zone of its name.
  package var endsTokensOfZones = true
  /// What is deleted with a record.
  package var cascade = Cascade.whole

  package init() {}
}
