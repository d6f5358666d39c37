import CodingSupport
import ModelGeneration
import ModelZoo
import NaiveCoder
import PropertyEngine
import Testing

@testable import CodingLaws

@Suite("Samples whose values are related, long, or of rare shapes")
struct RelatedSampleTests {
  private static func samples(_ model: String, _ count: Int) throws -> [CodingSample] {
    let model = try #require(CatalogueTests.pool.model(model))
    return try (0..<count).map { index in
      var choices = Choices(seed: Seed(value: 2).stream(UInt64(index)))
      var sample = CodingSample(model: model.name)
      try CodingLaw.relatedValues(2)(model, &sample, &choices)
      return sample
    }
  }

  @Test("Two values of a sample often differ in a place or two", arguments: ["Board", "Scalars"])
  func related(name: String) throws {
    let samples = try Self.samples(name, 400)
    let near = samples.count { sample in
      let (old, new) = (sample.values[0], sample.values[1])
      let places = old.paths.filter { old[$0] != new[$0] && old[$0]?.steps.isEmpty ?? true }
      return old != new && (1...2).contains(places.count) && old.nodeCount > 6
    }
    #expect(near >= 20, "\(near) of \(samples.count)")
  }

  @Test("Every drawn tree is a value's own", arguments: ["Board", "Grids", "KeysOfAllKinds"])
  func valid(name: String) throws {
    let model = try #require(CatalogueTests.pool.model(name))
    for sample in try Self.samples(name, 150) {
      for tree in sample.values { #expect(model.accepted(tree) == tree) }
    }
  }

  @Test("Nulls are put under optionals of every type")
  func nulls() throws {
    let model = try #require(CatalogueTests.pool.model("OptionalsOfAllTypes"))
    var choices = Choices(seed: 3)
    let tree = try model.tree(&choices)
    let schema = try #require(try model.schema())
    let places = DriftsBySchema(schema: schema, tree: tree).places.filter(\.isOptional)
    let keys = Set(places.filter { $0.path.count == 1 }.compactMap { $0.path.last?.stringValue })
    #expect(keys.isSuperset(of: ["flag", "float", "uint16", "date", "uuid", "status", "maps"]))
  }

  @Test("Some keys of dictionaries come in two spellings that == takes for one")
  func respelledKeys() throws {
    let samples = try Self.samples("ScalarDictionaries", 1500)
    let respelled = samples.count { sample in
      let (old, new) = (sample.values[0], sample.values[1])
      return old.paths.contains { path in
        guard case .key(let key)? = path.last, new[path] == nil, let map = new[path.dropLast()]
        else { return false }
        return map.steps.contains { $0.stringValue == key }
      }
    }
    #expect(respelled > 0)
  }

  @Test("Some lists are longer than 256")
  func long() throws {
    let counts = try Self.samples("ScalarLists", 1500).flatMap { sample in
      sample.values[0].paths.compactMap { path -> Int? in
        guard case .list(let elements)? = sample.values[0][path] else { return nil }
        return elements.count
      }
    }
    #expect(counts.contains { $0 > 256 })
    #expect(counts.count { $0 > 60 } < counts.count / 50)
  }

  @Test(
    "The zoo's rare shapes are derived, recorded and decoded",
    arguments: [
      "AskedTwice", "ListAskedTwice", "Woven", "SupersUnderKeys", "Kennel", "Wrappers", "Board",
      "Grids", "KeysOfAllKinds", "Ledger", "RowsByHand", "WrittenAgain",
      "TriedTwice", "ShapesInside",
    ]
  )
  func shapes(name: String) throws {
    let model = try #require(CatalogueTests.pool.model(name))
    var trees: Set<Tree> = []
    for index in 0..<60 {
      var choices = Choices(seed: Seed(value: 7).stream(UInt64(index)))
      let tree = try model.tree(&choices)
      #expect(model.accepted(tree) == tree)
      trees.insert(tree)
    }
    #expect(trees.count > 20)
  }
}
