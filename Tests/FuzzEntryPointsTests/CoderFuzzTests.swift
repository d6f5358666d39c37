import CodingLaws
import FuzzEntryPoints
import PropertyEngine
import Testing

@Suite("Fuzz targets of coders")
struct CoderFuzzTests {
  private static let targets: [FuzzTarget] = [.decode, .encode, .drift]

  @Test("Every target has laws, and its name is the one that files are told by")
  func laws() throws {
    for target in Self.targets {
      let groups = try target.subject().groups
      #expect(!groups.isEmpty)
      #expect(groups.allSatisfy { $0.laws.count == 1 })
      #expect(target.executable.lowercased() == "fuzz\(target.id)")
      #expect(FuzzTarget(id: target.id)?.executable == target.executable)
    }
    #expect(try FuzzTarget.drift.subject().groups.count == 10)
    for target in [FuzzTarget.record, .stories] {
      let names = try target.subject().groups.flatMap(\.laws).map(\.name)
      #expect(names.count > 30)
      #expect(Set(names).count == names.count)
    }
    #expect(FuzzTarget(id: "nothing") == nil)
  }

  @Test("Any bytes are an input, which repeats and holds on our coder", arguments: 0..<24)
  func holds(_ number: Int) throws {
    let target = Self.targets[number % 3]
    var random = Choices(seed: Seed(value: 7).stream(UInt64(number)))
    let bytes = (0..<(number * 8)).map { _ in UInt8(random.number(in: 0...255)) }
    let input = try target.judge(bytes)
    #expect(input.subjectID == "document-coder")
    let finding = input.finding
    #expect(finding == nil, "\(finding.map { input.explanation(of: $0, file: nil) } ?? "")")
    let again = try target.judge(input.bytes)
    #expect(again.judged.sample?.stored() == input.judged.sample?.stored())
    #expect(again.group.laws == input.group.laws)
  }

  @Test(
    "A wrong coder is found, made small, told and stored",
    arguments: [
      ("decode", "integers-wrap"), ("encode", "old-keys-kept"), ("drift", "preserve-removes"),
    ]
  )
  func finds(target: String, mutant: String) throws {
    let subject = try #require(FuzzTarget(id: target)).subject("mutant:\(mutant)")
    let (input, finding) = try firstFailing(subject, caseLimit: 1500)
    let small = input.shrunk(stepLimit: 300) { $0.judged.finding(like: finding) != nil }
    let smallFinding = try #require(small.judged.finding(like: finding))
    let (sample, smallSample) = (input.judged.sample?.stored(), small.judged.sample?.stored())
    #expect(try #require(smallSample).size <= #require(sample).size)
    let text = small.explanation(of: smallFinding, file: "x.bin")
    #expect(text.contains("replay --target \(target) --subject mutant:\(mutant) x.bin"))
    let file = try CaseFile.parse(try #require(small.caseFile(smallFinding)).render())
    let stored = try SampleForm.coding.sample(of: file)
    #expect(stored == small.judged.sample?.value as? CodingSample)
    #expect(file.law == small.group.laws.first?.name)
  }

  @Test("A target judges subjects of its kind only, and says so in words")
  func unknown() {
    for id in ["mutant:none", "naive", "engine", "mutant:tie-break-reversed", ""] {
      let error = #expect(throws: UnknownFuzzSubject.self) { try FuzzTarget.decode.subject(id) }
      #expect(error?.description.contains("decode judges no subject '\(id)'") == true)
    }
    let misspelt = #expect(throws: UnknownFuzzSubject.self) {
      try FuzzTarget.histories.subject("nave")
    }
    #expect(misspelt?.description.hasSuffix(". Did you mean 'naive'?") == true)
    let other = #expect(throws: UnknownFuzzSubject.self) { try FuzzTarget.load.subject("naive") }
    #expect(other?.description.hasSuffix(" is all that it judges.") == true)
  }
}
