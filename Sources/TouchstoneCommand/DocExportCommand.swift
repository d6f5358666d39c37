import ArgumentParser
import Inspection
import Texts

/// `touchstone doc export`: a document as JSON.
struct DocExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Prints a document as JSON.",
    discussion: """
      Of concurrent values the winner is printed: a text as a string, a counter as a number, a \
      timestamp as ISO 8601, bytes as base64, a double that JSON has no word for (NaN, infinities) \
      as null.
      With --full each value is {"kind", "id", "value"}; "conflicts" has those that lost, "marks" the marks \
      of a text, and "cursors" where those of --cursor stand.
        touchstone doc export notes.automerge
        touchstone doc export --full --compact notes.automerge
      """
  )

  @OptionGroup var file: DocFileArgument
  @OptionGroup var result: DocOutputOption

  @OptionGroup var cursors: DocCursorOptions

  @Flag(help: "Print kinds, ids, conflicts and marks, too.")
  var full = false

  @Flag(help: "Print one line without white space.")
  var compact = false

  func validate() throws {
    if !full && !cursors.texts.isEmpty {
      throw ValidationError("--cursor needs --full: winners alone have no place for cursors.")
    }
  }

  func run() throws {
    let document = try file.document()
    let places = try cursors.places()
    for line in WaitingChanges.lines(of: document) { complain(line) }
    let tree =
      try full
      ? DocumentExport.full(of: document, cursors: places)
      : DocumentExport.winners(of: document)
    try result.write(tree.text(compact ? .compact : .indented))
  }
}
