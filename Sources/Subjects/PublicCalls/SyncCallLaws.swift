import AutomergeDocument
import DocumentLaws
import Foundation
import MergeEngine
import PropertyEngine
import Texts

// Laws of sync with peers that do what no replica of a history does: newer ones that ask for all once more, and a
// document that goes back to a backup while the app keeps what it knew of its peer.

extension PublicCallLaw {
  static let syncCallLaws = [resetRequests, backups]

  /// Catches a request that is not read, or read where none is; what is under way that is sent a second time; and an
  /// answer in a version that the peer does not read.
  ///
  ///     the peer has the first change    all others are sent
  ///     it says so once more             nothing is sent again
  ///     with a request                   all others once more
  ///     it has the last one              nothing is left to say, though it names that twice
  private static let resetRequests = PublicCallLaw(
    "api.reset-requests",
    "A peer may ask for all again.",
    "A document sends what a peer lacks once; asked for all again by a flag of newer peers it sends all of it once more, "
      + "and by other flags nothing. It answers in version 2 if the peer's last flags say that it reads that, and not at all "
      + "once the peer has all; a hash that a message names twice counts once.",
    source: .specification(.format, "Sync flags", "Generating a message", "Receiving a message")
  ) { story in
    let document = Document.written(by: 0xfd)
    let count = 2 + story.index(below: 4)
    for number in 0..<count {
      try document.put(obj: .ROOT, key: "k", value: .Int(Int64(number)))
      document.commitOnce()
    }
    let hashes = document.getHistory()
    let lacking = Set(hashes.dropFirst())
    story.note("a peer has the first of \(counted(count, "change"))")
    let state = SyncState()
    // The version, one head, no needs, one statement up to that head with an empty filter, no changes.
    let message =
      [0x42, 1] + hashes[0].bytes + [0, 1, 1] + hashes[0].bytes + [0, 0] as [UInt8]
    // Without flags a peer says nothing of what it reads.
    let plain: [[UInt8]] = [[], [], [1, 1], [2, 1, 2], [2, 2, 0x80], [2, 2, 0x84]]
    let requests: [[UInt8]] = [[2, 2, 0x81], [1, 0x81], [2, 2, 0x85]]
    var due = lacking
    var readsVersion2 = false
    for _ in 0..<4 {
      let asksAgain = story.flag()
      let flags = story.element(of: asksAgain ? requests : plain)
      story.note("it says so with the flags \(hexString(flags))")
      try document.receiveSyncMessage(state: state, message: Data(message + flags))
      if asksAgain { due = lacking }
      if !flags.isEmpty { readsVersion2 = flags.dropFirst().contains { $0 == 2 || $0 >= 0x80 } }
      var sent: Set<AutomergeDocument.ChangeHash> = []
      if let answer = document.generateSyncMessage(state: state) {
        let version = answer.first == 0x43 ? 2 : 1
        try expect(version == (readsVersion2 ? 2 : 1), "an answer in version \(version)")
        let hashes = try MergeDocument.changeHashes(inSyncMessage: [UInt8](answer))
        sent = Set(hashes.map { ChangeHash($0) })
      }
      try expect(
        sent == due,
        "\(counted(sent.count, "change")) sent where \(due.count) are due"
      )
      due = []
    }
    story.note("it has all changes, and names the last one twice")
    let last = hashes[hashes.count - 1].bytes
    // Two heads and a statement up to two, which are one.
    let twice = [2] + last + last as [UInt8]
    let ending = [0x42] + twice + [0, 1] + twice + [0, 0] as [UInt8]
    try document.receiveSyncMessage(state: state, message: Data(ending))
    let answer = document.generateSyncMessage(state: state)
    try expect(answer == nil, "a peer that has all changes, and names a head twice, is answered")
    let stored = [0x43, 1] + last as [UInt8]
    try expect([UInt8](state.encode()) == stored, "a hash that a peer names twice is stored twice")
  }

  /// Catches a call that traps on hashes which the document has lost, and a state that cannot be reset.
  ///
  /// What is under way may be lost for the two until the states are reset: each believes that the other has it.
  private static let backups = PublicCallLaw(
    "api.backups-in-sync",
    "A document may go back during a sync.",
    "A document that goes back to a backup during a sync takes what its peer says with the state that it kept, and once "
      + "both have reset their states, both have all changes.",
    source: .specification(.format, "Receiving a message", "Sync state")
  ) { story in
    var document = Document.written(by: 0xfd)
    let peer = Document.written(by: 0xfe)
    for number in 0...story.index(below: 3) {
      try document.put(obj: .ROOT, key: "k", value: .Int(Int64(number)))
      document.commitOnce()
    }
    let backup = document.save()
    for number in 0...story.index(below: 3) {
      try document.put(obj: .ROOT, key: "later", value: .Int(Int64(number)))
      document.commitOnce()
    }
    if story.flag() {
      try peer.put(obj: .ROOT, key: "peer", value: .Null)
      peer.commitOnce()
    }
    let (mine, theirs) = (SyncState(), SyncState())
    let count = story.index(below: 5)
    story.note("a document and a peer exchange messages, \(count) times in turn")
    for number in 0..<count {
      if number.isMultiple(of: 2) {
        guard let message = document.generateSyncMessage(state: mine) else { continue }
        try peer.receiveSyncMessage(state: theirs, message: message)
      } else {
        guard let message = peer.generateSyncMessage(state: theirs) else { continue }
        try document.receiveSyncMessage(state: mine, message: message)
      }
    }
    let underWay = story.flag() ? peer.generateSyncMessage(state: theirs) : nil
    story.note(
      "the document goes back to a backup, \(underWay == nil ? "nothing" : "a message of the peer") under way"
    )
    document = try Document(backup)
    document.actor = ActorId(MergeEngine.ActorID([0xfd]))
    if let underWay { try document.receiveSyncMessage(state: mine, message: underWay) }
    _ = try document.exchange(with: peer, (mine, theirs))
    mine.reset()
    theirs.reset()
    try expect(try document.exchange(with: peer, (mine, theirs)), "a sync does not end")
    try expect(
      document.heads() == peer.heads(),
      "behind a reset the two have other changes"
    )
  }
}

extension Document {
  /// Exchanges messages until neither side has one, 20 each at most; gives whether it came to an end.
  fileprivate func exchange(
    with peer: Document,
    _ states: (mine: SyncState, theirs: SyncState)
  ) throws -> Bool {
    for _ in 0..<20 {
      let out = generateSyncMessage(state: states.mine)
      if let out { try peer.receiveSyncMessage(state: states.theirs, message: out) }
      let back = peer.generateSyncMessage(state: states.theirs)
      if let back { try receiveSyncMessage(state: states.mine, message: back) }
      if out == nil && back == nil { return true }
    }
    return false
  }
}
