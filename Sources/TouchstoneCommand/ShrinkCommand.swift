import ArgumentParser
import Campaigns
import CodingLaws
import DocumentLaws
import Foundation
import Histories
import Inspection
import PropertyEngine
import Reporting

/// `touchstone shrink`: tries to make a stored case smaller.
struct ShrinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shrink",
    abstract: "Makes the history or the model's value of a case file smaller, if that can be.",
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

  /// Shrinks a case of a coder; the status to end with.
  private func shrink(
    coder file: CaseFile,
    _ found: SubjectShelf.Found,
    _ url: URL
  ) throws -> ExitCode {
    let replay = CoderReplay(lanes: place.shelf.coderLanes(found))
    let console = Console(isQuiet: json)
    let shrunk = try replay.shrink(file, stepLimit: steps) { console.line("\($0) choices") }
    if let shrunk {
      try CaseFolder(url.deletingLastPathComponent())
        .write(shrunk.caseFile, name: url.deletingPathExtension().lastPathComponent)
    }
    if json {
      try printJSON(
        Result(
          path: path,
          repeats: shrunk != nil,
          size: shrunk?.sample.size,
          history: shrunk?.sample.lines
        )
      )
    } else if let shrunk {
      print("\(counted(shrunk.sample.size, "value")), written to \(path)")
      for line in shrunk.sample.lines { print(line) }
    } else {
      print("the choices of \(path) no longer give a value that fails; nothing was changed")
    }
    return ExitCode(shrunk == nil ? 0 : 1)
  }

  func run() throws {
    do {
      let url = URL(fileURLWithPath: path)
      let file = try CaseFolder.read(url)
      let shelf = place.shelf
      let found = try shelf.find(file.subjects)
      if let absent = found.absent.first { throw absent }
      if CodingSample.isSample(of: file) { throw try shrink(coder: file, found, url) }
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
