import Foundation

final class Chain: Codable {
  var value: Int
  var next: Chain?

  init(value: Int, next: Chain?) {
    self.value = value
    self.next = next
  }
}

struct Branch: Codable, Equatable {
  var name: String
  var children: [Branch]
}

struct Folder: Codable, Equatable {
  var files: [String: File]
  var parent: String?
}

struct File: Codable, Equatable {
  var size: UInt32
  var shadow: [Folder]
}

/// A default instead of an error.
struct Tolerant: Codable, Equatable {
  var count: Int
  var name: String

  enum CodingKeys: CodingKey {
    case count, name
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    count = (try? container.decode(Int.self, forKey: .count)) ?? 7
    name = try container.decode(String.self, forKey: .name)
  }
}

struct Percentage: Codable, Equatable {
  var value: Int

  init(from decoder: any Decoder) throws {
    value = try decoder.singleValueContainer().decode(Int.self)
    guard (1...100).contains(value) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\(value) is no percentage")
      )
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

struct Validated: Codable, Equatable {
  var share: Percentage
  var shares: [Percentage]
}

/// Reads what each version wrote, and always writes the newest.
struct Versioned: Codable, Equatable {
  var title: String

  enum CodingKeys: CodingKey {
    case version, name, title
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(Int.self, forKey: .version) {
    case 1: title = try container.decode(String.self, forKey: .name)
    case 2: title = try container.decode(String.self, forKey: .title)
    case let version:
      throw DecodingError.dataCorruptedError(
        forKey: .version,
        in: container,
        debugDescription: "version \(version) is not known"
      )
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(2, forKey: .version)
    try container.encode(title, forKey: .title)
  }
}

struct Permissions: OptionSet, Codable, Equatable {
  var rawValue: UInt8
}

@propertyWrapper
struct Clamped: Codable, Equatable {
  var wrappedValue: Int

  init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.singleValueContainer().decode(Int.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

struct Wrapped: Codable, Equatable {
  var permissions: Permissions
  @Clamped var level: Int
}

struct Page<Item: Codable & Equatable>: Codable, Equatable {
  var items: [Item]
  var next: String?
}

/// Strings that readers cannot tell apart, as keys and values.
struct Strings: Codable, Equatable {
  var value: String
  var list: [String]
  var map: [String: String]
}

/// Leaves a field out of what it writes: no coder can keep it.
struct Forgetful: Codable, Equatable {
  var kept: Int
  var cache: Int?

  enum CodingKeys: CodingKey {
    case kept
  }
}

/// Throws for some of its values, after it has written others.
struct Picky: Codable, Equatable {
  var first: String
  var list: [Int]
  var count: Int

  struct Refusal: Error {}

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(first, forKey: .first)
    try container.encode(list, forKey: .list)
    guard count.isMultiple(of: 2) else { throw Refusal() }
    try container.encode(count, forKey: .count)
  }
}

struct OptionalNest: Codable, Equatable {
  var inner: Inner?
  var list: [Inner?]
  var map: [String: Inner?]

  struct Inner: Codable, Equatable {
    var value: Int?
    var point: Point?
  }
}
