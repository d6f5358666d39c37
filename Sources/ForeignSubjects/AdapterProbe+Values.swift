import DocumentModel
import Histories
import Texts

// Checks of what edits do and values look like.

extension AdapterProbe {
  /// The map that the root of document 0 shows at the end of a program.
  private func root(
    after instructions: [Instruction],
    in conversation: AdapterConversation
  ) throws -> [ObservedObject.Entry] {
    let list = [.create(document: 0, Self.actor)] + instructions + [.observe(document: 0)]
    let outcomes = try conversation.run(list)
    for (instruction, outcome) in zip(list, outcomes) {
      guard case .edit(_, let edit, _) = instruction, outcome.name != "edited" else { continue }
      throw AdapterFlaw("\(edit.kind) gave \(outcome.nameAndWords) instead of edited")
    }
    guard case .observed(let state)? = outcomes.last,
      case .map(let entries) = state.root.content
    else { throw AdapterFlaw("observe showed no map as the root") }
    return entries
  }

  private func edit(_ edit: Edit<ObjectName>, makes name: Int? = nil) -> Instruction {
    .edit(document: 0, edit, makes: name.map { ObjectName($0) })
  }

  // MARK: - Edits

  func checkEdits() throws {
    let value = [Scalar.int(1), .string("x"), .boolean(true), .null].first {
      able.scalars.contains($0.kind)
    }
    let conversation = try conversation()
    try checkMap(value, conversation)
    if able.edits.contains(.putObject), able.objects.contains(.list) {
      try checkList(value, conversation)
    }
    if able.edits.isSuperset(of: [.putObject, .spliceText]), able.objects.contains(.text) {
      try checkText(conversation)
    }
    if able.edits.isSuperset(of: [.put, .increment]), able.scalars.contains(.counter) {
      let edits = [
        edit(.put(.root, .key("n"), .counter(5))), edit(.increment(.root, .key("n"), by: 3)),
        edit(.increment(.root, .key("n"), by: -1)),
      ]
      let entries = try root(after: edits, in: conversation)
      try expect(entries, "n", shows: .counter(7), after: "increments by 3 and -1 of 5")
    }
  }

  private func checkMap(_ value: Scalar?, _ conversation: AdapterConversation) throws {
    if able.edits.contains(.put), let value {
      var edits = [edit(.put(.root, .key("b"), value)), edit(.put(.root, .key("a"), value))]
      try expectKeys(["a", "b"], try root(after: edits, in: conversation), after: "puts")
      guard able.edits.contains(.delete) else { return }
      edits.append(edit(.delete(.root, .key("b"))))
      try expectKeys(["a"], try root(after: edits, in: conversation), after: "a delete")
    }
    if able.edits.contains(.putObject) {
      for kind in ObjectKind.allCases where able.objects.contains(kind) {
        let made = edit(.putObject(.root, .key("o"), kind), makes: 1)
        let entries = try root(after: [made], in: conversation)
        guard case .object(let object)? = entries.first?.register.values.last?.content,
          object.kind == kind
        else { throw AdapterFlaw("putObject of a \(kind) is not shown as one") }
      }
    }
  }

  private func checkList(_ value: Scalar?, _ conversation: AdapterConversation) throws {
    let list = ObjectName(1)
    var edits = [edit(.putObject(.root, .key("l"), .list), makes: 1)]
    var count = 0
    if able.edits.contains(.insert), let value {
      edits += [edit(.insert(list, index: 0, value)), edit(.insert(list, index: 1, value))]
      count += 2
    }
    if able.edits.contains(.splice), let value {
      let values = [value, value, value]
      edits.append(edit(.splice(list, index: count, deleting: 0, inserting: values)))
      edits.append(edit(.splice(list, index: 1, deleting: 1, inserting: [])))
      count += 2
    }
    if able.edits.contains(.insertObject), let kind = able.objects.sorted(by: <).first {
      edits.append(edit(.insertObject(list, index: 0, kind), makes: 2))
      count += 1
    }
    if able.edits.contains(.put), let value, count > 0 {
      edits.append(edit(.put(list, .index(0), value)))
    }
    if able.edits.contains(.delete), count > 0 {
      edits.append(edit(.delete(list, .index(0))))
      count -= 1
    }
    let entries = try root(after: edits, in: conversation)
    guard case .object(let object)? = entries.first?.register.values.last?.content,
      case .list(let elements) = object.content, elements.count == count
    else {
      throw AdapterFlaw("after \(edits.count - 1) edits a list does not show \(count) elements")
    }
    if let value {
      for element in elements where element.values.last?.content != .scalar(value) {
        throw AdapterFlaw("an element of a list does not show \(value)")
      }
    }
  }

  private func checkText(_ conversation: AdapterConversation) throws {
    let text = ObjectName(1)
    let edits = [
      edit(.putObject(.root, .key("t"), .text), makes: 1),
      edit(.spliceText(text, index: 0, deleting: 0, inserting: "a\u{1f600}b\u{e9}c")),
      edit(.spliceText(text, index: 2, deleting: 1, inserting: "XY")),
      edit(.spliceText(text, index: 0, deleting: 1, inserting: "")),
    ]
    let entries = try root(after: edits, in: conversation)
    try expectText("\u{1f600}XY\u{e9}c", in: entries)
  }

  // MARK: - Values

  func checkScalars() throws {
    guard able.edits.contains(.put), !able.scalars.isEmpty else {
      throw AdapterSkip(reason: "needs put and a scalar")
    }
    let values: [Scalar] = [
      .null, .boolean(true), .boolean(false), .int(0), .int(-5), .uint(5), .float(1.5),
      // Beyond 2^53, which a float of 64 bits does not hold.
      .int(9_007_199_254_740_993),
      .float(-2.25e-10), .string(""), .string("x"), .bytes([]), .bytes([0, 255]), .counter(-7),
      .timestamp(1_700_000_000_123), .unknown(typeCode: 15, bytes: [0, 255]),
    ]
    let conversation = try conversation()
    for value in values where able.scalars.contains(value.kind) {
      let entries = try root(after: [edit(.put(.root, .key("k"), value))], in: conversation)
      try expect(entries, "k", shows: value, after: "a put of it")
    }
  }

  /// Strings that careless code breaks.
  private static let hostileStrings: [String] = [
    "\u{0}", "a\u{0}b", "\"\\/\u{8}\u{c}\n\r\t", "\u{1b}[31m", "\u{7f}\u{80}", "\u{2028}\u{2029}",
    "\u{e9}", "e\u{301}", "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}", "\u{10ffff}\u{ffff}",
    "\u{feff}x", "\u{202e}abc", "{\"n\":1}", "a\u{301}\u{302}\u{303}\u{304}",
  ]

  func checkStrings() throws {
    guard able.edits.contains(.put), able.scalars.contains(.string) else {
      throw AdapterSkip(reason: "needs put and the scalar string")
    }
    let long = String(repeating: "0123456789abcde\u{e9}", count: 10_000)
    let all = Self.hostileStrings + [long]
    let conversation = try conversation()
    let entries = try root(
      after: all.map { edit(.put(.root, .key(ExactString($0)), .string(ExactString($0)))) },
      in: conversation
    )
    guard entries.map(\.key) == all.map({ ExactString($0) }).sorted() else {
      throw AdapterFlaw("\(all.count) keys came back as \(entries.count), or changed")
    }
    for entry in entries {
      try expect(entries, entry.key, shows: .string(entry.key), after: "a put of it")
    }
    guard able.edits.isSuperset(of: [.putObject, .spliceText]), able.objects.contains(.text)
    else { return }
    // Each character of a text may come back as an element of its own: a text is only long.
    for string in Self.hostileStrings + [String(long.prefix(4_000))] {
      let text = ExactString(string)
      let edits = [
        edit(.putObject(.root, .key("t"), .text), makes: 1),
        edit(.spliceText(ObjectName(1), index: 0, deleting: 0, inserting: text)),
      ]
      let entries = try root(after: edits, in: conversation)
      try expectText(string, in: entries)
    }
  }

  // MARK: - Expectations

  private func expectKeys(
    _ keys: [ExactString],
    _ entries: [ObservedObject.Entry],
    after words: String
  ) throws {
    guard entries.map(\.key) != keys else { return }
    let shown = entries.map { quoted($0.key.string) }.joined(separator: " ")
    throw AdapterFlaw("after \(words) a map shows the keys \(shown)")
  }

  private func expect(
    _ entries: [ObservedObject.Entry],
    _ key: ExactString,
    shows value: Scalar,
    after words: String
  ) throws {
    let found = entries.first { $0.key == key }?.register.values.last?.content
    // Of a hidden value only the kind is said.
    guard found != .scalar(value), found != .hidden(value.kind) else { return }
    let shown = found.map { ObservedValue(id: nil, content: $0).brief } ?? "nothing"
    let due = "\(value)".prefix(60)
    throw AdapterFlaw("after \(words), \(due) is shown as \(shown.prefix(60))")
  }

  private func expectText(_ text: String, in entries: [ObservedObject.Entry]) throws {
    guard case .object(let object)? = entries.first?.register.values.last?.content,
      case .text(let shown, let length, _) = object.content
    else { throw AdapterFlaw("a text is not shown as one") }
    let due = quoted(String(text.prefix(40)))
    guard shown == ExactString(text) else {
      throw AdapterFlaw("the text \(due) is shown as \(quoted(String(shown.string.prefix(40))))")
    }
    guard length == text.unicodeScalars.count else {
      throw AdapterFlaw(
        "the text \(due) has \(text.unicodeScalars.count) Unicode scalars, and the length \(length)"
      )
    }
  }
}

extension ObjectKind {
  fileprivate static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
