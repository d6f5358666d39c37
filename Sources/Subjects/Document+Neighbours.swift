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
}
