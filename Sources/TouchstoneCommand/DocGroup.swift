import ArgumentParser
import Foundation
import Inspection
import MergeEngine
import Texts

/// `touchstone doc`: looking at saved documents.
struct DocGroup: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doc",
    abstract: "Shows, exports, imports, merges, compares and examines Automerge files.",
    discussion: """
      A file is a saved document or changes, one after the other; `-` is the standard input.
        touchstone doc show notes.automerge
        touchstone doc export notes.automerge | jq .title
        echo '{"title": "Notes"}' | touchstone doc import - --output notes.automerge
        touchstone doc merge mine.automerge theirs.automerge --output both.automerge
        touchstone doc diff before.automerge after.automerge
        touchstone doc examine broken.automerge
        touchstone doc recover broken.automerge --output whole.automerge
      Exit status: 0 done, 1 `examine` or `recover` found damage, 2 a file was not read, written or understood.
      """,
    subcommands: [
      DocShowCommand.self, DocExportCommand.self, DocImportCommand.self, DocMergeCommand.self,
      DocDiffCommand.self, DocExamineCommand.self, DocRecoverCommand.self, DocHistoryCommand.self,
    ]
  )
}

/// Where a subcommand reads.
struct DocFileArgument: ParsableArguments {
  @Argument(help: .value("file", "An Automerge file; `-`: the standard input."))
  var path: String

  func document() throws -> MergeDocument {
    try DocumentFile.open(DocFiles.readDocument(path), name: DocFiles.name(path))
  }
}

/// Cursors to look for.
struct DocCursorOptions: ParsableArguments {
  @Option(
    name: .customLong("cursor"),
    help: .value(
      "cursor",
      "Say where a cursor stands: its text form, or its bytes in hex; may be given again."
    )
  )
  var texts: [String] = []

  func places() throws -> CursorPlaces {
    CursorPlaces(
      try texts.map { text in
        guard let cursor = CursorPlaces.cursor(text) else {
          throw ValidationError(
            "'\(text)' is no cursor: write its text form, as in 7@0a0b, or its bytes in hex."
          )
        }
        return cursor
      }
    )
  }
}

/// Where a subcommand writes.
struct DocOutputOption: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: .value("file", "Output file. Default: `-`, the standard output.")
  )
  var output = "-"

  func validate() throws {
    if output.isEmpty {
      throw ValidationError("--output is empty: name a file, or leave the option out.")
    }
  }

  /// Refuses to write a document to a terminal, which its bytes would confuse: before any work.
  ///
  /// `isTerminal`: Whether standard output is one.
  func requireNoTerminal(_ isTerminal: Bool = isatty(STDOUT_FILENO) == 1) throws {
    guard output == "-", isTerminal else { return }
    throw DocFiles.Failure(
      description: "a document is no text, and is not written to a terminal: name a file with "
        + "--output FILE, or let another program read it, as in `| touchstone doc show -`"
    )
  }

  func write(_ bytes: [UInt8]) throws { try DocFiles.write(bytes, to: output) }

  func write(_ text: String) throws { try write(Array((text + "\n").utf8)) }
}

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

/// `touchstone doc import`: a document made of JSON.
struct DocImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Makes a document of a JSON object.",
    discussion: """
      Whole numbers become 64-bit integers, others doubles; strings become values that are replaced \
      as a whole, or with --text texts that people edit together. A whole number that 64 bits do not hold \
      is refused; another number with more digits than a double keeps is rounded, and named.
        touchstone doc import notes.json --output notes.automerge
        touchstone doc import - --text --message first < notes.json > notes.automerge
      The same text, --actor and --time make the same file, byte for byte.
      """
  )

  @Argument(help: .value("file", "A JSON file; `-`: the standard input."))
  var path: String

  @OptionGroup var result: DocOutputOption

  @Flag(help: "Make texts of strings.")
  var text = false

  @Option(help: .value("words", "The commit's message."))
  var message: String?

  @Option(help: .value("hex", "Actor id of the writer. Default: random."))
  var actor: String?

  @Option(help: .value("seconds", "Seconds since 1970; now unless set."))
  var time: Int64?

  private func writer() throws -> ActorID {
    guard let actor else {
      let uuid = UUID().uuidString.filter { $0 != "-" }
      return ActorID(hexBytes(uuid) ?? [])
    }
    guard let bytes = hexBytes(actor), bytes.count <= 128 else {
      throw ValidationError("'\(actor)' is no actor: write up to 128 bytes, two hex digits each.")
    }
    return ActorID(bytes)
  }

  private func seconds() throws -> Int64 {
    let seconds = time ?? Int64(Date().timeIntervalSince1970)
    guard seconds.magnitude < Limits.timeLimit.magnitude else {
      throw ValidationError("\(seconds) is no time: a document keeps seconds below 2^62.")
    }
    return seconds
  }

  func run() throws {
    try result.requireNoTerminal()
    let (actor, seconds) = (try writer(), try seconds())
    var inexact = InexactNumbers()
    let document = try DocumentImport.document(
      parsing: DocFiles.read(path),
      strings: text ? .texts : .scalars,
      actor: actor,
      message: message,
      time: seconds,
      noting: &inexact
    )
    if inexact.count > 0 { complain("touchstone: \(inexact)") }
    try result.write(document.save())
  }
}

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

/// `touchstone doc recover`: what can be saved of a damaged file.
struct DocRecoverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover",
    abstract: "Saves the good chunks and changes of a damaged file, and lists what was lost.",
    discussion: """
      Whatever is kept is proven by its hashes. The file itself is not changed; the list goes to the \
      standard error.
        touchstone doc recover broken.automerge --output whole.automerge
      Exit status: 0 nothing was lost, 1 something was, 2 a file was not read or written.
      """
  )

  @Argument(help: .value("file", "A file; `-`: the standard input."))
  var path: String

  @OptionGroup var result: DocOutputOption

  func run() throws {
    try result.requireNoTerminal()
    let recovery = DocumentRecovery(try DocFiles.readDocument(path), actor: ActorID([]))
    try result.write(recovery.document.save())
    Output.complain(RecoveryReport.lines(recovery).joined(separator: "\n") + "\n")
    if !recovery.isWhole { throw ExitCode(1) }
  }
}

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
