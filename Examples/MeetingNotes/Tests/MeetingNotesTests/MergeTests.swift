import MeetingNotes
import Testing
import Touchstone

extension LastWriterMap: MergeType {
  public mutating func edit(_ source: inout ValueSource) -> String {
    let key = source.element(of: ["a", "b"])
    let value = source.flag() ? source.number(in: 0...3) : nil
    set(key, to: value)
    return value.map { "sets \(key) to \($0)" } ?? "removes \(key)"
  }
}

extension ObservedSet: MergeType {
  public mutating func edit(_ source: inout ValueSource) -> String {
    let element = source.element(of: ["x", "y"])
    if source.flag(percent: 40) {
      remove(element)
      return "removes \(element)"
    }
    insert(element)
    return "adds \(element)"
  }

  /// No merge loses an element that the other replica has not removed.
  public var kept: Set<String> { content }
}

extension UpDownCounter: MergeType {
  public mutating func edit(_ source: inout ValueSource) -> String {
    let amount = source.number(in: 1...3) * (source.flag() ? -1 : 1)
    add(amount)
    return "adds \(amount)"
  }
}

@Suite("Types that merge")
struct MergeTests {
  @Test func mapConverges() async throws { try await expectConverges(LastWriterMap.self) }

  @Test func setConverges() async throws { try await expectConverges(ObservedSet.self) }

  @Test func counterConverges() async throws { try await expectConverges(UpDownCounter.self) }
}
