import Foundation
import TestSupport
import Testing

@testable import MergeEngine

@Suite("Sync with the real Automerge", .enabled(if: RealPeer.isInstalled))
struct LiveSyncTests {
  /// Sessions to play; a longer run takes the number from the environment.
  private static let count =
    ProcessInfo.processInfo.environment["TOUCHSTONE_LIVE_SESSIONS"].flatMap { Int($0) } ?? 60

  private func edit(_ document: MergeDocument, _ random: inout SplitMix) throws {
    switch random.below(4) {
    case 0: try document.put(.root, .key(random.letter()), .int(Int64(random.below(1_000))))
    case 1:
      let text = try document.putObject(.root, .key("t\(random.below(2))"), .text)
      try document.spliceText(text, at: 0, delete: 0, insert: "typed \(random.letter())")
      try document.mark(text, 1..<4, expand: .both, name: "b", value: .bool(true))
    case 2:
      guard case .object(let text, .text)? = try document.get(.root, .key("t0"))?.value else {
        return
      }
      try document.spliceText(text, at: 1, delete: 2, insert: "\u{1F600}\(random.letter())")
    default: try document.delete(.root, .key(random.letter()))
    }
    if random.below(3) > 0 { document.commit() }
  }

  @Test("Sessions in both roles, with faults and edits between, end at equal heads")
  func sessions() throws {
    let peer = try RealPeer()
    var longest = 0
    for seed in 0..<UInt64(Self.count) {
      var random = SplitMix(seed)
      let ours = MergeDocument(actor: actor(1))
      for _ in 0..<random.below(12) { try edit(ours, &random) }
      let theirs =
        random.below(3) == 0 ? MergeDocument(actor: actor(2)) : ours.fork(actor: actor(2))
      for _ in 0..<random.below(40) { try edit(ours, &random) }
      for _ in 0..<random.below(40) { try edit(theirs, &random) }
      var state = PeerState()
      try peer.load(theirs.changeCount == 0 ? [] : theirs.save())
      // Messages that are lost, doubled, or meet an edit; then both sides begin a new channel.
      for turn in 0..<random.below(8) {
        let message = turn % 2 == 0 ? ours.syncMessage(for: &state) : try peer.say()
        guard let message else { continue }
        for _ in 0..<random.below(3) {
          if turn % 2 == 0 {
            try peer.hear(message)
          } else {
            try ours.receive(syncMessage: message, &state)
          }
        }
        if random.below(4) == 0 { try edit(ours, &random) }
      }
      // The binding stores no states: theirs starts again from its first document.
      try peer.load(theirs.changeCount == 0 ? [] : theirs.save())
      state = try PeerState(bytes: state.bytes)
      let weBegin = random.below(2) == 0
      var rounds = 0
      while true {
        var spoke = false
        for side in weBegin ? [0, 1] : [1, 0] {
          if side == 0, let message = ours.syncMessage(for: &state) {
            try peer.hear(message)
            spoke = true
          } else if side == 1, let message = try peer.say() {
            try ours.receive(syncMessage: message, &state)
            spoke = true
          }
        }
        if !spoke { break }
        rounds += 1
        try #require(rounds < 12, "seed \(seed)")
      }
      longest = max(longest, rounds)
      let heads = ours.heads.flatMap(\.bytes)
      #expect(try peer.heads() == heads, "seed \(seed)")
      let broken = ours.brokenInvariant
      #expect(broken == nil, "seed \(seed)")
    }
    #expect(longest <= 9, "the longest took \(longest) rounds")
  }

  @Test("The real core reads our marks as we do")
  func marks() throws {
    let peer = try RealPeer()
    var compared = 0
    for seed in 0..<UInt64(Self.count) {
      var random = SplitMix(seed)
      let document = MergeDocument(actor: actor(1))
      let text = try document.putObject(.root, .key("t"), .text)
      try document.spliceText(text, at: 0, delete: 0, insert: "0123456789")
      for step in 0..<12 {
        let length = try document.length(text)
        let start = random.below(length)
        // 0.5.7 puts the end of an empty mark before its begin.
        let end = start + 1 + random.below(length - start)
        switch random.below(4) {
        case 0, 1:
          try document.mark(
            text,
            start..<end,
            expand: MarkExpansion.allCases[random.below(4)],
            name: ["a", "b"][random.below(2)],
            value: random.below(3) == 0 ? .null : .int(Int64(step))
          )
        case 2: try document.spliceText(text, at: start, delete: 0, insert: "x\(step)")
        default: if length > 3 { try document.spliceText(text, at: start, delete: 1) }
        }
      }
      try peer.load(document.save())
      let ours = try document.marks(text).map { mark in
        guard case .int(let value) = mark.value else { return "\(mark)" }
        return "\(mark.range.lowerBound)-\(mark.range.upperBound) \(mark.name)=\(value)"
      }
      compared += ours.count
      #expect(try peer.marks() == ours.sorted().joined(separator: " "), "seed \(seed)")
    }
    #expect(compared > Self.count)
  }
}
