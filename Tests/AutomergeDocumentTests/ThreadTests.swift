import AutomergeDocument
import Foundation
import PropertyEngine
import Synchronization
import Testing

/// Runs one closure a thread, and comes back when all are done.
private func together(_ bodies: [@Sendable () throws -> Void]) throws {
  let score = Score(running: bodies.count)
  for body in bodies {
    Thread {
      do {
        try body()
        score.finish(nil)
      } catch {
        score.finish("\(error)")
      }
    }.start()
  }
  let failures = score.wait()
  #expect(failures.isEmpty, "\(failures)")
}

/// How many threads still run, and what went wrong; of a kind that sanitizers understand.
private final class Score: @unchecked Sendable {
  private let gate = NSCondition()
  private var running: Int
  private var failures: [String] = []

  init(running: Int) {
    self.running = running
  }

  func finish(_ failure: String?) {
    gate.lock()
    running -= 1
    if let failure { failures.append(failure) }
    gate.broadcast()
    gate.unlock()
  }

  func wait() -> [String] {
    gate.lock()
    defer { gate.unlock() }
    while running > 0 { gate.wait() }
    return failures
  }
}

@Suite("Threads (DOC-18)")
struct ThreadTests {
  @Test("Documents that merge into each other at once do not dead-lock, and converge")
  func mutualMerge() throws {
    let first = Document()
    let list = try first.putObject(obj: .ROOT, key: "l", ty: .List)
    let documents = [first, first.fork(), first.fork()]
    try together(
      (0..<6).map { worker in
        { @Sendable in
          let (mine, theirs) = (documents[worker % 3], documents[(worker + 1 + worker / 3) % 3])
          for round in 0..<60 {
            try mine.insert(obj: list, index: 0, value: .Int(Int64(worker * 1000 + round)))
            try mine.merge(other: theirs)
            if round % 10 == 0 { try mine.merge(other: mine) }
          }
        }
      }
    )
    for document in documents { for other in documents { try document.merge(other: other) } }
    #expect(Set(documents.map { $0.heads() }).count == 1)
    #expect(first.length(obj: list) == 360)
    #expect(documents.allSatisfy { $0.equivalentContents(first) })
  }

  @Test("Observers may merge the two documents they hear of into each other")
  func mergingObservers() throws {
    let documents = [Document(), Document()]
    let tokens = documents.indices.map { place in
      documents[place].observe(nil) { event in
        guard event.phase == .did, event.target != nil else { return }
        try? documents[place].merge(other: documents[1 - place])
      }
    }
    try together(
      documents.indices.map { place in
        { @Sendable in
          for number in 0..<50 {
            try documents[place].put(obj: .ROOT, key: "\(place)-\(number)", value: .Null)
          }
        }
      }
    )
    for place in documents.indices { try documents[place].merge(other: documents[1 - place]) }
    #expect(documents.allSatisfy { $0.length(obj: .ROOT) == 100 })
    #expect(documents[0].heads() == documents[1].heads())
    for token in tokens { token.cancel() }
  }

  @Test("A transaction is whole to other threads, also one that is taken back")
  func wholeTransactions() throws {
    struct Stop: Error {}
    let document = Document()
    let isOver = Atomic<Bool>(false)
    let torn = Atomic<Int>(0)
    try together([
      {
        for number in 0..<100 {
          try? document.transaction { _ in
            for key in ["a", "b", "c"] {
              try document.put(obj: .ROOT, key: key, value: .Int(Int64(number)))
            }
            if number % 3 == 0 { throw Stop() }
          }
        }
        isOver.store(true, ordering: .releasing)
      },
      {
        while !isOver.load(ordering: .acquiring) {
          if try Set(document.values(obj: .ROOT)).count > 1 { torn.add(1, ordering: .relaxed) }
        }
      },
    ])
    #expect(torn.load(ordering: .relaxed) == 0)
    #expect(try document.get(obj: .ROOT, key: "c") == .Scalar(.Int(98)))
  }

  @Test("Observers come and go while others edit")
  func observers() throws {
    let document = Document()
    let heard = Atomic<Int>(0)
    try together(
      (0..<4).map { worker in
        { @Sendable in
          for number in 0..<100 {
            if worker % 2 == 0 {
              try document.put(obj: .ROOT, key: "\(worker)", value: .Int(Int64(number)))
            } else {
              let token = document.observe(nil) { _ in heard.add(1, ordering: .relaxed) }
              try document.put(obj: .ROOT, key: "\(worker)", value: .Int(Int64(number)))
              token.cancel()
            }
          }
        }
      }
    )
    #expect(heard.load(ordering: .relaxed) >= 400)
  }

  /// Forks that threads made.
  private final class Forks: @unchecked Sendable {
    private let lock = NSLock()
    private var documents: [Document] = []

    func add(_ document: Document) { lock.withLock { documents.append(document) } }

    var all: [Document] { lock.withLock { documents } }
  }

  /// What one thread of a sample does.
  private enum Step: Sendable {
    case append, prepend, increment, put, text, read, save, fork, history
  }

  /// Scripts of 2 to 4 threads, each of up to 12 steps.
  private static let scripts = Generator<[[Step]]> { choices in
    let steps: [Step] = [
      .append, .prepend, .increment, .put, .text, .read, .save, .fork, .history,
    ]
    return (0..<choices.number(in: 2...4)).map { _ in
      (0..<choices.number(in: 1...12)).map { _ in steps[choices.index(below: steps.count)] }
    }
  }

  /// However threads interleave, the document went through all of their edits one by one.
  private static let interleavings = Law(
    "document.interleavings",
    "Calls of several threads act one after the other, each thread's in its order.",
    source: .specification(.codable, "Documents"),
    forAll: scripts
  ) { scripts in
    let document = Document()
    let list = try document.putObject(obj: .ROOT, key: "list", ty: .List)
    // Of its own: what is prepended between a length and an insertion there moves the end away.
    let front = try document.putObject(obj: .ROOT, key: "front", ty: .List)
    let text = try document.putObject(obj: .ROOT, key: "text", ty: .Text)
    try document.put(obj: .ROOT, key: "count", value: .Counter(0))
    let forks = Forks()
    try together(
      scripts.enumerated().map { worker, steps in
        { @Sendable in
          for (place, step) in steps.enumerated() {
            let token = Int64(worker * 100 + place)
            switch step {
            case .append:
              // The list may have grown by the time of the call: then this is not quite its end.
              try document.insert(
                obj: list,
                index: document.length(obj: list),
                value: .Int(token)
              )
            case .prepend: try document.insert(obj: front, index: 0, value: .Int(token))
            case .increment: try document.increment(obj: .ROOT, key: "count", by: token + 1)
            case .put: try document.put(obj: .ROOT, key: "\(worker)", value: .Int(token))
            case .text: try document.spliceText(obj: text, start: 0, delete: 0, value: "\(worker)")
            case .read: _ = try document.schema()
            case .save: _ = try Document(document.save())
            case .fork:
              forks.add(document.fork())
            case .history:
              for hash in document.getHistory() where document.change(hash: hash) == nil {
                throw CocoaError(.coderValueNotFound)
              }
            }
          }
        }
      }
    )
    return try difference(document, scripts, forks.all)
  }

  private static func difference(
    _ document: Document,
    _ scripts: [[Step]],
    _ forks: [Document]
  ) throws -> Difference? {
    func found(_ kind: String, _ expected: some Sequence, _ actual: some Sequence) -> Difference {
      Difference(
        kind: kind,
        summary: kind,
        expected: "\(Array(expected))",
        actual: "\(Array(actual))"
      )
    }
    guard case .Object(let list, _) = try document.get(obj: .ROOT, key: "list"),
      case .Object(let front, _) = try document.get(obj: .ROOT, key: "front"),
      case .Object(let text, _) = try document.get(obj: .ROOT, key: "text"),
      case .Scalar(.Counter(let count)) = try document.get(obj: .ROOT, key: "count")
    else { return Difference(kind: "content", summary: "an object is gone") }
    func tokens(_ list: ObjId) throws -> [Int64] {
      try document.values(obj: list).compactMap {
        if case .Scalar(.Int(let token)) = $0 { token } else { nil }
      }
    }
    let (appendedTokens, prependedTokens) = (try tokens(list), try tokens(front))
    let letters = try document.text(obj: text)
    var sum: Int64 = 0
    for (worker, steps) in scripts.enumerated() {
      func all(_ step: Step) -> [Int64] {
        steps.indices.filter { steps[$0] == step }.map { Int64(worker * 100 + $0) }
      }
      sum += all(.increment).reduce(0) { $0 + $1 + 1 }
      let appended = all(.append)
      // In any order: an insertion by an older length moves what was the end meanwhile.
      let kept = appendedTokens.filter(Set(appended).contains).sorted()
      if kept != appended { return found("list.appended", appended, kept) }
      let prepended = all(.prepend).reversed()
      let first = prependedTokens.filter(Set(prepended).contains)
      if first != Array(prepended) { return found("list.prepended", prepended, first) }
      let typed = letters.filter { "\($0)" == "\(worker)" }.count
      if typed != all(.text).count { return found("text", [all(.text).count], [typed]) }
      let last = all(.put).last.map { Value.Scalar(.Int($0)) }
      if try document.get(obj: .ROOT, key: "\(worker)") != last {
        return Difference(kind: "map", summary: "thread \(worker)'s last put is gone")
      }
    }
    if sum != count { return found("counter", [sum], [count]) }
    for fork in forks { try document.merge(other: fork) }
    let loaded = try Document(document.save())
    guard loaded.equivalentContents(document), loaded.heads() == document.heads() else {
      return Difference(kind: "saved", summary: "the saved document differs")
    }
    return nil
  }

  @Test("Calls of several threads act one after the other")
  func law() throws {
    for index in 0..<60 {
      var choices = Choices(seed: Seed(value: 5).stream(UInt64(index)))
      let sample = try Self.interleavings.draw(&choices)
      #expect(Self.interleavings.verdict(of: sample) == .held, "\(sample)")
    }
  }
}
