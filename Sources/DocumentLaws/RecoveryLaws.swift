// The law `storage.recovers` and the damaged files that it makes; one of the list in
// `StorageLaws.swift`.

import DocumentModel
import Histories
import PropertyEngine

extension StorageLaws {
  /// A file of a document's changes: some whole, some damaged or cut, some behind bytes of nothing.
  ///
  /// What becomes of each chunk, by its number modulo 8:
  ///
  ///     0         foreign bytes, then the chunk    kept, the bytes before it lost
  ///     1         a bit flipped behind the type    lost; a deflated chunk is cut instead
  ///     2         its beginning                    lost
  ///     3         its beginning and half a magic   lost: a search for the next chunk must not stop at the half
  ///     4 ... 7   the chunk                        kept
  private struct DamagedFile {
    private(set) var bytes: [UInt8] = []
    /// The chunks that are whole, in the order of the file.
    private(set) var good: [[UInt8]] = []
    /// Ranges of bytes, ascending; none touches the next.
    private(set) var losses: [Range<Int>] = []

    init(_ chunks: [[UInt8]], _ sample: PickedHistory) {
      for (index, chunk) in chunks.enumerated() {
        let number = sample.pick(index)
        // Behind magic, checksum and type: what those promise is asked for by `damage.*`.
        let place = 9 + number / 8 % max(1, chunk.count - 9)
        switch number % 8 {
        case 0:
          // One to four bytes half of the time: a search that goes on in steps passes the chunk's beginning.
          let count = number / 8 % 2 == 0 ? 1 + number / 16 % 4 : 1 + place
          lose([UInt8](repeating: 0x56, count: count))
          keep(chunk)
        // Of a deflated chunk, which is of type 2, a bit may say nothing: that one is cut.
        case 1 where chunk[8] != 2:
          var damaged = chunk
          damaged[min(place, chunk.count - 1)] ^= 0x10
          lose(damaged)
        case 1, 2: lose(Array(chunk.prefix(place)))
        case 3:
          lose(Array(chunk.prefix(place)))
          lose([0x85, 0x6f])
        default: keep(chunk)
        }
      }
    }

    private mutating func keep(_ chunk: [UInt8]) {
      bytes += chunk
      good.append(chunk)
    }

    /// Two losses without a good chunk between them are one.
    private mutating func lose(_ part: [UInt8]) {
      let range = bytes.count..<bytes.count + part.count
      bytes += part
      if let last = losses.last, last.upperBound == range.lowerBound {
        losses[losses.count - 1] = last.lowerBound..<range.upperBound
      } else {
        losses.append(range)
      }
    }
  }

  /// Catches a recovery that stops at the first damage, takes what damaged bytes say for true, or loses a
  /// good chunk with its bad neighbour.
  ///
  /// Misses damaged documents whose columns still read.
  ///
  /// The good changes alone, brought to an empty document one by one, are what the recovered
  /// document must be: with heads, changes that wait, and all invariants.
  ///
  /// Worked example: a file of five changes; the third has a flipped bit. Changes 1, 2, 4
  /// and 5 are kept; if 4 and 5 follow 3, they wait. The loss is the range of bytes of change 3.
  static var recovery: Law<PickedHistory> {
    law(
      "storage.recovers",
      "A damaged file's good part is kept.",
      "Of a file with damaged, cut and foreign parts all good changes are kept, and just the other bytes are "
        + "reported as lost; a document whose checksum alone is wrong is kept whole.",
      source: .decision(14)
    ) { document, sample in
      var chunks = try document.changes(since: [])
      if sample.pick(1) % 2 == 1 { chunks = document.compressedChanges() }
      let file = DamagedFile(chunks, sample)
      let (part, losses) = R.recovered(file.bytes, actor: other)
      guard losses == file.losses else {
        return Difference(
          kind: "losses",
          summary: "other parts of a damaged file are reported as lost",
          expected: "\(file.losses)",
          actual: "\(losses)"
        )
      }
      var receiver = R(actor: other)
      for chunk in file.good {
        var work = 0
        try receiver.take(chunk, work: &work)
      }
      var kept = part
      if let difference = try kept.departure(from: &receiver) { return difference }

      var saved = document.save(compressed: sample.pick(2) % 2 == 1)
      // Second half: a document whose checksum alone is wrong. The four bytes of the checksum are 4
      // to 7.
      guard saved.count > 4 else { return nil }
      saved[4 + sample.pick(3) % 4] ^= 0x10
      let (found, lost) = R.recovered(saved, actor: other)
      guard lost.isEmpty else {
        return Difference(
          kind: "losses",
          summary: "a document whose checksum alone is wrong is lost",
          expected: "no loss",
          actual: "\(lost)"
        )
      }
      var whole = found
      return try whole.departure(from: &document)
    }
  }
}
