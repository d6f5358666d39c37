import CodingSupport
import ModelGeneration
import ModelZoo
import PropertyEngine

// Texts that merge by character. Places and further bindings: `ReferencePlaceLaws.swift`, `BindingLaws.swift`; instances
// that move in lists: `MovingReferenceLaws.swift`.

extension CodingLaw {
  /// Texts that merge by character.
  static let textLaws: [CodingLaw] = [
    textKept, textMerges, textBinds, textEmptied, textForeign, textRemoved,
  ]

  private static let texts = LawSource.specification(.codable, "AutomergeText")

  /// Three hostile texts of up to 8 scalars, and a number.
  ///
  /// Hostile are emoji of several scalars, combining letters and the like (`HostileText.swift`): a
  /// text counts scalars, so a coder that counts characters splices at another place.
  private static let strings: @Sendable (Model, inout CodingSample, inout Choices) throws -> Void =
    {
      _,
      sample,
      choices in
      let text = Generator<String>.hostileText(unicodeScalarsUpTo: 8, long: false)
      for _ in 0..<3 { sample.trees.append(.string(text.draw(&choices))) }
      sample.numbers = [choices.number(in: 0...9)]
    }

  /// One of the three; empty if a stored sample has fewer.
  private static func string(_ trial: CodingTrial, _ index: Int) -> String {
    guard trial.sample.trees.indices.contains(index),
      case .string(let string) = trial.sample.trees[index]
    else { return "" }
    return string
  }

  /// Texts are compared by their bytes, and shown as texts.
  private static func textDiffers(
    _ kind: String,
    _ summary: String,
    of side: String,
    actual: [UInt8]?,
    expected: [UInt8]
  ) -> Difference? {
    guard actual != expected else { return nil }
    let shown = actual.map { Tree.quoted(String(decoding: $0, as: UTF8.self)) }
    return Difference(
      kind: kind,
      summary: summary,
      expected: Tree.quoted(String(decoding: expected, as: UTF8.self)),
      actual: shown ?? "no text"
    ).between(nil, side)
  }

  /// The text at a key of the root, as UTF-8; `nil` if none stands there.
  private static func text(_ document: any CodingDocument, _ key: String) throws -> [UInt8]? {
    guard case .text(let text)? = try document.tree().child(.key(key)) else { return nil }
    return Array(text.utf8)
  }

  /// Catches a new text on each save: what peers type meanwhile goes into the old one and is lost.
  ///
  /// Worked example: the app saves "Milk" over "Mil" while a peer types "Bread" into the same text.
  /// With `text-replaced` the peer's letters go into an object that nothing shows any more.
  static let textKept = referenceLaw(
    "text.kept",
    "Encoding over a text keeps the text.",
    "Encoding another string over a text keeps the text and gives it that string. If the same encode puts the text "
      + "at another place, its old content stands there.",
    source: [texts, .issue("automerge-swift", 60)],
    needs: .texts,
    draw: strings,
    check: { try kept($0.subject, $0) }
  )

  /// The object must have the same name, and hold the new string.
  private static func kept<S: CoderSubject>(
    _ subject: S,
    _ trial: CodingTrial
  ) throws -> Difference? {
    let document = try trial.document()
    try document.encode(Own<S>.OneText(text: S.Text(string(trial, 0))))
    let name = try document.objectName(at: [.key("text")])
    try document.encode(Own<S>.OneText(text: S.Text(string(trial, 1))))
    let after = try document.objectName(at: [.key("text")])
    return try differs(
      "text.replaced",
      "the text is another object",
      of: "the text in the document",
      actual: after,
      expected: name
    )
      ?? textDiffers(
        "text.content",
        "the text holds something else",
        of: "the text in the document",
        actual: try text(document, "text"),
        expected: Array(string(trial, 1).utf8)
      )
      ?? moved(subject, document, trial)
  }

  /// A string takes a text's place, and the text another one.
  ///
  ///     in the document before       "text": text "b"
  ///     what is encoded              text: the string "c", second: the instance bound to "text"
  ///     in the document after        "text": text "c", "second": text "b"
  ///
  /// A coder that reads the instance only when it comes to `second` finds "c" there: the place to
  /// which the instance is bound has another content by then.
  private static func moved<S: CoderSubject>(
    _ subject: S,
    _ document: any CodingDocument,
    _ trial: CodingTrial
  ) throws -> Difference? {
    let bound = try document.decode(Own<S>.OneText.self).text
    try document.encode(StringAndText(text: string(trial, 2), second: bound))
    return try textDiffers(
      "text.moved",
      "the text that another string has followed holds something else",
      of: "the text in its new place",
      actual: try text(document, "second"),
      expected: Array(string(trial, 1).utf8)
    )
      ?? textDiffers(
        "text.followed",
        "the text over which another string was encoded holds something else",
        of: "the text in its old place",
        actual: try text(document, "text"),
        expected: Array(string(trial, 2).utf8)
      )
  }

  /// A string where a text is stored, and that text under another key.
  private struct StringAndText<Text: ModelText>: Encodable {
    let text: String
    let second: Text
  }

  /// The reason for texts.
  ///
  /// Catches a text that is replaced as a whole where a few letters changed.
  ///
  /// Worked example: over "<a>" one peer saves "left <a>", the other "<a> right". `text-rewritten`
  /// deletes all letters and inserts the new ones on each side: the merge shows the middle twice.
  static let textMerges = referenceLaw(
    "text.merges",
    "Concurrent changes of a text both stay.",
    "Two peers that encode changed strings at both ends of a text lose neither change.",
    source: [texts, .specification(.codable, "Strings and texts")],
    needs: .texts,
    draw: strings,
    check: { try merges($0.subject, $0) }
  )

  /// Each peer inserts at one end alone, so no letter of the middle may be touched.
  private static func merges<S: CoderSubject>(_: S, _ trial: CodingTrial) throws -> Difference? {
    // Letters that no piece of the drawn text can be part of.
    let middle = "<\(string(trial, 0))>"
    let document = try trial.document()
    try document.encode(Own<S>.OneText(text: S.Text(middle)))
    let peer = try document.fork(actor: 2)
    try document.encode(Own<S>.OneText(text: S.Text("left \(middle)")))
    try peer.encode(Own<S>.OneText(text: S.Text("\(middle) right")))
    try document.merge(peer)
    return textDiffers(
      "text.merge",
      "after the merge the text holds something else",
      of: "the text after the merge",
      actual: try text(document, "text"),
      expected: Array("left \(middle) right".utf8)
    )
  }

  /// Catches an instance that is bound by one of the two ways only, or that caches its value.
  ///
  /// Worked example: after a save the app types into the instance that it has. With
  /// `encode-does-not-bind` it types into a copy of its own, and the document hears of it with the
  /// next save, or never.
  static let textBinds = referenceLaw(
    "text.binds",
    "Encoding or decoding a text binds it.",
    "A text is bound once it was encoded or decoded, also by its path alone: what is set on it stands in the "
      + "document. Before, it holds what is set; once its object is gone, what was read last. Where none stands none is "
      + "read.",
    source: [texts, .specification(.codable, "Text and counter at the top level")],
    needs: .texts,
    draw: strings,
    check: { try binds($0.subject, $0) }
  )

  /// Sets one instance and looks at the other, so that a cached value shows.
  private static func binds<S: CoderSubject>(
    _ subject: S,
    _ trial: CodingTrial
  ) throws -> Difference? {
    let document = try trial.document()
    let model = Own<S>.OneText(text: S.Text(string(trial, 2)))
    // Of its own as yet: what is set on it is what is encoded.
    model.text.value = string(trial, 0)
    if let found = textDiffers(
      "text.unbound-set",
      "a text that is bound to nothing does not hold what was set on it",
      of: "the instance",
      actual: Array(model.text.value.utf8),
      expected: Array(string(trial, 0).utf8)
    ) {
      return found
    }
    guard !model.text.isAttached else {
      return Difference(kind: "text.attached", summary: "a text is attached before it is bound")
    }
    try document.encode(model)
    let decoded = try document.decode(Own<S>.OneText.self)
    let bound = [model.text.isBound, decoded.text.isBound]
    if let found = differs(
      "text.unbound",
      "a text that was encoded, or one that was decoded, is not bound",
      of: "the instances, the encoded one first",
      actual: bound,
      expected: [true, true]
    ) {
      return found
    }
    model.text.value = string(trial, 1)
    let isSetTwice = subject.features.contains(.paths)
    if isSetTwice {
      let path: [PathKey] = [.key("text")]
      try document.decode(S.Text.self, at: path, userInfo: [:]).value = string(trial, 2)
    }
    let wanted = Array(string(trial, isSetTwice ? 2 : 1).utf8)
    let seen = Array(decoded.text.value.utf8)
    return try textDiffers(
      "text.set",
      "the document does not hold what was set",
      of: "the text in the document",
      actual: text(document, "text"),
      expected: wanted
    )
      ?? textDiffers(
        "text.seen",
        "the other instance does not show what was set",
        of: "the other instance",
        actual: seen,
        expected: wanted
      )
      ?? boundOverEqual(subject, document, String(decoding: wanted, as: UTF8.self))
      ?? readsOther(S.Text.self, document, trial) ?? keepsLast(subject, document, trial)
  }

  /// Where a text whose object was taken back holds something else than what was last read of it.
  private static func keepsLast<S: CoderSubject>(
    _ subject: S,
    _ document: any CodingDocument,
    _ trial: CodingTrial
  ) throws -> Difference? {
    guard subject.features.contains(.paths) else { return nil }
    let path: [PathKey] = [.key("taken back")]
    var text: S.Text?
    do {
      try document.takenBack {
        try document.put(.text(string(trial, 1)), at: path)
        text = try document.decode(S.Text.self, at: path, userInfo: [:])
        try document.spliceText(at: path, index: 0, deleting: 0, inserting: "<")
        _ = text?.value
      }
    } catch is UnsupportedByCoder {
      return nil
    }
    guard let text else { return nil }
    return textDiffers(
      "text.last",
      "a text whose object was taken back holds something else than what was last read",
      of: "the instance",
      actual: Array(text.value.utf8),
      expected: Array("<\(string(trial, 1))".utf8)
    )
  }

  /// Whether a text that is encoded over an equal one, and so writes nothing, is bound as well.
  private static func boundOverEqual<S: CoderSubject>(
    _ subject: S,
    _ document: any CodingDocument,
    _ string: String
  ) throws -> Difference? {
    let model = Own<S>.OneText(text: S.Text(string))
    try document.encode(model)
    model.text.value = string + "!"
    return try textDiffers(
      "text.equal",
      "what is set on a text that was encoded over an equal one does not reach the document",
      of: "the text in the document",
      actual: text(document, "text"),
      expected: Array((string + "!").utf8)
    )
  }

  /// Catches a coder that takes an empty new text for one that was not loaded, and keeps the old
  /// content.
  ///
  /// Worked example: the user deletes all of a note. `text-never-emptied` leaves the old words,
  /// which come back when the note is read again.
  static let textEmptied = referenceLaw(
    "text.emptied",
    "An empty text replaces the stored one.",
    "An empty text that the caller made replaces what the document held.",
    source: texts,
    needs: .texts,
    draw: strings,
    check: { try emptied($0.subject, $0) }
  )

  /// "some " stands first, so that there is always something to empty.
  private static func emptied<S: CoderSubject>(_: S, _ trial: CodingTrial) throws -> Difference? {
    let document = try trial.document()
    try document.encode(Own<S>.OneText(text: S.Text("some \(string(trial, 0))")))
    try document.encode(Own<S>.OneText(text: S.Text("")))
    return textDiffers(
      "text.content",
      "the text that was emptied holds something",
      of: "the text in the document",
      actual: try text(document, "text"),
      expected: []
    )
  }

  /// Catches a binding that outlives its document: the text would be written into the document that
  /// it came from, or not at all.
  ///
  /// Worked example: a note is decoded from one document and encoded into another. There it must be
  /// a text with its words, and the first document must stay as it is; `foreign-text-empty` writes
  /// an empty one.
  static let textForeign = referenceLaw(
    "text.from-elsewhere",
    "A bound text is copied into other documents.",
    "A text bound to one document is written with its content into another.",
    source: texts,
    needs: .texts,
    draw: strings,
    check: { try foreign($0.subject, $0) }
  )

  /// Decodes from one document, encodes into another, and looks at both.
  private static func foreign<S: CoderSubject>(_: S, _ trial: CodingTrial) throws -> Difference? {
    let (document, other) = (try trial.document(), try trial.document(actor: 2))
    try document.encode(Own<S>.OneText(text: S.Text(string(trial, 0))))
    try other.encode(document.decode(Own<S>.OneText.self))
    let wanted = Array(string(trial, 0).utf8)
    return try textDiffers(
      "text.content",
      "the text of the other document holds something else",
      of: "the text of the other document",
      actual: try text(other, "text"),
      expected: wanted
    )
      ?? textDiffers(
        "text.source",
        "the text of the first document has changed",
        of: "the text of the first document",
        actual: try text(document, "text"),
        expected: wanted
      )
  }

  /// Catches texts that are matched by position and rewritten as their neighbours.
  ///
  /// Worked example: of three paragraphs the first is deleted. By position each of the others is
  /// edited into its neighbour, and what a peer types into the second meanwhile stands in the
  /// third.
  static let textRemoved = referenceLaw(
    "text.remove-one",
    "Removing one text touches no other.",
    "Removing or moving one text of a list touches that text alone.",
    source: [texts, .requirement(6)],
    needs: .texts,
    draw: strings,
    check: { try removed($0.subject, $0) }
  )

  /// One of three texts is removed; then the two that stay change places.
  ///
  ///     at first                  0a 1b 2c      each text begins with its number, so no two are alike
  ///     the first number is 1     0a 2c         the same two objects and instances as before
  ///     reversed                  2c 0a         contents alone are compared: a move makes a new object
  private static func removed<S: CoderSubject>(_: S, _ trial: CodingTrial) throws -> Difference? {
    let document = try trial.document()
    let strings = (0..<3).map { "\($0)\(string(trial, $0))" }
    try document.encode(Own<S>.TextList(texts: strings.map { S.Text($0) }))
    let names = try (0..<3).map { try document.objectName(at: [.key("texts"), .index($0)]) }
    var model = try document.decode(Own<S>.TextList.self)
    let index = trial.sample.index(0, below: 3)
    let removed = model.texts.remove(at: index)
    try document.encode(model)
    let after = try (0..<2).map { try document.objectName(at: [.key("texts"), .index($0)]) }
    var wanted = names
    wanted.remove(at: index)
    if let found = differs(
      "list.identity",
      "the texts that stay are other objects",
      of: "the objects of the texts that stay",
      actual: after,
      expected: wanted
    ) {
      return found
    }
    var left = strings.map { Array($0.utf8) }
    left.remove(at: index)
    for (text, expected) in zip(model.texts, left) {
      let found = textDiffers(
        "text.content",
        "an instance that stays holds something else",
        of: "the instance that stays",
        actual: Array(text.value.utf8),
        expected: expected
      )
      if let found { return found }
    }
    // Until here the removed instance lives, and could be taken for one that stays.
    withExtendedLifetime(removed) {}
    model.texts.reverse()
    try document.encode(model)
    let tree = Tree.map([
      Tree.Entry(
        "texts",
        .list(left.reversed().map { .text(String(decoding: $0, as: UTF8.self)) })
      )
    ])
    return try trial.difference(document, from: tree, "after the texts were reversed")
  }
}
