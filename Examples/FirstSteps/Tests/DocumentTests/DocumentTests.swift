import ReferenceAutomerge
import Testing

struct Plan: Codable {
  var title = ""
  var text = AutomergeText()
}

@Test func bothWritersEditsAreKept() throws {
  let mine = Document()
  try AutomergeEncoder(doc: mine).encode(Plan(title: "Plan", text: AutomergeText("Milk")))
  let theirs = try Document(mine.save())
  let heads = theirs.heads()

  let plan = try AutomergeDecoder(doc: mine).decode(Plan.self)
  plan.text.value = "Milk and bread"
  var other = try AutomergeDecoder(doc: theirs).decode(Plan.self)
  other.title = "Plan B"
  try AutomergeEncoder(doc: theirs).encode(other, basedOn: heads)

  try mine.merge(other: theirs)
  let merged = try AutomergeDecoder(doc: mine).decode(Plan.self)
  #expect(merged.title == "Plan B" && merged.text.value == "Milk and bread")
}
