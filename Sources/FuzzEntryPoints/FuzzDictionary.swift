import DocumentLaws
import MergeEngine
import Texts

/// Pieces of a form, which libFuzzer puts into inputs: what its option `dict` reads.
package struct FuzzDictionary: Hashable, Sendable {
  /// A piece with the name that it has in the file: `op.action`.
  package struct Piece: Hashable, Sendable {
    let name: String
    let bytes: [UInt8]
  }

  let pieces: [Piece]

  /// The file: a line `name="bytes"` for each piece, with bytes that are no plain letters as `\x00`.
  package var text: String {
    pieces.map { "\($0.name)=\"\(Self.quoted($0.bytes))\"\n" }.joined()
  }

  private static func quoted(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      let isPlain = (0x20..<0x7f).contains(byte) && byte != 0x22 && byte != 0x5c
      return isPlain ? String(UnicodeScalar(byte)) : "\\x\(hexString([byte]))"
    }
    .joined()
  }
}

extension FuzzTarget {
  /// What libFuzzer may put into an input; `nil` where inputs are choices, or nothing is known of the form.
  package var dictionary: FuzzDictionary? {
    guard let boundary else { return nil }
    let pieces =
      switch boundary.notation {
      case .binary(let pieces): pieces
      case .text(let words):
        (words + TextDamage.numbers).enumerated().map { index, word in
          FuzzDictionary.Piece(name: "word\(index + 1)", bytes: Array(word.utf8))
        }
      }
    return pieces.isEmpty ? nil : FuzzDictionary(pieces: pieces)
  }
}

extension [FuzzDictionary.Piece] {
  private typealias Piece = FuzzDictionary.Piece

  /// What columns consist of: a run of one value, of many, of as many as there can be, of nulls; numbers at edges.
  static let columns: Self =
    [
      Piece(name: "run.one", bytes: ChunkForge.signed(-1) + [0]),
      Piece(name: "run.million", bytes: ChunkForge.signed(1_000_000) + [1]),
      Piece(name: "run.greatest", bytes: ChunkForge.signed(.max) + [0]),
      Piece(name: "run.literals", bytes: ChunkForge.signed(-63) + [1]),
      Piece(name: "run.nulls", bytes: [0] + ChunkForge.unsigned(255)),
      Piece(name: "string.one", bytes: ChunkForge.signed(-1) + [1, 0x6b]),
      Piece(name: "number.overlong", bytes: [0x80, 0]),
    ]
    + [127, 128, 255, 256, UInt64(UInt32.max), UInt64(Int64.max), .max].map { number in
      Piece(name: "number.\(number)", bytes: ChunkForge.unsigned(number))
    }
    + (0...8).map { action in
      Piece(name: "action.\(action)", bytes: ChunkForge.signed(-1) + [UInt8(action)])
    }
    // A value's type and length: 1 byte of each type that there is, and of one that there is not.
    + (0...10).map { type in
      Piece(name: "value.\(type)", bytes: ChunkForge.signed(-1) + [1 << 4 | UInt8(type)])
    }

  /// What chunks consist of: their beginnings, the numbers of columns with a length, plain and compressed.
  static let chunks: Self =
    [0, 1, 2].map { type in
      Piece(name: "chunk.\(type)", bytes: ChunkForge.magic + [0, 0, 0, 0, UInt8(type)])
    }
    + KnownColumns.all.flatMap { name, number in
      [
        Piece(name: name, bytes: ChunkForge.unsigned(UInt64(number)) + [2]),
        Piece(name: "\(name).deflated", bytes: ChunkForge.unsigned(UInt64(number | 8)) + [2]),
      ]
    } + columns

  /// What messages of sync begin with: both versions, and the states that are stored.
  static let messages: Self =
    [0x42, 0x43].map { (type: UInt8) in
      Piece(name: "message.\(hexString([type]))", bytes: [type, 0])
    } + chunks
}
