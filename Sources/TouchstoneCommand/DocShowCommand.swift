import ArgumentParser
import Inspection

/// `touchstone doc show`: a document as a tree.
struct DocShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows a document as a tree, with kinds and conflicts.",
    discussion: """
      A line `over ...` below a value is one that was written at the same time and lost.
        touchstone doc show notes.automerge
        touchstone doc show --whole notes.automerge | less
        touchstone doc show --path 'list[0].title' notes.automerge
        touchstone doc show --at 3f2a91c0 notes.automerge
        touchstone doc show --cursor 7@0a0b notes.automerge
      """
  )

  @OptionGroup var file: DocFileArgument
  @OptionGroup var cursors: DocCursorOptions

  @Flag(help: "Print long strings, texts and bytes in full.")
  var whole = false

  @Option(
    help: ArgumentHelp(
      "Show the document as it was at these changes: hashes, or their first digits.",
      discussion: "`touchstone doc history` lists them. Several are separated by commas.",
      valueName: "heads"
    )
  )
  var at: String?

  @Option(
    help: ArgumentHelp(
      "Show what is at this place only: list[0].title, as `doc diff` writes it, or list/0/title.",
      discussion: """
        In the first form a key that is no plain word stands in double quotes: 'list[0]."a key"'. A path that \
        leads nowhere in that form is taken for the second, of keys and positions between slashes.
        """,
      valueName: "path"
    )
  )
  var path: String?

  func validate() throws {
    if at?.isEmpty == true {
      throw ValidationError("--at is empty: name heads, or leave the option out.")
    }
    // No heads at all are those of the empty document, which is never meant.
    if let at, heads(at).contains("") {
      throw ValidationError(
        "'\(at)' is no list of heads: write hashes, or their first digits, with a comma between two, "
          + "as in 3f2a91c0,77b0."
      )
    }
  }

  private func heads(_ list: String) -> [Substring] {
    list.split(separator: ",", omittingEmptySubsequences: false)
  }

  func run() throws {
    let document = try file.document()
    let lines: [String]
    do {
      lines = try DocumentTree.lines(
        of: at.map { try DocumentHistory.document(document, at: heads($0)) }
          ?? document,
        path: path ?? "",
        cursors: cursors.places(),
        characterLimit: whole ? Int.max : 80
      )
    } catch {
      // A text that is no cursor ends with the same status as a place that is not in the file.
      throw failure(error)
    }
    try DocFiles.print(lines)
  }
}
