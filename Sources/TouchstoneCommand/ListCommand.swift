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
    let words: String
    var source: String?
    var version: String?
    var isReady: Bool?
  }

  func run() throws {
    let rows = rows
    guard !json else { return try printJSON(rows) }
    let width = rows.map(\.id.count).max() ?? 0
    for row in rows {
      let gap = String(repeating: " ", count: width - row.id.count + 2)
      // A subject that does not start says why in many lines; `doctor` and `--json` have them all.
      print("\(row.id)\(gap)\(row.words.prefix { !$0.isNewline })")
    }
  }

  private var rows: [Row] {
    switch kind {
    case .laws:
      Catalogue.all.flatMap(\.laws)
        .map { Row(id: $0.name, words: $0.sentence, source: $0.source.description) }
    case .subjects:
      place.shelf.entries().map { entry in
        Row(
          id: entry.id,
          words: entry.words,
          version: entry.version,
          isReady: entry.isReady
        )
      }
    case .mutants:
      SubjectShelf.mutants.map { Row(id: $0.id, words: $0.sentence) }
        + sourcePatches.map {
          Row(id: $0.id, words: "\($0.sentence) (patch of \($0.target.rawValue))")
        }
    case .waypoints:
      Waypoint.documents.map { Row(id: $0.name, words: $0.sentence) }
    case .targets:
      FuzzTarget.all.map { Row(id: $0.id, words: $0.sentence) }
    }
  }
}
