import Foundation
import Texts

/// One side of sync sessions, played by the real Automerge: `Adapters/automerge/syncing.py`.
package final class RealPeer {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let python = root.appending(path: ".build/python/bin/python")

  /// Whether the package's own Python is there, which `make` sets up.
  package static let isInstalled = FileManager.default.isExecutableFile(atPath: python.path)

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var unread: [UInt8] = []

  package init() throws {
    process.executableURL = Self.python
    process.arguments = [Self.root.appending(path: "Adapters/automerge/syncing.py").path]
    process.environment = ["PYTHONDONTWRITEBYTECODE": "1", "RUST_BACKTRACE": "0"]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  private func ask(_ word: String, _ bytes: [UInt8] = []) throws -> String {
    try input.fileHandleForWriting.write(contentsOf: Data("\(word) \(hexString(bytes))\n".utf8))
    while true {
      if let end = unread.firstIndex(of: 10) {
        defer { unread.removeFirst(end + 1) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw CocoaError(.fileReadUnknown) }
      unread += more
    }
  }

  /// Something else was answered than what is due.
  package struct Refusal: Error {
    let word: String
    let answer: String
  }

  private func tell(_ word: String, _ bytes: [UInt8]) throws {
    let answer = try ask(word, bytes)
    guard answer == "done" else { throw Refusal(word: word, answer: answer) }
  }

  /// Begins with a document and the state for an unknown peer.
  package func load(_ document: [UInt8]) throws { try tell("load", document) }

  package func say() throws -> [UInt8]? {
    let answer = hexBytes(try ask("say")) ?? []
    return answer.isEmpty ? nil : answer
  }

  package func hear(_ message: [UInt8]) throws { try tell("hear", message) }

  package func heads() throws -> [UInt8] { hexBytes(try ask("heads")) ?? [] }

  /// The marks of the text under "t".
  package func marks() throws -> String { try ask("marks") }

  /// Takes in a message of an unknown peer; false if that is refused.
  package func hearsStranger(_ message: [UInt8]) throws -> Bool {
    try ask("stranger", message) == "done"
  }

  /// How many messages it says to such a peer before it is silent; at most 50.
  package func answerCount(to message: [UInt8]) throws -> Int {
    Int(try ask("answers", message)) ?? -1
  }

  /// Whether it loads what it saves.
  package func loadsWhatItSaves() throws -> Bool { try ask("reload") == "done" }
}
