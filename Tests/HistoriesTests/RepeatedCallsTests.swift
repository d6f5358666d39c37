import DocumentModel
import PropertyEngine
import Subjects
import Testing

@testable import Histories

@Suite("Repeated calls")
struct RepeatedCallsTests {
  private static let writer = ActorID(repeating: 1)
  private static let other = ActorID(repeating: 2)

  private func origins(_ instructions: [Instruction]) -> [Int] {
    var program = Program()
    program.instructions = instructions
    return RepeatedCalls(program).origins
  }

  @Test("The same calls on the same states repeat each other")
  func repeats() {
    let found = origins([
      .create(document: 0, Self.writer),
      .edit(document: 0, .put(.root, .key("k"), .null), makes: nil),
      .create(document: 1, Self.other), .merge(document: 1, from: 0),
      .create(document: 2, Self.other), .merge(document: 2, from: 0),
      .fork(document: 3, from: 2, Self.writer), .fork(document: 4, from: 1, Self.writer),
      .save(document: 1, slot: Lowering.firstFreeSlot),
      .save(document: 2, slot: Lowering.firstFreeSlot + 1),
      .load(document: 5, slot: Lowering.firstFreeSlot, Self.writer),
      .load(document: 6, slot: Lowering.firstFreeSlot + 1, Self.writer),
      .sync(document: 3, with: 1, [.lose]), .sync(document: 4, with: 2, [.lose]),
      .merge(document: 3, from: 1), .merge(document: 4, from: 2),
    ])
    #expect(found == [-1, -1, -1, -1, 2, 3, -1, 6, -1, 8, -1, 10, -1, 12, -1, 14])
  }

  @Test("Calls that differ, or whose documents have changed since, repeat nothing")
  func differs() {
    let opening: [Instruction] = [
      .create(document: 0, Self.writer), .create(document: 1, Self.other),
      .merge(document: 1, from: 0), .fork(document: 2, from: 0, Self.other),
    ]
    let changes: [Instruction] = [
      .edit(document: 0, .put(.root, .key("k"), .null), makes: nil), .commit(document: 0),
      .call(document: 0, .rollback), .call(document: 0, .commit(message: nil, time: 1)),
      .deliver(message: 1, document: 0, part: nil), .deliverReversed(message: 1, document: 0),
      .call(document: 0, .attempt(.put(.root, .key("k"), .null))),
    ]
    for change in changes {
      let found = origins(opening + [change, .fork(document: 3, from: 0, Self.other)])
      #expect(found.allSatisfy { $0 < 0 }, "\(change)")
    }
    #expect(origins(opening + [.fork(document: 3, from: 0, Self.other)]).last == 3)
    #expect(origins(opening + [.fork(document: 3, from: 0, Self.writer)]).last == -1)
    #expect(origins(opening + [.fork(document: 3, from: 1, Self.other)]).last == -1)
    #expect(origins(opening + [.merge(document: 0, from: 1)]).last == -1)
  }

  @Test("A save moves what is appended from, and one of the history is made each time")
  func saves() {
    let slot = Lowering.firstFreeSlot
    let saves: [Instruction] = [
      .create(document: 0, Self.writer), .save(document: 0, slot: slot),
      .save(document: 0, slot: slot + 1),
    ]
    #expect(origins(saves) == [-1, -1, 1])
    #expect(origins(saves + [.call(document: 0, .append(slot: slot))]) == [-1, -1, -1, -1])
    #expect(origins(Array(saves.dropLast()) + [.save(document: 0, slot: 3)]) == [-1, -1, -1])
  }

  @Test("What fails is tried again, and changes nothing")
  func failures() {
    var program = Program()
    program.instructions = [
      .create(document: 0, Self.writer), .create(document: 1, Self.other),
      .edit(document: 1, .put(.root, .key("k"), .null), makes: nil),
      .load(document: 0, slot: 7, Self.writer), .load(document: 1, slot: 7, Self.writer),
      .observe(document: 0), .observe(document: 1),
    ]
    #expect(RepeatedCalls(program).origins[4] == 3)
    let alone = Interpreter<EngineReplica>.run(program, sharesStates: false)
    #expect(Interpreter<EngineReplica>.run(program) == alone)
  }
}
