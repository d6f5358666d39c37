import DocumentModel

// Source: Specification/Format.md, "Generating a message", "Changes to send", "Receiving a message".
extension Rules {
  /// A replica states all changes that are not known to be shared.
  package static func stated(_ changes: [NaiveChange.ID]) -> [NaiveChange.ID] {
    changes
  }

  /// A change is sent if the peer has not stated it, or if it depends on one that is sent.
  package static func sends(isStated: Bool, followsSent: Bool) -> Bool {
    !isStated || followsSent
  }

  /// A change is not sent again until the peer is known to have lost it.
  package static func isDue(isSent: Bool) -> Bool {
    !isSent
  }

  /// Nothing is said twice: not before the peer answers, and not to one with equal heads.
  package static func isSilent(
    saidHeads: Bool,
    isInFlight: Bool,
    theirHeadsAreOurs: Bool,
    hasChanges: Bool
  ) -> Bool {
    saidHeads && (isInFlight || (theirHeadsAreOurs && !hasChanges))
  }

  /// Of the heads that a peer states, those that are known here are shared from now on.
  ///
  /// If all are, they stand for everything that is; if not, they come to what was.
  package static func shared(
    _ before: [NaiveChange.ID],
    stated: [NaiveChange.ID],
    isKnown: (NaiveChange.ID) -> Bool
  ) -> [NaiveChange.ID] {
    let known = stated.filter(isKnown)
    return known == stated ? stated : Array(Set(before + known)).sorted()
  }
}
