import Campaigns
import Histories
package import PropertyEngine

extension Boundary {
  /// What judges a stored sample by a group of laws, or throws.
  package typealias Judging = @Sendable (LawGroup, StoredSample) throws -> JudgedCase

  /// Bytes are a case file, whose sample laws of all kinds judge on right subjects.
  package static func replay(
    judging judge: @escaping Judging = { try $0.judge($1) }
  ) -> Boundary {
    Boundary(
      "replay",
      "A case file; its sample is read in the form that it names, and judged by laws of that form.",
      on: "touchstone",
      rule:
        "The sample of a case from anywhere is refused with an error in words, or judged: nothing ends "
        + "the process, and a history breaks no law on the specification.",
      byteLimit: 4096,
      notation: .text(words: [
        "int", "uint", "string", "list", "map", "null", "true", "-1", "numbers",
      ]),
      entrance: .utf8(lines: 1, of: "touchstone case 1\n"),
      seedSentence: "samples of several laws of each kind",
      seeds: { try lanes().flatMap(samples) },
      judge: { bytes in
        guard let file = try? CaseFile.parse(utf8: bytes) else { return nil }
        if let history = try? Replay.history(of: file), !isCheap(history) { return nil }
        // A few laws of the form, by the bytes: all would take too long.
        let turn = Int(bytes.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 } >> 8)
        for lane in try lanes() {
          let groups = lane.groups.filter { $0.formName == file.sampleFormat }
          let chosen = groups.enumerated().filter { number, group in
            groups.count < lawLimit || group.laws.contains { $0.name == file.law }
              || (number + turn) % (groups.count / lawLimit + 1) == 0
          }
          let sample = StoredSample(
            form: file.sampleFormat,
            text: file.sample,
            size: 0,
            measure: ""
          )
          for (_, group) in chosen {
            guard let judged = try? judge(group, sample) else { continue }
            // Other laws speak of samples of their own.
            guard group.isShared, let finding = judged.findings.first else {
              continue
            }
            return finding.difference.told(
              as: "a case breaks \(finding.key.law) on a right subject"
            )
          }
        }
        return nil
      }
    )
  }

  /// Laws that judge one sample at most, roughly.
  private static let lawLimit = 8

  /// Lanes of all laws on one subject for each topic: all subjects would take too long.
  private static func lanes() throws -> [Lane] {
    let registry = SubjectRegistry(adapters: nil)
    return registry.lanes(try registry.find(registry.firstIDs))
  }

  /// The first sample of every fourth group of laws that is small.
  private static func samples(of lane: Lane) -> [Seed] {
    lane.groups.enumerated().compactMap { number, group in
      guard number % 4 == 0, let law = group.laws.first else { return nil }
      for stream in 0..<20 {
        var choices = Choices(seed: PropertyEngine.Seed(value: 3).stream(UInt64(stream)))
        let request = JudgingRequest(drawsOnly: true)
        guard let sample = group.judge(&choices, request).sample?.stored(), sample.size > 2,
          sample.text.utf8.count < 800
        else { continue }
        let file = CaseFile(
          law: law.name,
          subjects: [lane.subject.id],
          kind: "value",
          seed: nil,
          choices: [],
          sampleFormat: sample.form,
          sample: sample.text
        )
        let name = SeedGoal.name(ofLaw: law.name)
        return Seed(name, "a sample of `\(law.name)`", Array(file.render().utf8))
      }
      return nil
    }
  }
}
