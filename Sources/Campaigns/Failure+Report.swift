import Histories
package import PropertyEngine
package import Reporting
import Subjects
import Texts

extension Failure {
  /// The name of the failure: what its run has called it, else its usual one.
  ///
  /// The file of a case in a report or a corpus is called so: another spelling would make each a new one.
  package var slug: String { name ?? usualName }

  /// Subject, law and kind in one word that fits a file name, and the oracle if it is not the usual.
  var usualName: String { Self.slug(key, subject, oracle) }

  static func slug(_ key: FailureKey, _ subject: String, _ oracle: String?) -> String {
    let other = oracle.flatMap { $0 == naiveSubject.id ? nil : $0 }
    let parts = [subject, other, key.law, key.kind].compactMap(\.self)
    return Texts.slug(parts.joined(separator: "--"))
  }

  /// The failure as reports tell it; draws up its timeline, for which the subject runs once more.
  package func reported(in lane: Lane) -> Report.Failure {
    reported(with: lane.illustrate(self, true))
  }

  /// What differs; of a failure that did not repeat also what became of it, and why that may be.
  private var summary: String {
    guard let otherwise else { return difference.summary }
    let end =
      difference.summary.hasSuffix(".") ? difference.summary.dropLast() : difference.summary[...]
    return
      "\(end), but the second run \(otherwise): the subject may keep something from one program to the next"
  }

  /// The failure as reports tell it, with what is added to it.
  package func reported(with illustration: Lane.Illustration) -> Report.Failure {
    var failure = Report.Failure(
      id: slug,
      law: key.law,
      subject: subject,
      kind: otherwise != nil ? .flaky : key.isError ? .errored : .violated,
      differenceKind: key.kind,
      summary: summary
    )
    failure.oracle = oracle
    failure.expected = difference.expected
    failure.actual = difference.actual
    failure.caseIndex = caseIndex
    failure.caseCount = caseCount
    failure.size = sample.size
    failure.measure = sample.measure
    failure.replicas = illustration.replicas
    failure.shrinkSteps = shrinkSteps
    failure.shrinkEnding = stage.explanation
    failure.history = sample.lines
    failure.timeline = illustration.timeline
    failure.firstSeen = firstSeen
    let named = difference.naming(subject, oracle: oracle)
    failure.expectedSide = named.expectedSide.map { Report.Failure.Side($0) }
    failure.actualSide = named.actualSide.map { Report.Failure.Side($0) }
    if named.isOfPeers { failure.isOfPeers = true }
    failure.start = illustration.start
    failure.model = illustration.model
    if !illustration.calls.isEmpty { failure.calls = illustration.calls }
    failure.reproducer = Report.Failure.reproducer(of: slug)
    return failure
  }
}

/// What reports add to failures, drawn up once for each: the subject runs once more for it, and may hang again.
struct Illustrations {
  private var drawn: [String: Lane.Illustration] = [:]

  /// What the lane adds to one of its failures; no two failures of a run have one name.
  mutating func illustration(of failure: Failure, in lane: Lane) -> Lane.Illustration {
    if let known = drawn[failure.slug] { return known }
    let new = lane.illustrate(failure, true)
    drawn[failure.slug] = new
    return new
  }
}

extension Difference {
  /// The difference, whose sides name their implementations where two take part.
  package func naming(_ subject: String, oracle: String?) -> Difference {
    guard [expectedSide?.party, actualSide?.party].contains(.oracle) else { return self }
    func named(_ side: Side?) -> Side? {
      side.map { side in
        let party = side.party == .oracle ? oracle ?? "the oracle" : subject
        return Side("\(party), \(side.name)", party: side.party, state: side.state)
      }
    }
    return between(named(expectedSide), named(actualSide))
  }

  /// Says in one sentence which states are compared; `nil` for a demand that no state shows.
  package var comparison: String? { compared(expectedSide?.name, with: actualSide?.name) }
}

extension Report.Failure.Side {
  fileprivate init(_ side: Difference.Side) {
    self.init(name: side.name, party: side.party, state: side.state)
  }
}
