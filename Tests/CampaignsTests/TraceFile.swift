import Campaigns
import CaseFiles
import DocumentModel
import Foundation
import Histories

/// A recorded editing session as JSON, in one of two shapes.
///
/// ```json
/// {"kind": "sequential", "startContent": "", "endContent": "ab",
///  "txns": [[[0, 0, "a"]], [[1, 0, "b"]]]}
/// {"kind": "concurrent", "numAgents": 2, "endContent": "ab",
///  "txns": [[0, [], [[0, 0, "a"]]], [1, [0], [[1, 0, "b"]]]]}
/// ```
///
/// A patch is `[position, deleted, inserted]`, positions and deletions in Unicode scalars. A
/// transaction is a list of patches, or `[agent, [parents], [patches]]`.
///
/// Source: the repository `josephg/editing-traces`, with objects turned into arrays.
struct TraceFile: Sendable {
  let trace: EditingTrace
  /// The text that all agents end with once they have heard of each other.
  let endContent: String

  /// Reads a file.
  ///
  /// - Throws: ``FileFailure`` if it cannot be read or is no trace.
  init(_ url: URL) throws {
    let data: Data
    do {
      data = try Data(contentsOf: url)
    } catch {
      throw FileFailure("cannot read \(url.path)", error)
    }
    do {
      try self.init(json: data)
    } catch {
      throw FileFailure("\(url.path) is not an editing trace", error)
    }
  }

  /// Reads the text of a file.
  ///
  /// - Throws: `DecodingError` for another shape, ``EditingTraceError`` for transactions that are no
  ///   session.
  init(json: Data) throws {
    let file = try JSONDecoder().decode(File.self, from: json)
    trace = file.trace
    endContent = file.endContent
  }

  private struct File: Decodable {
    let trace: EditingTrace
    let endContent: String

    private enum Key: String, CodingKey {
      case kind, startContent, endContent, numAgents, txns
    }

    private enum Kind: String, Decodable {
      case sequential, concurrent
    }

    init(from decoder: any Decoder) throws {
      let file = try decoder.container(keyedBy: Key.self)
      endContent = try file.decode(String.self, forKey: .endContent)
      switch try file.decode(Kind.self, forKey: .kind) {
      case .sequential:
        let start = try file.decode(String.self, forKey: .startContent)
        let first =
          start.isEmpty
          ? [] : [[EditingTrace.Patch(position: 0, deleting: 0, inserting: ExactString(start))]]
        let transactions = try file.decode([[Patch]].self, forKey: .txns)
        trace = try EditingTrace(sequential: first + transactions.map { $0.map(\.patch) })
      case .concurrent:
        let transactions = try file.decode([Transaction].self, forKey: .txns)
        trace = try EditingTrace(
          agentCount: try file.decode(Int.self, forKey: .numAgents),
          transactions: transactions.map(\.transaction)
        )
      }
    }
  }

  private struct Patch: Decodable {
    let patch: EditingTrace.Patch

    init(from decoder: any Decoder) throws {
      var parts = try decoder.unkeyedContainer()
      patch = EditingTrace.Patch(
        position: try parts.decode(Int.self),
        deleting: try parts.decode(Int.self),
        inserting: ExactString(try parts.decode(String.self))
      )
      try parts.end()
    }
  }

  private struct Transaction: Decodable {
    let transaction: EditingTrace.Transaction

    init(from decoder: any Decoder) throws {
      var parts = try decoder.unkeyedContainer()
      transaction = EditingTrace.Transaction(
        agent: try parts.decode(Int.self),
        parents: try parts.decode([Int].self),
        patches: try parts.decode([Patch].self).map(\.patch)
      )
      try parts.end()
    }
  }
}

extension UnkeyedDecodingContainer {
  /// Refuses further elements.
  fileprivate func end() throws {
    guard isAtEnd else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: codingPath,
          debugDescription: "expected \(currentIndex) elements, found more"
        )
      )
    }
  }
}
