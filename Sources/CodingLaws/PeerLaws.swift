import CodingSupport
import JSONOracle
import ModelGeneration
import PropertyEngine

extension CodingLaw {
  /// What others read in what a coder wrote, and the other way round.
  static let peerLaws: [CodingLaw] = [peerReads, peerWrites, jsonReads]

  /// The subject with its peer.
  private struct Pair {
    let subject: any PeeredCoder
    let peer: any DocumentPeer

    init(_ trial: CodingTrial) throws {
      guard let subject = trial.subject as? any PeeredCoder, case .here(let peer) = subject.peer
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

  static let peerReads = CodingLaw(
    "peer.reads",
    "Another implementation reads in a saved document what the coder wrote, kinds included.",
    source: "codable-api.md, B.2; issue: agreement with the real Automerge",
    needs: [.documents, .nativeLeaves],
    obstacle: absence,
    models: ordered,
    draw: values(2)
  ) { trial in
    let pair = try Pair(trial)
    let document = try trial.document(holding: 0)
    for (index, words) in ["an encode", "an encode over it"].enumerated() {
      if index > 0 { try document.encode(try trial.value(index)) }
      let expected = trial.stored(trial.sample.values[index])
      if let reason = pair.peer.obstacle(toReading: expected) { throw Skipped(reason) }
      let saved = try pair.subject.save(document)
      let reading = try pair.peer.read(saved)
      let hidden = expected.hiding(reading.hidden).withoutSignsOfZero
      if let found = reading.tree.withoutSignsOfZero.difference(from: hidden) {
        return found.with("after \(words), \(pair.peer.name) reads: ")
      }
      guard let heads = reading.heads, try heads.sorted() != document.heads() else { continue }
      return Difference(
        kind: "peer.heads",
        summary: "after \(words), \(pair.peer.name) has other heads",
        expected: try document.heads().joined(separator: " "),
        actual: heads.sorted().joined(separator: " ")
      )
    }
    return nil
  }

  static let peerWrites = CodingLaw(
    "peer.writes",
    "What another implementation wrote is decoded to what the rules give, or is refused where it "
      + "stands.",
    source: "codable-api.md, B.3; issue: agreement with the real Automerge",
    needs: [.documents, .documentRules],
    obstacle: absence,
    models: ordered,
    draw: { model, sample, choices in try sample.drawArbitrary(model, &choices) },
    check: { trial in
      let pair = try Pair(trial)
      let document = try trial.document(holding: 0)
      guard case .map(let content)? = trial.sample.trees.first else { return nil }
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

  // MARK: - JSON

  static let jsonReads = CodingLaw(
    "json.means-the-same",
    "Another reader of JSON finds in the text what the value holds, number for number.",
    source: "RFC 8259; ECMA-404",
    needs: [.json],
    obstacle: { _ in JSONOracle.isPresent ? nil : JSONOracle.absence },
    models: { model in
      // A superclass has a member of its own in JSON, and no order is an order.
      usual(model) && model.traits.isDisjoint(with: [.texts, .counters, .unordered])
        && !["Dog", "Cat", "SuperInList"].contains(model.name)
    },
    draw: values(1),
    check: { trial in
      guard case .bytes(let bytes) = try trial.subject.encode(trial.value(), EncodingSettings())
      else { return Difference(kind: "encoded.kind", summary: "the encoding is no text") }
      let tree = trial.sample.values[0]
      let hasZero = tree.paths.contains { path in
        if case .key(let key)? = path.last { key.utf8.contains(0) } else { false }
      }
      guard !hasZero else { throw Skipped("json-c has no keys with a zero byte") }
      let value: JSONOracleValue
      do {
        value = try JSONOracle.read(bytes)
      } catch {
        return Difference(
          kind: "json.refused",
          summary: "json-c refuses the text: \(error)",
          expected: tree.description,
          actual: String(decoding: bytes, as: UTF8.self)
        )
      }
      return value.difference(from: tree, at: [])
    }
  )
}

extension JSONOracleValue {
  /// Where what json-c read departs from what a value holds.
  fileprivate func difference(from tree: Tree, at path: [PathKey]) -> Difference? {
    switch (self, tree) {
    case (.array(let elements), .list(let wanted)) where elements.count == wanted.count:
      for (index, pair) in zip(elements, wanted).enumerated() {
        let found = pair.0.difference(from: pair.1, at: path + [.index(index)])
        if let found { return found }
      }
      return nil
    case (.object(let members), .map(let entries)) where members.count == entries.count:
      for entry in entries {
        let step = path + [.key(entry.key)]
        guard let member = members.first(where: { $0.key.elementsEqual(entry.key.utf8) }) else {
          return Difference(kind: "json.missing", summary: "nothing stands at \(step.dotted)")
        }
        if let found = member.value.difference(from: entry.value, at: step) { return found }
      }
      return nil
    default:
      guard !means(tree) else { return nil }
      return Difference(
        kind: "json.value",
        summary: "json-c reads something else at \(path.dotted)",
        expected: tree.description,
        actual: "\(self)"
      )
    }
  }

  /// Whether a scalar is what a value holds.
  private func means(_ tree: Tree) -> Bool {
    switch (self, tree) {
    case (.null, .null): true
    case (.boolean(let value), .boolean(let wanted)): value == wanted
    case (.int(let value), .int(let wanted)): value == wanted
    case (.int(let value), .uint(let wanted)): UInt64(exactly: value) == wanted
    case (.uint(let value), .uint(let wanted)): value == wanted
    case (.string(let bytes), .string(let wanted)): bytes.elementsEqual(wanted.utf8)
    case (.string(let bytes), .bytes(let wanted)):
      bytes.elementsEqual(base64(wanted))
    case (_, .float(let wanted)), (_, .date(let wanted)): isNumber(wanted)
    // Foundation writes a `Decimal` as a number, which other coders find to be a struct.
    case (.int, .map(let entries)), (.uint, .map(let entries)), (.double, .map(let entries)):
      entries.contains { $0.key == "mantissa" }
    default: false
    }
  }

  /// Whether it is the number; one of 32 bits is written with as many digits as tell it apart.
  private func isNumber(_ wanted: Double) -> Bool {
    let number: Double? =
      switch self {
      case .int(let value): Double(value)
      case .uint(let value): Double(value)
      case .double(let value): value
      default: nil
      }
    guard let number else { return false }
    return number == wanted || Double(Float(wanted)) == wanted && Float(number) == Float(wanted)
  }
}

/// Bytes in the letters of RFC 4648, with padding.
private func base64(_ bytes: [UInt8]) -> [UInt8] {
  let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var result: [UInt8] = []
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    bits <<= UInt32(3 - group.count) * 8
    for place in 0..<4 {
      let letter = letters[Int(bits >> UInt32(18 - 6 * place) & 63)]
      result.append(place <= group.count ? letter : UInt8(ascii: "="))
    }
  }
  return result
}

extension Difference {
  /// The same difference with words before its summary.
  fileprivate func with(_ words: String) -> Difference {
    Difference(kind: kind, summary: words + summary, expected: expected, actual: actual)
  }
}
