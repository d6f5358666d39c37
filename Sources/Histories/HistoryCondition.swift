// Conditions of known divergences that have a name. Read `HistoryCondition` with its sentences, then
// `source`, which spells those that are data, then `steps(of:)`, which finds the steps that make one
// hold; the rest serves it. Conditions that need a walk of their own are in `EarlyArrivals.swift` and
// `HiddenObjects.swift`. A `HistoryPredicate` takes a name wherever it takes a condition as data.

import DocumentModel
import Texts

/// A named property of histories: when a known divergence of a subject may show.
///
/// The raw values stand in `adapter.json` of foreign subjects, beside the law that the subject may
/// then break: they never change. A condition is a statement about the history alone, never about
/// answers, so that it can be asked before a case runs.
///
/// Where it cannot be said for certain, a condition holds: a divergence that is known must not be
/// reported anew.
///
/// Each case says which divergence it was made for; the adapters' files say who differs today.
package enum HistoryCondition: String, Hashable, Sendable, CaseIterable {
  /// Automerge 0.5.7 refuses local writes under the empty key; later versions and the specification
  /// take them.
  case writesEmptyKey = "writes-empty-key"
  /// Automerge 0.5.7 refuses to put an object over an element of a text, and lets one be inserted.
  case putsObjectInText = "puts-object-in-text"
  /// Automerge 0.5.7 counts elements of a text in some calls and units in others.
  case widensText = "widens-text"
  /// Automerge 0.5.7 puts the end of an empty mark before its begin.
  case marksNothing = "marks-nothing"
  /// Automerge 0.5.7 does not always give overlapping marks the value of the greater id.
  case marksMeet = "marks-meet"
  /// Automerge 0.5.7 tells marks of one object in a patch of another.
  case marksObjects = "marks-objects"
  /// Automerge 0.5.7 tells a value that is put over a marked one without its marks.
  case marksOverwritten = "marks-overwritten"
  /// Automerge 0.5.7 compares marks as numbers, so that NaN differs from itself.
  case marksNaN = "marks-nan"
  /// Automerge 0.5.7 tells an object that is shown again without what it holds.
  case hidesObject = "hides-object"
  /// Automerge 0.5.7 and 0.6 hide an incremented counter when they read the past.
  case increments
  /// Loro's counters, and integers of pycrdt that have travelled, are floats of 64 bits.
  case writesWideNumber = "writes-wide-number"
  /// Yrs loses the value of a key where changes come out of order.
  case overwritesKey = "overwrites-key"
  /// Yrs handles changes that come before those that they follow in ways of its own.
  case arrivesEarly = "arrives-early"

  /// What happens in a history for which the condition holds.
  package var sentence: String {
    switch self {
    case .writesEmptyKey: "A map is written under the empty key."
    case .putsObjectInText: "An object is put over an element of a text."
    case .widensText: "A text gets an element that is not one unit wide, by a put or an insert."
    case .marksNothing: "A mark is set over no units."
    case .marksMeet: "An object is marked that another writer marked before."
    case .marksObjects: "More than one object is marked."
    case .marksOverwritten: "An element is overwritten in an object that is marked, too."
    case .marksNaN: "A mark's value is NaN."
    case .hidesObject:
      "A place is deleted or written at which an object stands, or comes to stand."
    case .increments: "A counter is incremented."
    case .writesWideNumber:
      "A number is written, or added, that a float of 64 bits does not hold exactly."
    case .overwritesKey: "A key of a map is written that was written before, by whichever replica."
    case .arrivesEarly: "A change arrives where one is missing that its sender sent before."
    }
  }

  /// What the name is short for, as `adapter.json` would have it; `nil` for a condition that has a
  /// walk of its own.
  package var source: String? {
    switch self {
    case .writesEmptyKey: #"{"edit": {"key": ""}}"#
    case .putsObjectInText: #"{"edit": {"kind": "putObject", "in": "text"}}"#
    case .widensText:
      #"{"edit": {"kind": ["put", "insert"], "in": "text", "value": "string", "units": {"not": 1}}}"#
    case .marksNothing: #"{"edit": {"kind": "mark", "length": 0}}"#
    case .marksNaN: #"{"edit": {"kind": "mark", "value": "nan"}}"#
    case .increments: #"{"edit": {"kind": "increment"}}"#
    case .writesWideNumber:
      // Beyond 2^53 whole numbers may fall between two floats; the bound itself is exact.
      #"{"edit": {"kind": ["put", "insert", "splice", "increment"], "#
        + #""magnitude": {"above": 9007199254740992}}}"#
    case .marksMeet, .marksObjects, .marksOverwritten, .hidesObject, .overwritesKey,
      .arrivesEarly:
      nil
    }
  }

  /// The predicates that sources spell.
  private static let definitions: [Self: HistoryPredicate] = {
    var read: [Self: HistoryPredicate] = [:]
    for condition in allCases {
      read[condition] = condition.source.flatMap { source in
        (try? JSONValue(parsing: source)).flatMap { try? HistoryPredicate($0) }
      }
    }
    return read
  }()

  package func holds(for history: History) -> Bool {
    !steps(of: history).isEmpty
  }

  /// The steps that make the condition hold, ascending.
  ///
  /// The history must be a valid one, as its numbers are used as they are. Cost: a pass over the
  /// history, or two.
  package func steps(of history: History) -> [Int] {
    switch self {
    case .arrivesEarly:
      var arrivals = EarlyArrivals()
      return history.steps.indices.filter { arrivals.isEarly(history.steps[$0]) }
    case .marksMeet:
      var meetings = MarkMeetings(history)
      return history.steps.indices.filter { meetings.isMeeting(history.steps[$0]) }
    case .marksObjects:
      guard history.marked.count > 1 else { return [] }
      return history.steps.indices.filter { history.steps[$0].edits(where: { $0.kind == .mark }) }
    case .marksOverwritten:
      let marked = history.marked
      return history.steps.indices.filter { index in
        history.steps[index].edits(where: { $0.overwritesElement && marked.contains($0.object) })
      }
    case .hidesObject:
      let objects = HiddenObjects(history)
      return history.steps.indices.filter { objects.isHiding(history.steps[$0]) }
    case .overwritesKey:
      let earlier = history.base.edits + history.growth.flatMap(\.edits)
      var written = Set(earlier.compactMap(\.writtenKey))
      return history.steps.indices.filter { index in
        let keys = (history.steps[index].edits?.edits ?? []).compactMap(\.writtenKey)
        return keys.map { written.insert($0).inserted }.contains(false)
      }
    case .writesEmptyKey, .putsObjectInText, .widensText, .marksNothing, .marksNaN, .increments,
      .writesWideNumber:
      return Self.definitions[self]?.steps(of: history) ?? []
    }
  }
}

/// Who marked which object under which name.
///
/// A step that only repeats the marks of its own writer is no meeting; from the second writer on,
/// every mark of that name in that object is one.
private struct MarkMeetings {
  /// The writer of each replica, by its number.
  private var writers: [Int]
  private var marked: [ObjectName: Set<Int>] = [:]

  init(_ history: History) {
    writers = Array(0..<history.replicaCount)
    // What grew before the first step has a writer of its own.
    for edit in history.growth.flatMap(\.edits) { _ = isMeeting(edit, -1) }
  }

  /// Whether the step marks what another writer marked; steps come in their order.
  mutating func isMeeting(_ step: Step) -> Bool {
    switch step {
    case .fork(_, let actor), .branch(_, _, let actor): writers.append(actor)
    case .restart(let replica, _, let actor): writers[replica] = actor
    default: break
    }
    guard let (replica, edits) = step.edits else { return false }
    return edits.map { isMeeting($0, writers[replica]) }.contains(true)
  }

  private mutating func isMeeting(_ edit: Edit<ObjectName>, _ writer: Int) -> Bool {
    guard case .mark(let object, _) = edit else { return false }
    marked[object, default: []].insert(writer)
    return marked[object] != [writer]
  }
}

extension History {
  /// The objects that are marked, in the steps and before them.
  fileprivate var marked: Set<ObjectName> {
    let edits = growth.flatMap(\.edits) + steps.flatMap { $0.edits?.edits ?? [] }
    return Set(edits.filter { $0.kind == .mark }.map(\.object))
  }
}

extension Step {
  /// Whether one of its edits is such.
  fileprivate func edits(where isSuch: (Edit<ObjectName>) -> Bool) -> Bool {
    edits?.edits.contains(where: isSuch) ?? false
  }
}

/// A key of one map.
private struct MapKey: Hashable {
  let object: ObjectName
  let key: ExactString
}

extension Edit<ObjectName> {
  fileprivate var overwritesElement: Bool {
    switch self {
    case .put(_, .index, _), .putObject(_, .index, _): true
    default: false
    }
  }

  /// The key that the edit writes, if it writes one.
  fileprivate var writtenKey: MapKey? {
    switch self {
    case .put(let object, .key(let key), _), .putObject(let object, .key(let key), _):
      MapKey(object: object, key: key)
    default: nil
    }
  }
}
