import ReferenceAutomerge
import Testing

struct Plan: Codable {
  var title = ""
  var text = AutomergeText()
}

@Test func bothWritersEditsAreKept() throws {
  let mine = Document()
  try AutomergeEncoder(doc: mine).encode(Plan(title: "Plan", text: AutomergeText("Milk")))
  let theirs = mine.fork()

  let plan = try AutomergeDecoder(doc: mine).decode(Plan.self)
  plan.text.value = "Milk and bread"
  try theirs.put(obj: .ROOT, key: "title", value: .String("Plan B"))

  try mine.merge(other: theirs)
  let merged = try AutomergeDecoder(doc: mine).decode(Plan.self)
  #expect(merged.title == "Plan B" && merged.text.value == "Milk and bread")
}
