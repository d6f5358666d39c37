import ArgumentParser
import Foundation
import Inspection
import MergeEngine
import Texts

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
