import CodingSupport
import ModelGeneration
import PropertyEngine

/// What an app or its peer does next, as a tree: a story reads in a stored sample as it was told.
///
///     {"do": "add", "as": 2, "in": 0, "what": counter 5}     a new counter of 5, as "k2" of the root
///     {"do": "swap", "at": 1, "with": 3}                      two places of the model change what they hold
///     {"do": "peer", "at": 1, "by": 0}                        the peer edits what it has at some place
///     {"do": "merge"}                                         and the app hears of it
///     {"do": "encode", "by": "override"}                      the model is written
///
/// Numbers choose among what there is, modulo its count, so that every tree is an event of some kind.
struct StoryEvent {
  let tree: Tree

  /// What it is: `add`, `alter`, `based`, `encode`, `merge`, `move`, `peer`, `put`, `remove`, `reopen`, `swap` or
  /// `toggle`.
  var kind: String {
    if case .string(let kind)? = tree.child(.key("do")) { kind } else { "" }
  }

  /// A number that the event names; 0 for what it does not name.
  func number(_ key: String) -> Int { Self.number(tree.child(.key(key))) }

  static func number(_ tree: Tree?) -> Int {
    guard case .int(let number)? = tree else { return 0 }
    return Int(number & 0x7FFF_FFFF)
  }

  func text(_ key: String) -> String {
    if case .string(let text)? = tree.child(.key(key)) { text } else { "" }
  }

  func isSet(_ key: String) -> Bool { tree.child(.key(key)) == .boolean(true) }

  func list(_ key: String) -> [Tree] {
    if case .list(let list)? = tree.child(.key(key)) { list } else { [] }
  }

  var what: Tree { tree.child(.key("what")) ?? .null }
}

// MARK: - How events are drawn

extension StoryEvent {
  /// Contents of new texts and strings: some alike, some the beginning of another, one empty.
  private static let words = ["", "a", "b", "ab"]
  /// Numbers that choose an instance or a place; there seldom are more.
  static let instanceCount = 12
  private static let placeCount = 24
  private static let keyCount = 4
  /// Events of a story at most.
  static let storyLimit = 14

  static func key(_ number: Int) -> String { "k\(number % keyCount)" }

  private init(_ kind: String, _ parts: [(String, Tree)]) {
    let entries = [Tree.Entry("do", .string(kind))] + parts.map { Tree.Entry($0.0, $0.1) }
    tree = .map(of: entries)
  }

  /// The encode that every story ends with.
  static func ending(isOverride: Bool) -> StoryEvent {
    let strategy = Tree.string(isOverride ? "override" : "createWhenNeeded")
    return StoryEvent("encode", [("by", strategy), ("then edit", .boolean(true))])
  }

  static func drawn(_ choices: inout Choices) -> StoryEvent {
    func number(below limit: Int) -> Tree { .int(Int64(choices.index(below: limit))) }
    func place() -> Tree { number(below: placeCount) }
    switch choices.pick(weights: [11, 5, 4, 3, 3, 4, 3, 3, 2, 2, 4, 3]) {
    case 0:
      let strategy = choices.pick(weights: [5, 5, 1])
      let isElsewhere = choices.flag(percent: 6)
      return StoryEvent(
        "encode",
        [
          ("by", .string(["override", "createWhenNeeded", "readonly"][strategy])),
          ("elsewhere", .boolean(isElsewhere)),
          ("with witness", .boolean(choices.flag(percent: 40))),
          ("then edit", .boolean(choices.flag(percent: 50))),
        ]
      )
    case 1:
      let what = sketch(&choices, depth: 0, knowsInstances: true)
      return StoryEvent("add", [("what", what), ("in", place()), ("as", number(below: keyCount))])
    case 2: return StoryEvent("remove", [("at", place())])
    case 3:
      return StoryEvent(
        "put",
        [("what", sketch(&choices, depth: 0, knowsInstances: true)), ("at", place())]
      )
    case 4: return StoryEvent("swap", [("at", place()), ("with", place())])
    case 5:
      return StoryEvent(
        "toggle",
        [("set", number(below: 6)), ("instance", number(below: instanceCount))]
      )
    case 6:
      return StoryEvent(
        "alter",
        [("instance", number(below: 2 * instanceCount)), ("to", word(&choices))]
      )
    case 7: return StoryEvent("peer", [("at", place()), ("by", number(below: 8))])
    case 8: return StoryEvent("merge", [])
    case 9: return StoryEvent("reopen", [])
    case 10:
      let parts = [("at", place()), ("in", place()), ("as", number(below: keyCount))]
      return StoryEvent("move", parts + [("leaves plain", .boolean(choices.flag(percent: 50)))])
    default: return basedOnHeads(&choices)
    }
  }

  private static func basedOnHeads(_ choices: inout Choices) -> StoryEvent {
    var (edits, changes): ([Tree], [Tree]) = ([], [])
    choices.repeated(upTo: 3, averaging: 2, "edit") {
      edits.append(.int(Int64($0.index(below: placeCount))))
    }
    choices.repeated(upTo: 3, averaging: 2, "change") { choices in
      let place = Tree.int(Int64(choices.index(below: placeCount)))
      switch choices.pick(weights: [6, 3, 2]) {
      case 1: changes.append(StoryEvent("remove", [("at", place)]).tree)
      case 2:
        let other = Tree.int(Int64(choices.index(below: placeCount)))
        changes.append(StoryEvent("swap", [("at", place), ("with", other)]).tree)
      default: changes.append(addition(&choices, in: place))
      }
    }
    return StoryEvent("based", [("edits", .list(edits)), ("changes", .list(changes))])
  }

  private static func addition(_ choices: inout Choices, in place: Tree) -> Tree {
    let what = sketch(&choices, depth: 0, knowsInstances: false)
    let key = Tree.int(Int64(choices.index(below: keyCount)))
    return StoryEvent("add", [("what", what), ("in", place), ("as", key)]).tree
  }

  private static func word(_ choices: inout Choices) -> Tree {
    .string(choices.element(of: words))
  }

  /// A shape to come: texts and counters are new ones; those that are known, sets and pairs are maps of one key.
  ///
  ///     text "a"               a new text             {"text": 2}            the third text of the story
  ///     {"counters": [0, 2]}   a set of two           {"pairs": [0, null]}   a pair, of the first key
  ///     {"map": {"k0": 1}}     a map                  [1, "a"]               a list
  private static func sketch(_ choices: inout Choices, depth: Int, knowsInstances: Bool) -> Tree {
    func several(_ item: (inout Choices) -> Tree) -> [Tree] {
      var items: [Tree] = []
      choices.repeated(upTo: 3, averaging: 2, "item") { items.append(item(&$0)) }
      return items
    }
    func inner(_ choices: inout Choices) -> Tree {
      sketch(&choices, depth: depth + 1, knowsInstances: knowsInstances)
    }
    func instance(_ choices: inout Choices) -> Tree {
      .int(Int64(choices.index(below: instanceCount)))
    }
    func one(_ key: String, _ value: Tree) -> Tree { .map(of: [Tree.Entry(key, value)]) }
    let known = knowsInstances ? 1 : 0
    let weights = [1, 2, 2, 4, 4, 6 * known, 6 * known]
    switch choices.pick(weights: depth < 3 ? weights + [5, 5, 4, 3 * known, 3 * known] : weights) {
    case 0: return .null
    case 1: return .int(Int64(choices.index(below: 3)))
    case 2: return word(&choices)
    case 3: return .text(choices.element(of: words))
    case 4: return .counter(Int64(choices.index(below: 4)))
    case 5: return one("text", instance(&choices))
    case 6: return one("counter", instance(&choices))
    case 7: return .list(several(inner))
    case 8:
      var entries: [Tree.Entry] = []
      choices.repeated(upTo: 3, averaging: 2, "entry") { choices in
        let key = key(choices.index(below: keyCount))
        entries.append(Tree.Entry(key, inner(&choices)))
      }
      return one("map", .map(of: entries))
    case 9:
      var pairs: [Tree] = []
      choices.repeated(upTo: 3, averaging: 2, "pair") { choices in
        pairs.append(.int(Int64(choices.index(below: StorySlot.allCases.count))))
        pairs.append(inner(&choices))
      }
      return one("pairs", .list(pairs))
    case 10: return one("texts", .list(several(instance)))
    default: return one("counters", .list(several(instance)))
    }
  }
}
