import Foundation
import ModelGeneration
import PropertyEngine

/// What a text or counter is outside of documents: to another coder, and in words.
///
///     bound to the text "ab"     {"value":"ab"} in JSON, read as one that is not bound     "ab" in words
///     bound to a counter of 3    {"value":3}                                               "3"
struct OtherCoderForms {
  private let instance: AnyObject

  init(of instance: AnyObject) { self.instance = instance }

  /// Where another form is due; what a type does not say of itself is not asked for.
  func check() throws -> Difference? {
    let shown: String
    switch instance {
    case let text as any ModelText:
      shown = text.value
      if let found = try Self.difference(text) { return found }
    case let counter as any ModelCounter:
      shown = "\(counter.value)"
      if let found = try Self.difference(counter) { return found }
    default: return nil
    }
    return Self.words(of: instance, shown)
  }

  /// Where what an instance says of itself is not its value.
  private static func words(of instance: AnyObject, _ shown: String) -> Difference? {
    let words = (instance as? any CustomStringConvertible)?.description ?? shown
    let details = (instance as? any CustomDebugStringConvertible)?.debugDescription ?? shown
    // By bytes: the first letter of a text may join what stands before it.
    guard words.utf8.elementsEqual(shown.utf8),
      details.utf8.suffix(shown.utf8.count).elementsEqual(shown.utf8)
    else {
      return Difference(
        kind: "reference.words",
        summary: "an instance describes itself without its value",
        expected: shown,
        actual: "\(words), in detail \(details)"
      )
    }
    return nil
  }

  private static func difference<Text: ModelText>(_ text: Text) throws -> Difference? {
    let json = try JSONEncoder().encode(text)
    let keys = try JSONDecoder().decode([String: String].self, from: json).keys
    let back = try JSONDecoder().decode(Text.self, from: json)
    let isSame = back.value.utf8.elementsEqual(text.value.utf8) && Array(keys) == ["value"]
    return difference(isSame, isBound: back.isBound, json) ?? words(of: back, text.value)
  }

  private static func difference<Counter: ModelCounter>(
    _ counter: Counter
  ) throws -> Difference? {
    let json = try JSONEncoder().encode(counter)
    let map = try JSONDecoder().decode([String: Int].self, from: json)
    let back = try JSONDecoder().decode(Counter.self, from: json)
    let isSame = back.value == counter.value && map == ["value": counter.value]
    return difference(isSame, isBound: back.isBound, json) ?? words(of: back, "\(counter.value)")
  }

  private static func difference(_ isSame: Bool, isBound: Bool, _ json: Data) -> Difference? {
    guard !isSame || isBound else { return nil }
    let form = String(decoding: json, as: UTF8.self)
    return Difference(
      kind: "reference.other-coder",
      summary: "an instance comes back from JSON with another value, or bound",
      expected: "an unbound one, from {\"value\": ...}",
      actual: "\(isBound ? "a bound" : "an unbound") one, from \(form)"
    )
  }
}
