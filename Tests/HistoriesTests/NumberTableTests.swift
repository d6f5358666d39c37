import Testing

@testable import Histories

@Suite("Values by number")
struct NumberTableTests {
  @Test("A number keeps its value, wherever it lies")
  func keeps() {
    let numbers = [
      0, 7, 4095, 4096, 1_000_000, Lowering.firstFreeSlot, Lowering.firstFreeSlot + 4095,
      Lowering.firstFreeSlot + 4096, -1, .min, .max,
    ]
    var table = NumberTable<Int>()
    for number in numbers {
      #expect(table[number] == nil, "\(number)")
      table[number] = number
    }
    for number in numbers {
      #expect(table[number] == number)
      table[number] = nil
      #expect(table[number] == nil, "\(number)")
    }
  }
}
