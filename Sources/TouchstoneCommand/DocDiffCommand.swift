import ArgumentParser
import Inspection

/// `touchstone doc diff`: what leads from one document to another.
struct DocDiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Says what leads from one document to another, a line a patch.",
    discussion: """
      The two are states of one document, in either order of time; of two that share no change, \
      all of the first is taken away. Indexes speak of the state after the lines before. Nothing is \
      printed if both show the same. `touchstone doc show --path` takes the places as they stand here.
        touchstone doc diff before.automerge after.automerge
      """
  )

  @Argument(help: .value("before", "The first document."))
  var before: String

  @Argument(help: .value("after", "The second document."))
  var after: String

  @Flag(help: "Print long strings, texts and bytes in full.")
  var whole = false

  func validate() throws {
    guard before != "-" || after != "-" else {
      throw ValidationError("The standard input can be read once: only one file may be `-`.")
    }
  }

  func run() throws {
    let lines = try DocumentDifference.lines(
      from: (DocFiles.name(before), DocFiles.readDocument(before)),
      to: (DocFiles.name(after), DocFiles.readDocument(after)),
      characterLimit: whole ? Int.max : 80
    )
    if !lines.isEmpty { try DocFiles.print(lines) }
  }
}
