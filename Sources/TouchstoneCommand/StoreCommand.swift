import ArgumentParser
import CaseFiles
import FileSystems
import Foundation
import LocalStore
import Programs
import Texts

/// `touchstone store`: real writers of the local store, killed.
struct StoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store",
    abstract: "Kills real writers of the local store, and looks at what they leave.",
    shouldDisplay: false,
    subcommands: [StoreWriteCommand.self, StoreKillCommand.self]
  )
}

/// What the writer stores: change `n` gives one of 50 items the text `n`, so that the state after any change
/// is known.
private enum KilledStore {
  struct Item: Codable, Identifiable, Sendable {
    var id: String
    var text: String
  }

  static let itemCount: UInt64 = 50
  static let name = "killed.json"
  /// Small, so that many kills come while files are rewritten.
  static let options = StoreOptions(durability: .process, compactionFloor: 4096)

  static func item(_ change: UInt64) -> Item {
    Item(id: "item-\(change % itemCount)", text: "\(change)")
  }

  /// Ids and texts after a change, in their order.
  static func state(after change: UInt64) -> [String: String] {
    let first = change >= itemCount ? change - itemCount + 1 : 1
    guard change > 0 else { return [:] }
    return Dictionary(uniqueKeysWithValues: (first...change).map { (item($0).id, item($0).text) })
  }
}

/// `touchstone store write`: saves until it is killed, and prints the number of each change that returned.
struct StoreWriteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "write",
    abstract: "Saves items until it is killed; prints each change that was acknowledged."
  )

  @Argument(help: "The folder of the store.")
  var folder: String

  func run() throws {
    let url = URL(fileURLWithPath: folder)
    try waiting {
      let store = try await LocalRepository<KilledStore.Item>.open(
        directory: url,
        filename: KilledStore.name,
        options: KilledStore.options
      )
      while true {
        let commit = try await store.save(KilledStore.item(await store.sequence + 1))
        Output.writeOrEnd("\(commit.sequence)\n")
      }
    }
  }
}

/// `touchstone store kill`: starts writers, kills each at some moment, and opens what it leaves.
struct StoreKillCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kill",
    abstract: "Starts writers, kills each at some moment, and opens what it leaves."
  )

  @Option(help: .value("n", "Writers that are killed."), from: 1)
  var times: Int = 100

  @Argument(help: "An empty folder that is there.")
  var folder: String

  /// A place is absolute.
  private var place: StorePlace {
    get throws {
      try StorePlace(directory: URL(fileURLWithPath: folder).path, filename: KilledStore.name)
    }
  }

  func run() throws {
    guard fileType(URL(fileURLWithPath: folder)) == .typeDirectory else {
      throw FileFailure("cannot kill writers in \(folder)", reason: "there is no such folder")
    }
    var acknowledged: UInt64 = 0
    var compactions: UInt64 = 0
    var torn = 0
    for time in 0..<times {
      let last = try killOne(time)
      let engine = try StoreEngine.open(place, KilledStore.options, on: SystemFiles())
      let shown = Dictionary(
        uniqueKeysWithValues: try engine.table.entries.map { entry in
          let item = try JSONDecoder().decode(
            KilledStore.Item.self,
            from: Data(entry.value.payload)
          )
          return (item.id, item.text)
        }
      )
      guard engine.sequence >= max(last, acknowledged), engine.report.damage.isEmpty,
        shown == KilledStore.state(after: engine.sequence)
      else {
        complain(
          "kill \(time): acknowledged \(last), found \(engine.sequence), \(engine.report.state): \(shown)"
        )
        throw ExitCode(1)
      }
      acknowledged = engine.sequence
      compactions = engine.report.generation
      if engine.report.state == .torn { torn += 1 }
    }
    Output.writeOrEnd(
      "\(counted(times, "writer")) killed, \(counted(Int(acknowledged), "change")), "
        + "\(counted(Int(compactions), "generation")), \(counted(torn, "torn end")); nothing acknowledged is missing\n"
    )
  }

  /// Starts a writer and kills it.
  ///
  /// - Returns: The last change that it acknowledged; 0 if none.
  private func killOne(_ time: Int) throws -> UInt64 {
    let process = Process()
    process.executableURL = Bundle.main.executableURL
    process.arguments = ["store", "write", folder]
    let pipe = Pipe()
    process.standardOutput = pipe
    try LivingProcesses.start(process)
    defer { LivingProcesses.remove(process.processIdentifier) }
    // A different moment each time: from the start to some milliseconds of writing.
    let first = pipe.fileHandleForReading.availableData
    guard !first.isEmpty else {
      // It has said why on standard error, which is ours.
      process.waitUntilExit()
      complain("kill \(time): the writer ended before it was killed")
      throw ExitCode(2)
    }
    if time % 8 == 0 {
      let place = try place
      let second = Result { () throws(StoreError) in
        try StoreEngine.open(place, KilledStore.options, on: SystemFiles())
      }
      guard case .failure(let error) = second, error.reason == .alreadyOpen else {
        kill(process.processIdentifier, SIGKILL)
        complain("kill \(time): two processes had the store open")
        throw ExitCode(1)
      }
    }
    usleep(UInt32((time * 7919) % 12_000))
    kill(process.processIdentifier, SIGKILL)
    let rest = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let lines = String(decoding: first + rest, as: UTF8.self).split(
      separator: "\n",
      omittingEmptySubsequences: false
    )
    // What follows the last line feed is not whole.
    return lines.dropLast().compactMap { UInt64($0) }.last ?? 0
  }
}
