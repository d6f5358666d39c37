import AutomergeDocument
import DocumentCoding
import Foundation
import Testing

/// What dates lose when they are encoded, and what stays.
///
/// Source: Specification/Codable.md, "Dates".
@Suite("Dates")
struct DateTests {
  /// What is stored for seconds since 1970.
  private func stored(
    _ seconds: Double,
    _ truncation: DateTruncation
  ) throws -> Double {
    let doc = Document()
    let encoder = AutomergeEncoder(doc: doc, dateTruncation: truncation)
    try encoder.encode(Keyed(v: Date(timeIntervalSince1970: seconds)))
    guard case .Scalar(.Timestamp(let date))? = try doc.get(obj: .ROOT, key: "v") else {
      Issue.record("no timestamp")
      return .nan
    }
    // Decoding is exact, and a second cycle changes nothing.
    let decoded = try doc.decode(Keyed<Date>.self)
    #expect(decoded.v == date)
    #expect(try doc.operations { try encoder.encode(decoded) } == 0)
    return (date.timeIntervalSince1970 * 1000).rounded()
  }

  @Test(
    "ENC-03, ENC-04: seconds round down, on both sides of 1970; milliseconds to nearest",
    arguments: [
      (0.0, 0.0, 0.0), (0.0004, 0, 0), (1.9999, 1000, 2000), (-0.0004, -1000, 0),
      (-0.0015, -1000, -2), (-1, -1000, -1000), (-1.5, -2000, -1500),
      (1_000_000_000.123456, 1_000_000_000_000, 1_000_000_000_123),
    ]
  )
  func rounding(seconds: Double, whole: Double, milliseconds: Double) throws {
    #expect(try stored(seconds, .seconds) == whole)
    let nearest = try stored(seconds, .milliseconds)
    #expect(abs(nearest - milliseconds) <= (seconds == -0.0015 ? 1 : 0))
  }

  @Test("Whole seconds come back as they were, distant ones too") func distant() throws {
    for date in [
      Date.distantPast, .distantFuture, Date(timeIntervalSince1970: -1),
      Date(timeIntervalSince1970: 78_796_800), Date(timeIntervalSince1970: 9.2e15),
      Date(timeIntervalSince1970: -9.2e15),
    ] {
      let doc = Document()
      try doc.encode(Keyed(v: date))
      #expect(try doc.decode(Keyed<Date>.self).v == date)
      #expect(try doc.operations { try doc.encode(Keyed(v: date)) } == 0)
    }
  }

  @Test("ENC-05: NaN, infinities and what 64 bits do not hold are refused in every position")
  func outOfRange() throws {
    for seconds in [Double.nan, .infinity, -.infinity, 1e16, -1e16, 1e300] {
      for truncation in [DateTruncation.seconds, .milliseconds] {
        let date = Date(timeIntervalSince1970: seconds)
        let doc = Document()
        let encoder = AutomergeEncoder(doc: doc, dateTruncation: truncation)
        #expect(throws: EncodingError.self) { try encoder.encode(Keyed(v: date)) }
        #expect(throws: EncodingError.self) { try encoder.encode(Keyed(v: [date])) }
        #expect(throws: EncodingError.self) { try encoder.encode(Keyed(v: Single(date))) }
        #expect(throws: EncodingError.self) { try encoder.encode(date, at: path(key("a"))) }
        #expect(throws: EncodingError.self) { try encoder.encode(MaybeKeyed(v: date)) }
        #expect(doc.operationCount == 0)
      }
    }
  }

  @Test("A peer's milliseconds survive a re-encode of an unchanged model, at any distance")
  func foreignMilliseconds() throws {
    var state: UInt64 = 7
    for round in 0..<2000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let shift = UInt64(round % 40)
      let milliseconds = Int64(bitPattern: state) >> Int64(shift)
      let seconds = Double(milliseconds / 1000) + Double(milliseconds % 1000) / 1000
      let date = Date(timeIntervalSince1970: seconds)
      guard abs(seconds) < 9.2e15 else { continue }
      let doc = try document([("v", .Timestamp(date))])
      let list = try doc.putObject(obj: .ROOT, key: "w", ty: .List)
      try doc.insert(obj: list, index: 0, value: .Timestamp(date))
      let model = try doc.decode(TwoDates.self)
      #expect(try doc.operations { try doc.encode(model) } == 0, "\(milliseconds)")
    }
  }

  struct TwoDates: Codable {
    var v: Date
    var w: [Date]
  }

  @Test("Order is kept, and a time interval keeps its fraction") func order() throws {
    let dates = (-50..<50).map { Date(timeIntervalSince1970: Double($0) * 0.37) }
    let doc = Document()
    try doc.encode(Keyed(v: dates))
    let decoded = try doc.decode(Keyed<[Date]>.self).v
    #expect(decoded == decoded.sorted())
    #expect(zip(decoded, dates).allSatisfy { $0 <= $1 && $1.timeIntervalSince($0) < 1 })
    try doc.encode(Keyed(v: 1_705_314_645.123456))
    #expect(try doc.decode(Keyed<TimeInterval>.self).v == 1_705_314_645.123456)
  }
}
