import Campaigns
import CaseFiles
import Foundation
import Mutants
import PropertyEngine
import Reporting
import TestSupport
import Testing

@testable import SelfTests

@Suite("False alarms")
struct FalseAlarmTests {
  private func alarms(of id: String, storedIn folder: CaseFolder?) throws -> FalseAlarms {
    let mutant = try #require(Catalogue.documents.mutants.first { "\($0.id)" == id })
    return FalseAlarms(
      on: [(mutant.subject, 20)],
      seed: Seed(value: 1),
      caseLimit: 5,
      jobs: 1,
      folder: folder,
      isInterrupted: { false }
    )
  }

  @Test("What a law finds wrong on an implementation that counts as right has a case that replays")
  func stored() throws {
    try withFolder { url in
      let folder = CaseFolder(url)
      let alarms = try alarms(of: "lamport-clock-stuck", storedIn: folder)
      #expect(!alarms.failures.isEmpty && alarms.headlines.count == alarms.failures.count)
      #expect(try folder.caseURLs.count == alarms.failures.count && alarms.writingError == nil)
      for failure in alarms.failures {
        let file = try CaseFolder.read(url.appendingPathComponent("\(failure.id).case"))
        #expect(file.law == failure.law)
        #expect(failure.replayCommand == "touchstone replay failures/\(failure.id).case")
      }
    }
  }

  @Test("A case that cannot be stored does not take the failure away")
  func unwritable() throws {
    try withFolder { url in
      let file = url.appendingPathComponent("file")
      try writeFile(Data(), to: file)
      let alarms = try alarms(of: "lamport-clock-stuck", storedIn: CaseFolder(file))
      #expect(!alarms.failures.isEmpty)
      #expect(alarms.writingError.map { "\($0)".hasPrefix("cannot write") } == true)
    }
  }
}
