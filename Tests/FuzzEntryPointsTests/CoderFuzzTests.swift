import CodingLaws
import Foundation
import PropertyEngine
import Testing

@testable import FuzzEntryPoints

@Suite("Fuzz targets of coders")
struct CoderFuzzTests {
  @Test("Every target has laws, and its name is the one that files are told by")
  func laws() {
    for target in CoderFuzzTarget.allCases {
      #expect(!target.laws.isEmpty)
      #expect(target.executable.lowercased() == "fuzz\(target.rawValue)")
    }
    #expect(CoderFuzzTarget.drift.laws.count == 10)
  }

  @Test("Any bytes are an input, which repeats and holds on our coder", arguments: 0..<24)
  func holds(_ number: Int) throws {
    let target = CoderFuzzTarget.allCases[number % 3]
    var random = Choices(seed: Seed(value: 7).stream(UInt64(number)))
    let bytes = (0..<(number * 8)).map { _ in UInt8(random.number(in: 0...255)) }
    let input = CodingInput(bytes: bytes, target, .ours)
    let finding = input.finding(on: .ours)
    #expect(finding == nil, "\(finding.map { input.words(for: $0, on: .ours, file: nil) } ?? "")")
    let again = CodingInput(bytes: input.bytes, target, .ours)
    #expect(again.sample == input.sample)
    #expect(again.law.name == input.law.name)
  }

  @Test(
    "A wrong coder is found, made small, told and stored",
    arguments: [
      (CoderFuzzTarget.decode, "integers-wrap"), (.encode, "old-keys-kept"),
      (.drift, "preserve-removes"),
    ]
  )
  func finds(target: CoderFuzzTarget, mutant: String) throws {
    let subject = try CoderFuzzSubject(id: "mutant:\(mutant)")
    var found: (input: CodingInput, finding: FuzzFinding)?
    for index in 0..<1500 where found == nil {
      let choices = Choices(seed: Seed(value: 1).stream(UInt64(index)))
      let input = CodingInput(drawing: choices, target, subject)
      if let finding = input.finding(on: subject) { found = (input, finding) }
    }
    let (input, finding) = try #require(found)
    let small = input.shrunk(on: subject, stepLimit: 300) {
      $0.finding(on: subject)?.isSameFailure(as: finding) == true
    }
    let smallFinding = try #require(small.finding(on: subject))
    #expect((small.sample?.size ?? 0) <= (input.sample?.size ?? 0))
    let words = small.words(for: smallFinding, on: subject, file: "x.bin")
    #expect(words.contains("replay --target \(target.rawValue) --subject mutant:\(mutant) x.bin"))
    let file = try CaseFile.parse(small.caseFile(smallFinding, on: subject).render())
    #expect(try CodingSample(file) == small.sample)
    #expect(file.law == small.law.name)
  }

  @Test("Nobody is judged under a name that nobody has")
  func unknown() {
    #expect(throws: UnknownFuzzSubject.self) { try CoderFuzzSubject(id: "mutant:none") }
  }
}
