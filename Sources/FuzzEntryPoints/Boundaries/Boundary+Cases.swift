import Campaigns
package import Histories
package import PropertyEngine
import Subjects

extension Boundary {
  /// Bytes are the text form of a history, which a person or another program has written.
  package static func historyText(
    reading read: @escaping @Sendable (String) throws -> History = { try History(text: $0) }
  ) -> Boundary {
    Boundary(
      "historytext",
      "The text form of a history; it is read, written again and made valid.",
      on: "touchstone",
      rule:
        "A text is refused with a `HistoryTextError`, or is a history whose own text is read as the "
        + "same one. The valid history nearest to it is nearest to itself.",
      byteLimit: 2048,
      notation: .text(words: historyWords),
      entrance: .utf8(lines: 4, of: historyHead),
      seedSentence: "a history for each kind of step",
      seeds: { try histories() },
      judge: { bytes in
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let history: History
        do { history = try read(text) } catch let error {
          return error is HistoryTextError ? nil : .untyped(error, expected: "HistoryTextError")
        }
        guard (try? read(history.text)) == history else {
          return Difference(
            kind: "round-trip",
            summary: "a history is another one when written and read",
            expected: history.text,
            actual: (try? read(history.text))?.text ?? "refused"
          )
        }
        // What a person may wait for is more than a fuzzer should.
        guard isCheap(history) else { return nil }
        let valid = normalise(history).history
        let again = normalise(valid).history
        guard again != valid else { return nil }
        return Difference(
          kind: "normalised",
          summary: "a valid history is made another one",
          expected: valid.text,
          actual: again.text
        )
      }
    )
  }

  /// Bytes are a case file.
  package static func caseFiles(
    reading read: @escaping @Sendable ([UInt8]) throws -> CaseFile = {
      try CaseFile.parse(utf8: $0)
    }
  ) -> Boundary {
    Boundary(
      "casefiles",
      "A case file; it is read, written again, and its headers are asked.",
      on: "touchstone",
      rule:
        "Bytes are refused with a `CaseFileError`, or are a case that is read from its own text as "
        + "the same one, and written again byte for byte.",
      byteLimit: 2048,
      notation: .text(
        words: CaseFile.Key.allCases.map(\.rawValue) + ["choices", "sample", "end", "history 1"]
      ),
      entrance: .utf8(lines: 1, of: "touchstone case 1\n"),
      seedSentence: "a case with each header, with and without choices and a sample",
      seeds: { cases() },
      judge: { bytes in
        let file: CaseFile
        do { file = try read(bytes) } catch let error {
          return error is CaseFileError ? nil : .untyped(error, expected: "CaseFileError")
        }
        let text = file.render()
        guard let again = try? read(Array(text.utf8)), again == file,
          // Equal strings may have other bytes.
          again.render().utf8.elementsEqual(text.utf8),
          again.sample.utf8.elementsEqual(file.sample.utf8)
        else {
          return Difference(
            kind: "round-trip",
            summary: "a case is another one when written and read",
            expected: text
          )
        }
        let headers = file.headers.count
        guard file.choices.count <= Choices.recordedLimit,
          Set(file.headers.map(\.key)).count == headers
        else { return Difference(kind: "limits", summary: "a case has more than a case may have") }
        return nil
      }
    )
  }

  // MARK: - Seeds

  private static let historyHead = "history 1\nbase objects\nreplicas 3\nhealing merge changes\n"

  private static let historyWords = [
    "base", "objects", "empty", "replicas", "healing", "merge", "changes", "document", "writers",
    "grow", "r0", "r1", "r2", "root", "list1", "map1", "text1", "text2", "put", "delete", "insert",
    "increment", "type", "mark", "unmark", "new", "list", "map", "text", "as", "int", "uint",
    "float", "boolean", "true", "false", "null", "bytes", "timestamp", "counter", "string",
    "commit", "fork", "save", "restart", "append", "send", "deliver", "drop", "part", "actor",
    "cut", "mend", "clog", "unclog", "times", "burst", "cursor", "sync", "past", "->",
  ]

  /// Whether a history makes few enough edits to be run here.
  static func isCheap(_ history: History) -> Bool { history.cost <= 400 }

  private static func histories() throws -> [Seed] {
    // Drawn, so that a new kind of step is among them without a word here.
    let histories = Generator.histories(HistoryLimits(largeWorlds: false))
    var known: Set<String> = []
    var seeds: [Seed] = []
    for number in 0..<400 where seeds.count < 24 {
      var choices = Choices(seed: PropertyEngine.Seed(value: 11).stream(UInt64(number)))
      let history = normalise(histories.draw(&choices)).history
      let words = Set(history.stepLines.flatMap { $0.split(separator: " ").map(String.init) })
        .filter { $0.allSatisfy(\.isLetter) }
      guard history.steps.count < 16, !words.isSubset(of: known) else { continue }
      known.formUnion(words)
      let name = seeds.count < 10 ? "0\(seeds.count)" : "\(seeds.count)"
      seeds.append(
        Seed("steps-\(name)", "\(history.steps.count) steps", Array(history.text.utf8))
      )
    }
    return seeds
  }

  private static func cases() -> [Seed] {
    func file(
      _ choices: [Choice],
      _ sample: String,
      _ headers: [(CaseFile.Key, String)] = []
    ) -> [UInt8] {
      var file = CaseFile(
        law: "merge.commutes",
        subjects: ["naive", "engine"],
        kind: "map.winner",
        seed: PropertyEngine.Seed(value: 42),
        choices: choices,
        sampleFormat: SampleForm.history.name,
        sample: sample
      )
      for (key, value) in headers { file.set(key, to: value) }
      return Array(file.render().utf8)
    }
    let sample = historyHead + "r0 put root \"k\" int 1\n\nr0 -> r1 merge\n"
    let choices = [1, 1, 1, 4, 0, 9].map { Choice(value: $0, limit: 9) }
    let headers = CaseFile.Key.allCases.filter { ![.law, .subjects, .kind, .seed].contains($0) }
    return [
      Seed("plain", "a case with a sample and no choices", file([], sample)),
      Seed("choices", "a case with choices", file(choices, sample)),
      Seed(
        "headers",
        "a case with every header",
        file(choices, sample, headers.map { ($0, "a \($0.rawValue)\n\u{200b}\\ ") })
      ),
      Seed("no-newline", "a sample without a line feed at its end", file([], "history 1")),
      Seed("no-sample", "a case whose sample is empty", file(choices, "")),
    ]
  }
}

extension Boundary.Entrance {
  /// UTF-8 that begins with certain lines.
  static func utf8(lines count: Int, of head: String) -> Boundary.Entrance {
    Boundary.Entrance(
      isPassed: { $0.starts(with: head.utf8.prefix { $0 != 0x0a }) && isUTF8($0) },
      repaired: { bytes in
        let valid = Array(String(decoding: bytes, as: UTF8.self).utf8)
        guard !valid.starts(with: head.utf8.prefix { $0 != 0x0a }) else { return valid }
        let lines = valid.split(separator: 0x0a, omittingEmptySubsequences: false)
        return Array(head.utf8) + lines.dropFirst(count).joined(separator: [0x0a])
      }
    )
  }

  private static func isUTF8(_ bytes: [UInt8]) -> Bool {
    String(validating: bytes, as: UTF8.self) != nil
  }
}

extension History {
  /// Edits that running it makes at most, roughly.
  fileprivate var cost: Int {
    // A burst and what is typed often say their number; so does a long text.
    text.split { !$0.isNumber }.compactMap { Int($0) }.reduce(steps.count) { sum, number in
      number <= Burst.countLimit ? sum + number : sum
    }
  }
}
