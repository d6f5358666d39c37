import FaultInjection
import FileSystems
import Foundation
import PropertyEngine
import Testing

@testable import LocalStore

/// What a store may hold: the state after each change, and up to where they are sure.
private struct PlainStore {
  /// Items in their order.
  typealias Items = [(id: String, version: UInt64, payload: [UInt8])]

  /// The state after each change, from none on; the last is what the open store shows.
  var states: [Items] = [[]]
  /// Changes that survive the end of the process, and the loss of power.
  var sureOfProcess = 0
  var sureOfPower = 0
  /// What may be there besides, one change behind the other: changes that failed, and are not known to be gone.
  var candidates: [Items] = []

  /// States that only a loss of power brings back, each with those before it.
  var ghosts: [[Items]] = []

  var current: Items { states[states.count - 1] }

  static func after(_ items: Items, _ change: [StoreOperation], _ version: UInt64) -> Items {
    var items = items
    for operation in change {
      let place = items.firstIndex { $0.id == operation.id.text }
      switch operation.kind {
      case .put:
        if let place {
          items[place] = (operation.id.text, version, operation.payload)
        } else {
          items.append((operation.id.text, version, operation.payload))
        }
      case .delete: if let place { items.remove(at: place) }
      case .append:
        if let place { items[place].payload += operation.payload }
        if let place { items[place].version = version }
      }
    }
    return items
  }

  mutating func survive(_ level: StoreDurability) {
    if level >= .process { sureOfProcess = states.count - 1 }
    guard level >= .data else { return }
    sureOfPower = states.count - 1
    ghosts = []
  }

  /// The states that an opening may find, each with those before it.
  func allowed(isPower: Bool) -> [[Items]] {
    let all = states + candidates
    let least = isPower ? sureOfPower : sureOfProcess
    let lines = all.indices.dropFirst(least).map { Array(all[...$0]) }
    return isPower ? lines + ghosts.filter { $0.count > least } : lines
  }

  /// An opening has found a state, and those before it.
  mutating func found(_ line: [Items], isSure: Bool) {
    if !isSure {
      // The loss of power may bring back what was there, as nothing that replaces it is synchronised.
      let all = states + candidates
      ghosts += all.indices.map { Array(all[...$0]) }
    }
    states = line
    candidates = []
    sureOfProcess = line.count - 1
    sureOfPower = min(sureOfPower, line.count - 1)
    if isSure { survive(.data) }
  }
}

@Suite("A store's engine as a list of states")
struct EngineStoryTests {
  private static func text(_ items: PlainStore.Items) -> String {
    items.map { "\($0.id):\($0.version):\($0.payload)" }.joined(separator: " ")
  }

  private static func text(_ engine: StoreEngine) -> String {
    engine.table.entries.map { "\($0.id.text):\($0.value.version):\($0.value.payload)" }
      .joined(separator: " ")
  }

  private static func change(_ choices: inout Choices) -> [StoreOperation] {
    (0...choices.index(below: 3)).map { _ in
      let id = ItemID("i\(choices.index(below: 4))")
      let payload = [UInt8](
        repeating: UInt8(choices.index(below: 9)),
        count: choices.flag(percent: 10) ? 700 : choices.index(below: 40)
      )
      switch choices.index(below: 4) {
      case 0: return StoreOperation(.delete, id)
      case 1: return StoreOperation(.append, id, payload)
      default: return StoreOperation(.put, id, payload)
      }
    }
  }

  private static func plan(_ choices: inout Choices, from call: Int) -> FaultPlan {
    var plan = FaultPlan()
    if choices.flag(percent: 60) {
      plan.refusal = FaultPlan.Refusal(
        call: call + choices.index(below: 9),
        count: 1 + choices.index(below: 4),
        cause: choices.element(of: FaultPlan.causes),
        only: choices.flag(percent: 30)
          ? choices.element(of: [.synchronize, .rename, .synchronizeFolder, .write, .truncate])
          : nil,
        isLate: choices.flag(percent: 30)
      )
    }
    if choices.flag(percent: 20) { plan.transferLimit = 1 + choices.index(below: 600) }
    if choices.flag(percent: 20) { plan.interruptionPeriod = 1 + choices.index(below: 4) }
    return plan
  }

  private func run(_ seed: Int) throws {
    var choices = Choices(seed: Seed(value: UInt64(seed)))
    var disk = MemoryDisk()
    disk.makeFolders(["data"])
    var memory = MemoryFiles(disk)
    var files = FaultyFiles(memory)
    var model = PlainStore()
    let place = try StorePlace(directory: "/data", filename: "notes")
    var options = StoreOptions(compactionFloor: [0, 256, 2048][choices.index(below: 3)])
    options.durability = choices.element(of: StoreDurability.allCases)
    options.batchLimit = 3000
    var log: [String] = ["\(options.durability) \(options.compactionFloor)"]
    var isAfterPower = false
    // The first opening may fail as well.
    var engine: StoreEngine?

    /// The state of an opened engine, with those before it.
    func look(_ opened: StoreEngine, isPower: Bool) throws -> [PlainStore.Items] {
      let text = Self.text(opened)
      let match = model.allowed(isPower: isPower).last { line in
        line.count == Int(opened.sequence) + 1 && Self.text(line[line.count - 1]) == text
      }
      return try #require(match, "seed \(seed): \(log): found \(opened.sequence) \(text)")
    }

    func open(_ disk: MemoryDisk) throws -> StoreEngine {
      do {
        return try StoreEngine.open(place, options, on: MemoryFiles(disk))
      } catch {
        return try #require(nil, "seed \(seed): \(log): \(error)")
      }
    }

    /// What other processes would find if this one ended here, or the power did.
    func check() throws {
      let now = memory.disk
      let left = try open(now)
      _ = try look(left, isPower: isAfterPower)
      for _ in 0..<2 {
        let loss = PowerLoss.any.draw(&choices)
        log.append("(\(loss))")
        let opened = try open(loss.applied(to: now))
        _ = try look(opened, isPower: isAfterPower || loss.model != .process)
        log.removeLast()
      }
    }

    for _ in 0..<25 {
      files.setPlan(choices.flag() ? Self.plan(&choices, from: files.callCount) : FaultPlan())
      let used = memory.disk.paths.reduce(0) { $0 + (memory.disk.bytes(at: $1)?.count ?? 0) }
      memory.setCapacity(choices.flag(percent: 15) ? used + choices.index(below: 3000) : .max)
      if let open = engine {
        let level = choices.element(of: StoreDurability.allCases)
        switch choices.index(below: 10) {
        case 0..<6:
          let changes = (0...choices.index(below: 3)).map { _ in Self.change(&choices) }
          var next: [PlainStore.Items] = []
          for change in changes {
            let version = UInt64(model.states.count + next.count)
            next.append(PlainStore.after(next.last ?? model.current, change, version))
          }
          log.append("commit \(level) \(changes.count)")
          do {
            let first = try open.commit(changes, level)
            #expect(first == UInt64(model.states.count))
            model.states += next
            model.survive(level)
          } catch {
            log[log.count - 1] += " \(error)"
            if error.durableState == .unknown, error.phase != .compact {
              #expect(open.health != .ok)
              model.candidates = next
            }
          }
        case 6:
          log.append("flush \(level)")
          do {
            try open.flush(level)
            model.survive(level)
          } catch {
            log[log.count - 1] += " \(error)"
          }
        case 7, 8:
          log.append("compact")
          do {
            try open.compact()
            model.candidates = []
            model.survive(.full)
          } catch {
            log[log.count - 1] += " \(error)"
          }
        default:
          log.append("close")
          do {
            let isOk = open.health == .ok
            try open.close()
            // One that has failed gives its files up as they are.
            if isOk { model.survive(.full) }
          } catch {
            log[log.count - 1] += " \(error)"
          }
          engine = nil
        }
        if engine != nil {
          #expect(Self.text(open) == Self.text(model.current), "seed \(seed): \(log)")
          #expect(Int(open.sequence) == model.states.count - 1)
        }
        if choices.flag(percent: 10) {
          open.drop()
          engine = nil
          let isPower = choices.flag()
          var left = memory.disk
          if isPower { left = PowerLoss.any.draw(&choices).applied(to: left) }
          log.append(isPower ? "power" : "killed")
          memory = MemoryFiles(left)
          files = FaultyFiles(memory)
          isAfterPower = isPower
        }
      } else {
        log.append("open")
        let found: StoreEngine
        do {
          found = try StoreEngine.open(place, options, on: files)
        } catch {
          log[log.count - 1] += " \(error)"
          if case .corrupted = error.reason {
            _ = try #require(nil as Int?, "seed \(seed): \(log)")
          }
          continue
        }
        guard found.health == .ok else {
          found.drop()
          continue
        }
        let line = try look(found, isPower: isAfterPower)
        model.found(line, isSure: options.durability >= .data)
        isAfterPower = false
        engine = found
      }
      try check()
    }
  }

  @Test("Whatever fails and is taken back, each opening finds a state that was promised")
  func stories() throws {
    for seed in 0..<25 { try run(seed) }
  }
}
