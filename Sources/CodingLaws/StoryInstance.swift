import CodingSupport
import ModelGeneration

/// A text or a counter of the model, with its place; all elements of a set have one.
struct StoryInstance<Text: ModelText, Counter: ModelCounter> {
  let path: [StoryStep]
  var text: Text?
  var counter: Counter?

  var identity: ObjectIdentifier? {
    text.map { ObjectIdentifier($0) } ?? counter.map { ObjectIdentifier($0) }
  }
  var value: String { text?.value ?? "\(counter?.value ?? 0)" }
  var isInList: Bool {
    path.contains { step in
      switch step {
      // No rule says that the pairs of a dictionary are more than elements of a list.
      case .index, .slot: true
      case .member: !StoryShape<Text, Counter>.hasSets
      case .key: false
      }
    }
  }
  var isBound: Bool { text?.isBound ?? counter?.isBound ?? false }
  var isAttached: Bool { text?.isAttached ?? counter?.isAttached ?? false }
  /// The place by keys of maps alone; `nil` where a list or a set is around.
  var keys: [PathKey]? {
    let keys = path.compactMap { step -> PathKey? in
      if case .key(let key) = step { .key(key) } else { nil }
    }
    return keys.count == path.count ? keys : nil
  }

  func edit(_ number: Int) {
    if let text { text.value += "\(number)" }
    counter?.increment(by: 10 + number)
  }
}
