import ArgumentParser
import Inspection
import MergeEngine

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
