import AutomergeDocument
import DocumentLaws
import Foundation
import MergeEngine
import PropertyEngine

extension StateLaws {
  /// Catches a call that answers where it should refuse, a refusal of another kind or with other numbers, and one
  /// whose words are missing.
  static let refusals = law(
    "api.any-refusal",
    "Calls that do not fit are refused.",
    "Calls on any object of any document that its type or its length does not admit, reads and edits, and forks at a "
      + "change that it does not have, are refused with an error that says which, with its numbers and a sentence, and "
      + "change nothing.",
    source: .specification(.semantics, "Local edits")
  ) { document, sample in
    let objects = try document.objects()
    let object = objects[sample.pick(1) % objects.count]
    let before = (document.heads(), document.reading { $0.pendingOpCount })
    for (call, due, body) in document.unfitCalls(on: object) + document.strangeCalls {
      let found = try document.refusal(of: body)
      try expect(
        found == due,
        "\(call) on \(document.objectType(obj: object)): refused with \(found.map { "\($0)" } ?? "nothing")"
      )
    }
    let after = (document.heads(), document.reading { $0.pendingOpCount })
    try expect(before == after, "refused calls leave something behind")
  }
}

extension Document {
  /// The kind of error with which a call is refused; `nil` if it is carried out.
  ///
  /// Throws what is no `DocError`, and a fault if the error's words do not say what it is.
  func refusal(of call: () throws -> some Any) throws -> DocError.Kind? {
    do {
      _ = try call()
      return nil
    } catch let error as DocError {
      let words = error.description
      try expect(error.errorDescription == words && words.count > 10, "an error without words")
      if case .indexOutOfBounds(let index, let length) = error.kind {
        try expect(
          words.contains("\(index)") && words.contains("\(length)"),
          "an error that does not tell its numbers: \(words)"
        )
      }
      return error.kind
    }
  }

  /// The root, and all objects that are shown below it.
  func objects() throws -> [ObjId] {
    var objects = [ObjId.ROOT]
    var next = 0
    while next < objects.count {
      for case .Object(let child, _) in try values(obj: objects[next])
      where !objects.contains(child) {
        objects.append(child)
      }
      next += 1
    }
    return objects
  }

  fileprivate typealias UnfitCall = (
    name: String, due: DocError.Kind, body: () throws -> Any
  )

  /// Calls that name a change that no document has, each with the refusal that is due.
  fileprivate var strangeCalls: [UnfitCall] {
    guard let hash = AutomergeDocument.ChangeHash(bytes: Data(repeating: 7, count: 32)) else {
      return []
    }
    let unknown = DocError.Kind.unknownChange(hash)
    return [
      ("forkAt", unknown, { try self.forkAt(heads: [hash]) }),
      ("forkAt beside heads", unknown, { try self.forkAt(heads: self.heads().union([hash])) }),
    ]
  }

  /// Calls that do not fit an object, each with the refusal that is due.
  fileprivate func unfitCalls(on object: ObjId) -> [UnfitCall] {
    let type = objectType(obj: object)
    let wrong = DocError.Kind.wrongObjectType(type)
    guard type != .Map else {
      return [
        ("get(index:)", wrong, { try self.get(obj: object, index: 0) as Any }),
        ("getAll(index:)", wrong, { try self.getAll(obj: object, index: 0) }),
        ("text", wrong, { try self.text(obj: object) }),
        ("put(index:)", wrong, { try self.put(obj: object, index: 0, value: .Null) }),
        ("insert", wrong, { try self.insert(obj: object, index: 0, value: .Null) }),
        ("delete(index:)", wrong, { try self.delete(obj: object, index: 0) }),
        ("splice", wrong, { try self.splice(obj: object, start: 0, delete: 0, values: [.Null]) }),
        (
          "spliceText", wrong, { try self.spliceText(obj: object, start: 0, delete: 0, value: "x") }
        ),
        ("increment(index:)", wrong, { try self.increment(obj: object, index: 0, by: 1) }),
      ]
    }
    let length = self.length(obj: object)
    let behind = DocError.Kind.indexOutOfBounds(index: Int(length), length: Int(length))
    let farBehind = DocError.Kind.indexOutOfBounds(index: Int(length) + 1, length: Int(length))
    var calls: [UnfitCall] = [
      ("get(key:)", wrong, { try self.get(obj: object, key: "k") as Any }),
      ("getAll(key:)", wrong, { try self.getAll(obj: object, key: "k") }),
      ("mapEntries", wrong, { try self.mapEntries(obj: object) }),
      ("mapEntriesAt", wrong, { try self.mapEntriesAt(obj: object, heads: self.heads()) }),
      ("put(key:)", wrong, { try self.put(obj: object, key: "k", value: .Null) }),
      ("delete(key:)", wrong, { try self.delete(obj: object, key: "k") }),
      ("increment(key:)", wrong, { try self.increment(obj: object, key: "k", by: 1) }),
      ("put(index:)", behind, { try self.put(obj: object, index: length, value: .Null) }),
      ("insert", farBehind, { try self.insert(obj: object, index: length + 1, value: .Null) }),
      ("increment(index:)", behind, { try self.increment(obj: object, index: length, by: 1) }),
    ]
    if type == .Text {
      let value = ScalarValue.Boolean(true)
      calls += [
        (
          "splice", wrong,
          { try self.splice(obj: object, start: 0, delete: 0, values: [.Null]) }
        ),
        (
          "spliceText", farBehind,
          { try self.spliceText(obj: object, start: length + 1, delete: 0, value: "x") }
        ),
        (
          "mark", farBehind,
          {
            try self.mark(
              obj: object,
              start: length,
              end: length + 1,
              expand: .none,
              name: "m",
              value: value
            )
          }
        ),
        (
          "mark", .indexOutOfBounds(index: 2, length: 1),
          { try self.mark(obj: object, start: 2, end: 1, expand: .none, name: "m", value: value) }
        ),
      ]
    } else {
      // Of a text, what is to be deleted behind the end is not there.
      calls += [
        ("text", wrong, { try self.text(obj: object) }),
        ("delete(index:)", behind, { try self.delete(obj: object, index: length) }),
        (
          "splice", farBehind,
          { try self.splice(obj: object, start: length + 1, delete: 0, values: [.Null]) }
        ),
      ]
    }
    return calls
  }
}
