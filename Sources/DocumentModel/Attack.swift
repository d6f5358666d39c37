/// What a hostile peer sends to one replica.
///
/// A hostile peer knows all that some replica knows, makes hashes and checksums that are right, and
/// holds to nothing else. It writes under names of its own (``writer``), or under those of others.
package struct Attack: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A change that is wrong in what it says, and is refused when it comes.
    case forge
    /// The same behind a known change: where that is missing, it waits for it.
    case poison
    /// Other content under the name and number of a known change, or under the number that its author takes next
    /// (``Attack/takesNextNumber``): it waits for that change, or for ever.
    case impostor
    /// A good change whose dependencies are kept back for ever.
    case withhold
    /// Many of these, each by another writer.
    case flood
    /// A known change once more, or ahead of its time.
    case replay
    /// A message of sync that says what is not so.
    case lie
    /// One of two good changes under one name and number.
    case equivocate
  }

  package let kind: Kind
  /// The replica that the peer has heard all of.
  package var informant: Int
  /// Which known change it is about, and which form it takes.
  package let pick: Int

  package init(_ kind: Kind, knowing informant: Int, pick: Int) {
    self.kind = kind
    self.informant = informant
    self.pick = pick
  }

  /// Greatest ``pick``.
  package static let pickLimit = 999

  /// The name under which the hostile peer writes: one byte, which no writer of a history has.
  package static func writer(_ number: Int) -> ActorID {
    let bytes: [UInt8] =
      number < 16 ? [UInt8(0xf0 + number)] : [0xf0, UInt8(truncatingIfNeeded: number)]
    return ActorID(bytes: bytes) ?? ActorID(repeating: 0xf0)
  }

  /// The writer of changes of this kind.
  package var writer: ActorID {
    switch kind {
    case .forge, .poison, .impostor, .replay, .lie: Self.writer(0)
    case .withhold, .flood: Self.writer(1)
    case .equivocate: Self.writer(2 + pick / 2 % 2)
    }
  }

  /// The writers of a flood, each with one change.
  package var flood: [ActorID] { (0..<(2 + pick % 24)).map { Self.writer(16 + $0) } }

  /// Whether an impostor goes ahead of the author of the known change: what waits under a number that is not taken
  /// yet is in vain once the author takes it, be it the very replica that heard the impostor.
  ///
  /// Half of the impostors behind a change that no peer has.
  package var takesNextNumber: Bool { kind == .impostor && pick % 4 == 3 }

  /// Haves that a message of sync may have: one with more is refused.
  ///
  /// Source: Specification/Format.md, "Bloom filters".
  package static let haveLimit = 16

  /// How often a lie states what its sender has: once in the simplest forms, twice, as often as it may, or once more.
  ///
  /// Only where a statement takes a few bytes: lies of one head, and of the two odd filters, stay as they are.
  ///
  ///     pick          0...5     6...11     12...17     18...23     24...29
  ///     statements    1         16         17          2           1
  package var haveCount: Int {
    guard kind == .lie, !isOddLie, [1, 2, 5].contains(pick % 6) else { return 1 }
    return [1, Self.haveLimit, Self.haveLimit + 1, 2][pick / 6 % 4]
  }

  /// Whether the form of a lie is odd, rather than what it says.
  ///
  /// Of every other 60 picks, so that simple ones stay what they were.
  package var isOddLie: Bool { kind == .lie && pick / 60 % 2 == 1 }

  /// Whether a lie is to be refused for its form; `nil` where it may be believed or not.
  ///
  /// Of odd ones the first three are no messages: too many probes, a number of more than 32 bits, another version.
  /// One that states something too often is none either.
  ///
  /// Source: Specification/Format.md, "Bloom filters", "Sync messages".
  package var isRefusedLie: Bool? {
    if isOddLie { return pick % 6 < 3 }
    return haveCount > 1 ? haveCount > Self.haveLimit : nil
  }

  /// Bytes of answers after which the sender asks for no more.
  package static let answerByteLimit = 1 << 24

  /// Whether it is about a known change: without one nothing is sent.
  package var needsChange: Bool {
    switch kind {
    case .poison, .impostor, .replay: true
    case .forge, .withhold, .flood, .lie, .equivocate: false
    }
  }
}

/// What became of an attack.
package struct AttackReport: Hashable, Sendable {
  /// Whether the replica refused what came; `nil` where nothing says whether it should.
  package var isRefused: Bool?
  /// Waiting changes that the replica has dropped since it began, because they were bad.
  package var droppedCount: Int?
  /// Bytes that came.
  package var byteCount: Int
  /// Steps that they cost, and bytes of memory that are held for them; `nil` if the subject does not
  /// measure them.
  package var work: Int?
  package var memory: Int?
  /// Bytes of all that the replica said in answer to a message of sync.
  package var answerByteCount: Int?

  package init(byteCount: Int = 0) {
    self.byteCount = byteCount
  }
}
