import Testing

@Suite("Targets of make")
struct MakeTargetsTests {
  @Test("Every target that documents, examples and workflows call is there")
  func repository() throws {
    expectNone(try makeTargetBreaches(in: .current()))
  }

  @Test("A target that is not there is found where a command begins, and nowhere else")
  func finds() throws {
    let found = try withPlanted([
      "Makefile": "check:\n\tmake inner\ntest: check\n",
      "a.md": "`make test` and `make setup`\nmake sure\n```sh\nmake install\nmake check\n```\n",
      "b.yml": "- run: make setup && make test && make run\n# to make sure\n",
      "c.sh": "  make clean\n",
      "d.swift": "`make nothing`",
    ]) { try makeTargetBreaches(in: $0).map(\.description) }
    #expect(
      found == [
        "a.md:1: the Makefile has no target setup",
        "a.md:4: the Makefile has no target install",
        "b.yml:1: the Makefile has no target setup",
        "b.yml:1: the Makefile has no target run",
        "c.sh:1: the Makefile has no target clean",
      ]
    )
  }
}
