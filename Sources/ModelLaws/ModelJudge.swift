import CodingSupport
import ModelGeneration
package import PropertyEngine

/// Holds samples of one model to the laws of models.
package struct ModelJudge<Value: Codable> {
  package var tolerance = Tolerance.exact
  /// Told before each piece of a model's own code that might trap, in words for a person.
  package var willTry: (String) -> Void = { _ in }

  package init(tolerance: Tolerance = .exact) {
    self.tolerance = tolerance
  }

  package func verdict(_ law: ModelLaw, on sample: ModelSample<Value>) -> Verdict {
    do {
      return try difference(law, sample).map { .violated($0) } ?? .held
    } catch let skipped as Skipped {
      return .skipped(skipped.reason)
    } catch {
      return .errored("\(error)")
    }
  }

  private func difference(
    _ law: ModelLaw,
    _ sample: ModelSample<Value>
  ) throws -> Difference? {
    switch law.name {
    case ModelLaw.deterministic.name: try deterministic(sample)
    case ModelLaw.keyOrder.name: try keyOrder(sample)
    case ModelLaw.lossless.name: survives(sample.value, from: sample.document)
    case ModelLaw.oldData.name: oldData(sample)
    default: throw Skipped("there is no law \(law.name)")
    }
  }

  // MARK: - The laws

  private func deterministic(_ sample: ModelSample<Value>) throws -> Difference? {
    willTry("encoding one value twice")
    if case .success(let first) = record(sample.value),
      case .success(let second) = record(sample.value),
      let found = second.difference(from: first)
    {
      return Difference(
        kind: "model.encoding",
        summary: "encoded a second time, the same value becomes something else: \(found.summary)",
        expected: found.expected,
        actual: found.actual
      )
    }
    willTry("decoding one document twice")
    guard let first = try? sample.again(), let second = try? sample.again(),
      let found = difference(second, first, documents: [sample.document])
    else { return nil }
    return Difference(
      kind: "model.decoding",
      summary: "decoded a second time, the same document becomes another value: "
        + "\(Self.place(found)) differs",
      expected: found.second,
      actual: found.first
    )
  }

  private func keyOrder(_ sample: ModelSample<Value>) throws -> Difference? {
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
        summary: "with its keys in another order the document is refused: \(Self.words(error))"
      )
    }
    guard let found = difference(other, value, documents: [sample.document]) else { return nil }
    return Difference(
      kind: "model.order",
      summary: "with its keys in another order the document becomes another value: "
        + "\(Self.place(found)) differs",
      expected: found.second,
      actual: found.first
    )
  }

  /// Where a value is not what it was after it was encoded and decoded.
  private func survives(_ value: Value, from document: Tree) -> Difference? {
    willTry("encoding a value")
    let written: Tree
    switch record(value) {
    case .success(let tree): written = tree
    case .failure(let error):
      return Difference(
        kind: "model.refused",
        summary: "a value that `init(from:)` accepts is refused by `encode(to:)`: "
          + Self.words(error.cause),
        expected: "an encoded value",
        actual: "an error"
      )
    }
    willTry("decoding \(written)")
    let decoded: Value
    do {
      decoded = try TreeDecoder().decode(Value.self, from: written)
    } catch {
      let lost = Self.lostKey(error)
      return Difference(
        kind: lost == nil ? "model.unreadable" : "model.unwritten",
        summary: lost.map { "`encode(to:)` does not write `\($0)`, which `init(from:)` requires" }
          ?? "`init(from:)` refuses what `encode(to:)` wrote: \(Self.words(error))",
        expected: ValueComparison.words(value),
        actual: "an error; encode(to:) wrote \(written)"
      )
    }
    guard let found = difference(decoded, value, documents: [document, written]) else {
      return nil
    }
    let isLost = document[found.path] != nil && written[found.path] == nil
    return Difference(
      kind: isLost ? "model.lost" : "model.changed",
      summary: isLost
        ? "`encode(to:)` does not write `\(found.path.swiftly)`"
        : "\(Self.place(found)) comes back as something else",
      expected: found.second,
      actual: found.first
    )
  }

  private func oldData(_ sample: ModelSample<Value>) -> Difference? {
    let decoder = TreeDecoder()
    for (words, drifted) in Drifts.single(of: sample.document) {
      willTry("decoding a document in which \(words): \(drifted)")
      guard let value = try? decoder.decode(Value.self, from: drifted) else { continue }
      guard let found = survives(value, from: drifted) else { continue }
      return Difference(
        kind: "model.drifted",
        summary: "a document in which \(words) is decoded to a value that does not last: "
          + found.summary,
        expected: found.expected,
        actual: found.actual
      )
    }
    return nil
  }

  // MARK: - Parts

  private struct Refused: Error {
    let cause: any Error
  }

  private func record(_ value: Value) -> Result<Tree, Refused> {
    do {
      return .success(try TreeRecorder.tree(of: value))
    } catch {
      return .failure(Refused(cause: error))
    }
  }

  /// Where two values differ: by `==` where the type has it, and at places that are coded.
  ///
  /// A property that no document holds may differ if `==` does not mind, as caches do.
  private func difference(
    _ found: Value,
    _ wanted: Value,
    documents: [Tree]
  ) -> ValueDifference? {
    var comparison = ValueComparison(tolerance: tolerance)
    if tolerance == .exact, let isEqual = areEqual(found, wanted) {
      guard isEqual else {
        return comparison.difference(found, wanted)
          ?? ValueDifference(
            path: [],
            first: ValueComparison.words(found),
            second: ValueComparison.words(wanted)
          )
      }
      comparison.counts = { path in
        !path.isEmpty && documents.contains { $0[path] != nil }
      }
    }
    return comparison.difference(found, wanted)
  }

  private static func place(_ found: ValueDifference) -> String {
    found.path.isEmpty ? "the value" : "`\(found.path.swiftly)`"
  }

  /// The key that a decoder did not find, with the way to it.
  private static func lostKey(_ error: any Error) -> String? {
    guard let failure = CodingFailure(error), failure.kind == .keyNotFound else { return nil }
    return failure.path.swiftly
  }

  /// An error of a decoder or encoder in one line.
  package static func words(_ error: any Error) -> String {
    guard let failure = CodingFailure(error) else { return "\(error)" }
    let path = failure.path.swiftly
    if failure.kind == .keyNotFound { return "there is no `\(path)`" }
    return path.isEmpty ? failure.explanation : "`\(path)`: \(failure.explanation)"
  }
}
