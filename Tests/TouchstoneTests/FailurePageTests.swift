import Foundation
import PropertyEngine
import TestSupport
import Testing
import Touchstone
import TouchstoneEngines

@Suite("Pages of failures")
struct FailurePageTests {
  private static func testFile() -> String {
    FileManager.default.temporaryDirectory
      .appendingPathComponent("touchstone-tests-\(UUID().uuidString)")
      .appendingPathComponent("NoteTests.swift").path
  }

  @Test("A failing expectation attaches the case file and a page that says what the issue says")
  func snapshot() async throws {
    let failures = try await lawFailures(
      of: LossyNote.self,
      file: Self.testFile(),
      test: "noteIsSafe()"
    )
    let failure = try #require(failures.first)
    let stored = try #require(failure.storedPath)
    let attachments = failure.told().attachments
    let name = "LossyNote--model.lossless"
    #expect(attachments.map(\.name) == ["\(name).case", "\(name).html"])
    #expect(attachments.first?.text == failure.caseFile)
    let page = try #require(attachments.last?.text)
    let parts = page.components(separatedBy: "</style>\n</head>\n")
    #expect(parts.count == 2)
    #expect(parts.first?.contains("(prefers-color-scheme: dark)") == true)
    #expect(
      parts.last == #"""
        <body><main>
        <h1>LossyNote breaks model.lossless</h1>
        <p class="law">A model comes back as it was. A value that is encoded and decoded again is what it was.</p>
        <h2>What differs</h2><p><code>encode(to:)</code> does not write <code>done</code></p>
        <div class="pair"><figure class="expected"><figcaption>Expected, the value</figcaption><pre>
        true</pre></figure><figure class="found"><figcaption>Found, the value encoded and decoded</figcaption><pre>
        false</pre></figure></div>
        <h2>value</h2><pre>
        LossyNote(title: "", done: true)</pre>
        <h2>decoded from</h2><pre>
        {"done": true, "title": ""}</pre>
        <h2>What to do</h2><p>Compare what <code>init(from:)</code> reads with what <code>encode(to:)</code> writes, key by key.</p>
        <h2>How to replay</h2><pre>
        TOUCHSTONE_REPLAY=\#(stored) swift test --filter noteIsSafe</pre>\#
        <p class="soft">The case is stored in \#(stored) (tried first from now on).</p>
        <p class="soft">found by case 2 of seed 0x1; 10 choices shrunk to 4</p>
        </main></body>
        </html>

        """#
    )
  }

  /// Adds up, and shows a text that is no friend of a page.
  private struct Scribble: MergeType {
    static let word = "</script><b>&amp;\"\u{1B}\u{202E}"

    var count = 0

    init(replica: Int) {}

    mutating func edit(_ source: inout ValueSource) -> String {
      count += 1
      return "writes \(Self.word)"
    }

    mutating func merge(_ other: Scribble) { count += other.count }

    var content: String { String(repeating: Self.word, count: count) }
  }

  @Test("No text of a failure becomes markup, or goes unseen")
  func escaping() async throws {
    let failures = try await convergenceFailures(of: Scribble.self, file: Self.testFile())
    let failure = try #require(failures.first)
    let page = try #require(failure.told().attachments.last?.text)
    let tree = try MarkupTree.read(page)
    let names: Set = [
      "html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "p", "div", "figure",
      "figcaption", "pre", "code",
    ]
    #expect(tree.all.filter { !names.contains($0.name) }.map(\.name) == [])
    let shown = "</script><b>&amp;"
    #expect(tree.all(ofClass: "pair").first?.text.contains(shown) == true, "\(page)")
    #expect(tree.all("pre").contains { $0.text.contains("writes \(shown)") }, "\(page)")
    let scalars = page.unicodeScalars
    #expect(!scalars.contains("\u{1B}") && !scalars.contains("\u{202E}"))
  }

  @Test("Words between backticks are code; a backtick without another stays as it is")
  func backticks() {
    func page(_ advice: String) -> String {
      var told = FailureText(title: "", judgedTexts: [])
      told.advice = advice
      return TestFailure(told, name: "name", caseFile: nil).attachments.map(\.text).joined()
    }
    #expect(page("a `<b>` c").contains("<p>a <code>&lt;b&gt;</code> c</p>"))
    #expect(page("`a`").contains("<p><code>a</code></p>"))
    #expect(page("a ` c").contains("<p>a ` c</p>"))
  }

  @Test("A page names the law whose bug the failure may be")
  func cause() async throws {
    let failures = try await lawFailures(of: LossyNote.self, file: Self.testFile())
    let failure = try #require(failures.first)
    let hint = "It may be the bug that breaks model.stable, which has an issue of its own."
    let page = failure.told(cause: "model.stable").attachments.last
    #expect(page?.text.contains("<p class=\"soft\">\(hint)</p>") == true)
    #expect(failure.told().attachments.last?.text.contains("It may be") == false)
  }

  @Test("A history stands before what differs, as in the issue")
  func history() async throws {
    let failures = try await convergenceFailures(of: Scribble.self, file: Self.testFile())
    let page = try #require(failures.first?.told().attachments.last?.text)
    let titles = try MarkupTree.read(page).all("h2").map(\.text)
    #expect(titles == ["history", "What differs", "What to do", "How to replay"])
  }

  /// Two edits at once; a wrong subject keeps neither.
  private static let history = """
    history 1
    base objects
    replicas 2
    healing merge
    r0 delete root "l"
    r1 put root "l" int 0

    """

  @Test("A case of an engine that is written down in a test attaches the same page as a model's")
  func engine() async throws {
    let subject = "mutant:delete-hides-concurrent-put"
    let file = CaseFile(
      law: "network.converges",
      subjects: [subject, "naive"],
      kind: "key",
      seed: nil,
      choices: [],
      sampleFormat: FormName("history", version: 1),
      sample: Self.history
    )
    let place = SourceLocation(fileID: "A/B.swift", filePath: Self.testFile(), line: 1, column: 1)
    let folder = FailureFolder(at: place)
    let issue = try #require(try await failureIssue(of: file, path: "delete.case", in: folder))
    let attachments = issue.told.attachments
    let name = "mutant-delete-hides-concurrent-put--network.converges--key"
    #expect(attachments.map(\.name) == ["\(name).case", "\(name).html"])
    let stored = try #require(attachments.first?.text)
    #expect(try CaseFile.parse(stored).sample == Self.history)
    let page = try MarkupTree.read(try #require(attachments.last?.text))
    let title = "network.converges is violated on \(subject) against naive"
    #expect(page.all("h1").map(\.text) == [title])
    #expect(page.all(ofClass: "law").first?.text.hasPrefix("Replicas converge.") == true)
    #expect(page.all("h2").map(\.text) == ["What differs", "history", "How to replay"])
    let captions = page.all("figcaption").map(\.text)
    #expect(captions == ["r0 after healing", "r1 after healing"])
    let texts = page.all("pre").map(\.text)
    #expect(texts.contains { $0.contains("delete root \"l\"") }, "\(texts)")
    #expect(texts.last?.contains("swift test --filter engine\n") == true, "\(texts)")
    #expect(texts.last?.hasSuffix("touchstone replay delete.case") == true, "\(texts)")
  }

  @Test("A failure that a run found attaches a test of its case beside case and page")
  func reproducer() {
    var text = FailureText(title: "title", judgedTexts: [])
    text.commands = ["first", "second"]
    let failure = TestFailure(
      text,
      name: "name",
      caseFile: "case",
      reproducer: "test"
    )
    #expect(failure.attachments.map(\.name) == ["name.case", "name.html", "name.swift"])
    #expect(failure.attachments.map(\.text).last == "test")
    #expect(failure.text == "title\n\nreplay: first\nor:     second")
    let page = failure.attachments.first { $0.name.hasSuffix(".html") }?.text
    #expect(page?.contains("<h2>How to replay</h2><pre>\nfirst\nsecond</pre>") == true)
  }

  @Test("A model that drifted has a page of what changed, and no case")
  func drifted() throws {
    let table = ["| where | change |", "|---|---|", "| Note.due | is new: Date |"]
    let drifted = DriftedModel(name: "Note", path: "Schemas/Note.json", table: table)
    let attachments = drifted.told.attachments
    #expect(attachments.map(\.name) == ["Note--drift.html"])
    let page = try MarkupTree.read(try #require(attachments.first?.text))
    let title = "Note has drifted since Schemas/Note.json was written"
    #expect(page.all("h1").map(\.text) == [title])
    #expect(page.all("h2").map(\.text) == ["what changed", "What to do"])
    #expect(page.all("pre").first?.text.contains("| Note.due | is new: Date |") == true)
    let advice = "If that is meant, rewrite the snapshot, and commit it with the change:"
    let lines = [title, ""] + table + ["", advice, "TOUCHSTONE_ACCEPT=Note swift test"]
    #expect(drifted.told.text == lines.joined(separator: "\n"))
  }
}
