import ArgumentParser
import Inspection
import MergeEngine

/// `touchstone doc examine`: what a file consists of, damaged or not.
struct DocExamineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "examine",
    abstract: "Prints the chunks, columns and hashes of a file, up to the damage if there is any.",
    discussion: """
      Offsets count from the start of the file, within a deflated part from its own start.
        touchstone doc examine notes.automerge
        touchstone doc examine --operations notes.automerge | less
      Exit status: 0 the file is sound, 1 it is damaged, 2 it was not read.
      """
  )

  @Argument(help: .value("file", "A file; `-`: the standard input."))
  var path: String

  @Flag(help: "List the operations of each change, too: what each did, where, and over which.")
  var operations = false

  @Flag(help: "With --operations: list all of them, and print long values in full.")
  var whole = false

  mutating func validate() throws {
    if whole, !operations { throw ValidationError("--whole is for --operations.") }
  }

  func run() throws {
    let (survey, document) = try ChunkSurvey.loading(DocFiles.readDocument(path))
    let waiting = document.map(WaitingChanges.lines) ?? []
    var lines = ChunkReport.lines(survey, waiting: waiting)
    if operations, let document {
      lines += OperationList.lines(
        document,
        operationLimit: whole ? .max : OperationList.usualLimit,
        characterLimit: whole ? .max : 80
      )
    }
    try DocFiles.print(lines)
    if survey.damage != nil { throw ExitCode(1) }
  }
}
