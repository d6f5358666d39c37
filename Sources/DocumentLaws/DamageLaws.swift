// Laws of damaged bytes: what is read must be sound (`soundness`), what is refused must leave no
// trace (`incremental`), neither may cost too much (`excess`), and what is recovered must be a file
// (`recovery`). The samples are in `DamagedBytes.swift`.

import DocumentModel
import Histories
package import PropertyEngine

/// What bytes from anywhere may do: be refused, or make a document like any other.
///
/// No law says that nothing traps: a trap ends the process, which every law shows.
///
/// Damage under a wrong checksum stops at the checksum in a good reader. So most samples have it
/// made right (`sealedPercent`), and reach the columns.
///
/// The checks are used by others as well: bombs and forgeries ask for `excess` and `soundness`, and
/// the fuzz target `load` asks `broken(by:)` about whatever bytes it has.
package enum DamageLaws<R: StoredReplica> {
  /// All of them; `bases` are good files, small ones first.
  ///
  /// `bases` must not be empty, and each must load: a base that is refused is an error of the law,
  /// not a violation.
  package static func all(bases: [[UInt8]]) -> [Law<DamagedBytes>] {
    let varied = bases + VariedDocuments.handmade
    return [
      refusedOrSound(bases), sealed(varied), arbitrary, refusalLeavesNoTrace(varied),
      workBounded(varied), recoveryKeepsFile(varied),
    ]
  }

  /// Catches damage that a reader follows: a quarter of the samples has the checksum made right, and the rest tries
  /// the frame itself.
  private static func refusedOrSound(_ bases: [[UInt8]]) -> Law<DamagedBytes> {
    Law(
      "damage.refused-or-sound",
      "Damaged bytes are refused or read soundly.",
      "Damaged bytes are refused, or make a document that obeys the laws of every document.",
      source: .decision(14),
      forAll: DamagedBytes.samples(of: bases, sealedPercent: 25)
    ) { try verdict(of: $0.bytes) }
  }

  /// Catches trust in what a checksum covers: a file that was written by a faulty or hostile
  /// program has a right one.
  private static func sealed(_ bases: [[UInt8]]) -> Law<DamagedBytes> {
    Law(
      "damage.sealed-refused-or-sound",
      "Damage under a right checksum does no harm.",
      "Damage under a right checksum is refused, or makes a document that obeys the laws.",
      source: .decision(14),
      forAll: DamagedBytes.severalSealed(of: bases)
    ) { sample in
      for file in sample.files {
        if let difference = try verdict(of: file.bytes) { return difference }
      }
      return nil
    }
  }

  /// Catches assumptions on the first bytes.
  ///
  /// Misses what lies behind an actor table, which random bytes hardly ever get right; damaged good
  /// files do.
  private static var arbitrary: Law<DamagedBytes> {
    Law(
      "damage.arbitrary-refused-or-sound",
      "Arbitrary bytes are refused or read soundly.",
      "Arbitrary bytes are refused, or make a document that obeys the laws of every document.",
      source: .decision(14),
      forAll: DamagedBytes.arbitrary
    ) { try verdict(of: $0.bytes) }
  }

  /// Catches a load that has taken a part when it finds the damage: the document then shows or
  /// saves what it refused to its caller.
  private static func refusalLeavesNoTrace(_ bases: [[UInt8]]) -> Law<DamagedBytes> {
    Law(
      "damage.refusal-leaves-no-trace",
      "Refusing damaged bytes changes nothing.",
      "A document that refuses damaged bytes is as it was; one that takes them is sound.",
      source: .decision(14),
      forAll: DamagedBytes.samples(of: bases, sealedPercent: 75)
    ) { sample in
      // A good file the damaged one comes to: the one it was made of, or the next.
      try incremental(sample, bases[(sample.base + sample.wounds.count) % bases.count])
    }
  }

  /// Catches loops over claimed counts.
  ///
  /// Time does not enter: a slow step is one step.
  private static func workBounded(_ bases: [[UInt8]]) -> Law<DamagedBytes> {
    Law(
      "damage.work-bounded",
      "Reading damaged bytes costs bounded work.",
      "Reading damaged bytes costs no more steps than the stated limit for their number.",
      source: .specification(.format, "Errors and limits"),
      forAll: DamagedBytes.samples(of: bases, sealedPercent: 90)
    ) { try work(of: $0.bytes) }
  }

  /// Catches a recovery that keeps what its hashes do not prove, or reports other bytes as lost than it left out.
  ///
  /// Asks as well about documents whose columns are damaged and still read, which `storage.recovers` never makes.
  private static func recoveryKeepsFile(_ bases: [[UInt8]]) -> Law<DamagedBytes> {
    Law(
      "damage.recovery-keeps-a-file",
      "What a recovery keeps is a sound file.",
      "The recovery of damaged bytes makes a sound document, and the bytes that it does not report "
        + "as lost are recovered without a loss, as the same document.",
      source: .decision(14),
      forAll: DamagedBytes.forRecovery(of: bases)
    ) { try recovery(of: $0.bytes) }
  }

  /// The first law that loading some bytes breaks, into nothing or into a document; `nil` if all hold.
  ///
  /// Used where bytes do not come from `DamagedBytes`. The document that the bytes come to has one
  /// put, so that there is something to lose.
  package static func broken(
    by bytes: [UInt8]
  ) throws -> (law: String, difference: Difference)? {
    var work = 0
    if var document = try? R.load(bytes, actor: reader, work: &work),
      let difference = try soundness(of: &document)
    {
      return ("damage.refused-or-sound", difference)
    }
    if let difference = excess(work, byteCount: bytes.count) {
      return ("damage.work-bounded", difference)
    }
    let sample = DamagedBytes(base: 0, bytes: bytes, wounds: [], isSealed: false)
    var document = R(actor: writer)
    guard (try? document.apply(.put(.root, .key("k"), .int(1)))) != nil else { return nil }
    if let difference = try incremental(sample, document.save(compressed: false)) {
      return ("damage.refusal-leaves-no-trace", difference)
    }
    return nil
  }

  /// Where bytes are neither refused nor make a sound document; `nil` if all is well.
  ///
  /// Refused bytes are always right here: whether good ones are refused is asked by other laws.
  /// They are refused in words all the same.
  package static func verdict(of bytes: [UInt8]) throws -> Difference? {
    var work = 0
    var document: R
    do { document = try R.load(bytes, actor: reader, work: &work) } catch {
      let words = "\(error)"
      guard words.isEmpty || words.contains(where: \.isNewline) else { return nil }
      return Difference(kind: "words", summary: "bytes are refused without a line of words")
    }
    return try soundness(of: &document)
  }

  /// Whether a document does what every document does: it is saved, loaded, sent and written on.
  ///
  /// Each of these calls looks at the document from another side: its own invariants, its bytes,
  /// its changes one by one, a merge, its state at each head, and a new edit. A document that reads well and cannot be
  /// saved is caught.
  ///
  /// - Throws: What the subject throws when its own bytes are refused; the case then counts as
  ///   errored.
  package static func soundness(of document: inout R) throws -> Difference? {
    if let breach = document.brokenInvariant() {
      return Difference(kind: "invariant", summary: "the loaded document is not sound: \(breach)")
    }
    let saved = document.save(compressed: false)
    var again = try R.load(saved, actor: writer)
    if let difference = try again.departure(from: &document) { return difference }
    // Not compressed: deflated bytes may differ between two calls and be right.
    let resaved = again.save(compressed: false)
    if let difference = byteDifference(resaved, saved, "saving again differs") {
      return difference
    }
    var whole = R(actor: writer)
    try whole.merge(&document)
    var receiver = R(actor: writer)
    for change in try document.changes(since: []) { try receiver.apply([change]) }
    if let difference = try receiver.departure(from: &whole) { return difference }
    // A change that hides what it follows is one of several heads.
    let heads = document.heads().ids
    if heads.count > 1, let difference = try document.misshownState(of: heads) { return difference }
    return try edits(&again)
  }

  /// The document must go on: an edit, a save, and the edit is there.
  ///
  /// Compressed, where `soundness` saved without: so both forms are loaded.
  private static func edits(_ document: inout R) throws -> Difference? {
    let key = ExactString("after the damage")
    let effect = try? document.apply(.put(.root, .key(key), .boolean(true)))
    // Counters at their limit end all writing.
    // A damaged file may state the greatest operation number, 2^32 - 1, and be right in all else.
    guard effect != nil else { return nil }
    document.commit()
    var loaded = try R.load(document.save(compressed: true), actor: reader)
    return try loaded.departure(from: &document)
  }

  /// A good document takes or refuses damaged bytes.
  ///
  /// Refused, neither what it shows nor what it saves may differ by a byte.
  private static func incremental(
    _ sample: DamagedBytes,
    _ base: [UInt8]
  ) throws -> Difference? {
    var document = try R.load(base, actor: reader)
    let before = document.save(compressed: false)
    let shown = try document.shown()
    var work = 0
    do {
      try document.take(sample.bytes, work: &work)
    } catch {
      let after = document.save(compressed: false)
      if let difference = byteDifference(after, before, "refused bytes left a trace") {
        return difference
      }
      if let difference = try document.shown().difference(from: shown) { return difference }
    }
    return try soundness(of: &document)
  }

  /// The losses ascend, and those that touch are one: else a caller that copies what is left copies bytes twice.
  private static func recovery(of bytes: [UInt8]) throws -> Difference? {
    var (document, losses) = R.recovered(bytes, actor: reader)
    var kept: [UInt8] = []
    var end = 0
    for (index, loss) in losses.enumerated() {
      guard !loss.isEmpty, loss.lowerBound >= end + (index > 0 ? 1 : 0),
        loss.upperBound <= bytes.count
      else {
        return Difference(
          kind: "losses",
          summary: "losses are out of order, touch, or are beyond \(bytes.count) bytes",
          actual: "\(losses)"
        )
      }
      kept += bytes[end..<loss.lowerBound]
      end = loss.upperBound
    }
    kept += bytes[end...]
    if let difference = try soundness(of: &document) { return difference }
    var (again, left) = R.recovered(kept, actor: reader)
    guard left.isEmpty else {
      return Difference(
        kind: "losses",
        summary: "bytes that a recovery keeps are lost in the next",
        expected: "\(kept.count) bytes without a loss",
        actual: "\(left)"
      )
    }
    return try again.departure(from: &document)
  }

  private static func work(of bytes: [UInt8]) throws -> Difference? {
    var work = 0
    _ = try? R.load(bytes, actor: reader, work: &work)
    return excess(work, byteCount: bytes.count)
  }

  /// Where work is beyond the stated limit, which is one for refused and for accepted bytes.
  static func excess(_ work: Int, byteCount: Int) -> Difference? {
    let limit = R.workLimit(forByteCount: byteCount)
    guard work > limit else { return nil }
    return Difference(
      kind: "work",
      summary: "\(byteCount) bytes cost more than is stated",
      expected: "at most \(limit) steps",
      actual: "\(work) steps"
    )
  }

  static var reader: ActorID { ActorID(repeating: 0xdd) }
  static var writer: ActorID { ActorID(repeating: 0xde) }
}
