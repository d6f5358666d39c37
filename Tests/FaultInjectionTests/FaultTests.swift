import FaultInjection
import FileSystems
import PropertyEngine
import Testing

@Suite("Faults of file systems")
struct FaultTests {
  private func files(_ plan: FaultPlan) throws -> (FaultyFiles, Descriptor) {
    var disk = MemoryDisk()
    disk.makeFolders(["d"])
    let files = FaultyFiles(MemoryFiles(disk))
    let folder = try files.openFolder(path: "/d", makingMode: nil)
    let file = try files.open("f", in: folder, .create(mode: 0o600))
    files.setPlan(plan)
    return (files, file)
  }

  @Test("Transfers stop at the limit, and the loop goes on where they stopped", arguments: 1...5)
  func short(_ limit: Int) throws {
    var plan = FaultPlan()
    plan.transferLimit = limit
    let (files, file) = try files(plan)
    #expect(try files.write([1, 2, 3, 4, 5, 6], to: file, at: 0) == limit)
    try files.writeAll([1, 2, 3, 4, 5, 6], to: file, at: 0)
    #expect(try files.readAll(file) == [1, 2, 3, 4, 5, 6])
  }

  @Test("AS-13 own write loop: signals and short counts change no byte")
  func interrupted() throws {
    var plan = FaultPlan()
    plan.transferLimit = 2
    plan.interruptionPeriod = 2
    let (files, file) = try files(plan)
    let bytes = (0..<99).map { UInt8($0) }
    try files.writeAll(bytes, to: file, at: 0)
    try files.settle(file, .data)
    #expect(try files.readAll(file) == bytes)
  }

  @Test("The call that is named is refused, and those after it are not")
  func refused() throws {
    var plan = FaultPlan()
    plan.refusal = .init(call: 3, cause: .noSpace)
    let (files, file) = try files(plan)
    #expect(try files.write([1], to: file, at: 0) == 1)
    #expect(throws: FileError(.write, "f", .noSpace)) { try files.write([1], to: file, at: 1) }
    #expect(try files.write([1], to: file, at: 1) == 1)
    #expect(files.callCount == 5)
  }

  @Test("A name that is not listed stands for what it stood for")
  func unlisted() throws {
    var plan = FaultPlan()
    plan.unlisted = ["f"]
    let (files, _) = try files(plan)
    let folder = try files.openFolder(path: "/d", makingMode: nil)
    try files.make("g", in: folder, mode: 0o600, [], .data)
    #expect(try files.names(in: folder) == ["g"])
    #expect(try files.status(of: "f", in: folder) != nil)
    files.setPlan(FaultPlan())
    #expect(try files.names(in: folder) == ["f", "g"])
  }

  @Test("Calls of one kind are refused as often as said, whatever calls lie between them")
  func refusedOfOneKind() throws {
    var plan = FaultPlan()
    // The first synchronisation is the call before.
    plan.refusal = .init(call: 4, count: 2, cause: .inputOutput, only: .synchronize)
    let (files, file) = try files(plan)
    var refused: [Int] = []
    for place in 0..<5 {
      #expect(try files.write([1], to: file, at: place) == 1)
      do {
        try files.synchronize(file, .data)
      } catch {
        #expect(error == FileError(.synchronize, "f", .inputOutput))
        refused.append(place)
      }
    }
    #expect(refused == [1, 2])
    // A plan that is set again counts from zero.
    plan.refusal?.count = 1
    files.setPlan(plan)
    #expect(throws: FileError(.synchronize, "f", .inputOutput)) {
      try files.synchronize(file, .data)
    }
    try files.synchronize(file, .data)
  }

  @Test("A late refusal is of a call that was carried out; one that reads is refused at once")
  func late() throws {
    var plan = FaultPlan()
    plan.refusal = .init(call: 2, count: 2, cause: .inputOutput, isLate: true)
    let (files, file) = try files(plan)
    #expect(throws: FileError(.write, "f", .inputOutput)) { try files.write([7], to: file, at: 0) }
    #expect(throws: FileError(.size, "f", .inputOutput)) { try files.size(of: file) }
    #expect(try files.readAll(file) == [7])
  }

  @Test("After a crash every call says so")
  func crashed() throws {
    var plan = FaultPlan()
    plan.crashCall = 2
    let (files, file) = try files(plan)
    for _ in 0..<3 {
      #expect(throws: FileError(.size, "f", .crashed)) { try files.size(of: file) }
    }
  }

  @Test("A failed synchronisation loses its bytes, whatever a later one says")
  func failedSync() throws {
    let memory = MemoryFiles(
      {
        var disk = MemoryDisk()
        disk.makeFolders(["d"])
        return disk
      }()
    )
    let files = FaultyFiles(memory)
    let folder = try files.openFolder(path: "/d", makingMode: nil)
    let file = try files.open("f", in: folder, .create(mode: 0o600))
    try files.synchronizeFolder(folder)
    try files.writeAll([1, 2, 3], to: file, at: 0)
    var plan = FaultPlan()
    plan.refusal = .init(call: files.callCount, cause: .inputOutput)
    files.setPlan(plan)
    #expect(throws: FileError.self) { try files.synchronize(file, .data) }
    try files.synchronize(file, .data)
    #expect(try files.readAll(file) == [1, 2, 3])
    #expect(memory.disk.crashed(.adversarial) { _ in true }.bytes(at: ["d", "f"]) == [])
  }

  @Test("Damage changes bytes, and nothing of none", arguments: 0..<50)
  func damage(_ stream: Int) {
    var choices = Choices(seed: Seed(3).stream(UInt64(stream)))
    let damage = Damage.any().draw(&choices)
    var none: [UInt8] = []
    damage.apply(to: &none)
    #expect(none == [])
    var bytes = (0..<2000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let before = bytes
    damage.apply(to: &bytes)
    if case .append(let more) = damage {
      #expect(bytes == before + more)
    } else {
      #expect(bytes.count <= before.count)
    }
    var again = before
    damage.apply(to: &again)
    #expect(again == bytes)
    #expect(Damage(damage.kind, damage.numbers) == damage)
  }

  @Test(
    "Damage has as many numbers as its kind, and bytes are such",
    arguments: Damage.Kind.allCases
  )
  func numbers(_ kind: Damage.Kind) {
    #expect(Damage(kind, []) == nil)
    #expect(Damage(kind, [1, 256, 2, 3]) == nil)
  }

  @Test("The simplest plan of choices loses nothing")
  func simplest() {
    var choices = Choices(replaying: [])
    #expect(PowerLoss.any.draw(&choices) == PowerLoss())
  }
}
