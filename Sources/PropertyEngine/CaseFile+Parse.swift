extension CaseFile {
  /// Reads a case file.
  ///
  /// Cost: linear in the text. Untrusted text may take memory for ``Choices/recordedLimit``
  /// choices at most.
  package static func parse(_ text: String) throws(CaseFileError) -> CaseFile {
    try parse(utf8: Array(text.utf8))
  }

  /// Reads a case file from the bytes on a disk.
  package static func parse(utf8 bytes: [UInt8]) throws(CaseFileError) -> CaseFile {
    guard bytes.count <= byteCountLimit else {
      throw CaseFileError(reason: .tooLong(limit: byteCountLimit), line: 1)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CaseFileError(reason: .notUTF8, line: 1)
    }
    var parser = CaseFileParser(text)
    return try parser.caseFile()
  }
}

/// Reads the lines of a case file one after the other.
private struct CaseFileParser {
  // By bytes: a carriage return and a line feed are one `Character`.
  private var unread: Substring.UTF8View
  /// Number of lines that were read.
  private var lineCount = 0

  init(_ text: String) {
    unread = text[...].utf8
  }

  mutating func caseFile() throws(CaseFileError) -> CaseFile {
    try readVersion()
    let headers = try readHeaders()
    let choices = try readChoices()
    let format = try readSampleFormat()
    let headLineCount = lineCount
    let sample = try readSample()
    guard unread.isEmpty else { throw error(.textAfterEnd, line: lineCount) }
    return CaseFile(
      headers: headers,
      choices: choices,
      sampleFormat: format,
      sample: sample,
      headLineCount: headLineCount
    )
  }

  // MARK: Lines

  private func error(_ reason: CaseFileError.Reason, line index: Int) -> CaseFileError {
    CaseFileError(reason: reason, line: index + 1)
  }

  /// Reads a line without its line feed, and its index.
  private mutating func readLine() throws(CaseFileError) -> (text: Substring, index: Int) {
    guard !unread.isEmpty else { throw error(.missingEnd, line: lineCount) }
    let line = unread.prefix { $0 != 0x0a }
    unread = unread.dropFirst(line.count + 1)
    lineCount += 1
    return (Substring(line), lineCount - 1)
  }

  /// The bytes after `start`, if the line begins with it.
  private func rest(of line: Substring, after start: String) -> Substring? {
    guard line.utf8.starts(with: start.utf8) else { return nil }
    return Substring(line.utf8.dropFirst(start.utf8.count))
  }

  // MARK: Parts

  private mutating func readVersion() throws(CaseFileError) {
    guard !unread.isEmpty, let version = rest(of: try readLine().text, after: "touchstone case ")
    else { throw error(.notACaseFile, line: 0) }
    guard version == "\(CaseFile.version)" else { throw error(.unsupportedVersion, line: 0) }
  }

  private mutating func readHeaders() throws(CaseFileError) -> [CaseFile.Header] {
    var headers: [CaseFile.Header] = []
    var keys: Set<String> = []
    while true {
      let (line, index) = try readLine()
      if line == "choices:" {
        guard keys.contains(CaseFile.Key.law.rawValue) else {
          throw error(.missingHeader(key: CaseFile.Key.law.rawValue), line: index)
        }
        return headers
      }
      let key = String(Substring(line.utf8.prefix { $0 != 0x3a }))
      guard CaseFile.isHeaderKey(key) else { throw error(.malformedHeader, line: index) }
      let value = try value(after: key, in: line, at: index)
      guard keys.insert(key).inserted else {
        throw error(.duplicateHeader(key: key), line: index)
      }
      if key == CaseFile.Key.seed.rawValue, Seed(value) == nil {
        throw error(.malformedSeed, line: index)
      }
      headers.append(CaseFile.Header(key: key, value: value))
    }
  }

  /// The value of a line `key: value` or `key:`.
  private func value(
    after key: String,
    in line: Substring,
    at index: Int
  ) throws(CaseFileError) -> String {
    guard let rest = rest(of: line, after: key + ":") else {
      throw error(.malformedHeader, line: index)
    }
    if rest.isEmpty { return "" }
    guard let escaped = self.rest(of: rest, after: " "), !escaped.isEmpty else {
      throw error(.malformedHeader, line: index)
    }
    return try unescaped(escaped, at: index)
  }

  private func unescaped(_ text: Substring, at line: Int) throws(CaseFileError) -> String {
    var result = String.UnicodeScalarView()
    var scalars = text.unicodeScalars
    while let scalar = scalars.popFirst() {
      guard !CaseFile.isInvisible(scalar) else { throw error(.unescapedCharacter, line: line) }
      guard scalar == "\\" else {
        result.append(scalar)
        continue
      }
      switch scalars.popFirst() {
      case "n": result.append("\n")
      case "r": result.append("\r")
      case "t": result.append("\t")
      case "\\": result.append("\\")
      case "u":
        guard scalars.popFirst() == "{", let end = scalars.firstIndex(of: "}") else {
          throw error(.malformedEscape, line: line)
        }
        let digits = scalars[..<end]
        scalars = scalars[scalars.index(after: end)...]
        guard (1...6).contains(digits.count),
          digits.allSatisfy({ $0.properties.isASCIIHexDigit }),
          let code = UInt32(String(digits), radix: 16),
          let named = Unicode.Scalar(code)
        else { throw error(.malformedEscape, line: line) }
        result.append(named)
      default: throw error(.malformedEscape, line: line)
      }
    }
    return String(result)
  }

  private mutating func readChoices() throws(CaseFileError) -> [Choice] {
    var choices: [Choice] = []
    while unread.starts(with: "  ".utf8) {
      let (line, index) = try readLine()
      for (number, item) in line.utf8.split(separator: 0x20).enumerated() {
        guard let run = Self.run(Substring(item)) else {
          throw error(.malformedChoice(number: number + 1), line: index)
        }
        guard run.value <= run.limit else {
          throw error(.choiceAboveLimit(value: run.value, limit: run.limit), line: index)
        }
        guard run.count <= Choices.recordedLimit - choices.count else {
          throw error(.tooManyChoices(limit: Choices.recordedLimit), line: index)
        }
        let choice = Choice(value: run.value, limit: run.limit)
        choices.append(contentsOf: repeatElement(choice, count: run.count))
      }
    }
    return choices
  }

  /// Reads `value/limit` or `value/limitxcount`; `nil` if it is neither.
  private static func run(_ item: Substring) -> (value: UInt32, limit: UInt32, count: Int)? {
    func number<Integer: FixedWidthInteger>(_ digits: Substring.UTF8View.SubSequence) -> Integer? {
      // The standard initialiser would take a plus sign, too.
      guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      return Integer(Substring(digits))
    }
    let parts = item.utf8.split(separator: 0x2f, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let limitAndCount = parts[1].split(separator: 0x78, omittingEmptySubsequences: false)
    guard (1...2).contains(limitAndCount.count),
      let value: UInt32 = number(parts[0]),
      let limit: UInt32 = number(limitAndCount[0])
    else { return nil }
    guard limitAndCount.count == 2 else { return (value, limit, 1) }
    guard let count: Int = number(limitAndCount[1]), count >= 1 else { return nil }
    return (value, limit, count)
  }

  private mutating func readSampleFormat() throws(CaseFileError) -> FormName {
    let (line, index) = try readLine()
    guard rest(of: line, after: "sample:") != nil else { throw error(.missingSample, line: index) }
    let format = try value(after: "sample", in: line, at: index)
    guard !format.isEmpty else { throw error(.missingSample, line: index) }
    return FormName(text: format)
  }

  private mutating func readSample() throws(CaseFileError) -> String {
    var sample: [UInt8] = []
    while true {
      let (line, index) = try readLine()
      if line == "end" { return String(decoding: sample, as: UTF8.self) }
      if line == "no final newline" {
        if sample.last == 0x0a { sample.removeLast() }
        let (end, endIndex) = try readLine()
        guard end == "end" else { throw error(.unindentedSampleLine, line: endIndex) }
        return String(decoding: sample, as: UTF8.self)
      }
      if let content = rest(of: line, after: "  ") {
        sample += content.utf8
      } else if !line.isEmpty {
        throw error(.unindentedSampleLine, line: index)
      }
      sample.append(0x0a)
    }
  }
}
