import Reporting
import Testing

@Suite("Reproducers")
struct ReproducerTests {
  private func failure(
    history: [String],
    id: String = "naive--merge.commutes--key"
  ) -> Report.Failure {
    var failure = SampleFailures.agreement
    failure.id = id
    failure.law = "merge.commutes"
    failure.subject = "naive"
    failure.oracle = "engine"
    failure.summary = "the keys differ at /"
    failure.expected = "\"l\" \"m\""
    failure.actual = nil
    failure.kind = .violated
    failure.history = history
    failure.file = Report.Failure.file(of: id)
    return failure
  }

  private func text(_ failure: Report.Failure) -> String {
    var report = SampleReports.failing
    report.laws = [
      Report.Law(name: "merge.commutes", sentence: "A merge \"commutes\".", source: "")
    ]
    report.run.program = "touchstone 1.2.3"
    return Reproducer(failure, in: report).text
  }

  @Test("A failure becomes one test that reads as what happened")
  func snapshot() {
    let failure = failure(history: ["history 1", "base empty", "r0 put root \"k\" int 1"])
    #expect(
      text(failure) == """
        // A failure that Touchstone found, as a test.
        //
        // merge.commutes on naive against engine
        // the keys differ at /
        // Compared: naive, r0 after step 9, with automerge, r0 after step 9.
        // expected: "l" "m"
        //
        // It goes into a test target that depends on the product `TouchstoneEngines`.
        // Case file: failures/naive--merge.commutes--key.case, written by touchstone 1.2.3

        import Testing
        import TouchstoneEngines

        @Test(#"A merge "commutes"."#)
        func reproducesNaiveMergeCommutesKey() async throws {
          try await expectLaw(
            "merge.commutes",
            of: "naive",
            against: "engine",
            on: \"""
              history 1
              base empty
              r0 put root "k" int 1
              \"""
          )
        }

        """
    )
  }

  @Test("Quotes, backslashes and invisible scalars stay what they are inside of the literal")
  func literals() {
    let history = [
      "r0 put root \"k\" string \"\\u{e9}\\n\"", "a \"\"\" b", "c \"\"\"# d \\# e", "",
      "zero\u{200B}width", "bell\u{7}",
    ]
    let lines = text(failure(history: history)).split(
      separator: "\n",
      omittingEmptySubsequences: false
    )
    #expect(lines.contains("    on: ##\"\"\""))
    #expect(lines.contains("      \"\"\"##"))
    #expect(lines.contains("      r0 put root \"k\" string \"\\u{e9}\\n\""))
    #expect(lines.contains("      c \"\"\"# d \\# e"))
    #expect(lines.contains("      zero\\##u{200B}width"))
    #expect(lines.contains("      bell\\##u{7}"))
    #expect(lines.contains(""))
  }

  @Test("No text of a report gets out of its comment or literal", arguments: [0, 1, 2])
  func inert(_ kind: Int) {
    let hostile = ["x\nfatalError()", "*/ \" + run() + \"", "\\(run())\u{2028}run()\r\nrun()"][kind]
    var failure = failure(history: ["history 1"], id: hostile)
    failure.law = hostile
    failure.subject = hostile
    failure.oracle = hostile
    failure.summary = hostile
    failure.expected = hostile
    let lines = text(failure).split(separator: "\n", omittingEmptySubsequences: false)
    // Every line is one that the form has: nothing added one.
    let plain = text(self.failure(history: ["history 1"])).split(
      separator: "\n",
      omittingEmptySubsequences: false
    )
    #expect(lines.count == plain.count)
    for (line, form) in zip(lines, plain) {
      #expect(line.prefix(2) == form.prefix(2))
      guard let quote = line.firstIndex(of: "\""), !line.hasPrefix("//") else { continue }
      // A raw literal, as the text holds quotes or backslashes: its end is the line's.
      let hashes = line[..<quote].reversed().prefix { $0 == "#" }.count
      let rest = line[line.index(after: quote)...]
      let end = "\"" + String(repeating: "#", count: hashes)
      #expect(!line.contains("\\" + String(repeating: "#", count: hashes) + "("))
      guard !rest.isEmpty, !rest.hasPrefix("\"\"") else { continue }
      #expect(rest.ranges(of: end).count == 1, "\(line)")
    }
    #expect(!lines.contains { $0.hasPrefix("run") || $0.hasPrefix("fatal") })
  }

  @Test("A scalar that joins the quote behind it does not hide it")
  func joined() throws {
    // For `String` U+0D4E and the quote are one character; for Swift's lexer they are two.
    let hostile = "x\u{D4E}\" + run() + \u{D4E}\"#"
    var failure = failure(history: ["a \u{D4E}\"\"\" + run()", "b \u{D4E}\\(run())"])
    failure.law = hostile
    failure.subject = "\u{D4E}\\(run())"
    let text = text(failure).unicodeScalars
    #expect(text.contains("    ##\"\(hostile)\"##,\n".unicodeScalars))
    #expect(text.contains("    of: #\"\u{D4E}\\(run())\"#,\n".unicodeScalars))
    #expect(text.contains("    on: #\"\"\"\n".unicodeScalars))
    #expect(text.contains("      \"\"\"#\n".unicodeScalars))
  }

  @Test("The page shows the test, folded, with a button")
  func page() throws {
    var report = SampleReports.failing
    report.failures = [failure(history: ["history 1", "r0 <b> \"k\""])]
    report.failures[0].reproducer = Report.Failure.reproducer(of: report.failures[0].id)
    let page = HTMLReport(report).text
    #expect(page.contains("<details class=\"reproducer\">"))
    #expect(page.contains("A Swift test that fails the same way"))
    #expect(page.contains("r0 &lt;b&gt; "))
    #expect(page.contains("import TouchstoneEngines"))
  }
}
