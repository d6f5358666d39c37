import AutomergeDocument
import MergeEngine
import PropertyEngine
import Texts

extension PublicCallLaw {
  static let registerLaws = [registers]

  /// Histories have many places, and seldom come to one that has grown as a counter and is in conflict as well.
  ///
  ///     before    "k" is a counter of 1
  ///     one       increments it by 2
  ///     other     puts 7 in its place, and loses
  ///     due       two patches of "k": it has grown by 2, and there is another value
  private static let registers = PublicCallLaw(
    "api.registers",
    "Differences tell of places that two writers change.",
    "Where two writers put, increment, make or delete at one place at once, the differences between any two of the "
      + "states lead from the one to the other.",
    source: .specification(.semantics, "Differences between two states")
  ) { story in
    let document = Document.written(by: 0xfd)
    let list = try document.putObject(obj: .ROOT, key: "list", ty: .List)
    try document.splice(obj: list, start: 0, delete: 0, values: [.Counter(1), .Int(2)])
    try document.put(obj: .ROOT, key: "k", value: .Counter(1))
    var known = [document.heads()]
    let writer = story.element(of: [UInt8(0xfe), 0xfc])
    story.note(
      "fd writes a document {list: [counter 1, 2], k: counter 1}; its copy is \(hexString([writer]))'s"
    )
    let peer = document.copy(by: writer)
    for side in [document, peer] {
      for _ in 0...story.index(below: 3) {
        let call = story.index(below: 6)
        let isInList = story.flag()
        let name = side === document ? "fd" : "the copy"
        story.note("\(name) \(Document.changes[call]) \(isInList ? "the list's start" : "\"k\"")")
        try side.change(isInList ? list : .ROOT, isInList ? .Index(0) : .Key("k"), call)
        if side === document { known.append(document.heads()) }
      }
    }
    try document.merge(other: peer)
    for heads in known { try document.checkDifferences(between: heads, and: document.heads()) }
  }
}

extension Document {
  /// What ``change(_:_:_:)`` does, by its number.
  fileprivate static let changes = [
    "increments", "increments", "puts 7 at", "puts a counter at", "makes a map at", "deletes",
  ]

  /// Changes one place; what cannot be incremented stays.
  fileprivate func change(_ object: ObjId, _ prop: AutomergeDocument.Prop, _ call: Int) throws {
    switch (call, prop) {
    case (0...1, .Key(let key)): try? increment(obj: object, key: key, by: 2)
    case (0...1, .Index(let index)): try? increment(obj: object, index: index, by: 2)
    case (2, .Key(let key)): try put(obj: object, key: key, value: .Int(7))
    case (2, .Index(let index)): try put(obj: object, index: index, value: .Int(7))
    case (3, .Key(let key)): try put(obj: object, key: key, value: .Counter(3))
    case (3, .Index(let index)): try put(obj: object, index: index, value: .Counter(3))
    case (4, .Key(let key)): _ = try putObject(obj: object, key: key, ty: .Map)
    case (4, .Index(let index)): _ = try putObject(obj: object, index: index, ty: .Map)
    case (_, .Key(let key)): try delete(obj: object, key: key)
    case (_, .Index(let index)):
      // The list keeps an element to change.
      if length(obj: object) > 1 { try delete(obj: object, index: index) }
    }
  }
}
