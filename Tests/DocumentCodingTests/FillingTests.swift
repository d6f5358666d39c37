import AutomergeDocument
import DocumentCoding
import Foundation
import Testing

/// What is new in a document is written within the engine, and by the same operations as by the calls of
/// `Document`, one by one.
@Suite("What is new")
struct FillingTests {
  private struct Item: Codable {
    var name = "a"
    var note: String?
    var due = Date(timeIntervalSince1970: 60)
    var likes = Counter(3)
    var scores = [7, 8, 300]
    var byWord = ["b": [true], "a": []]
    var among: Set<String> = ["y", "x"]
    var ratio: Float = 0.5
  }

  private struct Model: Codable {
    var items = [Item(), Item(name: "b", note: "n")]
    var body = AutomergeText("text")
  }

  /// With a log of each container the coder makes them itself.
  @Test(
    "A first encode makes the operations of single calls, in their order",
    arguments: [LogVerbosity.errorOnly, .debug]
  )
  func makesTheSameOperations(_ verbosity: LogVerbosity) throws {
    let encoded = try document()
    try AutomergeEncoder(doc: encoded, reportingLoglevel: verbosity).encode(Model())
    let edited = try document()
    let items = try edited.putObject(obj: .ROOT, key: "items", ty: .List)
    try write(nil, name: "a", to: edited.insertObject(obj: items, index: 0, ty: .Map), edited)
    try write("n", name: "b", to: edited.insertObject(obj: items, index: 1, ty: .Map), edited)
    let body = try edited.putObject(obj: .ROOT, key: "body", ty: .Text)
    try edited.spliceText(obj: body, start: 0, delete: 0, value: "text")
    for doc in [encoded, edited] {
      doc.commitWith(message: nil, timestamp: Date(timeIntervalSince1970: 0))
    }
    #expect(encoded.heads() == edited.heads())
    #expect(encoded.save() == edited.save())
  }

  private func document() throws -> Document {
    let doc = Document()
    doc.actor = try #require(ActorId(data: Data([1])))
    return doc
  }

  private func write(_ note: String?, name: String, to item: ObjId, _ doc: Document) throws {
    try doc.put(obj: item, key: "name", value: .String(name))
    if let note { try doc.put(obj: item, key: "note", value: .String(note)) }
    try doc.put(obj: item, key: "due", value: .Timestamp(Date(timeIntervalSince1970: 60)))
    try doc.put(obj: item, key: "likes", value: .Counter(3))
    let scores = try doc.putObject(obj: item, key: "scores", ty: .List)
    for (index, score) in [7, 8, 300].enumerated() {
      try doc.insert(obj: scores, index: UInt64(index), value: .Int(Int64(score)))
    }
    let byWord = try doc.putObject(obj: item, key: "byWord", ty: .Map)
    _ = try doc.putObject(obj: byWord, key: "a", ty: .List)
    let flags = try doc.putObject(obj: byWord, key: "b", ty: .List)
    try doc.insert(obj: flags, index: 0, value: .Boolean(true))
    let among = try doc.putObject(obj: item, key: "among", ty: .List)
    try doc.insert(obj: among, index: 0, value: .String("x"))
    try doc.insert(obj: among, index: 1, value: .String("y"))
    try doc.put(obj: item, key: "ratio", value: .F64(0.5))
  }
}
