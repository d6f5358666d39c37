package import MergeEngine

extension MergeDocument {
  /// Makes a text read `value`, by splices where the two differ.
  ///
  /// The texts are compared character by character (grapheme clusters, by their bytes). Elements
  /// of the old text are taken whole: where a character ends within an element, or an element
  /// within a character, the two are joined to one item. If a splice is refused, nothing has
  /// changed.
  package func updateText(
    _ object: MergeEngine.ObjectID,
    _ value: String
  ) throws(EditError) {
    let pieces = try textPieces(object)
    let before = try text(object)
    guard !before.utf8.elementsEqual(value.utf8) else { return }
    var names = ItemNames()
    let old = TextItems(before, pieces, &names)
    let new = TextItems(value, &names)
    let start = savepoint
    do {
      try apply(TextDiff(from: old.names, to: new.names).steps, old, new, to: object)
    } catch {
      rollback(to: start)
      throw error
    }
  }

  /// `item` is a place in the old items, `index` in the text as it is by now: what was deleted or
  /// inserted so far is counted already, so that no step needs to know of those before it.
  ///
  ///     "abcd" to "aXYcd"     item  index   text
  ///     keep 1                1     1       abcd
  ///     delete 1              2     1       acd
  ///     insert "XY"           2     3       aXYcd
  ///     keep 2                4     5       aXYcd
  private func apply(
    _ steps: [DiffStep],
    _ old: TextItems,
    _ new: TextItems,
    to object: MergeEngine.ObjectID
  ) throws(EditError) {
    var item = 0
    var index = 0
    for step in steps {
      switch step {
      case .keep(let count):
        index += old.width(of: item..<item + count)
        item += count
      case .delete(let count):
        try spliceText(object, at: index, delete: old.width(of: item..<item + count))
        item += count
      case .insert(let range):
        let text = new.text(of: range)
        try spliceText(object, at: index, delete: 0, insert: text)
        index += text.width(in: unit)
      }
    }
  }
}

/// A text cut into items that splices can take.
///
/// A new text needs no units, and `starts` stays at one entry; an old one needs no bytes, and `offsets` does. What is
/// kept or deleted is counted in the old one, and what is inserted is read from the new one.
///
///      elements    e | U+0301 | x          two elements, one character: joined to one item
///      characters  é          | x
private struct TextItems {
  /// What each item reads, as a number that equal items share.
  private(set) var names: [UInt32] = []
  /// Units before each item, and before the end.
  private var starts: [Int] = [0]
  /// UTF-8 bytes before each item, and before the end.
  private var offsets: [Int] = [0]
  private let text: String

  /// The characters of a new text.
  init(_ text: String, _ names: inout ItemNames) {
    self.text = text
    for character in text {
      self.names.append(names.name(of: character))
      offsets.append(offsets[offsets.count - 1] + character.utf8.count)
    }
  }

  /// The characters of a stored text, joined where its elements overlap them.
  init(_ text: String, _ pieces: [TextPiece], _ names: inout ItemNames) {
    self.text = text
    var walk = ElementWalk(pieces)
    var end = 0
    var open = ""
    for character in text {
      end += character.utf8.count
      open.append(character)
      guard walk.advance(to: end) else { continue }
      self.names.append(names.name(of: open))
      starts.append(walk.units)
      open = ""
    }
  }

  func width(of items: Range<Int>) -> Int {
    starts[items.upperBound] - starts[items.lowerBound]
  }

  func text(of items: Range<Int>) -> String {
    let utf8 = text.utf8
    let from = utf8.index(utf8.startIndex, offsetBy: offsets[items.lowerBound])
    let to = utf8.index(utf8.startIndex, offsetBy: offsets[items.upperBound])
    return String(text[from..<to])
  }
}

/// A way through the elements of a text, by bytes.
///
/// A piece is a run of elements with one size and one width, so that a step is one division and not
/// one per element.
private struct ElementWalk {
  private let pieces: [TextPiece]
  private var piece = 0
  /// Elements of the piece that lie behind.
  private var used = 0
  private var bytes = 0
  /// Units behind.
  private(set) var units = 0

  init(_ pieces: [TextPiece]) {
    self.pieces = pieces
  }

  /// Goes on to the first end of an element at or behind `offset`; whether it is just there.
  mutating func advance(to offset: Int) -> Bool {
    while bytes < offset, piece < pieces.count {
      let current = pieces[piece]
      guard current.byteCount > 0, used < current.count else {
        piece += 1
        used = 0
        continue
      }
      let wanted = (offset - bytes + current.byteCount - 1) / current.byteCount
      let count = min(wanted, current.count - used)
      used += count
      bytes += count * current.byteCount
      units += count * current.width
    }
    return bytes == offset
  }
}

/// Numbers for characters: its scalar for one of a single scalar, and one above for others.
///
///     "a" 0x61     "é" as U+00E9 0xE9     "e" and U+0301 0x110000     the next such 0x110001
///
/// Scalars end at 0x10FFFF, so that the two kinds never meet. Canonically equivalent characters are
/// two: what is stored differs.
private struct ItemNames {
  private var longer: [[UInt8]: UInt32] = [:]

  mutating func name(of character: Character) -> UInt32 { name(of: character.unicodeScalars) }

  mutating func name(of text: String) -> UInt32 { name(of: text.unicodeScalars) }

  private mutating func name(of scalars: some Collection<Unicode.Scalar>) -> UInt32 {
    if let first = scalars.first, scalars.dropFirst().isEmpty { return first.value }
    let bytes = scalars.flatMap { Array(UTF8.encode($0) ?? .init()) }
    if let known = longer[bytes] { return known }
    let fresh = 0x11_0000 + UInt32(longer.count)
    longer[bytes] = fresh
    return fresh
  }
}

extension String {
  /// Units of the string.
  package func width(in unit: MergeEngine.TextUnit) -> Int {
    switch unit {
    case .scalar: unicodeScalars.count
    case .utf8: utf8.count
    case .utf16: utf16.count
    case .grapheme: count
    }
  }
}
