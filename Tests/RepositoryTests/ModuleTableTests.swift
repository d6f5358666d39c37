import TestSupport
import Testing

@Suite("The table of modules in Architecture.md")
struct ModuleTableTests {
  @Test("It is the manifest's") func repository() throws {
    let repository = try Repository.current()
    let table = try ManifestTable(repository.text(at: "Package.swift"))
    let rows = try moduleRows(of: table, in: repository)
    #expect(rows.count == table.modules.count)
    for row in rows { #expect(row[3].count > 10, "\(row[1]): its README says no duty first") }
    try expectGenerated(
      "modules",
      in: "Documentation/Architecture.md",
      below: repository.root,
      markdownTable(["tier", "module", "F", "what it is", "imports of ours"], rows)
    )
  }

  @Test("A duty is the first sentence without its links, a long one up to its colon")
  func duties() {
    #expect(duty(in: "# A\n\nWhat `a.b` is\nfor [all](x.md). More.\n") == "What `a.b` is for all")
    #expect(duty(in: "# A\n\nWhat is a: b.") == "What is a: b")
    #expect(duty(in: "# A\n\nWhat is a:\n\n- b") == "What is a")
    #expect(duty(in: "# A\n\nWhat is a: " + String(repeating: "b", count: 140)) == "What is a")
    #expect(duty(in: "# A") == "")
  }
}
