import CodingSupport
import Foundation
import ModelGeneration
import PropertyEngine

// Texts and counters that the caller binds to a place by name (`init(_:doc:path:)`,
// `init(doc:objId:)`), without an encode or decode. One law: `Binding` finds the place, predicts
// the tree (`bound`), and follows the instance to its end. Selections of texts are
// `SelectedText.swift`.

extension CodingLaw {
  /// Texts and counters that the caller binds, without an encode or decode.
  static let bindingLaws: [CodingLaw] = [bindsToPlaces]

  /// Catches a binding that replaces what it finds, that names an element by its index, or that
  /// outlives its place.
  ///
  /// The sample's numbers, in order: the kind of place (text, counter, nothing, other), which of
  /// those places, how it is named, the count, the selection, and whether nothing and others are bound
  /// as text or counter. What must stand there after each
  /// edit is a tree that the law edits itself.
  ///
  /// Worked example: a counter that counts 3 on its own is bound to one of 10: 13.
  /// `binding-forgets-counts` leaves 10, and a coder that sets instead of adding leaves 3 and
  /// undoes what others counted.
  static let bindsToPlaces = CodingLaw(
    "reference.binds-to-places",
    "Texts and counters bind to named places.",
    "A text or counter that is bound to a place reads, writes and names that place: its string replaces a text's, "
      + "its count is added, and a missing text is made. A place of another kind is refused and stays. What is bound "
      + "follows its element and ends with it. Binding it again adds nothing, here, in a fork or once its element is "
      + "gone. A text's selection stays with its characters. To other coders it is its value, and comes back unbound.",
    source: [
      .specification(.codable, "Texts and counters"), .specification(.codable, "AutomergeText"),
      .specification(.codable, "Counter"),
    ],
    needs: [.documents, .texts, .counters, .bindsToPlaces],
    models: named("Ledger"),
    draw: { model, sample, choices in
      let sought = choices.pick(weights: Binding.Sought.allCases.map(\.weight))
      var tree = try model.tree(&choices)
      // A value without such a place is no case of the law: it gets two more tries.
      for _ in 0..<2 where Binding.places(Binding.Sought.allCases[sought], in: tree).isEmpty {
        tree = try model.tree(&choices)
      }
      sample.values = [tree]
      let word =
        choices.flag(percent: 30)
        ? ""
        : Generator<String>.hostileText(
          unicodeScalarsUpTo: 4,
          long: false
        ).draw(&choices)
      sample.trees = [.string(word)]
      sample.numbers = [sought] + [255, 1, 9, 4095, 6].map { choices.number(in: 0...$0) }
    },
    check: { trial in try Binding(trial).check() }
  )
}

/// One instance that is bound to one place of a document.
private struct Binding {
  private let document: any CodingDocument
  private let trial: CodingTrial
  private let tree: Tree
  private let path: [PathKey]
  private let name: PlaceName
  private let isText: Bool
  /// What an unbound text holds, empty in three of ten cases or more: an empty one must leave the
  /// place as it is.
  private let words: String
  /// What an unbound counter holds: -3 to 6.
  ///
  /// 0 for texts, and for counters that are bound by their object.
  private let count: Int

  /// What stands at a place that is looked for.
  ///
  /// The order is that of number 0 of the sample; `nothing` and `other` are bound as text or
  /// counter by number 5.
  fileprivate enum Sought: Int, CaseIterable {
    case text, counter, nothing, other

    /// A text has selections beside all that a counter has; where nothing can be bound little is asked.
    var weight: Int {
      switch self {
      case .text: 5
      case .counter: 3
      case .nothing, .other: 2
      }
    }
  }

  /// Finds the place that the sample's numbers ask for.
  ///
  /// - Throws: `Skipped` where the value has no place of the kind that is asked for.
  init(_ trial: CodingTrial) throws {
    self.trial = trial
    document = try trial.document(holding: 0)
    tree = try document.tree()
    let sample = trial.sample
    let sought = Sought.allCases[sample.index(0, below: Sought.allCases.count)]
    let places = Self.places(sought, in: tree)
    guard !places.isEmpty else { throw Skipped("the value holds no such place") }
    path = places[sample.index(1, below: places.count)]
    isText =
      switch sought {
      case .text: true
      case .counter: false
      case .nothing, .other: sample.index(5, below: 7) < 4
      }
    name = PlaceName.allCases[sample.index(2, below: PlaceName.allCases.count)]
    let number = sample.index(3, below: 10)
    if case .string(let text)? = sample.trees.first { words = text } else { words = "" }
    count = isText || name == .object ? 0 : number - 3
  }

  /// Where nothing stands: a new key of each map, a key below such a key, and the end of each list.
  ///
  /// The index 0 of the root, which is a map, leads nowhere at all; nor does a key of a list. The root has no place.
  fileprivate static func places(_ sought: Sought, in tree: Tree) -> [[PathKey]] {
    let paths = tree.paths.filter { !$0.isEmpty }
    let fresh = PathKey.key("made here")
    return switch sought {
    case .text: paths.filter { tree[$0]?.kind == .text }
    case .counter: paths.filter { tree[$0]?.kind == .counter }
    case .other:
      paths.filter { tree[$0].map { $0.kind != .text && $0.kind != .counter } ?? false }
    case .nothing:
      ([[]] + paths).flatMap { path -> [[PathKey]] in
        switch tree[path] {
        case .map?: [path + [fresh], path + [fresh, .key("below")]]
        case .list(let elements)?: [path + [.index(elements.count)]]
        default: []
        }
      } + [[.index(0)]] + paths.filter { tree[$0]?.kind == .list }.map { $0 + [fresh] } + [[]]
    }
  }

  /// The document's tree once the instance is bound; `nil` if that is refused.
  ///
  /// By a path a text is made where nothing stands, with one map for the step before it; not in a
  /// list, and by its object never, as there is none. Counters are never made.
  private var bound: Tree? {
    switch tree[path] {
    case .text?: isText ? (words.isEmpty ? tree : tree.replacing(path, with: .text(words))) : nil
    case .counter(let known)?:
      isText ? nil : tree.replacing(path, with: .counter(known &+ Int64(count)))
    case nil where isText && name == .path:
      switch (path.last, tree[path.dropLast()]) {
      case (.key?, .map?): tree.replacing(path, with: .text(words))
      case (.key(let key)?, nil):
        tree.replacing(path.dropLast(), with: .map([Tree.Entry(key, .text(words))]))
      default: nil
      }
    default: nil
    }
  }

  func check() throws -> Difference? {
    guard let bound else { return try refused() }
    return isText
      ? try follow(
        document.boundText(words, at: path, by: name),
        document.boundText("", at: path, by: .object),
        bound
      )
      : try follow(
        document.boundCounter(count, at: path, by: name),
        document.boundCounter(0, at: path, by: .object),
        bound
      )
  }

  /// Binding must throw, and leave tree, operations and heads as they were.
  private func refused() throws -> Difference? {
    let before = try Untouched(document)
    do {
      if isText {
        _ = try document.boundText(words, at: path, by: name)
      } else {
        _ = try document.boundCounter(count, at: path, by: name)
      }
      return Difference(
        kind: "reference.bound-to-other",
        summary: "a \(isText ? "text" : "counter") was bound at \(path.place), where none stands"
      )
    } catch {
      // An error that has words for people has some for this.
      if let error = error as? any LocalizedError,
        "\(error)".isEmpty || (error.errorDescription ?? "").isEmpty
      {
        return Difference(kind: "reference.refusal-words", summary: "a refusal has no words")
      }
    }
    return try before.difference(document, after: "a binding that was refused")
  }

  /// The place's content after edits of both sides, and after its end.
  ///
  /// Four states are looked at: once bound, after an edit by the document, after one by the
  /// instance, and, in a list, after an element was put before it. A second instance at the same
  /// place must follow in each; one in a fork, or at another place, must not equal it.
  ///
  /// Worked example of the last state: an instance is bound to `counters[1]`, and an element is put
  /// before it. It must count at index 2 now; one that is bound by its index adds to its neighbour.
  private func follow(
    _ instance: AnyObject,
    _ other: AnyObject,
    _ bound: Tree
  ) throws -> Difference? {
    if let found = try trial.difference(document, from: bound, "once it is bound") { return found }
    for one in [instance, other] where Self.areEqual(instance, one) == false {
      return Difference(kind: "reference.unequal", summary: "two bound to one place are not equal")
    }
    let copy = try document.fork(actor: 2)
    let elsewhere: AnyObject =
      isText
      ? try copy.boundText("", at: path, by: .object)
      : try copy.boundCounter(0, at: path, by: .object)
    if Self.areEqual(instance, elsewhere) == true {
      return Difference(kind: "reference.equal", summary: "two bound to two documents are equal")
    }
    if let found = try equalElsewhere(instance, bound) { return found }
    var expected = bound
    var place = path
    for step in 0..<4 {
      switch step {
      case 0: break
      case 1: expected = try editCore(expected, at: path)
      case 2: expected = edit(instance, expected, at: place)
      default:
        // An element before it: the index of its own is another one then.
        guard case .index(let index)? = place.last else { break }
        let list = Array(place.dropLast())
        try document.insert(.null, at: list + [.index(0)])
        guard case .list(let elements)? = expected[list] else { break }
        expected = expected.replacing(list, with: .list([.null] + elements))
        place = list + [.index(index + 1)]
        expected = edit(instance, expected, at: place)
      }
      if let found = try trial.difference(document, from: expected, "after edit \(step)") {
        return found
      }
      for one in [instance, other] {
        if let found = try showsOther(one, than: expected, at: place, "after edit \(step)")
          ?? namesOther(one, at: place)
        {
          return found
        }
      }
    }
    let before = try Untouched(document)
    if let found = try OtherCoderForms(of: instance).check()
      ?? before.difference(document, after: "an encode by another coder")
    {
      return found
    }
    if let found = try bindAgain(instance, at: place, expected) ?? bindElsewhere(other, expected) {
      return found
    }
    if let found = try bindWrongly(instance, at: place, &expected) { return found }
    if let found = try bindInFork(other, copy, expected) { return found }
    if let found = try bindByPath(instance, at: place, &expected) { return found }
    if let text = instance as? any AnchoredText {
      // Several, as a text is bound in few cases: a caret in front of all characters is one of twelve.
      for turn in 0..<6 {
        let selected = SelectedText(trial.sample.index(4, below: 4096) + 4096 * turn)
        if let found = try selected.check(text, at: place, of: document) { return found }
      }
      if let found = try anchorsOfOne(text) { return found }
      expected = expected.replacing(place, with: .text(text.value))
    }
    return try end(instance, at: place, expected)
  }

  /// Two that are bound to two places of one document are unequal, though both hold the same: a set keeps both.
  ///
  /// Worked example: two counters of 3, one under `counters`, one under `elsewhere`. To compare what they count alone
  /// makes them one, and what is added to the second is lost with it.
  private func equalElsewhere(_ instance: AnyObject, _ expected: Tree) throws -> Difference? {
    let elsewhere = [PathKey.key("elsewhere")]
    guard let content = expected[path], expected[elsewhere] == nil else { return nil }
    try document.put(content, at: elsewhere)
    let other: AnyObject =
      isText
      ? try document.boundText("", at: elsewhere, by: .object)
      : try document.boundCounter(0, at: elsewhere, by: .object)
    let areEqual = Self.areEqual(instance, other)
    try document.delete(at: elsewhere)
    guard areEqual == true else { return nil }
    return Difference(
      kind: "reference.equal",
      summary: "two bound to two places of one document are equal"
    )
  }

  /// What a bound instance holds is the place's already, and no more to be added there.
  ///
  /// Worked example: bound to a counter of 13, bound again: 13. To add what the instance shows
  /// makes it 26.
  private func bindAgain(
    _ instance: AnyObject,
    at place: [PathKey],
    _ expected: Tree
  ) throws -> Difference? {
    do { try document.bindAgain(instance, at: place) } catch is UnsupportedByCoder { return nil }
    return try trial.difference(document, from: expected, "once it is bound again")
  }

  /// A bound instance that is bound to another place shows what stands there, and takes nothing along.
  ///
  /// Worked example: bound to the text "ab", then to the text "elsewhere". To write what the instance held, as for one
  /// that was never bound, makes the second "ab" as well.
  private func bindElsewhere(_ instance: AnyObject, _ expected: Tree) throws -> Difference? {
    let elsewhere = [PathKey.key("elsewhere")]
    let content: Tree = isText ? .text("elsewhere") : .counter(41)
    guard expected[elsewhere] == nil else { return nil }
    try document.put(content, at: elsewhere)
    do { try document.bindAgain(instance, at: elsewhere) } catch is UnsupportedByCoder {}
    let wanted = expected.replacing(elsewhere, with: content)
    if let found = try trial.difference(document, from: wanted, "once one is bound elsewhere") {
      return found
    }
    try document.delete(at: elsewhere)
    return nil
  }

  /// A bound instance that is bound to a place of another kind is refused, and bound where it was.
  ///
  /// A list has an object of its own to name, and is neither text nor counter.
  private func bindWrongly(
    _ instance: AnyObject,
    at place: [PathKey],
    _ expected: inout Tree
  ) throws -> Difference? {
    let wrong = [PathKey.key("elsewhere")]
    guard expected[wrong] == nil else { return nil }
    try document.put(.list([]), at: wrong)
    let outcome = trial.outcome { try document.bindAgain(instance, at: wrong) }
    guard case .failure = outcome else {
      return Difference(kind: "reference.bound-to-other", summary: "one was bound to a list")
    }
    try document.delete(at: wrong)
    expected = edit(instance, expected, at: place)
    return try trial.difference(document, from: expected, "after a refused binding")
  }

  /// A bound text that is bound by a path takes along what stands at its place now.
  ///
  /// It need not have read that. A bound counter adds nothing. Then each goes back to its place, by its object.
  ///
  /// Worked example: bound to "ab", into which a peer types "<". Bound by a path to a text "elsewhere", that is "<ab".
  private func bindByPath(
    _ instance: AnyObject,
    at place: [PathKey],
    _ expected: inout Tree
  ) throws -> Difference? {
    let elsewhere = [PathKey.key("elsewhere")]
    guard expected[elsewhere] == nil else { return nil }
    var content: Tree = .counter(41)
    if case .text(let known)? = expected[place] {
      try document.spliceText(at: place, index: 0, deleting: 0, inserting: "<")
      content = .text("<" + known)
      expected = expected.replacing(place, with: content)
    }
    try document.put(isText ? .text("elsewhere") : content, at: elsewhere)
    do {
      try document.bindAgain(instance, at: elsewhere, by: .path)
    } catch is UnsupportedByCoder {
      try document.delete(at: elsewhere)
      return nil
    }
    let moved = expected.replacing(elsewhere, with: content)
    let found = try trial.difference(document, from: moved, "once one is bound by a path")
    guard found == nil, Self.shown(instance) == content else {
      return found
        ?? Difference(kind: "reference.shows", summary: "one bound by a path shows another place")
    }
    try document.bindAgain(instance, at: place)
    try document.delete(at: elsewhere)
    return try trial.difference(document, from: expected, "once one is bound back")
  }

  /// An instance that is bound to the same place of a fork is the fork's from then on, and no more the document's.
  ///
  /// Worked example: bound to "ab" here, then to "ab" there, and set to "ab>": the fork has "ab>", and this document
  /// has "ab" still. Both places have one object id, so that an instance that asks for the id alone is not moved.
  private func bindInFork(
    _ instance: AnyObject,
    _ copy: any CodingDocument,
    _ expected: Tree
  ) throws -> Difference? {
    do { try copy.bindAgain(instance, at: path) } catch is UnsupportedByCoder { return nil }
    let there = edit(instance, try copy.tree(), at: path)
    return try trial.difference(copy, from: there, "once one is bound in a fork")
      ?? trial.difference(document, from: expected, "once one is bound in a fork")
  }

  /// A selection is of one text: another one does not know it, and a text without a place keeps none.
  ///
  /// All characters, and the caret behind the last, which no character of a text has.
  private func anchorsOfOne<Text: AnchoredText>(_ text: Text) throws -> Difference? {
    let whole = text.value
    let elsewhere = [PathKey.key("elsewhere")]
    guard try document.tree()[elsewhere] == nil else { return nil }
    try document.put(.text(whole), at: elsewhere)
    defer { try? document.delete(at: elsewhere) }
    let other = try document.boundText("", at: elsewhere, by: .object)
    let unbound = Text(whole)
    for range in [whole.startIndex..<whole.endIndex, whole.endIndex..<whole.endIndex] {
      guard let anchor = text.anchor(range) else {
        return Difference(kind: "selection.none", summary: "a bound text keeps no selection")
      }
      let isKnown = (other as? Text)?.selection(of: anchor) != nil
      guard !isKnown, unbound.selection(of: anchor) == nil, unbound.anchor(range) == nil else {
        return Difference(
          kind: "selection.of-other",
          summary: "a selection is known to another text, or kept by one that is not bound"
        )
      }
    }
    return nil
  }

  /// What is left when the place is gone.
  ///
  /// The instance stays bound and is no longer attached, shows what it last knew, and edits
  /// nothing. automerge-swift 0.6.1 ends the program here.
  private func end(
    _ instance: AnyObject,
    at place: [PathKey],
    _ expected: Tree
  ) throws -> Difference? {
    func flags() -> [Bool?] {
      let text = instance as? any ModelText
      let counter = instance as? any ModelCounter
      return [text?.isBound ?? counter?.isBound, text?.isAttached ?? counter?.isAttached]
    }
    // What it shows now it must know later: an instance knows what it has read, also of what a peer wrote since.
    let expected = try editCore(expected, at: place)
    if let found = showsOther(instance, than: expected, at: place, "before its place goes") {
      return found
    }
    let before = flags()
    try document.delete(at: place)
    let after = flags()
    guard before == [true, true], after == [true, false] else {
      return Difference(
        kind: "reference.attached",
        summary: "`isBound` and `isAttached` before and after the place was deleted",
        expected: "\([[true, true], [true, false]])",
        actual: "\([before, after])"
      ).between(nil, "the bound instance")
    }
    guard Self.shown(instance) == expected[place] else {
      return Difference(kind: "reference.forgets", summary: "the last known value is forgotten")
    }
    let gone = expected.replacing(place, with: nil)
    _ = edit(instance, gone, at: place)
    return try trial.difference(document, from: gone, "after an edit of what was deleted")
      // What it last knew is no more to be written anywhere than what it shows.
      ?? bindElsewhere(instance, gone)
  }

  /// An edit that a peer would make; the expected tree after it.
  ///
  /// Inserts "<" at a text's start, or adds 3.
  private func editCore(_ expected: Tree, at place: [PathKey]) throws -> Tree {
    switch expected[place] {
    case .text(let text)?:
      try document.spliceText(at: place, index: 0, deleting: 0, inserting: "<")
      return expected.replacing(place, with: .text("<" + text))
    case .counter(let count)?:
      try document.increment(at: place, by: 3)
      return expected.replacing(place, with: .counter(count &+ 3))
    default: return expected
    }
  }

  /// An edit through the instance; the expected tree after it.
  ///
  /// Appends ">" to a text, or adds 5. Nothing is expected where the place is gone.
  private func edit(_ instance: AnyObject, _ expected: Tree, at place: [PathKey]) -> Tree {
    if let text = instance as? any ModelText {
      let fresh = text.value + ">"
      text.value = fresh
      return expected[place] == nil ? expected : expected.replacing(place, with: .text(fresh))
    }
    (instance as? any ModelCounter)?.increment(by: 5)
    guard case .counter(let count)? = expected[place] else { return expected }
    return expected.replacing(place, with: .counter(count &+ 5))
  }

  /// What an instance shows, if it is something else than what its place must hold.
  private func showsOther(
    _ instance: AnyObject,
    than expected: Tree,
    at place: [PathKey],
    _ moment: String
  ) -> Difference? {
    let shown = Self.shown(instance)
    guard shown != expected[place] else { return nil }
    return Difference(
      kind: "reference.shows",
      summary: "a bound instance shows something else than its place \(moment)",
      expected: "\(expected[place] ?? .null)",
      actual: "\(shown ?? .null)"
    ).between("the place in the document", "the bound instance")
  }

  /// Where an instance names another object than its text, or than the holder of its counter, by which an app asks for
  /// the document's events.
  private func namesOther(_ instance: AnyObject, at place: [PathKey]) throws -> Difference? {
    let name: String?
    do { name = try document.objectName(of: instance) } catch is UnsupportedByCoder { return nil }
    let object = isText ? place : Array(place.dropLast())
    let due = try document.objectName(at: object)
    guard name != due else { return nil }
    return Difference(
      kind: "reference.names",
      summary: "a bound instance names another object than that at \(object.place)",
      expected: due ?? "none",
      actual: name ?? "none"
    ).between("the document", "the bound instance")
  }

  /// What an instance shows, as the tree that its place must be.
  private static func shown(_ instance: AnyObject) -> Tree? {
    if let text = instance as? any ModelText { return .text(text.value) }
    return (instance as? any ModelCounter).map { .counter(Int64($0.value)) }
  }

  /// Whether two instances are equal; `nil` if their type does not say what is.
  ///
  /// Bound instances are equal if they name one object of one document, whatever they hold.
  private static func areEqual(_ left: AnyObject, _ right: AnyObject) -> Bool? {
    guard let left = left as? any Hashable, let right = right as? any Hashable else { return nil }
    return AnyHashable(left) == AnyHashable(right)
  }
}
