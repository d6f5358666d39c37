import ReferenceAutomerge
import Testing

/// The code of the project's README, and what it says comes of it.
@Suite("The README's document")
struct ReadmeTests {
  struct Note: Codable {
    var title = ""
    var text = AutomergeText()
    var stars = Counter()
  }

  @Test("Both writers' edits are in the merged note") func note() throws {
    let mine = Document()
    try AutomergeEncoder(doc: mine).encode(Note(title: "Plan", text: AutomergeText("Milk")))
    let theirs = try Document(mine.save())

    var note = try AutomergeDecoder(doc: mine).decode(Note.self)
    note.text.value = "Milk and bread"
    note.stars.increment(by: 3)
    let heads = theirs.heads()
    var other = try AutomergeDecoder(doc: theirs).decode(Note.self)
    other.title = "Plan B"
    other.stars.increment(by: 2)
    try AutomergeEncoder(doc: theirs).encode(other, basedOn: heads)

    try mine.merge(other: theirs)
    note = try AutomergeDecoder(doc: mine).decode(Note.self)
    #expect(note.title == "Plan B")
    #expect(note.text.value == "Milk and bread")
    #expect(note.stars.value == 5)
  }
}
