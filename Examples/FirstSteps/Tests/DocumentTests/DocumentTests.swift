import ReferenceAutomerge
import Testing

struct Plan: Codable {
  var title = ""
  var text = AutomergeText()
  var stars = Counter()
}

@Test func bothWritersEditsAreKept() throws {
  let mine = Document()
  try AutomergeEncoder(doc: mine).encode(Plan(title: "Plan", text: AutomergeText("Milk")))
  let theirs = try Document(mine.save())
  let heads = theirs.heads()

  let plan = try AutomergeDecoder(doc: mine).decode(Plan.self)
  plan.text.value = "Milk and bread"
  plan.stars.increment(by: 3)
  var other = try AutomergeDecoder(doc: theirs).decode(Plan.self)
  other.title = "Plan B"
  other.stars.increment(by: 2)
  try AutomergeEncoder(doc: theirs).encode(other, basedOn: heads)

  try mine.merge(other: theirs)
  let merged = try AutomergeDecoder(doc: mine).decode(Plan.self)
  #expect(merged.title == "Plan B" && merged.stars.value == 5)
  #expect(merged.text.value == "Milk and bread")
}
