import ArgumentParser
import Campaigns
import Foundation
import PropertyEngine

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

  func run() throws {
    do {
      let url = URL(fileURLWithPath: path)
      let file = try CaseFolder.read(url)
      let found = try place.shelf.find(file.subjects)
      if let absent = found.absent.first { throw absent }
      let console = Console(isQuiet: json)
      var lanes = place.shelf.lanes(found)
      if let pool = WorkerPool.ofThisProgram(["check", "--adapters", place.adapters]) {
        lanes = lanes.map { $0.judged(in: pool, jobs: 1) }
      }
      let small = try Replay(lanes: lanes).shrink(file, stepLimit: steps) {
        console.line("\($0) choices")
      }
      if let small {
        try CaseFolder(url.deletingLastPathComponent())
          .write(small.caseFile, name: url.deletingPathExtension().lastPathComponent)
      }
      if json {
        try printJSON(
          Result(
            path: path,
            repeats: small != nil,
            size: small?.sample.size,
            history: small?.sample.lines
          )
        )
      } else if let small {
        print("\(small.sample.measure), written to \(path)")
        for line in small.sample.picture { print(line) }
      } else {
        print("the choices of \(path) no longer give a sample that fails; nothing was changed")
      }
      throw ExitCode(small == nil ? 0 : 1)
    } catch let code as ExitCode {
      throw code
    } catch {
      throw failure(error)
    }
  }
}
