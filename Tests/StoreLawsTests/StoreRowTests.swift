import PropertyEngine
import StoreLaws
import StoreSubjects
import TestSupport
import Testing

/// Rows of the store that laws state: each is held to its laws, and a store without it is caught.
@Suite("Rows of the store as laws")
struct StoreRowTests {
  /// Holds our store to laws, and sees that each catches a store that breaks it.
  private func hold(_ names: String..., cases: Int = 120) throws {
    for name in names {
      let law = try #require(StoreLaw.all.first { $0.name == name })
      let ours = try checkLaw(law.lowered(on: LocalStoreSubject()), seed: 3, cases: cases)
      #expect(ours.failure == nil, "\(ours)")
      let defect = try #require(StoreDefect.allCases.first { $0.law == name })
      let wrong = try checkLaw(
        law.lowered(on: defect.subject),
        seed: 3,
        cases: 1000,
        shrinkLimit: 5
      )
      #expect(wrong.failure != nil, "\(name) does not catch \(defect.rawValue)")
    }
  }

  @Test("AS-09 failed write: memory and disk are as before")
  func failedWrite() throws { try hold("fault.changes-nothing") }

  @Test("AS-12 group commit: callers at once share a synchronisation")
  func groupCommit() throws { try hold("callers.share-synchronisation", cases: 20) }

  @Test("AS-14 directory sync: what was acknowledged survives the loss of every unsure name")
  func folderSync() throws { try hold("crash.acknowledged-stays") }

  @Test("AS-15 rename: one call replaces, and a crash leaves no other file")
  func rename() throws { try hold("crash.one-state", "crash.no-litter") }

  @Test("AS-19 journal: frames are chained, a batch is one")
  func journal() throws { try hold("crash.one-state", "damage.noticed") }

  @Test("AS-20 compaction: hidden, and either generation is whole")
  func compaction() throws {
    try hold("store.compaction-hidden", "store.cost-amortised", cases: 60)
  }

  @Test("AS-21 torn tail: cut off, reported, and never back")
  func tornTail() throws { try hold("crash.dropped-stays-dropped") }

  @Test("AS-22 damage in the middle: a verdict, no truncation")
  func damage() throws { try hold("damage.noticed", "damage.kept-aside", "damage.any-bytes") }

  @Test("AS-23 sync failure: final until new files are written")
  func syncFailure() throws { try hold("fault.sync-not-trusted") }

  @Test("AS-24 full disk: old state, and on with it when there is room")
  func fullDisk() throws { try hold("fault.space-returns") }

  @Test("AS-30 observation: everything once and in order, or told what was dropped")
  func observation() throws {
    try hold("callers.news-complete", "callers.slow-observer-told", cases: 60)
  }

  @Test("AS-31 re-entrancy: under every schedule there is one order of the calls")
  func reentrancy() throws { try hold("callers.linearizable", "callers.one-winner", cases: 60) }

  @Test("AS-34 blocking calls: none on the threads of the pool")
  func pool() throws { try hold("place.off-the-pool", cases: 30) }

  @Test("AS-38 deterministic bytes: equal histories make equal files")
  func bytes() throws { try hold("store.bytes-repeat", cases: 60) }
}
