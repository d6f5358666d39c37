import Dispatch
import ForeignSubjects
import PropertyEngine
import Synchronization

extension Lane {
  /// The same lane, judged in the processes of a pool: everything in which its subject's code runs.
  ///
  /// - Parameters:
  ///   - pool: Workers that make the same lanes.
  ///   - jobs: Workers that judge a batch at once.
  ///   - isInterrupted: Asked before each request for cases.
  /// - Returns: A lane with the same verdicts for all that a subject answers.
  package func judged(
    in pool: WorkerPool,
    jobs: Int,
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) -> Lane {
    let remote = RemoteLane(lane: self, pool: pool)
    return Lane(
      subject: subject,
      oracle: oracle,
      entries: entries,
      groups: groups.indices.map { remote.group($0) },
      divergences: divergences.map { listed in
        ListedDivergence(
          known: listed.known,
          index: listed.index,
          standing: { remote.standing(ofDivergence: listed.index) }
        )
      },
      illustrate: { remote.illustration(of: $0, runsSubject: $1) },
      workers: .processes(jobs, remote, isInterrupted: isInterrupted)
    )
  }
}

extension CaseWorkers {
  /// Runs `count` processes; each gets a range of cases as soon as it is done with one.
  fileprivate static func processes(
    _ count: Int,
    _ remote: RemoteLane,
    isInterrupted: @escaping @Sendable () -> Bool
  ) -> CaseWorkers {
    CaseWorkers { run, range, observer in
      let count = max(1, count)
      let rest = Mutex(range)
      let sum = Mutex(RunTotals())
      DispatchQueue.concurrentPerform(iterations: count) { _ in
        while !isInterrupted() {
          let part = rest.withLock { rest in
            // Long at first, short at last: all are done at about the same time.
            let size = min(16, max(3, rest.count / (2 * count)))
            defer { rest = rest.dropFirst(size) }
            return rest.prefix(size)
          }
          guard !part.isEmpty else { return }
          let own = remote.totals(part, run, observer, isInterrupted: isInterrupted)
          sum.withLock { $0.merge(own) }
        }
      }
      return sum.withLock { $0 }
    }
  }
}

/// A lane as its parent sees it: what is asked of workers, and what their deaths mean.
private struct RemoteLane: Sendable {
  let lane: Lane
  let pool: WorkerPool
  private let address: LaneAddress

  init(lane: Lane, pool: WorkerPool) {
    self.lane = lane
    self.pool = pool
    address = lane.address
  }

  private func ask(
    _ task: WorkerRequest.Task,
    seed: Seed = 0
  ) -> Result<WorkerAnswer, WorkerDeath> {
    pool.ask(WorkerRequest(lane: address, seed: seed, task: task))
  }

  // MARK: - Ranges of cases

  /// What the cases of a range come to.
  ///
  /// A case at which a worker dies is one that the subject did not answer; those before it that it has not told
  /// are judged once more. What an interruption ends, or keeps from beginning, was not judged.
  func totals(
    _ range: Range<Int>,
    _ run: LawRun,
    _ observer: RunObserver,
    isInterrupted: () -> Bool
  ) -> RunTotals {
    var sum = RunTotals()
    var open = [range]
    while let part = open.popLast(), !isInterrupted() {
      guard !part.isEmpty else { continue }
      let task = WorkerRequest.Task.judge(
        lower: part.lowerBound,
        upper: part.upperBound,
        seconds: 0.5
      )
      switch ask(task, seed: run.seed) {
      case .success(.totals(let totals, let new, let end))
      where end > part.lowerBound && end <= part.upperBound:
        for failure in new where observer.isNew(failure.key) { observer.onSighting(failure) }
        sum.merge(totals)
        for _ in part.lowerBound..<end { observer.onCase() }
        open.append(end..<part.upperBound)
      case .success(let other):
        // The lane could not be made there: nothing can be said of these cases.
        let death = WorkerDeath(other)
        for index in part { add(death, at: index, run, to: &sum, observer) }
      case .failure where pool.isAbandoned():
        return sum
      case .failure(let death):
        // Before the first case nothing but the start of the worker can have failed.
        guard let index = death.place.caseIndex, part.contains(index) else {
          for index in part { add(death, at: index, run, to: &sum, observer) }
          continue
        }
        add(death, at: index, run, to: &sum, observer)
        open.append((index + 1)..<part.upperBound)
        open.append(part.lowerBound..<index)
      }
    }
    return sum
  }

  private func add(
    _ death: WorkerDeath,
    at index: Int,
    _ run: LawRun,
    to sum: inout RunTotals,
    _ observer: RunObserver
  ) {
    guard let group = run.group(ofCase: index),
      let position = groupIndex(ofCase: index, run)
    else { return }
    var choices = run.choices(ofCase: index)
    let judged = dead(
      death,
      group: position,
      choices: &choices,
      request: JudgingRequest(),
      laws: group.laws
    )
    run.add(judged, choices, caseIndex: index, to: &sum, observer: observer)
  }

  private func groupIndex(ofCase index: Int, _ run: LawRun) -> Int? {
    guard let name = run.group(ofCase: index)?.laws.first?.name else { return nil }
    return lane.groups.firstIndex { $0.laws.first?.name == name }
  }

  // MARK: - Samples

  /// A group of the lane whose samples are drawn and judged by workers.
  func group(_ index: Int) -> LawGroup {
    let local = lane.groups[index]
    return LawGroup(
      local,
      judgeDrawn: { choices, request in
        let terms = WorkerRequest.JudgingTerms(request)
        switch ask(.draw(group: index, choices.origin, terms)) {
        case .success(.judged(let sent)):
          if let drawn = sent.choices { choices = drawn }
          return judged(sent, index)
        case .success(let other):
          return dead(
            WorkerDeath(other),
            group: index,
            choices: &choices,
            request: request,
            laws: local.laws
          )
        case .failure(let death):
          return dead(
            death,
            group: index,
            choices: &choices,
            request: request,
            laws: local.laws
          )
        }
      },
      judgeStored: { sample, request in try stored(sample, withoutPart: nil, index, request) }
    )
  }

  /// A case at which a worker died; another draws its sample, which is not judged.
  private func dead(
    _ death: WorkerDeath,
    group index: Int,
    choices: inout Choices,
    request: JudgingRequest,
    laws: [LawStatement]
  ) -> JudgedCase {
    var sample: JudgedSample?
    var terms = WorkerRequest.JudgingTerms.sampleAlone
    terms.counts = true
    if !request.drawsOnly,
      case .success(.judged(let sent)) = ask(.draw(group: index, choices.origin, terms))
    {
      if let drawn = sent.choices { choices = drawn }
      sample = self.sample(sent, index)
    }
    return dead(death, laws: laws, request: request, sample: sample)
  }

  private func dead(
    _ death: WorkerDeath,
    laws: [LawStatement],
    request: JudgingRequest,
    sample: JudgedSample?
  ) -> JudgedCase {
    let finding = death.finding(in: lane)
    let asked = laws.filter { request.law == nil || $0.name == request.law }
    return JudgedCase(
      asked.map { ($0.name, Judgement(.errored(finding.difference.summary))) },
      findings: [finding],
      sample: sample
    )
  }

  /// - Throws: ``RefusedSample`` with what a worker says of a sample that it cannot read; ``InterruptedCase``.
  private func stored(
    _ sample: StoredSample,
    withoutPart part: Int?,
    _ index: Int,
    _ request: JudgingRequest
  ) throws -> JudgedCase {
    let terms = WorkerRequest.JudgingTerms(request)
    switch ask(.stored(group: index, sample, withoutPart: part, terms)) {
    case .success(.judged(let sent)): return judged(sent, index)
    case .success(.refused(let words)): throw RefusedSample(description: words)
    case .success(let other): throw RefusedSample(description: "\(other)")
    case .failure where pool.isAbandoned(): throw InterruptedCase()
    case .failure(let death):
      let laws = lane.groups[index].laws
      let alone = WorkerRequest.Task.stored(
        group: index,
        sample,
        withoutPart: part,
        .sampleAlone
      )
      guard case .success(.judged(let sent)) = ask(alone) else {
        return dead(death, laws: laws, request: request, sample: nil)
      }
      return dead(death, laws: laws, request: request, sample: self.sample(sent, index))
    }
  }

  private func judged(_ sent: SentCase, _ index: Int) -> JudgedCase {
    JudgedCase(
      sent.verdicts.map { ($0.law, $0.judgement) },
      findings: sent.findings,
      sample: sample(sent, index)
    )
  }

  private func sample(_ sent: SentCase, _ index: Int) -> JudgedSample? {
    guard let text = sent.sample else { return nil }
    return JudgedSample(
      value: text,
      stored: { text },
      count: { coverage in
        if let own = sent.coverage { coverage.merge(own) }
      },
      partCount: sent.partCount,
      without: { part, request in
        (try? stored(text, withoutPart: part, index, request))
          ?? JudgedCase()
      }
    )
  }

  // MARK: - Reports

  func illustration(of failure: Failure, runsSubject: Bool) -> Lane.Illustration {
    if runsSubject, case .success(.illustration(let drawn)) = ask(.illustrate(failure)) {
      return drawn
    }
    return lane.illustrate(failure, false)
  }

  /// What the example of a listed divergence comes to; a worker that ends or refuses cannot say that it is gone.
  func standing(ofDivergence index: Int) -> Lane.DivergenceStanding {
    if case .success(.divergence(let standing)) = ask(.divergence(index: index)) {
      standing
    } else {
      .shows
    }
  }
}

extension WorkerDeath {
  /// An answer to another question, or a refusal: as if the worker had not answered.
  fileprivate init(_ answer: WorkerAnswer) {
    let words = if case .refused(let words) = answer { words } else { "it answered \(answer)" }
    self.init(
      failure: .init(reason: .other(words), lastLines: []),
      place: .init(caseIndex: nil, phase: .waiting)
    )
  }
}
