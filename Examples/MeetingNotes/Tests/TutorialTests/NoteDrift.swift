import Foundation
import ReferenceAutomerge
import Testing
import Touchstone

@Test func noteDoesNotDrift() async throws {
  try await expectNoSilentDrift(of: Note.self, since: "Schemas/Note.json")
}

/// The note of the last release.
struct OldNote: Codable {
  var title: String
  var body: AutomergeText
  var created: Date
  var isDone: Bool
  var color: String?
}

@Test func noteReadsOldOnes() async throws {
  try await expectDrift(
    from: OldNote.self,
    to: Note.self,
    losing: ["color"],
    oldPeersLosing: []
  )
}
