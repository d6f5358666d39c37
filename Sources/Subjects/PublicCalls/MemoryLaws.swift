import AutomergeDocument
import Foundation
import MergeEngine
import PropertyEngine
import Texts

// Laws of the memory that a document takes. What one call may add is bounded by a limit, whose law stands in
// `LimitLaws.swift`.

extension PublicCallLaw {
  static let memoryLaws = [typedMemory, observedMemory]

  /// Catches runs of elements that no longer join: all reads are right, and a text takes forty times the memory.
  ///
  /// An element that is a run of its own takes 36 bytes, without the room that is free in its leaf.
  ///
  ///     typed        [abcdef]                        one run
  ///     deleted      [ab] [---] [f]                  three, whichever of the two keys deletes
  private static let typedMemory = PublicCallLaw(
    "api.typed-memory",
    "Typed text takes a few bytes each letter.",
    "A text that is typed letter by letter, or a list that is filled so, takes at most eight bytes for each element "
      + "besides 8 KiB, also where some are deleted one by one, in either direction, and when it is loaded.",
    source: .decision(19),
    costs: 4
  ) { story in
    let document = Document.written(by: 0xfd)
    let isList = story.flag()
    let object = try document.putObject(obj: .ROOT, key: "typed", ty: isList ? .List : .Text)
    let count = 600 + 50 * story.index(below: 8)
    story.note("\(isList ? "a list" : "a text") of \(count) elements, inserted one by one")
    for index in 0..<UInt64(count) {
      if isList {
        try document.insert(obj: object, index: index, value: .Int(7))
      } else {
        try document.spliceText(obj: object, start: index, delete: 0, value: "a")
      }
    }
    if story.flag() { document.commitOnce() }
    let deletedCount = story.index(below: 4) * count / 4
    let isBackward = story.flag()
    let start = story.index(below: count - deletedCount)
    story.note(
      "\(deletedCount) deleted from \(start) on, \(isBackward ? "the last" : "the first") first"
    )
    for number in 0..<deletedCount {
      let index = UInt64(isBackward ? start + deletedCount - 1 - number : start)
      try document.delete(obj: object, index: index)
    }
    document.commitOnce()
    let loaded = try Document(document.save())
    for (side, name) in [(document, "written"), (loaded, "loaded")] {
      let byteCount = side.reading { $0.heldByteCount }
      try expect(
        byteCount <= 8 * count + 8_192,
        "\(count) elements, \(deletedCount) of them deleted, take \(byteCount) bytes once \(name)"
      )
    }
  }

  /// Catches what is read for observers alone and kept: a document that is observed would grow with each change.
  private static let observedMemory = PublicCallLaw(
    "api.observed-memory",
    "Observers cost a document no memory.",
    "Two copies of a document that take in the same changes hold as many bytes, whether one is observed or not.",
    source: .specification(.codable, "Documents")
  ) { story in
    let writer = try story.document()
    writer.commitOnce()
    let (plain, observed) = (writer.copy(by: 0xfd), writer.copy(by: 0xfd))
    let list = try writer.putObject(obj: .ROOT, key: "seen", ty: .List)
    writer.commitOnce()
    for side in [plain, observed] { try side.merge(other: writer) }
    let isOfList = story.flag()
    let token = observed.observe(isOfList ? list : nil) { _ in }
    defer { token.cancel() }
    story.note("two copies; one is observed\(isOfList ? ", a list alone" : "")")
    for number in 0..<(1 + story.index(below: 4)) {
      let heads = writer.heads()
      let value = String(repeating: "\(number)", count: 20 * (1 + story.index(below: 8)))
      if story.flag() {
        try writer.put(obj: .ROOT, key: "k", value: .String(value))
      } else {
        try writer.insert(obj: list, index: 0, value: .String(value))
      }
      writer.commitOnce()
      let bytes = try writer.encodeChangesSince(heads: heads)
      story.note("both take in a change with a value of \(counted(value.utf8.count, "byte"))")
      for side in [plain, observed] { try side.applyEncodedChanges(encoded: bytes) }
    }
    let counts = [plain, observed].map { side in side.reading { $0.heldByteCount } }
    try expect(
      counts[0] == counts[1],
      "a document holds \(counts[0]) bytes, and \(counts[1]) if it is observed"
    )
  }
}
