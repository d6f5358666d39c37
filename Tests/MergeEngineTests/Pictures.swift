@testable import MergeEngine

/// A sequence's runs as the comments of `Core+Sequence` draw them.
///
/// `[abc]` is a run of visible elements, `[--]` one of deleted ones, `{a}` a complex element, `{}`
/// one without a visible value, and ` | ` stands between leaves.
func picture(_ document: MergeDocument, _ object: ObjectID) throws -> String {
  let core = document.core.copy()
  var leaf = core.objects[try core.resolve(object)].firstLeaf
  var leaves: [String] = []
  while !leaf.isNone {
    let runs = core.slots(of: leaf).map { slot -> String in
      let run = core.runs[core.at(leaf, slot)]
      if run.isComplex {
        guard let row = core.winner(run.register) else { return "{}" }
        return "{\(letter(core.scalar(meta: core.rows[row].meta, value: core.rows[row].value)))}"
      }
      let letters = (0..<run.count).map { offset in
        run.isHidden ? "-" : letter(core.scalar(meta: run.meta, value: run.value(of: offset)))
      }
      return "[\(letters.joined())]"
    }
    leaves.append(runs.joined(separator: " "))
    leaf = core.leaves[leaf].next
  }
  return leaves.joined(separator: " | ")
}

private func letter(_ scalar: Scalar) -> String {
  switch scalar {
  case .string(let text): text
  case .int(let number): String(number)
  default: "?"
  }
}

/// A document with a text, by one actor.
struct TextUnderTest {
  let document: MergeDocument
  let text: ObjectID

  init(_ content: String, actor byte: UInt8 = 1, unit: TextUnit = .scalar) throws {
    document = MergeDocument(actor: actor(byte), unit: unit)
    text = try document.putObject(.root, .key("t"), .text)
    try document.spliceText(text, at: 0, delete: 0, insert: content)
    document.commit()
  }

  init(_ document: MergeDocument, _ text: ObjectID) {
    self.document = document
    self.text = text
  }

  func fork(actor byte: UInt8) -> TextUnderTest {
    TextUnderTest(document.fork(actor: actor(byte)), text)
  }

  func splice(_ index: Int, delete count: Int = 0, _ insert: String = "") throws {
    try document.spliceText(text, at: index, delete: count, insert: insert)
  }

  /// Units of each run of a text in one leaf.
  func widths() throws -> [UInt32] {
    let core = document.core.copy()
    let leaf = core.objects[try core.resolve(text)].firstLeaf
    return core.slots(of: leaf).map { core.widths[core.at(leaf, $0)] }
  }

  /// The picture, after a check of all invariants.
  func runs() throws -> String {
    try document.core.checkInvariants()
    return try picture(document, text)
  }
}
