import ArgumentParser
import Foundation
import Inspection
import MergeEngine

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
