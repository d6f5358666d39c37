import CodingSupport
import ModelGeneration
import PropertyEngine

// Encoding over dictionaries that stand in a document as lists of pairs, `[key, value, key, value]`, after
// others have edited such a list as any other.

extension CodingLaw {
  /// Encoding over lists of pairs.
  static let pairLaws: [CodingLaw] = [overPairs]

  /// Catches an encoder that takes such a list for a set, or trusts that its length is even.
  ///
  /// Two writers that add one key at once leave its pair twice, and one who knows lists alone may take the
  /// last value away. What is kept of that must be whole pairs: half of one moves all values behind it to the
  /// next key.
  ///
  /// Worked example: `[1: "a", 2: "b"]` stands as `[1, "a", 2, "b", 1, "x"]`. An encoder that keeps the second
  /// 1, as it would in a set, leaves `[1, "a", 2, "b", 1]`.
  ///
  /// Also catches one that keeps another pair of a key than decoding takes, which is the last: what all have read goes,
  /// with what a peer does to it meanwhile.
  ///
  /// The sample's numbers say what is done, one after the other: the lowest two bits what, the next two to
  /// which list, the rest where.
  static let overPairs = CodingLaw(
    "reencode.over-pairs",
    "Pairs of dictionaries stay whole.",
    "Where a list of pairs has a key twice, or a key without a value, encoding a dictionary leaves its pairs, "
      + "each whole and once, or throws and touches nothing; what was decoded of it writes nothing, and removes the pairs "
      + "that decoding passed over.",
    source: [.specification(.codable, "Lists"), .requirement(4)],
    needs: [.documents],
    models: named("OtherKeys", "KeysOfAllKinds"),
    draw: { model, sample, choices in
      try relatedValues(2)(model, &sample, &choices)
      choices.repeated(upTo: 3, averaging: 2, "edit") { choices in
        sample.numbers.append(choices.number(in: 0...255))
      }
    },
    check: { trial in
      guard trial.sample.values.allSatisfy({ $0 == $0.withoutSignsOfZero }) else {
        throw Skipped("a zero has a sign")
      }
      let document = try trial.document(holding: 0)
      for number in trial.sample.numbers { try editPairs(of: document, number.notNegative) }
      if let found = try encodesDecoded(document.fork(actor: 2), trial) { return found }
      let before = try Untouched(document)
      if case .failure(let error) = trial.outcome({ try document.encode(try trial.value(1)) }) {
        return try before.refused(error, document)
      }
      let (found, expected) = (try document.tree(), trial.stored(trial.sample.values[1]))
      for path in listsOfPairs(expected) where pairs(found[path]) != pairs(expected[path]) {
        return Difference(
          kind: "pairs.differ",
          summary: "\(path.dotted) has other pairs",
          expected: expected[path].map { "\($0)" },
          actual: found[path].map { "\($0)" }
        ).between(CodingTrial.encoded, "the document")
      }
      return nil
    }
  )

  /// Where encoding what was decoded does more than to remove the pairs that decoding passed over.
  ///
  /// Worked example: `[1, "a", 1, "x"]` reads as `[1: "x"]`. The first pair goes, by two operations. A coder that keeps
  /// the first writes "x" into it and removes the last, which is the one that all have read.
  private static func encodesDecoded(
    _ document: any CodingDocument,
    _ trial: CodingTrial
  ) throws -> Difference? {
    guard trial.subject.features.contains(.wholeValues) else { return nil }
    let decoded = trial.outcome { try document.decode(trial.type) }
    guard case .success(let found) = decoded, let value = found as? any Encodable else {
      return nil
    }
    func elementCount() throws -> Int {
      let tree = try document.tree()
      return listsOfPairs(tree).reduce(0) { $0 + (tree[$1]?.steps.count ?? 0) }
    }
    _ = try document.heads()
    let (operations, elements) = (try document.operationCount(), try elementCount())
    try document.encode(value)
    return differs(
      "pairs.unread",
      "encoding what was decoded does more than to remove pairs that were not read",
      of: "what the encode added to the document",
      actual: try document.operationCount() - operations,
      expected: try elements - elementCount()
    )
  }

  /// The lists of pairs of these models: their own properties, as lists deeper down are values.
  private static func listsOfPairs(_ tree: Tree) -> [[PathKey]] {
    tree.paths.filter { $0.count == 1 && tree[$0]?.kind == .list }
  }

  /// How often each pair stands in a list; a key without a value counts as a pair of one.
  private static func pairs(_ list: Tree?) -> [[Tree]: Int] {
    guard case .list(let elements)? = list else { return [:] }
    let pairs = stride(from: 0, to: elements.count, by: 2).map { start in
      Array(elements[start..<min(start + 2, elements.count)])
    }
    return Dictionary(pairs.map { ($0, 1) }, uniquingKeysWith: +)
  }

  /// Edits one list of pairs as a writer does who does not know what it is.
  private static func editPairs(of document: any CodingDocument, _ number: Int) throws {
    let tree = try document.tree()
    let lists = listsOfPairs(tree)
    guard !lists.isEmpty else { return }
    let path = lists[number / 4 % 4 % lists.count]
    guard case .list(let elements)? = tree[path], elements.count > 1 else { return }
    let start = number / 16 % (elements.count / 2) * 2
    func append(_ element: Tree, _ offset: Int) throws {
      try document.insert(element, at: path + [.index(elements.count + offset)])
    }
    switch number % 4 {
    case 0:
      // A pair of the same key and another value.
      try append(elements[start], 0)
      try append(elements[(start + 3) % elements.count], 1)
    case 1: try document.delete(at: path + [.index(elements.count - 1)])
    case 2: try append(elements[start], 0)
    default: try document.delete(at: path + [.index(start)])
    }
  }
}
