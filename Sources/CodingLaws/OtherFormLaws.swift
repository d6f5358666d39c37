import CodingSupport
import Foundation
import ModelGeneration
import PropertyEngine

// Encoding over what another writer stored in a form of its own, and that decodes to the same value.

extension CodingLaw {
  /// Encoding over other forms of a value.
  static let otherFormLaws: [CodingLaw] = [overOtherForms, mergedSets]

  /// Catches comparisons of the stored form where the value is what counts, and searches of lists and sets that
  /// do not know all forms that a type reads: two apps with forms of their own write over each other's for ever.
  ///
  /// Which forms a type reads is the coder's to say: a leaf gets another form, and where the document does not
  /// decode to the very same value then, its own form back. One that is written and never read is left alone: a
  /// truth value in its place changes nothing. Misses forms of dates, which `date.stable` has.
  ///
  ///     put at the leaf's place     the document decodes to      then
  ///     `true`                      the same value               the leaf is never read: its own form again
  ///     `true`                      another value, or none       another form is tried
  ///     another form                the same value               the form stays, and the law can judge
  ///     another form                another value, or none       its own form again
  ///
  /// The sample's numbers are pairs, as those of `reencode.over-other-kinds`. Every other pair is of the leaves
  /// that most often have another form.
  ///
  /// Worked example: a set holds a `UUID`, and a peer in another language wrote it in lower case. A coder that
  /// looks for it by its letters deletes one element and inserts another, and so does the peer with its next save.
  ///
  /// Few models have lists of ids, which show the same once they are shifted, and none has a set of URLs:
  /// ``shiftsIDs(_:)`` and ``respellsURLs(_:)`` ask that in each case, and ``insertsFloat(_:)`` of
  /// floats behind a new one.
  static let overOtherForms = CodingLaw(
    "reencode.over-other-forms",
    "Other forms of the same value stay.",
    "Where a peer stored leaves in other forms that decode to the same value, encoding it again writes nothing, "
      + "in fields, lists and sets; ids of a list that was shifted keep their form, as do URLs that stay in a set.",
    source: [.specification(.codable, "Other forms of one value"), .requirement(1)],
    needs: [.documents],
    models: usual,
    draw: { model, sample, choices in
      sample.values = [try model.anyTree(&choices)]
      choices.repeated(upTo: 6, averaging: 3, "leaf") { choices in
        sample.numbers += [choices.number(in: 0...255), choices.number(in: 0...7)]
      }
    },
    check: { trial in
      if let found = try shiftsIDs(trial) ?? respellsURLs(trial) ?? insertsFloat(trial) {
        return found
      }
      guard trial.sample.values[0] == trial.sample.values[0].withoutSignsOfZero else {
        throw Skipped("a zero has a sign")
      }
      let document = try trial.document(holding: 0)
      guard let wanted = try decoded(document, trial) else { throw Skipped("it is not decoded") }
      let tree = try document.tree()
      let places = tree.paths.filter { !(tree[$0]?.otherForms ?? []).isEmpty }
      let likely = places.filter { tree[$0]?.oftenHasOtherForms ?? false }
      guard !places.isEmpty else { throw Skipped("no leaf has another form") }
      var isOther = false
      for pair in 0..<trial.sample.numbers.count / 2 {
        let choice = pair.isMultiple(of: 2) && !likely.isEmpty ? likely : places
        let place = choice[trial.sample.index(2 * pair, below: choice.count)]
        guard let old = tree[place] else { continue }
        try document.put(.boolean(true), at: place)
        let isRead = try decoded(document, trial) != wanted
        try document.put(old, at: place)
        guard isRead else { continue }
        let forms = old.otherForms
        try document.put(forms[trial.sample.index(2 * pair + 1, below: forms.count)], at: place)
        if try decoded(document, trial) == wanted {
          isOther = true
        } else {
          try document.put(old, at: place)
        }
      }
      guard isOther else { throw Skipped("no other form decodes to the same") }
      let before = try Untouched(document)
      guard let value = try document.decode(trial.type) as? any Encodable else { return nil }
      try document.encode(value)
      if let found = try before.difference(document, after: "encoding what was decoded") {
        return found
      }
      try document.encode(try trial.value())
      return try before.difference(document, after: "encoding an equal value")
    }
  )

  /// Where ids that a peer stored in lower case are rewritten once their list was shifted.
  ///
  /// The first id goes, and another comes behind the last: neither end of the list is as it was, so that a coder has to
  /// look for those between.
  ///
  ///     stored      e1 e2 e3
  ///     encoded     E2 E3 E4
  ///     after       e2 e3 E4
  private static func shiftsIDs(_ trial: CodingTrial) throws -> Difference? {
    guard trial.subject.features.contains(.paths) else { return nil }
    let count = 2 + trial.sample.index(0, below: 4)
    let ids = (0...count).compactMap { number in
      UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E0\(number)")
    }
    let lowered = ids.dropLast().map { Tree.string($0.uuidString.lowercased()) }
    let path = [PathKey.key("ids")]
    let document = try trial.document()
    try document.put(.list(lowered), at: path)
    try document.encode(Array(ids.dropFirst()), at: path, EncodingSettings())
    let added = ids.suffix(1).map { Tree.string($0.uuidString) }
    let expected = Tree.map([Tree.Entry("ids", .list(Array(lowered.dropFirst()) + added))])
    return try trial.difference(document, from: expected, "once a list of ids was shifted")
  }

  /// Where floats that a peer stored with more digits are rewritten once another came before them.
  ///
  ///     stored      0.1  1.1  2.1, each as a double
  ///     encoded     the floats 7.5, 0.1, 1.1, 2.1
  ///     after       7.5, and the doubles as they were
  private static func insertsFloat(_ trial: CodingTrial) throws -> Difference? {
    guard trial.subject.features.contains(.paths) else { return nil }
    let count = 1 + trial.sample.index(0, below: 4)
    let stored = (0..<count).map { Double($0) + 0.1 }
    let path = [PathKey.key("floats")]
    let document = try trial.document()
    try document.put(.list(stored.map { .float($0) }), at: path)
    try document.encode([7.5] + stored.map { Float($0) }, at: path, EncodingSettings())
    let expected = Tree.map([Tree.Entry("floats", .list(([7.5] + stored).map { .float($0) }))])
    return try trial.difference(document, from: expected, "once a float came before others")
  }

  /// Where URLs of a set that a peer spelled otherwise are written once more.
  ///
  /// The set loses one and gets another, so that a coder has to look for those that stay.
  ///
  ///     stored      "x:/0 a"  "x:/1 a"  "x:/2 a"  and one that is no URL
  ///     encoded     the URLs x:/1%20a, x:/2%20a and x:/3%20a
  ///     after       "x:/1 a"  "x:/2 a"  "x:/3%20a"
  private static func respellsURLs(_ trial: CodingTrial) throws -> Difference? {
    guard trial.subject.features.contains(.paths) else { return nil }
    let count = 2 + trial.sample.index(1, below: 3)
    let spelled = (0..<count).map { "x:/\($0) a" }
    let urls = (1...count).compactMap { URL(string: "x:/\($0)%20a") }
    // Before URLs were parsed by RFC 3986 a space made none.
    guard spelled.allSatisfy({ URL(string: $0)?.absoluteString == $0.replacing(" ", with: "%20") })
    else { return nil }
    let path = [PathKey.key("urls")]
    let document = try trial.document()
    try document.put(.list((spelled + ["http://["]).map { .string($0) }), at: path)
    try document.encode(Set(urls), at: path, EncodingSettings())
    let kept = spelled.dropFirst().map { Tree.string($0) }
    let added = Tree.string("x:/\(count)%20a")
    let expected = Tree.map([Tree.Entry("urls", .list(kept + [added]))])
    return try trial.difference(document, from: expected, "once a set of URLs has changed")
  }

  /// Catches a coder that makes one of the twins which a merge leaves: a set that was only read is written then,
  /// and two peers who do so at once may each delete the other's, and lose the element.
  ///
  /// The value of each peer is near the last one, so that what one peer adds the other often adds as well.
  ///
  /// Worked example: `{1}` becomes `{1, 2}` on both sides. The merged list is `[1, 2, 2]`, the set `{1, 2}`, and
  /// saving it writes nothing.
  static let mergedSets = CodingLaw(
    "merge.sets",
    "Merged sets have what all peers added.",
    "A set that peers encoded at once with different elements decodes to what both kept and what either added, "
      + "the same element once, and encoding that again writes nothing.",
    source: [.requirement(1), .specification(.codable, "Lists")],
    needs: [.documents],
    models: named("SetsOfAllKinds"),
    draw: relatedValues(3),
    check: { trial in
      if let found = try keepsTwinsOfStructs(trial) { return found }
      guard trial.sample.values.allSatisfy({ $0 == $0.withoutSignsOfZero }) else {
        throw Skipped("a zero has a sign")
      }
      guard !Tree.list(trial.sample.values).hasTwoSpellings else {
        throw Skipped("a set holds one of two strings that `==` takes for one")
      }
      let document = try trial.document(holding: 0)
      let peer = try document.fork(actor: 2)
      try document.encode(try trial.value(1))
      try peer.encode(try trial.value(2))
      try document.merge(peer)
      let merged = Tree.merged(
        trial.sample.values[0],
        trial.sample.values[1],
        trial.sample.values[2]
      )
      guard let expected = trial.model.accepted(merged) else {
        throw Skipped("the model refuses it")
      }
      let decoded = try document.decode(trial.type)
      if let found = try trial.difference(decoded, from: trial.declared(expected)) { return found }
      guard let value = decoded as? any Encodable else { return nil }
      let before = try Untouched(document)
      try document.encode(value)
      return try before.difference(document, after: "encoding the merged sets")
    }
  )

  /// Two numbers under two keys.
  private struct Spot: Codable, Hashable {
    var x: Int
    var y: Int
  }

  /// Where encoding a set of structs writes something, though it holds what a merge has left: one element twice, behind
  /// one that has its numbers under each other's keys.
  ///
  ///     stored      (1, 2)  (2, 1)  (1, 2)
  ///     the set     (1, 2)  (2, 1)
  private static func keepsTwinsOfStructs(_ trial: CodingTrial) throws -> Difference? {
    let number = Int64(trial.sample.values[0].paths.count)
    let spots = [(number, number + 1), (number + 1, number), (number, number + 1)].map { spot in
      Tree.map([Tree.Entry("x", .int(spot.0)), Tree.Entry("y", .int(spot.1))])
    }
    let document = try trial.document()
    try document.put(.list(spots), at: [.key("spots")])
    let before = try Untouched(document)
    try document.encode(try document.decode([String: Set<Spot>].self))
    return try before.difference(document, after: "encoding a set of structs with a twin")
  }

  /// What a document decodes to, recorded; `nil` if it does not.
  private static func decoded(_ document: any CodingDocument, _ trial: CodingTrial) throws -> Tree?
  {
    guard
      case .success(let value as any Encodable) = trial.outcome({ try document.decode(trial.type) })
    else { return nil }
    return try TreeRecorder.tree(of: value)
  }
}

extension Tree {
  /// Whether a type that reads several forms is likely to have written it: an id, a URL, a short float.
  fileprivate var oftenHasOtherForms: Bool {
    switch self {
    case .string(let text): UUID(uuidString: text) != nil || text.contains(":")
    case .float(let number): number.rounded() != number && Double(Float(number)) == number
    default: false
    }
  }

  /// The sets under each key after two writers made the first value the others, at once.
  ///
  /// What one writer deleted is gone, and what both added stands once: behind what was kept stand the left
  /// writer's elements, then those that the right one alone added.
  ///
  ///     old       {"a": [1, 2]}
  ///     left      {"a": [1, 2, 3]}
  ///     right     {"a": [1, 3, 4]}
  ///     merged    {"a": [1, 3, 4]}      kept 1, added 3 by the left, 4 by the right
  fileprivate static func merged(_ old: Tree, _ left: Tree, _ right: Tree) -> Tree {
    func elements(_ tree: Tree, _ key: PathKey) -> [Tree] {
      if case .list(let elements)? = tree.child(key) { elements } else { [] }
    }
    return .map(
      of: old.steps.compactMap { step in
        guard case .key(let key) = step else { return nil }
        let before = elements(old, step)
        let (one, other) = (elements(left, step), elements(right, step))
        let kept = before.filter { one.contains($0) && other.contains($0) }
        let added = one.filter { !before.contains($0) }
        return Entry(
          key,
          .list(kept + added + other.filter { !before.contains($0) && !added.contains($0) })
        )
      }
    )
  }

  /// What some type may read as the same value.
  ///
  /// More than any type reads, and in no order of likelihood: the law asks the coder which of them it reads.
  ///
  ///     int 7                int, uint and float that are 7, without the kind that stands there
  ///     float 0.1            its two neighbours, which a `Float` does not tell from it
  ///     "A%20b"              "a%20b", "A%20B", "a%20b" once more, "A b", and the text "A%20b"
  ///     an id "E621E1F8-…"   lower case throughout, lower case in its first 8 letters, and the text
  fileprivate var otherForms: [Tree] {
    switch self {
    case .int, .uint: return otherKinds
    case .float(let number):
      return otherKinds + [number.nextUp, number.nextDown].filter(\.isFinite).map { .float($0) }
    case .string(let text):
      let spellings = [
        text.lowercased(), text.uppercased(), text.prefix(8).lowercased() + text.dropFirst(8),
        text.removingPercentEncoding ?? text,
      ]
      return spellings.filter { !$0.utf8.elementsEqual(text.utf8) }.map { .string($0) }
        + [.text(text)]
    default: return []
    }
  }
}
