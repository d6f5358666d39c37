import CaseFiles
import Foundation
import PastRuns
import RunHistories
import TestSupport
import Testing

@Suite("Runs in a folder")
struct HistoryStoreTests {
  private func part(_ id: String, _ law: String, path: String? = nil) -> PastRun {
    PastRun(
      tests: id,
      startedAt: "2026-11-01T01:02:03Z",
      seconds: 1,
      machine: "m",
      commit: nil,
      seed: "0x1",
      repeatCommand: "swift test",
      failures: path.map { path in
        [
          PastFailure(
            id: "Note--\(law)",
            law: law,
            subject: "Note (automerge)",
            differenceKind: "state",
            summary: "title is lost",
            path: path
          )
        ]
      } ?? [],
      judged: ["Note (automerge)": [law: 5]]
    )
  }

  @Test("Of a history whose files are damaged it is said how to begin a new one")
  func damaged() async throws {
    try await withFolder { folder in
      let store = HistoryStore(folder: folder)
      try await store.add(part("1", "a"))
      let files = folder.appendingPathComponent("runs.json.store")
      for name in try FileManager.default.contentsOfDirectory(atPath: files.path) {
        let file = files.appendingPathComponent(name)
        let size = try Data(contentsOf: file).count
        if size > 0 { try Data(repeating: 0x58, count: size).write(to: file) }
      }
      let error = await #expect(throws: FileFailure.self) { try await store.runs() }
      let words = error?.description ?? ""
      #expect(words.contains("its files are damaged ("), "\(words)")
      #expect(words.hasSuffix("where runs.json.store is moved away, and the case files stay"))
      try FileManager.default.removeItem(at: files)
      try await store.add(part("2", "a"))
      #expect(try await store.runs().count == 1)
    }
  }

  @Test("A folder without a run is told apart from one that cannot be read")
  func missing() async throws {
    try await withFolder { folder in
      let other = folder.appendingPathComponent("other")
      try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
      for place in [other, folder.appendingPathComponent("none")] {
        let store = HistoryStore(folder: place)
        #expect(!store.exists)
        let error = await #expect(throws: FileFailure.self) { try await store.runs() }
        #expect(error?.description.contains("holds no history") == true)
      }
      // To look for runs in a folder of another kind leaves nothing there.
      #expect(try FileManager.default.contentsOfDirectory(atPath: other.path) == [])
      let blocked = HistoryStore(folder: folder.appendingPathComponent("file/below"))
      try Data("x".utf8).write(to: folder.appendingPathComponent("file"))
      let refused = await #expect(throws: FileFailure.self) {
        try await blocked.add(part("1", "a"))
      }
      #expect(refused?.description.hasSuffix(": a file is in the place of a folder") == true)
    }
  }

  @Test("Parts of several runs that come at the same time are all there")
  func together() async throws {
    try await withFolder { folder in
      let store = HistoryStore(folder: folder.appendingPathComponent("past"))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<6 {
          group.addTask {
            let part = part("run \(index % 3)", "law \(index % 4)")
            try await store.add(parts: part, [part])
          }
        }
        try await group.waitForAll()
      }
      let runs = try await store.runs()
      #expect(Set(runs.map(\.id)) == ["run 0", "run 1", "run 2"])
      #expect(runs.map(\.cases) == [20, 20, 20])
    }
  }

  @Test("A failure that is forgotten loses every case that a run had of it")
  func forgetsAll() async throws {
    try await withFolder { folder in
      let store = HistoryStore(folder: folder)
      let names = ["a--b--c", "a--b--c-2", "a--b--other"]
      for (name, kind) in zip(names, ["c", "c", "other"]) {
        let file = store.cases.url.appendingPathComponent("\(name).case")
        try writeFile(Data("x".utf8), to: file)
        let failure = PastFailure(
          id: name,
          law: "b",
          subject: "a",
          differenceKind: kind,
          summary: "it is lost"
        )
        var run = part(name, "b")
        run.failures = [failure]
        try await store.add(run)
      }
      let lives = RunHistory(try await store.runs()).lives
      try await store.forget(lives.map(\.failure).filter { $0.differenceKind == "c" })
      #expect(try store.cases.caseURLs.map(\.lastPathComponent) == ["a--b--other.case"])
      #expect(try await store.runs().flatMap(\.failures).map(\.id) == ["a--b--other"])
    }
  }

  @Test("What is forgotten is in no run, its case is gone, and nothing else is taken away")
  func forgets() async throws {
    try await withFolder { folder in
      let store = HistoryStore(folder: folder.appendingPathComponent("past"))
      let cases = folder.appendingPathComponent("__Touchstone__")
      try FileManager.default.createDirectory(at: cases, withIntermediateDirectories: true)
      let own = cases.appendingPathComponent("Note--a.case")
      let others = [
        folder.appendingPathComponent("notes.case"), cases.appendingPathComponent("Note.swift"),
      ]
      for url in [own] + others { try Data("x".utf8).write(to: url) }
      for (law, url) in zip(["a", "b", "c"], [own] + others) {
        try await store.add(part(law, law, path: url.path))
      }
      let failures = try await store.runs().flatMap(\.failures)
      #expect(failures.map { store.caseFile(of: $0)?.path } == [own.path, nil, nil])
      try await store.forget(failures)
      #expect(try await store.runs().flatMap(\.failures) == [])
      #expect(!FileManager.default.fileExists(atPath: own.path))
      for url in others { #expect(FileManager.default.fileExists(atPath: url.path)) }
    }
  }
}
