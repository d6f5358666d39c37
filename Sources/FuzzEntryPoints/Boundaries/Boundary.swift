import Histories
package import PropertyEngine
import Subjects
import Texts

/// A place where bytes come in from outside, and what holds for any of them.
///
/// Each is a fuzz target, a folder of stored inputs that tests judge again, and the source of the random
/// inputs of a test (``derived(_:)``). What reads the bytes is a parameter of each boundary, so that a test
/// can hand in a reader that is wrong and see it found.
package struct Boundary: Sendable {
  /// An input that a fuzzer starts from.
  package struct Seed: Sendable {
    /// The name of its file without `.bin`.
    package let name: String
    /// What the input is.
    package let sentence: String
    package let bytes: [UInt8]

    package init(_ name: String, _ sentence: String, _ bytes: [UInt8]) {
      self.name = name
      self.sentence = sentence
      self.bytes = bytes
    }
  }

  /// How seeds are changed into other inputs.
  package enum Notation: Sendable {
    /// Bits, bytes and numbers of any position.
    ///
    /// The pieces are put in by libFuzzer alone: our own changes keep most of a file what it was.
    case binary(pieces: [FuzzDictionary.Piece] = [])
    /// Besides, lines, words and numbers in decimal digits; the words are those of the form.
    case text(words: [String])
  }

  /// A check at the entrance, which hardly any random bytes pass.
  package struct Entrance: Sendable {
    /// Whether bytes get past it.
    package let isPassed: @Sendable ([UInt8]) -> Bool
    /// The same bytes with what the check looks at made right, as far as that can be done.
    package let repaired: @Sendable ([UInt8]) -> [UInt8]
    /// The columns behind the entrance; `nil` if there are none.
    var columns: Columns?
  }

  /// Columns of an input, which may be compressed: a change of one of their bytes spoils what stands behind it.
  struct Columns: Sendable {
    /// The input with all that is compressed inflated; `nil` if nothing is.
    let opened: @Sendable ([UInt8]) -> [UInt8]?
    /// The input with parts of it compressed, as choices say; `nil` if none can be.
    let closed: @Sendable ([UInt8], inout Choices) -> [UInt8]?
    /// The input with another value in a column; `nil` if it has none that can be read.
    let wounded: @Sendable ([UInt8], inout Choices) -> [UInt8]?
  }

  /// A law that bytes broke, and how.
  package typealias Breach = (law: String, difference: Difference)

  /// The name of the target, and of its folder of inputs.
  package let id: String
  /// What the bytes are and what is judged, in one sentence.
  package let sentence: String
  /// Id of what reads the bytes.
  package let subject: String
  package let laws: [LawStatement]
  /// Bytes of an input at most.
  package let byteLimit: Int
  package let notation: Notation
  /// `nil` if all bytes are let in.
  package let entrance: Entrance?
  /// What the seed corpus consists of, in words.
  package let seedSentence: String
  /// Folders of the repository whose files are inputs as well.
  package let otherFolders: [String]
  /// The inputs to start from, always the same, small ones first.
  package let seeds: @Sendable () throws -> [Seed]
  /// The first law that bytes break; `nil` if all hold.
  ///
  /// Throws if what is compared with could not answer.
  package let breach: @Sendable ([UInt8]) throws -> Breach?

  /// A boundary with laws of its own.
  package init(
    _ id: String,
    _ sentence: String,
    on subject: String,
    laws: [LawStatement],
    byteLimit: Int,
    notation: Notation = .binary(),
    entrance: Entrance? = nil,
    otherFolders: [String] = [],
    seedSentence: String,
    seeds: @escaping @Sendable () throws -> [Seed],
    breach: @escaping @Sendable ([UInt8]) throws -> Breach?
  ) {
    self.id = id
    self.sentence = sentence
    self.subject = subject
    self.laws = laws
    self.byteLimit = byteLimit
    self.notation = notation
    self.entrance = entrance
    self.otherFolders = otherFolders
    self.seedSentence = seedSentence
    self.seeds = seeds
    self.breach = breach
  }

  /// A boundary with one law: bytes are refused with a typed error that changes nothing, or are what `rule`
  /// says.
  package init(
    _ id: String,
    _ sentence: String,
    on subject: String,
    rule: String,
    byteLimit: Int,
    notation: Notation = .binary(),
    entrance: Entrance? = nil,
    otherFolders: [String] = [],
    seedSentence: String,
    seeds: @escaping @Sendable () throws -> [Seed],
    judge: @escaping @Sendable ([UInt8]) throws -> Difference?
  ) {
    let law = LawStatement(
      "boundary.\(id)",
      "Bytes from outside do no harm.",
      rule,
      source: .decision(14)
    )
    self.init(
      id,
      sentence,
      on: subject,
      laws: [law],
      byteLimit: byteLimit,
      notation: notation,
      entrance: entrance,
      otherFolders: otherFolders,
      seedSentence: seedSentence,
      seeds: seeds
    ) { bytes in
      try judge(bytes).map { (law.name, $0) }
    }
  }

  /// Id of the engine, which most bytes go to.
  static let engine = engineSubject.id

  /// Every boundary.
  package static let all: [Boundary] = [
    load, changes(), incremental(), columns(), sync(), ids(), paths(), historyText(), caseFiles(),
    reportMerge(), json(), adapter(), store(), replay(), view(),
  ]
}

extension LawGroup {
  /// The laws of a boundary, judged on given bytes.
  static func judging(_ bytes: [UInt8], at boundary: Boundary) -> LawGroup {
    LawGroup(
      boundary.laws,
      form: boundary.form,
      draw: { _ in bytes },
      judge: { bytes, _ in
        do {
          if let breach = try boundary.breach(bytes) {
            return JudgedCase([(breach.law, Judgement(.violated(breach.difference)))])
          }
        } catch {
          return JudgedCase([(FailureKey.answers, Judgement(.errored("\(error)")))])
        }
        return JudgedCase(boundary.laws.map { ($0.name, Judgement(.held)) })
      }
    )
  }
}

extension Boundary {
  /// How an input is shown to a person: text as it reads, other bytes in hexadecimal.
  fileprivate var form: SampleForm<[UInt8]> {
    .lines { bytes in
      if case .text = notation, let text = String(validating: bytes, as: UTF8.self) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).prefix(60)
        return ["\(bytes.count) bytes:"] + lines.map { VisibleText(scalarLimit: 200)(String($0)) }
      }
      return ["\(bytes.count) bytes: \(hexString(Array(bytes.prefix(600))))"]
    }
  }
}
