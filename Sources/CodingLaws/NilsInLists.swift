import CodingSupport
import ModelGeneration
import PropertyEngine

// Null and nil in lists, beside what is no plain value: parts of `document.tree` and `reencode.over-value`.

extension CodingLaw {
  /// Where a list has null and what is no plain value in another order than the model, be it new or one that grows.
  ///
  /// Plain values of a row may be written together, and dictionaries, sets, texts and counters each by itself.
  ///
  ///     the model     null  {a: 1}  {a: 1}  null  {a: 1}  null
  static func mixedLists<S: CoderSubject>(
    _ subject: S,
    _ trial: CodingTrial
  ) throws -> Difference? {
    // Null comes first and last: what is written behind another element is at its place, too.
    let isValue = [false] + (0..<4).map { trial.sample.index($0, below: 4) > 0 } + [false]
    func difference(_ tree: Tree, _ make: () -> some Encodable) throws -> Difference? {
      let elements = isValue.map { $0 ? tree : .null }
      let expected = Tree.map([Tree.Entry("elements", .list(elements))])
      for isNew in [true, false] {
        let document = try trial.document()
        if !isNew { try document.encode(["elements": [Int?.none]]) }
        try document.encode(["elements": isValue.map { $0 ? make() : nil }])
        let words = "in a list with null that \(isNew ? "is new" : "has grown")"
        if let found = try trial.difference(document, from: expected, words) { return found }
      }
      return nil
    }
    let map = Tree.map([Tree.Entry("a", .int(1))])
    if let found = try difference(map, { ["a": 1] }) { return found }
    if let found = try difference(.list([.int(1)]), { Set([1]) }) { return found }
    if subject.features.contains(.texts),
      let found = try difference(.text("a"), { S.Text("a") })
    {
      return found
    }
    guard subject.features.contains(.counters) else { return nil }
    return try difference(.counter(1), { S.Counter(1) })
  }

  /// A struct whose containers may be `nil`.
  private struct Holder: Encodable {
    var number = 1
    var list: [Int]? = [2]
    var map: [String: Int]? = ["a": 3]
    var inner: Inner? = Inner()
    /// Written as null where it is `nil`.
    var kept = Kept(inner: Inner())

    struct Inner: Encodable { var number = 4 }

    struct Kept: Encodable {
      var inner: Inner?

      enum CodingKeys: CodingKey { case inner }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if let inner {
          try container.encode(inner, forKey: .inner)
        } else {
          try container.encodeNil(forKey: .inner)
        }
      }
    }
  }

  /// Where a container of an element stays once it has become `nil`, and nothing else has changed.
  ///
  /// Elements are compared as wholes first. A container holds no value of its own, which a comparison may take for
  /// null, and so for nothing.
  ///
  ///     stored      [[{number: 1, list: [2], ..}]]
  ///     encoded     the same without the list
  static func nilsInElements(_ trial: CodingTrial) throws -> Difference? {
    let edits: [(word: String, edit: (inout Holder) -> Void)] = [
      ("list", { $0.list = nil }), ("map", { $0.map = nil }), ("struct", { $0.inner = nil }),
      ("struct that is kept as null", { $0.kept.inner = nil }),
    ]
    // Others may store no null under a key.
    let last = trial.subject.features.contains(.explicitNull) ? 0 : 1
    for (word, edit) in edits.dropLast(last) {
      var holder = Holder()
      let document = try trial.document()
      try document.encode(["elements": [[holder]]])
      edit(&holder)
      try document.encode(["elements": [[holder]]])
      let expected = try TreeRecorder.tree(of: ["elements": [[holder]]])
      let words = "once the \(word) of an element has become nil"
      if let found = try trial.difference(document, from: expected, words) { return found }
    }
    return nil
  }

  /// Where a map or a list among others stays once it has become null.
  ///
  /// A container holds no value of its own, which a comparison may take for null.
  static func nullsInLists(_ trial: CodingTrial) throws -> Difference? {
    let document = try trial.document()
    let containers = [Tree.map([Tree.Entry("a", .int(1))]), .list([.int(2)])]
    func whole(_ elements: [Tree]) -> Tree { .map([Tree.Entry("elements", .list(elements))]) }
    for place in containers.indices {
      var elements = containers
      try document.encode(TreeValue(tree: whole(elements)))
      elements[place] = .null
      try document.encode(TreeValue(tree: whole(elements)))
      let words = "once element \(place) has become null"
      if let found = try trial.difference(document, from: whole(elements), words) { return found }
    }
    return nil
  }
}
