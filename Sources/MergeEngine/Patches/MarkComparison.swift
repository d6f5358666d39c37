/// A name whose value changed over elements that stay.
struct MarkChange {
  let name: KeyHandle
  let text: String
  /// The mark's value in the second state; null for none.
  let value: Scalar
}

/// The names and values that are to be told of at a place.
struct NotedMarks {
  /// What is passed at the place, and so which names are told.
  enum Question: Int, CaseIterable {
    case typed
    case kept
    case inserted
  }

  var question = Question.typed
  /// Counts the stretches between which marks begin or end: one question has one answer in a stretch.
  var stretch = 0
  var changes: [MarkChange] = []
}

/// The marks over typed text: by name as a patch has them, and what does not fit into that.
///
/// A dictionary takes canonically equivalent names for one. Of those the first by its bytes is in it.
struct TypedMarks {
  /// As ``NotedMarks/stretch``.
  var stretch: Int { others.stretch }
  var named: [String: Scalar] = [:]
  var others = NotedMarks()
}

/// The marks of two states, along a walk of one sequence.
///
/// Passed from the sequence's start, mark by mark, it knows at each place what every name is in
/// either state. Only what a mark has touched since is worked out again, when it is next asked: a
/// walk costs a step for each mark, and for each stretch that begins behind one.
///
///     before     (begin bold)  a b c  (end)               `old`    bold: true over a b c
///     after      a (begin bold)  b c d  (end)             `new`    bold: true over b c d
///     differing  bold over a and over d
struct MarkComparison {
  private var before = OpenMarks()
  private var after = OpenMarks()
  /// The values of names with an open mark; null among them, which hides an outer mark.
  private var old: [KeyHandle: Scalar] = [:]
  private var new: [KeyHandle: Scalar] = [:]
  /// The names whose values differ here.
  private var differing: Set<KeyHandle> = []

  // What is asked for at each stretch, kept while no mark begins or ends.
  private var typed: TypedMarks?
  private var changes: NotedMarks?
  private var shown: NotedMarks?
  /// How often marks that begin or end have changed what is asked for.
  private var stretch = 0

  /// Passes a mark operation that one state covers, or both.
  mutating func pass(_ row: Row, rank: UInt16, isBefore: Bool, isAfter: Bool) {
    if isBefore { before.pass(row, rank: rank) }
    if isAfter { after.pass(row, rank: rank) }
  }

  /// The values of the second state here, null ones among them.
  mutating func now(_ core: borrowing Core) -> TypedMarks {
    settle(core)
    if let typed { return typed }
    core.meter.add(new.count)
    var marks = TypedMarks(others: NotedMarks(question: .typed, stretch: stretch))
    let names = new.keys.sorted { core.keys.view($0).precedes(core.keys.view($1)) }
    for name in names {
      let (text, value) = (core.keys.string(name), new[name] ?? .null)
      if marks.named[text] == nil {
        marks.named[text] = value
      } else if value != .null {
        marks.others.changes.append(MarkChange(name: name, text: text, value: value))
      }
    }
    typed = marks
    return marks
  }

  /// The names whose values differ here, in the order of their bytes.
  mutating func changesHere(_ core: borrowing Core) -> NotedMarks {
    settle(core)
    if let changes { return changes }
    core.meter.add(differing.count)
    var names = Array(differing)
    names.sort { core.keys.view($0).precedes(core.keys.view($1)) }
    var found = NotedMarks(question: .kept, stretch: stretch)
    for name in names {
      found.changes.append(
        MarkChange(name: name, text: core.keys.string(name), value: new[name] ?? .null)
      )
    }
    changes = found
    return found
  }

  /// All values of the second state here but null, in the order of the names' bytes: what an element is
  /// under that comes without its marks.
  mutating func all(_ core: borrowing Core) -> NotedMarks {
    settle(core)
    if let shown { return shown }
    core.meter.add(new.count)
    var found = NotedMarks(question: .inserted, stretch: stretch)
    for (name, value) in new where value != .null {
      found.changes.append(MarkChange(name: name, text: core.keys.string(name), value: value))
    }
    found.changes.sort { core.keys.view($0.name).precedes(core.keys.view($1.name)) }
    shown = found
    return found
  }

  /// Asks only for names that a mark has touched since; a name that neither state has counts as
  /// null in both.
  private mutating func settle(_ core: borrowing Core) {
    guard before.hasChanged || after.hasChanged else { return }
    (typed, changes, shown) = (nil, nil, nil)
    stretch += 1
    var names: Set<KeyHandle> = []
    for name in before.takeChanged() {
      names.insert(name)
      old[name] = before.value(of: name).map { core.scalar(meta: $0.meta, value: $0.value) }
    }
    for name in after.takeChanged() {
      names.insert(name)
      new[name] = after.value(of: name).map { core.scalar(meta: $0.meta, value: $0.value) }
    }
    for name in names {
      if (old[name] ?? .null).isSame(as: new[name] ?? .null) {
        differing.remove(name)
      } else {
        differing.insert(name)
      }
    }
  }
}
