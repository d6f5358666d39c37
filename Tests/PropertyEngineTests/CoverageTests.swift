import Foundation
import PropertyEngine
import Testing

@Suite("Coverage of samples and values")
struct CoverageTests {
  private func count(_ texts: some Sequence<String>) -> DistinctCount {
    var count = DistinctCount()
    for text in texts { count.add(text) }
    return count
  }

  @Test("Texts that differ are counted once, exactly while there are few")
  func exact() {
    let limit = DistinctCount.exactLimit
    let few = count((0..<limit - 1).flatMap { ["\($0)", "\($0)"] })
    #expect(few.total == 2 * (limit - 1))
    #expect(few.distinct == limit - 1)
    #expect(few.isExact)
    #expect(count(["", "\0", "\0\0", "a", "a\0", "12345678", "12345678\0"]).distinct == 7)
    #expect(DistinctCount().distinct == 0)
  }

  @Test("Many are estimated within a few percent, and are never more than the texts")
  func estimated() {
    let many = count((0..<100_000).map { "text \($0)" })
    #expect(!many.isExact)
    #expect((93_000...100_000).contains(many.distinct))
    let repeated = count((0..<100_000).map { "text \($0 % 10_000)" })
    #expect((9300...10_700).contains(repeated.distinct))
  }

  @Test("Parts merge to what the whole counts, whichever part saw what", arguments: [1, 2, 7])
  func merges(_ parts: Int) {
    let texts = (0..<6000).map { "\($0 % 5000)" }
    var sum = DistinctCount()
    for part in (0..<parts).reversed() {
      sum.merge(count(texts.indices.filter { $0 % parts == part }.map { texts[$0] }))
    }
    #expect(sum == count(texts))
  }

  @Test("A count reads back as itself, and what is not one is refused")
  func reads() throws {
    let count = count((0..<3000).map { "\($0)" })
    #expect(DistinctCount(total: count.total, digests: count.digests) == count)
    let data = try JSONEncoder().encode(count)
    #expect(try JSONDecoder().decode(DistinctCount.self, from: data) == count)
    for digests in [
      "0", "00000000000g", "00000000000A", "000000000001000000000001", "000000000002000000000001",
      count.digests + "ffffffffffff",
    ] {
      #expect(DistinctCount(total: 1, digests: digests) == nil)
    }
    #expect(DistinctCount(total: -1, digests: "") == nil)
  }

  @Test("A run counts the samples that differ, if their form says what they are called")
  func samples() {
    func run(_ plural: String?) -> LawRun {
      let form = SampleForm<Int>(
        name: FormName("number", version: 1),
        plural: plural,
        render: { "\($0)\n" },
        parse: { _ in 0 },
        size: { $0 },
        measure: { "number \($0)" }
      )
      let group = LawGroup(
        [LawStatement("test.any", "All is well.", source: .standard("none"))],
        form: form,
        draw: { $0.number(in: 0...3) },
        judge: { _, _ in JudgedCase([("test.any", Judgement(.held))]) }
      )
      var run = LawRun([group], on: ["subject"], seed: 4)
      run.runBatch(of: 200)
      return run
    }
    let samples = run("numbers").totals.coverage.samples
    #expect(samples["numbers"]?.total == 200)
    #expect(samples["numbers"]?.distinct == 4)
    #expect(run(nil).totals.coverage.samples.isEmpty)
  }

  @Test("Values are of the traits that a reader looks for")
  func traits() {
    #expect(ValueTraits.of(Int64(0)) == ["zero"])
    #expect(ValueTraits.of(Int64(127)) == ["of 1 byte"])
    #expect(ValueTraits.of(Int64(128)) == ["of 2 bytes"])
    #expect(ValueTraits.of(Int64(-128)) == ["of 1 byte", "below 0"])
    #expect(ValueTraits.of(Int64.min) == ["of 8 bytes", "below 0", "least of 64 bits"])
    #expect(ValueTraits.of(Int64.max) == ["of 8 bytes", "greatest of 64 bits"])
    #expect(ValueTraits.of(UInt64(255)) == ["of 1 byte"])
    #expect(ValueTraits.of(UInt64.max) == ["of 8 bytes", "greatest of 64 bits"])
    #expect(ValueTraits.of(-0.0) == ["minus zero"])
    #expect(ValueTraits.of(-1.5) == ["below 0", "with a fraction"])
    #expect(ValueTraits.of(-Double.infinity) == ["below 0", "infinite"])
    #expect(ValueTraits.of(Double.nan) == ["not a number"])
    #expect(ValueTraits.of("") == ["empty"])
    #expect(
      ValueTraits.of("e\u{301}\n\u{1F468}")
        == [
          "1 to 9 bytes", "with control characters", "beyond ASCII", "beyond 16 bits",
          "with combining marks",
        ]
    )
    #expect([0, 9, 10, 999, 1000].map(ValueTraits.of(length:)).count == 5)
    #expect(ValueTraits.of(length: 1000) == ValueTraits.ofLengths.last)
  }

  @Test("Every trait that a value can have is listed")
  func listed() {
    let signed = (0..<64).flatMap { bit in
      [Int64(1) << bit, 0 &- (Int64(1) << bit), 0, .max].flatMap { ValueTraits.of($0 as Int64) }
    }
    #expect(Set(signed) == Set(ValueTraits.ofIntegers(isSigned: true)))
    let unsigned = (0..<64).flatMap { ValueTraits.of(UInt64(1) << $0) }
    #expect(
      Set(unsigned + ValueTraits.of(0 as UInt64) + ValueTraits.of(.max as UInt64))
        == Set(ValueTraits.ofIntegers(isSigned: false))
    )
    let floats: [Double] = [
      0, -0.0, 1.5, -1, 1e300, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, .nan,
    ]
    #expect(Set(floats.flatMap { ValueTraits.of($0) }) == Set(ValueTraits.ofFloats))
  }

  @Test("Values add up by kind, use and trait")
  func tallies() {
    var (left, right) = (ValueTally(), ValueTally())
    left.add("int", ["zero"], usedBy: "put")
    right.add("int", ["zero", "below 0"], usedBy: "insert")
    right.add("null", [], usedBy: "put")
    var (sum, turned) = (left, right)
    sum.merge(right)
    turned.merge(left)
    #expect(sum == turned)
    #expect(sum.uses(of: "int").entries.map(\.name) == ["insert", "put"])
    #expect(sum.traits(of: "int")["zero"] == 2)
    #expect(sum.uses(of: "null")["put"] == 1)
    #expect(sum.uses(of: "float").isEmpty)
  }
}
