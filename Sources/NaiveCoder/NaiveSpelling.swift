import Foundation
import ModelGeneration

extension Spelling {
  /// Whether the type reads what is stored as the very value that it writes as a leaf.
  ///
  ///     float    0.5            each float nearer to 0.5 than to its neighbours of 32 bits
  ///     url      "a%20b"        "a b"
  ///     uuid     "7F...00"      "7f...00"
  func isSame(_ leaf: Tree, as stored: Tree) -> Bool {
    switch (self, leaf, stored) {
    case (.float, .float(let new), .float(let old)): Double(Float(old)) == new
    case (.url, .string(let new), .string(let old)), (.url, .string(let new), .text(let old)):
      URL(string: old)?.absoluteString.utf8.elementsEqual(new.utf8) ?? false
    case (.uuid, .string(let new), .string(let old)), (.uuid, .string(let new), .text(let old)):
      UUID(uuidString: old)?.uuidString == new
    default: false
    }
  }
}
