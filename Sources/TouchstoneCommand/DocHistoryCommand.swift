import ArgumentParser
import Inspection
import Texts

/// `touchstone doc history`: the changes of a document.
struct DocHistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Lists the changes of a document: who, when, why, and on top of what.",
    discussion: """
      A change comes after those it depends on. Those that wait for others, which the file does not \
      have, are counted at the end.
        touchstone doc history notes.automerge
        touchstone doc history --graph --last 20 notes.automerge
        touchstone doc history --json notes.automerge | jq '.[].message'
      """
  )

  @OptionGroup var file: DocFileArgument

  @Flag(help: "Print an array of JSON objects instead of words.")
  var json = false

  @Flag(help: "Draw the changes as a graph, a line each, the last first.")
  var graph = false

  @Option(
    help: .value("n", "Only the last n changes."),
    transform: wholeNumber(from: 1)
  )
  var last: Int?

  func validate() throws {
    if json, graph { throw ValidationError("Give either --json or --graph.") }
  }

  func run() throws {
    let document = try file.document()
    let last = last ?? Int.max
    var text =
      (graph
      ? HistoryGraph.lines(of: document, last: last)
      : DocumentHistory.lines(of: document, last: last)).joined(separator: "\n")
    let waiting = WaitingChanges.lines(of: document)
    if json {
      text = DocumentHistory.tree(of: document, last: last).text()
      // The array is of the changes that the document shows.
      for line in waiting { complain(line) }
    } else if !waiting.isEmpty {
      text += (text.isEmpty ? "" : "\n\n") + waiting.joined(separator: "\n")
    }
    if !text.isEmpty { try DocFiles.print([text]) }
  }
}
