import AutomergeDocument
import Foundation
import MergeEngine
import PropertyEngine
import Texts

extension PublicCallLaw {
  static let nameLaws = [damagedIDs, hashes, limits]

  /// Actors end at 128 bytes: one more is refused.
  private static let damagedIDs = PublicCallLaw(
    "api.ids",
    "Ids are read from their bytes, or refused.",
    "The bytes of an object's id are read as that id; bytes that are cut, of another version or kind, of a root that "
      + "is no map or has an actor, or with an actor that is too long are refused. An actor is read from 128 bytes at most, "
      + "and is described in upper-case hex.",
    source: .specification(.codable, "Value types")
  ) { story in
    let count = story.element(of: [1, 0, 2, 15, 16, 17, 127, 128, 129])
    let counter = story.element(of: [UInt32(1), 255, 256, 0x0403_0201, .max])
    story.note("the id of the list \(counter) of an actor of \(count) bytes")
    let actor = MergeEngine.ActorID([UInt8](repeating: 0xa7, count: count))
    let id = ObjId(.init(MergeEngine.OpID(counter: counter, actor: actor)), .list)
    let again = ObjId(bytes: id.bytes)
    try expect(
      again == (count <= 128 ? id : nil) && again?.kind == (count <= 128 ? .list : nil),
      "ObjId(bytes:) of an actor of \(count) bytes"
    )
    let writer = ActorId(data: Data(actor.bytes))
    try expect(
      (writer == nil) == (count > 128) && writer.map { $0.data == Data(actor.bytes) } != false,
      "ActorId(data:) of \(count) bytes"
    )
    let text = hexString(actor.bytes).uppercased()
    try expect(
      writer.map { $0.description == text } != false,
      "the description of an actor of \(count) bytes"
    )
    for id in [ObjId.ROOT, id] {
      var bytes = id.bytes
      try expect(ObjId(bytes: bytes.prefix(5)) == nil, "ObjId(bytes:) reads half an id")
      bytes[bytes.startIndex + 1] = 0xff
      try expect(ObjId(bytes: bytes) == nil, "ObjId(bytes:) reads an unknown kind")
      bytes = id.bytes
      bytes[bytes.startIndex] &+= 1
      try expect(ObjId(bytes: bytes) == nil, "ObjId(bytes:) reads another version")
    }
    try expect(ObjId(bytes: ObjId.ROOT.bytes + [7]) == nil, "ObjId(bytes:) reads a root's actor")
    for kind: ObjectKind in [.list, .text] {
      let root = ObjId(.root, kind).bytes
      try expect(ObjId(bytes: root) == nil, "ObjId(bytes:) reads a root that is no map")
    }
  }

  /// Hashes are drawn that differ in one byte, where an order by another part of them shows.
  private static let hashes = PublicCallLaw(
    "api.hashes",
    "Hashes have the order of their bytes.",
    "A hash and a list of heads are read from their bytes, which are a multiple of 32, and hashes are ordered by their "
      + "bytes.",
    source: .specification(.codable, "Value types")
  ) { story in
    try expect(ChangeHash(bytes: Data(repeating: 1, count: 31)) == nil, "ChangeHash: 31 bytes")
    try expect(Data(repeating: 1, count: 33).heads() == nil, "heads: 33 bytes")
    let hashes = (0..<4).compactMap { _ in
      var bytes = Data(repeating: 0x70, count: 32)
      bytes[story.index(below: 32)] = UInt8(story.index(below: 256))
      return AutomergeDocument.ChangeHash(bytes: bytes)
    }
    try expect(hashes.count == 4, "ChangeHash: 32 bytes")
    for left in hashes {
      for right in hashes {
        let isFirst = left.bytes.lexicographicallyPrecedes(right.bytes)
        try expect((left < right) == isFirst, "the order of \(left) and \(right)")
      }
    }
    let heads = Set(hashes)
    try expect(heads.raw().heads() == heads, "heads are read otherwise than they are written")
  }

  /// One limit at a time is set to 7, so that one that is passed on under another's name shows.
  ///
  /// The greatest limits admit whatever the store can hold.
  private static let limits = PublicCallLaw(
    "api.limits",
    "A limit that is set is the engine's.",
    "Each limit of a document is the engine's of that name and moves no other; the greatest is none, where the store "
      + "has no limit of its own.",
    source: .decision(44),
    count: 1
  ) { _ in
    typealias Limits = AutomergeDocument.DocumentLimits
    typealias Engine = MergeEngine.DocumentLimits
    let pairs: [(WritableKeyPath<Limits, Int>, WritableKeyPath<Engine, Int>)] = [
      (\.inflatedByteLimit, \.inflatedByteLimit), (\.freeMemoryByteLimit, \.freeMemoryByteLimit),
      (\.memoryPerByteLimit, \.memoryPerByteLimit), (\.freeWorkLimit, \.freeWorkLimit),
      (\.workPerByteLimit, \.workPerByteLimit), (\.emptyElementLimit, \.emptyElementLimit),
      (\.waitingChangeLimit, \.waitingChangeLimit),
      (\.waitingChangePerActorLimit, \.waitingChangePerActorLimit),
      (\.waitingByteLimit, \.waitingByteLimit), (\.receivedActorLimit, \.receivedActorLimit),
      (\.operationGapLimit, \.operationGapLimit),
    ]
    for (name, engineName) in pairs {
      var (limits, engine) = (Limits(), Engine())
      limits[keyPath: name] = 7
      engine[keyPath: engineName] = 7
      try expect(limits == Limits(engine: engine), "a limit that is set")
      try expect(limits[keyPath: name] == 7, "a limit that is read")
      // What the store itself cannot hold more of has a limit for every caller.
      guard name != \.inflatedByteLimit, name != \.receivedActorLimit else { continue }
      try expect(Limits.greatest[keyPath: name] == .max, "the greatest of a limit")
    }
  }
}
