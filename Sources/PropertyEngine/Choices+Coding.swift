extension Choices: Codable {
  private enum CodingKeys: CodingKey {
    /// Each value, and behind it its limit.
    case numbers
    /// Each label once.
    case labels
    /// Of each span: position of its label, start, end, depth.
    case spans
  }

  /// Writes what was drawn as few numbers, as a shrinker's candidates go from process to process.
  package func encode(to encoder: any Encoder) throws {
    var labels: [String] = []
    var positions: [String: Int] = [:]
    let numbers = spans.flatMap { span in
      let position = positions[span.label] ?? labels.count
      if position == labels.count {
        positions[span.label] = position
        labels.append(span.label)
      }
      return [position, span.start, span.end, span.depth]
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(recorded.flatMap { [$0.value, $0.limit] }, forKey: .numbers)
    try container.encode(labels, forKey: .labels)
    try container.encode(numbers, forKey: .spans)
  }

  /// Reads what was drawn elsewhere: it replays, and has the spans it had there.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let numbers = try container.decode([UInt32].self, forKey: .numbers)
    let labels = try container.decode([String].self, forKey: .labels)
    let spans = try container.decode([Int].self, forKey: .spans)
    self.init(
      recorded: stride(from: 0, to: numbers.count - 1, by: 2).map {
        Choice(value: numbers[$0], limit: numbers[$0 + 1])
      },
      spans: stride(from: 0, to: spans.count - 3, by: 4).map {
        ChoiceSpan(
          label: labels.indices.contains(spans[$0]) ? labels[spans[$0]] : "",
          start: spans[$0 + 1],
          end: spans[$0 + 2],
          depth: spans[$0 + 3]
        )
      }
    )
  }
}
