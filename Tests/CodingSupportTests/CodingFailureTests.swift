import CodingSupport
import Foundation
import Testing

@Suite("Errors of coders, taken apart")
struct CodingFailureTests {
  private struct Model: Codable {
    var list: [Int]
  }

  private func refusal(of json: String) -> CodingFailure? {
    do {
      _ = try JSONDecoder().decode(Model.self, from: Data(json.utf8))
      return nil
    } catch {
      return CodingFailure(error)
    }
  }

  @Test(
    "Each kind has its path, with the key that is missing at its end",
    arguments: [
      ("{}", CodingFailure.Kind.keyNotFound, ".list"),
      (#"{"list":["a"]}"#, .typeMismatch, ".list.[0]"),
      (#"{"list":[null]}"#, .valueNotFound, ".list.[0]"), ("{", .dataCorrupted, "."),
    ]
  )
  func decoding(_ json: String, _ kind: CodingFailure.Kind, _ path: String) throws {
    let failure = try #require(refusal(of: json))
    #expect(failure.kind == kind)
    #expect(failure.path.dotted == path)
    #expect((failure.missingKey != nil) == (kind == .keyNotFound))
    #expect(!failure.explanation.isEmpty)
  }

  @Test("An encoder's error has its path, too; other errors are none")
  func others() {
    let context = EncodingError.Context(
      codingPath: [PathKey.key("a"), PathKey.index(2)],
      debugDescription: "no"
    )
    let failure = CodingFailure(EncodingError.invalidValue(1, context))
    #expect(failure?.kind == .invalidValue)
    #expect(failure?.path.dotted == ".a.[2]")
    #expect(failure?.explanation == "no")
    #expect(CodingFailure(CancellationError()) == nil)
  }

  @Test("An error of the other direction is none where one direction is asked for")
  func directions() {
    let encoding = EncodingError.invalidValue(
      1,
      EncodingError.Context(codingPath: [], debugDescription: "no")
    )
    let decoding = DecodingError.dataCorrupted(
      DecodingError.Context(codingPath: [], debugDescription: "no")
    )
    #expect(CodingFailure(decoding: decoding)?.kind == .dataCorrupted)
    #expect(CodingFailure(encoding: encoding)?.kind == .invalidValue)
    #expect(CodingFailure(decoding: encoding) == nil)
    #expect(CodingFailure(encoding: decoding) == nil)
  }
}
