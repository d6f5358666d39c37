import FuzzSessions
import PropertyEngine
import Testing

@Suite("Laws before a fuzzer")
struct FuzzLoopTests {
  private static let form = SampleForm<UInt64>(
    name: FormName("number", version: 1),
    render: { "\($0)\n" },
    parse: { throw UnreadableSample(form: FormName(text: $0)) },
    size: { _ in 1 },
    measure: { "number \($0)" }
  )

  private static func law(
    _ name: String,
    breaksAt number: UInt64,
    costs: Int = 1
  ) -> LawGroup {
    LawGroup(
      Law(
        LawStatement(name, "A number is another.", source: .standard("none")),
        form: form,
        draw: { choices in
          let number = choices.bits64()
          guard number != 13 else { throw Skipped("no thirteen") }
          return number
        },
        judge: { drawn in
          guard drawn == number else { return Judgement(.held) }
          return Judgement(.violated(Difference(kind: "number", summary: "\(drawn)")))
        }
      ),
      costs: costs
    )
  }

  private let loop = FuzzLoop([law("test.seven", breaksAt: 7), law("test.nine", breaksAt: 9)])

  /// The bytes by which a law, by its number, judges a number: the halves of 64 bits, upper first.
  private func bytes(_ law: UInt8, _ number: UInt8) -> [UInt8] { [law, 0, 0, 0, 0, number] }

  @Test("The first byte chooses the law, and the others its sample")
  func outcomes() {
    let seven = FailureKey(law: "test.seven", isError: false, kind: "number")
    let nine = FailureKey(law: "test.nine", isError: false, kind: "number")
    #expect(loop.outcome(of: bytes(0, 7)) == .failed(seven))
    #expect(loop.outcome(of: bytes(1, 7)) == .held)
    #expect(loop.outcome(of: bytes(1, 9)) == .failed(nine))
    #expect(loop.outcome(of: bytes(0, 13)) == .pointless)
    #expect(loop.outcome(of: []) == .held)
  }

  @Test("A law that costs five times as much has a fifth of the inputs of another")
  func costs() {
    let loop = FuzzLoop([
      Self.law("test.seven", breaksAt: 7), Self.law("test.nine", breaksAt: 9, costs: 5),
    ])
    let asked = (UInt8(0)..<6).map { loop.judge(bytes($0, 1)).group.laws[0].name }
    #expect(asked == Array(repeating: "test.seven", count: 5) + ["test.nine"])
  }

  @Test("A known failure ends nothing, and is not worth keeping")
  func known() {
    let seven = FailureKey(law: "test.seven", isError: false, kind: "number")
    let loop = FuzzLoop([Self.law("test.seven", breaksAt: 7)], known: [seven])
    #expect(loop.outcome(of: [0, 0, 0, 0, 7]) == .pointless)
    #expect(loop.outcome(of: [0, 0, 0, 0, 8]) == .held)
  }

  @Test("A judged input has the choices of its sample, which shrinks by them")
  func choices() {
    let input = loop.judge(bytes(1, 9))
    #expect(input.group.laws.map(\.name) == ["test.nine"])
    #expect(input.choices.recordedValues == [0, 9])
    let run = LawRun([input.group], on: ["number"], seed: 1)
    let failure = input.judged.findings.first.flatMap {
      run.shrunk($0, of: input.group, input.choices, stepLimit: 100)
    }
    #expect(failure?.sample.text == "9\n")
    #expect(failure?.isRaw == false)
  }

  @Test("Seeds are bytes of random cases, the same every time")
  func seeds() {
    let seeds = (0..<20).map { loop.seed($0) }
    #expect(Set(seeds).count > 15)
    #expect(seeds == (0..<20).map { loop.seed($0) })
    #expect(Set(seeds.map { loop.judge($0).group.laws[0].name }).count == 2)
  }

  @Test("A number is mutated as the bytes of its value")
  func numbers() {
    let input = bytes(1, 4)
    var asked: Set<[UInt8]> = []
    var isFound = false
    for seed in UInt32(0)..<60 {
      let made = loop.mutated(input, seed: seed) { bytes, limit in
        if limit == 8 { asked.insert(bytes) }
        return limit == 8 ? [9] + Array(repeating: 0, count: 7) : bytes
      }
      if case .failed(let key) = loop.outcome(of: made) { isFound = key.law == "test.nine" }
    }
    // Least significant byte first, as a comparison has it.
    #expect(asked == [[4, 0, 0, 0, 0, 0, 0, 0]])
    #expect(isFound)
  }
}

@Suite("What inputs drew")
struct DrawnInputsTests {
  @Test("An input is drawn once, until there are too many")
  func keeps() {
    let inputs = DrawnInputs()
    var drawnCount = 0
    func ask(_ bytes: [UInt8]) -> [UInt32] {
      inputs.choices(of: bytes) {
        drawnCount += 1
        return drawn(bytes)
      }.recordedValues
    }
    inputs.keep(drawn([7]), of: [7])
    #expect(ask([7]) == [7] && drawnCount == 0)
    for _ in 0..<2 { #expect(ask([5]) == [5] && drawnCount == 1) }
    for number in 0..<DrawnInputs.countLimit {
      inputs.keep(drawn([1]), of: [UInt8(number >> 8), UInt8(number & 0xFF)])
    }
    #expect(ask([5]) == [5] && drawnCount == 2)
  }

  private func drawn(_ bytes: [UInt8]) -> Choices {
    var choices = Choices(bytes: bytes)
    _ = choices.choice(upTo: 255)
    return choices
  }
}

@Suite("How an input is made")
struct ChoiceMutatorTests {
  @Test(
    "A seed takes its turn: a random case, or the fuzzer's own change",
    arguments: 0..<9 as Range<UInt32>
  )
  func turns(_ seed: UInt32) {
    let mutator = ChoiceMutator(turns: [.plain, .random, .plain])
    let made = mutator.mutated(
      [1],
      seed: seed,
      by: { bytes, _ in bytes + [2] },
      random: { [UInt8($0), 3] },
      draw: { Choices(bytes: $0) }
    )
    #expect(made == (seed % 3 == 1 ? [UInt8(seed), 3] : [1, 2]))
  }
}

@Suite("Mutations of choices")
struct ChoiceMutationTests {
  /// Three items of a flag and a number each.
  private func drawn(_ bytes: [UInt8]) -> Choices {
    var choices = Choices(bytes: bytes)
    for _ in 0..<3 {
      choices.span("item") { choices in
        _ = choices.choice(upTo: 1)
        _ = choices.choice(upTo: 65_535)
        _ = choices.preference { $0.choice(upTo: 255) }
      }
    }
    return choices
  }

  private let bytes: [UInt8] = [1, 2, 3, 1, 4, 5, 1, 6, 7]

  @Test("Each choice has its bytes, and a preference has none")
  func offsets() {
    let offsets = drawn(bytes).byteOffsets
    #expect(offsets == [0, 1, 3, 3, 4, 6, 6, 7, 9, 9])
  }

  @Test("A mutation moves whole items, and repeats")
  func spans() {
    var lengths: Set<Int> = []
    for seed in UInt64(0)..<200 {
      let mutation = ChoiceMutation(of: bytes, drawn: drawn(bytes))
      let made = mutation.mutated(seed: seed) { bytes, _ in bytes }
      let again = mutation.mutated(seed: seed) { bytes, _ in bytes }
      #expect(made == again)
      guard let made else { continue }
      lengths.insert(made.count)
      #expect(made.count % 3 == 0 || made.count < bytes.count, "\(made)")
    }
    #expect(lengths.isSuperset(of: [6, 9, 12]))
  }

  @Test("A number becomes one that it may be compared with")
  func numbers() {
    var found: Set<[UInt8]> = []
    for seed in UInt64(0)..<400 {
      let mutation = ChoiceMutation(of: bytes, drawn: drawn(bytes))
      let made = mutation.mutated(seed: seed, numbers: [0x1234, -2, 1 << 40]) { bytes, _ in bytes }
      guard let made, made.count == 9 else { continue }
      found.insert(Array(made[1...2]))
    }
    // As it is, twice it, and -2 as the third of 0, -1, 1, -2; what does not fit is left out.
    #expect(found.isSuperset(of: [[0x34, 0x12], [0x68, 0x24], [3, 0]]))
  }

  @Test("64 bits become a number as two halves, the upper first")
  func halves() {
    var choices = Choices(bytes: [1])
    _ = choices.bits64()
    var found: Set<[UInt8]> = []
    for seed in UInt64(0)..<200 {
      let mutation = ChoiceMutation(of: [1], drawn: choices)
      let made = mutation.mutated(seed: seed, numbers: [0x0A_0000_000B, -1]) { bytes, _ in bytes }
      if let made { found.insert(made) }
    }
    #expect(found.isSuperset(of: [[10, 0, 0, 0, 11], Array(repeating: 255, count: 8)]))
  }

  @Test("A crossed input has an item of the other")
  func crosses() {
    let other: [UInt8] = [1, 90, 91, 1, 92, 93, 1, 94, 95]
    for seed in UInt64(0)..<50 {
      let made = ChoiceMutation(of: bytes, drawn: drawn(bytes))
        .crossed(with: ChoiceMutation(of: other, drawn: drawn(other)), seed: seed)
      #expect(made.map { $0.contains { $0 >= 90 } } == true)
    }
  }

  @Test("Bytes that are missing are 0, and nothing that draws nothing is changed")
  func short() {
    let mutation = ChoiceMutation(of: [], drawn: drawn([]))
    #expect(mutation.mutated(seed: 4) { bytes, _ in bytes } != nil)
    let none = ChoiceMutation(of: [], drawn: Choices(bytes: []))
    for seed in UInt64(0)..<20 {
      #expect(none.mutated(seed: seed) { bytes, _ in bytes } == nil)
      #expect(none.crossed(with: mutation, seed: seed) == nil)
    }
  }
}
