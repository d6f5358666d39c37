import Foundation
import ModelGeneration
import ModelZoo
import ReferenceAutomerge
import Testing
import Touchstone

@Suite("Expectations of many models")
struct ZooTests {
  /// A few of each kind; all of them are tried by hand, as they take minutes.
  private static let chosen: Set<String> = [
    "Scalars", "LeafOptionals", "Payloads", "Formula", "OpenKeys", "Dog", "ThreeStates", "Tolerant",
    "Forgetful", "Picky", "ChessGame", "MeetingNotes",
  ]
  /// What is wrong with a model of the zoo on purpose, or by the nature of documents.
  private static let wrong: [String: String] = [
    "Picky": "model.lossless"
  ]

  @Test("Models of the zoo keep the laws, or break the one that they are there for")
  func zoo() async throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("touchstone-tests-\(UUID().uuidString)")
      .appendingPathComponent("ZooTests.swift").path
    func laws<T: Codable & SendableMetatype>(_ type: T.Type) async throws -> [ModelFailure] {
      try await lawFailures(of: type, cases: 24, file: file, test: "zoo")
    }
    let models = ModelZoo.models(
      text: AutomergeText.self,
      counter: ReferenceAutomerge.Counter.self
    )
    for model in models where Self.chosen.contains(model.name) {
      let found = try await laws(model.type)
      let expected = Self.wrong[model.name].map { [$0] } ?? []
      let words = found.map(\.description).joined(separator: "\n")
      #expect(found.map(\.law) == expected, "\(model.name): \(words)")
    }
  }
}
