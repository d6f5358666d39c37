import CaseFiles
import DocumentLaws
import Foundation
import Histories
import PropertyEngine
import Synchronization
import TestSupport
import Testing

@testable import Campaigns

@Suite("Keeping failures")
struct FailureStoreTests {
  /// What a campaign on a wrong subject tells, in its order.
  private func told() throws -> (raw: [Failure], small: [Failure]) {
    final class Sightings: Sendable {
      let all = Mutex<[Failure]>([])
    }
    let sightings = Sightings()
    var small: [Failure] = []
    let wrong = lane(try mutant("tie-break-reversed"), laws("agreement.states"))
    var configuration = configuration([wrong], cases: 120)
    configuration.failureLimit = 1
    var campaign = Campaign(
      configuration,
      onSighting: { found in sightings.all.withLock { $0.append(found) } },
      onFailure: { small.append($0) }
    )
    _ = campaign.run()
    return (sightings.all.withLock { $0 }, small)
  }

  @Test("A failure is kept as it was found, and again once it is small, under one name")
  func twice() throws {
    let (raw, small) = try told()
    let shrunk = try #require(small.first)
    let found = try #require(raw.first { $0.slug == shrunk.slug })
    #expect(found.isRaw && !shrunk.isRaw)
    #expect(shrunk.sample.size <= found.sample.size)
    try withFolder { folder in
      let (report, corpus) = (CaseFolder(folder), CaseFolder(folder.appendingPathComponent("c")))
      let store = FailureStore(folder: report, corpus: corpus, day: "2001-02-03T04:05:06Z")
      for (failure, state) in [(found, "not shrunk"), (shrunk, nil)] {
        store.keep(failure)
        #expect(store.failure == nil)
        for place in [folder, corpus.url] {
          let url = place.appendingPathComponent("\(shrunk.slug).case")
          let file = try CaseFolder.read(url)
          #expect(file[.state] == state)
          #expect(file.sample == failure.sample.text)
          #expect(file[.firstSeen] == (place == folder ? nil : "2001-02-03"))
        }
      }
      // What an earlier run has put there stays.
      let later = FailureStore(folder: nil, corpus: corpus, day: "2009-02-03T04:05:06Z")
      later.keep(found)
      later.keep(shrunk)
      let stays = try CaseFolder.read(corpus.caseURLs[0])
      #expect(stays[.firstSeen] == "2001-02-03")
      #expect(stays[.state] == nil)
    }
  }

  @Test("Failures beyond the limit are kept as the first case showed them")
  func beyond() throws {
    let (raw, small) = try told()
    #expect(small.count == 1)
    let others = Set(raw.map(\.slug)).subtracting(small.map(\.slug))
    for slug in others {
      // Told when it was found, and once more at the end.
      #expect(raw.count { $0.slug == slug } == 2)
    }
    #expect(!others.isEmpty)
  }

  @Test("The first thing that cannot be written ends the keeping, and is told")
  func unwritable() throws {
    let found = try #require(try told().raw.first)
    try withFolder { folder in
      let file = folder.appendingPathComponent("file")
      try Data().write(to: file)
      let store = FailureStore(folder: CaseFolder(file), corpus: nil, day: "")
      store.keep(found)
      #expect(store.failure?.description.hasPrefix("cannot write \(file.path)/") == true)
    }
  }
}
