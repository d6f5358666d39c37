/// A failing sample as text: what was judged, the choices, and the sample in a form of its own.
///
/// ```text
/// touchstone case 1
/// law: merge.commutes
/// subjects: naive, automerge
/// kind: map.winner
/// seed: 0x2a
/// choices:
///   1/1x3 4/9 0/1
/// sample: history 1
///   replica a: put "k" 1
///
///   end of the history
/// end
/// ```
///
/// The choices replay the sample as long as the generator stays as it is; the sample's own text
/// outlives the generator. Headers stand in any order, and unknown ones are kept. What
/// ``render()`` writes is read back as it was, and rendered again byte for byte.
///
/// A choice is `value/limit`, with `xN` behind it if it comes `N` times in a row. Each line of the
/// sample is indented by two spaces unless it is empty, so anything may stand in it; if the sample
/// does not end with a line feed, a line `no final newline` says so. Lines end with a line feed
/// alone.
package struct CaseFile: Hashable, Sendable {
  /// The version of the form that is written.
  package static let version = 1
  /// UTF-8 bytes that a file may have at most: 16 MiB.
  package static let byteCountLimit = 16 << 20
  /// Characters of a line of choices at most.
  static let lineWidth = 100

  /// One line before the choices.
  package struct Header: Hashable, Sendable {
    /// A small letter, then small letters, digits, spaces and hyphens.
    package let key: String
    /// Any text; control and format characters are written as escapes.
    package let value: String

    package init(key: String, value: String) {
      precondition(CaseFile.isHeaderKey(key), "\(key) cannot be the key of a header")
      self.key = key
      self.value = value
    }
  }

  /// Every key that has a meaning, in the order in which a new file has them.
  package enum Key: String, CaseIterable, Sendable {
    case law
    case subjects
    case kind
    case seed
    case generator
    /// Name of the model, or of the type that merges.
    case model
    /// The version of a model that wrote the document.
    case writtenBy = "written-by"
    /// The test that stored the case, as `swift test --filter` takes it.
    case test
    /// Number of the case that showed the failure first.
    case `case`
    /// What differs, in one line.
    case shows
    case expected
    case actual
    /// The name of what shows ``expected``, where neither side is known to be right.
    case expectedSide = "expected side"
    /// The name of what shows ``actual``, where neither side is known to be right.
    case actualSide = "actual side"
    /// Says that the case was found and not made small.
    case state
    case firstSeen = "first seen"
    case note
  }

  /// All headers; no key comes twice, and there is one for the law.
  package private(set) var headers: [Header]
  /// The choices behind the sample, at most ``Choices/recordedLimit``; none if it came without.
  package private(set) var choices: [Choice]
  package private(set) var sampleFormat: FormName
  /// The sample.
  package private(set) var sample: String
  /// Lines above the sample in the file that the case was read from; 0 for a case that was made here.
  ///
  /// Says where the case stood, and is no part of it: cases are equal without it.
  let headLineCount: Int
  /// Name of the file that the case was read from, without `.case`; `nil` for a case that was made here.
  ///
  /// Says where the case stood, as ``headLineCount`` does.
  package var fileName: String?

  /// Makes a case; ``set(_:to:)`` adds further headers.
  package init(
    law: String,
    subjects: [String],
    kind: String,
    seed: Seed?,
    choices: [Choice],
    sampleFormat: FormName,
    sample: String
  ) {
    precondition(choices.count <= Choices.recordedLimit, "\(choices.count) choices are too many")
    precondition(!"\(sampleFormat)".isEmpty, "the sample's form needs a name")
    self.init(headers: [], choices: choices, sampleFormat: sampleFormat, sample: sample)
    set(.law, to: law)
    set(.subjects, to: subjects.joined(separator: ", "))
    set(.kind, to: kind)
    if let seed { set(.seed, to: seed.description) }
  }

  init(
    headers: [Header],
    choices: [Choice],
    sampleFormat: FormName,
    sample: String,
    headLineCount: Int = 0
  ) {
    self.headers = headers
    self.choices = choices
    self.sampleFormat = sampleFormat
    self.sample = sample
    self.headLineCount = headLineCount
  }

  package static func == (left: CaseFile, right: CaseFile) -> Bool {
    left.headers == right.headers && left.choices == right.choices
      && left.sampleFormat == right.sampleFormat && left.sample == right.sample
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(headers)
    hasher.combine(choices)
    hasher.combine(sampleFormat)
    hasher.combine(sample)
  }

  /// Name of the law that the sample breaks.
  package var law: String { self[.law] ?? "" }

  /// Ids of the subjects that were judged.
  package var subjects: [String] {
    let list = self[.subjects] ?? ""
    return list.split(separator: ",").map { part in
      String(part.drop { $0 == " " })
    }
  }

  /// The class of the divergence, which a shrinker keeps; `nil` if the file names none.
  package var kind: String? { self[.kind] }

  /// The seed of the run that found it; `nil` if the file names none.
  package var seed: Seed? { self[.seed].flatMap { Seed($0) } }

  /// The value of the header with this key.
  package subscript(key: Key) -> String? {
    headers.first { $0.key == key.rawValue }?.value
  }

  /// Sets a header, where it stands or else as the last.
  package mutating func set(_ key: Key, to value: String) {
    let header = Header(key: key.rawValue, value: value)
    if let index = headers.firstIndex(where: { $0.key == header.key }) {
      headers[index] = header
    } else {
      headers.append(header)
    }
  }

  /// Takes a header away, if it is there.
  package mutating func remove(_ key: Key) {
    headers.removeAll { $0.key == key.rawValue }
  }

  /// Puts another sample in the place of this one, with the choices that make it.
  mutating func replaceSample(by sample: StoredSample, choices: [Choice]) {
    self.choices = choices
    sampleFormat = sample.form
    self.sample = sample.text
  }

  /// Whether both hold one sample of one law, which fails in one way.
  package func isSameCase(as other: CaseFile) -> Bool {
    isSameFailure(as: other) && sample == other.sample
  }

  /// Whether both are of samples of one form that break one law of one subject in one way.
  package func isSameFailure(as other: CaseFile) -> Bool {
    law == other.law && subjects == other.subjects && kind == other.kind
      && sampleFormat == other.sampleFormat
  }

  /// Whether a header may have this key.
  static func isHeaderKey(_ key: String) -> Bool {
    guard let first = key.utf8.first, let last = key.utf8.last else { return false }
    let isPlain = key.utf8.allSatisfy { byte in
      (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x20 || byte == 0x2d
    }
    let isReserved = ["choices", "sample", "end", "no final newline"].contains(key)
    return isPlain && (0x61...0x7a).contains(first) && last != 0x20 && !isReserved
  }
}
