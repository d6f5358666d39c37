import DocumentModel
import Texts

// A patch is an array: its action, the path from the root to the object that it changes, and what the
// action needs.
//
//     ["put", path, slot, value]             ["insert", path, index, [value, ...]]
//     ["spliceText", path, index, text]      ["increment", path, slot, by]
//     ["conflict", path, slot]               ["deleteKey", path, key]
//     ["deleteRange", path, index, count]    ["marks", path, [[start, end, name, kind, text], ...]]
//
// A path is an array of slots: keys (strings) and positions (numbers).

extension ObservedPatch {
  /// Objects on the way to one: more than a document has, and few enough that walking down needs little stack.
  static let pathLimit = 128

  /// Reads the patches of one answer, in their order.
  static func patches(_ json: JSONValue) throws(AnswerError) -> [ObservedPatch] {
    var patches: [ObservedPatch] = []
    for patch in try json.array("an array of patches") { patches.append(try ObservedPatch(patch)) }
    return patches
  }

  private init(_ json: JSONValue) throws(AnswerError) {
    let parts = try json.array("a patch")
    guard parts.count >= 3 else { throw json.expected("a patch: an action, a path and its parts") }
    var path: [Slot] = []
    for slot in try parts[1].array("a path of keys and positions") {
      path.append(try Slot(slot))
    }
    guard path.count <= Self.pathLimit else {
      throw AnswerError(expected: "a path of at most \(Self.pathLimit) slots", found: "more")
    }
    self.init(path, try Self.action(parts))
  }

  private static func action(_ parts: [JSONValue]) throws(AnswerError) -> Action {
    let third = parts[2]
    switch (try parts[0].string("a patch's action"), parts.count) {
    case ("put", 4):
      return .put(try Slot(third), try value(parts[3]))
    case ("insert", 4):
      var values: [ObservedValue] = []
      for part in try parts[3].array("an array of values") { values.append(try value(part)) }
      return .insert(index: try position(third), values)
    case ("spliceText", 4):
      return .spliceText(
        index: try position(third),
        ExactString(try parts[3].string("the text of a patch"))
      )
    case ("increment", 4):
      let amount = try parts[3].parsed("an amount") { ObservedValue.decimal($0) as Int64? }
      return .increment(try Slot(third), by: amount)
    case ("conflict", 3):
      return .conflict(try Slot(third))
    case ("deleteKey", 3):
      return .deleteKey(ExactString(try third.string("a key")))
    case ("deleteRange", 4):
      return .deleteRange(index: try position(third), count: try position(parts[3]))
    case ("marks", 3):
      return .marks(try ObservedMark.marks(third))
    default:
      throw AnswerError(
        expected: "a patch's action with its parts",
        found: "an unknown action, or one with \(parts.count - 1) parts"
      )
    }
  }

  private static func position(_ json: JSONValue) throws(AnswerError) -> Int {
    try json.number("a position or count", in: 0...Int(Int32.max))
  }

  private static func value(_ json: JSONValue) throws(AnswerError) -> ObservedValue {
    try ObservedValue(json.array("a value"))
  }
}

extension Slot {
  fileprivate init(_ json: JSONValue) throws(AnswerError) {
    guard let key = json.string else {
      self = .index(try json.number("a key or a position", in: 0...Int(Int32.max)))
      return
    }
    self = .key(ExactString(key))
  }
}

extension JSONWriter {
  mutating func write(_ patch: ObservedPatch) {
    array { writer in
      writer.string(patch.action.name)
      writer.array { for slot in patch.path { $0.write(slot) } }
      switch patch.action {
      case .put(let slot, let value):
        writer.write(slot)
        TranscriptWriter.write(value, &writer)
      case .insert(let index, let values):
        writer.number(index)
        writer.array { for value in values { TranscriptWriter.write(value, &$0) } }
      case .spliceText(let index, let text):
        writer.number(index)
        writer.string(text.string)
      case .increment(let slot, let amount):
        writer.write(slot)
        writer.string("\(amount)")
      case .conflict(let slot):
        writer.write(slot)
      case .deleteKey(let key):
        writer.string(key.string)
      case .deleteRange(let index, let count):
        writer.numbers(index, count)
      case .marks(let marks):
        writer.write(marks)
      }
    }
  }

  mutating func write(_ marks: [ObservedMark]) {
    array { writer in
      for mark in marks {
        writer.array { writer in
          writer.numbers(mark.range.lowerBound, mark.range.upperBound)
          writer.strings([mark.name.string] + mark.value.tokens)
        }
      }
    }
  }
}
