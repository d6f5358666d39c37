import CodingSupport
import ModelGeneration
import PropertyEngine

// How documents drift. What another version of an app, or a peer in another language, did stands as data among the
// trees of a sample: so it is shrunk and stored with its sample. It is carried out through the document's core.

/// What another version did at one place of a document.
struct Drift {
  /// The raw values stand in stored samples; to rename one makes their drifts nothing.
  enum Kind: String {
    /// Another value at a key or over an element, or a new key.
    case put
    /// One more element of a list: a stranger, or one of its own a second time.
    case insert
    /// A key or element taken away.
    case remove
    /// A value under another key: the old one with a "2" behind it.
    case rename
  }

  let kind: Kind
  let path: [PathKey]
  /// To remove or rename reads no value.
  let value: Tree

  init(_ kind: Kind, _ path: [PathKey], _ value: Tree = .null) {
    self.kind = kind
    self.path = path
    self.value = value
  }

  /// The drift that a tree of a sample is; `nil` for any other tree.
  init?(_ tree: Tree) {
    guard case .list(let parts) = tree, parts.count == 3, case .string(let name) = parts[0],
      let kind = Kind(rawValue: name), let path = parts[1].path
    else { return nil }
    self.init(kind, path, parts[2])
  }

  /// The drift as a tree of a sample, as text `["put", ["items", int 0], "x"]`.
  var tree: Tree { .list([.string(kind.rawValue), Tree(path: path), value]) }

  /// Carries it out on a document, through its core.
  ///
  /// A drift that no longer fits, since an earlier one took its place away, does nothing.
  func apply(to document: any CodingDocument) throws {
    guard let last = path.last else { return }
    let tree = try document.tree()
    let parent = Array(path.dropLast())
    let old = tree[path]
    switch (tree[parent], last, kind) {
    case (.map?, .key, .put): try document.put(value, at: path)
    case (.list?, .index, .put) where old != nil: try document.put(value, at: path)
    case (.list(let elements)?, .index(let index), .insert) where index <= elements.count:
      try document.insert(value, at: path)
    case (_, _, .remove) where old != nil: try document.delete(at: path)
    case (.map?, .key(let key), .rename):
      guard let old else { return }
      try document.delete(at: path)
      try document.put(old, at: parent + [.key("\(key)2")])
    default: break
    }
  }
}

extension CodingSample {
  /// Values of every kind that a document has.
  ///
  /// Ordered from plain to strange: shrinking moves toward the first.
  ///
  /// Each kind that a document has stands at least once. Where two of a kind stand, they differ in
  /// what a narrow type makes of them: `int 300` is no `Int8` and `int -3` no unsigned number,
  /// `"open"` is a case of the zoo's enumerations.
  static let strangers: [Tree] = [
    .null, .boolean(true), .int(1), .int(300), .int(-3), .int(.max), .uint(1), .uint(.max),
    .float(1), .float(0.5), .string("x"), .string("open"), .bytes([1]), .timestamp(1_500),
    .counter(4), .text("t"), .list([]), .list([.int(1)]), .map([]),
    .map([Tree.Entry("x", .int(1))]), .unknown(12, [1]),
  ]

  /// Adds a drift or two of the first value.
  ///
  /// Each in a span of its own, so that the shrinker can take one away.
  mutating func drift(_ choices: inout Choices) {
    let tree = values.first ?? .map([])
    let count = 1 + choices.number(in: 0...1)
    for _ in 0..<count {
      choices.span("drift") { choices in
        trees.append(Self.drift(of: tree, &choices).tree)
      }
    }
  }

  /// Half of the puts are twins, which are the hardest to tell apart.
  ///
  /// Half of the kinds are puts. A put goes half of the time to a twin of what stands there, if
  /// there is one, and else one time in five to a new key beside it.
  private static func drift(of tree: Tree, _ choices: inout Choices) -> Drift {
    let below = Array(tree.paths.dropFirst())
    let kind = choices.element(of: [Drift.Kind.put, .remove, .rename, .put, .insert, .put])
    let stranger = choices.element(of: strangers)
    guard !below.isEmpty else { return Drift(.put, [.key("added")], stranger) }
    let path = choices.element(of: below)
    if kind == .put, choices.flag(percent: 50), let twin = tree[path]?.twin(&choices) {
      return Drift(.put, path, twin)
    }
    switch kind {
    case .put where choices.flag(percent: 20):
      return Drift(.put, Array(path.dropLast()) + [.key("added")], stranger)
    case .insert:
      let lists = [[]] + below.filter { tree[$0]?.kind == .list }
      let list = choices.element(of: lists)
      guard !list.isEmpty else { return Drift(.put, path, stranger) }
      let steps = tree[list]?.steps ?? []
      let index = choices.number(in: 0...steps.count)
      let again = steps.isEmpty || choices.flag() ? nil : tree[list + [choices.element(of: steps)]]
      return Drift(.insert, list + [.index(index)], again?.withTimestamps ?? stranger)
    default: return Drift(kind, path, stranger)
    }
  }

  /// Carries out all drifts on a document, through its core; what does not fit is left out.
  ///
  /// Drifts act in order, each on what those before it left. Trees that are no drifts are passed
  /// over.
  ///
  /// Worked example: four drifts of `{"items": ["x", "y"]}`.
  ///
  ///     ["insert", ["items", int 1], int 3]      {"items": ["x", 3, "y"]}
  ///     ["remove", ["items", int 0], null]       {"items": [3, "y"]}
  ///     ["rename", ["items"], null]              {"items2": [3, "y"]}
  ///     ["put", ["items", int 0], true]          nothing: `items` is gone
  ///
  /// By a peer they are changes that the document merges.
  func apply(to document: any CodingDocument, byPeer isPeers: Bool = false) throws {
    let target = isPeers ? try document.fork(actor: 2) : document
    try Self.apply(trees[...], to: target)
    if isPeers { try document.merge(target) }
  }

  /// Carries out some drifts on a document.
  static func apply(_ drifts: ArraySlice<Tree>, to document: any CodingDocument) throws {
    for tree in drifts { try Drift(tree)?.apply(to: document) }
  }
}

extension Tree {
  /// The same with dates as a document with default settings holds them: timestamps of whole seconds.
  var withTimestamps: Tree {
    mapNodes { node in
      guard case .date(let seconds) = node else { return node }
      return .timestamp(Int64(exactly: DateFidelity.seconds.milliseconds(seconds)) ?? 0)
    }
  }

  /// A scalar of another kind with the same bits, or the same to look at; `nil` if there is none.
  ///
  /// Worked example: `int 5` has the twins `uint 5`, `float 5.0`, `counter 5`, `timestamp 5`,
  /// `string "5"`, and the float with the bits of 5. A decoder that switches on bits or on a
  /// printed form takes one for the other. The first is the likeliest: it is meant half of the
  /// time, and one of all in the other half.
  func twin(_ choices: inout Choices) -> Tree? {
    let twins: [Tree] =
      switch self {
      case .int(let value):
        [
          .uint(UInt64(bitPattern: value)), .float(Double(value)), .counter(value),
          .timestamp(value), .string("\(value)"),
          .float(Double(bitPattern: UInt64(bitPattern: value))),
        ].filter(\.isStorable)
      case .uint(let value):
        [.int(Int64(bitPattern: value)), .float(Double(value)), .string("\(value)")]
      case .float(let value):
        [.int(Int64(bitPattern: value.bitPattern)), .string("\(value)")]
          + (Int64(exactly: value.rounded(.towardZero)).map { [.int($0)] } ?? [])
      case .boolean(let value): [.int(value ? 1 : 0), .string("\(value)")]
      case .string(let value): [.text(value), .bytes(Array(value.utf8))]
      case .text(let value): [.string(value)]
      case .bytes(let value): [.string(String(decoding: value, as: UTF8.self))]
      case .counter(let value): [.int(value)]
      case .null, .date, .timestamp, .unknown, .list, .map: []
      }
    guard let first = twins.first else { return nil }
    return choices.flag() ? choices.element(of: twins) : first
  }

  /// The bits of an integer may be those of a NaN, which coders of documents refuse to write.
  private var isStorable: Bool {
    if case .float(let value) = self { value.isFinite } else { true }
  }
}
