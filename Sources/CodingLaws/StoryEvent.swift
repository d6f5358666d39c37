import CodingSupport
import ModelGeneration
import PropertyEngine

/// What an app or its peer does next.
///
/// A sample holds it as a tree, which a person can read (``tree``):
///
///     {"do": "add", "as": int 2, "in": int 0, "what": counter 5}   a new counter of 5, as "k2" of the root
///     {"do": "swap", "at": int 1, "with": int 3}                   two places of the model change what they hold
///     {"do": "peer", "at": int 1, "by": int 0}                     the peer edits what it has at some place
///     {"do": "merge"}                                              the app merges what the peer has done
///     {"do": "encode", "by": "override"}                           the model is written
///
/// Numbers choose among what there is, modulo its count, so that any number is valid.
enum StoryEvent: Hashable, Sendable {
  /// The model gets another shape.
  case change(StoryChange)
  /// Another value or instance stands at a place of the model.
  case put(StorySketch, at: Int)
  /// A text or counter moves to a holder; it may leave a plain value that reads alike.
  case move(at: Int, in: Int, as: Int, leavesPlain: Bool)
  /// An instance joins a set, or leaves it.
  case toggle(set: Int, instance: Int)
  /// A text gets another content, a counter grows; numbers below ``instanceCount`` are of texts.
  case alter(instance: Int, to: String)
  /// The peer edits what stands at a place of its document.
  case peer(at: Int, by: Int)
  /// The app's document merges the peer's.
  case merge
  /// The model is written.
  case encode(StoryEncode)
  /// Instances are edited and the model changes; it is then written based on the heads before the edits.
  case based(edits: [Int], changes: [StoryChange])
  /// The model is written, and its instances are decoded anew.
  case reopen
}

/// A change of the model's shape.
enum StoryChange: Hashable, Sendable {
  /// A new part of a list, a map or a dictionary of pairs, at an index or key.
  case add(StorySketch, in: Int, as: Int)
  case remove(at: Int)
  /// Two places, neither within the other, exchange what they hold.
  case swap(at: Int, with: Int)
}

/// How a model is written, and what happens around it.
struct StoryEncode: Hashable, Sendable {
  let strategy: EncodingSettings.Strategy
  /// Whether it is written into another document than the app's.
  var isElsewhere = false
  /// Whether a replica edits all texts and counters before the encode, and is merged after it.
  var hasWitness = false
  /// Whether each instance is edited afterwards.
  var editsThen = false
}

// MARK: - How events are drawn

extension StoryEvent {
  /// Numbers that choose an instance or a place; there seldom are more.
  static let instanceCount = 12
  private static let placeCount = 24
  static let keyCount = 4
  /// Events of a story at most.
  static let storyLimit = 14

  static func key(_ number: Int) -> String { "k\(number % keyCount)" }

  /// The encode that every story ends with.
  static func ending(isOverride: Bool) -> StoryEvent {
    .encode(StoryEncode(strategy: isOverride ? .override : .createWhenNeeded, editsThen: true))
  }

  static func drawn(_ choices: inout Choices) -> StoryEvent {
    func number(below limit: Int) -> Int { choices.index(below: limit) }
    func place() -> Int { number(below: placeCount) }
    switch choices.pick(weights: [11, 5, 4, 3, 3, 4, 3, 3, 2, 2, 4, 3]) {
    case 0:
      let strategies: [EncodingSettings.Strategy] = [.override, .createWhenNeeded, .readonly]
      return .encode(
        StoryEncode(
          strategy: strategies[choices.pick(weights: [5, 5, 1])],
          isElsewhere: choices.flag(percent: 6),
          hasWitness: choices.flag(percent: 40),
          editsThen: choices.flag(percent: 50)
        )
      )
    case 1:
      let what = StorySketch.drawn(&choices, knowsInstances: true)
      return .change(.add(what, in: place(), as: number(below: keyCount)))
    case 2: return .change(.remove(at: place()))
    case 3: return .put(StorySketch.drawn(&choices, knowsInstances: true), at: place())
    case 4: return .change(.swap(at: place(), with: place()))
    case 5: return .toggle(set: number(below: 6), instance: number(below: instanceCount))
    case 6:
      let instance = number(below: 2 * instanceCount)
      return .alter(instance: instance, to: StorySketch.word(&choices))
    case 7: return .peer(at: place(), by: number(below: 8))
    case 8: return .merge
    case 9: return .reopen
    case 10:
      return .move(
        at: place(),
        in: place(),
        as: number(below: keyCount),
        leavesPlain: choices.flag(percent: 50)
      )
    default: return basedOnHeads(&choices)
    }
  }

  private static func basedOnHeads(_ choices: inout Choices) -> StoryEvent {
    var edits: [Int] = []
    var changes: [StoryChange] = []
    choices.repeated(upTo: 3, averaging: 2, "edit") { edits.append($0.index(below: placeCount)) }
    choices.repeated(upTo: 3, averaging: 2, "change") { choices in
      let place = choices.index(below: placeCount)
      switch choices.pick(weights: [6, 3, 2]) {
      case 1: changes.append(.remove(at: place))
      case 2: changes.append(.swap(at: place, with: choices.index(below: placeCount)))
      default:
        let what = StorySketch.drawn(&choices, knowsInstances: false)
        changes.append(.add(what, in: place, as: choices.index(below: keyCount)))
      }
    }
    return .based(edits: edits, changes: changes)
  }
}
