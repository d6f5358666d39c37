/// How samples of one kind are written down, measured and taken apart.
package struct SampleForm<Sample>: Sendable {
  package let name: FormName
  /// What several samples are called in a report, which then counts how many differ: `histories`; `nil` if
  /// none does.
  package private(set) var plural: String?
  /// The text form, which ends with a line feed unless it is empty.
  package let render: @Sendable (Sample) -> String
  /// Reads the text form; throws if the text is not one.
  package private(set) var parse: @Sendable (String) throws -> Sample
  /// How large a sample is, in units of its kind: what shrinking makes small.
  package let size: @Sendable (Sample) -> Int
  /// The size in words, such as `2 edits and exchanges`.
  package let measure: @Sendable (Sample) -> String
  /// Counts what a sample holds, for the report's coverage.
  package private(set) var count: @Sendable (Sample, inout Coverage) -> Void
  /// How samples are taken apart; `nil` if choices alone make them smaller.
  package let parts: SampleParts<Sample>?

  package init(
    name: FormName,
    plural: String? = nil,
    render: @escaping @Sendable (Sample) -> String,
    parse: @escaping @Sendable (String) throws -> Sample,
    size: @escaping @Sendable (Sample) -> Int,
    measure: @escaping @Sendable (Sample) -> String,
    count: @escaping @Sendable (Sample, inout Coverage) -> Void = { _, _ in },
    parts: SampleParts<Sample>? = nil
  ) {
    self.name = name
    self.plural = plural
    self.render = render
    self.parse = parse
    self.size = size
    self.measure = measure
    self.count = count
    self.parts = parts
  }

  /// The same form, whose text is read another way.
  package func parsing(_ parse: @escaping @Sendable (String) throws -> Sample) -> SampleForm {
    var form = self
    form.parse = parse
    return form
  }

  /// The same form, whose samples are counted another way.
  package func counting(_ count: @escaping @Sendable (Sample, inout Coverage) -> Void) -> SampleForm
  {
    var form = self
    form.count = count
    return form
  }

  /// The same form, whose samples are not counted: for a run whose coverage is not reported.
  ///
  /// To count a sample takes its whole text.
  package var uncounted: SampleForm {
    var form = counting { _, _ in }
    form.plural = nil
    return form
  }

  /// The sample that a case holds.
  ///
  /// - Throws: ``UnreadableSample`` for a case of another form or version, or what reading the text throws; a line in
  ///   it is one of the file.
  package func sample(of file: CaseFile) throws -> Sample {
    guard file.sampleFormat == name else {
      throw UnreadableSample(form: file.sampleFormat, expected: "\(name)")
    }
    return try file.readingSample(by: parse)
  }

  /// Samples that are printed for a person, line by line, and not read again: choices replay them.
  package static func lines(_ lines: @escaping @Sendable (Sample) -> [String]) -> SampleForm {
    let name = FormName("printed", version: 1)
    return SampleForm(
      name: name,
      render: { lines($0).map { "\($0)\n" }.joined() },
      parse: { _ in throw UnreadableSample(form: name) },
      size: { lines($0).count },
      measure: { _ in "a printed sample" }
    )
  }

  /// Samples as their description.
  package static var printed: SampleForm { lines { ["\($0)"] } }
}

/// Parts of a sample that can be left out one by one, such as the steps of a history.
///
/// Choices cannot say "the same without this step" where a later number depends on it: the sample
/// itself can.
///
///     r0 -> r1 send m1          without this part
///     m1 deliver                this one makes no sense, and goes with it
///     r0 put root "k" int 1     this one stays, whatever its choices would mean now
package struct SampleParts<Sample>: Sendable {
  package let count: @Sendable (Sample) -> Int
  /// The sample without the part at an index, and without what makes no sense then.
  package let removing: @Sendable (Int, Sample) -> Sample

  package init(
    count: @escaping @Sendable (Sample) -> Int,
    removing: @escaping @Sendable (Int, Sample) -> Sample
  ) {
    self.count = count
    self.removing = removing
  }

  /// The elements of a list in the sample.
  package init<Part>(of list: any WritableKeyPath<Sample, [Part]> & Sendable) {
    self.init(
      count: { $0[keyPath: list].count },
      removing: { index, sample in
        var smaller = sample
        if smaller[keyPath: list].indices.contains(index) {
          smaller[keyPath: list].remove(at: index)
        }
        return smaller
      }
    )
  }
}

/// A sample as text, with its size.
package struct StoredSample: Codable, Hashable, Sendable {
  package let form: FormName
  package let text: String
  package let size: Int
  /// The size in words.
  package let measure: String

  package init(form: FormName, text: String, size: Int, measure: String) {
    self.form = form
    self.text = text
    self.size = size
    self.measure = measure
  }

  /// A sample in its text form.
  package init<Sample>(_ sample: Sample, _ form: SampleForm<Sample>) {
    self.init(
      form: form.name,
      text: form.render(sample),
      size: form.size(sample),
      measure: form.measure(sample)
    )
  }

  /// The lines of the text that are not empty.
  package var lines: [String] { text.split(separator: "\n").map(String.init) }
}

/// A text cannot be read as a sample.
package struct UnreadableSample: Error, Hashable, Sendable, CustomStringConvertible {
  /// The form that was found.
  package let form: FormName
  /// What was expected, in words; `nil` if samples of this form are only printed.
  package let expected: String?

  package init(form: FormName, expected: String? = nil) {
    self.form = form
    self.expected = expected
  }

  package var description: String {
    expected.map { "a case of \(form) is not one of \($0)" }
      ?? "a sample of the form '\(form)' is not read again: its choices replay it"
  }
}

extension CaseFile {
  /// What the text of its sample says; a line in an error is one of the file.
  package func readingSample<Sample>(by parse: (String) throws -> Sample) throws -> Sample {
    do {
      return try parse(sample)
    } catch let error as any SampleTextError {
      throw error.lowered(by: headLineCount)
    }
  }
}

/// Why a sample's text cannot be read, with the line.
package protocol SampleTextError: Error {
  /// The same in a text with `lineCount` more lines above it.
  func lowered(by lineCount: Int) -> Self
}

/// A line of a sample's text is not of the sample's form.
package struct UnreadableLine: SampleTextError, Hashable, Sendable, CustomStringConvertible {
  package let form: FormName
  /// Number of the line, as an editor shows it: from 1, empty lines counted.
  package let line: Int
  package let text: String

  package var description: String { "line \(line) is not of the form \(form): \(text)" }

  package func lowered(by lineCount: Int) -> UnreadableLine {
    UnreadableLine(form: form, line: line + lineCount, text: text)
  }
}

/// Takes in the lines of a sample's text that are not empty, one after the other.
///
/// By bytes: a carriage return and a line feed are one `Character`, and the return is left to the line.
///
/// - Throws: ``UnreadableLine`` for the first line that `take` refuses; it is not asked for more.
package func readLines(
  of text: String,
  as form: FormName,
  _ take: (Substring) -> Bool
) throws(UnreadableLine) {
  let lines = text.utf8.split(separator: 0x0a, omittingEmptySubsequences: false)
  for (index, bytes) in lines.enumerated() where !bytes.isEmpty {
    let line = Substring(bytes)
    guard take(line) else {
      throw UnreadableLine(form: form, line: index + 1, text: String(line))
    }
  }
}
