import CodingSupport
package import ModelGeneration
package import PropertyEngine

/// A statement about two versions of a model, one of which reads what the other wrote.
package struct DriftLaw: Sendable {
  package let name: String
  package let sentence: String
  package let advice: String

  package static let upgrade = DriftLaw(
    name: "drift.upgrade",
    sentence: "A newer version reads what an older one wrote, and loses nothing of it.",
    advice: "Decode what the older version wrote, or declare the loss: `losing: [\"key\"]`."
  )

  package static let downgrade = DriftLaw(
    name: "drift.downgrade",
    sentence:
      "A version that was not updated reads what a newer one wrote, and loses nothing of it.",
    advice: """
      A peer that was not updated shares the document: keep what it requires, or add a key that it \
      does not know; what it drops when it writes is declared with `oldPeersLosing: ["key"]`.
      """
  )
}

/// Holds two versions of a model to a law: values of the writer, as the reader takes them.
package struct DriftRun<Writer: Codable & SendableMetatype, Reader: Codable & SendableMetatype> {
  /// The first document that broke the law, shrunk.
  package struct Failure {
    package let document: Tree
    package let difference: Difference
    package let caseIndex: Int
    package let shrunk: ShrinkResult
  }

  private let source: ModelSource<Writer>
  private let losing: Set<String>
  private let seed: Seed
  /// Told before a document is made, which runs the writer's code.
  package var willDraw: () -> Void = {}
  /// Told before the reader's code is run on a document, which might trap.
  package var willRead: (Tree) -> Void = { _ in }

  /// `losing` are keys that may go: `room`, or `agenda[].room` for one in a list.
  package init(_ source: ModelSource<Writer>, losing: Set<String>, seed: Seed) {
    self.source = source
    self.losing = losing
    self.seed = seed
  }

  /// Judges so many documents, the simplest first.
  ///
  /// - Returns: How many were judged, and the first failure.
  package func run(
    cases: Int,
    shrinkLimit: Int = 2000,
    shouldStop: () -> Bool = { false }
  ) -> (judged: Int, failure: Failure?) {
    var judged = 0
    for index in 0..<max(1, cases) where !shouldStop() {
      var choices = index == 0 ? Choices(replaying: []) : Choices(seed: seed.stream(UInt64(index)))
      guard let document = document(&choices) else { continue }
      judged += 1
      guard let found = difference(on: document) else { continue }
      return (judged, shrink(choices, document, found, index, shrinkLimit, shouldStop))
    }
    return (judged, nil)
  }

  /// What the writer makes of a value; nil where it has no such value.
  private func document(_ choices: inout Choices) -> Tree? {
    willDraw()
    return (try? source.draw(&choices)).flatMap { try? TreeRecorder.tree(of: $0.value) }
  }

  private func shrink(
    _ original: Choices,
    _ document: Tree,
    _ found: Difference,
    _ index: Int,
    _ limit: Int,
    _ shouldStop: () -> Bool
  ) -> Failure {
    var shrinker = Shrinker(failing: original.recorded, spans: original.spans, stepLimit: limit)
    let shrunk = shrinker.run(
      { candidate in
        var choices = Choices(replaying: candidate)
        let again = self.document(&choices).flatMap { difference(on: $0) }
        return ShrinkAttempt(choices, fails: again?.kind == found.kind)
      },
      shouldStop: shouldStop
    )
    var choices = Choices(replaying: shrunk.values)
    let last = self.document(&choices)
    // What did not repeat is told as it was found.
    let again = last.flatMap { difference(on: $0) }
    return Failure(
      document: again == nil ? document : last ?? document,
      difference: again ?? found,
      caseIndex: index,
      shrunk: shrunk
    )
  }

  /// Where the reader does not do justice to a document; nil if it does.
  package func difference(on document: Tree) -> Difference? {
    willRead(document)
    let written: Tree
    do {
      written = try TreeRecorder.tree(of: TreeDecoder().decode(Reader.self, from: document))
    } catch {
      return Difference(
        kind: "drift.refused",
        summary: "the document is refused: \(ModelJudge<Reader>.words(error))"
      )
    }
    for path in document.paths {
      guard let was = document[path], was != .null, !isDeclared(path) else { continue }
      guard let now = written[path] else {
        return Difference(
          kind: "drift.lost",
          summary: "`\(path.swiftly)` is lost when the document is written again",
          expected: was.description,
          actual: "nothing"
        )
      }
      let isLeaf = was.steps.isEmpty && now.steps.isEmpty
      guard was.kind != now.kind || (isLeaf && was != now) else { continue }
      return Difference(
        kind: "drift.misread",
        summary: "`\(path.swiftly)` is read as something else",
        expected: was.description,
        actual: now.description
      )
    }
    return nil
  }

  /// Whether a key on the way may go.
  private func isDeclared(_ path: [PathKey]) -> Bool {
    path.indices.contains { index in
      let place = Array(path.prefix(index + 1)).swiftly
      return losing.contains(place.replacing(/\[\d+\]/, with: "[]"))
    }
  }
}
