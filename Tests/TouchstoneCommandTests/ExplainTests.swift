import Campaigns
import Foundation
import TestSupport
import Testing

@testable import TouchstoneCommand

@Suite("Explanations and suggestions")
struct ExplainTests {
  @Test("Every law, mutant and waypoint can be explained, in words that end")
  func all() throws {
    #expect(Explanation.names.count > 250)
    for name in Explanation.names {
      let explanation = try #require(Explanation(of: name), "\(name)")
      #expect(explanation.text.contains(explanation.sentence), "\(name)")
      #expect(explanation.kind != .law || explanation.source?.isEmpty == false, "\(name)")
    }
  }

  @Test("What a mutant or a law is said to be caught by, or to catch, can be explained as well")
  func related() throws {
    for name in Explanation.names {
      for other in try #require(Explanation(of: name)).related {
        #expect(Explanation(of: other) != nil, "\(name) names \(other)")
      }
    }
  }

  @Test("A mutant is told with the laws that catch it, or with the command that says which does")
  func mutants() throws {
    for (id, laws) in [
      ("integers-wrap", "integers.out-of-range"),
      ("record-marks-not-stored", "record.bytes-return"), ("range-deletes-trap", "subject.answers"),
    ] {
      let text = try #require(Explanation(of: id)).text
      let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("Caught by: ") })
      #expect(line.contains(laws), "\(text)")
    }
    let text = try #require(Explanation(of: "tie-break-reversed")).text
    #expect(text.contains("\n\nCaught by: any law may catch it. The command below says which"))
    #expect(text.hasSuffix("\n\nTry: touchstone selftest --mutant tie-break-reversed\n"))
    for name in Explanation.names {
      let explanation = try #require(Explanation(of: name))
      if explanation.kind == .mutant { #expect(explanation.text.contains("\n\nCaught by: ")) }
    }
  }

  @Test(
    "The canary of a run is explained, and a law that has no advice of its own says where to begin"
  )
  func canary() throws {
    let text = try #require(Explanation(of: "canary")).text
    #expect(text.hasPrefix("term canary\n\nA wrong specification that each run"), "\(text)")
    #expect(text.contains("\n\nIt is the mutant: \(Canary.mutant)\n\n"), "\(text)")
    let law = try #require(Explanation(of: "merge.commutes")).text
    #expect(law.contains("\n\nIf it is violated: `touchstone show FILE` draws"), "\(law)")
  }

  @Test("A law is told with title, sentence, source and a command to try")
  func law() throws {
    let golden = try touchstone("explain", "golden.accepted")
    #expect(golden.output.contains("a clone of Touchstone, where the command has to run."))
    let outcome = try touchstone("explain", "network.converges")
    #expect(outcome.status == 0)
    #expect(
      outcome.output.hasPrefix(
        """
        law network.converges

        Replicas converge.

        After a full sync all replicas show the same state.

        Source: Shapiro et al., Conflict-free Replicated Data Types, 2011, section 2; decision 3

        """
      )
    )
    #expect(outcome.output.hasSuffix("Try: touchstone check --law network.converges\n"))
  }

  @Test("A law that only small worlds ask is told with the command that walks them")
  func worlds() throws {
    let outcome = try touchstone("explain", "delivery.every-order")
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("law delivery.every-order\n\n"), "\(outcome.output)")
    #expect(outcome.output.hasSuffix("Try: touchstone worlds\n"), "\(outcome.output)")
  }

  @Test(
    "A law of users' own types is told with the function that asks it, and refused by check",
    arguments: [
      ("model.lossless", "expectLaws(of:)"), ("drift.upgrade", "expectDrift"),
      ("merging.absorbs-the-past", "expectConverges"),
    ]
  )
  func ownTypes(law: String, asking: String) throws {
    let told = try touchstone("explain", law)
    #expect(told.status == 0)
    #expect(told.output.hasPrefix("law \(law)\n\n"), "\(told.output)")
    #expect(told.output.contains("\n\nSource: "), "\(told.output)")
    #expect(told.output.contains("\n\nIf it is violated: "), "\(told.output)")
    #expect(told.output.contains("in `swift test`, by `\(asking)`"), "\(told.output)")
    let refused = try withFolder { try touchstone(["check", "--law", law], in: $0) }
    #expect(refused.status == 64)
    #expect(refused.complaints.contains("in `swift test`, by `\(asking)`"), "\(refused.complaints)")
  }

  @Test(
    "The laws of properties and commands, which failures name, are told with what asks them",
    arguments: [
      ("property.holds", "expectProperty"), ("commands.model", "expectCommands"),
      ("commands.linearizable", "expectLinearizable"),
    ]
  )
  func ownProperties(law: String, asking: String) throws {
    let told = try touchstone("explain", law)
    #expect(told.status == 0)
    #expect(told.output.hasPrefix("law \(law)\n\n"), "\(told.output)")
    #expect(told.output.contains("in `swift test`, by `\(asking)`"), "\(told.output)")
  }

  @Test("A pattern of laws of users' own types is refused with where they are asked")
  func ownPattern() {
    let error = #expect(throws: UnknownLaw.self) {
      try Catalogue.lawNames(LawChoice(["merge.*", "model.*"]))
    }
    #expect(error?.description.contains("in `swift test`, by `expectLaws(of:)`") == true)
    #expect(Catalogue.lawNames.isDisjoint(with: TestLaws.names))
  }

  @Test("A pattern that also matches laws of users' own types names them, and who asks them")
  func omitted() throws {
    #expect(TestLaws.omission(from: LawChoice()) == nil)
    #expect(TestLaws.omission(from: LawChoice(["merge.*"], excluding: ["drift.*"])) == nil)
    let ofDrift = "drift.upgrade, drift.downgrade (`expectDrift`)"
    let began = "left out, as `swift test` alone asks them, of your own types: "
    #expect(TestLaws.omission(from: LawChoice(["drift.*"])) == began + ofDrift)
    let rest = LawChoice(["drift.*"], excluding: ["drift.*grade"])
    #expect(TestLaws.omission(from: rest) == nil)
    let all = try #require(TestLaws.omission(from: LawChoice(["*"])))
    #expect(TestLaws.names.allSatisfy { all.contains($0) })
    #expect(all.contains(" (`expectLaws(of:)`); \(ofDrift); merging."))
    let outcome = try touchstone(
      "check",
      "--subject",
      "document-coder",
      "--law",
      "drift.*",
      "--cases",
      "5",
      "--seed",
      "1"
    )
    #expect(outcome.complaints.contains("touchstone: \(began)\(ofDrift)\n"))
  }

  @Test(
    "A misspelt name is refused with what it may mean",
    arguments: [
      (["explain", "network.converge"], "'network.converges'"),
      (["check", "--law", "merge.comutes"], "'merge.commutes'"),
      (["explain", "merging.keep"], "'merging.keeps'"),
      (["check", "--law", "model.losless"], "'model.lossless'"),
      (["check", "--exclude-law", "merge.comutes"], "'merge.commutes'"),
      (["selftest", "--mutant", "tie-break-mising"], "'tie-break-missing'"),
      (["check", "--require", "deletes-meet"], "'deletes-met'"),
      (["worlds", "kye"], "'key'"), (["worlds", "concurrent-drift"], "'concurrent-drifts'"),
      (["check", "--subject", "naiev", "--cases", "1"], "'naive'"),
      (["check", "--subject", "mutant:tie-break-mising"], "'mutant:tie-break-missing'"),
      (["replay", "--subject", "naiev", "none.case"], "'naive'"),
      (["worlds", "--subject", "naiev"], "'naive'"),
      (["fuzz", "histories", "--subject", "naiev"], "'naive'"),
      (
        ["shrink", "x", "--target", "histories", "--output", "y", "--subject", "naiev"], "'naive'"
      ),
    ]
  )
  func misspelt(words: [String], meant: String) throws {
    let outcome = try withFolder { try touchstone(words, in: $0) }
    #expect(outcome.status == 64)
    #expect(outcome.complaints.contains("Did you mean \(meant)"), "\(outcome.complaints)")
  }

  @Test(
    "An empty subject is refused, as a shell's variable that is unset leaves it",
    arguments: [
      ["check"], ["replay", "none.case"], ["worlds"], ["fuzz", "histories"],
      ["shrink", "x", "--target", "load", "--output", "y"],
    ]
  )
  func emptySubject(words: [String]) throws {
    let outcome = try withFolder { try touchstone(words + ["--subject", ""], in: $0) }
    #expect(outcome.status == 64)
    #expect(
      outcome.complaints.hasPrefix(
        "Error: --subject is empty: name a subject, or leave the option out.\n"
      ),
      "\(outcome.complaints)"
    )
  }

  @Test("What a fuzz target reads has an id of its own, which replay takes")
  func boundarySubject() throws {
    try withFolder { folder in
      try Data("{}".utf8).write(to: folder.appendingPathComponent("input.bin"))
      let words = ["replay", "--target", "reportmerge", "--subject", "touchstone", "input.bin"]
      let outcome = try touchstone(words, in: folder)
      #expect(outcome.status == 0, "\(outcome.complaints)")
    }
  }

  @Test("Laws that are excluded are not asked, and the command that repeats the run says so")
  func excluded() throws {
    let names = try Catalogue.lawNames(LawChoice(["merge.*"], excluding: ["merge.idempotent"]))
    #expect(names.contains("merge.commutes") && !names.contains("merge.idempotent"))
    let rest = try Catalogue.lawNames(LawChoice(excluding: ["merge.*"]))
    #expect(rest.count > 80 && !rest.contains { $0.hasPrefix("merge.") })
    let outcome = try touchstone(
      "check",
      "--subject",
      "naive",
      "--law",
      "merge.*",
      "--exclude-law",
      "merge.idempotent",
      "--cases",
      "2",
      "--seed",
      "1",
      "--json"
    )
    #expect(outcome.status == 0)
    #expect(!outcome.output.contains(#""law" : "merge.idempotent""#))
    #expect(outcome.output.contains("--law 'merge.*' --exclude-law merge.idempotent --seed 0x1"))
  }

  @Test("--fail-fast ends a run at its first failure")
  func failFast() throws {
    let words = [
      "check", "--subject", "mutant:tie-break-reversed", "--cases", "100000", "--seed", "1",
      "--law", "agreement.states", "--fail-fast",
    ]
    let outcome = try withFolder { try touchstone(words, in: $0) }
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("agreement.states"))
  }
}
