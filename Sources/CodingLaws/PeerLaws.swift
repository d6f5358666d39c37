import CodingSupport
import ModelGeneration
import PropertyEngine

// What another implementation reads in what a coder wrote, and the other way round. A coder that is
// wrong in the same way on both sides passes every round trip; a peer does not. Our coder's peer is
// the real Automerge, which shares no code with it; the naive coder's is the naive model with all
// rules right, by which the mutants of saving are caught.

extension CodingLaw {
  /// What others read in what a coder wrote, and the other way round.
  static let peerLaws: [CodingLaw] = [peerReads, peerWrites]

  /// The subject with its peer.
  ///
  /// - Throws: `Skipped` where there is none; `obstacle` says so before a sample is drawn.
  private struct Pair {
    let subject: any PeeredCoder
    let peer: any DocumentPeer

    init(_ trial: CodingTrial) throws {
      guard let subject = trial.subject as? any PeeredCoder,
        case .available(let peer) = subject.peer
      else { throw Skipped("no other implementation is at hand") }
      self.subject = subject
      self.peer = peer
    }
  }

  /// Why no other implementation can be asked about a subject's documents.
  private static let absence: @Sendable (any CoderSubject) -> String? = { subject in
    guard let subject = subject as? any PeeredCoder else {
      return "no other implementation reads what it saves"
    }
    return if case .absent(let reason) = subject.peer { reason } else { nil }
  }

  /// Catches documents that only their writer understands.
  ///
  /// Heads are compared, too: they hash every byte of every change.
  ///
  /// Worked example: `texts-saved-as-strings` shows a text in its own document and saves a string.
  /// It costs 4, since our coder's peer is another program, which is called several times in a
  /// case.
  static let peerReads = CodingLaw(
    "peer.reads",
    "Other implementations read what the coder wrote.",
    "Another implementation reads in a saved document what the coder wrote, kinds included.",
    source: .specification(.codable, "Encoding by type"),
    needs: [.documents, .nativeLeaves],
    costs: 4,
    obstacle: absence,
    models: ordered,
    draw: relatedValues(2)
  ) { trial in
    let pair = try Pair(trial)
    let document = try trial.document(holding: 0)
    for (index, words) in ["an encode", "an encode over it"].enumerated() {
      if index > 0 { try document.encode(try trial.value(index)) }
      let expected = trial.stored(trial.sample.values[index])
      // Such as a timestamp beyond the year 9999, which the adapter's dates do not have.
      if let reason = pair.peer.obstacle(toReading: expected) { throw Skipped(reason) }
      let bytes = try pair.subject.save(document)
      let reading = try pair.peer.read(bytes)
      // Kinds that the peer finds and cannot read are compared as blanks.
      let hidden = expected.hiding(reading.hidden).withoutSignsOfZero
      if let found = reading.tree.withoutSignsOfZero.difference(from: hidden) {
        return found.with("after \(words), \(pair.peer.name) reads: ")
          .between(CodingTrial.encoded, "what \(pair.peer.name) reads")
      }
      if !reading.hidden.isEmpty {
        // What it does not show, it still has to know: it saves what it made of the bytes.
        let saved = try pair.peer.write([], over: bytes)
        let loaded = try pair.subject.document(saved: saved, actor: 3)
        let name = "after \(words), as \(pair.peer.name) saved it"
        if let found = try trial.difference(loaded, from: expected, name) { return found }
      }
      let heads = try document.heads()
      if let others = reading.heads, others.sorted() != heads {
        return Difference(
          kind: "peer.heads",
          summary: "after \(words), \(pair.peer.name) has other heads",
          expected: heads.joined(separator: " "),
          actual: others.sorted().joined(separator: " ")
        ).between("the coder's document", "what \(pair.peer.name) reads")
      }
    }
    return nil
  }

  /// Catches a decoder that was only ever tried on what its own encoder writes: peers choose other
  /// kinds, and make new objects where ours are kept.
  ///
  /// The peer puts whole values at keys of the root, over a document of the coder. The document
  /// that the peer saved is looked at three times: as loaded, as decoded, and merged into the one
  /// that the coder had meanwhile.
  static let peerWrites = CodingLaw(
    "peer.writes",
    "The coder reads what other implementations wrote.",
    "What another implementation wrote is decoded to what the rules give, or is refused where it "
      + "stands.",
    source: .specification(.codable, "Decoding by type"),
    needs: [.documents, .documentRules],
    costs: 4,
    obstacle: absence,
    models: ordered,
    draw: { model, sample, choices in try sample.drawArbitrary(model, &choices) },
    check: { trial in
      let pair = try Pair(trial)
      let document = try trial.document(holding: 0)
      guard case .map(let content)? = trial.sample.trees.first else { return nil }
      // Entry by entry: what the peer cannot write is left out, and the rest is asked.
      let entries = content.map { entry in
        Tree.Entry(entry.key, trial.stored(entry.value, .milliseconds))
      }.filter { pair.peer.obstacle(toWriting: .map([$0])) == nil }
      guard !entries.isEmpty else { throw Skipped("\(pair.peer.name) can write nothing of it") }
      let own = trial.stored(trial.sample.values[0])
      let expected = entries.reduce(own) { $0.replacing([.key($1.key)], with: $1.value) }
      let saved = try pair.peer.write(entries, over: try pair.subject.save(document))
      let loaded = try pair.subject.document(saved: saved, actor: 3)
      if let found = try trial.difference(loaded, from: expected, "as \(pair.peer.name) left it") {
        return found
      }
      if let found = try judge(loaded, trial) { return found }
      // The same where the document lived on.
      try document.merge(loaded)
      return try trial.difference(document, from: expected, "after the merge")
        ?? judge(document, trial)
    }
  )
}
