package import MergeEngine
import Texts

/// A document as a tree for the eye: a line a value, with kinds and conflicts.
///
///     document: 3 changes, 1 head
///     name: text "Ann"
///       cursor 4@0a at 2
///       0..<3 bold: boolean true
///     list: list of 2
///       [0]: int 1
///       [1]: string "b"
///         over string "a" (2@0a)
package struct DocumentTree {
  private let document: MergeDocument
  /// Characters of one string that are shown.
  private let characterLimit: Int
  private var lines: [String] = []
  private var cursors: CursorPlaces

  /// The lines of the tree, or of what lies at a path: as ``DocumentDifference`` writes places,
  /// `list[2].title`, or with keys and positions between slashes, `list/2/title`.
  ///
  /// A text that can be read in both ways is read in the second where the first leads to nothing.
  package static func lines(
    of document: MergeDocument,
    path: String = "",
    cursors: CursorPlaces = CursorPlaces(),
    characterLimit: Int = 80
  ) throws(InspectionError) -> [String] {
    var tree = DocumentTree(document: document, characterLimit: characterLimit, cursors: cursors)
    let words = path.split(separator: "/").map { Step.word(String($0)) }
    if words.isEmpty {
      try tree.addAll()
    } else {
      var isThere = false
      let readings = [DocumentPath(path)?.props.map(Step.prop), words].compactMap(\.self)
      for steps in readings where !isThere { isThere = try tree.addPlace(at: steps) }
      guard isThere else { throw .nothing(at: path) }
    }
    try tree.cursors.checkAllFound()
    return tree.lines
  }

  private init(document: MergeDocument, characterLimit: Int, cursors: CursorPlaces) {
    self.document = document
    self.characterLimit = characterLimit
    self.cursors = cursors
  }

  private mutating func addAll() throws(InspectionError) {
    let heads = document.heads
    let changes = counted(document.changeCount, "change")
    lines.append("document: \(changes), \(counted(heads.count, "head"))")
    lines += WaitingChanges.lines(of: document)
    try addContent(of: .root, .map, indent: 0)
  }

  /// One step of a path.
  private enum Step {
    case prop(Prop)
    /// A key or a position, as the object says that it is in.
    case word(String)
  }

  /// What a step of a path names in an object; `nil` for what such an object never has.
  private func meaning(
    of step: Step,
    in object: (id: ObjectID, kind: ObjectKind)
  ) throws(InspectionError) -> Prop? {
    switch object.kind {
    case .map, .table:
      switch step {
      case .prop(.key(let key)), .word(let key): return .key(key)
      case .prop(.index): return nil
      }
    case .list:
      let position: Int? =
        switch step {
        case .prop(.index(let index)): index
        case .prop(.key): nil
        case .word(let word): Int(word)
        }
      let document = document
      let count = try DocumentExport.asking { () throws(EditError) in
        try document.length(object.id)
      }
      guard let position, (0..<count).contains(position) else { return nil }
      return .index(position)
    case .text: return nil
    }
  }

  /// Adds what lies at a path, with its conflicts.
  ///
  /// - Returns: Whether anything lies there.
  private mutating func addPlace(at path: [Step]) throws(InspectionError) -> Bool {
    let document = document
    var object = (id: ObjectID.root, kind: ObjectKind.map)
    for (depth, step) in path.enumerated() {
      guard let prop = try meaning(of: step, in: object) else { return false }
      let id = object.id
      let entries = try DocumentExport.asking { () throws(EditError) in
        try document.getAll(id, prop)
      }
      guard let winner = entries.last else { return false }
      if depth == path.count - 1 {
        try add(DocumentPath([prop]).description, id, prop, indent: 0)
      } else if case .object(let inner, let kind) = winner.value {
        object = (inner, kind)
      } else {
        return false
      }
    }
    return true
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
    let margin = String(repeating: "  ", count: indent)
    for (cursor, position) in cursors.places(in: id, of: document) {
      lines.append("\(margin)cursor \(cursor) at \(position)")
    }
    switch kind {
    case .map, .table:
      for key in try DocumentExport.asking({ () throws(EditError) in try document.keys(id) }) {
        try add(SafeText.key(key), id, .key(key), indent: indent)
      }
    case .list:
      let count = try DocumentExport.asking { () throws(EditError) in try document.length(id) }
      for index in 0..<count { try add("[\(index)]", id, .index(index), indent: indent) }
    case .text:
      let marks = try DocumentExport.asking { () throws(EditError) in try document.marks(id) }
      for mark in marks {
        let range = "\(mark.range.lowerBound)..<\(mark.range.upperBound)"
        let value = Self.scalarText(.scalar(mark.value), limit: characterLimit)
        lines.append("\(margin)\(range) \(SafeText.key(mark.name)): \(value)")
      }
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
    case .scalar: return Self.scalarText(value, limit: characterLimit)
    }
  }

  /// A scalar with its kind; of an object the kind alone.
  static func scalarText(_ value: Value, limit: Int) -> String {
    let kind = DocumentExport.kindName(value)
    guard case .scalar(let scalar) = value else { return "new \(kind)" }
    return switch scalar {
    case .null: kind
    case .bool(let value): "\(kind) \(value)"
    case .uint(let value): "\(kind) \(value)"
    case .int(let value), .counter(let value): "\(kind) \(value)"
    case .double(let value): "\(kind) \(value)"
    case .string(let value): "\(kind) \(SafeText.quoted(value, limit: limit))"
    case .timestamp(let value): "\(kind) \(InstantText.milliseconds(value))"
    case .bytes(let bytes): "\(kind) \(shown(bytes, limit: limit))"
    case .unknown(let code, let bytes): "\(kind) \(code) \(shown(bytes, limit: limit))"
    }
  }

  private static func shown(_ bytes: [UInt8], limit: Int) -> String {
    let limit = max(limit / 2, 1)
    let hex = ActorID(Array(bytes.prefix(limit))).description
    let rest = bytes.count > limit ? "... and \(bytes.count - limit) more" : ""
    return "[\(hex)]\(rest)"
  }
}
