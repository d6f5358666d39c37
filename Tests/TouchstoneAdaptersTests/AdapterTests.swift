import CodingLaws
import Foundation
import TestSupport
import Testing
import Touchstone
import TouchstoneAdapters

struct Invoice: Codable, Equatable {
  var number: Int
  var lines: [String]
}

@Suite("Coders of other packages")
struct AdapterTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let adapter =
    "Adapters/touchstone-automerge-swift/Sources/TouchstoneAutomergeSwift"

  @Test("A coder that does what it should is found right")
  func right() async throws {
    var coder = PairCoder()
    coder.divergences = ["drift.typed", "integers.out-of-range"].map {
      CoderDivergence(law: $0, reason: "JSONDecoder does not say where a number does not fit")
    }
    try await expectLaws(of: Invoice.self, with: CodingSubject(coder), cases: 100)
  }

  @Test("A coder that loses digits is refuted, with its name and the place")
  func wrong() async throws {
    var coder = PairCoder()
    coder.mistake = .roundsNumbers
    let failures = try await lawFailures(
      of: Invoice.self,
      with: CodingSubject(coder),
      cases: 150,
      file: FileManager.default.temporaryDirectory.appending(path: "\(UUID())/a.swift").path
    )
    let failure = try #require(failures.first { $0.law == "roundtrip.value" })
    let stored = try #require(failure.storedPath)
    // Which case finds it depends on how many laws there are.
    let words = failure.description.components(separatedBy: "found by case ")
    #expect(
      words.first == """
        Invoice breaks roundtrip.value with pair-coder
        A value comes back as it was. A value that is encoded and decoded is the original, except for the declared rounding of dates.

        the value differs at number
          expected: int -9007199254740993
          found:    int -9007199254740992
          Compared: the value that was encoded, with the value that was decoded.

        value: {"lines": [], "number": int -9007199254740993}

        This value of Invoice keeps the laws of models that come before. Look at the coder pair-coder. If it is \
        meant to do this, let it say so: `features` and `dates` declare, `divergences` excuse.


        """
    )
    #expect(
      words.last?.hasSuffix(
        """
        stored: \(stored) (tried first from now on)
        replay: TOUCHSTONE_REPLAY=\(stored) swift test --filter wrong
        """
      ) == true
    )
  }

  @Test("What is listed as known is no failure; a condition that does not hold excuses nothing")
  func known() async throws {
    func laws(_ divergence: CoderDivergence) async throws -> Set<String> {
      var coder = PairCoder()
      coder.mistake = .roundsNumbers
      coder.divergences = [divergence]
      let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
      return Set(
        try await lawFailures(
          of: Invoice.self,
          with: CodingSubject(coder),
          cases: 150,
          file: folder.appending(path: "a.swift").path
        ).map(\.law)
      )
    }
    let reason = "numbers are floats there"
    let law = "roundtrip.value"
    #expect(try await !laws(CoderDivergence(law: law, reason: reason)).contains(law))
    #expect(try await !laws(CoderDivergence(law: law, holding: .int, reason: reason)).contains(law))
    #expect(try await laws(CoderDivergence(law: law, holding: .date, reason: reason)).contains(law))
    #expect(try await laws(CoderDivergence(law: law, kind: "x", reason: reason)).contains(law))
    let trap = CoderDivergence(law: law, kind: "x", endsProcess: true, reason: reason)
    #expect(try await !laws(trap).contains(law))
  }

  @Test("Each divergence that is listed of automerge-swift names a law, and says why")
  func divergences() throws {
    struct List: Decodable { let knownDivergences, knownLosses: [CoderDivergence] }
    let data = try Data(
      contentsOf: Self.root.appending(path: "\(Self.adapter)/divergences.json")
    )
    let list = try JSONDecoder().decode(List.self, from: data)
    let listed = list.knownDivergences + list.knownLosses
    let laws = Set(CodingLaw.all.map(\.name))
    #expect(!list.knownDivergences.isEmpty && !list.knownLosses.isEmpty)
    for divergence in listed {
      #expect(laws.contains(divergence.law), "\(divergence.law)")
      #expect(divergence.reason.count > 20, "\(divergence.law)")
    }
    #expect(Set(listed).count == listed.count)
  }

  @Test(
    "The adapter of automerge-swift type-checks against its interface",
    .enabled(if: isLinux, "macOS builds it")
  )
  func adapter() throws {
    let check = AppleTypeCheck(root: Self.root)
    let resources = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).swift")
    try Data("enum PackageResources { static let divergences_json: [UInt8] = [] }\n".utf8)
      .write(to: resources)
    defer { try? FileManager.default.removeItem(at: resources) }
    let result = try check.run(
      "TouchstoneAutomergeSwift",
      check.sources(Self.adapter) + [resources]
    )
    #expect(result.status == 0, "\(result.output)")
    let program = try check.run(
      "TouchstoneAutomergeSwiftProgram",
      check.sources("Adapters/touchstone-automerge-swift/Sources/touchstone-automerge-swift")
    )
    #expect(program.status == 0, "\(program.output)")
  }
}
