import AutomergeDocument
import MergeEngine
import PropertyEngine

extension PublicCallLaw {
  static let objectLaws = [neighbours, foreignObjects]

  /// Objects that are inserted one behind the other have ids that count up, as typed text has.
  ///
  /// A run that keeps them together must still tell each object's own place when one of them is deleted, overwritten,
  /// or moved by an insertion before it.
  private static let neighbours = PublicCallLaw(
    "api.neighbours",
    "Objects side by side keep their places.",
    "Objects that stand side by side in a list or text, in any units of text, have the paths of their places, also "
      + "when they are deleted; patches tell of them where they are.",
    source: .specification(.codable, "Documents")
  ) { story in
    let encodings: [TextEncoding] = [.unicodeScalar, .utf8, .utf16, .graphemeCluster]
    let encoding = story.element(of: encodings)
    let document = Document.written(by: 0xfd, encoding)
    let type = story.element(of: [ObjType.Text, .List, .Text])
    let holder = try document.putObject(obj: .ROOT, key: "holder", ty: type)
    let count = 2 + story.index(below: 3)
    story.note("a \(type) of \(count) maps, in a document that counts \(encoding)")
    var neighbours: [(object: ObjId, cursor: Cursor)] = []
    for _ in 0..<count {
      let index = document.length(obj: holder)
      let object = try document.insertObject(obj: holder, index: index, ty: .Map)
      neighbours.append((object, try document.cursor(obj: holder, position: index)))
    }
    let before = document.heads()
    for step in 0..<4 {
      let number = story.index(below: neighbours.count)
      let (object, cursor) = neighbours[number]
      let place = try document.position(obj: holder, cursor: cursor)
      let isThere = place < document.length(obj: holder)
      switch story.index(below: 6) {
      case 1 where isThere, 2 where isThere:
        story.note("deletes map \(number)")
        try document.delete(obj: holder, index: place)
      case 3 where isThere:
        story.note("puts a sign of several units over map \(number)")
        try document.put(obj: holder, index: place, value: .String("\u{1f600}"))
      case 4, 5:
        story.note("inserts a letter at the start")
        try document.insert(obj: holder, index: 0, value: .String("\u{e9}"))
      default:
        story.note("puts \(step) into map \(number)")
        try document.put(obj: object, key: "k", value: .Int(Int64(step)))
      }
      for (number, (object, cursor)) in neighbours.enumerated() {
        let path = try document.path(obj: object)
        let place = try document.position(obj: holder, cursor: cursor)
        try expect(
          path.map(\.obj) == [.ROOT, holder] && path.last?.prop == .Index(place),
          "the path of map \(number) ends at \(path.last.map { "\($0.prop)" } ?? "nothing"), and it stands at \(place)"
        )
      }
    }
    try document.checkDifferences(between: before, and: document.heads())
  }

  /// The two make an object each, by operations of one number, as the next object that they hold.
  private static let foreignObjects = PublicCallLaw(
    "api.foreign-objects",
    "Another replica's id names no other object.",
    "An id from another replica is unknown until the replicas have merged, with nothing in it and the type that it says, "
      + "and then names its own object.",
    source: .specification(.semantics, "Identity")
  ) { story in
    let document = try story.document().copy(by: 0xfd)
    try document.put(obj: .ROOT, key: "k", value: .Null)
    let other = document.copy(by: 0xfc)
    story.note("two copies make a map each, read and write the other's, and merge")
    let own = try document.putObject(obj: .ROOT, key: "own", ty: .Map)
    let foreign = try other.putObject(obj: .ROOT, key: "foreign", ty: .Map)
    try document.put(obj: own, key: "of", value: .String("this"))
    try other.put(obj: foreign, key: "of", value: .String("the other"))
    for (reader, unknown) in [(document, foreign), (other, own)] {
      try checkUnknown(unknown) { _ = try reader.get(obj: unknown, key: "of") }
      try checkUnknown(unknown) { try reader.put(obj: unknown, key: "of", value: .Null) }
      try checkUnknown(unknown) { _ = try reader.mapEntries(obj: unknown) }
      try checkUnknown(unknown) { _ = try reader.path(obj: unknown) }
      try checkUnknown(unknown) { _ = try reader.parseToSchema(reader, from: unknown) }
      try checkUnread(unknown, in: reader)
    }
    // What the id says of its type is all that is known.
    let text = try other.putObject(obj: foreign, key: "text", ty: .Text)
    try checkUnread(text, in: document)
    try document.merge(other: other)
    try other.merge(other: document)
    for reader in [document, other] {
      for (object, text) in [(own, "this"), (foreign, "the other")] {
        try expect(
          try reader.get(obj: object, key: "of") == .Scalar(.String(text)),
          "an id from another replica names another object"
        )
      }
    }
  }

  private static func checkUnknown(_ object: ObjId, _ call: () throws -> Void) throws {
    do {
      try call()
    } catch let error as DocError where error.kind == .unknownObject(object) {
      try expect(
        error.description.contains(object.debugDescription),
        "an error does not name the object that is unknown: \(error)"
      )
      return
    }
    throw PublicCallFault("\(object), which another replica made, is taken for an object")
  }

  /// Throws unless the calls that do not throw say that an object which another replica made has nothing, and what
  /// it is there.
  private static func checkUnread(_ object: ObjId, in document: Document) throws {
    let heads = document.heads()
    try expect(
      document.keys(obj: object).isEmpty && document.keysAt(obj: object, heads: heads).isEmpty,
      "\(object), which another replica made, has keys"
    )
    try expect(
      document.length(obj: object) == 0 && document.lengthAt(obj: object, heads: heads) == 0,
      "\(object), which another replica made, has a length"
    )
    try expect(
      document.objectType(obj: object) == ObjType(object.kind),
      "\(object), which another replica made, is of another type"
    )
  }
}
