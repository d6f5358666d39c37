import CodingLaws
import DocumentLaws
import ForeignSubjects
import Foundation
package import Histories
import PropertyEngine
import Synchronization
import SystemCalls

/// The inside of a worker: reads requests, judges, answers, until its input ends.
///
/// It makes the same lanes as its parent, of the same arguments. What a subject does to it, its parent
/// sees: see ``WorkerPool``.
package final class Worker {
  private let registry: SubjectRegistry
  private let laws: Set<String>
  private let limits: HistoryLimits
  private var lanes: [LaneAddress: Lane] = [:]
  /// Kinds of failure that this worker has sent to the parent.
  private var told: [LaneAddress: Set<FailureKey>] = [:]
  private let decoder = JSONDecoder()
  private let encoder = JSONEncoder()

  /// Processor time, of user and system together, that one task or one case may take, in seconds.
  private let caseSeconds: Double

  /// A worker for lanes of these laws.
  package init(
    registry: SubjectRegistry,
    laws: Set<String>,
    limits: HistoryLimits = HistoryLimits(),
    caseSeconds: Double
  ) {
    self.caseSeconds = caseSeconds
    self.registry = registry
    self.laws = laws
    self.limits = limits
  }

  /// Answers requests until there are no more.
  package func run() {
    WorkerProcess.becomeWorker()
    WorkerNote.begin()
    // What a subject prints is no answer.
    let output = FileHandle(fileDescriptor: dup(STDOUT_FILENO))
    dup2(STDERR_FILENO, STDOUT_FILENO)
    while let line = readLine(strippingNewline: true) {
      ProcessLimits.allowProcessorTime(seconds: caseSeconds)
      let answer = answer(line)
      do {
        var data = try encoder.encode(answer)
        data.append(UInt8(ascii: "\n"))
        try output.write(contentsOf: data)
      } catch {
        // The parent is gone, or reads no more.
        return
      }
      WorkerNote.enter(caseIndex: nil, .waiting)
    }
  }

  /// The answer to a request, which is a line of JSON.
  func answer(_ line: String) -> WorkerAnswer {
    do {
      let request = try decoder.decode(WorkerRequest.self, from: Data(line.utf8))
      let lane = try lane(of: request)
      WorkerNote.enter(caseIndex: nil)
      return try answer(request, lane)
    } catch {
      return .refused("\(error)")
    }
  }

  /// The lane that a request names, as its parent has it.
  ///
  /// - Throws: ``AbsentSubject`` for a subject or a peer that does not start here, ``OtherLane`` for a lane with other
  ///   laws. Neither is kept: the next request may find it right.
  private func lane(of request: WorkerRequest) throws -> Lane {
    let address = request.lane
    if let lane = lanes[address] { return lane }
    let found = try registry.find(address.ids, startsPeer: address.hasPeer)
    if let absent = (found.absent + found.absentPeers).first { throw absent }
    let made = registry.lanes(found, laws: laws, limits: limits)
    let named = made.first { $0.address.ids == address.ids && $0.address.key == address.key }
    guard let lane = named, [nil, lane.address.laws].contains(address.laws) else {
      throw OtherLane(id: address.ids.first ?? address.key)
    }
    lanes[address] = lane
    return lane
  }

  private func answer(_ request: WorkerRequest, _ lane: Lane) throws -> WorkerAnswer {
    switch request.task {
    case .judge(let lower, let upper, let seconds):
      return totals(lower..<max(lower, upper), within: seconds ?? .infinity, lane, request)
    case .draw(let index, let origin, let terms):
      var choices = Choices(origin)
      let judged = try group(index, lane).judge(&choices, terms.request)
      return .judged(SentCase(judged, choices, counts: terms.counts))
    case .stored(let index, let sample, let part, let terms):
      let group = try group(index, lane)
      guard let part else {
        return .judged(SentCase(try group.judge(sample, terms.request), nil, counts: false))
      }
      let whole = try group.judge(sample, JudgingRequest(drawsOnly: true)).sample
      guard let judged = whole?.without(part, terms.request) else {
        return .refused("there is no sample")
      }
      return .judged(SentCase(judged, nil, counts: false))
    case .illustrate(let failure):
      return .illustration(lane.illustrate(failure, true))
    case .divergence(let index):
      guard let listed = lane.divergences.first(where: { $0.index == index }) else {
        return .refused("there is no divergence \(index)")
      }
      return .divergence(listed.standing())
    }
  }

  private func group(_ index: Int, _ lane: Lane) throws -> LawGroup {
    guard lane.groups.indices.contains(index) else { throw UnknownLaw(pattern: "\(index)") }
    return lane.groups[index]
  }

  /// What cases come to, up to the first that would begin after a number of seconds.
  private func totals(
    _ range: Range<Int>,
    within rangeSeconds: Double,
    _ lane: Lane,
    _ request: WorkerRequest
  ) -> WorkerAnswer {
    let address = request.lane
    let run = lane.run(seed: request.seed, clock: { ProcessInfo.processInfo.systemUptime })
    let news = FailureNews(told: told[address, default: []])
    var remaining = range
    let begin = ProcessInfo.processInfo.systemUptime
    let totals = run.totals(
      of: {
        let seconds = ProcessInfo.processInfo.systemUptime - begin
        guard remaining.lowerBound == range.lowerBound || seconds < rangeSeconds,
          let index = remaining.popFirst()
        else { return nil }
        WorkerNote.enter(caseIndex: index)
        ProcessLimits.allowProcessorTime(seconds: caseSeconds)
        return index
      },
      observer: RunObserver(
        isNew: { news.isNew($0) },
        onSighting: { news.note($0) }
      )
    )
    told[address] = news.told
    return .totals(totals, new: news.failures, upTo: remaining.lowerBound)
  }
}

/// Failures of a range of cases whose like was not told before.
///
/// A lock and no actor, as an observer may be called from any thread; here it is one.
private final class FailureNews: Sendable {
  private struct State {
    var told: Set<FailureKey>
    var failures: [Failure] = []
  }

  private let state: Mutex<State>

  init(told: Set<FailureKey>) {
    state = Mutex(State(told: told))
  }

  var told: Set<FailureKey> { state.withLock { $0.told } }
  var failures: [Failure] { state.withLock { $0.failures } }

  func isNew(_ key: FailureKey) -> Bool { state.withLock { $0.told.insert(key).inserted } }

  func note(_ failure: Failure) { state.withLock { $0.failures.append(failure) } }
}

extension WorkerRequest.JudgingTerms {
  fileprivate var request: JudgingRequest {
    JudgingRequest(
      law: law,
      clock: { ProcessInfo.processInfo.systemUptime },
      drawsOnly: drawsOnly
    )
  }
}

extension Choices {
  /// The same choices again.
  fileprivate init(_ origin: Origin) {
    switch origin {
    case .seed(let seed): self.init(seed: seed)
    case .values(let values): self.init(replaying: values)
    case .bytes(let bytes): self.init(bytes: bytes)
    }
  }
}
