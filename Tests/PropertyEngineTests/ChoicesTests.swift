import PropertyEngine
import Testing

@Suite("Choices")
struct ChoicesTests {
  @Test("Values above the limit become the limit when replayed, and missing ones are zero")
  func replayClamps() {
    var choices = Choices(replaying: [9, 3])
    #expect(choices.number(in: 10...15) == 15)
    #expect(choices.number(in: 0...5) == 3)
    #expect(choices.number(in: -7...5) == -7)
    #expect(choices.recordedValues == [5, 3, 0])
  }
}
