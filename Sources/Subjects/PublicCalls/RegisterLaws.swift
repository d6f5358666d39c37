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
        let change = story.element(of: RegisterChange.drawn)
        let isInList = story.flag()
        let name = side === document ? "fd" : "the copy"
        story.note("\(name) \(change.title) \(isInList ? "the list's start" : "\"k\"")")
        try change.make(in: side, isInList ? list : .ROOT, isInList ? .Index(0) : .Key("k"))
        if side === document { known.append(document.heads()) }
      }
    }
    try document.merge(other: peer)
    for heads in known {
      try document.checkDifferences(between: heads, and: document.heads())
      for patch in document.difference(from: heads, to: document.heads()) {
        try expect(Patch(action: patch.action, path: patch.path) == patch, "init of \(patch)")
      }
    }
  }
}

/// A change of one place.
private enum RegisterChange: CaseIterable {
  /// What cannot be incremented stays.
  case increment
  case put
  case putCounter
  case makeMap
  /// A list keeps an element to change.
  case delete

  /// An increment is as likely as two others; numbers of samples choose by this order.
  static let drawn: [RegisterChange] = [.increment] + allCases

  var title: String {
    switch self {
    case .increment: "increments"
    case .put: "puts 7 at"
    case .putCounter: "puts a counter at"
    case .makeMap: "makes a map at"
    case .delete: "deletes"
    }
  }

  func make(in document: Document, _ object: ObjId, _ prop: AutomergeDocument.Prop) throws {
    switch (self, prop) {
    case (.increment, .Key(let key)): try? document.increment(obj: object, key: key, by: 2)
    case (.increment, .Index(let index)): try? document.increment(obj: object, index: index, by: 2)
    case (.put, .Key(let key)): try document.put(obj: object, key: key, value: .Int(7))
    case (.put, .Index(let index)): try document.put(obj: object, index: index, value: .Int(7))
    case (.putCounter, .Key(let key)):
      try document.put(obj: object, key: key, value: .Counter(3))
    case (.putCounter, .Index(let index)):
      try document.put(obj: object, index: index, value: .Counter(3))
    case (.makeMap, .Key(let key)): _ = try document.putObject(obj: object, key: key, ty: .Map)
    case (.makeMap, .Index(let index)):
      _ = try document.putObject(obj: object, index: index, ty: .Map)
    case (.delete, .Key(let key)): try document.delete(obj: object, key: key)
    case (.delete, .Index(let index)):
      if document.length(obj: object) > 1 { try document.delete(obj: object, index: index) }
    }
  }
}
