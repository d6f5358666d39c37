import Campaigns
import Histories
import Inspection
import PropertyEngine

extension StoredSample {
  /// The history that the sample is; `nil` if it is of another kind.
  var history: History? {
    form == SampleForm<NormalisedHistory>.history.name ? try? History(text: text) : nil
  }

  /// The sample for the eye: a history as its diagram, any other as its text.
  var picture: [String] {
    history.map { SpaceTimeDiagram($0).lines } ?? lines
  }
}
