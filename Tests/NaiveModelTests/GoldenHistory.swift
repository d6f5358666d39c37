import DocumentModel
import NaiveModel
import Testing

/// A history whose result the Automerge core 0.5.7 gave, and that result.
struct GoldenHistory: Sendable, CustomTestStringConvertible {
  let name: String
  let shown: String
  let build: @Sendable () throws -> Model

  init(_ name: String, shows shown: String, build: @escaping @Sendable () throws -> Model) {
    self.name = name
    self.shown = shown
    self.build = build
  }

  var testDescription: String { name }
}

@Test("A golden history shows what the reference showed", arguments: goldenHistories)
func showsGolden(_ golden: GoldenHistory) throws {
  let model = try golden.build()
  #expect(try model.shown == golden.shown)
}

@Test("A golden history reads the same after saving and loading", arguments: goldenHistories)
func survivesSaving(_ golden: GoldenHistory) throws {
  var model = try golden.build()
  var loaded = try Model.load(model.save(), actor: .d)
  #expect(try loaded.observe(at: nil) == model.observe(at: nil))
  #expect(loaded.changes(since: []) == model.changes(since: []))
}

@Test("A golden history reads the same from its changes one by one, last first")
func survivesDelivery() throws {
  for golden in goldenHistories {
    var model = try golden.build()
    var receiver = Model(actor: .d)
    for change in model.changes(since: []).reversed() { try receiver.apply([change]) }
    #expect(try receiver.observe(at: nil) == model.observe(at: nil), "\(golden.name)")
  }
}

@Test("The author's previous change is a dependency even where a head includes it")
func dependsOnOwnPrevious() throws {
  var model = try actorOrder()
  let changes = model.changes(since: [])
  #expect(changes.map(\.startOp) == [1, 2, 2, 3])
  #expect(changes.map(\.maxOp) == [1, 2, 2, 3])
  #expect(changes.map(\.id.description) == ["ff#1", "80#1", "01#1", "ff#2"])
  #expect(changes[3].dependencies.map(\.description) == ["01#1", "80#1", "ff#1"])
}

/// Actors of one byte; the first to write is the greatest.
func actorOrder() throws -> Model {
  var first = Model(actor: try #require(ActorID(hex: "ff")))
  try first.edit(.put("a", 1))
  var second = first.fork(actor: try #require(ActorID(hex: "01")))
  var third = first.fork(actor: try #require(ActorID(hex: "80")))
  try second.edit(.put("a", 2))
  try third.edit(.put("b", 2))
  var merged = try first.merging(third, second)
  try merged.edit(.put("a", 3))
  return merged
}

let goldenHistories: [GoldenHistory] =
  goldenRegisters + goldenSequences + goldenCounters
