import Campaigns
import CaseFiles
import PropertyEngine
import Reporting
import Texts

/// What laws find wrong on correct implementations: mistakes of the harness itself, or of what counts as correct.
struct FalseAlarms {
  /// One sentence for each.
  private(set) var headlines: [String] = []
  /// The smallest case of each.
  private(set) var failures: [Report.Failure] = []
  /// Why a case could not be stored.
  private(set) var writingError: (any Error)?

  init() {}

  /// Holds implementations to all laws, each in its number of cases or in `caseLimit`, whichever is smaller.
  ///
  /// `folder`: Where the case files go; `nil`: nowhere.
  init(
    on correct: [(subject: ListedSubject, cases: Int)],
    seed: Seed,
    caseLimit: Int,
    jobs: Int,
    folder: CaseFolder?,
    isInterrupted: @escaping @Sendable () -> Bool
  ) {
    var names = UniqueNames()
    for (subject, cases) in correct {
      let lane = subject.lane(Catalogue.lawNames)
      var found: [Failure] = []
      var campaign = Campaign(
        CampaignConfiguration(
          lanes: [lane],
          seed: seed,
          budget: .cases(min(cases, caseLimit)),
          jobs: jobs,
          clock: { 0 },
          isInterrupted: isInterrupted
        ),
        onFailure: { found.append($0) }
      )
      _ = campaign.run()
      for var failure in found {
        // A subject may be held to laws of several catalogues, each in a run of its own.
        failure.name = names.claim(failure.slug, separator: "-")
        headlines.append(failure.headline)
        failures.append(failure.reported(in: lane))
        do { try folder?.write(failure.caseFile, name: failure.slug) } catch {
          writingError = error
        }
      }
    }
  }
}
