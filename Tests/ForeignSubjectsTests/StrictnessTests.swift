import DocumentLaws
import DocumentModel
import Foundation
import Histories
import PropertyEngine
import Subjects
import Testing

@testable import ForeignSubjects

/// What our engine takes in and saves again must be a file for the real core, too: or a document that
/// met a forged change here could never be read there.
@Suite("No laxer than the real core", .enabled(if: RealAutomerge.isInstalled))
struct StrictnessTests {
  private static let reader = ActorID(repeating: 0xdd)

  /// What the engine saves of some bytes; nil if it refuses them, or if they hold nothing.
  private func savedAgain(_ bytes: [UInt8]) -> [UInt8]? {
    var work = 0
    guard var document = try? EngineReplica.load(bytes, actor: Self.reader, work: &work),
      !document.changeIDs().isEmpty
    else { return nil }
    return document.save(compressed: false)
  }

  /// Stored documents and single changes of the repository.
  private func good() throws -> [[UInt8]] {
    let vectors = RealAutomerge.packageRoot.appending(path: "fixtures/vectors")
    let files = try FileManager.default.contentsOfDirectory(atPath: vectors.path).sorted()
      .filter { $0.hasSuffix(".automerge") }
      .map { [UInt8](try Data(contentsOf: vectors.appending(path: $0))) }
    #expect(files.count > 10)
    var work = 0
    let changes = files.compactMap { try? EngineReplica.load($0, actor: Self.reader, work: &work) }
      .flatMap { document in
        var document = document
        return document.compressedChanges()
      }
    return (files + changes).filter { $0.count < 2_000 }
  }

  /// Why the core refuses each of some files; nil where it takes them.
  private func refusals(_ files: [[UInt8]]) throws -> [String?] {
    var answers: [String?] = []
    let core = try RealAutomerge.subject().session()
    for start in stride(from: 0, to: files.count, by: 20) {
      let part = files[start..<min(start + 20, files.count)]
      var program = Program()
      program.instructions = part.enumerated().map { number, file in
        .open(document: number, file, ActorID(repeating: 0xee))
      }
      answers += try core.run(program).outcomes.map { outcome in
        if case .failed(let reason) = outcome { reason } else { nil }
      }
    }
    return answers
  }

  @Test("Damaged files that are taken in and saved again are files for the core")
  func damaged() throws {
    let samples = DamagedBytes.samples(of: try good(), sealedPercent: 100)
    var files: [[UInt8]: DamagedBytes] = [:]
    for index in 0..<6_000 where files.count < 300 {
      var choices = Choices(seed: Seed(value: 16).stream(UInt64(index)))
      let sample = samples.draw(&choices)
      if let saved = savedAgain(sample.bytes) { files[saved] = sample }
    }
    #expect(files.count > 50)
    let saved = files.keys.sorted { $0.lexicographicallyPrecedes($1) }
    for (file, refusal) in zip(saved, try refusals(saved)) {
      let sample = files[file]
      #expect(refusal == nil, "\(sample?.wounds ?? []) in \(sample?.bytes ?? [])")
    }
  }

  @Test("Of the attacks, what is taken in and saved again is a file for the core")
  func attacks() throws {
    let folder = RealAutomerge.packageRoot.appending(path: "fixtures/attacks")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { !$0.hasSuffix(".md") && !$0.hasPrefix("nulls-") }
    let taken = try names.compactMap { name -> (String, [UInt8])? in
      savedAgain([UInt8](try Data(contentsOf: folder.appending(path: name)))).map { (name, $0) }
    }
    // Files in which a bad change still waits are refused by the core, and cannot be known by then.
    let waits = ["poison-object.automerge", "poison-seq-gap.automerge"]
    let answers = try refusals(taken.map(\.1))
    for ((name, _), refusal) in zip(taken, answers) where !waits.contains(name) {
      #expect(refusal == nil, "\(name)")
    }
    #expect(taken.count > 3)
  }

  @Test("The check can fail: what the engine refuses, the core refuses as well")
  func canFail() throws {
    let folder = RealAutomerge.packageRoot.appending(path: "fixtures/attacks")
    for name in ["extra-null.automerge", "increment-unsigned-1.automerge"] {
      let bytes = [UInt8](try Data(contentsOf: folder.appending(path: name)))
      #expect(savedAgain(bytes) == nil)
      #expect(try refusals([bytes]).compactMap(\.self).count == 1)
    }
  }
}
