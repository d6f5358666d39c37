/// What laws ask of a store of documents that merge.
///
/// A document is a set of words. Each writer has a copy of its own, which others' words come to only when the
/// writer reloads it. Every call that throws, throws ``StoreComplaint``.
///
/// Words stand for content, so that the union of sets is the merge. How content merges is for the
/// laws of documents.
package protocol OpenedDocuments: Sendable {
  /// Adds a word to a writer's copy, which is what is stored if the writer had none.
  func add(_ word: String, to id: String, by writer: Int) async throws
  /// Stores what a writer's copy has.
  func save(_ id: String, by writer: Int) async throws
  /// Makes a writer's copy what is stored; it has none where nothing is.
  func reload(_ id: String, by writer: Int) async throws
  /// The words of what is stored; `nil` if there is no such document.
  func stored(_ id: String) async throws -> Set<String>?
  /// The names of all documents, in the order of their bytes.
  func names() async throws -> [String]
  /// Deletes what is stored; writers keep their copies, and may store them again.
  func delete(_ id: String) async throws
  /// Ends the store; copies that were not saved are gone.
  func close() async throws
}

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

  /// Words by document; a document that was never saved is not there.
  private(set) var stored: [String: Set<String>] = [:]
  private var copies: [Copy: Set<String>] = [:]

  mutating func add(_ word: String, to id: String, by writer: Int) {
    let copy = Copy(id: id, writer: writer)
    // A writer without a copy begins with what is stored.
    copies[copy] = (copies[copy] ?? stored[id] ?? []).union([word])
  }

  /// What would be stored after a save; nothing new where the writer has no copy.
  func saved(_ id: String, by writer: Int) -> [String: Set<String>] {
    guard let words = copies[Copy(id: id, writer: writer)] else { return stored }
    return stored.merging([id: words]) { $0.union($1) }
  }

  mutating func save(_ id: String, by writer: Int) { stored = saved(id, by: writer) }

  mutating func reload(_ id: String, by writer: Int) {
    copies[Copy(id: id, writer: writer)] = stored[id]
  }

  mutating func delete(_ id: String) { stored[id] = nil }

  /// Copies are in memory alone.
  mutating func reopen() { copies = [:] }
}
