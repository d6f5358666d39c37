import ArgumentParser
import Campaigns
import Foundation
import FuzzEntryPoints
import Histories
import Mutants
import PropertyEngine
import Texts

/// `touchstone list`: what there is, one a line.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Names laws, subjects, mutants, waypoints or fuzz targets, one a line."
  )

  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case laws, subjects, mutants, waypoints, targets
  }

  @OptionGroup var adapterFolder: AdapterFolderOptions

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
    for line in Self.lines(rows.map { ($0.id, $0.title ?? $0.explanation) }, Output.columns) {
      print(line)
    }
  }

  /// The first line of each text behind its id; below it where a terminal has too few columns, in lines of
  /// its width.
  ///
  /// A subject that does not start says why in many lines; `doctor` and `--json` have them all.
  static func lines(_ rows: [(id: String, text: String)], _ columns: Int?) -> [String] {
    let rows = rows.map { ($0.id, $0.text.prefix { !$0.isNewline }) }
    let width = rows.map(\.0.count).max() ?? 0
    guard let columns, rows.contains(where: { width + 2 + $0.1.count > columns }) else {
      return rows.map { id, text in
        id + String(repeating: " ", count: width - id.count + 2) + text
      }
    }
    return rows.flatMap { id, text in
      [id] + wrapped(text, width: columns - 4).map { "    \($0)" }
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
      adapterFolder.registry.entries(onStart: {
        Console(isQuiet: json).step("starting the adapter \($0)")
      }).map { entry in
        Row(
          id: entry.id,
          explanation: entry.explanation,
          version: entry.version,
          isReady: entry.isReady
        )
      }
    case .mutants:
      SubjectRegistry.mutants.map {
        Row(id: $0.id.description, explanation: $0.subject.explanation)
      }
        + deadlyMutants.map {
          Row(id: $0.id.description, explanation: "\($0.sentence) (ends its process)")
        }
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
