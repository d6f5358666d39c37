import Testing

@testable import PropertyEngine

@Suite("Errors of case files in sentences")
struct CaseFileErrorTests {
  /// Every reason with its text.
  static let reasons: [(CaseFileError.Reason, String)] = [
    (.tooLong(limit: 4096), "the file has more than 4096 bytes"),
    (.notUTF8, "the file is not UTF-8"),
    (.notACaseFile, "expected \"touchstone case 1\""),
    (.unsupportedVersion, "expected version 1 of the form, found another"),
    (.missingEnd, "expected \"end\", found the end of the file"),
    (.malformedHeader, "expected \"key: value\" or \"choices:\""),
    (.duplicateHeader(key: "law"), "the header \"law\" comes a second time"),
    (.missingHeader(key: "law"), "the header \"law\" is missing"),
    (.unescapedCharacter, "expected an escape, found a control or format character"),
    (.malformedEscape, #"expected \n, \r, \t, \\ or \u{...} after the backslash"#),
    (.malformedSeed, "expected a seed of 64 bits, decimal or with 0x"),
    (
      .malformedChoice(number: 2),
      "expected value/limit or value/limitxcount as item 2 of the line"
    ),
    (.choiceAboveLimit(value: 10, limit: 9), "the choice 10 is above its limit 9"),
    (.tooManyChoices(limit: 100), "there are more than 100 choices"),
    (.missingSample, "expected \"sample: \" and the name of a form"),
    (
      .unindentedSampleLine, "expected two spaces at the start of the sample's line, or \"end\""
    ),
    (.textAfterEnd, "expected nothing after \"end\""),
  ]

  @Test("An error says line, expectation and finding in words", arguments: reasons)
  func sentence(_ reason: CaseFileError.Reason, _ text: String) {
    #expect(CaseFileError(reason: reason, line: 7).description == "line 7: \(text)")
  }
}
