import ArgumentParser
import Campaigns
import CaseFiles
import ForeignSubjects
import Foundation
import Texts

extension AdapterTemplate: ExpressibleByArgument {}

/// `touchstone adapter new`: an adapter to start from.
struct AdapterNewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Writes an adapter of a toy CRDT, in a language of your choice.",
    discussion: """
      The new folder holds adapter.json and a program that passes every check: about 170 lines in Python and \
      JavaScript, 310 in Go, 400 in Rust. What you change is marked with YOURS. The folder's name is the subject's id.

        touchstone adapter new --language rust Adapters/mine
        touchstone adapter check Adapters/mine
        touchstone check --subject mine --cases 200

      Nothing is overwritten. Exit status: 0 written, 2 not written.
      """
  )

  @Option(help: "python, javascript, rust or go; none of them needs packages.")
  var language: AdapterTemplate = .python

  @Argument(help: .value("dir", "The folder to make; its name is the id."))
  var folder: String

  private struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  func run() throws {
    let url = URL(fileURLWithPath: folder).standardizedFileURL
    for path in try write(to: url) { print("wrote \(folder)/\(path)") }
    print("")
    // Its first start would build it, within the time of a start.
    if let build = language.buildCommand { print("(cd \(shellWord(folder)) && \(build))") }
    print("touchstone adapter check \(shellWord(folder))")
  }

  private func write(to url: URL) throws -> [String] {
    let id = url.lastPathComponent
    let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789-")
    guard (1...32).contains(id.count), id.allSatisfy(letters.contains), id.first != "-" else {
      throw Refusal(
        description:
          "'\(id)' is no id of a subject: use small letters, digits and hyphens, at most 32"
      )
    }
    guard !SubjectRegistry.builtInIDs.contains(id) else {
      throw Refusal(
        description:
          "'\(id)' is the id of a subject of this program, which would be judged instead: take another"
      )
    }
    guard !AdapterManifest.reservedIDs.contains(id) else {
      throw Refusal(
        description: "'\(id)' is a word that stands for several subjects: take another id"
      )
    }
    guard !FileManager.default.fileExists(atPath: url.path) else {
      throw Refusal(description: "\(folder) exists already: nothing was written")
    }
    let words = language.command.map { "\"\($0)\"" }.joined(separator: ", ")
    let manifest = """
      {
        "id": "\(id)",
        "command": [\(words)],
        "knownDivergences": []
      }

      """
    let files = [("adapter.json", manifest)] + language.files(id: id)
    do {
      for (path, text) in files {
        try writeFile(Data(text.utf8), to: url.appendingPathComponent(path))
      }
    } catch {
      // Half a folder would be in the way of the next try.
      try? FileManager.default.removeItem(at: url)
      throw error
    }
    return files.map(\.0)
  }
}
