import AutomergeDocument
import FuzzEntryPoints
import MergeEngine
import PropertyEngine
import Testing

/// A reader that is wrong in one way.
struct WrongReader: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let change: @Sendable (inout DamageTrial.Readers) -> Void

  init(_ words: String, _ change: @escaping @Sendable (inout DamageTrial.Readers) -> Void) {
    testDescription = words
    self.change = change
  }

  private struct Untyped: Error {}

  static let all: [WrongReader] = [
    WrongReader("load: refused with an error of no type") { readers in
      let right = readers.load
      readers.load = {
        do { return try right($0, &$1) } catch { throw Untyped() }
      }
    },
    WrongReader("load: costs more than is stated") { readers in
      let right = readers.load
      readers.load = { bytes, work in
        defer { work += 2_000_000_000 }
        return try right(bytes, &work)
      }
    },
    WrongReader("apply: a refused change leaves a value") { readers in
      let right = readers.apply
      readers.apply = { document, bytes in
        do { try right(document, bytes) } catch {
          try? document.put(.root, .key("refused"), .null)
          document.commit(time: 9)
          throw error
        }
      }
    },
    WrongReader("apply: what was there is lost") { readers in
      readers.apply = { document, bytes in
        document.restore(try MergeDocument(loading: bytes, actor: MergeEngine.ActorID([1])))
      }
    },
    WrongReader("sync: a refused message changes the state") { readers in
      let right = readers.receive
      readers.receive = { document, bytes, state in
        do { try right(document, bytes, &state) } catch {
          let other: [UInt8] = [0x43, 1] + Array(repeating: 7, count: 32)
          state = (try? PeerState(bytes: other)) ?? PeerState()
          throw error
        }
      }
    },
    WrongReader("decode: an error of no type") { readers in
      let right = readers.decode
      readers.decode = {
        do { try right($0, $1) } catch { throw Untyped() }
      }
    },
    WrongReader("decode: the document is edited") { readers in
      let right = readers.decode
      readers.decode = { type, document in
        try right(type, document)
        try document.put(obj: .ROOT, key: "read", value: .Boolean(true))
      }
    },
  ]
}

@Suite("Damaged and forged inputs")
struct DamageTrialTests {
  @Test("Each call refuses some, takes some in, and keeps what is stated")
  func rightReaders() throws {
    let trial = try DamageTrial(seed: Seed(value: 1))
    var seen: Set<String> = []
    for index in 0..<8_000 {
      let outcome = try trial.judge(index)
      #expect(outcome.breach == nil, "input \(index)")
      seen.insert("\(outcome.call.rawValue) \(outcome.isAccepted)")
    }
    #expect(seen.count == 2 * DamageTrial.Call.allCases.count, "\(seen.sorted())")
  }

  @Test("An input depends on its number and the seed alone")
  func repeats() throws {
    let (one, other) = (
      try DamageTrial(seed: Seed(value: 7)), try DamageTrial(seed: Seed(value: 7))
    )
    let late = try (200..<260).map { try one.judge($0) }
    _ = try (0..<100).map { try other.judge($0) }
    #expect(try (200..<260).map { try other.judge($0) } == late)
    let elsewhere = try DamageTrial(seed: Seed(value: 8))
    #expect(try (200..<260).map { try elsewhere.judge($0) } != late)
  }

  @Test("A wrong reader is found", arguments: WrongReader.all)
  func finds(_ wrong: WrongReader) throws {
    var readers = DamageTrial.Readers()
    wrong.change(&readers)
    let trial = try DamageTrial(seed: Seed(value: 1), readers: readers)
    #expect(try (0..<2_000).contains { try trial.judge($0).breach != nil })
  }
}
