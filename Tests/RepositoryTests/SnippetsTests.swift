import Testing

@Suite("Code in the README")
struct SnippetsTests {
  private func breaches(_ readme: String) throws -> [String] {
    try withPlanted([
      "README.md": readme, "Examples/A/Package.swift": "a\npath: \"../..\"\nb\nc\n",
    ]) {
      try snippetBreaches(in: $0).map(\.description)
    }
  }

  @Test("Every snippet is code of an example that is built")
  func repository() throws {
    let repository = try Repository.current()
    #expect(try repository.text(at: "README.md").contains("```swift"))
    expectNone(try snippetBreaches(in: repository))
  }

  @Test("Lines of a file in their order are left alone; a clone stands where users have it")
  func allows() throws {
    let block =
      "<!-- from: Examples/A/Package.swift -->\n```swift\npath: \"../touchstone\"\nb\n```\n"
    #expect(try breaches(block + "\n```sh\nx\n```\n") == [])
  }

  @Test("Code that is from nowhere, or is another, is found")
  func finds() throws {
    #expect(
      try breaches("# R\n```swift\na\n```\n") == [
        "README.md:2: no line above says which file this code is from"
      ]
    )
    let head = "<!-- from: Examples/A/Package.swift -->\n```swift\n"
    #expect(
      try breaches(head + "a\nb\n```\n") == ["README.md:2: this is not in Examples/A/Package.swift"]
    )
    #expect(
      try breaches("<!-- from: x.swift -->\n```swift\na\n```\n") == [
        "README.md:2: there is no x.swift"
      ]
    )
  }
}
