import ArgumentParser
import Campaigns
import DocumentLaws
import Foundation
import Histories
import Inspection
import PropertyEngine

/// `touchstone shrink`: tries to make a stored case smaller.
struct ShrinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shrink",
    abstract: "Makes the history of a case file smaller, if that can be.",
    discussion: "The file is replaced by what was found, whole or not at all."
  )

  @OptionGroup var place: ShelfOptions

  @Option(help: ArgumentHelp("Candidates to try at most.", valueName: "n"))
  var steps: Int = 20_000

  @Argument(help: ArgumentHelp("A case file.", valueName: "path"))
  var path: String

  @Flag(help: "Print JSON instead of words.")
  var json = false

  mutating func validate() throws {
    if steps < 0 { throw ValidationError("--steps must be at least 0.") }
  }

  private struct Result: Encodable {
    let path: String
    let repeats: Bool
    let size: Int?
    let history: [String]?
  }

  func run() throws {
    do {
      let url = URL(fileURLWithPath: path)
      let file = try CaseFolder.read(url)
      let shelf = place.shelf
      let found = try shelf.find(file.subjects)
      if let absent = found.absent.first { throw absent }
      let replay = Replay(lanes: shelf.lanes(found, laws: DocumentLaw.all))
      let console = Console(isQuiet: json)
      let shrunk = try replay.shrink(file, stepLimit: steps) { size in
        console.line("\(size) choices")
      }
      if let shrunk {
        try CaseFolder(url.deletingLastPathComponent())
          .write(shrunk.caseFile, name: url.deletingPathExtension().lastPathComponent)
      }
      if json {
        try printJSON(
          Result(
            path: path,
            repeats: shrunk != nil,
            size: shrunk?.history.history.size,
            history: shrunk?.history.history.lines
          )
        )
      } else if let shrunk {
        print("\(shrunk.history.history.size) edits and exchanges, written to \(path)")
        for line in SpaceTimeDiagram(shrunk.history.history).lines { print(line) }
      } else {
        print("the choices of \(path) no longer give a history that fails; nothing was changed")
      }
      throw ExitCode(shrunk == nil ? 0 : 1)
    } catch let code as ExitCode {
      throw code
    } catch {
      throw failure(error)
    }
  }
}
