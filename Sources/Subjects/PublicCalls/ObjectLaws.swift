import AutomergeDocument
import MergeEngine

extension Document {
  /// Throws if objects that stand side by side in a list or text, and that an engine may so keep as one run,
  /// are misplaced: in their paths, also of those that were deleted, or in patches.
  ///
  /// `number` says what units texts count, and what becomes of the objects.
  ///
  /// Objects that are inserted one behind the other have ids that count up, as typed text has. A
  /// run that keeps them together must still tell each object's own place when one of them is
  /// deleted, overwritten, or moved by an insertion before it.
  static func checkNeighbours(_ number: Int) throws {
    var random = PseudoRandom(seed: number)
    let encodings: [TextEncoding] = [.utf8, .utf16, .graphemeCluster, .unicodeScalar]
    let document = Document(textEncoding: encodings[random.index(below: encodings.count)])
    document.actor = ActorId(MergeEngine.ActorID([0xfd]))
    let isText = random.index(below: 3) > 0
    let holder = try document.putObject(obj: .ROOT, key: "holder", ty: isText ? .Text : .List)
    var neighbours: [(object: ObjId, cursor: Cursor)] = []
    for _ in 0..<2 + random.index(below: 3) {
      let index = document.length(obj: holder)
      let object = try document.insertObject(obj: holder, index: index, ty: .Map)
      neighbours.append((object, try document.cursor(obj: holder, position: index)))
    }
    let before = document.heads()
    for step in 0..<4 {
      let (object, cursor) = neighbours[random.index(below: neighbours.count)]
      let place = try document.position(obj: holder, cursor: cursor)
      let isThere = place < document.length(obj: holder)
      switch random.index(below: 6) {
      case 0, 1: try document.put(obj: object, key: "k", value: .Int(Int64(step)))
      case 2 where isThere: try document.delete(obj: holder, index: place)
      case 3 where isThere: try document.delete(obj: holder, index: place)
      case 4 where isThere:
        try document.put(obj: holder, index: place, value: .String("\u{1f600}"))
      default:
        try document.insert(obj: holder, index: 0, value: .String("\u{e9}"))
      }
      for (object, cursor) in neighbours {
        let path = try document.path(obj: object)
        let place = try document.position(obj: holder, cursor: cursor)
        try expect(
          path.map(\.obj) == [.ROOT, holder] && path.last?.prop == .Index(place),
          "the path of an object beside others ends at \(path.last.map { "\($0.prop)" } ?? "")"
        )
      }
    }
    try document.checkDifferences(between: before, and: document.heads())
  }

  /// Throws if an id from another replica is taken for an object of this one, or names another once the
  /// replicas have merged.
  ///
  /// The two make an object each, by operations of one number, as the next object that they hold.
  static func checkForeignObjects() throws {
    let document = Document()
    document.actor = ActorId(MergeEngine.ActorID([0xfd]))
    try document.put(obj: .ROOT, key: "k", value: .Null)
    let other = document.fork()
    other.actor = ActorId(MergeEngine.ActorID([0xfb]))
    let own = try document.putObject(obj: .ROOT, key: "own", ty: .Map)
    let foreign = try other.putObject(obj: .ROOT, key: "foreign", ty: .Map)
    try document.put(obj: own, key: "of", value: .String("this"))
    try other.put(obj: foreign, key: "of", value: .String("the other"))
    for (reader, unknown) in [(document, foreign), (other, own)] {
      try reader.checkUnknown(unknown) { _ = try reader.get(obj: unknown, key: "of") }
      try reader.checkUnknown(unknown) { try reader.put(obj: unknown, key: "of", value: .Null) }
    }
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

  private func checkUnknown(_ object: ObjId, _ call: () throws -> Void) throws {
    do {
      try call()
    } catch let error as DocError where error.kind == .unknownObject(object) {
      return
    }
    throw PublicCallFault("\(object), which another replica made, is taken for an object")
  }
}
