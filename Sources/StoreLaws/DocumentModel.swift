/// What a store of documents should hold: the union of all that was saved.
///
/// Worked example: writers 0 and 1 have copies of {x}. 0 adds y and saves; 1, which never heard of
/// y, adds z and saves. Stored is {x, y, z}; to store 1's copy alone would lose y.
struct DocumentModel {
  /// One writer's copy of one document.
  private struct Copy: Hashable {
    let id: String
    let writer: Int
  }

  /// The words of a document, and those that wait in it for others.
  private struct Holding {
    var words: Set<String> = []
    /// Not shown: the document lacks words that these build on.
    var waiting: Set<String> = []
  }

  private var documents: [String: Holding] = [:]
  private var copies: [Copy: Holding] = [:]
  /// What its writer's copy had when a word was added.
  private var pasts: [String: Set<String>] = [:]

  /// Words by document; a document that was never saved is not there.
  var stored: [String: Set<String>] { documents.mapValues(\.words) }

  /// The words that wait in what is stored.
  func waiting(in id: String) -> Set<String> { documents[id]?.waiting ?? [] }

  /// Whether a writer's copy has something that is not stored, be it shown or waiting.
  func hasNews(_ id: String, by writer: Int) -> Bool {
    guard let copy = copies[Copy(id: id, writer: writer)] else { return false }
    guard let stored = documents[id] else { return true }
    return !copy.words.isSubset(of: stored.words)
      || !copy.waiting.isSubset(of: stored.words.union(stored.waiting))
  }

  /// What both have, with nothing waiting for what is there.
  private func union(_ one: Holding, _ other: Holding) -> Holding {
    let words = one.words.union(other.words)
    var sum = Holding(words: words, waiting: one.waiting.union(other.waiting).subtracting(words))
    while let ready = sum.waiting.first(where: { pasts[$0, default: []].isSubset(of: sum.words) }) {
      sum.waiting.remove(ready)
      sum.words.insert(ready)
    }
    return sum
  }

  /// A writer's copy; one without a copy begins with what is stored.
  private func held(_ copy: Copy) -> Holding { copies[copy] ?? documents[copy.id] ?? Holding() }

  mutating func add(_ word: String, to id: String, by writer: Int) {
    let copy = Copy(id: id, writer: writer)
    let known = held(copy)
    pasts[word] = known.words
    copies[copy] = union(known, Holding(words: [word]))
  }

  mutating func take(_ word: String, into id: String, by writer: Int) {
    let copy = Copy(id: id, writer: writer)
    copies[copy] = union(held(copy), Holding(waiting: [word]))
  }

  /// Stores what the writer's copy has; nothing new where the writer has no copy.
  mutating func save(_ id: String, by writer: Int) {
    guard let copy = copies[Copy(id: id, writer: writer)] else { return }
    documents[id] = union(copy, documents[id] ?? Holding())
  }

  mutating func reload(_ id: String, by writer: Int) {
    copies[Copy(id: id, writer: writer)] = documents[id]
  }

  mutating func delete(_ id: String) { documents[id] = nil }

  /// Copies are in memory alone.
  mutating func reopen() { copies = [:] }
}
