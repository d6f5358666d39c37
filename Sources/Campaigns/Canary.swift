import DocumentLaws
package import PropertyEngine
package import Reporting
package import Texts

/// A subject that is wrong on purpose, caught again in each run.
package enum Canary {
  package static let mutant = MutantID("tie-break-reversed")

  /// Runs the whole way from a case to a reported failure on the canary.
  package static func run(seed: Seed) -> Report.Canary {
    let escaped = Report.Canary(mutant: "\(mutant)", caughtBy: nil, size: 0)
    guard let subject = SubjectRegistry.mutant(mutant) else { return escaped }
    let lane = Lane(subject, oracle: SubjectRegistry.specification, laws: DocumentLaw.all)
    var configuration = CampaignConfiguration(
      lanes: [lane],
      seed: seed,
      // Most seeds need fewer than 40; one that needs more must not fail a run in which nothing is
      // wrong.
      budget: .cases(4000),
      jobs: 1,
      shrinkStepLimit: 1500,
      failureLimit: 1,
      clock: { 0 }
    )
    configuration.stopsAtFirstFailure = true
    // Half of all seeds find it in the first ones: what a larger batch judged behind that would be of no use.
    configuration.batchSize = 8
    var campaign = Campaign(configuration)
    guard let failure = campaign.run().lanes.first?.failures.first else { return escaped }
    let reported = failure.reported(in: lane)
    // What was reported must be what a reader can replay.
    guard let stored = try? CaseFile.parse(failure.caseFile.render()),
      let outcome = try? Replay(lanes: [lane]).run(stored), case .violated = outcome.verdict
    else { return escaped }
    return Report.Canary(mutant: "\(mutant)", caughtBy: reported.law, size: reported.size)
  }
}
