/// One writer's copy of a document, by the document's id.
struct DocumentCopy: Hashable {
  /// Bytes of the id: two spellings of a letter are two documents.
  let id: [UInt8]
  let writer: Int

  init(id: String, writer: Int) {
    self.id = Array(id.utf8)
    self.writer = writer
  }
}
