/// A word, a literal or a sign of Swift source.
struct SwiftToken: Equatable {
  enum Kind: Equatable {
    /// A keyword, an identifier (in backticks, with them) or a run of digits.
    case word(String)
    /// A string literal's text, escapes as written, interpolations left out: their tokens follow.
    case string(String)
    /// Any other single character.
    case sign(Character)
  }

  let kind: Kind
  /// Counted from 1.
  let line: Int
  /// Whether no space stands before it: `try!` forces, `try !` negates.
  let isAttached: Bool

  var word: String? {
    if case .word(let text) = kind { text } else { nil }
  }

  var string: String? {
    if case .string(let text) = kind { text } else { nil }
  }

  func isSign(_ sign: Character) -> Bool { kind == .sign(sign) }
}

/// Splits Swift source into tokens; comments and regular expressions yield none.
///
/// Enough of the language to tell code from text: nested comments, raw and multi-line strings,
/// interpolations, both forms of regular expressions. Whatever is not closed ends with the source.
/// Never traps.
func swiftTokens(of source: String) -> [SwiftToken] {
  var lexer = SwiftLexer(source)
  lexer.readCode(untilParenthesis: false)
  return lexer.tokens
}

private struct SwiftLexer {
  private let characters: [Character]
  private var offset = 0
  private var line = 1
  private(set) var tokens: [SwiftToken] = []

  init(_ source: String) {
    characters = Array(source)
  }

  /// Reads to the end, or past the parenthesis that closes an interpolation.
  mutating func readCode(untilParenthesis: Bool) {
    var depth = 0
    while let character = peek() {
      if untilParenthesis, depth == 0, character == ")" {
        advance()
        return
      }
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      readToken(character)
    }
  }

  private mutating func readToken(_ character: Character) {
    if character.isWhitespace {
      advance()
    } else if character == "/", peek(1) == "/" {
      while let next = peek(), !next.isNewline { advance() }
    } else if character == "/", peek(1) == "*" {
      skipComment()
    } else if character == "\"" || character == "#", let hashes = hashes(before: "\"") {
      readString(hashes: hashes)
    } else if character == "#", let hashes = hashes(before: "/") {
      advance(by: hashes + 1)
      skip(past: ["/"] + [Character](repeating: "#", count: hashes))
    } else if character == "/", let length = bareRegexLength() {
      advance(by: length)
    } else if character.isWordPart || character == "`" {
      readWord()
    } else {
      emit(.sign(character))
      advance()
    }
  }

  private mutating func readWord() {
    let quoted = peek() == "`"
    var text = ""
    while let character = peek(), character.isWordPart || (quoted && character == "`") {
      text.append(character)
      advance()
    }
    emit(.word(text))
  }

  private mutating func skipComment() {
    advance(by: 2)
    var depth = 1
    while depth > 0, peek() != nil {
      if starts(["/", "*"]) {
        depth += 1
        advance(by: 2)
      } else if starts(["*", "/"]) {
        depth -= 1
        advance(by: 2)
      } else {
        advance()
      }
    }
  }

  private mutating func readString(hashes: Int) {
    let marks = [Character](repeating: "#", count: hashes)
    advance(by: hashes)
    let isMultiline = starts(["\"", "\"", "\""])
    let quotes = [Character](repeating: "\"", count: isMultiline ? 3 : 1)
    let end = quotes + marks
    let escape = ["\\"] + marks
    advance(by: quotes.count)
    let index = tokens.count
    emit(.string(""))
    var text = ""
    while let character = peek(), !starts(end) {
      if !isMultiline, character.isNewline { break }
      if starts(escape) {
        advance(by: escape.count)
        if peek() == "(" {
          advance()
          readCode(untilParenthesis: true)
          continue
        }
        text.append("\\")
        if let escaped = peek() { text.append(escaped) }
        advance()
      } else {
        text.append(character)
        advance()
      }
    }
    advance(by: end.count)
    let start = tokens[index]
    tokens[index] = SwiftToken(
      kind: .string(text),
      line: start.line,
      isAttached: start.isAttached
    )
  }

  /// How many `#` stand here right before `next`; nil if something else follows them.
  private func hashes(before next: Character) -> Int? {
    var count = 0
    while peek(count) == "#" { count += 1 }
    return peek(count) == next ? count : nil
  }

  /// The length of the regular expression that starts at this slash; nil if the slash divides.
  private func bareRegexLength() -> Int? {
    switch tokens.last?.kind {
    case .word(let word):
      guard ["return", "in", "case", "try", "await", "if", "while", "else"].contains(word) else {
        return nil
      }
    case .string: return nil
    case .sign(let sign): if ")]}?!".contains(sign) { return nil }
    case nil: break
    }
    guard let first = peek(1), !first.isWhitespace else { return nil }
    var length = 1
    while let character = peek(length), !character.isNewline {
      if character == "/" { return length + 1 }
      length += character == "\\" ? 2 : 1
    }
    return nil
  }

  private func peek(_ ahead: Int = 0) -> Character? {
    offset + ahead < characters.count ? characters[offset + ahead] : nil
  }

  private func starts(_ text: [Character]) -> Bool {
    for index in text.indices where peek(index) != text[index] { return false }
    return true
  }

  private mutating func skip(past end: [Character]) {
    while peek() != nil, !starts(end) { advance() }
    advance(by: end.count)
  }

  private mutating func advance(by count: Int = 1) {
    for _ in 0..<count {
      guard let character = peek() else { return }
      if character.isNewline { line += 1 }
      offset += 1
    }
  }

  private mutating func emit(_ kind: SwiftToken.Kind) {
    let isAttached = offset > 0 && !characters[offset - 1].isWhitespace
    tokens.append(SwiftToken(kind: kind, line: line, isAttached: isAttached))
  }
}

extension Character {
  fileprivate var isWordPart: Bool { isLetter || isNumber || self == "_" }
}
