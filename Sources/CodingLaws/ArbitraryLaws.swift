import CodingSupport
import ModelGeneration
import PropertyEngine

// Documents of any content, near to what a model would have written and far from it: the widest net
// over decoder and encoder. `drawArbitrary` makes the content; `peer.writes` draws by it, too.

extension CodingLaw {
  /// Documents of any content, near to what a model would have written and far from it.
  static let arbitraryLaws: [CodingLaw] = [arbitraryRead, arbitraryWritten]

  /// Catches a decoder that traps, guesses or writes when a document is not what it expects: the
  /// document of a stranger, or of a later version.
  ///
  /// The oracle is `TreeDecoder`, which knows the rules and no document. Misses what both get
  /// wrong, and documents that are far from any value: content is drawn near to one, or nearly all
  /// of it would be refused at the first key.
  package static let arbitraryRead = CodingLaw(
    "arbitrary.read",
    "Any document decodes by the rules.",
    "A document of any content decodes to what the rules give, or is refused where it stands, and "
      + "stays as it is.",
    source: [.requirement(3), .specification(.codable, "Decoding by type")],
    needs: [.documents, .documentRules],
    models: ordered,
    draw: { model, sample, choices in
      try sample.drawArbitrary(model, &choices)
      // Only the content is judged; a value that no check reads would be shrunk for nothing.
      sample.values = []
    },
    check: { trial in
      let document = try trial.documentOfTree()
      return try judge(document, trial)
    }
  )

  /// Catches an encoder that leaves half a value behind, or something of the old content, under
  /// every combination of its options.
  ///
  /// By `.readonly` surplus keys and elements stay: there each place of the value must hold what the
  /// value has, and no place may come or go. Misses what is kept by `.preserve`: which of it should
  /// be there is asked by laws of their own.
  ///
  /// The numbers are the options: strategy, `cautiousWrite`, `unknownKeys`, `dateTruncation`.
  ///
  /// Worked example: `{"items": "x"}` stands where `items` is a list. By default the encode must
  /// throw and leave the string; with `.override` the list must stand there; in no case an empty
  /// list and half of the fields.
  package static let arbitraryWritten = CodingLaw(
    "arbitrary.written",
    "Encoding over any document leaves the value.",
    "A value that is encoded over any document is what the document then holds, or is refused and "
      + "leaves no trace.",
    source: [.requirement(3), .decision(10)],
    needs: [.documents, .strategies, .cautiousWrite, .unknownKeys, .dateTruncation],
    models: ordered,
    draw: { model, sample, choices in
      try sample.drawArbitrary(model, &choices)
      sample.numbers = [
        choices.number(in: 0...2), choices.number(in: 0...1), choices.number(in: 0...1),
        choices.number(in: 0...1),
      ]
    },
    check: { trial in
      let document = try trial.documentOfTree()
      var settings = EncodingSettings()
      let strategies: [EncodingSettings.Strategy] = [.createWhenNeeded, .override, .readonly]
      settings.strategy = strategies[trial.sample.index(0, below: 3)]
      settings.cautiousWrite = trial.sample.index(1, below: 2) == 1
      settings.unknownKeys = [.remove, .preserve][trial.sample.index(2, below: 2)]
      let fidelity: DateFidelity = [.seconds, .milliseconds][trial.sample.index(3, below: 2)]
      settings.dateTruncation = fidelity
      let before = try Untouched(document)
      let places = try document.tree().paths
      let outcome = trial.outcome { try document.encode(try trial.value(), at: [], settings) }
      if case .failure(let error) = outcome { return try before.refused(error, document) }
      // Whatever the options leave, a second encode of the same value finds nothing to write.
      let after = try Untouched(document)
      try document.encode(try trial.value(), at: [], settings)
      if let found = try after.difference(document, after: "encoding the same once more") {
        return found
      }
      if settings.strategy == .readonly {
        if let found = try trial.readonlyChange(of: document, from: places) { return found }
        let stored = try document.tree()
        let value = trial.stored(trial.sample.values[0], fidelity)
        guard stored.withoutSignsOfZero.holds(value.withoutSignsOfZero, fidelity) else {
          return Difference(
            kind: "readonly.unwritten",
            summary: "a readonly encode left places that do not hold what the value has",
            expected: "\(value)",
            actual: "\(stored)"
          ).between("the value that was encoded", "the document")
        }
        return nil
      }
      // Keys that are kept are read by a type that reads any key, or that names a key in some values alone.
      let keepsOthers = settings.unknownKeys == .preserve
      if keepsOthers {
        guard trial.model.traits.contains(.plainStruct) else { return nil }
        let recorded = try TreeRecorder().record(try trial.value())
        let unnamed = trial.unnamedKeyThatIsRead(in: try document.tree(), over: recorded)
        guard unnamed == nil else { return nil }
      }
      let decoded = try document.decode(trial.type)
      guard let again = decoded as? any Encodable else { return nil }
      // A peer's milliseconds stay where they are the same second.
      let found = trial.declared(try TreeRecorder.tree(of: again), fidelity).withoutSignsOfZero
      return found.difference(
        from: trial.declared(trial.sample.values[0], fidelity).withoutSignsOfZero
      )
    }
  )
}

extension Tree {
  /// Whether all of a stored value stands here, beside other keys and elements.
  ///
  /// Elements of the value may be any of those here, in their order. A string may be the content of a
  /// text, and a peer's milliseconds stay where the same second is written.
  ///
  ///     here  {"a": [1, 2, 3], "b": 5}     holds  {"a": [1, 3]}     not  {"a": [3, 1]}
  fileprivate func holds(_ value: Tree, _ fidelity: DateFidelity) -> Bool {
    switch (self, value) {
    case (.map, .map(let entries)):
      return entries.allSatisfy { entry in
        child(.key(entry.key))?.holds(entry.value, fidelity) ?? false
      }
    case (.list(let elements), .list(let wanted)):
      var rest = elements[...]
      return wanted.allSatisfy { element in
        guard let index = rest.firstIndex(where: { $0.holds(element, fidelity) }) else {
          return false
        }
        rest = rest[(index + 1)...]
        return true
      }
    case (.text(let text), .string(let string)): return text.utf8.elementsEqual(string.utf8)
    case (.timestamp(let here), .timestamp(let written)) where fidelity == .seconds:
      return Int64(exactly: (Double(here) / 1000).rounded(.down) * 1000) == written
    default: return self == value
    }
  }
}

extension CodingTrial {
  /// A document with the content of the sample's first tree, written through its core.
  ///
  /// Not through the coder: what the coder would refuse to write can stand in a document.
  ///
  /// Dates of the tree become timestamps of whole milliseconds, finer than what the coder writes by
  /// default.
  func documentOfTree() throws -> any CodingDocument {
    let document = try document()
    guard case .map(let entries)? = sample.trees.first.map({ stored($0, .milliseconds) }) else {
      return document
    }
    for entry in entries { try document.put(entry.value, at: [.key(entry.key)]) }
    return document
  }
}

extension CodingSample {
  /// Objects within objects of a tree that is not a value's.
  private static let depthLimit = 3

  /// Draws a value, and a document's content that is like another value here and there.
  ///
  /// Keys are taken from the two values, so that content of another kind stands where the model
  /// looks.
  ///
  /// 6 of 100 entries are left out, 15 of 100 contents are of any kind, and 15 of 100 maps get one
  /// more key or another content of one.
  ///
  /// A draw with nothing but zeros leaves the content of the other value as it is.
  mutating func drawArbitrary(_ model: Model, _ choices: inout Choices) throws {
    let tree = try model.anyTree(&choices)
    values = [tree]
    let other = try model.tree(near: tree, &choices)
    var keys = ["x"]
    for path in other.paths {
      if case .key(let key)? = path.last, !keys.contains(key) { keys.append(key) }
    }
    guard case .map(let entries) = other else { return }
    trees = [Self.map(like: entries, keys, &choices)]
  }

  /// Entries of a value, some of them gone, changed or new.
  private static func map(
    like entries: [Tree.Entry],
    _ keys: [String],
    _ choices: inout Choices
  ) -> Tree {
    var found: [Tree.Entry] = []
    for entry in entries where !choices.flag(percent: 6) {
      found.append(Tree.Entry(entry.key, content(like: entry.value, keys, &choices)))
    }
    if choices.flag(percent: 15) {
      let key = choices.element(of: keys)
      found.removeAll { $0.key == key }
      found.append(Tree.Entry(key, anything(keys, depthLimit, &choices)))
    }
    return .map(of: found)
  }

  /// What stands at one place: the value's own content, with changes below it, or anything.
  private static func content(
    like tree: Tree,
    _ keys: [String],
    _ choices: inout Choices
  ) -> Tree {
    if choices.flag(percent: 15) { return anything(keys, depthLimit, &choices) }
    switch tree {
    case .map(let entries): return map(like: entries, keys, &choices)
    case .list(let elements):
      return .list(elements.map { content(like: $0, keys, &choices) })
    default: return tree
    }
  }

  /// Two of three are strangers of any kind; lists and maps get fewer with depth, and end at the
  /// limit.
  private static func anything(
    _ keys: [String],
    _ depth: Int,
    _ choices: inout Choices
  ) -> Tree {
    switch choices.pick(weights: depth > 0 ? [4, 1, 1] : [1]) {
    case 0: return choices.element(of: strangers)
    case 1:
      let count = choices.number(in: 0...3)
      return .list((0..<count).map { _ in anything(keys, depth - 1, &choices) })
    default:
      let count = choices.number(in: 0...3)
      var entries: [Tree.Entry] = []
      for _ in 0..<count {
        let key = choices.element(of: keys)
        let value = anything(keys, depth - 1, &choices)
        if !entries.contains(where: { $0.key == key }) { entries.append(Tree.Entry(key, value)) }
      }
      return .map(of: entries)
    }
  }
}
