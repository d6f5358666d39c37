import AutomergeDocument
import Foundation
import MergeEngine

/// What `Document` costs beyond the engine: W1, W4 and W5 through both, in turns, in one process.
///
/// Medians of CPU time over `rounds`; the heads of both must be equal.
struct FaceWorkloads {
  let rounds: Int
  private(set) var report = Report(subject: "engine")

  init(rounds: Int) {
    self.rounds = max(rounds, 1)
  }

  mutating func run() throws {
    let edits = try Source.trace("automerge-paper").transactions.flatMap(\.edits)
    try compare(
      "w1_replay",
      engine: { document in
        let text = try document.putObject(.root, .key("text"), .text)
        for edit in edits {
          try document.spliceText(
            text,
            at: edit.position,
            delete: edit.deleted,
            insert: edit.inserted
          )
        }
      },
      face: { document in
        let text = try document.putObject(obj: .ROOT, key: "text", ty: .Text)
        for edit in edits {
          try document.spliceText(
            obj: text,
            start: UInt64(edit.position),
            delete: Int64(edit.deleted),
            value: edit.inserted
          )
        }
      }
    )
    var random = SplitMix(7)
    let keys = (0..<100_000).map { _ in "k\(random.below(1000))" }
    try compare(
      "w4_puts",
      engine: { document in
        for (number, key) in keys.enumerated() {
          try document.put(.root, .key(key), .int(Int64(number)))
        }
      },
      face: { document in
        for (number, key) in keys.enumerated() {
          try document.put(obj: .ROOT, key: key, value: .Int(Int64(number)))
        }
      }
    )
    try lists()
  }

  private mutating func lists() throws {
    let count = 100_000
    try compare(
      "w5_push",
      engine: { document in
        let list = try document.putObject(.root, .key("list"), .list)
        for number in 0..<count { try document.insert(list, at: number, .int(Int64(number))) }
      },
      face: { document in
        let list = try document.putObject(obj: .ROOT, key: "list", ty: .List)
        for number in 0..<count {
          try document.insert(obj: list, index: UInt64(number), value: .Int(Int64(number)))
        }
      }
    )
    var random = SplitMix(42)
    let places = (0..<count).map { random.below($0 + 1) }
    try compare(
      "w5_random",
      engine: { document in
        let list = try document.putObject(.root, .key("list"), .list)
        for (number, place) in places.enumerated() {
          try document.insert(list, at: place, .int(Int64(number)))
        }
      },
      face: { document in
        let list = try document.putObject(obj: .ROOT, key: "list", ty: .List)
        for (number, place) in places.enumerated() {
          try document.insert(obj: list, index: UInt64(place), value: .Int(Int64(number)))
        }
      }
    )
  }

  private mutating func compare(
    _ name: String,
    engine: (MergeDocument) throws -> Void,
    face: (Document) throws -> Void
  ) throws {
    var times: (engine: [Double], face: [Double]) = ([], [])
    for _ in 0..<rounds {
      let plain = MergeDocument(actor: actor(1))
      var start = cpuMilliseconds()
      try engine(plain)
      plain.commit()
      times.engine.append(cpuMilliseconds() - start)

      let document = Document()
      document.actor = ActorId(actor(1))
      start = cpuMilliseconds()
      try face(document)
      document.commitWith(timestamp: Date(timeIntervalSince1970: 0))
      times.face.append(cpuMilliseconds() - start)
      guard document.heads() == Set(plain.heads.map { ChangeHash($0) }) else {
        throw Source.Failure.malformed("\(name): the heads differ")
      }
    }
    let (engineMedian, faceMedian) = (Self.median(times.engine), Self.median(times.face))
    report.note("face_\(name)_engine", milliseconds: engineMedian)
    report.note("face_\(name)_face", milliseconds: faceMedian)
  }

  private static func median(_ times: [Double]) -> Double {
    times.sorted()[times.count / 2]
  }
}
