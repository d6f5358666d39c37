import Foundation
import Synchronization
import Testing
import Touchstone

/// A file of a test, in a folder that does not exist yet.
func testFile() -> String {
  FileManager.default.temporaryDirectory
    .appendingPathComponent("touchstone-tests-\(UUID().uuidString)")
    .appendingPathComponent("PropertyTests.swift").path
}

private struct TooLong: Error {
  let count: Int
}

@Suite("Properties")
struct PropertyTests {
  @Test("A property that holds passes")
  func holds() async throws {
    try await expectProperty("reversing twice", of: .array(of: .int())) { list in
      #expect(list.reversed().reversed() == list)
    }
    try await expectProperty("two", of: .int(in: 0...9), .string(), cases: 60) { number, text in
      await Task.yield()
      try #require((0...9).contains(number))
      #expect(text.unicodeScalars.count <= 16)
    }
  }

  @Test(
    "Numbers of a range stay in it, however narrow it is",
    arguments: [
      0...0, 1...1, -3 ... -3, 0 ... .leastNonzeroMagnitude, 1...Double(1).nextUp,
      Double.greatestFiniteMagnitude ... .infinity, -.infinity ... -Double.greatestFiniteMagnitude,
    ] as [ClosedRange<Double>]
  )
  func narrowRanges(range: ClosedRange<Double>) async throws {
    try await expectProperty("in the range", of: .double(in: range), cases: 400) { number in
      #expect(range.contains(number) && number.isFinite)
    }
    let greatest = Double(Float.greatestFiniteMagnitude)
    let lower = Float(max(min(range.lowerBound, greatest), -greatest))
    let narrow = lower...max(lower, Float(max(min(range.upperBound, greatest), -greatest)))
    try await expectProperty("in the range", of: .float(in: narrow), cases: 400) { number in
      #expect(narrow.contains(number) && number.isFinite)
    }
  }

  @Test("A failed property is told with its smallest value, stored, tried first and replayed")
  func fails() async throws {
    let file = testFile()
    func failures(cases: Int? = nil) async throws -> [ModelFailure] {
      try await propertyFailures(
        "lists are short",
        of: .array(of: .int()),
        cases: cases,
        file: file,
        test: "lists()"
      ) { list in
        if list.contains(where: { $0 > 1000 }) { throw TooLong(count: list.count) }
      }
    }
    let failure = try #require(try await failures().first)
    let stored = try #require(failure.storedPath)
    #expect(
      failure.description == """
        lists are short breaks property.holds
        The property holds for every value.

        it throws TooLong(count: 1)

        value: [1001]

        found by case 1 of seed 0x1, shrunk in 78 attempts
        stored: \(stored) (tried first from now on)
        replay: TOUCHSTONE_REPLAY=\(stored) swift test --filter lists
        """
    )
    #expect(stored.hasSuffix("__Touchstone__/lists-are-short--property.holds.case"))
    // The one new case is the simplest, and would not show it.
    let again = try await failures(cases: 1)
    #expect(again.map(\.summary) == [failure.summary])
    #expect(again.first?.description.contains("(found by an earlier run)") == true)
    #expect(again.first?.caseFile == failure.caseFile)
  }

  @Test("A property that returns false fails, and any other value is not looked at")
  func returned() async throws {
    let failures = try await propertyFailures("small", of: .int(), file: testFile()) { $0 < 1000 }
    #expect(failures.map(\.summary) == ["it returns false"])
    #expect(failures.first?.description.contains("value: 1000\n") == true)
    try await expectProperty("true", of: .int()) { $0 == $0 }
    try await expectProperty("a number", of: .int(), .int()) { left, right in left &+ right }
    try await expectProperty("several lines", of: .int()) { number in
      let double = number &* 2
      return double.isMultiple(of: 2)
    }
  }

  @Test("An expectation that fails in a property is told once, when its value is small")
  func expectation() async throws {
    let line = #line + 7
    let failures = try await propertyFailures(
      "numbers are small",
      of: .int(),
      .string(of: .letter),
      file: testFile()
    ) { number, text in
      #expect(number < 1000, "a limit")
      #expect(text.count < 3)
    }
    #expect(
      failures.map(\.summary) == [
        "Expectation failed: (text.count → 3) < 3 (ExpectPropertyTests.swift:\(line + 1))",
        "Expectation failed: (number → 1000) < 1000: a limit (ExpectPropertyTests.swift:\(line))",
      ]
    )
    #expect(failures.map { $0.description.contains("value: (0, \"aaa\")") } == [true, false])
    #expect(failures.map { $0.description.contains("value: (1000, \"\")") } == [false, true])
    #expect(
      failures.last?.storedPath?.hasSuffix("numbers-are-small--property.holds-2.case") == true
    )
  }

  @Test("A required value that is missing fails as an expectation, in an issue of the test")
  func requirement() async throws {
    try await withKnownIssue {
      try await expectProperty(
        "positive",
        of: .int(in: -9...9),
        sourceLocation: SourceLocation(
          fileID: "PropertyFaceTests/PropertyTests.swift",
          filePath: testFile(),
          line: 1,
          column: 1
        )
      ) { number in
        _ = try #require(number < 0 ? nil : number)
      }
    } matching: { issue in
      issue.comments.contains {
        $0.rawValue.hasPrefix("positive breaks property.holds") && $0.rawValue.contains("value: -1")
      }
    }
  }

  @Test("A property that throws errors of two types has two failures")
  func twoErrors() async throws {
    let failures = try await propertyFailures("two errors", of: .int(), file: testFile()) {
      number in
      if number > 10 { throw TooLong(count: number) }
      if number < -20 { throw CocoaError(.featureUnsupported) }
    }
    #expect(failures.count == 2)
    #expect(failures.contains { $0.summary == "it throws TooLong(count: 11)" })
    #expect(failures.contains { $0.description.contains("value: -21") })
  }

  @Test("A run that discards nine cases in ten is an error, and one that discards some is not")
  func starved() async throws {
    let error = await #expect(throws: JudgementError.self) {
      try await expectProperty("rare", of: Values.int().filter { $0 == 7_777_777 }, cases: 50) {
        _ in
      }
    }
    #expect(
      error?.description == "rare was judged on 0 of 50 cases, which proves too little; "
        + "the others were discarded: no value of 50 passed a filter"
    )
    await #expect(
      throws: JudgementError.starved(
        property: "none",
        judged: 0,
        discarded: 20,
        reason: "there is no element to draw"
      )
    ) {
      try await expectProperty("none", of: Values<Int>.element(of: []), cases: 20) { _ in }
    }
    try await expectProperty("half", of: .int(in: 0...99), cases: 50) { number in
      if number.isMultiple(of: 2) { throw Discarded("it is even") }
      #expect(number % 2 == 1)
    }
  }

  @Test("A run judges the same values whenever it is repeated")
  func deterministic() async throws {
    func values() async throws -> [String] {
      let seen = Seen()
      try await expectProperty("seen", of: .string(), .double(), .date(), cases: 100, seed: 7) {
        text,
        number,
        date in
        seen.texts.withLock { $0.append("\(text) \(number) \(date)") }
      }
      return seen.texts.withLock { $0 }
    }
    let first = try await values()
    #expect(first.count == 100)
    #expect(try await values() == first)
    #expect(Set(first).count > 50)
  }

  @Test("A property that does not fail again is told as such")
  func flaky() async throws {
    let seen = Seen()
    let failures = try await propertyFailures("flaky", of: .int(), file: testFile()) { _ in
      let count = seen.texts.withLock { texts in
        texts.append("")
        return texts.count
      }
      if count == 5 { throw TooLong(count: 0) }
    }
    #expect(failures.count == 1)
    #expect(failures.first?.description.contains("; it did not repeat") == true)
  }

  @Test("A property that calls the main actor, and children of its task, is judged as any other")
  func concurrent() async throws {
    try await expectProperty("main actor", of: .int(in: 0...99), cases: 40) { number in
      async let again = twice(number)
      let doubled = await twice(number)
      #expect(await again == doubled)
    }
  }
}

private final class Seen: Sendable {
  let texts = Mutex<[String]>([])
}

@MainActor private func twice(_ number: Int) -> Int { number * 2 }

/// Each test is a process of its own, which ends.
@Suite("Properties that trap")
struct TrappingPropertyTests {
  private static func file(_ name: String) -> String {
    FileManager.default.temporaryDirectory
      .appendingPathComponent("touchstone-tests-property-traps-\(name)")
      .appendingPathComponent("PropertyTests.swift").path
  }

  private static func run() async throws {
    _ = try await propertyFailures(
      "halves",
      of: .int(in: 0...99),
      file: file("a"),
      test: "halves()"
    ) { number in
      await Task.yield()
      precondition(number < 50, "too much")
    }
  }

  @Test("A trap is told with the value, stored, and met first at the next run")
  func traps() async throws {
    let folder = URL(fileURLWithPath: Self.file("a")).deletingLastPathComponent()
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let first = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await TrappingPropertyTests.run()
    }
    let words = String(decoding: first?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("halves breaks property.holds"), "\(words)")
    #expect(words.contains("The process ends in the property, on "), "\(words)")
    #expect(words.contains("swift test --filter halves"), "\(words)")
    let stored = folder.appendingPathComponent("__Touchstone__/halves--property.holds--trap.case")
    #expect(FileManager.default.fileExists(atPath: stored.path))
    let again = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await TrappingPropertyTests.run()
    }
    let repeated = String(decoding: again?.standardErrorContent ?? [], as: UTF8.self)
    #expect(repeated.contains("The process ends in the property, on "), "\(repeated)")
    let names = try FileManager.default.contentsOfDirectory(
      atPath: stored.deletingLastPathComponent().path
    )
    #expect(names == [stored.lastPathComponent])
    try FileManager.default.removeItem(at: folder)
  }

  @Test("A trap is told with the value as it was drawn, whatever the property has made of it")
  func drawn() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try await propertyFailures(
        "tallies",
        of: Values.int(in: 0...99).map { Tally($0) },
        file: TrappingPropertyTests.file("drawn"),
        test: "tallies()"
      ) { tally in
        let drawn = tally.count
        tally.count = -1
        precondition(drawn < 50, "too much")
      }
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains(/in the property, on Tally\(count: \d\d\)/), "\(words)")
  }

  @Test("Where the value's description traps as well, that it could not be told is said")
  func untold() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try await propertyFailures(
        "secrets",
        of: Values.int(in: 0...99).map { Secret(number: $0) },
        file: TrappingPropertyTests.file("untold"),
        test: "secrets()"
      ) { secret in
        precondition(secret.number < 50, "too much")
      }
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("too much"), "\(words)")
    #expect(words.contains("What it was could not be said any more."), "\(words)")
  }
}

private final class Tally: @unchecked Sendable {
  var count: Int

  init(_ count: Int) { self.count = count }
}

private struct Secret: CustomStringConvertible {
  let number: Int

  var description: String { preconditionFailure("a secret has no description") }
}
