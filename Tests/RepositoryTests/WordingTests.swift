import Testing

@Suite("Wording of files")
struct WordingTests {
  @Test("No file tells of the machine or the place where it was written, or reads badly")
  func repository() throws {
    expectNone(try Wording.breaches(in: .current()))
  }

  @Test("Each path of one machine is found with its line", arguments: Wording.machinePaths)
  func findsPaths(_ entry: String) throws {
    let path = Wording.joined(entry)
    for start in ["", "\"", "see ", "=", "file:"] {
      let found = try withPlanted(["a.md": "\n\n\(start)\(path)x"]) {
        try Wording.breaches(in: $0)
      }
      #expect(found == [Breach("a.md", line: 3, "a path of one machine: \(path)")])
    }
  }

  @Test("What only resembles such a path is none", arguments: Wording.machinePaths)
  func ignoresPaths(_ entry: String) throws {
    let path = Wording.joined(entry)
    for start in ["~", "x", ".", "$HOME", "${HOME}", "/usr", "\(path)".hasPrefix("/") ? "/" : "x"] {
      let found = try withPlanted(["a.md": start + path]) { try Wording.breaches(in: $0) }
      #expect(found == [])
    }
  }

  @Test("Each word is found, in any case and in any kind of file", arguments: Wording.words)
  func findsWords(_ entry: String) throws {
    let word = Wording.joined(entry)
    for text in [word, word.uppercased(), "a \(word).", "(\(word))", "\u{FFFD}\n\(word)"] {
      let found = try withPlanted(["fixtures/x.bin": text]) { try Wording.breaches(in: $0) }
      #expect(found.map(\.message) == ["a word that does not belong here: \(word)"])
    }
  }

  @Test("Each unclear phrase is found with its line", arguments: Wording.unclear)
  func findsUnclear(_ entry: String) throws {
    let phrase = Wording.joined(entry)
    let found = try withPlanted(["a.md": "A list\n(\(phrase.uppercased()))."]) {
      try Wording.breaches(in: $0)
    }
    #expect(found == [Breach("a.md", line: 2, "plain words say this better: \(phrase)")])
  }

  @Test("A comment that opens without a subject is found", arguments: Wording.headless)
  func findsHeadless(_ entry: String) throws {
    let opening = Wording.joined(entry)
    let text = "let a = 1\n\(opening) reads.\n\(opening.lowercased()) reads"
    let found = try withPlanted(["a.swift": text]) { try Wording.breaches(in: $0) }
    #expect(found == [Breach("a.swift", line: 2, "a sentence needs a subject: \(opening)")])
  }

  @Test(
    "A longer word is another word",
    arguments: Wording.words + Wording.unclear + Wording.headless
  )
  func ignoresWords(_ entry: String) throws {
    let word = Wording.joined(entry)
    let found = try withPlanted(["a.md": "x\(word) \(word)x _\(word) \(word)é"]) {
      try Wording.breaches(in: $0)
    }
    #expect(found == [])
  }

  @Test("Documentation says nil in backticks")
  func plainNils() throws {
    expectNone(try Wording.plainNils(in: .current()))
    let text = """
      /// nil if there is none.
      let a: Int? = nil // nil
      ///     case nil: 1
      /// `nil`, ``nil``, .nil, non-nil and nilly; `a ?? nil` as well.
      /// ```
      /// a = nil
      /// ```
      /// Or, at last, (nil).
      func b() {}
        /// It is nil.
      """
    let found = try withPlanted(["Sources/A/a.swift": text]) { try Wording.plainNils(in: $0) }
    #expect(found.map(\.line) == [1, 8, 10])
  }

  @Test("A path out of the repository is found", arguments: Wording.outside)
  func findsOutside(_ entry: String) throws {
    let path = Wording.joined(entry)
    let found = try withPlanted(["a.md": "../\(path)x"]) { try Wording.breaches(in: $0) }
    #expect(found == [Breach("a.md", line: 1, "a path out of the repository: \(path)")])
  }
}
