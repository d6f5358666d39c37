import Foundation
import Testing

@testable import FileSystems

/// A file system and an empty folder in it.
struct FileSystemCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let files: any FileSystem
  let path: String

  static var all: [FileSystemCase] {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("touchstone-files-\(UUID().uuidString)")
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var disk = MemoryDisk()
    disk.add(["subject", "old"], [])
    let memory = MemoryFiles(disk)
    return [
      FileSystemCase(testDescription: "system", files: SystemFiles(), path: folder.path),
      FileSystemCase(testDescription: "memory", files: memory, path: "/subject"),
    ]
  }
}

@Suite("Calls of file systems")
struct FileSystemTests {
  @Test("A number of the system that has no class is told in the system's words")
  func otherCauses() {
    #expect(FileError.Cause(errno: ENAMETOOLONG).summary == "file name too long")
  }

  @Test("AS-35 every call does the same in the system and in memory", arguments: FileSystemCase.all)
  func calls(_ subject: FileSystemCase) throws {
    let files = subject.files
    let folder = try files.openFolder(path: subject.path, makingMode: nil)
    defer { files.close(folder) }
    #expect(cause { try files.open("none", in: folder, .read) } == .notFound)
    let file = try files.open("a", in: folder, .create(mode: 0o600))
    #expect(try files.write([1, 2, 3, 4], to: file, at: 2) == 4)
    #expect(try files.size(of: file) == 6)
    #expect(try files.readAll(file) == [0, 0, 1, 2, 3, 4])
    #expect(try files.read(file, at: 5, upTo: 9) == [4])
    #expect(try files.read(file, at: 6, upTo: 9) == [])
    try files.truncate(file, to: 3)
    try files.synchronize(file, .data)
    try files.synchronizeFolder(folder)
    #expect(try files.status(of: "a", in: folder) == FileStatus(kind: .file, size: 3, mode: 0o600))
    #expect(cause { try files.open("a", in: folder, .createNew(mode: 0o600)) } == .alreadyExists)
    let inner = try files.openFolder("inner", in: folder, makingMode: 0o700)
    try files.rename("a", in: folder, to: "b", in: inner)
    #expect(try files.status(of: "a", in: folder) == nil)
    #expect(try files.names(in: inner) == ["b"])
    // A file that is open stays the file that it was.
    #expect(try files.readAll(file) == [0, 0, 1])
    #expect(cause { try files.openFolder("b", in: inner, makingMode: nil) } == .wrongKind)
    try files.make("c", in: inner, mode: 0o600, [9], .data)
    try files.rename("c", in: inner, to: "b", in: inner)
    #expect(try files.contents(of: "b", in: inner) == [9])
    try files.remove("b", in: inner)
    #expect(cause { try files.remove("b", in: inner) } == .notFound)
    files.close(file)
    files.close(inner)
  }

  @Test("A folder that cannot be read to its end is refused, and is no short one", arguments: 0...2)
  func unreadableFolder(listedCount: Int) throws {
    func names(endingWith code: Int32) throws -> [String] {
      var listed = [".", "a", "b"].prefix(listedCount)
      // Of some earlier call.
      errno = EIO
      return try SystemFiles.names {
        if listed.isEmpty {
          if code != 0 { errno = code }
          return nil
        }
        return listed.removeFirst()
      }
    }
    #expect(try names(endingWith: 0) == Array(["a"].prefix(max(0, listedCount - 1))))
    #expect(throws: FileError(.names, "", .inputOutput)) { try names(endingWith: EIO) }
  }

  @Test("What stands in a file's place is refused by its name", arguments: FileSystemCase.all)
  func folderForFile(_ subject: FileSystemCase) throws {
    let files = subject.files
    let folder = try files.openFolder(path: subject.path, makingMode: nil)
    defer { files.close(folder) }
    files.close(try files.openFolder("no file", in: folder, makingMode: 0o700))
    let error = #expect(throws: FileError.self) { try files.contents(of: "no file", in: folder) }
    #expect(error?.name == "no file")
    #expect(error?.cause == .wrongKind)
  }

  @Test(
    "AS-18 exclusive lock: another descriptor is refused, closing gives it up",
    arguments: FileSystemCase.all
  )
  func locks(_ subject: FileSystemCase) throws {
    let files = subject.files
    let folder = try files.openFolder(path: subject.path, makingMode: nil)
    defer { files.close(folder) }
    let first = try files.open("LOCK", in: folder, .create(mode: 0o600))
    let second = try files.open("LOCK", in: folder, .create(mode: 0o600))
    #expect(try files.lock(first))
    #expect(try !files.lock(second))
    // POSIX record locks would be gone now.
    files.close(try files.open("LOCK", in: folder, .read))
    #expect(try !files.lock(second))
    files.close(first)
    #expect(try files.lock(second))
    files.close(second)
  }

  @Test("Closing gives a lock up, though a child that is being started still has the descriptor")
  func inheritedLocks() throws {
    let subject = try #require(FileSystemCase.all.first)
    let files = subject.files
    let folder = try files.openFolder(path: subject.path, makingMode: nil)
    defer { files.close(folder) }
    let first = try files.open("LOCK", in: folder, .create(mode: 0o600))
    #expect(try files.lock(first))
    // A second number of one open file, as a child has between `fork` and `exec`.
    let inherited = dup(first.number)
    defer { files.close(Descriptor(inherited)) }
    files.close(first)
    let second = try files.open("LOCK", in: folder, .create(mode: 0o600))
    defer { files.close(second) }
    #expect(try files.lock(second))
  }

  @Test("A link is not followed, to a file or to a folder")
  func links() throws {
    let subject = try #require(FileSystemCase.all.first)
    let path = URL(fileURLWithPath: subject.path)
    try Data("x".utf8).write(to: path.appendingPathComponent("target"))
    try FileManager.default.createSymbolicLink(
      at: path.appendingPathComponent("link"),
      withDestinationURL: path.appendingPathComponent("target")
    )
    let folder = try subject.files.openFolder(path: subject.path, makingMode: nil)
    defer { subject.files.close(folder) }
    try FileManager.default.createDirectory(
      at: path.appendingPathComponent("folder"),
      withIntermediateDirectories: false
    )
    try FileManager.default.createSymbolicLink(
      at: path.appendingPathComponent("link to folder"),
      withDestinationURL: path.appendingPathComponent("folder")
    )
    #expect(cause { try subject.files.open("link", in: folder, .read) } == .wrongKind)
    for mode in [nil, 0o700] as [UInt16?] {
      for name in ["link", "link to folder"] {
        #expect(
          cause { try subject.files.openFolder(name, in: folder, makingMode: mode) } == .wrongKind
        )
      }
    }
  }

  private func cause<Value>(_ call: () throws -> Value) -> FileError.Cause? {
    do {
      _ = try call()
      return nil
    } catch {
      return (error as? FileError)?.cause
    }
  }
}

@Suite("Losses of power")
struct PowerTests {
  /// A file of two bytes: its name and its first byte are synchronised, its second is not.
  private func disk() throws -> MemoryDisk {
    var disk = MemoryDisk()
    disk.makeFolders(["d"])
    let files = MemoryFiles(disk)
    let folder = try files.openFolder(path: "/d", makingMode: nil)
    let file = try files.open("f", in: folder, .create(mode: 0o600))
    try files.writeAll([1], to: file, at: 0)
    try files.synchronize(file, .data)
    try files.synchronizeFolder(folder)
    try files.writeAll([2], to: file, at: 1)
    try files.make("g", in: folder, mode: 0o600, [3], .data)
    return files.disk
  }

  @Test("AS-36 crash models: what is synchronised stays, the rest goes as the model allows")
  func models() throws {
    let disk = try disk()
    func bytes(_ model: CrashModel, _ isLost: (Int) -> Bool) -> ([UInt8]?, [UInt8]?) {
      let after = disk.crashed(model, isLost: isLost)
      return (after.bytes(at: ["d", "f"]), after.bytes(at: ["d", "g"]))
    }
    // Parts: size and byte of f, name of g.
    #expect(disk.pieceCount == 3)
    #expect(bytes(.process) { _ in true } == ([1, 2], [3]))
    #expect(bytes(.adversarial) { _ in true } == ([1], nil))
    #expect(bytes(.adversarial) { $0 == 1 } == ([1, 0], [3]))
    #expect(bytes(.adversarial) { $0 == 0 } == ([1], [3]))
    #expect(bytes(.ordered) { $0 == 1 } == ([1, 0], nil))
    #expect(bytes(.journalling) { $0 == 0 } == ([1], [3]))
  }

  @Test("A rename is whole: the old name, or the new one")
  func renames() throws {
    let files = MemoryFiles(try disk())
    let folder = try files.openFolder(path: "/d", makingMode: nil)
    try files.synchronizeFolder(folder)
    try files.rename("g", in: folder, to: "f", in: folder)
    let lost = files.disk.crashed(.adversarial) { _ in true }
    #expect(lost.bytes(at: ["d", "g"]) == [3])
    #expect(lost.bytes(at: ["d", "f"]) == [1])
    let kept = files.disk.crashed(.adversarial) { _ in false }
    #expect(kept.bytes(at: ["d", "g"]) == nil)
    #expect(kept.bytes(at: ["d", "f"]) == [3])
  }
}
