/// Where two texts differ: the words of each, marked as common or its own.
struct TextComparison {
  /// A stretch of one of the texts.
  struct Piece: Equatable {
    var text: String
    /// Whether the other text has it too, in the same order.
    var isCommon: Bool
  }

  let expected: [Piece]
  let actual: [Piece]

  /// Words and signs beyond which only the common start and end are looked for.
  static let tokenLimit = 400

  /// Compares by words: a run of letters and digits is one, as is each other character.
  ///
  /// Costs the product of the numbers of words between the common start and end, at most.
  init(expected: String, actual: String) {
    let left = tokens(of: expected)
    let right = tokens(of: actual)
    var (leftMarks, rightMarks) = commonMarks(left, right, limit: Self.tokenLimit)
    Self.slide(&leftMarks, over: left)
    Self.slide(&rightMarks, over: right)
    let expected = Self.pieces(left, leftMarks)
    let actual = Self.pieces(right, rightMarks)
    let hasCommonWord = zip(left, leftMarks).contains { token, isCommon in
      isCommon && token.text.contains(where: isWordPart)
    }
    if !hasCommonWord, max(expected.count, actual.count) > 3 {
      // Signs that happen to agree between words that all differ would only be noise.
      self.expected = Self.whole(expected)
      self.actual = Self.whole(actual)
    } else {
      self.expected = expected
      self.actual = actual
    }
  }

  /// Moves stretches that are not common to where a reader would see them begin.
  ///
  /// Of `a b` and `a, a b` either `a, ` or `, a` may count as added. A stretch can move past a word
  /// before it that equals its last: it then begins with a part of a list, rather than amid one.
  private static func slide(_ isCommon: inout [Bool], over tokens: [Exact]) {
    var start = 0
    while let first = isCommon[start...].firstIndex(of: false) {
      let end = isCommon[first...].firstIndex(of: true) ?? isCommon.count
      var steps = 0
      var best = (worth: worth(of: first, tokens), steps: 0)
      while first - steps > start, isCommon[first - steps - 1],
        tokens[first - steps - 1] == tokens[end - steps - 1]
      {
        steps += 1
        let worth = worth(of: first - steps, tokens)
        if worth > best.worth { best = (worth, steps) }
      }
      for step in 0..<best.steps {
        isCommon[first - step - 1] = false
        isCommon[end - step - 1] = true
      }
      start = end
    }
  }

  /// How well a stretch begins there: at the start, after a comma and a space, after a space.
  private static func worth(of index: Int, _ tokens: [Exact]) -> Int {
    guard index > 0 else { return 3 }
    guard tokens[index - 1].text == " " else { return 0 }
    return index > 1 && tokens[index - 2].text == "," ? 2 : 1
  }

  private static func whole(_ pieces: [Piece]) -> [Piece] {
    pieces.isEmpty ? [] : [Piece(text: pieces.map(\.text).joined(), isCommon: false)]
  }

  private static func pieces(_ tokens: [Exact], _ isCommon: [Bool]) -> [Piece] {
    var pieces: [Piece] = []
    for (token, isCommon) in zip(tokens, isCommon) {
      if pieces.last?.isCommon == isCommon {
        pieces[pieces.count - 1].text += token.text
      } else {
        pieces.append(Piece(text: String(token.text), isCommon: isCommon))
      }
    }
    return pieces
  }
}

/// The lines of two states, marked as common or not.
struct LineComparison {
  let left: [Bool]
  let right: [Bool]

  init(_ left: [String], _ right: [String]) {
    (self.left, self.right) = commonMarks(
      left.map { Exact(text: $0[...]) },
      right.map { Exact(text: $0[...]) },
      limit: TextComparison.tokenLimit
    )
  }
}

/// Text that equals only the same bytes; `String` finds canonically equivalent texts equal.
private struct Exact: Equatable {
  let text: Substring

  static func == (left: Self, right: Self) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }
}

/// Which elements belong to a longest common subsequence; past `limit`, to the common start or end.
private func commonMarks(
  _ left: [Exact],
  _ right: [Exact],
  limit: Int
) -> (left: [Bool], right: [Bool]) {
  let start = zip(left, right).prefix { $0 == $1 }.count
  let end = zip(left.dropFirst(start).reversed(), right.dropFirst(start).reversed())
    .prefix { $0 == $1 }.count
  let (rows, columns) = (start..<left.count - end, start..<right.count - end)
  guard rows.count <= limit, columns.count <= limit else {
    return (left.indices.map { !rows.contains($0) }, right.indices.map { !columns.contains($0) })
  }
  var leftMarks = Array(repeating: true, count: left.count)
  var rightMarks = Array(repeating: true, count: right.count)
  for change in right[columns].difference(from: left[rows]) {
    switch change {
    case .remove(let offset, _, _): leftMarks[start + offset] = false
    case .insert(let offset, _, _): rightMarks[start + offset] = false
    }
  }
  return (leftMarks, rightMarks)
}

private func tokens(of text: String) -> [Exact] {
  var tokens: [Exact] = []
  var index = text.startIndex
  while index < text.endIndex {
    var end = text.index(after: index)
    if isWordPart(text[index]) {
      while end < text.endIndex, isWordPart(text[end]) { end = text.index(after: end) }
    }
    tokens.append(Exact(text: text[index..<end]))
    index = end
  }
  return tokens
}

private func isWordPart(_ character: Character) -> Bool {
  character.isLetter || character.isNumber
}
