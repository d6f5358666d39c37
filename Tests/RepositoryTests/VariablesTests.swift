import Testing

@Suite("Variables of the environment")
struct VariablesTests {
  /// In two halves, so that the names below are none of this repository's.
  private static let prefix = "TOUCHSTONE" + "_"

  @Test("Every variable is on the one list, and the table names those that tests read")
  func repository() throws {
    expectNone(try Variables.breaches(in: .current()))
  }

  @Test("A name that is used and not listed, one that nothing uses, and a wrong table are found")
  func finds() throws {
    let name = { Self.prefix + $0 }
    let list = """
      static let ofTests = ["\(name("SEED"))", "\(name("CASES"))"]
      static let others = ["\(name("OLD"))"]
      """
    let table = "/// | `\(name("SEED"))` | where |\n"
    let found = try withPlanted([
      Variables.list: list, Variables.table: table, "a.sh": "\(name("CASES"))=1 \(name("CASE"))",
      "CHANGELOG.md": name("FORMER"), "b.md": "\(name("TIGHT_SIZES")), `\(Self.prefix)`",
    ]) { try Variables.breaches(in: $0).map(\.description) }
    #expect(
      found == [
        "a.sh: \(name("CASE")) is not in \(Variables.list)",
        "\(Variables.list): nothing uses \(name("OLD"))",
        "\(Variables.table): its table has other variables than \(Variables.list)",
      ]
    )
  }
}
