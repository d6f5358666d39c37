package import DocumentLaws
import DocumentModel
package import Histories
package import PropertyEngine

/// One subject, the laws it is held to, and the oracle it is compared with.
package struct Lane: Sendable {
  package let subject: any DocumentSubject
  /// Nil for the oracle itself, and for subjects that follow rules of their own.
  package let oracle: (any DocumentSubject)?
  package let divergences: [Divergence]
  package let groups: [SampleGroup]

  /// A lane for `subject`, of the laws that say anything of it.
  package init(
    _ subject: any DocumentSubject,
    oracle: (any DocumentSubject)?,
    laws: [DocumentLaw],
    divergences: [Divergence] = [],
    limits: HistoryLimits = HistoryLimits()
  ) {
    self.subject = subject
    let follows = subject.capabilities.features.contains(.automergeSemantics)
    self.oracle = follows && oracle?.id != subject.id ? oracle : nil
    self.divergences = divergences
    var limits = limits
    limits.capabilities = limits.capabilities.intersection(subject.capabilities)
    groups = SampleGroup.groups(of: laws, limits: limits)
  }

  private init(_ lane: Lane, groups: [SampleGroup]) {
    subject = lane.subject
    oracle = lane.oracle
    divergences = lane.divergences
    self.groups = groups
  }

  /// The same lane with one of its laws alone; without any if it does not have it.
  func narrowed(to name: String) -> Lane {
    Lane(
      self,
      groups: groups.compactMap { group in
        group.laws.first { $0.name == name }.map { group.narrowed(to: $0) }
      }
    )
  }

  /// Conditions under which even states differ: most cases keep away from them, since a case that a
  /// known divergence explains can show nothing else.
  var avoided: [HistoryCondition] {
    divergences.filter { Glob($0.law).matches(DocumentLaw.statesAgree.name) }.map(\.condition)
  }

  package var laws: [DocumentLaw] { groups.flatMap(\.laws) }

  /// The laws to ask when one of them is to be judged: itself, or with all of its group if it
  /// watches the others' answers; none if the lane does not have it.
  func laws(judging name: String) -> [DocumentLaw] {
    guard let group = groups.first(where: { $0.laws.contains { $0.name == name } }) else {
      // Whether a subject answers at all is seen on any law.
      return name == FailureKey.answers ? laws : []
    }
    let own = group.laws.filter { $0.name == name }
    return own.contains(where: \.watchesAll) ? group.laws : own
  }

  /// Whether the lane holds the case's subject against the case's oracle.
  func isMeant(by file: CaseFile) -> Bool {
    let ids = file.subjects
    return ids.first == subject.id && (ids.count < 2 || ids[1] == oracle?.id)
  }

  /// The group that a case belongs to: scenarios share one case in five.
  func group(ofCase index: Int) -> SampleGroup? {
    guard let first = groups.first else { return nil }
    let scenarios = groups.dropFirst(first.isShared ? 1 : 0)
    guard first.isShared else { return groups[index % groups.count] }
    guard !scenarios.isEmpty, index % 5 == 4 else { return first }
    return scenarios[scenarios.startIndex + index / 5 % scenarios.count]
  }
}

/// Laws that are held against the same histories.
package struct SampleGroup: Sendable {
  package let laws: [DocumentLaw]
  package let isShared: Bool
  package let histories: Generator<History>

  /// The laws on any history together, then each law with histories of its own.
  static func groups(of laws: [DocumentLaw], limits: HistoryLimits) -> [SampleGroup] {
    var shared: [DocumentLaw] = []
    var own: [SampleGroup] = []
    for law in laws {
      switch law.samples {
      case .any: shared.append(law)
      case .own(let histories):
        own.append(SampleGroup(laws: [law], isShared: false, histories: histories(limits)))
      }
    }
    guard !shared.isEmpty else { return own }
    return [SampleGroup(laws: shared, isShared: true, histories: .histories(limits))] + own
  }

  /// The same histories for one law alone.
  func narrowed(to law: DocumentLaw) -> SampleGroup {
    SampleGroup(laws: [law], isShared: isShared, histories: histories)
  }
}

/// A departure that is listed for a subject: green while it shows, red once it no longer does.
package struct Divergence: Sendable {
  /// A glob of the names of laws.
  package let law: String
  package let condition: HistoryCondition
  /// A history that shows it.
  package let example: History
  package let reason: String

  package init(law: String, condition: HistoryCondition, example: History, reason: String) {
    self.law = law
    self.condition = condition
    self.example = example
    self.reason = reason
  }

  func explains(law name: String, _ history: NormalisedHistory) -> Bool {
    Glob(law).matches(name) && condition.holds(for: history.history)
  }
}

/// A pattern in which `*` stands for any characters.
package struct Glob: Hashable, Sendable {
  private let pattern: [Character]

  package init(_ pattern: String) {
    self.pattern = Array(pattern)
  }

  package func matches(_ text: String) -> Bool {
    Self.matches(pattern[...], Array(text)[...])
  }

  private static func matches(
    _ pattern: ArraySlice<Character>,
    _ text: ArraySlice<Character>
  ) -> Bool {
    // Iterative with one backtrack point, so that no pattern costs more than length times length.
    var pattern = pattern
    var text = text
    var retry: (pattern: ArraySlice<Character>, text: ArraySlice<Character>)?
    while true {
      if pattern.first == "*" {
        pattern.removeFirst()
        retry = (pattern, text)
      } else if let first = pattern.first, first == text.first {
        pattern.removeFirst()
        text.removeFirst()
      } else if pattern.isEmpty, text.isEmpty {
        return true
      } else if let (earlier, rest) = retry, !rest.isEmpty {
        pattern = earlier
        text = rest.dropFirst()
        retry = (earlier, text)
      } else {
        return false
      }
    }
  }
}
