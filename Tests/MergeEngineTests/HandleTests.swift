import Testing

@testable import MergeEngine

@Suite("Handles")
struct HandleTests {
  private func arena(_ elements: [UInt32]) -> Arena<UInt32> {
    var arena = Arena<UInt32>()
    for element in elements { arena.append(element) }
    return arena
  }

  @Test("The handles of an arena are those of its elements, all or from a place on")
  func all() {
    let arena = arena([7, 8, 9])
    let all = arena.handles.map { arena[$0] }
    #expect(all == [7, 8, 9])
    let rest = arena.handles(from: 1).map { arena[$0] }
    #expect(rest == [8, 9])
    let beyond = [3, 5].map { Array(arena.handles(from: $0)) }
    #expect(beyond == [[], []])
  }

  @Test("A stretch of handles has as many as it says, and none when empty")
  func stretch() {
    let arena = arena([7, 8, 9])
    let two = Handles(from: Handle<UInt32>(1), count: 2).map { arena[$0] }
    #expect(two == [8, 9])
    #expect(Array(Handles(from: Handle<UInt32>(1), count: 0)).isEmpty)
  }

  @Test("Handles ascend as the arena does, and none comes behind all")
  func order() {
    let arena = arena([9, 8])
    let handles = Array(arena.handles)
    #expect(handles[0] < handles[1])
    #expect(handles[1] < .none)
    let next = arena.nextHandle
    #expect(handles[1].next == next)
    let contained = [handles[1], next, .none].map { arena.contains($0) }
    #expect(contained == [true, false, false])
  }

  @Test("An arena beside another has its elements at the same handles")
  func beside() {
    var counts = arena([1, 2, 3])
    let change = ChangeHandle(1)
    counts[beside: change] += 5
    let numbers = (0..<counts.count).map { counts[$0] }
    #expect(numbers == [1, 7, 3])
  }
}

@Suite("Names of actors in a chunk")
struct ChunkActorTests {
  @Test("An actor is noted once, and can be noted again when it was forgotten")
  func noting() {
    var actors = ChunkActors()
    actors.reserve(3)
    actors[2] = 0
    let first = [actors.note(0), actors.note(1), actors.note(0), actors.note(2)]
    #expect(first == [true, true, false, false])
    actors[0] = 1
    actors[1] = 2
    let indexes = [actors[0], actors[1], actors[2]]
    #expect(indexes == [1, 2, 0])
    let settled = actors.note(1)
    #expect(!settled)
    actors.forget(1)
    actors.reserve(4)
    let again = [actors.note(1), actors.note(3), actors.note(0)]
    #expect(again == [true, true, false])
  }
}
