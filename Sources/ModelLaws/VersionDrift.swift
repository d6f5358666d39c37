// Laws of two versions of a model: `DriftLaw` says what they demand, `VersionDrift` checks one
// direction. `Touchstone/DriftExpectation.swift` runs both.

import CodingSupport
package import ModelGeneration
package import PropertyEngine

/// What the laws say of two versions of a model, where one reads what the other wrote; ``VersionDrift`` lowers each to a
/// law with its check.
package enum DriftLaw {
  /// The whole catalogue.
  package static let all = [upgrade, downgrade]

  /// Programs of several versions share one document.
  private static let source = LawSource.paper(
    "Litt, van Hardenberg and Henry, \"Project Cambria: Translate your data with lenses\", 2020"
  )

  /// Catches a new version that drops or misreads what an old one wrote.
  ///
  /// Worked example: version 1 writes `{"done": true}`, version 2 has `state` instead, optional, and
  /// reads no `done`. It reads the document, and writes one without `done`: what the user had set is
  /// gone.
  package static let upgrade = LawStatement(
    "drift.upgrade",
    "The newer version reads old data.",
    "A newer version reads what an older one wrote, and loses nothing of it.",
    source: source,
    advice: "Decode what the older version wrote, or declare the loss: `losing: [\"key\"]`."
  )

  /// Catches a new version whose documents an old one refuses, or saves without what is new.
  ///
  /// Worked example: version 2 adds `tags`. A peer with version 1 reads the document, and saves it without `tags`, unless it keeps keys
  /// that it does not know.
  package static let downgrade = LawStatement(
    "drift.downgrade",
    "The older version reads new data.",
    "A version that was not updated reads what a newer one wrote, and loses nothing of it.",
    source: source,
    advice: """
      A peer that was not updated shares the document: keep what it requires, or add a key that it \
      does not know; what it drops when it writes is declared with `oldPeersLosing: ["key"]`.
      """
  )
}

/// Two versions of a model: documents of the writer, as the reader takes them.
///
/// One law for each direction: `upgrade` takes the old version as the writer, `downgrade` the new
/// one.
package struct VersionDrift<
  Writer: Codable & SendableMetatype,
  Reader: Codable & SendableMetatype
>: Sendable {
  private let source: ModelSource<Writer>
  private let losing: Set<String>

  /// `losing` are keys that may go: `room`, or `agenda[].room` for one in a list.
  ///
  /// What stands below a declared key may go with it.
  package init(_ source: ModelSource<Writer>, losing: Set<String>) {
    self.source = source
    self.losing = losing
  }

  /// The law that the reader takes the writer's documents.
  ///
  /// A value that the writer cannot make, or not encode, is no sample.
  ///
  /// The sample is the document alone, so that a stored case replays whatever the writer has
  /// become.
  package func law(_ statement: LawStatement) -> Law<Tree> {
    Law(
      statement,
      form: .document,
      draw: { choices in
        do {
          return try TreeRecorder.tree(of: source.draw(&choices).value)
        } catch {
          throw Skipped("\(source.name) makes no document: \(explanation(ofCodingError: error))")
        }
      },
      judge: { Judgement(Verdict(of: $0, difference)) }
    )
  }

  /// The two sides of a comparison.
  private static var read: String { "the document" }
  private static var written: String { "the document written again" }

  /// Where the reader refuses, loses or misreads a document; `nil` if it does not.
  ///
  /// The reader decodes and encodes, as an app does that opens a document and saves it. Keys that
  /// the reader adds are no loss; a null that goes is none either, since both say "nothing". Of a
  /// list or map the kind alone is compared, and its children by themselves.
  private func difference(on document: Tree) -> Difference? {
    let written: Tree
    do {
      written = try TreeRecorder.tree(of: TreeDecoder().decode(Reader.self, from: document))
    } catch {
      return Difference(
        kind: "drift.refused",
        summary: "the document is refused: \(explanation(ofCodingError: error))"
      )
    }
    for path in document.paths {
      guard let was = document[path], was != .null, !isDeclared(path) else { continue }
      guard let now = written[path] else {
        return Difference(
          kind: "drift.lost",
          summary: "\(path.quoted) is lost when the document is written again",
          expected: was.description,
          actual: "nothing"
        ).between(Self.read, Self.written)
      }
      // A list that became empty lost its elements, which are reported as lost by their own paths.
      let isLeaf = was.steps.isEmpty && now.steps.isEmpty
      guard was.kind != now.kind || (isLeaf && was != now) else { continue }
      return Difference(
        kind: "drift.misread",
        summary: "\(path.quoted) is read as something else",
        expected: was.description,
        actual: now.description
      ).between(Self.read, Self.written)
    }
    return nil
  }

  /// Whether a key on the path may go.
  private func isDeclared(_ path: [PathKey]) -> Bool {
    !losing.isEmpty
      && path.indices.contains { losing.contains(path[...$0].swiftlyForAnyElement) }
  }
}
