import Campaigns
import Histories
import PropertyEngine
import Reporting
import Texts

extension Report.Mutant {
  /// A mutant as every self-test reports it.
  ///
  /// - Parameters:
  ///   - id: Its id.
  ///   - sentence: What is wrong with it.
  ///   - law: The law that killed it; `nil` if it lives.
  ///   - summary: What the law found.
  ///   - sample: The smallest sample that shows it; `nil` where none was kept.
  ///   - cases: Cases that were run, the killing one included.
  ///   - context: Lines about the mutant that come before what was found.
  init(
    id: String,
    sentence: String,
    killedBy law: String?,
    finding summary: String?,
    sample: StoredSample?,
    cases: Int,
    context: [String] = []
  ) {
    let sample = law == nil ? nil : sample
    let found = law == nil ? nil : summary
    self.init(
      id: id,
      sentence: sentence,
      killedBy: law,
      cases: cases,
      // What a process printed last has no size.
      size: sample.flatMap { $0.form == MutantProcess.printedForm ? nil : $0.size },
      replicas: sample?.history?.finalReplicaCount,
      history: context + [found].compactMap(\.self) + (sample?.lines ?? [])
    )
  }

  /// Says in one line what became of it.
  ///
  /// - Parameters:
  ///   - seconds: How long it took.
  ///   - law: A law that was to kill it and did not; `nil` if there is none.
  /// - Returns: `m: killed by merge.commutes after 2 cases, 0.25 s; 3 steps on 2 replicas`.
  func line(seconds: Double, notBy law: String? = nil) -> String {
    let cases = counted(cases, "case")
    guard let killedBy else { return "\(id): ALIVE after \(cases)" }
    let other = law.map { " and not by \($0)" } ?? ""
    let time = "\((seconds * 100).rounded() / 100) s"
    let measure = size.map { size in
      replicas.map { "; \(counted(size, "step")) on \(counted($0, "replica"))" } ?? "; size \(size)"
    }
    return "\(id): killed by \(killedBy)\(other) after \(cases), \(time)\(measure ?? "")"
  }
}
