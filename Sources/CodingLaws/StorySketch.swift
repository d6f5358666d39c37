import ModelGeneration
import PropertyEngine

/// What is put into the model of a story: a value whose texts and counters are new or known.
///
/// A known instance, a set and pairs are maps of one key in its tree (``tree``), since a map holds any key:
///
///     text "a"                      a new text          {"text": int 2}                  the third text of the story
///     {"counters": [int 0, int 2]}  a set of two        {"pairs": [int 0, null]}         a pair, of the first key
///     {"map": {"k0": int 1}}        a map               [int 1, "a"]                     a list
indirect enum StorySketch: Hashable, Sendable {
  case null
  case int(Int64)
  case string(String)
  case newText(String)
  case newCounter(Int64)
  /// A text that the story has made before, by its number.
  case text(Int)
  case counter(Int)
  case texts([Int])
  case counters([Int])
  case list([Self])
  case map([Entry])
  case pairs([Pair])

  /// A key of a map and what it holds.
  struct Entry: Hashable, Sendable {
    let key: String
    let value: StorySketch
  }

  /// A key of a dictionary that is a list of pairs, and what it holds.
  struct Pair: Hashable, Sendable {
    let slot: StorySlot
    let value: StorySketch
  }
}

extension StorySketch {
  /// Contents of new texts and strings: some alike, some the beginning of another, one empty.
  private static let words = ["", "a", "b", "ab"]

  static func word(_ choices: inout Choices) -> String { choices.element(of: words) }

  /// Draws a value; one that knows no instances is made of new ones alone, unless bytes choose otherwise.
  static func drawn(
    _ choices: inout Choices,
    depth: Int = 0,
    knowsInstances: Bool
  ) -> StorySketch {
    func several<Item>(_ item: (inout Choices) -> Item) -> [Item] {
      var items: [Item] = []
      choices.repeated(upTo: 3, averaging: 2, "item") { items.append(item(&$0)) }
      return items
    }
    func inner(_ choices: inout Choices) -> StorySketch {
      drawn(&choices, depth: depth + 1, knowsInstances: knowsInstances)
    }
    func instance(_ choices: inout Choices) -> Int {
      choices.index(below: StoryEvent.instanceCount)
    }
    let known = knowsInstances ? 1 : 0
    let weights = [1, 2, 2, 4, 4, 6 * known, 6 * known]
    switch choices.pick(weights: depth < 3 ? weights + [5, 5, 4, 3 * known, 3 * known] : weights) {
    case 0: return .null
    case 1: return .int(Int64(choices.index(below: 3)))
    case 2: return .string(word(&choices))
    case 3: return .newText(word(&choices))
    case 4: return .newCounter(Int64(choices.index(below: 4)))
    case 5: return .text(instance(&choices))
    case 6: return .counter(instance(&choices))
    case 7: return .list(several(inner))
    case 8:
      var entries: [Entry] = []
      choices.repeated(upTo: 3, averaging: 2, "entry") { choices in
        let key = StoryEvent.key(choices.index(below: StoryEvent.keyCount))
        entries.append(Entry(key: key, value: inner(&choices)))
      }
      return .map(entries)
    case 9:
      var pairs: [Pair] = []
      choices.repeated(upTo: 3, averaging: 2, "pair") { choices in
        let slot = StorySlot(choices.index(below: StorySlot.allCases.count))
        pairs.append(Pair(slot: slot, value: inner(&choices)))
      }
      return .pairs(pairs)
    case 10: return .texts(several(instance))
    default: return .counters(several(instance))
    }
  }
}
