import Foundation
import Inspection
import JSONOracle
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

extension JSONOracleValue {
  /// What json-c should read where a tree was printed.
  init(_ tree: JSONTree) {
    self =
      switch tree {
      case .null: .null
      case .boolean(let value): .boolean(value)
      case .int(let value): .int(value)
      case .uint(let value): .uint(value)
      case .double(let value): .double(value)
      case .string(let text): .string(Array(text.utf8))
      case .array(let elements): .array(elements.map { JSONOracleValue($0) })
      case .object(let members):
        .object(
          members.map { Member(key: Array($0.key.utf8), value: JSONOracleValue($0.value)) }
        )
      }
  }

  /// With members in the order of their keys.
  var sorted: JSONOracleValue {
    switch self {
    case .array(let elements): .array(elements.map(\.sorted))
    case .object(let members):
      .object(
        members.map { Member(key: $0.key, value: $0.value.sorted) }
          .sorted { $0.key.lexicographicallyPrecedes($1.key) }
      )
    default: self
    }
  }
}

func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }
