import PastRuns

extension Report {
  /// What the harness found on implementations that are wrong on purpose.
  package struct SelfTest: Codable, Hashable, Sendable {
    package var mutants: [Mutant]
    /// One row for each law: the first mutant that the law catches when it is alone.
    package var laws: [LawProof]
    /// The median size of the shrunk histories, times ten.
    package var medianSizeTenths: Int
    /// Laws that failed on the correct implementation.
    package var falseAlarms: [String]

    package init(
      mutants: [Mutant],
      laws: [LawProof],
      falseAlarms: [String]
    ) {
      self.mutants = mutants
      self.laws = laws
      self.falseAlarms = falseAlarms
      medianSizeTenths = Self.median(of: mutants)
    }

    private static func median(of mutants: [Mutant]) -> Int {
      let sizes = mutants.compactMap(\.size).sorted()
      guard !sizes.isEmpty else { return 0 }
      // The two in the middle; a size of a foreign report may be any number.
      let sum = sizes[(sizes.count - 1) / 2].addingSaturated(sizes[sizes.count / 2])
      let (tenths, overflows) = sum.multipliedReportingOverflow(by: 5)
      return overflows ? .max : tenths
    }

    /// Takes in what another part of the self-test, or one of other mutants, has found.
    mutating func add(_ other: SelfTest) {
      self = SelfTest(
        mutants: mutants + other.mutants,
        laws: laws + other.laws,
        falseAlarms: falseAlarms + other.falseAlarms
      )
    }
  }

  package struct Mutant: Codable, Hashable, Sendable {
    package var id: String
    package var sentence: String
    /// The law that killed it; `nil` if it lives.
    package var killedBy: String?
    /// Cases until then, the killing one included.
    package var cases: Int
    package var size: Int?
    package var replicas: Int?
    /// What the law found, then the smallest sample that shows it; of a bug in a source its line first.
    package var history: [String]

    package init(
      id: String,
      sentence: String,
      killedBy: String?,
      cases: Int,
      size: Int?,
      replicas: Int?,
      history: [String]
    ) {
      self.id = id
      self.sentence = sentence
      self.killedBy = killedBy
      self.cases = cases
      self.size = size
      self.replicas = replicas
      self.history = history
    }
  }

  /// A subject that is wrong on purpose and must be caught in every run: it proves the way from a
  /// failure to this report.
  package struct Canary: Codable, Hashable, Sendable {
    package var mutant: String
    /// The law that caught it; `nil` if none did.
    package var caughtBy: String?
    package var size: Int

    package init(mutant: String, caughtBy: String?, size: Int) {
      self.mutant = mutant
      self.caughtBy = caughtBy
      self.size = size
    }

    package var wasCaught: Bool { caughtBy != nil }
  }

  package struct LawProof: Codable, Hashable, Sendable {
    package var law: String
    /// Nil if the law catches none.
    package var mutant: String?
    package var cases: Int

    package init(law: String, mutant: String?, cases: Int) {
      self.law = law
      self.mutant = mutant
      self.cases = cases
    }
  }
}
