import AutomergeDocument
import Foundation
import Synchronization
import Testing

@Suite("Sync of documents")
struct DocumentSyncTests {
  private func talk(
    _ left: Document,
    _ leftState: SyncState,
    _ right: Document,
    _ rightState: SyncState
  ) throws {
    for _ in 0..<20 {
      let first = left.generateSyncMessage(state: leftState)
      if let first { try right.receiveSyncMessage(state: rightState, message: first) }
      let second = right.generateSyncMessage(state: rightState)
      if let second { try left.receiveSyncMessage(state: leftState, message: second) }
      if first == nil && second == nil { return }
    }
    Issue.record("the session does not end")
  }

  @Test("SYN-01, SYN-02: Two documents sync, know the other's heads, and end with nothing to say")
  func converge() throws {
    let (left, right) = (Document(), Document())
    try left.put(obj: .ROOT, key: "a", value: .Int(1))
    try right.put(obj: .ROOT, key: "b", value: .Int(2))
    let (leftState, rightState) = (SyncState(), SyncState())
    #expect(leftState.theirHeads == nil)
    try talk(left, leftState, right, rightState)
    #expect(left.heads() == right.heads())
    #expect(try left.get(obj: .ROOT, key: "b") == .Scalar(.Int(2)))
    #expect(leftState.theirHeads == right.heads())
    #expect(left.generateSyncMessage(state: leftState) == nil)
    #expect(right.generateSyncMessage(state: rightState) == nil)
    // Observers hear of what a message brings.
    let told = Mutex(0)
    let token = left.observe { _ in told.withLock { $0 += 1 } }
    try right.put(obj: .ROOT, key: "c", value: .Null)
    try talk(left, leftState, right, rightState)
    #expect(told.withLock { $0 } > 0)
    withExtendedLifetime(token) {}
  }

  @Test("SYN-03, SYN-05: A state is stored, read, and reset; copies share it")
  func states() throws {
    let (left, right) = (Document(), Document())
    try left.put(obj: .ROOT, key: "a", value: .Int(1))
    let (leftState, rightState) = (SyncState(), SyncState())
    let copy = leftState
    try talk(left, leftState, right, rightState)
    #expect(copy.theirHeads == right.heads())
    let stored = leftState.encode()
    let read = try SyncState(bytes: stored)
    #expect(read.theirHeads == nil)
    #expect(read.encode() == stored)
    leftState.reset()
    #expect(copy.theirHeads == nil)
    #expect(copy.encode() == stored)
    rightState.reset()
    try right.put(obj: .ROOT, key: "later", value: .Boolean(true))
    try talk(left, read, right, rightState)
    #expect(left.heads() == right.heads())
  }

  @Test("SYN-04: What is no message or no state is refused with its place, and changes nothing")
  func refusals() throws {
    let document = Document()
    try document.put(obj: .ROOT, key: "a", value: .Int(1))
    let (heads, state) = (document.heads(), SyncState())
    for bytes in [Data(), Data([0x41]), Data([0x42, 200]), Data("garbage".utf8)] {
      #expect(throws: ReceiveSyncError.self) {
        try document.receiveSyncMessage(state: state, message: bytes)
      }
    }
    let error = #expect(throws: ReceiveSyncError.self) {
      try document.receiveSyncMessage(state: state, message: Data([0x41]))
    }
    #expect(
      error?.errorDescription
        == "Error receiving a sync message: the version 65 is unknown at byte 0 in sync message/version"
    )
    #expect(document.heads() == heads && state.theirHeads == nil)
    let refusal = #expect(throws: DecodeSyncStateError.self) { try SyncState(bytes: Data([0x43])) }
    #expect(
      refusal?.errorDescription
        == "Error decoding a sync state: the bytes end too early at byte 1 in sync state/heads"
    )
  }
}
