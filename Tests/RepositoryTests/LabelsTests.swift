import Testing

@Suite("Labels of parameters")
struct LabelsTests {
  @Test("No function outside tests has four parameters without labels")
  func repository() throws {
    expectNone(try unlabelledParameters(in: .current()))
  }

  @Test("Each exception is of a function that is there, and says why")
  func exceptions() throws {
    let repository = try Repository.current()
    for (exception, reason) in allowedUnlabelled {
      let parts = exception.split(separator: ": ")
      #expect(parts.count == 2)
      #expect(try repository.text(at: String(parts[0])).contains("func \(parts[1])("))
      #expect(!reason.isEmpty)
    }
  }

  @Test(
    "Four are found, whatever stands among them",
    arguments: [
      "func f(_ a: A, _ b: B, _ c: C, _ d: D) {}",
      "func f<A: B, C>(_ a: A, _ b: [A: C], _ c: C<A, A>, _ d: (A, _ e: A) -> C) {}",
      "func f(\n  _ a: A,\n  _ b: A = g(1, 2),\n  to c: A,\n  _ d: A,\n  @B _ e: A\n) {}",
      "func f(_ a: inout A, _ b: A = 1 < 2, _ c: A... , _ d: A) {}",
    ]
  )
  func finds(_ source: String) throws {
    let message = "f has 4 parameters without labels: label all but 3"
    let found = try withPlanted(["Sources/A/a.swift": "\n" + source]) {
      try unlabelledParameters(in: $0)
    }
    #expect(found == [Breach("Sources/A/a.swift", line: 2, message)])
  }

  @Test(
    "Initialisers are found",
    arguments: ["init", "init?", "init!", "init<A>", "init?<A: B<C>>"]
  )
  func initialisers(_ name: String) throws {
    let source = "\(name)(_ a: A, _ b: A, _ c: A, _ d: A, _ e: A) {}"
    let message = "init has 5 parameters without labels: label all but 3"
    let found = try withPlanted(["Fuzz/Sources/A/a.swift": source]) {
      try unlabelledParameters(in: $0)
    }
    #expect(found == [Breach("Fuzz/Sources/A/a.swift", line: 1, message)])
  }

  @Test(
    "Three, labelled ones, calls, closures and texts are none",
    arguments: [
      "func f(_ a: A, _ b: A, _ c: A, d: A, e: A)", "func f(a: A, b: A, c: A, d: A)",
      "func f(_ a: A, _ b: (_ x: A, _ y: A) -> A, _ c: A)", "self.init(a, b, c, d)",
      "let f = { (_ a: A, _ b: A, _ c: A, _ d: A) in }", "let (_, _, _, _) = f()",
      "\"func f(_ a: A, _ b: A, _ c: A, _ d: A)\"",
      "func f(_ a: A, _ b: A, _ c: A)\nfunc g(_ d: A)",
    ]
  )
  func ignores(_ source: String) throws {
    let found = try withPlanted(["Sources/A/a.swift": source]) {
      try unlabelledParameters(in: $0)
    }
    #expect(found == [])
  }
}
