import Foundation
import Testing

@testable import ModelGeneration

@Suite("What metadata says of types")
struct TypeFactsTests {
  private enum Empty {}
  private enum Single { case only }
  private enum Two: String { case first, second }
  private enum Listed: Int, CaseIterable {
    case one = 1
    case two
  }
  private enum Payload {
    case none
    case some(Int)
    case both(String, Bool)
  }
  private indirect enum Tree {
    case leaf
    case node(Tree, Tree)
  }
  private enum Generic<Value> {
    case value(Value)
    case nothing
  }
  private enum Plain<Value> { case left, right }
  private struct Struct { enum Inner { case a, b, c } }
  private final class Class { enum Inner { case a } }
  private actor Actor {}
  private protocol Proto {}
  private enum Keys: String, CodingKey {
    case alpha
    case beta = "b"
  }

  private static let enumerations: [any Any.Type] = [
    Empty.self, Single.self, Two.self, Listed.self, Payload.self, Tree.self, Generic<Int>.self,
    Generic<[String: Class]>.self, Plain<Never>.self, Struct.Inner.self, Class.Inner.self,
    Keys.self, Never.self, ComparisonResult.self, Result<Int, any Error>.self,
    FloatingPointRoundingRule.self,
  ]
  private static let others: [any Any.Type] = [
    Int.self, Bool.self, String.self, [Int].self, [String: Two].self, Struct.self, Class.self,
    Actor.self, Int?.self, Two?.self, Payload??.self, (Int, String).self, Void.self,
    ((Int) -> Two).self, (@Sendable () async throws -> Void).self, Any.self, AnyObject.self,
    (any Proto).self, (any Proto & AnyObject).self, (any Error).self, Any.Type.self,
    Two.Type.self, (any Proto).Type.self, (any Proto.Type).self, Data.self, Date.self,
    NSObject.self,
    ObjectIdentifier.self, Range<Int>.self, Mirror.self,
  ]

  @Test("Enumerations are told from every other kind of type, and none traps")
  func kinds() {
    for type in Self.enumerations { #expect(TypeFacts.isEnumeration(type), "\(type)") }
    for type in Self.others { #expect(!TypeFacts.isEnumeration(type), "\(type)") }
  }

  @Test("All values are those that are declared, in their order, or none are given")
  func values() {
    #expect(TypeFacts.allValues(Single.self) == [.only])
    #expect(TypeFacts.allValues(Two.self) == [.first, .second])
    #expect(TypeFacts.allValues(Listed.self) == [.one, .two])
    #expect(TypeFacts.allValues(Struct.Inner.self) == [.a, .b, .c])
    #expect(TypeFacts.allValues(Plain<String>.self) == [.left, .right])
    #expect(TypeFacts.allValues(Keys.self) == [.alpha, .beta])
    #expect(TypeFacts.allValues(Empty.self) == nil)
    #expect(TypeFacts.allValues(Payload.self) == nil)
    #expect(TypeFacts.allValues(Tree.self) == nil)
    #expect(TypeFacts.allValues(Generic<Int>.self) == nil)
    #expect(TypeFacts.allValues(Two?.self) == nil)
    #expect(TypeFacts.allValues(Int.self) == nil)
  }

  @Test("Case names are those that are declared, and none of another type")
  func names() {
    #expect(TypeFacts.caseNames(Payload.self).sorted() == ["both", "none", "some"])
    #expect(TypeFacts.caseNames(Two.self) == ["first", "second"])
    #expect(TypeFacts.caseNames(Empty.self) == [])
    for type in Self.others { #expect(TypeFacts.caseNames(type) == [], "\(type)") }
  }

  @Test("Keys and raw values are read back as what they are")
  func keys() {
    #expect(TypeFacts.keys(Keys.self)?.map(\.stringValue) == ["alpha", "b"])
    #expect(TypeFacts.rawValues(Two.self) as? [String] == ["first", "second"])
    #expect(TypeFacts.rawValues(Listed.self) as? [Int] == [1, 2])
    #expect(TypeFacts.rawValues(Payload.self) == nil)
    #expect(TypeFacts.rawValues(Int.self) == nil)
  }

  @Test("Stress: eight threads that ask of all types at once hear what one alone hears")
  func manyThreads() async {
    let alone = Self.all()
    await withTaskGroup(of: [[String]].self) { group in
      for _ in 0..<8 {
        group.addTask { (0..<200).map { _ in Self.all() } }
      }
      for await answers in group { #expect(answers.allSatisfy { $0 == alone }) }
    }
  }

  /// What is said of every type, in words.
  private static func all() -> [String] {
    (enumerations + others).map { type in
      func open<T>(_ type: T.Type) -> String {
        "\(type) \(TypeFacts.isEnumeration(type)) \(TypeFacts.caseNames(type)) "
          + "\(TypeFacts.allValues(type).map { "\($0)" } ?? "-")"
      }
      return _openExistential(type, do: open)
    }
  }
}
