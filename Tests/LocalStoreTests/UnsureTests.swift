import FaultInjection
import FileSystems
import Testing

@testable import LocalStore

/// What one process left without making it sure, and another one opens.
@Suite("What another process did not make sure")
struct UnsureTests {
  private let memory: MemoryFiles
  private let place: StorePlace

  init() throws {
    var disk = MemoryDisk()
    disk.makeFolders(["data"])
    memory = MemoryFiles(disk)
    place = try StorePlace(directory: "/data", filename: "notes")
  }

  private func open(_ files: any FileSystem) throws -> StoreEngine {
    try StoreEngine.open(place, StoreOptions(durability: .data), on: files)
  }

  private func save(_ id: String, _ level: StoreDurability, _ engine: StoreEngine) throws {
    _ = try engine.commit([[StoreOperation(.put, ItemID(id), [1])]], level)
  }

  private var refusingSynchronisation: FaultPlan {
    var plan = FaultPlan()
    plan.refusal = FaultPlan.Refusal(call: 0, cause: .inputOutput, only: .synchronize)
    return plan
  }

  /// The ids that are left when the power is lost, and all that was not synchronised with it.
  private func idsAfterPowerLoss() throws -> [String] {
    let disk = memory.disk.crashed(.adversarial) { _ in true }
    return try open(MemoryFiles(disk)).table.entries.map(\.id.text)
  }

  @Test("What is shown survives, though its synchronisation failed in another process")
  func failedSynchronisation() throws {
    let files = FaultyFiles(memory)
    let first = try open(files)
    try save("a", .process, first)
    files.setPlan(refusingSynchronisation)
    #expect(throws: StoreError.self) { try first.flush(.data) }
    first.drop()
    let second = try open(memory)
    #expect(second.table.count == 1)
    #expect(try idsAfterPowerLoss() == ["a"])
    try save("b", .data, second)
    #expect(try idsAfterPowerLoss() == ["a", "b"])
  }

  @Test("The mark of a closed journal leaves no gap, though its synchronisation failed")
  func failedMark() throws {
    let files = FaultyFiles(memory)
    let first = try open(files)
    try save("a", .data, first)
    files.setPlan(refusingSynchronisation)
    #expect(throws: StoreError.self) { try first.close() }
    let second = try open(memory)
    #expect(second.report.state == .closed)
    try save("b", .data, second)
    #expect(try idsAfterPowerLoss() == ["a", "b"])
  }

  /// Ends a process at a call of what it does; false behind its last call.
  private func ended(
    at call: Int,
    _ files: MemoryFiles,
    _ body: (FaultyFiles) throws -> Void
  ) -> Bool {
    let faulty = FaultyFiles(files)
    var plan = FaultPlan()
    plan.crashCall = call
    faulty.setPlan(plan)
    try? body(faulty)
    return faulty.callCount > call
  }

  /// A disk with one item in a store, whose process ended in the middle of a compaction.
  private func compacting(until call: Int) throws -> MemoryDisk? {
    let files = MemoryFiles(memory.disk)
    try save("a", .data, open(files))
    let isEnded = ended(at: call, files) { faulty in
      let engine = try open(faulty)
      try engine.compact()
      engine.drop()
    }
    return isEnded ? files.disk : nil
  }

  @Test("The older snapshot is not removed before the newer one is sure of its name")
  func endedCompaction() throws {
    var call = 0
    while let disk = try compacting(until: call) {
      call += 1
      guard disk.paths.contains(where: { $0.last == "snapshot.2" }) else { continue }
      var next = 0
      var files = MemoryFiles(disk)
      while ended(at: next, files, { try open($0).drop() }) {
        for pattern in 0..<4 {
          let left = PowerLoss(.adversarial, pattern: pattern).applied(to: files.disk)
          #expect(try open(MemoryFiles(left)).table.count == 1, "calls \(call - 1) and \(next)")
        }
        next += 1
        files = MemoryFiles(disk)
      }
    }
    #expect(call > 10)
  }

  @Test("A store that one process began to make is sure when another one has opened it")
  func endedMaking() throws {
    var call = 0
    var files = MemoryFiles(memory.disk)
    while ended(at: call, files, { try open($0).drop() }) {
      try save("a", .data, open(files))
      let left = MemoryFiles(files.disk.crashed(.adversarial) { _ in true })
      #expect(try open(left).table.count == 1, "call \(call)")
      call += 1
      files = MemoryFiles(memory.disk)
    }
    #expect(call > 10)
  }
}
