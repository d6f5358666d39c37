/// What laws ask of a store of documents that merge.
///
/// A document is a set of words. Each writer has a copy of its own, which others' words come to only when the
/// writer reloads it. Every call that throws, throws ``StoreComplaint``.
///
/// Words stand for content, so that the union of sets is the merge. How content merges is for the
/// laws of documents.
package protocol OpenedDocuments: Sendable {
  /// Adds a word to a writer's copy, which is what is stored if the writer had none; gives the bytes of the change
  /// that this is.
  @discardableResult
  func add(_ word: String, to id: String, by writer: Int) async throws -> [UInt8]
  /// Brings a change that another copy of the document made to a writer's copy, which is what is stored if the writer
  /// had none.
  ///
  /// It waits there as long as the copy lacks what the change builds on.
  func take(_ change: [UInt8], into id: String, by writer: Int) async throws
  /// The changes that a writer's copy has to send to others next; asking sends none.
  func unsent(_ id: String, by writer: Int) async throws -> [UInt8]
  /// Takes over the copies of another opening, as an app keeps its documents in memory while it opens a store again.
  func adopt(_ other: any OpenedDocuments) async
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
