// The law `storage.column-lengths`: documents whose columns have a given number of values, each unlike its
// neighbours, so that no two of them make a run.
//
//     keys of the map       k0 k1 k2 ... k64        65 different values: one literal run of 65
//     sizes of its values   0 5 3 1 6 4 2 0 ...     the same
//     elements of the list  as the map's values
//     scalars of the text   of 1, 4, 3, 2 bytes in turn, some replaced by elements of two scalars

import DocumentModel
import Histories
import PropertyEngine

extension StorageLaws {
  /// Catches a length of a run that is written in too few bytes or read as another.
  ///
  /// Misses elements of two scalars that a load joins to a run of characters of as many bytes: they are put here, not
  /// inserted one behind the other. Histories hold few columns of one exact length: the last that a byte holds, the first that needs two.
  static var columnLengths: Law<PickedHistory> {
    law(
      "storage.column-lengths",
      "Columns of any length load.",
      "A map with any number of different keys, and a list and a text of as many unlike elements, load and "
        + "travel as they were made.",
      source: .specification(.format, "Columns")
    ) { document, sample in
      let count = Self.lengths[sample.pick(1) % Self.lengths.count]
      var whole = R(actor: other)
      // The root's keys are the first column; elsewhere others stand in front of it.
      if sample.pick(2) % 2 == 1 { try whole.merge(&document) }
      let map =
        sample.pick(2) % 4 < 2 ? nil : try whole.apply(.putObject(.root, .key("w"), .map)).made
      for number in 0..<count {
        _ = try whole.apply(.put(map ?? .root, .key(key(number)), value(number)))
      }
      if let difference = try lost(&whole) { return difference }
      guard let list = try whole.apply(.putObject(.root, .key("wl"), .list)).made,
        let text = try whole.apply(.putObject(.root, .key("wt"), .text)).made
      else { throw Skipped("an object has no id") }
      _ = try whole.apply(
        .splice(list, index: 0, deleting: 0, inserting: (0..<count).map(value))
      )
      let typed = ExactString((0..<count).map { Self.letters[$0 * 3 % 4] }.joined())
      _ = try whole.apply(.spliceText(text, index: 0, deleting: 0, inserting: typed))
      for index in stride(from: sample.pick(3) % 4, to: count, by: 2 + sample.pick(4) % 5) {
        _ = try whole.apply(.put(text, .index(index), .string("e\u{301}")))
      }
      return try lost(&whole)
    }
  }

  /// Around what one and two bytes of signed and unsigned LEB128 hold, and small ones.
  private static var lengths: [Int] {
    [1, 2, 3, 8, 15, 16, 17, 32, 62, 63, 64, 65, 66, 67, 126, 127, 128, 129, 130, 255, 256, 257]
  }

  private static var letters: [String] { ["a", "\u{e9}", "\u{65e5}", "\u{1f600}"] }

  private static func key(_ number: Int) -> ExactString { ExactString("k\(number)") }

  /// A string whose length is not that of its neighbours.
  private static func value(_ number: Int) -> Scalar {
    .string(ExactString(String(repeating: "v", count: number * 5 % 7)))
  }

  /// What of a document does not come through a file of either form, or through its changes.
  private static func lost(_ document: inout R) throws -> Difference? {
    document.commit()
    do {
      for compressed in [true, false] {
        var loaded = try R.load(document.save(compressed: compressed), actor: other)
        if let difference = try loaded.departure(from: &document) { return difference }
      }
      var receiver = R(actor: other)
      try receiver.apply(try document.changes(since: []))
      return try receiver.departure(from: &document)
    } catch {
      return Difference(kind: "refused", summary: "what the document wrote is refused: \(error)")
    }
  }
}
