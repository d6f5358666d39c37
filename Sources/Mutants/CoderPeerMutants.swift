package import CodingLaws
import FoundationCoders
package import ModelGeneration
import NaiveCoder

// What others read, and write.
// A coder that agrees with itself and with no other program. Only a second implementation that
// reads and writes the same bytes can tell: `DocumentPeer` for documents, another reader of JSON.
let peerMutants: [CoderMutant] = [
  CoderMutant(
    "texts-saved-as-strings",
    "A saved document holds strings for texts.",
    caughtBy: ["peer.reads"],
    breaking: \.savesTextsAsTexts
  ),
  CoderMutant(
    "counts-not-saved",
    "A saved document holds counters that start again at zero.",
    caughtBy: ["peer.reads"],
    breaking: \.savesCounts
  ),
  CoderMutant(
    "foreign-changes-dropped",
    "Loading drops the change that was made last.",
    caughtBy: ["peer.writes"],
    breaking: \.loadsChangesOfOthers
  ),
  CoderMutant(
    "merges-lag",
    "A merge leaves the newest of several changes for the next one.",
    caughtBy: ["concurrent.converges"],
    breaking: \.mergesAll
  ),
  CoderMutant(
    "json-integers-with-fraction",
    "Whole numbers of JSON are written with a fraction, as floats are.",
    caughtBy: ["json.means-the-same"],
    spoiling: SpoiledJSON.addingFractions
  ),
  CoderMutant(
    "json-superclass-left-out",
    "What a superclass encodes is missing in JSON.",
    caughtBy: ["json.means-the-same"],
    spoiling: SpoiledJSON.withoutSuperclass
  ),
]

/// Foundation's JSON coder, whose texts are spoiled before others see them: it reads back what it
/// made itself.
package struct SpoiledJSON: CoderSubject {
  package typealias Text = PlainText
  package typealias Counter = PlainCounter

  package let id: String
  let spoil: @Sendable ([UInt8]) -> [UInt8]
  private let coder = FoundationCoder.json

  package var version: String { coder.version }
  package var features: Set<CoderFeature> { coder.features }
  package var dates: DateFidelity { coder.dates }
  package var divergences: [CoderDivergence] { coder.divergences }

  package func encode<T: Encodable>(
    _ value: T,
    _ settings: EncodingSettings
  ) throws -> EncodedModel {
    guard case .bytes(let bytes) = try coder.encode(value, settings) else {
      throw UnsupportedByCoder(feature: .json)
    }
    return .bytes(spoil(bytes))
  }

  package func decode<T: Decodable>(
    _ type: T.Type,
    from encoded: EncodedModel,
    userInfo: [CodingUserInfoKey: any Sendable]
  ) throws -> T {
    try coder.decode(type, from: encoded, userInfo: userInfo)
  }

  /// Leaves out the first member `super`, which in the models holds no nested objects.
  @Sendable
  static func withoutSuperclass(_ text: [UInt8]) -> [UInt8] {
    let key = Array("\"super\":{".utf8)
    guard let start = text.indices.first(where: { text[$0...].starts(with: key) }),
      let end = text[start...].firstIndex(of: UInt8(ascii: "}"))
    else { return text }
    var head = Array(text[..<start])
    var tail = Array(text[(end + 1)...])
    if tail.first == UInt8(ascii: ",") {
      tail.removeFirst()
    } else if head.last == UInt8(ascii: ",") {
      head.removeLast()
    }
    return head + tail
  }

  /// Writes `.0` behind each whole number that a float holds: its own decoder does not mind.
  @Sendable
  static func addingFractions(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var number: [UInt8] = []
    var isString = false
    var isEscaped = false
    for byte in text {
      if !isString, "+-.0123456789Ee".utf8.contains(byte) {
        number.append(byte)
        continue
      }
      let isWhole = number.allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: "-") }
      result += (1...15).contains(number.count) && isWhole ? number + ".0".utf8 : number
      number = []
      result.append(byte)
      if isEscaped {
        isEscaped = false
      } else if isString, byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isString.toggle()
      }
    }
    return result + number
  }
}
