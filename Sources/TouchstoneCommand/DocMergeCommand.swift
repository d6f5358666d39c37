import ArgumentParser
import Inspection
import MergeEngine

/// `touchstone doc merge`: one document of several.
struct DocMergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Joins the changes of several files in one document.",
    discussion: """
      The order of the files does not matter.
        touchstone doc merge mine.automerge theirs.automerge --output both.automerge
        cat b.automerge | touchstone doc merge a.automerge - | touchstone doc show -
      """
  )

  @Argument(help: .value("file", "Automerge files; one may be `-`."))
  var paths: [String]

  @OptionGroup var result: DocOutputOption

  func validate() throws {
    guard paths.count(where: { $0 == "-" }) < 2 else {
      throw ValidationError("The standard input can be read once: only one file may be `-`.")
    }
  }

  func run() throws {
    try result.requireNoTerminal()
    let document = try DocumentFile.merge(
      paths.map { (name: DocFiles.name($0), bytes: try DocFiles.readDocument($0)) }
    )
    for line in WaitingChanges.lines(of: document) { complain(line) }
    try result.write(document.save())
  }
}
