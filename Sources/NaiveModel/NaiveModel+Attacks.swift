package import DocumentModel

// What a hostile peer sends, and what becomes of it. Source: Decisions/0047-a-hostile-peer-is-a-step.md.
extension NaiveModel {
  /// Takes in or refuses what the peer makes of what `informant` knows.
  ///
  /// Here bytes have no form, so that what is wrong with a forged change is its number alone.
  ///
  /// `known` is chosen by generation and actor, as in every implementation.
  package mutating func hear(_ attack: Attack, from informant: inout Self) -> AttackReport {
    commit(before: .apply)
    let parts = informant.parts(since: [])
    let known = parts.isEmpty ? nil : parts[attack.pick % parts.count]
    var report = AttackReport()
    report.isRefused = attack.isRefusedLie
    guard let sent = Self.sent(attack, about: known) else { return report }
    do throws(NaiveRefusal) {
      try take(sent)
      report.isRefused = false
    } catch {
      report.isRefused = true
    }
    report.droppedCount = R.told(dropped: droppedCount)
    return report
  }

  /// What an engine gets as bytes of `HostilePeer`, as changes without bytes.
  ///
  ///     forge       seq 2 without seq 1                              refused
  ///     poison      seq 2 or 3 of a stranger, behind a known change  refused, or waits and is dropped
  ///     impostor    a known id, or its author's next one, and no ops  refused, or waits
  ///     withhold    behind a change that no peer has                 waits
  ///     flood       2 to 25 of these                                 wait
  ///     replay      a known change                                   ignored, or taken in
  ///     equivocate  a put of 0 or 1 under "twin"                     the first is taken in, the other refused
  ///
  /// A lie is a message of sync, which has no form here: of what becomes of it is said only whether it has the form of
  /// a message.
  private static func sent(_ attack: Attack, about known: NaiveChange?) -> [NaiveChange]? {
    let (pick, writer) = (attack.pick, attack.writer)
    func change(_ writer: ActorID, _ seq: Int, behind: [NaiveChange.ID]) -> NaiveChange {
      NaiveChange(
        id: NaiveChange.ID(actor: writer, seq: seq),
        dependencies: behind,
        ops: []
      )
    }
    let withheld = NaiveChange.ID(actor: Attack.writer(15), seq: 1 + pick)
    switch attack.kind {
    case .forge: return [change(writer, 2, behind: [])]
    // Two forms, which are two changes.
    case .poison: return known.map { [change(writer, 2 + pick % 2, behind: [$0.id])] }
    case .impostor:
      return known.map {
        let seq = $0.id.seq + (attack.takesNextNumber ? 1 : 0)
        return [change($0.id.actor, seq, behind: [pick % 2 == 0 ? $0.id : withheld])]
      }
    case .withhold: return [change(writer, 1 + pick % 3, behind: [withheld])]
    case .flood: return attack.flood.map { change($0, 1, behind: [withheld]) }
    case .replay: return known.map { [$0] }
    case .lie: return nil
    case .equivocate:
      let op = NaiveOp(
        id: OpID(counter: 1, actor: writer),
        object: .root,
        place: .key("twin"),
        action: .set(.int(Int64(pick % 2))),
        predecessors: []
      )
      return [
        NaiveChange(
          id: NaiveChange.ID(actor: writer, seq: 1),
          dependencies: [],
          ops: [op]
        )
      ]
    }
  }
}
