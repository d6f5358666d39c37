import Automerge
import Foundation

/// Runs one program of the protocol: documents, messages and marks by their numbers.
///
/// An object keeps the id that it was made with: automerge-swift takes it in every document that knows
/// the object, though ids of one object may differ between documents.
struct Session {
  private enum Message {
    case replica(Document)
    case saved(Data)
  }

  private var documents: [Int: Document] = [:]
  private var objects: [Int: ObjId] = [0: .ROOT]
  private var messages: [Int: Message] = [:]
  private var slots: [Int: Data] = [:]
  private var marks: [Int: Set<ChangeHash>] = [:]

  private static let done = JSON.words("done")

  mutating func outcome(_ instruction: JSON) -> JSON {
    do {
      let words = try instruction.array()
      guard let name = try words.first?.string() else {
        throw JSON.Unexpected(description: "an empty instruction")
      }
      return try run(name, Array(words.dropFirst()))
    } catch {
      return .words("failed", "\(error)")
    }
  }

  private mutating func run(_ name: String, _ given: [JSON]) throws -> JSON {
    func argument(_ index: Int) throws -> JSON {
      guard given.indices.contains(index) else {
        throw JSON.Unexpected(description: "\(name) lacks an argument")
      }
      return given[index]
    }
    let number = try argument(0).number()
    switch name {
    case "create": try keep(Document(), number, argument(1))
    case "base": try base(number, argument(1))
    case "fork": try keep(committed(argument(1).number()).fork(), number, argument(2))
    case "edit": return try edit(document(number), argument(1), given.count > 2 ? given[2] : nil)
    case "commit": _ = try committed(number)
    case "merge":
      // A copy, since both may be one document.
      try committed(number).merge(other: committed(argument(1).number()).fork())
    case "send":
      let document = try committed(argument(1).number())
      let saves = try argument(3).string() == "document"
      messages[number] = saves ? .saved(document.save()) : .replica(document.fork())
      return .array([.string("sent"), .number(1)])
    case "deliver": try deliver(number, to: committed(argument(1).number()))
    case "save":
      let saved = try committed(number).save()
      slots[try argument(1).number()] = saved
      return .words("saved", saved.hexadecimal)
    case "load":
      guard let saved = slots[try argument(1).number()] else {
        throw JSON.Unexpected(description: "nothing was saved there")
      }
      try keep(Document(saved), number, argument(2))
    case "observe", "remember":
      let document = try committed(number)
      let heads = document.heads()
      if name == "remember" { marks[try argument(1).number()] = heads }
      let names = heads.map(\.debugDescription).sorted()
      let isHash = names.allSatisfy { name in
        name.utf8.count == 64
          && name.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
      }
      let scheme = isHash ? "automerge" : "automerge-swift"
      return .array([
        .string("observed"),
        .object([
          "root": try Showing(document: document, heads: nil).root(),
          "heads": .array(([scheme] + names).map { .string($0) }),
        ]),
      ])
    case "recall":
      guard let heads = marks[try argument(1).number()] else {
        throw JSON.Unexpected(description: "nothing was remembered there")
      }
      let root = try Showing(document: document(number), heads: heads).root()
      return .array([.string("observed"), .object(["root": root])])
    default: throw JSON.Unexpected(description: "there is no instruction \(name)")
    }
    return Self.done
  }

  // MARK: - Documents

  private func document(_ number: Int) throws -> Document {
    guard let document = documents[number] else {
      throw JSON.Unexpected(description: "there is no document \(number)")
    }
    return document
  }

  /// The document, with its open transaction closed at a time that is the same in every run.
  private func committed(_ number: Int) throws -> Document {
    let document = try document(number)
    document.commitWith(message: nil, timestamp: Date(timeIntervalSince1970: 0))
    return document
  }

  private mutating func keep(_ document: Document, _ number: Int, _ actor: JSON) throws {
    guard let id = ActorId(data: try Data(hexadecimal: actor.string())) else {
      throw JSON.Unexpected(description: "no actor")
    }
    document.actor = id
    documents[number] = document
  }

  private mutating func base(_ number: Int, _ base: JSON) throws {
    let saved = try base["saved"].map { try Data(hexadecimal: $0.string()) }
    let document = try saved.map { try Document($0) } ?? Document()
    try keep(document, number, base["actor"] ?? .null)
    guard saved == nil else { return }
    for step in try base["edits"]?.array() ?? [] {
      let words = try step.array()
      guard let edit = words.first else { continue }
      let outcome = try self.edit(document, edit, words.count > 1 ? words[1] : nil)
      guard case .array(let parts) = outcome, parts.first == .string("edited") else {
        throw JSON.Unexpected(description: "an edit of the base is refused: \(outcome)")
      }
    }
    _ = try committed(number)
  }

  private func deliver(_ message: Int, to document: Document) throws {
    switch messages[message] {
    case .replica(let replica): try document.merge(other: replica)
    case .saved(let bytes): try document.applyEncodedChanges(encoded: bytes)
    case nil: throw JSON.Unexpected(description: "there is no message \(message)")
    }
  }

  // MARK: - Edits

  private mutating func edit(_ document: Document, _ edit: JSON, _ makes: JSON?) throws -> JSON {
    let words = try edit.array()
    guard words.count > 2, let object = objects[try words[1].number()] else {
      throw JSON.Unexpected(description: "an edit of an object that was never made")
    }
    let made: ObjId?
    do {
      made = try apply(
        words[0].string(),
        to: document,
        object: object,
        slot: words[2],
        arguments: Array(words.dropFirst(3))
      )
    } catch let unexpected as JSON.Unexpected {
      throw unexpected
    } catch {
      return .words("refused", "\(error)")
    }
    guard let made else { return .words("edited") }
    if let makes { objects[try makes.number()] = made }
    return .array([.string("edited"), Showing.name(made).map { .string($0) } ?? .null])
  }

  private func apply(
    _ name: String,
    to document: Document,
    object: ObjId,
    slot: JSON,
    arguments rest: [JSON]
  ) throws -> ObjId? {
    func argument(_ index: Int) throws -> JSON {
      guard rest.indices.contains(index) else {
        throw JSON.Unexpected(description: "\(name) lacks an argument")
      }
      return rest[index]
    }
    func amount() throws -> Int64 {
      guard let amount = Int64(try argument(0).string()) else {
        throw JSON.Unexpected(description: "no amount")
      }
      return amount
    }
    if case .string(let key) = slot {
      switch name {
      case "put": try document.put(obj: object, key: key, value: ScalarValue(argument(0)))
      case "putObject":
        return try document.putObject(obj: object, key: key, ty: ObjType(argument(0)))
      case "delete": try document.delete(obj: object, key: key)
      case "increment": try document.increment(obj: object, key: key, by: amount())
      default: throw JSON.Unexpected(description: "there is no edit \(name) of a key")
      }
      return nil
    }
    let index = UInt64(clamping: try slot.number())
    switch name {
    case "put": try document.put(obj: object, index: index, value: ScalarValue(argument(0)))
    case "putObject":
      return try document.putObject(obj: object, index: index, ty: ObjType(argument(0)))
    case "insert": try document.insert(obj: object, index: index, value: ScalarValue(argument(0)))
    case "insertObject":
      return try document.insertObject(obj: object, index: index, ty: ObjType(argument(0)))
    case "delete": try document.delete(obj: object, index: index)
    case "increment": try document.increment(obj: object, index: index, by: amount())
    case "splice":
      try document.splice(
        obj: object,
        start: index,
        delete: Int64(argument(0).number()),
        values: argument(1).array().map { try ScalarValue($0) }
      )
    case "spliceText":
      try document.spliceText(
        obj: object,
        start: index,
        delete: Int64(argument(0).number()),
        value: argument(1).string()
      )
    default: throw JSON.Unexpected(description: "there is no edit \(name) of an index")
    }
    return nil
  }
}
