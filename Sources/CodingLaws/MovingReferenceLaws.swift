import CodingSupport
import ModelGeneration
import ModelZoo
import PropertyEngine

// Texts and counters that move: in lists, rows and dictionaries of a `Ledger`, which the app edits between two encodes.

extension CodingLaw {
  /// Catches texts and counters that are matched by place and not by identity: contents that change
  /// owners when a list is sorted, and instances that are bound to the place that another one has now.
  ///
  /// Worked example: counters 1 and 5, reversed by the app and saved. Matched by place, the first
  /// place becomes 5 by an increment of 4, and the app's instance that counted 1 shows 5.
  static let referencesMove = CodingLaw(
    "reference.moves",
    "Texts and counters keep what they hold.",
    "Texts and counters that were decoded, and are encoded in another order, hold what they held; what is "
      + "added to any of them then stands where it does.",
    source: [
      .specification(.codable, "Counter"), .specification(.codable, "AutomergeText"),
      .requirement(6),
    ],
    needs: [.documents, .texts, .counters],
    models: named("Ledger"),
    draw: drawLedger,
    check: { trial in
      func open<S: CoderSubject>(_ subject: S) throws -> Difference? {
        try move(Ledger<S.Text, S.Counter>.self, trial)
      }
      return try open(trial.subject)
    }
  )

  /// Edits a ledger number by number; after each encode the document must hold it, and each
  /// instance its own place.
  private static func move<Text: ModelText, Counter: ModelCounter>(
    _ type: Ledger<Text, Counter>.Type,
    _ trial: CodingTrial
  ) throws -> Difference? {
    let document = try trial.document(holding: 0)
    var ledger = try document.decode(type)
    for number in trial.sample.numbers {
      // Instances that the document does not know take the places of what is like them.
      if abs(number) / editCount % 2 == 1 {
        let tree = try TreeRecorder.tree(of: try document.decode(type))
        if let fresh = trial.value(of: tree) as? Ledger<Text, Counter> { ledger = fresh }
      }
      // Looking at an instance is a call of the coder: what is expected is told by others.
      // The same edit on instances of their own, recorded, is what the document must show after the
      // encode.
      var others = try document.decode(type)
      edit(&others, abs(number) % editCount)
      let recorded = try TreeRecorder.tree(of: others)
      edit(&ledger, abs(number) % editCount)
      try document.encode(ledger)
      if let found = try trial.difference(document, from: trial.stored(recorded)) { return found }
      // Of two that are alike, either may have taken the other's place.
      guard tellsInstancesApart(recorded) else { continue }
      let added = addToAll(ledger, trial.stored(recorded))
      if let found = try trial.difference(document, from: added, "after an edit of each instance") {
        return found
      }
    }
    return nil
  }

  /// Whether no list has two elements that are alike; rows count by their `id`.
  private static func tellsInstancesApart(_ tree: Tree) -> Bool {
    tree.paths.allSatisfy { path in
      guard case .list(let elements)? = tree[path] else { return true }
      return Set(elements.map { $0.child(.key("id")) ?? $0 }).count == elements.count
    }
  }

  /// Adds to each text and counter something else; gives the tree that the document must have then.
  ///
  /// Each gets another amount, so that two instances that swapped their places show.
  private static func addToAll<Text: ModelText, Counter: ModelCounter>(
    _ ledger: Ledger<Text, Counter>,
    _ tree: Tree
  ) -> Tree {
    var tree = tree
    var number = 0
    func add(to counter: Counter, _ place: [PathKey]) {
      guard case .counter(let count)? = tree[place] else { return }
      number += 1
      counter.increment(by: number)
      tree = tree.replacing(place, with: .counter(count &+ Int64(number)))
    }
    func add(to text: Text, _ place: [PathKey]) {
      guard case .text(let string)? = tree[place] else { return }
      number += 1
      text.value = string + "+\(number)"
      tree = tree.replacing(place, with: .text(string + "+\(number)"))
    }
    for (index, row) in ledger.rows.enumerated() {
      add(to: row.name, [.key("rows"), .index(index), .key("name")])
      add(to: row.votes, [.key("rows"), .index(index), .key("votes")])
    }
    for (index, counter) in ledger.counters.enumerated() {
      add(to: counter, [.key("counters"), .index(index)])
    }
    for (index, text) in ledger.texts.enumerated() {
      add(to: text, [.key("texts"), .index(index)])
    }
    for key in ledger.groups.keys.sorted() {
      for (index, counter) in (ledger.groups[key] ?? []).enumerated() {
        add(to: counter, [.key("groups"), .key(key), .index(index)])
      }
    }
    return tree
  }

  /// Numbers of different edits.
  private static let editCount = 4096

  /// A ledger and up to five edits: each a number for ``edit(_:_:)``, and ``editCount`` more where instances of
  /// which the document knows nothing stand in for those that are bound.
  static let drawLedger: @Sendable (Model, inout CodingSample, inout Choices) throws -> Void =
    { model, sample, choices in
      sample.values = [try model.tree(&choices)]
      choices.repeated(upTo: 5, averaging: 2, "edit") { choices in
        sample.numbers.append(choices.number(in: 0...2 * editCount - 1))
      }
    }

  /// The number says which list, what happens to it, and where.
  ///
  /// From the lowest bits: two for what happens (move, remove, reverse, insert), two for the list,
  /// four for the element and the rest, up to 15, for the target and the content of a new one.
  private static func edit<Text: ModelText, Counter: ModelCounter>(
    _ ledger: inout Ledger<Text, Counter>,
    _ number: Int
  ) {
    let (kind, from, to) = (number % 4, number / 16 % 16, number / 256)
    func edited<Element>(_ list: [Element], _ fresh: Element) -> [Element] {
      var list = list
      switch kind {
      case 0 where !list.isEmpty:
        let element = list.remove(at: from % list.count)
        list.insert(element, at: to % (list.count + 1))
      case 1 where !list.isEmpty: list.remove(at: from % list.count)
      case 2: list.reverse()
      default: list.insert(fresh, at: to % (list.count + 1))
      }
      return list
    }
    switch number / 4 % 4 {
    case 0: ledger.counters = edited(ledger.counters, Counter(to))
    case 1: ledger.texts = edited(ledger.texts, Text("text \(to)"))
    case 2:
      let fresh = Ledger<Text, Counter>.Row(id: 1000 + to, name: Text("row"), votes: Counter(to))
      ledger.rows = edited(ledger.rows, fresh)
    default:
      ledger.counters = edited(ledger.counters, Counter(to))
      ledger.texts = edited(ledger.texts, Text("\(to)"))
      for key in ledger.groups.keys.sorted() {
        ledger.groups[key] = edited(ledger.groups[key] ?? [], Counter(to))
      }
    }
  }
}
