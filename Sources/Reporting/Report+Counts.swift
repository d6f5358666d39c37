extension Report {
  /// Exchanges and messages of one subject by one transport.
  ///
  /// In JSON it has a name as well: `{"name": "yrs merge", "subject": "yrs", "transport": "merge", "count": 12}`.
  package struct TransportCount: Codable, Hashable, Sendable {
    package var subject: String
    package var transport: String
    package var count: Int

    /// Subject and transport, as the page and earlier versions name them.
    package var name: String { "\(subject) \(transport)" }

    package init(subject: String, transport: String, count: Int) {
      self.subject = subject
      self.transport = transport
      self.count = count
    }

    private enum CodingKeys: String, CodingKey {
      case name, subject, transport, count
    }

    package init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      count = try values.decode(Int.self, forKey: .count)
      guard let subject = try values.decodeIfPresent(String.self, forKey: .subject) else {
        // Earlier versions wrote the name alone: transports have no space in their names.
        let name = try values.decode(String.self, forKey: .name)
        let words = name.split(separator: " ", omittingEmptySubsequences: false)
        self.subject = words.dropLast().joined(separator: " ")
        transport = words.last.map(String.init) ?? ""
        return
      }
      self.subject = subject
      transport = try values.decode(String.self, forKey: .transport)
    }

    package func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(name, forKey: .name)
      try values.encode(subject, forKey: .subject)
      try values.encode(transport, forKey: .transport)
      try values.encode(count, forKey: .count)
    }
  }

  /// The number of histories whose number of edits lies within bounds.
  ///
  /// In JSON it has a name as well: `{"name": "0-4", "least": 0, "most": 4, "count": 12}`.
  package struct SizeCount: Codable, Hashable, Sendable {
    /// The bounds, both included.
    package var least: Int
    package var most: Int
    package var count: Int

    /// Both bounds, as the page and earlier versions name them.
    package var name: String { "\(least)-\(most)" }

    package init(least: Int, most: Int, count: Int) {
      self.least = least
      self.most = most
      self.count = count
    }

    private enum CodingKeys: String, CodingKey {
      case name, least, most, count
    }

    package init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      count = try values.decode(Int.self, forKey: .count)
      guard let least = try values.decodeIfPresent(Int.self, forKey: .least) else {
        // Earlier versions wrote the name alone.
        let name = try values.decode(String.self, forKey: .name)
        guard let match = name.wholeMatch(of: /([0-9]+)-([0-9]+)/),
          let least = Int(match.1), let most = Int(match.2)
        else {
          throw DecodingError.dataCorruptedError(
            forKey: .name,
            in: values,
            debugDescription: "a size is two numbers, such as 0-4"
          )
        }
        (self.least, self.most) = (least, most)
        return
      }
      self.least = least
      most = try values.decode(Int.self, forKey: .most)
    }

    package func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(name, forKey: .name)
      try values.encode(least, forKey: .least)
      try values.encode(most, forKey: .most)
      try values.encode(count, forKey: .count)
    }
  }
}
