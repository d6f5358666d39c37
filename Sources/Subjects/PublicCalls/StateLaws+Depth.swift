import AutomergeDocument
import DocumentLaws
import PropertyEngine

extension StateLaws {
  /// Catches a depth that is not counted on the way, and a limit that is one off: beyond it the stack would end.
  static let depths = law(
    "api.any-depth",
    "Trees are shown down to 1,000 objects.",
    "`schema()` and `walk(to:)` of any document show 1,000 objects within each other, maps and lists, and refuse one more with the name "
      + "of the limit.",
    source: .specification(.codable, "Documents")
  ) { document, sample in
    // As deep as the laws of histories nest, at most: building takes two calls for each object.
    let counts = [3, 999, 1_000, 1_200]
    let count = counts[sample.pick(1) % counts.count]
    let listsEvery = 2 + sample.pick(2) % 3
    let before = try document.bracketCount()
    var object = ObjId.ROOT
    for number in 0..<count {
      let type: ObjType = number % listsEvery == 1 ? .List : .Map
      object =
        document.objectType(obj: object) == .List
        ? try document.insertObject(obj: object, index: 0, ty: type)
        : try document.putObject(obj: object, key: "deep", ty: type)
    }
    // The root is one of them.
    let due: DocError.Kind? = count + 1 > 1_000 ? .limitExceeded("depthLimit") : nil
    let shown = try document.refusal(of: { try document.schema() })
    try expect(
      shown == due,
      "schema() of \(count + 1) objects: \(shown.map { "\($0)" } ?? "shown")"
    )
    let walked = try document.refusal(of: { try document.bracketCount() })
    try expect(
      walked == due,
      "walk(to:) of \(count + 1) objects: \(walked.map { "\($0)" } ?? "shown")"
    )
    // What cannot be shown is equal to nothing.
    try expect(
      due == nil || !document.equivalentContents(document),
      "equivalentContents of \(count + 1) objects"
    )
    guard due == nil, let before else { return }
    let added = try document.bracketCount().map { $0 - before }
    try expect(added == count, "walk(to:) shows \(added ?? 0) of \(count) objects")
  }
}

extension Document {
  /// Maps and lists that ``walk(to:)`` shows; `nil` where a text of the document may look like one.
  fileprivate func bracketCount() throws -> Int? {
    var text = ""
    try walk(to: &text)
    if try objects().contains(where: { objectType(obj: $0) == .Text }) { return nil }
    return text.split(separator: "\n").count { $0.hasSuffix("{") || $0.hasSuffix("[") }
  }
}
