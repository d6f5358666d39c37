import Foundation
import Testing
import Touchstone

/// Each test fails, on the law that it is named after.
@Suite("Models that are wrong")
struct BrokenModelTests {
  @Test func lossless() async throws { try await expectLaws(of: LossyTask.self) }

  @Test func deterministic() async throws { try await expectLaws(of: StampedNote.self) }

  @Test func keyOrder() async throws { try await expectLaws(of: OrderedTags.self) }

  @Test func upgrade() async throws {
    try await expectDrift(from: RecipeV1.self, to: RecipeV2.self)
  }
}

/// The process ends in this one, and says where.
@Suite("A model that traps")
struct TrappingModelTests {
  @Test func oldData() async throws { try await expectLaws(of: TrappingEvent.self) }
}

/// Forgets whether it is done.
struct LossyTask: Codable {
  var title: String
  var isDone: Bool

  enum CodingKeys: CodingKey { case title, isDone }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    title = try container.decode(String.self, forKey: .title)
    isDone = try container.decodeIfPresent(Bool.self, forKey: .isDone) ?? false
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(title, forKey: .title)
  }
}

/// Has another id each time it is read.
struct StampedNote: Codable, Equatable {
  var id = UUID()
  var text: String

  enum CodingKeys: CodingKey { case text }
}

/// Takes whichever tag comes first for the main one.
struct OrderedTags: Codable {
  var main: String?
  var weights: [String: Int]

  struct Tag: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Tag.self)
    main = container.allKeys.first?.stringValue
    weights = [:]
    for tag in container.allKeys {
      weights[tag.stringValue] = try container.decode(Int.self, forKey: tag)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Tag.self)
    for (tag, weight) in weights { try container.encode(weight, forKey: Tag(stringValue: tag)) }
  }
}

/// Takes for granted what an older version did not write.
struct TrappingEvent: Codable {
  var title: String
  var seats: Int

  enum CodingKeys: CodingKey { case title, seats }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    title = try container.decode(String.self, forKey: .title)
    let known = try [container.decodeIfPresent(Int.self, forKey: .seats)].compactMap(\.self)
    seats = known[0]
  }
}

struct RecipeV1: Codable {
  var title: String
  var minutes: Int
}

/// Counts in seconds under the old key.
struct RecipeV2: Codable {
  var title: String
  var seconds: Int

  enum CodingKeys: String, CodingKey {
    case title
    case seconds = "minutes"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    title = try container.decode(String.self, forKey: .title)
    seconds = try container.decode(Int.self, forKey: .seconds) &* 60
  }
}
