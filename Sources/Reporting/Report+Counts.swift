extension Report {
  /// Exchanges and messages of one subject by one transport.
  ///
  /// In JSON it has a name as well: `{"name": "yrs merge", "subject": "yrs", "transport": "merge", "count": 12}`.
  package struct TransportCount: Codable, Hashable, Sendable {
    package var subject: String
    package var transport: String
    package var count: Int

    /// Subject and transport, as the page names them.
    package var name: String { "\(subject) \(transport)" }

    package init(subject: String, transport: String, count: Int) {
      self.subject = subject
      self.transport = transport
      self.count = count
    }

    private enum WrittenKeys: String, CodingKey {
      case name, subject, transport, count
    }

    package func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: WrittenKeys.self)
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

    /// Both bounds, as the page names them.
    package var name: String { "\(least)-\(most)" }

    package init(least: Int, most: Int, count: Int) {
      self.least = least
      self.most = most
      self.count = count
    }

    private enum WrittenKeys: String, CodingKey {
      case name, least, most, count
    }

    package func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: WrittenKeys.self)
      try values.encode(name, forKey: .name)
      try values.encode(least, forKey: .least)
      try values.encode(most, forKey: .most)
      try values.encode(count, forKey: .count)
    }
  }
}
