import DocumentLaws
import DocumentModel
import Histories
import PropertyEngine
import Subjects
import TestSupport
import Testing

/// Fails with what a law's run says if it found anything.
private func expectHeld<Sample>(_ law: Law<Sample>, cases: Int) throws {
  let outcome = try checkLaw(law, seed: 7, cases: cases, shrinkLimit: 200)
  #expect(outcome.failure == nil, "\(outcome)")
  #expect(outcome.heldCount > 0, "\(law.name) never applied")
  #expect(lawNameProblem(law.name) == nil)
}

@Suite("Laws of bytes on the engine")
struct StorageLawTests {
  @Test("Storage: the same document whichever way it is stored and sent")
  func storage() throws {
    for law in StorageLaws<EngineReplica>.all { try expectHeld(law, cases: 40) }
    try expectHeld(StorageLaws<EngineReplica>.longRuns, cases: 12)
    try expectHeld(StorageLaws<EngineReplica>.alikeCommits, cases: 12)
  }

  @Test("Damage: refused, or a document like any other")
  func damage() throws {
    for law in DamageLaws<EngineReplica>.all(bases: TinyFiles.all) {
      try expectHeld(law, cases: 120)
    }
  }

  @Test("Bombs: what they cost is stated")
  func bombs() throws {
    for law in BombLaws<EngineReplica>.all { try expectHeld(law, cases: 3) }
    for law in BombLaws<EngineReplica>.taken { try expectHeld(law, cases: 3) }
  }

  @Test("Forgeries: refused; their good twins are taken")
  func forgeries() throws {
    try expectHeld(ForgeryLaws<EngineReplica>.refused, cases: 200)
  }

  @Test("Hostile peers: what they send costs in proportion to its bytes")
  func hostilePeers() throws {
    try expectHeld(HostileLaws<EngineReplica>.costsItsBytes, cases: 60)
  }

  @Test("No two laws have one name")
  func names() {
    let names =
      engineSubject.storedLaws([]).flatMap(\.self).flatMap(\.laws).map(\.name)
      + DocumentLaw.all.map(\.name)
    #expect(Set(names).count == names.count)
  }

  @Test("A sample is read again from its text, and a smaller one is made of its parts")
  func forms() throws {
    for group in engineSubject.storedLaws([]).flatMap(\.self) {
      for stream in UInt64(0)..<12 {
        var choices = Choices(seed: Seed(value: 5).stream(stream))
        let request = JudgingRequest(drawsOnly: true)
        guard let drawn = group.judge(&choices, request).sample else { continue }
        let stored = drawn.stored()
        let again = try group.judge(stored, request).sample?.stored()
        #expect(again == stored, "\(group.laws.map(\.name))")
      }
    }
  }

  @Test("What there is one of is measured as one")
  func measures() throws {
    func measure<Sample>(_ text: String, as form: SampleForm<Sample>) throws -> String {
      form.measure(try form.parse(text))
    }
    #expect(try measure("commit\n", as: SampleForm<LongEditing>.strokes) == "1 stroke")
    let wavering = "hand-over\nwaver 3 8 backspace 999\n"
    #expect(try measure(wavering, as: SampleForm<LongEditing>.strokes) == "2 strokes")
    let graph = "change 4 0 17\npicks 0\n"
    #expect(try measure(graph, as: SampleForm<ChangeGraph>.changeGraph) == "1 change")
    let damaged = "file 0 sealed\nwound: x\nbytes: 00\n"
    #expect(try measure(damaged, as: SampleForm<DamagedBytes>.damagedBytes) == "1 byte, 1 wound")
  }

  @Test("A word or a line too many is refused, whatever form the sample has")
  func junk() throws {
    for group in engineSubject.storedLaws([]).flatMap(\.self) {
      var choices = Choices(seed: 9)
      let request = JudgingRequest(drawsOnly: true)
      guard let drawn = group.judge(&choices, request).sample?.stored(),
        let first = drawn.lines.first
      else { continue }
      for text in ["\(drawn.text)junk\n", drawn.text.replacing(first, with: "\(first) junk")] {
        let sample = StoredSample(
          form: drawn.form,
          text: text,
          size: drawn.size,
          measure: drawn.measure
        )
        #expect(throws: (any Error).self, "\(group.formName): \(text)") {
          try group.judge(sample, JudgingRequest(drawsOnly: true))
        }
      }
    }
    let damaged = "file 0\njunk\nbytes: 00\n"
    #expect(throws: UnreadableSample.self) { try SampleForm.damagedBytes.parse(damaged) }
    let forgery = "about: a key that is not UTF-8\nforged: junk\nelements: 1\nbytes: 00\n"
    #expect(throws: UnreadableSample.self) { try SampleForm.forgery.parse(forgery) }
  }

  @Test("A line of a history that is refused has the number that an editor shows")
  func lines() {
    let history = "history 1\nbase empty\nreplicas 1\nhealing\n\n\njunk\n\npicks 3\n"
    let error = #expect(throws: HistoryTextError.self) {
      try SampleForm.storedHistory.parse(history)
    }
    #expect(error?.line == 7)
  }

  @Test(
    "What is no sample is refused",
    arguments: [
      "", "picks x\n", "type 1 2\n", "file\n", "0 rows\n", "x\n", "commit 3\n",
      "waver 3 9 letter 0\n",
    ]
  )
  func refusals(text: String) throws {
    for group in engineSubject.storedLaws([]).flatMap(\.self) {
      // No stroke at all is a sample of strokes.
      guard !(text.isEmpty && group.formName.kind == "strokes") else { continue }
      let sample = StoredSample(
        form: group.formName,
        text: text,
        size: 0,
        measure: ""
      )
      #expect(throws: (any Error).self) {
        try group.judge(sample, JudgingRequest(drawsOnly: true))
      }
    }
  }

  @Test("The small documents to damage load")
  func tinyDocuments() throws {
    #expect(TinyDocuments.all.count == 4)
    for bytes in TinyDocuments.all {
      var document = try EngineReplica.load(bytes, actor: ActorID(repeating: 1))
      #expect(document.save(compressed: true) == bytes || document.save(compressed: false) == bytes)
    }
  }
}

/// A few documents that the engine makes, to be damaged.
private enum TinyFiles {
  static let all: [[UInt8]] = (UInt64(0)..<6).compactMap { stream in
    var choices = Choices(seed: Seed(value: 3).stream(stream))
    let sample = PickedHistory.samples(HistoryLimits(edits: 0...12)).draw(&choices)
    var replica = Normaliser<EngineReplica>.run(sample.history).replicas.first
    return replica?.save(compressed: stream % 2 == 0)
  }
}

@Suite("Bytes made by hand")
struct ChunkForgeTests {
  @Test(
    "The digest is SHA-256",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ]
  )
  func digest(_ text: String, _ expected: String) {
    let hash = ChunkForge.hash(Array(text.utf8))
    #expect(hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == expected)
  }

  @Test(
    "Numbers are LEB128",
    arguments: [(0, [0]), (63, [63]), (64, [0xc0, 0]), (-65, [0xbf, 0x7f])] as [(Int64, [UInt8])]
  )
  func numbers(_ number: Int64, _ bytes: [UInt8]) {
    #expect(ChunkForge.signed(number) == bytes)
  }

  @Test("Sealing makes damaged content whole, and leaves good files alone")
  func seals() {
    let chunk = ChunkForge.chunk(1, [1, 2, 3])
    #expect(ChunkForge.sealed(chunk) == chunk)
    var damaged = chunk
    damaged[10] = 9
    damaged.append(4)
    #expect(ChunkForge.sealed(damaged) == ChunkForge.chunk(1, [9, 2, 3, 4]))
    #expect(ChunkForge.sealed([1, 2]) == [1, 2])
  }
}
