import Testing
import Touchstone

struct Shape: Codable {
  var kind: String
  var size: Int

  init(kind: String, size: Int) {
    self.kind = kind
    self.size = size
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    kind = try container.decode(String.self, forKey: .kind)
    size = try container.decode(Int.self, forKey: .size)
    guard kind == "circle" || kind == "square" else {
      throw DecodingError.dataCorruptedError(
        forKey: .kind,
        in: container,
        debugDescription: "there is no such kind of shape"
      )
    }
  }
}

@Test func shapeIsSafeByWords() async throws {
  try await expectLaws(of: Shape.self, words: ["kind": ["circle", "square"]])
}

@Test func shapeIsSafeBySamples() async throws {
  try await expectLaws(of: Shape.self, samples: [Shape(kind: "circle", size: 2)])
}

@Test func shapeIsSafeByGenerator() async throws {
  try await expectLaws(
    of: Shape.self,
    generators: [
      .value(Shape.self) { source in
        Shape(kind: source.element(of: ["circle", "square"]), size: source.number(in: 0...9999))
      }
    ]
  )
}
