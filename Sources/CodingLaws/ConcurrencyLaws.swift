import CodingSupport
import ModelGeneration
import PropertyEngine

// Several peers that encode: what a stale model does, how to avoid it, and that all replicas
// converge.

extension CodingLaw {
  /// Several peers that encode.
  static let concurrencyLaws: [CodingLaw] = [staleModel, basedOn, converges]

  /// The value with one scalar field of the root changed by me, with another one by a peer, and with both.
  private struct TwoEdits {
    let mine: (value: any Codable, tree: Tree)
    let theirs: any Codable
    let both: Tree
  }

  /// Edits two different fields.
  ///
  /// Numbers 0 and 1 choose the fields. `changed` makes the edits, so they are never equal to the
  /// old value.
  private static func twoEdits(_ trial: CodingTrial) throws -> TwoEdits {
    let tree = trial.sample.values[0]
    let fields = tree.steps.filter { step in
      tree.child(step).map { changed($0) != $0 } ?? false
    }
    guard fields.count >= 2 else { throw Skipped("the value has fewer than two fields") }
    let first = trial.sample.index(0, below: fields.count)
    let second = (first + 1 + trial.sample.index(1, below: fields.count - 1)) % fields.count
    func edited(_ step: PathKey) throws -> (value: any Codable, tree: Tree) {
      try trial.written(
        tree.replacing([step], with: tree.child(step).map { changed($0) }),
        editedAt: [step]
      )
    }
    let (mine, theirs) = (try edited(fields[first]), try edited(fields[second]))
    return TwoEdits(
      mine: mine,
      theirs: theirs.value,
      both: mine.tree.replacing([fields[second]], with: theirs.tree.child(fields[second]))
    )
  }

  /// Not a promise but a warning, held as a law so that documentation and coder cannot drift apart:
  /// to encode an old model over a merged document undoes the peer's edit.
  ///
  /// Worked example: both have `{title: "a", done: false}`. The peer sets `done`; the app merges,
  /// and saves its old model with a new title: `done` is false again. The mutant
  /// `stale-value-is-merged` keeps the peer's edit, by comparing with what it wrote last.
  static let staleModel = CodingLaw(
    "stale.reverts",
    "A stale model overwrites newer edits.",
    "A model that was decoded before a merge and is encoded after it replaces the whole "
      + "document: the peer's edit is gone.",
    source: .specification(.codable, "Concurrent encodes"),
    needs: [.documents],
    models: { ordered($0) && $0.traits.contains(.plainStruct) },
    draw: values(1, numbers: 2),
    check: { trial in
      let edits = try twoEdits(trial)
      let document = try trial.document(holding: 0)
      let peer = try document.fork(actor: 2)
      try peer.encode(edits.theirs)
      try document.merge(peer)
      try document.encode(edits.mine.value)
      return try trial.difference(document, from: trial.stored(edits.mine.tree))
    }
  )

  /// The way out of it.
  ///
  /// Catches a coder that compares with the present document instead of the one at the heads.
  /// Misses two changes of one field, where one must lose.
  ///
  /// Worked example: the same as above, with the heads of before the merge: the title is new and
  /// `done` is true.
  ///
  /// From the third on each number of the sample is a step between the heads and the stale model; every step
  /// ends with the others' edit. Own changes and a peer's come in any order, since the branch's writer
  /// depends on who wrote what.
  package static let basedOn = CodingLaw(
    "stale.based-on",
    "Encoding based on heads keeps others' edits.",
    "A stale model that is encoded with its heads, once or twice, changes only what it changed itself, whatever "
      + "edits came since, in whatever order, and whether or not they are committed; two who do so can merge.",
    source: .specification(.codable, "Concurrent encodes"),
    needs: [.documents, .basedOnHeads],
    models: { ordered($0) && $0.traits.contains(.plainStruct) },
    draw: { model, sample, choices in
      try values(1, numbers: 2)(model, &sample, &choices)
      sample.numbers.append(choices.number(in: 0...3))
      choices.repeated(upTo: 4, averaging: 2, "step") { choices in
        sample.numbers.append(choices.number(in: 0...3))
      }
    },
    check: { trial in
      let edits = try twoEdits(trial)
      let document = try trial.document(holding: 0)
      let heads = try document.heads()
      // One that hears of nothing that happens meanwhile.
      let stranger = try document.fork(actor: 2)
      // There and back, so that each step writes.
      func edit(_ document: any CodingDocument) throws {
        try document.encode(try trial.value())
        try document.encode(edits.theirs)
      }
      for (place, step) in trial.sample.numbers.dropFirst(2).enumerated() {
        switch step.notNegative % 4 {
        case 0:
          let peer = try document.fork(actor: UInt8(10 + place % 200))
          try edit(peer)
          try document.merge(peer)
        // Into the same document, whose change may be still open when the stale model comes.
        case 1: try edit(document)
        case 2:
          try edit(document)
          _ = try document.heads()
        default:
          try edit(stranger)
          try document.merge(stranger)
        }
      }
      var settings = EncodingSettings()
      settings.basedOn = heads
      let expected = trial.stored(edits.both)
      try document.encode(edits.mine.value, at: [], settings)
      if let found = try trial.difference(document, from: expected) { return found }
      try document.encode(edits.mine.value, at: [], settings)
      if let found = try trial.difference(document, from: expected, "after a second time") {
        return found
      }
      // Two with changes of their own and the same heads: the branches of both need writers of their own.
      let twin = try document.fork(actor: 250)
      try edit(twin)
      try edit(document)
      try document.merge(twin)
      try twin.merge(document)
      try document.encode(edits.mine.value, at: [], settings)
      try twin.encode(edits.theirs, at: [], settings)
      try document.merge(twin)
      try twin.merge(document)
      let merged = try twin.tree()
      return try trial.difference(document, from: merged, "once two of the same heads have merged")
    }
  )

  /// Catches encodes that depend on what a peer cannot know, so that merged documents differ; and
  /// merged documents whose decoding fails with an error of no known type.
  ///
  /// Misses whether the merged value is a good one: `merge.same-value` and `merge.remove-and-edit`
  /// ask that.
  ///
  /// Three peers and up to twelve steps: encode, merge one way, save and load, encode what was
  /// decoded. The network is in the sample: a merge that is not drawn is a lost message, one that
  /// is drawn twice a repeated one.
  ///
  /// Worked example: `sixth-key-is-last` reads maps up to their sixth key, so that it decodes the
  /// merged document to something else than the rules do.
  package static let converges = CodingLaw(
    "concurrent.converges",
    "Peers that encode at once converge.",
    "Peers that encode values at once, over a network that loses and repeats, end with one document "
      + "that decodes or says why not.",
    source: [
      .requirement(5),
      .paper("Shapiro et al., Conflict-free Replicated Data Types, 2011", "2"),
    ],
    needs: [.documents],
    models: ordered,
    draw: { model, sample, choices in
      try relatedValues(4)(model, &sample, &choices)
      choices.repeated(upTo: 12, averaging: 6, "step") { choices in
        sample.numbers.append(choices.number(in: 0...255))
      }
    },
    check: { trial in
      let first = try trial.document(holding: 0)
      var peers = [first, try first.fork(actor: 2), try first.fork(actor: 3)]
      for number in trial.sample.numbers {
        let number = number.notNegative
        let (one, other) = (number % 3, number / 3 % 3)
        switch number / 9 % 5 {
        case 0, 1: try peers[one].encodeUnlessRefused(try trial.value(1 + number / 45 % 3), trial)
        case 2 where one != other: try peers[one].merge(peers[other])
        case 3: peers[one] = try peers[one].reloaded(actor: UInt8(10 + number % 200))
        default:
          // What was decoded and sent back, by a peer that heard nothing new.
          let decoded = trial.outcome { try peers[one].decode(trial.type) }
          if case .success(let value) = decoded, let value = value as? any Encodable {
            try peers[one].encodeUnlessRefused(value, trial)
          }
        }
      }
      // One round is enough, since a merge takes in all changes; the second repeats each message, and
      // changes nothing.
      try exchange(peers)
      let tree = try peers[0].tree()
      for (number, peer) in peers.enumerated().dropFirst() {
        if let found = try peer.tree().difference(from: tree) {
          return found.between("peer 1 after all merged", "peer \(number + 1) after all merged")
            .ofPeers()
        }
      }
      let before = try peers.map { try Untouched($0) }
      try exchange(peers)
      for (peer, before) in zip(peers, before) {
        if let found = try before.difference(peer, after: "merging the same once more") {
          return found
        }
      }
      guard trial.subject.features.contains(.documentRules) else { return nil }
      return try judge(peers[0], trial)
    }
  )
}

/// Merges each document into each other one.
private func exchange(_ peers: [any CodingDocument]) throws {
  for one in peers.indices {
    for other in peers.indices where one != other { try peers[one].merge(peers[other]) }
  }
}

extension CodingDocument {
  /// Encodes, or is refused with a typed error, as values of a merged document may be.
  fileprivate func encodeUnlessRefused(_ value: any Encodable, _ trial: CodingTrial) throws {
    do {
      try encode(value)
    } catch  where CoderComplaint(error, of: trial.subject).isTyped {
      return
    }
  }
}
