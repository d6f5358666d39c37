public import Foundation
import ModelLaws
import PropertyEngine

/// Elements of a collection by default, for recipes that are given no other count.
public let defaultElementCount = 0...16

extension Values where Value == Character {
  /// Characters of a text; the first is the simplest.
  public static func character(in text: String) -> Values { .element(of: Array(text)) }

  /// `a` to `z`.
  public static var lowercaseLetter: Values { character(in: "abcdefghijklmnopqrstuvwxyz") }

  /// `a` to `z`, `A` to `Z`.
  public static var letter: Values {
    character(in: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
  }

  /// `0` to `9`.
  public static var digit: Values { character(in: "0123456789") }

  /// Letters, digits, then the other printable characters of ASCII.
  public static var ascii: Values {
    character(
      in: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
        + " !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
    )
  }
}

extension Values where Value == String {
  /// Text that programs get wrong: letters first, then controls, accents in both forms, emoji, directions.
  ///
  /// "" is the simplest.
  public static func string(scalarsUpTo count: Int = 16) -> Values {
    let classes = HostileTextClass.all
    let weights = classes.map(\.weight)
    let limit = max(0, count)
    return Values(choices: { choices in
      var text = String.UnicodeScalarView()
      choices.repeated(upTo: limit, averaging: limit / 2, "piece") { choices in
        let pieces = classes[choices.pick(weights: weights)].pieces
        let piece = choices.element(of: pieces).unicodeScalars
        // Three choices for each scalar: else one long piece would be simpler than two plain letters.
        for _ in 0..<3 * (piece.count - 1) { _ = choices.choice(upTo: 0) }
        if text.count + piece.count <= limit { text.append(contentsOf: piece) }
      }
      return String(text)
    })
  }

  /// Text of the given characters: `.string(of: .letter, count: 1...8)`.
  public static func string(
    of characters: Values<Character>,
    count: ClosedRange<Int> = defaultElementCount
  ) -> Values {
    Values<[Character]>.array(of: characters, count: count).map { String($0) }
  }
}

extension Values where Value == Data {
  /// Bytes; fewer are simpler.
  public static func data(count: ClosedRange<Int> = defaultElementCount) -> Values {
    Values<[UInt8]>.array(of: .integer(UInt8.self), count: count).map { Data($0) }
  }
}

extension Values {
  /// Arrays; fewer elements are simpler, then simpler elements.
  ///
  /// A count below 0 counts as 0.
  public static func array<Element>(
    of elements: Values<Element>,
    count: ClosedRange<Int> = defaultElementCount
  ) -> Values where Value == [Element] {
    let count = max(0, count.lowerBound)...max(0, count.upperBound)
    return Values(choices: { choices in
      var values: [Element] = []
      try choices.elements(count: count) { choices in
        values.append(try elements.body(&choices))
        return values.count
      }
      return values
    })
  }

  /// Sets; a case is discarded if too few distinct elements are drawn.
  public static func set<Element>(
    of elements: Values<Element>,
    count: ClosedRange<Int> = defaultElementCount
  ) -> Values where Value == Set<Element>, Element: SendableMetatype {
    let count = max(0, count.lowerBound)...max(0, count.upperBound)
    return Values(choices: { choices in
      var values: Set<Element> = []
      try choices.elements(count: count) { choices in
        values.insert(try elements.body(&choices))
        return values.count
      }
      return values
    })
  }

  /// Dictionaries; a case is discarded if too few distinct keys are drawn.
  public static func dictionary<Key, Element>(
    keys: Values<Key>,
    values: Values<Element>,
    count: ClosedRange<Int> = defaultElementCount
  ) -> Values where Value == [Key: Element], Key: SendableMetatype {
    let count = max(0, count.lowerBound)...max(0, count.upperBound)
    return Values(choices: { choices in
      var found: [Key: Element] = [:]
      try choices.elements(count: count) { choices in
        let key = try keys.body(&choices)
        let value = try values.body(&choices)
        // The first stays: a later equal key would else change what came before.
        if found[key] == nil { found[key] = value }
        return found.count
      }
      return found
    })
  }
}

extension Choices {
  /// Draws elements, each in a span with its "another?"; the first ones, up to the lower bound, must be.
  ///
  /// `element` draws one, and returns how many distinct ones there are now.
  ///
  /// - Throws: ``Discarded`` if ten times as many as needed are too few, and what `element` throws.
  fileprivate mutating func elements(
    count: ClosedRange<Int>,
    _ element: (inout Choices) throws -> Int
  ) throws {
    var found = 0
    var attempts = 0
    while found < count.lowerBound {
      guard attempts < 10 * count.lowerBound else {
        throw Discarded("\(attempts) draws gave \(found) distinct elements of \(count.lowerBound)")
      }
      found = try span("element") { choices throws(any Error) in
        // In the place of "another?", so that one can stand in for any other.
        _ = choices.choice(upTo: 0)
        return try element(&choices)
      }
      attempts += 1
    }
    let spare = count.upperBound - count.lowerBound
    try repeated(upTo: spare, averaging: spare / 2, "element") { choices throws(any Error) in
      _ = try element(&choices)
    }
  }
}

extension Values where Value: Codable & SendableMetatype {
  /// Values of a model, derived from its `init(from:)` as ``expectLaws(of:with:samples:words:generators:tolerance:cases:seed:time:sourceLocation:)``
  /// derives them.
  ///
  /// - Throws: ``JudgementError`` if none can be derived; it says what to add.
  public static func model(
    _ type: Value.Type,
    words: [String: [String]] = [:],
    generators: [ValueGenerator] = []
  ) throws -> Values {
    let options = ValueOptions<Value>(words: words, generators: generators)
    let source = try options.source(storing: nil, judgedBy: PropertyLaw.subjectID)
    return Values(choices: { try source.draw(&$0).value })
  }
}
