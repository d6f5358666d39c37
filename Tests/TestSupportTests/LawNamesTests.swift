import TestSupport
import Testing

@Suite("Names of laws")
struct LawNamesTests {
  @Test("Good names of laws", arguments: ["merge.commutes", "a.b", "text.utf-16.length", "a1.b2"])
  func goodNames(name: String) {
    #expect(lawNameProblem(name) == nil)
  }

  @Test(
    "Bad names of laws",
    arguments: [
      ("merge", "it has 1 part, and needs two or more"),
      ("", "it has 1 part, and needs two or more"),
      ("merge.", "part 2 is empty"),
      (".merge", "part 1 is empty"),
      ("Merge.commutes", "part 1 does not start with a small letter"),
      ("merge.2", "part 2 does not start with a small letter"),
      ("merge.no spaces", "part 2 has something other than small letters, digits and hyphens"),
      ("merge.é", "part 2 does not start with a small letter"),
      ("merge.a-", "part 2 ends with a hyphen"),
    ]
  )
  func badNames(name: String, problem: String) {
    #expect(lawNameProblem(name) == problem)
  }
}
