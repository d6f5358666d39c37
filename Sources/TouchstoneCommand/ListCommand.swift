import ArgumentParser
import Campaigns
import Foundation
import FuzzEntryPoints
import Histories
import Mutants
import PropertyEngine

/// `touchstone list`: what there is, one a line.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Names laws, subjects, mutants, waypoints or fuzz targets, one a line."
  )

  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case laws, subjects, mutants, waypoints, targets
  }

  @OptionGroup var place: ShelfOptions

  @Argument(help: "laws, subjects, mutants, waypoints or targets.")
  var kind: Kind

  @Flag(help: "Print an array of JSON objects, each with an id.")
  var json = false

  private struct Row: Encodable {
    let id: String
    /// What a law promises, in a few words.
    var title: String?
    let explanation: String
    var source: String?
    var version: String?
    var isReady: Bool?

    /// The members of the JSON output, which keep the names that readers know.
    enum CodingKeys: String, CodingKey {
      case id, title
      case explanation = "words"
      case source, version, isReady
    }
  }

  func run() throws {
    let rows = rows
    guard !json else { return try printJSON(rows) }
    let width = rows.map(\.id.count).max() ?? 0
    for row in rows {
      let gap = String(repeating: " ", count: width - row.id.count + 2)
      // A subject that does not start says why in many lines; `doctor` and `--json` have them all.
      print("\(row.id)\(gap)\((row.title ?? row.explanation).prefix { !$0.isNewline })")
    }
  }

  private var rows: [Row] {
    switch kind {
    case .laws:
      Catalogue.all.flatMap(\.laws)
        .map { law in
          Row(
            id: law.name,
            title: law.title,
            explanation: law.sentence,
            source: law.source.description
          )
        }
    case .subjects:
      place.shelf.entries().map { entry in
        Row(
          id: entry.id,
          explanation: entry.explanation,
          version: entry.version,
          isReady: entry.isReady
        )
      }
    case .mutants:
      SubjectShelf.mutants.map { Row(id: $0.id, explanation: $0.sentence) }
        + deadlyMutants.map { Row(id: $0.id, explanation: "\($0.sentence) (ends its process)") }
        + sourcePatches.map {
          Row(id: $0.id, explanation: "\($0.sentence) (patch of \($0.target.rawValue))")
        }
    case .waypoints:
      Waypoint.documents.map { Row(id: $0.name, explanation: $0.sentence) }
    case .targets:
      FuzzTarget.all.map { Row(id: $0.id, explanation: $0.sentence) }
    }
  }
}
