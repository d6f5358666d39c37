import AutomergeDocument
import DocumentStorage
import FaultInjection
import FileSystems
import Foundation
import LocalStore
import Synchronization
import Testing

@Suite("Documents in a store")
struct DocumentRepositoryTests {
  private static var disk: MemoryDisk {
    var disk = MemoryDisk()
    disk.makeFolders(["d"])
    return disk
  }

  private func open(_ files: any FileSystem, floor: Int = 1024) throws -> DocumentRepository {
    try DocumentRepository(
      directory: "/d",
      "documents",
      StoreOptions(durability: .data, compactionFloor: floor),
      on: files
    )
  }

  private func text(_ document: Document?) throws -> String? {
    guard let document, case .Object(let object, _)? = try document.get(obj: .ROOT, key: "text")
    else { return nil }
    return try document.text(obj: object)
  }

  @Test("A directory that is no file's URL is refused by its name")
  func remote() throws {
    let url = try #require(URL(string: "https://example.org/tmp"))
    let error = #expect(throws: StoreError.self) { try DocumentRepository(directory: url) }
    guard case .invalidLocation? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("What was saved is loaded, whatever limits its app had, and has the default ones then")
  func limits() async throws {
    // More elements without bytes than a stranger's file may have by default.
    let document = Document(limits: .greatest)
    let list = try document.putObject(obj: .ROOT, key: "list", ty: .List)
    let nulls = [ScalarValue](repeating: .Null, count: 1 << 16)
    for _ in 0...DocumentLimits().emptyElementLimit / nulls.count {
      try document.splice(obj: list, start: 0, delete: 0, values: nulls)
    }
    let saved = document.save()
    let refusal = #expect(throws: LoadError.self) { try Document(saved) }
    #expect(refusal?.limit == "emptyElementLimit")
    let files = MemoryFiles(Self.disk)
    let repository = try open(files)
    try await repository.save(document, as: "mine")
    let loaded = try #require(try await repository.load("mine"))
    #expect(loaded.heads() == document.heads())
    #expect(loaded.limits == DocumentLimits())
    // Enough for a new snapshot, which is made of what is stored.
    try document.put(obj: .ROOT, key: "note", value: .Bytes(Data(count: 8_192)))
    try await repository.save(document, as: "mine")
    try await repository.close()
    let reopened = try open(files)
    let again = try #require(try await reopened.load("mine"))
    #expect(again.heads() == document.heads())
    try await reopened.close()
  }

  @Test("A keystroke costs a small append, and the document comes back")
  func keystrokes() async throws {
    let written = Mutex(0)
    let memory = MemoryFiles(Self.disk)
    let files = FaultyFiles(memory) { call in
      if call.call == .write { written.withLock { $0 += call.byteCount } }
    }
    let repository = try open(files, floor: 1 << 20)
    let document = Document()
    let object = try document.putObject(obj: .ROOT, key: "text", ty: .Text)
    try document.spliceText(
      obj: object,
      start: 0,
      delete: 0,
      value: String((0..<20_000).map { "abcdefghijklmnopqrstuvwxyz".randomElementOf($0) })
    )
    try await repository.save(document, as: "draft")
    let whole = document.save().count
    written.withLock { $0 = 0 }
    for index in 0..<20 {
      try document.spliceText(obj: object, start: UInt64(index), delete: 0, value: "x")
      try await repository.save(document, as: "draft")
    }
    // The frame's header, the change, and nothing that grows with the document.
    #expect(written.withLock { $0 } / 20 < 256)
    #expect(whole > 1024)
    try await repository.save(document, as: "draft")
    try await repository.close()
    let again = try open(files)
    #expect(await again.documents == ["draft"])
    #expect(try text(try await again.load("draft")) == text(document))
  }

  @Test("Two forks saved under one id are merged, and deleting takes both")
  func forks() async throws {
    let memory = MemoryFiles(Self.disk)
    let repository = try open(memory)
    let one = Document()
    try one.put(obj: .ROOT, key: "one", value: .Int(1))
    let other = one.fork()
    try one.put(obj: .ROOT, key: "mine", value: .Int(2))
    try other.put(obj: .ROOT, key: "theirs", value: .Int(3))
    let stranger = Document()
    try stranger.put(obj: .ROOT, key: "stranger", value: .Int(4))
    for document in [one, other, stranger, one] { try await repository.save(document, as: "d") }
    let merged = try #require(try await repository.load("d"))
    #expect(merged.keys(obj: .ROOT).sorted() == ["mine", "one", "stranger", "theirs"])
    try await repository.delete("d")
    #expect(try await repository.load("d") == nil)
  }

  @Test("Ids are told apart by their bytes, also after reopening")
  func spellings() async throws {
    let memory = MemoryFiles(Self.disk)
    let repository = try open(memory)
    let ids = ["\u{E9}", "e\u{301}"]
    for id in ids {
      let document = Document()
      try document.put(obj: .ROOT, key: "scalars", value: .Int(Int64(id.unicodeScalars.count)))
      try await repository.save(document, as: id)
    }
    try await repository.close()
    let again = try open(memory)
    #expect(await again.documents.map { Array($0.utf8) } == ids.reversed().map { Array($0.utf8) })
    for id in ids {
      let scalars = try await again.load(id)?.get(obj: .ROOT, key: "scalars")
      #expect(scalars == .Scalar(.Int(Int64(id.unicodeScalars.count))))
    }
  }

  @Test("A document that is saved has the same changes to send as before")
  func unsent() async throws {
    let repository = try open(MemoryFiles(Self.disk))
    let document = Document()
    for key in ["first", "second"] {
      try document.put(obj: .ROOT, key: key, value: .Null)
      try await repository.save(document, as: "draft")
      #expect(!document.encodeNewChanges().isEmpty)
    }
  }

  private func attack(_ name: String) throws -> Data {
    let root = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return try Data(contentsOf: root.appending(path: "fixtures/attacks/\(name)"))
  }

  @Test("A waiting change that what is stored refuses keeps no document from loading")
  func badWaiting() async throws {
    let repository = try open(MemoryFiles(Self.disk))
    let (one, other) = (Document(), Document())
    for document in [one, other] {
      try document.applyEncodedChanges(encoded: attack("poison-base.chg"))
    }
    try one.applyEncodedChanges(encoded: attack("poison-object.chg"))
    try other.applyEncodedChanges(encoded: attack("poison-awaited.chg"))
    try await repository.save(other, as: "draft")
    for _ in 0..<2 {
      try await repository.save(one, as: "draft")
      let loaded = try #require(try await repository.load("draft"))
      #expect(loaded.heads() == other.heads())
      try one.put(obj: .ROOT, key: "more", value: .Null)
      try other.merge(other: one)
    }
  }

  @Test("What another thread edits while a document is saved is not lost")
  func edited() async throws {
    let repository = try open(MemoryFiles(Self.disk))
    let document = Document()
    try await repository.save(document, as: "draft")
    let isDone = Mutex(false)
    let writer = Thread {
      for index in 0..<3000 { try? document.put(obj: .ROOT, key: "k\(index)", value: .Int(1)) }
      isDone.withLock { $0 = true }
    }
    writer.start()
    while !isDone.withLock({ $0 }) { try await repository.save(document, as: "draft") }
    try await repository.save(document, as: "draft")
    let stored = try #require(try await repository.load("draft"))
    #expect(stored.heads() == document.heads())
    #expect(stored.keys(obj: .ROOT).count == 3000)
  }

  @Test("A crash at any call leaves every keystroke whose saving returned")
  func crashes() async throws {
    struct Image: Sendable {
      var disk: MemoryDisk
      var saved: Int
    }
    let images = Mutex<[Image]>([])
    let count = Mutex(0)
    let memory = MemoryFiles(Self.disk)
    let files = FaultyFiles(memory) { _ in
      images.withLock { $0.append(Image(disk: memory.disk, saved: count.withLock { $0 })) }
    }
    let repository = try open(files)
    let document = Document()
    let object = try document.putObject(obj: .ROOT, key: "text", ty: .Text)
    for index in 0..<40 {
      // Long enough that snapshots are made on the way, of the document and of the store.
      let value = String((0..<300).map { "abcdefghijklmnopqrstuvwxyz".randomElementOf($0 + index) })
      try document.spliceText(obj: object, start: 0, delete: 0, value: value)
      try await repository.save(document, as: "draft")
      count.withLock { $0 += 1 }
    }
    let all = images.withLock { $0 }
    #expect(all.count > 100)
    for (index, image) in all.enumerated() where index % 3 == 0 {
      for loss in [PowerLoss(), PowerLoss(.adversarial, pattern: 1 + index)] {
        let after = try open(MemoryFiles(loss.applied(to: image.disk)))
        let length = try text(try await after.load("draft"))?.utf8.count ?? 0
        #expect(length % 300 == 0)
        #expect(length / 300 >= image.saved && length / 300 <= image.saved + 1)
      }
    }
  }
}

extension String {
  /// A letter that looks random and is the same each time.
  fileprivate func randomElementOf(_ number: Int) -> Character {
    let mixed = UInt64(truncatingIfNeeded: number) &* 0x9e37_79b9_7f4a_7c15
    return self[index(startIndex, offsetBy: Int((mixed >> 33) % UInt64(count)))]
  }
}
