// Damaged bytes as samples of `DamageLaws.swift`: good files with wounds, and bytes that never were
// a file. `wound` is used by the boundaries of the fuzz targets as well.

package import PropertyEngine

/// Stored bytes with wounds: some of a good file's bytes are changed, added or gone.
///
/// `bytes` are what is judged. `base` and the number of wounds also choose the good document that
/// they come to in `damage.refusal-leaves-no-trace`; the texts of the wounds are for people.
package struct DamagedBytes: Hashable, Sendable {
  /// Which of the good files it was.
  package let base: Int
  package let bytes: [UInt8]
  /// What was done, in order.
  package let wounds: [String]
  /// Whether length and checksum were made right afterwards, so that readers look further.
  package let isSealed: Bool
  /// More damaged files, each to be judged by itself; they have no others.
  ///
  /// To refuse a file costs a small part of what a case does: with one alone a run of a minute would not come to most
  /// checks of a reader.
  package var others: [DamagedBytes] = []

  /// This one, then the others.
  package var files: [DamagedBytes] { [self] + others }

  /// The percentage of sealed samples whose columns are damaged value by value, by ``RowDamage``.
  private static let rowPercent = 40

  /// Damaged forms of good files; the first of `bases` is the simplest.
  ///
  /// The mutators are those of the workload W7 (a bit, a byte, one taken out, one put in, one copied,
  /// the end cut off) and some that know the format's habits: counts that are one off, numbers at
  /// their limits, stretches repeated, taken out, swapped or taken from another file.
  ///
  /// `sealedPercent` is the share of samples whose length and checksum are made right after the
  /// wounds, and whose head is not wounded.
  package static func samples(
    of bases: [[UInt8]],
    sealedPercent: Int
  ) -> Generator<DamagedBytes> {
    Generator { choices in
      let base = choices.index(below: bases.count)
      let isSealed = choices.flag(percent: sealedPercent)
      if isSealed, choices.flag(percent: rowPercent) {
        var chunk = bases[base]
        var wounds: [String] = []
        for _ in 0..<choices.pick(weights: [0, 6, 1, 1]) {
          if let wound = RowDamage.wound(&chunk, &choices) { wounds.append(wound) }
        }
        return DamagedBytes(base: base, bytes: chunk, wounds: wounds, isSealed: true)
      }
      var body = bases[base]
      var head: [UInt8] = []
      if isSealed {
        // What is made right anyway is not worth a wound.
        let start = ChunkForge.contentStart(body) ?? body.count
        head = Array(body.prefix(start))
        body.removeFirst(start)
      }
      var wounds: [String] = []
      choices.repeated(upTo: 6, averaging: 2, "wound") { choices in
        wounds.append(wound(&body, bases, &choices))
      }
      let bytes = isSealed ? ChunkForge.sealed(head + body) : body
      return DamagedBytes(base: base, bytes: bytes, wounds: wounds, isSealed: isSealed)
    }
  }

  /// The same with others beside it, whose columns are damaged value by value.
  package static func severalSealed(of bases: [[UInt8]]) -> Generator<DamagedBytes> {
    let first = samples(of: bases, sealedPercent: 100)
    return Generator { choices in
      var sample = first.draw(&choices)
      choices.repeated(upTo: 60, averaging: 20, "file") { choices in
        let base = choices.index(below: bases.count)
        var file = bases[base]
        guard let wound = RowDamage.wound(&file, &choices) else { return }
        sample.others.append(
          DamagedBytes(base: base, bytes: file, wounds: [wound], isSealed: true)
        )
      }
      return sample
    }
  }

  /// Damaged files, now and then behind more beginnings of chunks than a recovery tries.
  ///
  /// Each of the beginnings claims half of them: all together cost more than a file of this size may.
  package static func forRecovery(of bases: [[UInt8]]) -> Generator<DamagedBytes> {
    let files = samples(of: bases, sealedPercent: 50)
    return Generator { choices in
      let file = files.draw(&choices)
      guard choices.flag(percent: 5) else { return file }
      // Magic, checksum, the type of a change, 8,000 bytes: 11 bytes each.
      let beginning = ChunkForge.magic + [0, 0, 0, 0, 1] + ChunkForge.unsigned(8_000)
      return DamagedBytes(
        base: file.base,
        bytes: Array(repeatElement(beginning, count: 1_500).joined()) + file.bytes,
        wounds: file.wounds + ["1,500 beginnings of chunks in front"],
        isSealed: file.isSealed
      )
    }
  }

  /// Bytes that never were a file: free ones, or free content in a chunk with a right checksum.
  ///
  /// Types 0 to 3 are the format's own (document, change, compressed change, bundle) in a sealed
  /// chunk; 4 stands for free bytes without one.
  package static var arbitrary: Generator<DamagedBytes> {
    Generator { choices in
      let type = choices.index(below: 5)
      var content: [UInt8] = []
      choices.repeated(upTo: 200, averaging: 30, "byte") { choices in
        content.append(UInt8(choices.number(in: 0...255, bias: .small)))
      }
      let isSealed = type < 4
      let bytes = isSealed ? ChunkForge.chunk(UInt8(type), content) : content
      return DamagedBytes(base: 0, bytes: bytes, wounds: ["arbitrary"], isSealed: isSealed)
    }
  }

  /// What a byte of a count or length means when it is at an edge: nothing, one, a literal of one
  /// or two, the bounds of a signed byte, more to follow.
  ///
  ///     00, 01          nothing, one                      7f, 7e    -1 and -2: a literal run of one, of two
  ///     40, 3f          -64 and 63: the ends of a signed byte
  ///     80, ff          a number that goes on in the next byte
  private static let numbers: [UInt8] = [0, 1, 0x7f, 0x7e, 0x40, 0x3f, 0x80, 0xff]

  /// Changes bytes in one place; what is longer may come from `bases`.
  ///
  /// The weights favour small wounds: a bit, a byte, a number that is one off.
  ///
  /// - Returns: What was done, for people; the choices alone decide it.
  package static func wound(
    _ bytes: inout [UInt8],
    _ bases: [[UInt8]],
    _ choices: inout Choices
  ) -> String {
    guard bytes.count > 1 else { return "nothing left to wound" }
    let at = choices.index(below: bytes.count)
    switch choices.pick(weights: [4, 3, 2, 2, 2, 1, 4, 3, 2, 2, 1, 1]) {
    case 0:
      let bit = choices.index(below: 8)
      bytes[at] ^= 1 << UInt8(bit)
      return "bit \(bit) of byte \(at)"
    case 1:
      bytes[at] = UInt8(choices.number(in: 0...255))
      return "byte \(at) is \(bytes[at])"
    case 2:
      bytes.remove(at: at)
      return "byte \(at) is gone"
    case 3:
      let byte = UInt8(choices.number(in: 0...255))
      bytes.insert(byte, at: at)
      return "\(byte) before byte \(at)"
    case 4:
      let from = choices.index(below: bytes.count)
      bytes[at] = bytes[from]
      return "byte \(at) is byte \(from)"
    case 5:
      bytes.removeLast(bytes.count - at)
      return "cut at \(at)"
    case 6:
      let isUp = choices.flag()
      bytes[at] = isUp ? bytes[at] &+ 1 : bytes[at] &- 1
      return "byte \(at) is one \(isUp ? "more" : "less")"
    case 7:
      bytes[at] = choices.element(of: numbers)
      return "byte \(at) is \(bytes[at])"
    case 8:
      // Makes the bytes longer, so that all behind it shifts.
      let long = choices.element(of: longNumbers)
      bytes.replaceSubrange(at...at, with: long)
      return "byte \(at) is the number \(long)"
    case 9:
      let count = 1 + choices.index(below: min(16, bytes.count - at))
      bytes.insert(contentsOf: bytes[at..<(at + count)], at: at)
      return "\(count) bytes twice from \(at)"
    case 10:
      let count = 1 + choices.index(below: min(16, bytes.count - at))
      bytes.removeSubrange(at..<(at + count))
      return "\(count) bytes gone from \(at)"
    default:
      let other = bases[choices.index(below: bases.count)]
      guard !other.isEmpty else { return "nothing to take" }
      let from = choices.index(below: other.count)
      let count = 1 + choices.index(below: min(32, other.count - from))
      bytes.insert(contentsOf: other[from..<(from + count)], at: at)
      return "\(count) bytes of another file before \(at)"
    }
  }

  /// Numbers in two to ten bytes: overlong zeros, the bounds of 32 and 64 bits, and numbers beyond
  /// them.
  ///
  /// By row: 0, 128, 16,383; 65,536; 2^28 - 1; 2^32 - 1 and 2^32, the limit of a counter; 2^63 - 1
  /// and 2^64 - 1 as unsigned numbers; and one of ten bytes that is more than 64 bits unsigned, and
  /// the least of 64 bits signed.
  private static let longNumbers: [[UInt8]] = [
    [0x80, 0x00], [0x80, 0x01], [0xff, 0x7f], [0x80, 0x80, 0x04], [0xff, 0xff, 0xff, 0x7f],
    [0xff, 0xff, 0xff, 0xff, 0x0f], [0x80, 0x80, 0x80, 0x80, 0x10],
    [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
    [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
    [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f],
  ]
}
