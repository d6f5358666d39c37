import Foundation
import ModelGeneration
import PropertyEngine
import Testing

private typealias Returning = Codable & Equatable & SendableMetatype

/// Types that hand their own decoder to a type of Foundation's, which reads itself from it by its keys.
@Suite("Values of Foundation's from a shared decoder")
struct SharedDecoderTests {
  /// Hands its decoder on, so that no generator is asked for the type within.
  private struct Wrapper<Value: Codable & Equatable>: Codable, Equatable {
    let value: Value

    init(from decoder: any Decoder) throws { value = try Value(from: decoder) }

    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
  }

  @Test(
    "A wrapper that hands its decoder on gets values of Foundation's types that there are",
    arguments: [
      Calendar.self, CharacterSet.self, DateInterval.self, Decimal.self, IndexSet.self,
      Locale.self, Locale.Currency.self, TimeZone.self, URLComponents.self,
    ] as [any Returning.Type]
  )
  private func wrapped(type: any Returning.Type) throws {
    func comeBack<Value: Returning>(_ type: Value.Type) throws {
      let wrapped = try Derived<Wrapper<Value>>()
      for index in 0..<40 {
        var choices = Choices(seed: Seed(value: 1).stream(UInt64(index)))
        let sample = try wrapped.sample(&choices)
        #expect(try TreeRecorder.tree(of: sample.value) == sample.document)
        let again = try TreeDecoder().decode(Wrapper<Value>.self, from: sample.document)
        #expect(again == sample.value)
      }
    }
    try comeBack(type)
  }

  /// A title beside what a value of Foundation's reads by keys of its own from the same decoder, first or last.
  private struct Flattened<Value: Returning, Order: ReadingOrder>: Codable, Equatable {
    enum CodingKeys: CodingKey { case title, note }

    let value: Value
    let title: String
    let note: String?

    init(from decoder: any Decoder) throws {
      let first = try Order.readsValueFirst ? Value(from: decoder) : nil
      let container = try decoder.container(keyedBy: CodingKeys.self)
      title = try container.decode(String.self, forKey: .title)
      note = try container.decodeIfPresent(String.self, forKey: .note)
      value = try first ?? Value(from: decoder)
      // Asked again, the place repeats its answer.
      guard try Value(from: decoder) == value else {
        throw DecodingError.dataCorruptedError(
          forKey: .title,
          in: container,
          debugDescription: "two values at one place"
        )
      }
    }

    func encode(to encoder: any Encoder) throws {
      try value.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(title, forKey: .title)
      try container.encodeIfPresent(note, forKey: .note)
    }
  }

  private protocol ReadingOrder { static var readsValueFirst: Bool { get } }
  private enum First: ReadingOrder { static var readsValueFirst: Bool { true } }
  private enum Last: ReadingOrder { static var readsValueFirst: Bool { false } }

  @Test(
    "What a type reads beside a value of Foundation's, from the same decoder, is derived as well",
    arguments: [
      Calendar.self, CharacterSet.self, DateInterval.self, Decimal.self, IndexSet.self, Locale.self,
      TimeZone.self, URLComponents.self,
    ] as [any Returning.Type]
  )
  private func flattened(type: any Returning.Type) throws {
    func comeBack<Model: Codable & Equatable>(_ type: Model.Type) throws {
      let models = try Derived(type)
      var documents: [Tree] = []
      for index in 0..<40 {
        var choices = Choices(seed: Seed(value: 1).stream(UInt64(index)))
        let sample = try models.sample(&choices)
        guard case .map(let entries) = sample.document else {
          Issue.record("no map: \(sample.document)")
          return
        }
        #expect(entries.contains { $0.key == "title" })
        #expect(try TreeDecoder().decode(type, from: sample.document) == sample.value)
        if !documents.contains(sample.document) { documents.append(sample.document) }
      }
      #expect(documents.count > 10)
    }
    func comeBack<Value: Returning>(with type: Value.Type) throws {
      try comeBack(Flattened<Value, First>.self)
      try comeBack(Flattened<Value, Last>.self)
    }
    try comeBack(with: type)
  }

  /// Two values of Foundation's and a list read from one decoder.
  private struct Visit: Codable, Equatable {
    enum CodingKeys: CodingKey { case guests }

    let time: DateInterval
    let zone: TimeZone
    let guests: [String]

    init(from decoder: any Decoder) throws {
      time = try DateInterval(from: decoder)
      zone = try TimeZone(from: decoder)
      let container = try decoder.container(keyedBy: CodingKeys.self)
      guests = try container.decode([String].self, forKey: .guests)
    }

    func encode(to encoder: any Encoder) throws {
      try time.encode(to: encoder)
      try zone.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(guests, forKey: .guests)
    }
  }

  @Test("Several values of Foundation's are derived from one decoder")
  func visits() throws {
    let visits = try Derived<Visit>()
    for index in 0..<40 {
      var choices = Choices(seed: Seed(value: 1).stream(UInt64(index)))
      let sample = try visits.sample(&choices)
      #expect(try TreeRecorder.tree(of: sample.value) == sample.document)
      #expect(try TreeDecoder().decode(Visit.self, from: sample.document) == sample.value)
    }
  }
}
