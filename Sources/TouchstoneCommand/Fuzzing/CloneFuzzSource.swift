import Foundation
import FuzzEntryPoints
import Programs
import PropertyEngine

/// The fuzz targets of a clone of Touchstone, which one program has in it.
struct CloneFuzzSource: FuzzSource {
  private let fuzzTargets: [FuzzTarget]
  /// Id of the subject that every target judges; each target's usual one if `nil`.
  private let subject: String?
  private let build: FuzzBuild
  private let triage: FuzzTriage
  let targets: [FuzzRun.Target]
  let folder: URL
  let isInterrupted: @Sendable () -> Bool
  let say: @Sendable (String) -> Void

  /// A fuzzer goes on after what it finds.
  let repeatLimit: Int? = nil
  let minimisingSeconds: Double? = nil
  let countsFailingInputs = true

  /// - Throws: What choosing a subject throws.
  init(
    _ targets: [FuzzTarget],
    subject: String?,
    build: FuzzBuild,
    touchstone: URL,
    folder: URL,
    isInterrupted: @escaping @Sendable () -> Bool,
    say: @escaping @Sendable (String) -> Void
  ) throws {
    fuzzTargets = targets
    self.subject = subject
    self.build = build
    self.folder = folder
    self.isInterrupted = isInterrupted
    self.say = say
    triage = FuzzTriage(
      touchstone: touchstone,
      subject: subject,
      folder: folder,
      isInterrupted: isInterrupted
    )
    self.targets = try targets.map { target in
      let judged = try target.subject(subject).id
      return FuzzRun.Target(id: target.id, title: target.id, subject: judged, scope: judged)
    }
  }

  /// The inputs that a run begins with, a folder for each target.
  var seeds: URL { folder.appendingPathComponent("seeds") }

  /// Copies the inputs of `corpus/`: libFuzzer would take every file for an input, READMEs too.
  ///
  /// - Throws: What the file system says.
  func copySeeds() throws {
    for target in fuzzTargets {
      let goal = seeds.appendingPathComponent(target.id)
      try FileManager.default.createDirectory(at: goal, withIntermediateDirectories: true)
      let folders = ["corpus/\(target.id)"] + (target.boundary?.otherFolders ?? [])
      for path in folders {
        let source = build.package.appendingPathComponent(path)
        guard FileManager.default.fileExists(atPath: source.path) else { continue }
        for file in try target.inputs(at: source) where !file.pathExtension.isEmpty {
          try FileManager.default.copyItem(
            at: file,
            to: goal.appendingPathComponent(file.lastPathComponent)
          )
        }
      }
    }
  }

  func fuzzer(of index: Int, in folder: URL, known: [FailureKey]) throws -> Fuzzer {
    let target = fuzzTargets[index]
    let dictionary = folder.appendingPathComponent("dictionary")
    try target.dictionary.map { try Data($0.text.utf8).write(to: dictionary) }
    return Fuzzer(
      program: build.program(target.executable),
      options: target.libFuzzerOptions.map { "\($0.name)=\($0.value)" },
      environment: subject.map { [FuzzSubject.variable: $0] } ?? [:],
      dictionary: target.dictionary == nil ? nil : dictionary,
      // One process judges three times as many inputs as those that start again and again. Once it ends at a
      // failure, others have to go on behind that.
      goesOn: !known.isEmpty
    )
  }

  /// Draws the samples of the inputs, which takes a tenth of judging them.
  func situations(in corpus: URL, of index: Int) -> Int? {
    guard let judged = try? fuzzTargets[index].subject(subject),
      let files = try? fuzzTargets[index].inputs(at: corpus)
    else { return nil }
    return judged.situations(in: files, isInterrupted: isInterrupted)
  }

  /// An input that was too slow for libFuzzer's clock, and is answered alone, says that the machine is busy:
  /// nothing fails.
  func judge(
    _ artifact: URL,
    of index: Int,
    log: URL,
    isKnown: (FailureKey) -> Bool
  ) throws -> [JudgedFinding]? {
    let target = fuzzTargets[index]
    let text = lenientText(of: log)
    let failure: (key: FailureKey, summary: String)?
    do {
      if isInterrupted() { throw Subprogram.Interrupted() }
      failure =
        try triage.failure(of: artifact, target)
        ?? unrepeated(artifact, FuzzLog(text).summary)
    } catch is Subprogram.Interrupted {
      let kept = try FuzzSlice.keep(artifact, of: target.id, below: build.folder)
      return unjudged(kept, of: index)
    }
    guard let failure else {
      let kept = try FuzzSlice.keep(artifact, of: target.id, below: build.folder)
      say(
        "\(target.id): more than \(FuzzSlice.usualInputSecondsLimit) s, yet all laws hold: \(kept.path)"
      )
      return nil
    }
    let subject = targets[index].subject
    let isNew = !isKnown(failure.key)
    var finding = FuzzFinding(
      target: target.id,
      subject: subject,
      key: failure.key,
      summary: failure.summary,
      input: isNew ? try FuzzSlice.keep(artifact, of: target.id, below: build.folder) : artifact
    )
    if isNew {
      // Making it smaller takes minutes.
      say("failure: \(failure.key.law) on \(subject): \(failure.summary)")
      switch try triage.smallest(finding, of: target) {
      case .sample(let file): finding.file = file
      case .bytes(let bytes): finding.input = try FuzzSlice.keep(bytes, besides: finding.input)
      case nil: break
      }
    }
    return [JudgedFinding(finding: finding, text: nil)]
  }

  /// The failure that an input is when no law is broken without libFuzzer; `nil` if it only took long.
  private func unrepeated(
    _ artifact: URL,
    _ summary: String?
  ) -> (key: FailureKey, summary: String)? {
    let name = artifact.lastPathComponent.prefix { $0 != "-" }
    guard name != "timeout" else { return nil }
    let words =
      switch name {
      case "oom": "an input took more than \(FuzzSlice.memoryLimit) MiB"
      default: summary ?? "the fuzzer's process ended; without libFuzzer all laws hold"
      }
    // Of a sanitizer's findings, the kind of error and the function tell them apart.
    let kind = name == "crash" ? summary ?? "crash" : String(name)
    return (FailureKey(law: FailureKey.answers, isError: true, kind: kind), words)
  }
}
