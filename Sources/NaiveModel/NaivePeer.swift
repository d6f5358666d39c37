/// What one replica of the specification tells another.
///
/// Real messages hold a filter in place of `others`, which takes some changes for known that are not,
/// and may hold the saved document in place of its changes. Neither shows in what two replicas know in
/// the end.
///
/// Source: Specification/Format.md, "Sync messages".
package struct NaiveMessage: Hashable, Sendable {
  /// Which changes a replica has: all up to some heads, and of the rest these.
  struct Have: Hashable, Sendable {
    var shared: [NaiveChange.ID] = []
    var others: Set<NaiveChange.ID> = []
  }

  var heads: [NaiveChange.ID]
  /// What the sender knows of and lacks.
  var need: [NaiveChange.ID] = []
  /// One, or none while the sender lacks what neither side has stated.
  var have: [Have] = []
  var changes: [NaiveChange] = []
}

/// What a replica of the specification knows of one peer.
///
/// Source: Specification/Format.md, "Sync state".
package struct NaivePeer: Hashable, Sendable {
  /// Heads of what both are known to have: all that outlasts a channel.
  var shared: [NaiveChange.ID] = []
  /// Our heads in our last message.
  var lastSent: [NaiveChange.ID] = []
  // What the peer's last message said; nil before the first one.
  var theirHeads: [NaiveChange.ID]?
  var theirNeed: [NaiveChange.ID]?
  var theirHave: [NaiveMessage.Have]?
  /// Changes sent that the peer has not confirmed.
  var sent: Set<NaiveChange.ID> = []
  /// Whether a message is under way that the peer has not answered.
  var isInFlight = false
  /// Whether any message was made.
  var hasResponded = false
}
