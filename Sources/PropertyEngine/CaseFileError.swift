/// Why the text of a case file was refused.
package struct CaseFileError: Error, Hashable, Sendable {
  /// What was wrong.
  package enum Reason: Hashable, Sendable {
    /// The text has more than `limit` bytes.
    case tooLong(limit: Int)
    /// The bytes are not UTF-8.
    case notUTF8
    /// The first line is not `touchstone case` and a version.
    case notACaseFile
    /// The version is another one.
    case unsupportedVersion
    /// The text ends before `end`.
    case missingEnd
    /// A line before the choices is neither `key: value` nor `choices:`.
    case malformedHeader
    /// A header comes for the second time.
    case duplicateHeader(key: String)
    /// A header that every file has is missing.
    case missingHeader(key: String)
    /// A header's value has a control or format character that is not written as an escape.
    case unescapedCharacter
    /// A backslash in a header's value begins no known escape.
    case malformedEscape
    /// The seed is no number of 64 bits.
    case malformedSeed
    /// Something among the choices is not `value/limit` or `value/limitxcount`; counted from 1.
    case malformedChoice(number: Int)
    /// A choice is above its limit.
    case choiceAboveLimit(value: UInt32, limit: UInt32)
    /// There are more than `limit` choices.
    case tooManyChoices(limit: Int)
    /// The choices are followed by something else than `sample:` and the name of a form.
    case missingSample
    /// A line of the sample is neither indented nor the end.
    case unindentedSampleLine
    /// Something follows the end.
    case textAfterEnd
  }

  /// What was wrong.
  package let reason: Reason
  /// Number of the line, from 1.
  package let line: Int
}

extension CaseFileError: CustomStringConvertible {
  package var description: String {
    "line \(line): \(explanation)"
  }

  private var explanation: String {
    switch reason {
    case .tooLong(let limit): "the file has more than \(limit) bytes"
    case .notUTF8: "the file is not UTF-8"
    case .notACaseFile: "expected \"touchstone case \(CaseFile.version)\""
    case .unsupportedVersion: "expected version \(CaseFile.version) of the form, found another"
    case .missingEnd: "expected \"end\", found the end of the file"
    case .malformedHeader: "expected \"key: value\" or \"choices:\""
    case .duplicateHeader(let key): "the header \"\(key)\" comes a second time"
    case .missingHeader(let key): "the header \"\(key)\" is missing"
    case .unescapedCharacter: "expected an escape, found a control or format character"
    case .malformedEscape: "expected \\n, \\r, \\t, \\\\ or \\u{...} after the backslash"
    case .malformedSeed: "expected a seed of 64 bits, decimal or with 0x"
    case .malformedChoice(let number):
      "expected value/limit or value/limitxcount as item \(number) of the line"
    case .choiceAboveLimit(let value, let limit): "the choice \(value) is above its limit \(limit)"
    case .tooManyChoices(let limit): "there are more than \(limit) choices"
    case .missingSample: "expected \"sample: \" and the name of a form"
    case .unindentedSampleLine: "expected two spaces at the start of the sample's line, or \"end\""
    case .textAfterEnd: "expected nothing after \"end\""
    }
  }
}
