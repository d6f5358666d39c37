import Bookings
import Testing
import Touchstone

@Test func bookingIsSafe() async throws {
  try await expectLaws(of: Booking.self)
}

@Test func fareIsSafe() async throws {
  try await expectLaws(of: Fare.self)
}

@Test func discounts() async throws {
  try await expectProperty("discounts", of: .int(in: 0...1_000_000), .int(in: 0...99)) {
    price,
    percent in
    let rest = discounted(price, percent: percent)
    #expect(rest >= price / 100, "\(percent) % off \(price) leaves \(rest)")
  }
}
