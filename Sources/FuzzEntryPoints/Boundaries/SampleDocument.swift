import MergeEngine

/// Documents of the engine that bytes from outside come into, and what is true of one afterwards.
///
/// Small, and always the same: a seed means the same for ever.
enum SampleDocument {
  /// A document with maps, a list, a text, a counter, a conflict, deleted elements and a mark.
  static func document() throws -> MergeDocument {
    let document = MergeDocument(actor: actor(1))
    let list = try document.putObject(.root, .key("list"), .list)
    let text = try document.putObject(.root, .key("text"), .text)
    try document.spliceText(text, at: 0, delete: 0, insert: "some words")
    try document.splice(list, at: 0, delete: 0, insert: [.int(1), .string("two"), .null])
    try document.put(.root, .key("counter"), .counter(5))
    try document.put(.root, .key("title"), .string("one"))
    document.commit(time: 1)
    let other = document.fork(actor: actor(2))
    try other.put(.root, .key("title"), .string("two"))
    try other.delete(list, .index(1))
    other.commit(time: 2)
    try document.put(.root, .key("title"), .string("three"))
    try document.spliceText(text, at: 4, delete: 1, insert: "-")
    try document.increment(.root, .key("counter"), by: 2)
    document.commit(message: "edits", time: 3)
    try document.merge(other)
    return document
  }

  /// The saved form of ``document()``.
  static func saved() throws -> [UInt8] { try document().save() }

  /// Changes that depend on ``document()``, each by a writer of its own, one kind of edit each.
  static func changes(
    on document: MergeDocument
  ) throws -> [(name: String, sentence: String, chunk: [UInt8])] {
    let list = try object("list", in: document)
    let text = try object("text", in: document)
    var number: UInt8 = 16
    func change(
      _ name: String,
      _ sentence: String,
      _ edit: (MergeDocument) throws -> Void
    ) throws -> (name: String, sentence: String, chunk: [UInt8]) {
      number += 1
      let fork = document.fork(actor: actor(number))
      try edit(fork)
      let hash = fork.commit(message: nil, time: 4)
      return (name, sentence, hash.flatMap { fork.changeBytes($0) } ?? [])
    }
    return [
      try change("put", "a value of each simple kind") {
        for (key, value) in [
          ("a", Scalar.null), ("b", .bool(true)), ("c", .int(-3)), ("d", .uint(9)),
          ("e", .double(0.5)), ("f", .string("x")), ("g", .bytes([1, 2])), ("h", .timestamp(7)),
        ] { try $0.put(.root, .key(key), value) }
      },
      try change("overwrite", "a value in the place of two in conflict") {
        try $0.put(.root, .key("title"), .string("four"))
      },
      try change("delete", "deleted keys and elements") {
        try $0.delete(.root, .key("title"))
        try $0.delete(list, .index(0))
      },
      try change("increment", "a counter that grows") {
        try $0.increment(.root, .key("counter"), by: 3)
      },
      try change("splice", "elements between others") {
        try $0.splice(list, at: 1, delete: 1, insert: [.int(4), .string("five"), .uint(6)])
      },
      try change("text", "text between words") {
        try $0.spliceText(text, at: 3, delete: 2, insert: "thing é")
      },
      try change("objects", "objects in objects") {
        let map = try $0.putObject(.root, .key("map"), .map)
        let inner = try $0.putObject(map, .key("inner"), .list)
        try $0.insert(inner, at: 0, .int(1))
        _ = try $0.insertObject(list, at: 0, .map)
      },
      try change("mark", "a mark over words") {
        try $0.mark(text, 1..<4, expand: .both, name: "bold", value: .bool(true))
      },
    ]
  }

  static func actor(_ number: UInt8) -> ActorID { ActorID([0xa0, number]) }

  static func object(_ key: String, in document: MergeDocument) throws -> ObjectID {
    guard case .object(let id, _)? = try document.value(.root, key: key) else {
      throw FuzzFailure("the sample document has no object '\(key)'")
    }
    return id
  }
}
