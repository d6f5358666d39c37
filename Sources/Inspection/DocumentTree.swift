package import MergeEngine

/// A document as a tree for the eye: a line a value, with kinds and conflicts.
///
///     document: 3 changes, 1 head
///     name: text "Ann"
///     list: list of 2
///       [0]: int 1
///       [1]: string "b"
///         over string "a" (2@0a)
package struct DocumentTree {
  private let document: MergeDocument
  /// Characters of one string that are shown.
  private let characterLimit: Int
  private var lines: [String] = []

  /// The lines of the tree.
  package static func lines(
    of document: MergeDocument,
    characterLimit: Int = 80
  ) throws(InspectionError) -> [String] {
    var tree = DocumentTree(document: document, characterLimit: characterLimit)
    let heads = document.heads
    let changes = counted(document.changeCount, "change")
    tree.lines.append("document: \(changes), \(counted(heads.count, "head"))")
    try tree.addContent(of: .root, .map, indent: 0)
    return tree.lines
  }

  private init(document: MergeDocument, characterLimit: Int) {
    self.document = document
    self.characterLimit = characterLimit
  }

  private mutating func addContent(
    of id: ObjectID,
    _ kind: ObjectKind,
    indent: Int
  ) throws(InspectionError) {
    guard indent < DocumentExport.depthLimit else {
      throw .tooDeep(limit: DocumentExport.depthLimit)
    }
    let document = document
    switch kind {
    case .map, .table:
      for key in try DocumentExport.asking({ () throws(EditError) in try document.keys(id) }) {
        try add(SafeText.key(key), id, .key(key), indent: indent)
      }
    case .list:
      let count = try DocumentExport.asking { () throws(EditError) in try document.length(id) }
      for index in 0..<count { try add("[\(index)]", id, .index(index), indent: indent) }
    case .text: break
    }
  }

  private mutating func add(
    _ label: String,
    _ object: ObjectID,
    _ prop: Prop,
    indent: Int
  ) throws(InspectionError) {
    let document = document
    let entries = try DocumentExport.asking { () throws(EditError) in
      try document.getAll(object, prop)
    }
    guard let winner = entries.last else { return }
    let margin = String(repeating: "  ", count: indent)
    lines.append("\(margin)\(label): \(try summary(of: winner.value))")
    if case .object(let id, let kind) = winner.value {
      try addContent(of: id, kind, indent: indent + 1)
    }
    for loser in entries.dropLast().reversed() {
      lines.append("\(margin)  over \(try summary(of: loser.value)) (\(loser.id))")
    }
  }

  private func summary(of value: Value) throws(InspectionError) -> String {
    let kind = DocumentExport.kindName(value)
    let document = document
    switch value {
    case .object(let id, .text):
      let text = try DocumentExport.asking { () throws(EditError) in try document.text(id) }
      return "\(kind) \(SafeText.quoted(text, limit: characterLimit))"
    case .object(let id, _):
      let count = try DocumentExport.asking { () throws(EditError) in try document.length(id) }
      return "\(kind) of \(count)"
    case .scalar(let scalar):
      switch scalar {
      case .null: return kind
      case .bool(let value): return "\(kind) \(value)"
      case .uint(let value): return "\(kind) \(value)"
      case .int(let value), .counter(let value): return "\(kind) \(value)"
      case .double(let value): return "\(kind) \(value)"
      case .string(let value): return "\(kind) \(SafeText.quoted(value, limit: characterLimit))"
      case .timestamp(let value): return "\(kind) \(InstantText.milliseconds(value))"
      case .bytes(let bytes): return "\(kind) \(shown(bytes))"
      case .unknown(let code, let bytes): return "\(kind) \(code) \(shown(bytes))"
      }
    }
  }

  private func shown(_ bytes: [UInt8]) -> String {
    let limit = max(characterLimit / 2, 1)
    let hex = ActorID(Array(bytes.prefix(limit))).description
    let rest = bytes.count > limit ? "... and \(bytes.count - limit) more" : ""
    return "[\(hex)]\(rest)"
  }
}

/// `1 change`, `2 changes`.
func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}
