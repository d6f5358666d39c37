// The checks of a model's laws, in the order of `ModelLaw.all`; below them what they share. Each
// check announces every call of the model's code before it makes it (`willTry`), since such a call
// may end the process.
//
// Kinds of failures and what they mean:
//
//     model.encoding         one value is encoded as two things      model.refused      it is not encoded
//     model.decoding         one document becomes two values         model.unwritten    a required key is missing
//     model.encoding-order   equal values are encoded as two things  model.unreadable   decoding refuses what was written
//     model.order            the order of keys decides               model.lost         a place is not written
//     model.order-refused    in another order it is refused          model.changed      a place is another value
//     model.drifted          a drifted value does not last           model.unread       a key is never asked for

import CodingSupport
import ModelGeneration
import PropertyEngine

/// One sample of a model on trial: what its laws find.
struct ModelTrial<Value: Codable> {
  let sample: ModelSample<Value>
  /// The law that asks.
  let law: LawStatement
  let tolerance: Tolerance
  /// Gets each piece of the model's own code that may trap before it runs.
  let willTry: (ModelAttempt) -> Void

  // MARK: - The laws

  /// Encodes the value, simpler ones first, so that one that traps is small.
  ///
  /// A trap ends the process, and nothing is made smaller after it. What is refused with an error is
  /// another law's affair.
  ///
  /// Never finds a difference: it holds, or the process ends.
  ///
  /// Cost: up to 82 values are encoded, and 8 more for each list (``Tree/simplerFirst(_:)``).
  func encodingEnds() -> Difference? {
    let decoder = TreeDecoder()
    for document in sample.document.simplerFirst({ document in
      willTry(
        ModelAttempt(
          law: ModelLaw.oldData,
          document: document,
          description: "decoding \(document)"
        )
      )
      return (try? decoder.decode(Value.self, from: document)) != nil
    }) {
      guard let value = try? decoder.decode(Value.self, from: document) else { continue }
      _ = try? encoded(value, from: document)
    }
    _ = try? encoded(sample.value, from: sample.document)
    return nil
  }

  /// Where coding something twice makes two things of it.
  ///
  /// Encoding is asked before decoding: where it does not repeat, a document says nothing of a
  /// value.
  func codingRepeats() -> Difference? {
    if let first = try? encoded(sample.value, from: sample.document),
      let second = try? encoded(sample.value, from: sample.document),
      let found = second.difference(from: first)
    {
      return Difference(
        kind: "model.encoding",
        summary: "encoded a second time, the same value becomes something else: \(found.summary)",
        expected: found.expected,
        actual: found.actual
      ).between("what was encoded first", "what was encoded second").ofPeers()
    }
    willTry("decoding one document twice")
    guard let first = try? sample.again(), let second = try? sample.again() else { return nil }
    guard let found = difference(second, first, documents: [sample.document]) else {
      return encodingOfEqualsDiffers()
    }
    return Difference(
      kind: "model.decoding",
      summary: "decoded a second time, the same document becomes another value: "
        + "\(found.path.quoted) differs",
      expected: found.second,
      actual: found.first
    ).between("what was decoded first", "what was decoded second").ofPeers()
  }

  /// Where values that one document was decoded to are encoded as different things.
  ///
  /// Equal sets have another order each, which shows where they are written as lists.
  private func encodingOfEqualsDiffers() -> Difference? {
    guard let first = try? encoded(sample.value, from: sample.document), first.hasPair else {
      return nil
    }
    // Two elements come in the same order half of the time.
    for _ in 0..<8 {
      guard let value = try? sample.again(),
        difference(value, sample.value, documents: [sample.document]) == nil,
        let other = try? encoded(value, from: sample.document),
        let found = other.difference(from: first)
      else { continue }
      return Difference(
        kind: "model.encoding-order",
        summary: "an equal value is encoded as something else: \(found.summary)",
        expected: found.expected,
        actual: found.actual
      ).between("the encoded value", "the equal value, encoded").ofPeers()
    }
    return nil
  }

  /// Where the document with its keys reversed becomes another value.
  ///
  /// Maps at all depths are reversed in one document. `again()` and not the sample's own value is
  /// compared, so that what differs with each decoding is the affair of `model.deterministic`.
  ///
  /// - Throws: `Skipped` where the document is not decoded: with samples of the caller it may be
  ///   none.
  func orderOfKeysIsInvisible() throws -> Difference? {
    let reversed = sample.document.mapNodes { node in
      guard case .map(let entries) = node else { return node }
      return .map(entries.reversed())
    }
    willTry("decoding with the keys in another order")
    guard let value = try? sample.again() else { throw Skipped("the document does not decode") }
    let other: Value
    do {
      other = try TreeDecoder().decode(Value.self, from: reversed)
    } catch {
      return Difference(
        kind: "model.order-refused",
        summary: "with its keys in another order the document is refused: "
          + explanation(ofCodingError: error)
      )
    }
    guard let found = difference(other, value, documents: [sample.document]) else { return nil }
    return Difference(
      kind: "model.order",
      summary: "with its keys in another order the document becomes another value: "
        + "\(found.path.quoted) differs",
      expected: found.second,
      actual: found.first
    ).between("decoded with the keys as they are", "decoded with the keys in another order")
      .ofPeers()
  }

  /// Where the value is not what it was after it was encoded and decoded.
  func valueSurvives() -> Difference? {
    survives(sample.value, from: sample.document)
  }

  /// Where a value that is decoded from a changed document is not what it was after another turn.
  ///
  /// What is refused is right; what is decoded must last. Whether it should have been refused is
  /// not asked.
  func driftedValuesSurvive() -> Difference? {
    let decoder = TreeDecoder()
    for (change, drifted) in Drifts.single(of: sample.document) {
      // The caller sees the last announcement, with the drift that was tried.
      willTry("decoding a document in which \(change): \(drifted)")
      guard let value = try? decoder.decode(Value.self, from: drifted) else { continue }
      guard let found = survives(value, from: drifted) else { continue }
      return Difference(
        kind: "model.drifted",
        summary: "a document in which \(change) is decoded to a value that does not last: "
          + found.summary,
        expected: found.expected,
        actual: found.actual
      ).between(found.expectedSide, found.actualSide)
    }
    return nil
  }

  /// A key that is written and never asked for.
  ///
  /// A property that `init(from:)` does not set is the same in every derived value, so that it comes back as it was.
  ///
  /// Paths that were asked for are recorded by the decoder, whether they are there or not.
  func everyKeyIsRead() -> Difference? {
    guard let written = try? encoded(sample.value, from: sample.document) else { return nil }
    var read: Set<[PathKey]> = []
    var decoder = TreeDecoder()
    decoder.willRead = { read.insert($0.keys) }
    willTry("decoding \(written)")
    guard (try? decoder.decode(Value.self, from: written)) != nil,
      let unread = unread(in: written, at: [], read)
    else { return nil }
    let name = unread.path.quoted
    return Difference(
      kind: "model.unread",
      summary: "`init(from:)` never asks for \(name), which `encode(to:)` writes",
      expected: "\(name) is read",
      actual: "every document's \(name) becomes \(unread.tree)"
    )
  }

  /// An unread key is reported at the outermost place: what is below it cannot be read either.
  private func unread(
    in tree: Tree,
    at path: [PathKey],
    _ read: Set<[PathKey]>
  ) -> (path: [PathKey], tree: Tree)? {
    for step in tree.steps {
      guard let child = tree.child(step) else { continue }
      let place = path + [step]
      if case .key(let key) = step, !read.contains(place) {
        if tolerance.unreadKeys.contains(key) { continue }
        return (place, child)
      }
      if let found = unread(in: child, at: place, read) { return found }
    }
    return nil
  }

  // MARK: - Parts

  /// The two sides of a comparison of a value with what coding makes of it.
  private static var original: String { "the value" }
  private static var copy: String { "the value encoded and decoded" }

  private func willTry(_ description: @autoclosure @escaping @Sendable () -> String) {
    willTry(ModelAttempt(law: law, document: sample.document, description: description()))
  }

  private func encoded(_ value: Value, from document: Tree) throws -> Tree {
    willTry(.encoding(document))
    return try TreeRecorder.tree(of: value)
  }

  /// What is reported, in this order: `model.refused` (it does not encode), `model.unwritten` (a
  /// key that decoding requires is not there), `model.unreadable` (decoding refuses it otherwise),
  /// `model.lost` (the document had the place, what was written has not), `model.changed`.
  ///
  /// `documents` of the comparison are both, so that a property counts if either holds it.
  private func survives(_ value: Value, from document: Tree) -> Difference? {
    let written: Tree
    do {
      written = try encoded(value, from: document)
    } catch {
      return Difference(
        kind: "model.refused",
        summary: "a value that `init(from:)` accepts is refused by `encode(to:)`: "
          + explanation(ofCodingError: error),
        expected: "an encoded value",
        actual: "an error"
      )
    }
    willTry("decoding \(written)")
    let decoded: Value
    do {
      decoded = try TreeDecoder().decode(Value.self, from: written)
    } catch {
      let lost = Self.missingKey(error)
      return Difference(
        kind: lost == nil ? ModelLaw.unreadable : ModelLaw.unwritten,
        summary: lost.map {
          "`encode(to:)` does not write \($0.quoted), which `init(from:)` requires"
            + instead(of: $0, in: written, document)
        } ?? "`init(from:)` refuses what `encode(to:)` wrote: " + explanation(ofCodingError: error),
        expected: ValueComparison.description(of: value),
        actual: "an error; encode(to:) wrote \(written)"
      ).between(Self.original, Self.copy)
    }
    guard let found = difference(decoded, value, documents: [document, written]) else {
      return nil
    }
    // Names of properties may differ from keys; then neither document has the path, and the place
    // has changed.
    let isLost = document[found.path] != nil && written[found.path] == nil
    return Difference(
      kind: isLost ? "model.lost" : "model.changed",
      summary: isLost
        ? "`encode(to:)` does not write \(found.path.quoted)"
          + instead(of: found.path, in: written, document)
        : "\(found.path.quoted) comes back as something else"
          + reason(forChangeAt: found.path, in: written, document),
      expected: found.second,
      actual: found.first
    ).between(Self.original, Self.copy)
  }

  /// What was written in the place of a key, where that is likely.
  private func instead(of path: [PathKey], in written: Tree, _ document: Tree) -> String {
    guard case .key(let key)? = path.last else { return "" }
    return keys(at: path.dropLast(), in: written, document).writtenInstead(of: key)
  }

  /// Which key on the way to a property is not read, the outermost, where that is so.
  private func reason(forChangeAt path: [PathKey], in written: Tree, _ document: Tree) -> String {
    for (depth, step) in path.enumerated() {
      guard case .key(let name) = step else { continue }
      let keys = keys(at: path.prefix(depth), in: written, document)
      let reason = keys.reasonForChange(of: name)
      if !reason.isEmpty { return reason }
    }
    return ""
  }

  private func keys(
    at map: ArraySlice<PathKey>,
    in written: Tree,
    _ document: Tree
  ) -> KeyMismatch {
    KeyMismatch(Value.self, from: [document, written], written: written, at: Array(map))
  }

  /// Where two values differ: by `==` where the type has it, and at places that are coded.
  ///
  /// A property that no document holds may differ if `==` does not mind, as caches do.
  ///
  ///     `==` says   tolerance exact      what is compared
  ///     different   yes                  the first place that differs; else the values as wholes
  ///     equal       yes                  places that a document holds, for `==` may look at an id alone
  ///     no `==`, or a tolerance          all properties, within the tolerance
  ///     different from itself, by a NaN  all properties, and NaN is NaN
  private func difference(
    _ found: Value,
    _ wanted: Value,
    documents: [Tree]
  ) -> ValueDifference? {
    var comparison = ValueComparison(tolerance: tolerance)
    if tolerance.isExact, let isEqual = ValueComparison.areEqualAsSaid(found, wanted) {
      guard isEqual else {
        return comparison.difference(found, wanted)
          ?? ValueDifference(
            path: [],
            first: ValueComparison.description(of: found),
            second: ValueComparison.description(of: wanted)
          )
      }
      comparison.counts = { path in
        !path.isEmpty && documents.contains { $0[path] != nil }
      }
    }
    return comparison.difference(found, wanted)
  }

  /// The key that a decoder did not find, with its path.
  private static func missingKey(_ error: any Error) -> [PathKey]? {
    guard let failure = CodingFailure(error), failure.kind == .keyNotFound else { return nil }
    return failure.path
  }
}

/// An error of a decoder or encoder in one line.
package func explanation(ofCodingError error: any Error) -> String {
  guard let failure = CodingFailure(error) else { return "\(error)" }
  let path = failure.path
  if failure.kind == .keyNotFound { return "there is no \(path.quoted)" }
  return path.isEmpty ? failure.explanation : "\(path.quoted): \(failure.explanation)"
}

extension Collection<PathKey> {
  /// The path in a sentence; the empty one is the whole value.
  var quoted: String { isEmpty ? "the value" : "`\(swiftly)`" }
}

extension Tree {
  /// Whether a list in it has two elements or more.
  fileprivate var hasPair: Bool {
    switch self {
    case .list(let elements): elements.count > 1 || elements.contains(where: \.hasPair)
    case .map(let entries): entries.contains { $0.value.hasPair }
    default: false
    }
  }
}
