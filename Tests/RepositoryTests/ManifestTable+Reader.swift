extension ManifestTable {
  /// Goes through tokens, and throws where they are not what a row has there.
  struct Reader {
    let tokens: [SwiftToken]
    var index = 0

    private var token: SwiftToken? { index < tokens.count ? tokens[index] : nil }
    var line: Int { (token ?? tokens.last)?.line ?? 1 }
    var word: String? { token?.word }
    var string: String? { token?.string }

    func unexpected(_ expected: String, found: String? = nil) -> Unreadable {
      let next =
        switch token?.kind {
        case .word(let text): text
        case .string(let text): "\"\(text)\""
        case .sign(let sign): "'\(sign)'"
        case nil: "the end of the file"
        }
      return Unreadable(line: line, expected: expected, found: found ?? next)
    }

    /// Goes to the value of `let name: ... = `.
    mutating func findTable(_ name: String) throws(Unreadable) {
      let start = tokens.indices.dropLast().first {
        tokens[$0].word == "let" && tokens[$0 + 1].word == name
      }
      guard let start, let value = tokens[start...].firstIndex(where: { $0.isSign("=") }) else {
        index = tokens.count
        throw unexpected("a line with 'let \(name)'")
      }
      index = value + 1
    }

    /// A table is one literal: more rows could be hidden in whatever is done with it.
    func endTable() throws(Unreadable) {
      if case .sign(let sign) = token?.kind, sign != "@", sign != "#" {
        throw unexpected("nothing more of the table")
      }
    }

    mutating func take(_ sign: Character) throws(Unreadable) {
      guard token?.isSign(sign) == true else { throw unexpected("'\(sign)'") }
      index += 1
    }

    mutating func take(word: String) throws(Unreadable) {
      guard self.word == word else { throw unexpected(word) }
      index += 1
    }

    mutating func takeString() throws(Unreadable) -> String {
      guard let string else { throw unexpected("a string") }
      index += 1
      return string
    }

    mutating func takeNumber() throws(Unreadable) -> Int {
      guard let word, let number = Int(word) else { throw unexpected("a number") }
      index += 1
      return number
    }

    mutating func takeBoolean() throws(Unreadable) -> Bool {
      guard let word, let value = Bool(word) else { throw unexpected("true or false") }
      index += 1
      return value
    }

    mutating func takeCase() throws(Unreadable) {
      try take(".")
      guard word != nil else { throw unexpected("the name of a case") }
      index += 1
    }

    /// The label of the next argument, gone past; nil if it has none.
    mutating func takeLabel() throws(Unreadable) -> String? {
      guard let word, index + 1 < tokens.count, tokens[index + 1].isSign(":") else { return nil }
      index += 2
      return word
    }

    mutating func skip(label: String) throws(Unreadable) {
      if let found = try takeLabel(), found != label {
        throw unexpected("\(label)", found: found)
      }
    }

    /// Goes past a comma, or past the end: whether an element follows.
    mutating func goesOn(until end: Character) throws(Unreadable) -> Bool {
      if token?.isSign(",") == true {
        index += 1
      } else if token?.isSign(end) != true {
        throw unexpected("',' or '\(end)'")
      }
      guard token?.isSign(end) == true else { return true }
      index += 1
      return false
    }

    /// Reads `[element, ...]`.
    mutating func takeList<Element>(
      _ element: (inout Self) throws(Unreadable) -> Element
    ) throws(Unreadable) -> [Element] {
      try take("[")
      var elements: [Element] = []
      if token?.isSign("]") == true {
        index += 1
        return elements
      }
      repeat {
        elements.append(try element(&self))
      } while try goesOn(until: "]")
      return elements
    }

    /// Reads `name(label: ..., ...)`: the arguments that are a string literal alone, by label.
    mutating func takeCall(_ name: String) throws(Unreadable) -> [String: String] {
      try take(word: name)
      try take("(")
      var strings: [String: String] = [:]
      var depth = 1
      while depth > 0 {
        if depth == 1, let label = try takeLabel(), let string { strings[label] = string }
        guard let token else { throw unexpected("')'") }
        if token.isSign("(") { depth += 1 }
        if token.isSign(")") { depth -= 1 }
        index += 1
      }
      return strings
    }
  }
}
