// The law `hostile.hides-dependencies`; one of the list in `StorageLaws.swift`.

import DocumentModel
import Histories
import PropertyEngine

extension StorageLaws {
  /// Catches a fork, a merge or a read that trusts what a change says it follows, and traps or fails for good.
  ///
  /// A document takes a change that uses what it does not name, if that is here already: to look for it among the
  /// ancestors would cost a walk for each operation. Later calls take changes apart again by what they name.
  ///
  /// Worked example: the changes of a are 1 and 2, and 2 hides that it follows 1. Both are heads then. A fork at 2 alone
  /// lacks 1, and must be refused; a merge has to bring 1 first.
  ///
  ///     picks[1]     the change that hides something
  ///     picks[2]     which of its dependencies it keeps, a bit each
  ///     picks[3]     which states are looked at beside the heads
  static var hiddenDependencies: Law<PickedHistory> {
    law(
      "hostile.hides-dependencies",
      "Changes that hide dependencies do no harm.",
      "A document that took a change which hides what it follows is sound, saves, merges and shows each of its states; "
        + "a fork at one is refused, or shows the same.",
      source: .specification(.format, "Applying changes")
    ) { document, sample in
      let changes = try document.changes(since: [])
      let followers = changes.indices.filter {
        ChunkForge.dependencies(ofChange: changes[$0])?.isEmpty == false
      }
      guard !followers.isEmpty else { throw Skipped("no change follows another") }
      let place = followers[sample.pick(1) % followers.count]
      let kept = sample.pick(2)
      guard
        let liar = ChunkForge.change(changes[place], keeping: { kept >> min($0, 9) & 1 == 1 })
      else { throw Skipped("the change keeps all of its dependencies") }
      var receiver = R(actor: other)
      for change in changes[..<place] { try receiver.apply([change]) }
      do { try receiver.apply([liar]) } catch { throw Skipped("the change is refused") }
      // Those behind it wait for the change as it was, or do not fit any more.
      for change in changes[(place + 1)...] { _ = try? receiver.apply([change]) }
      // Its heads, and of the other states a few: each is a fork and a walk for differences.
      let ids = receiver.changeIDs()
      let distance = max(1, ids.count / 4)
      let others = stride(from: sample.pick(3) % distance, to: ids.count, by: distance).map {
        ids[$0]
      }
      let states = Set(receiver.heads().ids + others).sorted()
      if let difference = try receiver.misshownState(of: states) { return difference }
      return try DamageLaws<R>.soundness(of: &receiver)
    }
  }
}

extension StoredReplica {
  /// Where a fork at one of some changes shows something else than the document at that change; `nil` if no fork does.
  ///
  /// - Throws: What reading at the heads of a change throws; a fork may be refused.
  mutating func misshownState(of ids: some Sequence<String>) throws -> Difference? {
    let now = heads()
    for id in ids {
      let then = ObservedHeads(scheme: now.scheme, ids: [id])
      let shown = try observe(at: then)
      _ = try patches(from: then, to: now)
      guard let fork = try? fork(at: then, actor: ActorID(repeating: 0xde)) else { continue }
      if let difference = try fork.observe(at: nil).difference(from: shown) {
        return difference.between("the document at the change", "a fork at the change").ofPeers()
      }
    }
    return nil
  }
}
