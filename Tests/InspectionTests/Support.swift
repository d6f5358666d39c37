import Foundation
import Inspection
import MergeEngine

/// Files of the repository's `fixtures` folder.
enum Fixtures {
  static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "fixtures")

  static func bytes(_ path: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: folder.appending(path: path)))
  }

  static func vector(_ name: String) throws -> [UInt8] {
    try bytes("vectors/\(name).automerge")
  }

  static func document(_ name: String) throws -> MergeDocument {
    try DocumentFile.open(vector(name), name: name)
  }
}

/// An entry of `vectors.json`; the fields that tests here read.
struct Vector: Decodable, CustomStringConvertible, Sendable {
  let name: String
  let expect: String
  let chunks: [String]?
  let heads: [String]?
  let actors: [String]?

  var description: String { name }

  private struct File: Decodable { let vectors: [Vector] }

  static func all() throws -> [Vector] {
    let data = Data(try Fixtures.bytes("vectors/vectors.json"))
    return try JSONDecoder().decode(File.self, from: data).vectors
  }
}

func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }
