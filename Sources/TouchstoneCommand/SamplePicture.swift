import Campaigns
import Inspection
import PropertyEngine

extension StoredSample {
  /// The sample for the eye: a history as its diagram, any other as its text.
  var picture: [String] {
    history.map { SpaceTimeDiagram($0).lines } ?? lines
  }
}
