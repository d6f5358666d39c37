import FuzzEntryPoints
import Histories
import PropertyEngine
import Testing

@Suite("Mutations of a fuzzer's inputs")
struct FuzzMutationTests {
  private let subject: FuzzSubject
  private let mutation: FuzzMutation

  init() throws {
    subject = try FuzzTarget.histories.subject()
    mutation = FuzzMutation(subject)
  }

  /// Inputs of random histories with a few steps, and so with parts to change.
  private func inputs(_ count: Int) -> [FuzzInput] {
    let all = (0..<4 * count).lazy.map { index in
      FuzzInput(
        drawing: Choices(seed: Seed(value: 7).stream(UInt64(index))),
        on: subject,
        JudgingRequest(drawsOnly: true)
      )
    }
    return Array(
      all.filter { $0.group.isShared && ($0.history?.history.steps.count ?? 0) > 3 }.prefix(count)
    )
  }

  private func history(_ bytes: [UInt8]) -> History? {
    FuzzInput(bytes: bytes, on: subject, JudgingRequest(drawsOnly: true)).history?.history
  }

  @Test("Every second seed changes whole parts, and most changes make another history")
  func changesParts() {
    var changed = 0
    var total = 0
    for input in inputs(20) {
      for seed in stride(from: UInt32(0), to: 20, by: 2) {
        var plainCount = 0
        let bytes = mutation.mutated(input.bytes, seed: seed) { bytes, _ in
          plainCount += 1
          return bytes
        }
        #expect(bytes == mutation.mutated(input.bytes, seed: seed) { bytes, _ in bytes })
        // What has no wide number is left to libFuzzer where a number was to change.
        guard plainCount == 0 else { continue }
        total += 1
        if history(bytes) != input.history?.history { changed += 1 }
      }
    }
    // A part that is drawn again may come out as it was, or say nothing of the sample.
    #expect(total > 80 && changed * 2 > total, "\(changed) of \(total)")
  }

  @Test("Odd seeds and an empty input are left to libFuzzer")
  func leavesToPlain() {
    let input = inputs(1)[0].bytes
    #expect(mutation.mutated(input, seed: 3) { _, _ in [42] } == [42])
    #expect(mutation.mutated([], seed: 2) { _, _ in [42] }.count <= FuzzTarget.histories.byteLimit)
  }

  @Test("A crossed input takes a part of the second into the first")
  func crosses() {
    let inputs = inputs(12)
    var made = 0
    for (first, second) in zip(inputs, inputs.dropFirst()) {
      let bytes = mutation.crossed(first.bytes, second.bytes, seed: 5)
      #expect(bytes == mutation.crossed(first.bytes, second.bytes, seed: 5))
      if !bytes.isEmpty, history(bytes) != first.history?.history { made += 1 }
    }
    #expect(made >= 6)
  }

  @Test("Of an input that was judged the same mutations are made as of one that was not")
  func keepsWhatWasDrawn() throws {
    var madeCount = 0
    for target in FuzzTarget.all where target.readsChoices {
      let subject = try target.subject()
      let judging = FuzzDriver(subject)
      for index in 0..<3 {
        let choices = Choices(seed: Seed(value: 9).stream(UInt64(index)))
        let bytes = FuzzInput(drawing: choices, on: subject, JudgingRequest(drawsOnly: true)).bytes
        #expect(judging.judge(bytes) == 0)
        // One that has judged nothing draws the sample for each.
        let fresh = FuzzMutation(subject)
        for seed in stride(from: UInt32(0), to: 8, by: 2) {
          let made = judging.mutated(bytes, seed: seed) { bytes, _ in bytes }
          #expect(made == fresh.mutated(bytes, seed: seed) { bytes, _ in bytes })
          if made != bytes { madeCount += 1 }
        }
      }
    }
    #expect(madeCount > 10)
  }

  @Test("Files are not crossed: libFuzzer does that as well")
  func filesAreNotCrossed() throws {
    let load = FuzzMutation(try FuzzTarget.load.subject())
    #expect(load.crossed([1, 2, 3], [4, 5, 6], seed: 1).isEmpty)
  }
}
