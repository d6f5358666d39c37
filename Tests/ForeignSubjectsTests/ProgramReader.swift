import DocumentModel
import Histories
import Texts

@testable import ForeignSubjects

/// Reads programs as an adapter does: the inverse of what the harness writes.
struct ProgramReader {
  struct Misread: Error {
    let what: JSONValue
  }

  static func program(_ json: JSONValue) throws -> Program {
    guard let instructions = json.array else { throw Misread(what: json) }
    return Program(try instructions.map(instruction))
  }

  private static func instruction(_ json: JSONValue) throws -> Instruction {
    guard let parts = json.array else { throw Misread(what: json) }
    let numbers = parts.dropFirst().map(\.integer)
    let texts = parts.dropFirst().map(\.string)
    func actor(_ index: Int) throws -> ActorID {
      guard let text = texts[index], let actor = ActorID(hex: text) else {
        throw Misread(what: json)
      }
      return actor
    }
    switch (parts[0].string, numbers.count, numbers.first ?? nil, numbers.dropFirst().first ?? nil)
    {
    case ("create", 2, let document?, _):
      return .create(document: document, try actor(1))
    case ("base", 2, let document?, _):
      return .base(document: document, try base(parts[2]))
    case ("fork", 3, let document?, let from?):
      return .fork(document: document, from: from, try actor(2))
    case ("edit", 2, let document?, _):
      return .edit(document: document, try edit(parts[2]), makes: nil)
    case ("edit", 3, let document?, _):
      guard let made = numbers[2] else { throw Misread(what: json) }
      return .edit(document: document, try edit(parts[2]), makes: ObjectName(made))
    case ("commit", 1, let document?, _):
      return .commit(document: document)
    case ("merge", 2, let document?, let from?):
      return .merge(document: document, from: from)
    case ("send", 5, let message?, let from?):
      guard let to = numbers[2], let transport = texts[3].flatMap(Transport.init(rawValue:)),
        let scope = texts[4].flatMap(Instruction.Scope.init(rawValue:))
      else { throw Misread(what: json) }
      return .send(message: message, from: from, to: to, transport, scope)
    case ("deliver", 2, let message?, let document?):
      return .deliver(message: message, document: document, part: nil)
    case ("deliver", 3, let message?, let document?):
      guard let part = numbers[2] else { throw Misread(what: json) }
      return .deliver(message: message, document: document, part: part)
    case ("deliverReversed", 2, let message?, let document?):
      return .deliverReversed(message: message, document: document)
    case ("save", 2, let document?, let slot?):
      return .save(document: document, slot: slot)
    case ("load", 3, let document?, let slot?):
      return .load(document: document, slot: slot, try actor(2))
    case ("observe", 1, let document?, _):
      return .observe(document: document)
    case ("remember", 2, let document?, let mark?):
      return .remember(document: document, mark: mark)
    case ("recall", 2, let document?, let mark?):
      return .recall(document: document, mark: mark)
    case ("sync", 3, let document?, let other?):
      guard
        let fates = parts[3].array?.compactMap({ $0.string.flatMap(SyncFate.init(rawValue:)) })
      else { throw Misread(what: json) }
      return .sync(document: document, with: other, fates)
    case ("cursor", 5, let document?, let cursor?):
      guard let object = numbers[2], let index = numbers[3],
        let move = texts[4].flatMap(CursorMove.init(rawValue:))
      else { throw Misread(what: json) }
      return .call(document: document, .cursor(cursor, ObjectName(object), index: index, move))
    case ("position", 2, let document?, let cursor?):
      return .call(document: document, .position(cursor))
    case ("cursorAt", 4, let document?, let cursor?):
      guard let index = numbers[2], let mark = numbers[3] else { throw Misread(what: json) }
      return .call(document: document, .cursorAt(cursor, index: index, mark: mark))
    case ("positionAt", 3, let document?, let cursor?):
      guard let mark = numbers[2] else { throw Misread(what: json) }
      return .call(document: document, .positionAt(cursor, mark: mark))
    case ("difference", 3, let document?, let from?):
      guard let to = numbers[2] else { throw Misread(what: json) }
      return .call(document: document, .difference(from: from, to: to))
    default:
      throw Misread(what: json)
    }
  }

  /// The base of that name, if the rest says what is known of it.
  private static func base(_ json: JSONValue) throws -> Base {
    guard let base = json["name"]?.string.flatMap(Base.init(rawValue:)),
      json["actor"]?.string == base.actor.description,
      json["saved"]?.string == base.savedBytes.map({ hexString($0) }),
      let edits = json["edits"]?.array?.compactMap(\.array)
    else { throw Misread(what: json) }
    var made = 0
    for (parts, due) in zip(edits, base.edits) {
      if due.madeKind != nil { made += 1 }
      guard let first = parts.first, try edit(first) == due,
        parts.dropFirst().map(\.integer) == (due.madeKind == nil ? [] : [made])
      else { throw Misread(what: json) }
    }
    guard edits.count == base.edits.count else { throw Misread(what: json) }
    return base
  }

  private static func edit(_ json: JSONValue) throws -> Edit<ObjectName> {
    guard let parts = json.array, parts.count >= 3, let number = parts[1].integer else {
      throw Misread(what: json)
    }
    let object = ObjectName(number)
    let rest = Array(parts.dropFirst(3))
    switch (parts[0].string, rest.count, parts[2].integer) {
    case ("put", 1, _):
      return .put(object, try slot(parts[2]), try scalar(rest[0]))
    case ("putObject", 1, _):
      return .putObject(object, try slot(parts[2]), try kind(rest[0]))
    case ("insert", 1, let index?):
      return .insert(object, index: index, try scalar(rest[0]))
    case ("insertObject", 1, let index?):
      return .insertObject(object, index: index, try kind(rest[0]))
    case ("delete", 0, _):
      return .delete(object, try slot(parts[2]))
    case ("increment", 1, _):
      guard let amount = rest[0].string.flatMap({ Int64($0) }) else { throw Misread(what: json) }
      return .increment(object, try slot(parts[2]), by: amount)
    case ("splice", 2, let index?):
      guard let deleting = rest[0].integer, let values = rest[1].array else {
        throw Misread(what: json)
      }
      let inserting = try values.map(scalar)
      return .splice(object, index: index, deleting: deleting, inserting: inserting)
    case ("spliceText", 2, let index?):
      guard let deleting = rest[0].integer, let text = rest[1].string else {
        throw Misread(what: json)
      }
      let inserting = ExactString(text)
      return .spliceText(object, index: index, deleting: deleting, inserting: inserting)
    case ("mark", 4, let start?):
      guard let end = rest[0].integer, let name = rest[1].string,
        let expand = rest[3].string.flatMap(MarkExpansion.init(rawValue:))
      else { throw Misread(what: json) }
      let value = try scalar(rest[2])
      return .mark(object, Marking(start, to: end, ExactString(name), value, expand: expand))
    default:
      throw Misread(what: json)
    }
  }

  private static func slot(_ json: JSONValue) throws -> Slot {
    if let text = json.string { return .key(ExactString(text)) }
    guard let index = json.integer else { throw Misread(what: json) }
    return .index(index)
  }

  private static func kind(_ json: JSONValue) throws -> ObjectKind {
    guard let kind = json.string.flatMap(ObjectKind.init(rawValue:)) else {
      throw Misread(what: json)
    }
    return kind
  }

  private static func scalar(_ json: JSONValue) throws -> Scalar {
    let words = json.array?.compactMap(\.string) ?? []
    let text = words.last ?? ""
    let result: Scalar? =
      switch (words.first, words.count) {
      case ("null", 1): .null
      case ("boolean", 2): Bool(text).map { .boolean($0) }
      case ("int", 2): Int64(text).map { .int($0) }
      case ("uint", 2): UInt64(text).map { .uint($0) }
      case ("counter", 2): Int64(text).map { .counter($0) }
      case ("timestamp", 2): Int64(text).map { .timestamp($0) }
      case ("float", 2): UInt64(text, radix: 16).map { .float(Double(bitPattern: $0)) }
      case ("string", 2): .string(ExactString(text))
      case ("bytes", 2): hexBytes(text).map { .bytes($0) }
      case ("unknown", 3):
        UInt8(words[1]).flatMap { code in hexBytes(text).map { .unknown(typeCode: code, bytes: $0) }
        }
      default: nil
      }
    guard let result else { throw Misread(what: json) }
    return result
  }
}

extension Program {
  /// A program of these instructions.
  init(_ instructions: [Instruction]) {
    self.init()
    self.instructions = instructions
  }
}
