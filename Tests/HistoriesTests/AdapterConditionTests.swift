import DocumentModel
import Foundation
import Histories
import PropertyEngine
import Subjects
import Testing
import Texts

/// The conditions that the adapters of this repository define hold for what their names say, and for
/// nothing else.
@Suite("Conditions of our adapters")
struct AdapterConditionTests {
  /// The members `conditions` of all adapters.
  private static let conditions: [String: HistoryPredicate] = {
    let adapters = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Adapters")
    var read: [String: HistoryPredicate] = [:]
    for id in ["automerge", "loro", "yrs"] {
      let file = adapters.appendingPathComponent("\(id)/adapter.json")
      let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
      guard let json = try? JSONValue(parsing: text)["conditions"],
        case .object(let members) = json
      else { continue }
      for member in members { read[member.key] = try? HistoryPredicate(member.value) }
    }
    return read
  }()

  struct Example: CustomStringConvertible {
    let steps: String
    let conditions: Set<String>
    var base = Base.objects

    init(_ steps: String, _ conditions: Set<String>, base: Base = .objects) {
      self.steps = steps
      self.conditions = conditions
      self.base = base
    }

    var description: String { steps }
  }

  static let examples: [Example] = [
    Example("r0 put root \"\" int 1", ["writes-empty-key"]),
    Example("r0 put map3 \"\" new map as map4", ["writes-empty-key"]),
    Example("r0 put root \"k\" int 1\nr0 delete root \"\"", ["writes-empty-key"]),
    Example("r0 put root \"k\" string \"\"", []),
    Example("r0 put text2 0 new map as map4", ["puts-object-in-text", "fills-text"]),
    Example("r0 put list1 0 new map as map4", []),
    Example("r0 insert text2 0 new map as map4", ["fills-text"]),
    Example("r0 put text2 0 string \"xy\"", ["widens-text", "fills-text"]),
    Example("r0 insert text2 0 string \"\"", ["widens-text", "fills-text"]),
    Example("r0 insert text2 0 string \"x\"", ["fills-text"]),
    Example("r0 put text2 0 int 12", ["fills-text"]),
    Example("r0 insert list1 0 string \"xy\"", []),
    Example("r0 type text2 0 delete 0 insert \"xy\"", []),
    Example("r0 delete text2 0", []),
    Example(
      "r0 put root \"o\" new text as text4\nr0 insert text4 0 string \"xy\"",
      ["widens-text", "fills-text"]
    ),
    Example("r0 mark list1 1 to 1 \"b\" null expand after", ["marks-nothing"]),
    Example("r0 mark list1 0 to 1 \"b\" null expand none", []),
    Example(
      "r0 mark list1 0 to 1 \"b\" null expand none\nr1 mark list1 1 to 2 \"b\" null expand none",
      ["marks-meet"]
    ),
    Example(
      "r0 mark list1 0 to 1 \"b\" null expand none\nr0 mark list1 0 to 1 \"b\" null expand none",
      []
    ),
    Example(
      "r0 mark list1 0 to 1 \"b\" null expand none\nr1 mark list1 0 to 1 \"c\" null expand none",
      ["marks-meet"]
    ),
    Example(
      "r0 mark list1 0 to 1 \"b\" null expand none\nr1 mark text2 0 to 1 \"c\" null expand none",
      ["marks-objects"]
    ),
    Example(
      "r0 mark list1 0 to 1 \"b\" null expand none\nr1 put list1 1 int 0",
      ["marks-overwritten"]
    ),
    Example("r0 mark list1 0 to 1 \"b\" null expand none\nr1 put root \"k\" int 0", []),
    Example("r0 mark list1 0 to 1 \"b\" float nan expand none", ["marks-nan"]),
    Example(
      """
      r0 mark list1 0 to 1 "b" null expand none
      r0 fork r2 actor 2
      r2 mark list1 0 to 1 "b" null expand none
      """,
      ["marks-meet"]
    ),
    Example("r0 increment root \"n\" 1", ["increments"], base: .counters),
    Example("r0 put root \"k\" int 9007199254740993", ["writes-wide-number"]),
    Example("r0 put root \"k\" int 9007199254740992", ["writes-wide-number"]),
    Example("r0 put root \"k\" int 9007199254740991", []),
    Example("r0 put root \"k\" int -9223372036854775808", ["writes-wide-number"]),
    Example("r0 put root \"k\" uint 18446744073709551615", ["writes-wide-number"]),
    Example("r0 put root \"k\" float 1e300", []),
    Example("r0 put root \"k\" timestamp 9223372036854775807", []),
    Example("r0 insert list1 0 int 9223372036854775807", ["writes-wide-number"]),
    Example(
      "r0 splice list1 0 delete 0 insert int 1 insert int 9223372036854775807",
      ["writes-wide-number"]
    ),
    Example(
      "r0 increment root \"n\" 9223372036854775807",
      ["increments", "writes-wide-number"],
      base: .counters
    ),
    Example("r0 put root \"k\" int 1\nr0 put root \"k2\" int 1", []),
    Example("r0 put root \"k\" int 1\nr0 put root \"k\" int 1", ["overwrites-key"]),
    Example(
      "r0 put root \"k\" int 1\nr1 put root \"k\" new map as map4",
      ["overwrites-key", "hides-object"]
    ),
    Example("r0 put map3 \"k\" int 1", ["overwrites-key"]),
    Example("r0 put root \"l\" int 1", ["overwrites-key", "hides-object"]),
    Example("r0 put root \"a\" int 1\nr0 put map3 \"a\" int 1", []),
    Example("r0 delete root \"l\"", ["hides-object"]),
    Example("r0 delete list1 0", []),
    Example("r0 insert list1 0 new map as map4\nr1 splice list1 0 delete 1", ["hides-object"]),
    Example(
      "r0 insert text2 0 new map as map4\nr0 insert text2 0 new map as map5",
      ["fills-text"]
    ),
    Example("r0 put list1 0 new map as map4\nr1 put list1 0 int 1", ["hides-object"]),
    Example("r0 -> r1 send m1 changes\nr0 -> r1 changes", ["arrives-early"]),
    Example("r0 -> r1 send m1 changes\nm1 deliver\nr0 -> r1 changes", []),
    Example("r0 -> r1 send m1 merge\nr0 -> r1 changes", []),
    Example("r0 -> r1 send m1 changes\nm1 drop noise\nr0 -> r1 changes", ["arrives-early"]),
    Example("r0 -> r1 send m1 changes\nr1 -> r0 changes", []),
    Example(
      "r0 put root \"a\" int 1\nr0 -> r1 send m1 changes\nm1 deliver part 1",
      ["arrives-early"]
    ),
    Example("r0 put root \"a\" int 1\nr0 -> r1 send m1 changes\nm1 deliver part 0", []),
    Example(
      "r1 save s0\nr0 -> r1 changes\nr1 restart s0 actor 1\nr0 -> r1 changes",
      ["arrives-early"]
    ),
    Example("", []),
  ]

  @Test("A condition holds for the histories that it names, and no others", arguments: examples)
  func holds(_ example: Example) throws {
    let history = try written(example.steps, base: example.base)
    #expect(normalise(history).history == history)
    let found = Self.conditions.filter { $0.value.holds(for: history) }.keys
    #expect(Set(found) == example.conditions)
    for (name, condition) in Self.conditions {
      var rest = history
      for index in condition.steps(of: history).reversed() { rest.steps.remove(at: index) }
      #expect(!condition.holds(for: rest), "\(name) without its steps")
    }
  }

  @Test("Every condition of an adapter has an example here")
  func complete() {
    let shown = Self.examples.reduce(into: Set<String>()) { $0.formUnion($1.conditions) }
    #expect(Set(Self.conditions.keys) == shown)
  }

  @Test("Conditions that relate edits hold by the steps that a plain walk finds")
  func relations() throws {
    var held = Tally()
    for sample in normalisedHistories(400, seed: Seed(value: 77)) {
      let history = sample.history
      let walk = PlainWalk(history)
      for name in PlainWalk.names {
        let condition = try #require(Self.conditions[name])
        let steps = walk.steps(name)
        #expect(condition.steps(of: history) == steps, "\(name): \(history.text)")
        if !steps.isEmpty { held.add(name) }
      }
    }
    for name in PlainWalk.names { #expect(held[name] >= 20, "\(name)") }
  }
}

/// The conditions that relate edits to one another, each as a walk of its own.
private struct PlainWalk {
  static let names = [
    "marks-meet", "marks-objects", "marks-overwritten", "overwrites-key", "hides-object",
  ]

  private let history: History
  private let start: [Edit<ObjectName>]
  /// The edits of each step.
  private let edits: [[Edit<ObjectName>]]

  init(_ history: History) {
    self.history = history
    start = history.base.edits + history.growth.flatMap(\.edits)
    edits = history.steps.map { $0.edits?.edits ?? [] }
  }

  func steps(_ name: String) -> [Int] {
    switch name {
    case "marks-meet": return meetings
    case "marks-objects": return marked.count < 2 ? [] : indexes { $0.kind == .mark }
    case "marks-overwritten":
      return indexes { marked.contains($0.object) && $0.slot?.isIndex == true && $0.isPut }
    case "overwrites-key":
      var written = Set(start.filter(\.isPut).map { Place($0) })
      return indexes { edit in
        edit.isPut && edit.slot?.isIndex == false && !written.insert(Place(edit)).inserted
      }
    default: return hiding
    }
  }

  /// Steps with an edit for which `isSuch` holds; it is asked of each edit, in order.
  private func indexes(where isSuch: (Edit<ObjectName>) -> Bool) -> [Int] {
    edits.indices.filter { index in edits[index].map(isSuch).contains(true) }
  }

  private var marked: Set<ObjectName> {
    Set((start + edits.joined()).filter { $0.kind == .mark }.map(\.object))
  }

  /// Steps that mark an object behind the mark of another writer.
  private var meetings: [Int] {
    // -1 writes what the replicas start from.
    var markers: [ObjectName: Set<Int>] = [:]
    for edit in start where edit.kind == .mark { markers[edit.object] = [-1] }
    var writers = Array(0..<history.replicaCount)
    return history.steps.indices.filter { index in
      switch history.steps[index] {
      case .fork(_, let actor), .branch(_, _, let actor): writers.append(actor)
      case .restart(let replica, _, let actor): writers[replica] = actor
      default: break
      }
      guard let replica = history.steps[index].edits?.replica else { return false }
      var isMeeting = false
      for edit in edits[index] where edit.kind == .mark {
        markers[edit.object, default: []].insert(writers[replica])
        isMeeting = isMeeting || markers[edit.object] != [writers[replica]]
      }
      return isMeeting
    }
  }

  /// A key of a map, or a whole list or text.
  private struct Place: Hashable {
    let object: ObjectName
    let key: ExactString?

    init(_ edit: Edit<ObjectName>) {
      object = edit.object
      key = if case .key(let key) = edit.slot { key } else { nil }
    }
  }

  /// Steps that may take away an object: the places decide, not the order of the steps.
  private var hiding: [Int] {
    var objects: [Place: Int] = [:]
    var puts: [Place: Int] = [:]
    var others: [Place: Int] = [:]
    for edit in start + edits.joined() {
      if edit.madeKind != nil { objects[Place(edit), default: 0] += 1 }
      if case .putObject = edit { puts[Place(edit), default: 0] += 1 }
      if edit.madeKind == nil, edit.takesAway { others[Place(edit), default: 0] += 1 }
    }
    return indexes { edit in
      let place = Place(edit)
      let (made, put) = (objects[place, default: 0], puts[place, default: 0])
      return edit.takesAway
        && (others[place, default: 0] > 0 && made > 0 || put > 0 && made > 1)
    }
  }
}

extension Edit<ObjectName> {
  fileprivate var isPut: Bool { kind == .put || kind == .putObject }

  fileprivate var slot: Slot? {
    switch self {
    case .put(_, let slot, _), .putObject(_, let slot, _), .delete(_, let slot),
      .increment(_, let slot, _):
      slot
    default: nil
    }
  }

  /// Whether what stood at its place may be there no longer.
  fileprivate var takesAway: Bool {
    switch self {
    case .put, .putObject, .delete: true
    case .splice(_, _, let count, _), .spliceText(_, _, let count, _): count != 0
    case .insert, .insertObject, .increment, .mark: false
    }
  }
}

extension Slot {
  fileprivate var isIndex: Bool { if case .index = self { true } else { false } }
}
