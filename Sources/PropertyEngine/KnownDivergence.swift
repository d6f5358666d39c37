/// Something that a subject is known to do otherwise than a law says: the run passes while it occurs
/// and fails once it no longer does.
package protocol KnownDivergence<Sample>: Sendable {
  associatedtype Sample

  /// The names of the laws that it breaks: one, or a glob.
  var law: String { get }
  /// When it shows, in words.
  var condition: String { get }
  /// Why it is as it is, and who is right.
  var reason: String { get }

  /// Whether it is why a law found a difference on a sample.
  func explains(_ law: String, _ difference: Difference, _ sample: Sample) -> Bool
}

extension Judgement {
  /// The verdict of a law on a sample: known, if one of the subject's divergences explains the violation.
  ///
  /// The first that does is the reason.
  package init<Sample>(
    _ verdict: Verdict,
    of law: String,
    on sample: Sample,
    excusedBy divergences: [some KnownDivergence<Sample>]
  ) {
    guard case .violated(let difference) = verdict,
      let index = divergences.firstIndex(where: { $0.explains(law, difference, sample) })
    else {
      self.init(verdict)
      return
    }
    self.init(.known(difference, reason: divergences[index].reason), divergence: index)
  }
}
