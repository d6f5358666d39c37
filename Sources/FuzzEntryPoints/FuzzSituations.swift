package import Foundation
import FuzzSessions
import PropertyEngine

extension FuzzSubject {
  /// How many situations the samples of inputs hold, each with the step that its count reaches; `nil` where
  /// inputs are bytes, when interrupted, and if nothing can be read.
  ///
  /// Samples are drawn, and no law is asked.
  package func situations(in files: [URL], isInterrupted: () -> Bool) -> Int? {
    guard target.readsChoices else { return nil }
    var reached: Set<String> = []
    for file in files {
      guard !isInterrupted() else { return nil }
      guard let bytes = try? FuzzInputs.read(file) else { continue }
      let input = FuzzInput(bytes: bytes, on: self, JudgingRequest(drawsOnly: true))
      guard let sample = input.judged.sample else { continue }
      var coverage = Coverage()
      sample.count(&coverage)
      reached.formUnion(FuzzFeedback.steps(in: coverage))
    }
    return reached.isEmpty ? nil : reached.count
  }
}
