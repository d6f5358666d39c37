import DocumentModel
import Foundation
import Histories
import Testing
import Texts

@testable import ForeignSubjects

@Suite("Adapter manifests")
struct AdapterManifestTests {
  @Test("A manifest says how to start, what is taken away and what is known")
  func reads() throws {
    let folder = try AdapterFolder(
      "",
      manifest: """
        {
          "id": "fake",
          "command": ["python", "adapter.py", "-v"],
          "answerSeconds": 30,
          "without": {"features": ["history"], "scalars": ["counter", "unknown"]},
          "conditions": {"writes-empty-key": {"edit": {"key": ""}}},
          "knownDivergences": [
            {"law": "agreement.*", "condition": "writes-empty-key", "case": "cases/empty-key.case",
             "reason": "It refuses the empty key."},
            {"law": "*", "condition": {"edit": {"kind": "mark"}}, "case": "a", "reason": "b"},
            {"law": "*", "condition": {"edit": {"kind": "marks"}}, "case": "a", "reason": "b"}
          ]
        }
        """
    )
    let manifest = try AdapterManifest(folder: folder.url)
    #expect(manifest.id == "fake")
    #expect(manifest.commandWords == ["python", "adapter.py", "-v"])
    #expect(manifest.answerSeconds == 30)
    #expect(manifest.withheld.features == [.history])
    #expect(manifest.withheld.scalars == [.counter, .unknown])
    #expect(manifest.withheld.edits.isEmpty)
    let known = try #require(manifest.knownDivergences.first)
    #expect(known.law == "agreement.*")
    #expect(
      try known.predicate()
        == HistoryPredicate(try JSONValue(parsing: #"{"edit":{"key":""}}"#))
    )
    #expect(known.caseFile.path == folder.url.path + "/cases/empty-key.case")
    #expect(known.reason == "It refuses the empty key.")
    let others = manifest.knownDivergences.dropFirst()
    #expect(
      try others.first?.predicate()
        == HistoryPredicate(try JSONValue(parsing: #"{"edit":{"kind":"mark"}}"#))
    )
    let error = #expect(throws: AdapterManifestError.self) { _ = try others.last?.predicate() }
    #expect(error?.file == folder.url.appendingPathComponent("adapter.json").path)
    #expect(
      error?.description.contains(
        "there is no kind of edit 'marks' at knownDivergences.2.condition.edit.kind. Did you mean"
          + " 'mark'?"
      ) == true
    )
  }

  @Test("An adapter may ask for more time than is usual, and not for less")
  func time() {
    let patient = AdapterLimits().allowing(answerSeconds: 30)
    #expect(patient.answerTimeoutMilliseconds == 30_000)
    #expect(patient.startTimeoutMilliseconds == 30_000)
    #expect(AdapterLimits().allowing(answerSeconds: 1) == AdapterLimits())
    #expect(AdapterLimits().allowing(answerSeconds: nil) == AdapterLimits())
  }

  @Test("What a manifest takes away is missing from the subject's capabilities")
  func narrows() throws {
    let folder = try AdapterFolder(
      """
      turn; answer '"started":{"protocol":1,"id":"fake","version":"9","capabilities":{"edits":["put","delete"],"features":["heads"]}}'; turn
      """,
      manifest: """
        {"id":"fake","command":["/bin/sh","adapter.sh"],"without":{"edits":["delete","splice"]}}
        """
    )
    let subject = try folder.subject()
    #expect(subject.id == "fake")
    #expect(subject.version == "9")
    #expect(subject.capabilities.edits == [.put])
    #expect(subject.capabilities.features == [.heads])
    #expect(subject.knownDivergences.isEmpty)
  }

  @Test(
    "A manifest that cannot be used is refused in words",
    arguments: [
      ("", "a JSON object, found unreadable JSON at byte 0: expected a value"),
      (
        #"{"id":"a","command":["b"],"answerSeconds":0}"#,
        "expected seconds of an answer, 1 to 3600, found 0"
      ),
      ("[]", "a JSON object, found an array of 0"),
      (#"{"command":["x"]}"#, #"a member "id" of an adapter"#),
      (#"{"id":"A b","command":["x"]}"#, "a short id, found another string"),
      (#"{"id":"a"}"#, #"a member "command""#),
      (#"{"id":"a","command":[]}"#, "the words of a command, found none"),
      (#"{"id":"a","command":["x",5]}"#, "the words of a command, found a number"),
      (#"{"id":"a","command":["x"],"without":[]}"#, "an object of capabilities, found an array"),
      (#"{"id":"a","command":["x"],"without":{"edits":["fly"]}}"#, #"found "fly""#),
      (#"{"id":"a","command":["x"],"knownDivergences":[{}]}"#, "knownDivergences.0: expected"),
      (
        #"{"id":"a","command":["x"],"without":{"edit":["put"]}}"#,
        #"found "edit". Did you mean 'edits'?"#
      ),
      (
        #"{"id":"a","command":["x"],"without":{"features":["histry"]}}"#,
        #"found "histry". Did you mean 'history'"#
      ),
      (
        #"{"id":"a","command":["x"],"knownDivergence":[]}"#,
        #"found "knownDivergence". Did you mean 'knownDivergences'?"#
      ),
      (
        #"{"id":"a","command":["x"],"knownDivergences":[{"laws":"*"}]}"#,
        #"knownDivergences.0: expected no members of a known divergence but law, condition, case, reason, found "laws". Did you mean 'law'?"#
      ),
      (#"{"id":"a","command":["x"],"conditions":[]}"#, "an object of conditions, found an array"),
      (
        #"{"id":"a","command":["x"],"knownDivergences":[{"law":"*","condition":"c","case":"x"}]}"#,
        #"a member "reason""#
      ),
    ]
  )
  func refuses(_ text: String, _ words: String) throws {
    let folder = try AdapterFolder("", manifest: text)
    let error = #expect(throws: AdapterManifestError.self) {
      try AdapterManifest(folder: folder.url)
    }
    let description = try #require(error?.description)
    #expect(description.contains("/adapter.json: "))
    #expect(description.contains(words), "\(description)")
  }

  @Test("A manifest at the limit of its size is read, one past it is refused")
  func limitsSize() throws {
    let text = #"{"id":"a","command":["x"]}"#
    let spare = AdapterManifest.byteLimit - text.utf8.count
    let atLimit = try AdapterFolder("", manifest: text + String(repeating: " ", count: spare))
    #expect(try AdapterManifest(folder: atLimit.url).id == "a")
    let beyond = try AdapterFolder("", manifest: text + String(repeating: " ", count: spare + 1))
    let error = #expect(throws: AdapterManifestError.self) {
      try AdapterManifest(folder: beyond.url)
    }
    #expect(error?.description.contains("at most 1048576 bytes, found more") == true)
  }

  @Test("The word python stands for the package's own Python, else for python3 along the path")
  func findsPython() throws {
    let folder = try AdapterFolder("", manifest: #"{"id":"a","command":["python","-c","x"]}"#)
    let manifest = try AdapterManifest(folder: folder.url)
    func program(_ searchPath: String) throws -> String {
      try manifest.command(packageRoot: folder.url, searchPath: searchPath).program.path
    }
    func install(_ path: String) throws {
      let url = folder.url.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data("#!/bin/sh\n".utf8).write(to: url)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
    }
    #expect(throws: AdapterFailure.self) { try program(folder.url.path) }
    try install("bin/python3")
    #expect(try program("/nowhere:\(folder.url.path)/bin").hasSuffix("/bin/python3"))
    try install(".build/python/bin/python")
    #expect(try program(folder.url.path + "/bin").hasSuffix("/.build/python/bin/python"))
    #expect(try manifest.command(packageRoot: folder.url, searchPath: "").arguments == ["-c", "x"])
  }

  @Test("The adapters of a folder are found in the order of their names")
  func findsFolders() throws {
    let outer = try AdapterFolder("")
    for name in ["b", "a", "c"] {
      let url = outer.url.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      if name != "c" {
        try Data("{}".utf8).write(to: url.appendingPathComponent(AdapterManifest.fileName))
      }
    }
    #expect(AdapterManifest.folders(in: outer.url).map(\.lastPathComponent) == ["a", "b"])
    #expect(AdapterManifest.folders(in: outer.url.appendingPathComponent("none")) == [])
  }

  @Test("A link in a folder of adapters that leads nowhere is an adapter that cannot be used")
  func closedFolders() throws {
    let outer = try AdapterFolder("")
    for name in ["gone", ".#README.md"] {
      try FileManager.default.createSymbolicLink(
        atPath: outer.url.appendingPathComponent(name).path,
        withDestinationPath: "nowhere"
      )
    }
    let found = AdapterManifest.folders(in: outer.url)
    #expect(found.map(\.lastPathComponent) == ["gone"])
    let error = #expect(throws: AdapterManifestError.self) { try AdapterManifest(folder: found[0]) }
    #expect(error?.description.hasSuffix("a link that leads nowhere, or may not be opened") == true)
  }

  @Test("An adapter that is asked for a sign gives one, or fails")
  func pings() throws {
    let folder = try AdapterFolder("start; turn; answer '\"pong\":{}'; turn; echo nothing; turn")
    let command = try AdapterManifest(folder: folder.url).command(
      packageRoot: folder.url,
      searchPath: ""
    )
    let dialogue = try Dialogue(command, adapter: "fake", limits: .patient)
    try dialogue.ping()
    let failure = #expect(throws: AdapterFailure.self) { try dialogue.ping() }
    #expect(failure?.kind == "garbage")
  }
}
