import AutomergeDocument
import DocumentLaws
import Foundation
import MergeEngine
import PropertyEngine
import Texts

// Laws of what a call refuses that comes from outside: damaged bytes, and changes that do not say what they follow.
// Each refusal has its own type, says why in words, and leaves nothing behind.

extension PublicCallLaw {
  static let refusalLaws = [damagedBytes, hiddenDependencies]

  /// Catches a call that passes on an error of another type, loses its reason, or keeps a part of what it refuses.
  ///
  /// One wound is made in each file: the checksum shows all of them, and each call comes to the same reason.
  ///
  ///     wound          bit flipped, cut, cut in front, a byte more in the middle
  ///     file           Document(_:) LoadError, applyEncodedChanges DocError.refusedChanges
  ///     message        cut within its heads, or another first byte: ReceiveSyncError
  ///     peer's state   cut, or another first byte: DecodeSyncStateError
  private static let damagedBytes = PublicCallLaw(
    "api.damaged-bytes",
    "Damaged bytes are refused, and say why.",
    "A saved document with one wound is refused by a load and by a document that is to take it in, a sync message and a "
      + "stored sync state that are cut or begin otherwise by those who read them: each with its own error, whose words "
      + "hold the reason and its place. Document and sync state are as they were.",
    source: [.specification(.codable, "Errors"), .decision(14)]
  ) { story in
    let document = try story.document().copy(by: 0xfd)
    try document.put(obj: .ROOT, key: "of the file", value: .Int(1))
    document.commitOnce()
    let file = story.wounded([UInt8](document.save()))
    let due = try Document.loadError(of: Data(file))
    let receiver = document.copy(by: 0xfe)
    try receiver.put(obj: .ROOT, key: "open", value: .Int(2))
    let heads = receiver.heads()
    let saved = receiver.save()
    let refusal = try receiver.refusal(of: {
      try receiver.applyEncodedChanges(encoded: Data(file))
    })
    guard let refusal, case .refusedChanges(let error) = refusal else {
      throw PublicCallFault(
        "a document that is to take in a damaged file refuses \(refusal.map { "\($0)" } ?? "nothing")"
      )
    }
    try error.expectWords("DocError", DocError(kind: refusal).description)
    try expect(error.limit == due.limit, "a limit is passed by one of a load and an application")
    try checkSync(of: document, with: receiver, &story)
    try expect(
      receiver.heads() == heads && receiver.save() == saved,
      "what is refused leaves something behind"
    )
  }

  /// The receiver has heard nothing of the document's last change: the message has heads.
  private static func checkSync(
    of document: Document,
    with receiver: Document,
    _ story: inout CallStory
  ) throws {
    let shared = SyncState()
    guard let message = document.generateSyncMessage(state: SyncState()) else {
      throw PublicCallFault("a document has nothing to say to a new peer")
    }
    try receiver.receiveSyncMessage(state: shared, message: message)
    let (before, theirHeads) = (shared.encode(), shared.theirHeads)
    // A version, the number of heads, and 32 bytes for each.
    let damaged = story.beheaded(message, within: 34)
    do {
      try receiver.receiveSyncMessage(state: shared, message: damaged)
      throw PublicCallFault("a damaged sync message is taken in")
    } catch let error as ReceiveSyncError {
      try error.reason.expectWords("ReceiveSyncError", error.description)
      try expect(
        error.errorDescription?.contains(error.description) == true,
        "a ReceiveSyncError without words"
      )
    }
    try expect(
      shared.encode() == before && shared.theirHeads == theirHeads,
      "a refused sync message changes the sync state"
    )
    _ = receiver.generateSyncMessage(state: shared)
    let state = shared.encode()
    try expect(try SyncState(bytes: state).encode() == state, "SyncState(bytes:) of what it gave")
    do {
      _ = try SyncState(bytes: story.beheaded(state, within: state.count))
      throw PublicCallFault("a damaged sync state is read")
    } catch let error as DecodeSyncStateError {
      try error.reason.expectWords("DecodeSyncStateError", error.description)
      try expect(
        error.errorDescription?.contains(error.description) == true,
        "a DecodeSyncStateError without words"
      )
    }
  }

  /// Catches a fork that traps on a change whose object it lacks, or shows the document without it.
  ///
  /// A document takes in a change that uses what is here already, whatever it says to follow. A fork at that change alone
  /// has nothing to put it into.
  ///
  ///     fd     makes a map                    operation 1
  ///     fe     puts into it, naming nothing   operation 2
  ///     fork at fe's change                   refused: the map is not among what it follows
  private static let hiddenDependencies = PublicCallLaw(
    "api.hidden-dependencies",
    "A fork that lacks an object is refused.",
    "A document that took a change which hides what it follows refuses a fork at that change alone, with the reason, and "
      + "is as it was; a fork at all of its heads shows what it shows.",
    source: .specification(.format, "Applying changes")
  ) { story in
    let document = Document.written(by: 0xfd)
    let before = story.index(below: 3)
    for number in 0..<before {
      try document.put(obj: .ROOT, key: "before \(number)", value: .Null)
    }
    let map = try document.putObject(obj: .ROOT, key: "map", ty: .Map)
    document.commitOnce()
    story.note("fd makes a map by operation \(before + 1); fe puts into it, and names no change")
    let object: [(spec: UInt64, bytes: [UInt8])] = [
      (0x01, ChunkForge.run(-1, 1)), (0x02, ChunkForge.run(-1, UInt64(before + 1))),
    ]
    let liar = ChunkForge.change(
      actor: 0xfe,
      startOp: UInt64(before + 2),
      others: [0xfd],
      ops: object + ChunkForge.put("k", int: nil)
    )
    guard
      let hash = AutomergeDocument.ChangeHash(bytes: Data(ChunkForge.hash(ofChunk: liar)))
    else { throw PublicCallFault("ChangeHash(bytes:) of 32 bytes") }
    try document.applyEncodedChanges(encoded: Data(liar))
    try expect(
      try document.get(obj: map, key: "k") == .Scalar(.Null) && document.heads().contains(hash),
      "a change that puts into a map is taken in, and not shown"
    )
    let saved = document.save()
    let refusal = try document.refusal(of: { try document.forkAt(heads: [hash]) })
    guard case .refusedChanges(let reason)? = refusal else {
      throw PublicCallFault("a fork at a change that lacks its object is not refused")
    }
    try reason.expectWords("DocError", DocError(kind: .refusedChanges(reason)).description)
    try expect(document.save() == saved, "a refused fork leaves something behind")
    let whole = try document.forkAt(heads: document.heads())
    try expect(
      try DocumentReader(whole, at: nil).observed(.ROOT)
        == DocumentReader(document, at: nil).observed(.ROOT),
      "a fork at all heads shows something else"
    )
  }
}

extension CallStory {
  /// The bytes of a file of one chunk with one wound.
  ///
  /// A checksum of four bytes stands in front of what it covers, and overlooks none of these but one in 2^32.
  fileprivate mutating func wounded(_ file: [UInt8]) -> [UInt8] {
    var file = file
    let place = index(below: min(file.count, 256))
    switch index(below: 4) {
    case 0:
      let bit = index(below: 8)
      note("a file of \(counted(file.count, "byte")) with bit \(bit) of byte \(place) flipped")
      file[place] ^= 1 << UInt8(bit)
    case 1:
      note("a file of \(counted(file.count, "byte")) without its last \(place + 1)")
      file.removeLast(min(place + 1, file.count - 1))
    case 2:
      note("a file of \(counted(file.count, "byte")) without its first \(place + 1)")
      file.removeFirst(min(place + 1, file.count - 1))
    default:
      note("a file of \(counted(file.count, "byte")) with a byte more at \(place)")
      file.insert(0xff, at: place)
    }
    return file
  }

  /// Bytes that are cut to fewer than `limit`, or begin with another byte.
  fileprivate mutating func beheaded(_ bytes: Data, within limit: Int) -> Data {
    if flag() {
      let first = UInt8(0x44 + index(below: 100))
      note("\(counted(bytes.count, "byte")) that begin with \(first)")
      return Data([first]) + bytes.dropFirst()
    }
    let count = index(below: min(limit, bytes.count))
    note("the first \(count) of \(counted(bytes.count, "byte"))")
    return bytes.prefix(count)
  }
}

extension Document {
  /// The error with which a damaged file is refused; throws a fault if it is loaded.
  fileprivate static func loadError(of file: Data) throws -> LoadError {
    do {
      _ = try Document(file)
    } catch let error as LoadError {
      try error.expectWords("LoadError", error.description)
      try expect(
        error.errorDescription?.contains(error.description) == true,
        "a LoadError without words"
      )
      return error
    }
    throw PublicCallFault("a damaged file is loaded")
  }
}

extension LoadError {
  /// Throws unless the words of an error hold this reason and its place.
  fileprivate func expectWords(_ name: String, _ words: String) throws {
    try expect(!reason.isEmpty && words.contains(reason), "a \(name) without its reason: \(words)")
    try expect(
      words.contains("byte \(offset)") && section.allSatisfy { words.contains($0) },
      "a \(name) without its place: \(words)"
    )
  }
}
