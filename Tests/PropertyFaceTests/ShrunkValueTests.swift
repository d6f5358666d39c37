import Foundation
import Testing
import Touchstone

private struct Broken: Error {}

/// Expects what a property that fails on some values shrinks to, as the failure shows it.
private func expect<Value: Sendable>(
  _ values: Values<Value>,
  _ seed: UInt64,
  shrinkTo text: String,
  sourceLocation: SourceLocation = #_sourceLocation,
  where fails: @escaping @Sendable (Value) -> Bool
) async throws {
  let failures = try await propertyFailures(
    "smallest",
    of: values,
    seed: seed,
    file: testFile()
  ) { value in
    if fails(value) { throw Broken() }
  }
  let line = failures.first?.description.split(separator: "\n").first { $0.hasPrefix("value: ") }
  let found = line.map { String($0.dropFirst("value: ".count)) }
  #expect(found == text, sourceLocation: sourceLocation)
}

@Suite("What values shrink to")
struct ShrunkValueTests {
  static let seeds: [UInt64] = [1, 2, 3]

  @Test("Integers shrink by magnitude, positive first", arguments: seeds)
  func integers(seed: UInt64) async throws {
    try await expect(.int(), seed, shrinkTo: "1001") { $0 > 1000 }
    try await expect(.int(), seed, shrinkTo: "-6") { $0 < -5 }
    try await expect(.int(), seed, shrinkTo: "1002") { abs($0 / 2) > 500 }
    try await expect(.int(in: 10...99), seed, shrinkTo: "42") { $0 > 41 }
    try await expect(.int(in: -99 ... -10), seed, shrinkTo: "-42") { $0 < -41 }
    try await expect(.integer(UInt8.self), seed, shrinkTo: "200") { $0 > 199 }
    try await expect(.integer(Int8.self), seed, shrinkTo: "-128") { $0 == .min }
    try await expect(.integer(UInt128.self), seed, shrinkTo: "1180591620717411303425") {
      $0 > 1 << 70
    }
    let either: Values<Int> = .oneOf(.int(in: 0...9), .int(), .constant(.max))
    try await expect(either, seed, shrinkTo: "1001") { $0 > 1000 }
  }

  @Test(
    "Numbers shrink to whole ones, then to fractions that a person would write",
    arguments: seeds
  )
  func floats(seed: UInt64) async throws {
    try await expect(.double(), seed, shrinkTo: "1001.0") { $0 > 1000 }
    try await expect(.double(), seed, shrinkTo: "0.5") { $0 != $0.rounded() }
    try await expect(.double(), seed, shrinkTo: "inf") { $0.isInfinite }
    try await expect(.double(), seed, shrinkTo: "nan") { $0.isNaN }
    try await expect(.double(in: 0.5...10), seed, shrinkTo: "3.0") { $0 > 2.2 }
    try await expect(.float(), seed, shrinkTo: "-8.0") { $0 < -7 }
  }

  @Test("Texts shrink to plain letters", arguments: seeds)
  func texts(seed: UInt64) async throws {
    try await expect(.string(), seed, shrinkTo: "\"aaa\"") { $0.count > 2 }
    let letters: Values<String> = .string(of: .ascii, count: 0...12)
    try await expect(letters, seed, shrinkTo: "\"b\"") { $0.contains("b") }
    try await expect(letters, seed, shrinkTo: "\"abc\"") { Set($0).count > 2 }
  }

  @Test("Dates shrink to the first day of 2001, bytes and UUIDs to zeros", arguments: seeds)
  func others(seed: UInt64) async throws {
    let dates: Values<Date> = .date()
    try await expect(dates, seed, shrinkTo: "2001-01-01 00:00:00 +0000") { _ in true }
    let limit = Date(timeIntervalSinceReferenceDate: 86_400 * 9.5)
    try await expect(dates, seed, shrinkTo: "2001-01-11 00:00:00 +0000") { $0 > limit }
    try await expect(.data(), seed, shrinkTo: "Data(000000)") { $0.count > 2 }
    try await expect(.uuid(), seed, shrinkTo: "00000000-0000-0000-0000-000000000000") { _ in true }
    try await expect(.bool(), seed, shrinkTo: "true") { $0 }
    try await expect(.optional(.int()), seed, shrinkTo: "0") { $0 != nil }
  }

  @Test("Collections shrink to few, simple, sorted or equal elements", arguments: seeds)
  func collections(seed: UInt64) async throws {
    let lists: Values<[Int]> = .array(of: .int())
    try await expect(lists, seed, shrinkTo: "[101]") { $0.reduce(0, &+) > 100 }
    try await expect(lists, seed, shrinkTo: "[0, -1]") { $0 != $0.sorted() }
    try await expect(lists, seed, shrinkTo: "[0, 0]") { Set($0).count < $0.count }
    let some: Values<[Int]> = .array(of: .int(), count: 2...9)
    try await expect(some, seed, shrinkTo: "[0, 7]") { $0.contains { $0 > 6 } }
    try await expect(.set(of: .int()), seed, shrinkTo: "Set([-1, 0, 1])") { $0.count > 2 }
    let table: Values<[String: Int]> = .dictionary(keys: .string(of: .letter), values: .int())
    try await expect(table, seed, shrinkTo: "[\"\": 0]") { !$0.isEmpty }
    let pairs: Values<(Int, String)> = .tuple(.int(), .string())
    try await expect(pairs, seed, shrinkTo: "(4, \"a\")") { $0.0 > 3 && $0.1 != "" }
  }

  @Test(
    "Drawn one after the other, values depend on one another and shrink together",
    arguments: seeds
  )
  func dependent(seed: UInt64) async throws {
    let picks = Values<[Int]>.array(of: .int(), count: 1...9).flatMap { list in
      Values<Int>.element(of: list).map { (list, $0) }
    }
    try await expect(picks, seed, shrinkTo: "([10], 10)") { $0.1 > 9 }
    let even = Values.int().filter { $0.isMultiple(of: 2) }
    try await expect(even, seed, shrinkTo: "6") { $0 > 4 }
    let drawn = Values<(Int, Int)> { source in
      let limit = try source.draw(.int(in: 1...100))
      return (limit, try source.draw(.int(in: 0...limit)))
    }
    try await expect(drawn, seed, shrinkTo: "(7, 7)") { $0.1 > 6 }
  }

  indirect enum Tree: Sendable {
    case leaf(Int)
    case node([Tree])

    var depth: Int {
      switch self {
      case .leaf: 0
      case .node(let children): 1 + (children.map(\.depth).max() ?? 0)
      }
    }
  }

  @Test("A recursive value shrinks to a chain", arguments: seeds)
  func trees(seed: UInt64) async throws {
    let trees = Values<Tree>.recursive(depth: 4, leaf: Values.int().map { .leaf($0) }) { child in
      Values<[Tree]>.array(of: child, count: 0...3).map { .node($0) }
    }
    try await expect(trees, seed, shrinkTo: "node([node([])])") { $0.depth > 1 }
    try await expect(trees, seed, shrinkTo: "leaf(8)") {
      if case .leaf(let n) = $0 { n > 7 } else { false }
    }
  }

  indirect enum Fork: Sendable {
    case end
    case fork(Int, Fork, Fork)

    /// Whether some fork has forks on both sides.
    var isWide: Bool {
      switch self {
      case .end: false
      case .fork(_, .fork, .fork): true
      case .fork(_, let left, let right): left.isWide || right.isWide
      }
    }

    static func values(depth: Int) -> Values<Fork> {
      guard depth > 0 else { return .constant(.end) }
      return Values { source in
        guard source.flag(percent: 70) else { return .end }
        let below = values(depth: depth - 1)
        return .fork(try source.draw(.int()), try source.draw(below), try source.draw(below))
      }
    }
  }

  @Test("A tree that a closure draws shrinks to a tree within it", arguments: seeds)
  func drawnTrees(seed: UInt64) async throws {
    let least = "fork(0, fork(0, end, end), fork(0, end, end))"
    try await expect(Fork.values(depth: 6), seed, shrinkTo: least) { $0.isWide }
  }

  struct Item: Sendable {
    var count: Int
    var due: Date?
    var name: String
  }

  @Test("What a part of a structure needs not becomes the simplest", arguments: seeds)
  func structures(seed: UInt64) async throws {
    let item = Values<(Int, Date?, String)>.tuple(.int(), .optional(.date()), .string())
      .map { Item(count: $0.0, due: $0.1, name: $0.2) }
    let items = Values<[Item]>.array(of: item)
    try await expect(items, seed, shrinkTo: "[Item(count: 10, due: nil, name: \"a\")]") { items in
      items.contains { $0.count > 9 && $0.name != "" }
    }
  }

  struct Person: Codable, Sendable {
    var name: String
    var age: Int?
  }

  @Test("Values of a model are derived from its type", arguments: seeds)
  func models(seed: UInt64) async throws {
    let people: Values<Person> = try .model(Person.self)
    try await expect(people, seed, shrinkTo: "Person(name: \"\", age: 0)") { $0.age != nil }
  }
}
