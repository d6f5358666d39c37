import AutomergeDocument
import MergeEngine
import PropertyEngine
import Texts

extension PublicCallLaw {
  static let registerLaws = [registers]

  /// Catches objects that wait for their turn and get it in another order, or twice.
  ///
  /// Keys are met in their order, which is not that of the objects' ids.
  static let patchOrder = PublicCallLaw(
    "api.patch-order",
    "Differences go from object to object.",
    "The differences between two states tell of each object in one place, objects in the order in which they were made.",
    source: .specification(.semantics, "Differences between two states"),
    count: 80
  ) { story in
    let document = Document.written(by: 0xfd)
    var made = [ObjId.ROOT]
    for number in 0..<(4 + story.index(below: 12)) {
      let holder = story.flag() ? story.element(of: made) : .ROOT
      let key = "\(story.index(below: 64)) \(number)"
      story.note("makes a map at \(key) of \(made.firstIndex(of: holder) ?? 0)")
      made.append(try document.putObject(obj: holder, key: key, ty: .Map))
    }
    document.commitOnce()
    let before = document.heads()
    for object in made.reversed() { try document.put(obj: object, key: "n", value: .Int(1)) }
    document.commitOnce()
    for heads in [[], before] {
      var told: [ObjId] = []
      for patch in document.difference(from: heads, to: document.heads()) {
        guard case .Put(let object, _, _) = patch.action else {
          throw PublicCallFault("a difference of puts has the patch \(patch.action)")
        }
        if told.last != object { told.append(object) }
      }
      let places = told.map { object in made.firstIndex(of: object).map(String.init) ?? "none" }
      try expect(
        told == made,
        "differences tell of \(made.count) objects in the order \(places.joined(separator: ", "))"
      )
    }
  }

  /// Histories have many places, and seldom come to one that has grown as a counter and is in conflict as well.
  ///
  ///     before    "k" is a counter of 1
  ///     one       increments it by 2
  ///     other     puts 7 in its place, and loses
  ///     due       two patches of "k": it has grown by 2, and there is another value
  ///     then      an increment by 3 adds to the counter, whichever wins, and takes the 7 away
  private static let registers = PublicCallLaw(
    "api.registers",
    "Differences tell of places that two writers change.",
    "Where two writers put, increment, make or delete at one place at once, the differences between any two of the "
      + "states lead from the one to the other. An increment behind that adds to each counter there, leaves no other "
      + "value, and is refused where no counter is.",
    source: .specification(.semantics, "Differences between two states", "Counters")
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
    story.note("fd increments \"k\" and the list's start by 3")
    try document.checkIncrement(
      "\"k\"",
      { try $0.getAll(obj: .ROOT, key: "k") },
      { try $0.increment(obj: .ROOT, key: "k", by: 3) }
    )
    try document.checkIncrement(
      "the list's start",
      { try $0.getAll(obj: list, index: 0) },
      { try $0.increment(obj: list, index: 0, by: 3) }
    )
  }
}

extension PublicCallLaw {
  static let counterLaws = [counterPuts]

  /// Catches a put that is compared with what a counter began with: to set it back there would do nothing.
  ///
  ///     "k" is counter 1, incremented by 2      shows 3
  ///     put counter 1                           an operation, and it shows 1
  ///     put counter 1 again                     none
  private static let counterPuts = PublicCallLaw(
    "api.counter-puts",
    "A counter is put unless it shows that.",
    "A counter that is put over one that was incremented shows afterwards, whatever the other began with; it makes an "
      + "operation unless that is what is shown.",
    source: .specification(.semantics, "Local edits", "Counters")
  ) { story in
    let document = Document.written(by: 0xfd)
    let list = try document.putObject(obj: .ROOT, key: "list", ty: .List)
    let isInList = story.flag()
    var shown = Int64(story.index(below: 3))
    if isInList {
      try document.insert(obj: list, index: 0, value: .Counter(shown))
    } else {
      try document.put(obj: .ROOT, key: "k", value: .Counter(shown))
    }
    story.note("\(isInList ? "an element" : "\"k\"") is a counter of \(shown)")
    for _ in 0..<6 {
      if story.flag() { document.commitOnce() }
      let number = Int64(story.index(below: 4))
      if story.flag() {
        story.note("increments by \(number)")
        if isInList {
          try document.increment(obj: list, index: 0, by: number)
        } else {
          try document.increment(obj: .ROOT, key: "k", by: number)
        }
        shown += number
        continue
      }
      story.note("puts counter \(number)")
      let before = document.reading { $0.pendingOpCount }
      if isInList {
        try document.put(obj: list, index: 0, value: .Counter(number))
      } else {
        try document.put(obj: .ROOT, key: "k", value: .Counter(number))
      }
      let made = document.reading { $0.pendingOpCount } - before
      try expect(
        made == (number == shown ? 0 : 1),
        "a counter of \(number) over one that shows \(shown) makes \(counted(made, "operation"))"
      )
      shown = number
      let value =
        try isInList ? document.get(obj: list, index: 0) : document.get(obj: .ROOT, key: "k")
      try expect(
        value == .Scalar(.Counter(shown)),
        "a counter of \(shown) is put, and \(value.map { "\($0)" } ?? "nothing") is shown"
      )
    }
  }
}

extension Document {
  /// Increments a place by 3; throws unless each of its counters is 3 more, and alone, or it has none and the call is
  /// refused.
  fileprivate func checkIncrement(
    _ place: String,
    _ values: (Document) throws -> Set<AutomergeDocument.Value>,
    _ increment: (Document) throws -> Void
  ) throws {
    let before = try values(self)
    let counters = before.compactMap { value -> Int64? in
      if case .Scalar(.Counter(let count)) = value { count } else { nil }
    }
    let found = try refusal(of: { try increment(self) })
    try expect(
      (found == nil) == !counters.isEmpty,
      "an increment of \(place), with \(counted(counters.count, "counter")) in "
        + "\(counted(before.count, "value")), is \(found.map { "refused: \($0)" } ?? "carried out")"
    )
    let due = counters.isEmpty ? before : Set(counters.map { .Scalar(.Counter($0 + 3)) })
    commitOnce()
    for reader in [self, try Document(save())] {
      let after = try values(reader)
      try expect(after == due, "an incremented place, \(place), has the values \(after)")
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
