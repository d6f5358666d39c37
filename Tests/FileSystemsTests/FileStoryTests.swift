import FileSystems
import Foundation
import PropertyEngine
import Testing

/// One call of a file system, about one of a few names in one of two folders.
private struct Call: CustomStringConvertible {
  var kind: Int
  var folder: Int
  var name: String
  var other: (folder: Int, name: String)
  var offset: Int
  var count: Int

  init(_ choices: inout Choices) {
    kind = choices.index(below: 12)
    folder = choices.index(below: 2)
    name = "f\(choices.index(below: 3))"
    other = (choices.index(below: 2), "f\(choices.index(below: 3))")
    offset = choices.index(below: 6)
    count = choices.index(below: 5)
  }

  var description: String { "\(kind) \(folder)/\(name) \(other) \(offset) \(count)" }
}

/// A file system with the files that were opened in it.
private final class Opened {
  let files: any FileSystem
  private(set) var folders: [Descriptor] = []
  private(set) var open: [String: Descriptor] = [:]

  init(_ files: any FileSystem, _ path: String) throws {
    self.files = files
    let root = try files.openFolder(path: path, makingMode: nil)
    folders = [root, try files.openFolder("inner", in: root, makingMode: 0o700)]
  }

  /// What a call answers, in a form that two file systems share.
  func answer(to call: Call) -> String {
    let folder = folders[call.folder]
    do {
      switch call.kind {
      case 0, 1, 2:
        let access: FileAccess =
          [.update, .create(mode: 0o600), .createNew(mode: 0o600)][call.kind]
        let file = try files.open(call.name, in: folder, access)
        if let old = open.updateValue(file, forKey: call.name) { files.close(old) }
      case 3, 4:
        guard let file = open[call.name] else { return "closed" }
        let bytes = [UInt8](repeating: UInt8(call.offset + 1), count: call.count)
        return "\(try files.write(bytes[...], to: file, at: call.offset))"
      case 5:
        guard let file = open[call.name] else { return "closed" }
        try files.truncate(file, to: call.offset)
      case 6:
        guard let file = open[call.name] else { return "closed" }
        try files.synchronize(file, .data)
      case 7: try files.synchronizeFolder(folder)
      case 8, 9:
        try files.rename(call.name, in: folder, to: call.other.name, in: folders[call.other.folder])
      case 10: try files.remove(call.name, in: folder)
      default:
        if let file = open.removeValue(forKey: call.name) { files.close(file) }
      }
      return "done"
    } catch { return "\(error.cause)" }
  }

  /// All names, sizes and bytes, those of open files that have no name any more among them.
  func state() throws -> String {
    var lines: [String] = []
    for (number, folder) in folders.enumerated() {
      for name in try files.names(in: folder) where name != "inner" {
        let size = try files.status(of: name, in: folder)?.size
        let bytes = try files.contents(of: name, in: folder)
        lines.append("\(number)/\(name) \(size ?? -1) \(bytes ?? [])")
      }
    }
    for (name, file) in open.sorted(by: { $0.key < $1.key }) {
      lines.append("\(name) \(try files.readAll(file))")
    }
    return lines.joined(separator: "\n")
  }

  func close() { for file in folders + open.values { files.close(file) } }
}

@Suite("Calls of file systems, in any order")
struct FileStoryTests {
  private static func disk() -> MemoryDisk {
    var disk = MemoryDisk()
    disk.makeFolders(["d", "inner"])
    return disk
  }

  /// Names and bytes on a disk.
  private static func text(_ disk: MemoryDisk) -> [String] {
    disk.paths.map { "\($0.joined(separator: "/")) \(disk.bytes(at: $0) ?? [])" }
  }

  @Test("Files in memory answer as the system's do, and hold the same")
  func same() throws {
    let root = FileManager.default.temporaryDirectory
      .appendingPathComponent("touchstone-files-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: root) }
    for seed in 0..<30 {
      let folder = root.appendingPathComponent("\(seed)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let system = try Opened(SystemFiles(), folder.path)
      let memory = try Opened(MemoryFiles(Self.disk()), "/d")
      defer { system.close() }
      var choices = Choices(seed: Seed(value: UInt64(seed)))
      var log: [Call] = []
      for _ in 0..<40 {
        let call = Call(&choices)
        log.append(call)
        let answers = (system.answer(to: call), memory.answer(to: call))
        try #require(answers.0 == answers.1, "seed \(seed): \(log)")
        try #require(try system.state() == memory.state(), "seed \(seed): \(log)")
      }
    }
  }

  @Test("What was synchronised survives each loss of power until it is written again")
  func sure() throws {
    for seed in Array(0..<80) + [533] {
      let files = MemoryFiles(Self.disk())
      let opened = try Opened(files, "/d")
      var choices = Choices(seed: Seed(value: UInt64(seed)))
      var log: [Call] = []
      for _ in 0..<40 {
        let call = Call(&choices)
        log.append(call)
        _ = opened.answer(to: call)
        let disk = files.disk
        let ended = disk.crashed(.process) { _ in true }
        #expect(Self.text(ended) == Self.text(disk))
        // The end of a process makes nothing sure.
        #expect(
          Self.text(ended.crashed(.adversarial) { _ in true })
            == Self.text(disk.crashed(.adversarial) { _ in true })
        )
        for model in CrashModel.allCases {
          // Nothing is lost: the disk is as it was.
          try #require(
            Self.text(disk.crashed(model) { _ in false }) == Self.text(disk),
            "seed \(seed), \(model): \(log)"
          )
        }
        guard choices.flag(percent: 20) else { continue }
        // All is synchronised, in any order: nothing can be lost.
        let folders = choices.flag() ? opened.folders : opened.folders.reversed()
        for file in opened.open.values { try files.synchronize(file, .data) }
        for folder in folders { try files.synchronizeFolder(folder) }
        let names = files.disk.crashed(.adversarial) { _ in true }
        try #require(names.paths == files.disk.paths, "seed \(seed): \(log)")
      }
    }
  }
}
