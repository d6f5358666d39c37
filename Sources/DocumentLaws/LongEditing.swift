// One sample and its oracle: strokes, and the text that they must give. `replay` carries them out
// on both; the law that looks at the result is `storage.long-runs` in `StorageLaws.swift`.

import DocumentModel
package import PropertyEngine

/// Hundreds of edits of one text by two writers in turn, and what the text must be.
///
/// The oracle is an array of scalars: nothing else can be as simple. Strokes come in runs (typing,
/// holding a delete key either way, jumping about), since engines store runs.
///
/// Histories of several replicas are short, and stay within one leaf of a tree. These strokes cross
/// leaves and levels, cut runs and join tombstones, and change between sizes of one to four bytes. What one writer
/// made the other one deletes, and at each place something else may be tried first, and taken back.
///
/// The law on it is `storage.long-runs` (`StorageLaws.swift`).
package struct LongEditing: Sendable {
  /// `at` is 0 to 999, and taken modulo the length; a deletion is cut to what there is.
  enum Stroke: Hashable, Sendable {
    /// Types `count` scalars of `size` bytes in UTF-8 from a position on, in one edit each or one in all.
    case type(at: Int, count: Int, size: Int, atOnce: Bool)
    /// Deletes from a position on: forward, backward, all at once, or with a commit halfway, backward
    /// (`halting`) or forward (`pausing`).
    ///
    /// Directions matter to an engine that keeps tombstones in runs: forward, each new one stands
    /// behind the last; backward, before it.
    case delete(at: Int, count: Int, Direction)
    case commit
    /// Goes on with what is loaded of what was saved.
    case restart
    /// The other writer goes on, with a copy.
    case handOver
    /// Types or deletes one by one; before each a commit, and something else at the same place that is taken back.
    ///
    /// Of `tries` each step takes another digit (``tried(_:)``).
    case waver(at: Int, count: Int, Key, tries: Int)

    /// A key that is pressed again and again.
    enum Key: String, Hashable, Sendable, CaseIterable {
      case letter, delete, backspace
    }

    enum Direction: String, Hashable, Sendable, CaseIterable {
      case atOnce, forward, backward, halting, pausing
    }
  }

  var strokes: [Stroke]

  /// Of 16 strokes 6 type, 4 delete, 2 commit, 1 restarts, 1 hands over and 2 waver.
  package static let samples = Generator<LongEditing> { choices in
    var strokes: [Stroke] = []
    choices.repeated(upTo: 60, averaging: 18, "stroke") { choices in
      let at = choices.number(in: 0...999)
      switch choices.pick(weights: [6, 4, 2, 1, 1, 2]) {
      case 0:
        strokes.append(
          .type(
            at: at,
            count: choices.number(in: 1...90, bias: .small),
            size: choices.number(in: 1...4),
            atOnce: choices.flag()
          )
        )
      case 1:
        strokes.append(
          .delete(
            at: at,
            count: choices.number(in: 1...40, bias: .small),
            choices.element(of: Stroke.Direction.allCases)
          )
        )
      case 2: strokes.append(.commit)
      case 3: strokes.append(.restart)
      case 4: strokes.append(.handOver)
      default:
        strokes.append(
          .waver(
            at: at,
            count: choices.number(in: 1...Self.waverLimit, bias: .small),
            choices.element(of: Stroke.Key.allCases),
            tries: choices.number(in: 0...999)
          )
        )
      }
    }
    return LongEditing(strokes: strokes)
  }

  /// Steps of one ``Stroke/waver(at:count:_:tries:)``: each is a change.
  static let waverLimit = 8

  /// By the number of bytes in UTF-8, from one to four.
  ///
  /// Runs of one size join; where the size changes, a run ends.
  private static let alphabets: [[Unicode.Scalar]] = [
    ["a", "b", "c", "d", "e"], ["\u{e9}", "\u{df}", "\u{3b1}"], ["\u{20ac}", "\u{4e2d}"],
    ["\u{1f600}", "\u{1d11e}"],
  ]

  /// A commit: the heads then, and the text that they must show for good.
  struct Moment {
    let heads: ObservedHeads
    let text: [Unicode.Scalar]
  }

  /// The document after all strokes, the text that it must hold, and its commits.
  ///
  /// Positions are taken modulo the present length, so that a stroke fits whatever others were
  /// removed by shrinking.
  ///
  /// A stroke that stops halfway commits there: the state in the middle of a deletion is read again
  /// later, where a run of tombstones must be cut in two.
  func replay<R: StoredReplica>(
    _ type: R.Type
  ) throws -> (document: R, text: [Unicode.Scalar], past: [Moment]) {
    var past: [Moment] = []
    var (writer, other) = (ActorID(repeating: 0x11), ActorID(repeating: 0x22))
    var document = R(actor: writer)
    var text: [Unicode.Scalar] = []
    guard let object = try document.apply(.putObject(.root, .key("t"), .text)).made else {
      throw Skipped("the text has no id")
    }
    func splice(_ index: Int, _ count: Int, _ added: [Unicode.Scalar]) throws {
      var string = String.UnicodeScalarView()
      string.append(contentsOf: added)
      let typed = ExactString(String(string))
      _ = try document.apply(
        .spliceText(object, index: index, deleting: count, inserting: typed)
      )
      text.replaceSubrange(index..<(index + count), with: added)
    }
    func press(_ key: Stroke.Key, at index: inout Int) throws {
      switch key {
      case .letter:
        try splice(index, 0, [Self.alphabets[0][index % Self.alphabets[0].count]])
        index += 1
      case .delete where index < text.count: try splice(index, 1, [])
      case .backspace where index > 0:
        try splice(index - 1, 1, [])
        index -= 1
      case .delete, .backspace: return
      }
    }
    for stroke in strokes {
      switch stroke {
      case .type(let at, let count, let size, let atOnce):
        let letters = Self.alphabets[size - 1]
        let index = at % (text.count + 1)
        let added = (0..<count).map { letters[($0 + at) % letters.count] }
        if atOnce {
          try splice(index, 0, added)
        } else {
          for (offset, letter) in added.enumerated() { try splice(index + offset, 0, [letter]) }
        }
      case .delete(let at, let count, let direction):
        let index = at % (text.count + 1)
        let count = min(count, text.count - index)
        switch direction {
        case .atOnce: try splice(index, count, [])
        case .forward: for _ in 0..<count { try splice(index, 1, []) }
        case .backward: for offset in 0..<count { try splice(index + count - 1 - offset, 1, []) }
        case .halting:
          for offset in 0..<count {
            if offset == count / 2 { past.append(Moment(heads: document.heads(), text: text)) }
            try splice(index + count - 1 - offset, 1, [])
          }
        case .pausing:
          for offset in 0..<count {
            if offset == count / 2 { past.append(Moment(heads: document.heads(), text: text)) }
            try splice(index, 1, [])
          }
        }
      // Asking for heads commits.
      case .commit: past.append(Moment(heads: document.heads(), text: text))
      case .restart: document = try R.load(document.save(compressed: true), actor: writer)
      case .handOver:
        swap(&writer, &other)
        document = try document.fork(actor: writer)
      case .waver(let at, let count, let key, let tries):
        var index = at % (text.count + 1)
        for step in 0..<count {
          document.commit()
          let (before, start) = (text, index)
          for tried in Self.tried(tries / [1, 6, 36][step % 3] % 6) {
            try press(tried, at: &index)
          }
          try document.rollback()
          (text, index) = (before, start)
          try press(key, at: &index)
        }
      }
    }
    past.append(Moment(heads: document.heads(), text: text))
    return (document, text, past)
  }

  /// What is tried at a place, and taken back: by a digit below 6.
  private static func tried(_ digit: Int) -> [Stroke.Key] {
    [
      [.backspace], [.delete], [.letter], [.delete, .letter], [.backspace, .backspace],
      [.delete, .delete, .letter],
    ][digit]
  }

  /// Compares the length, too: engines keep it apart from the text.
  func difference(_ shown: Observation, from text: [Unicode.Scalar]) -> Difference? {
    guard case .map(let entries) = shown.root.content,
      case .object(let object) = entries.first?.register.values.last?.content,
      case .text(let actual, let length, _) = object.content
    else { return Difference(kind: "text", summary: "the text is gone") }
    var expected = String.UnicodeScalarView()
    expected.append(contentsOf: text)
    guard actual != ExactString(String(expected)) || length != text.count else { return nil }
    return Difference(
      kind: "text",
      summary: "the text is not what was typed",
      expected: "\(text.count) scalars: \(String(expected).prefix(60))",
      actual: "\(length) scalars: \(actual.string.prefix(60))"
    )
  }
}
