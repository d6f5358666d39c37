import Testing

@Suite("Constructs that are not used")
struct ConstructsTests {
  @Test("No source outside tests forces a try or a cast, or ends the process")
  func repository() throws {
    expectNone(try forbiddenConstructs(in: .current()))
  }

  @Test(
    "Each construct is found, wherever it stands",
    arguments: [
      ("\nlet a = try! f()", "try!"), ("\nlet a = b as! C", "as!"),
      ("\nfatalError()", "fatalError"),
      ("\nSwift.fatalError(\"x\")", "fatalError"), ("\nlet x = y ?? fatalError ( )", "fatalError"),
      ("\nprint(\"a \\(try! f())\")", "try!"), ("\nf(try!g())", "try!"),
    ]
  )
  func finds(_ source: String, _ construct: String) throws {
    for path in ["Sources/A/b/c.swift", "Fuzz/Sources/A/a.swift", "Package.swift"] {
      let found = try withPlanted([path: source]) { try forbiddenConstructs(in: $0) }
      #expect(
        found == [
          Breach(path, line: 2, "\(construct) is not used outside tests: throw a typed error")
        ]
      )
    }
  }

  @Test(
    "What only mentions a construct is none",
    arguments: [
      "// try! f()", "\"as! fatalError()\"", "try? f()", "b as? C", "try f(!a)", "fatalErrors()",
      "/* fatalError() */",
      "if try !f() {}", "try\n!f()",
    ]
  )
  func ignores(_ source: String) throws {
    let found = try withPlanted(["Sources/A/a.swift": source]) { try forbiddenConstructs(in: $0) }
    #expect(found == [])
  }

  @Test("Tests may force what they like")
  func allowsTests() throws {
    let files = ["Tests/A/a.swift": "try! f()", "Examples/B/Tests/b.swift": "try! f()"]
    let found = try withPlanted(files) { try forbiddenConstructs(in: $0) }
    #expect(found == [])
  }
}
