import Foundation
import Histories
import PropertyEngine
import Subjects
import TestSupport
import Testing

/// What the fault model says of the situations that histories reach.
@Suite("The table of waypoints")
struct WaypointTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let historyCount = 1000

  @Test("Waypoints are listed with the number of histories that reach them")
  func waypoints() throws {
    let generator = Generator.histories()
    var reached = Tally()
    for index in 0..<Self.historyCount {
      var choices = Choices(seed: Seed(value: 1).stream(UInt64(index)))
      let facts = HistoryFacts(normalise(generator.draw(&choices)))
      for waypoint in Waypoint.documents where facts.waypoints[waypoint.name] > 0 {
        reached.add(waypoint.name)
      }
    }
    let rows = Waypoint.documents.map { waypoint in
      ["`\(waypoint.name)`", waypoint.sentence, "\(reached[waypoint.name])"]
    }
    try expectGenerated(
      "waypoints",
      in: "Documentation/FaultModel.md",
      below: Self.root,
      markdownTable(["waypoint", "situation", "of 1,000 histories"], rows)
    )
  }
}
