import Testing

/// A night in which something is found tells, and keeps, as much as any other.
@Suite("The nightly workflow")
struct NightlyTests {
  /// A step of a workflow, as its lines.
  private struct Step {
    let text: String
    /// When it runs; `nil`: only if all before it have succeeded.
    var condition: Substring? {
      text.firstMatch(of: /(?:^|\n) *(?:- )?if: (.+)/)?.output.1
    }
  }

  /// The steps of all jobs, in their order.
  private func steps() throws -> [Step] {
    let text = try Repository.current().text(at: ".github/workflows/nightly.yml")
    return text.split(separator: "\n      - ", omittingEmptySubsequences: false).dropFirst()
      .map { Step(text: "- \($0)") }
  }

  @Test("Inputs that a fuzzer kept are saved behind the fuzzers, whatever they found")
  func keepsInputs() throws {
    let steps = try steps()
    let fuzzed = try #require(steps.firstIndex { $0.text.contains("touchstone fuzz all") })
    let caches = steps.indices.filter { steps[$0].text.contains("uses: actions/cache") }
    try #require(caches.count == 2)
    #expect(steps[caches[0]].text.contains("actions/cache/restore@") && caches[0] < fuzzed)
    #expect(steps[caches[1]].text.contains("actions/cache/save@") && caches[1] == fuzzed + 1)
    #expect(steps[caches[1]].condition == "always()")
    for index in caches {
      #expect(steps[index].text.contains("path: .build/fuzz-corpus\n"))
      #expect(steps[index].text.contains("key: fuzz-corpus-${{ github.run_id }}"))
    }
    #expect(steps[fuzzed].text.contains("--corpus .build/fuzz-corpus "))
  }

  @Test("Code that a trait of the package turns on is built and tested, in a night or by make")
  func traits() throws {
    let repository = try Repository.current()
    let manifest = try repository.text(at: "Package.swift")
    let traits = manifest.matches(of: /\.trait\(\s*name: "(\w+)"/).map { String($0.output.1) }
    #expect(traits.count > 1)
    let setup = try repository.text(at: "Scripts/setup.sh")
    for trait in traits where !setup.contains("traits=\(trait)\n") {
      let tested = try steps().filter { step in
        step.text.contains("Scripts/test.sh ") && step.text.contains("--traits \(trait) ")
      }
      #expect(!tested.isEmpty, "\(trait)")
    }
  }

  @Test(
    "What was found by one step keeps no other from running",
    arguments: [
      "selftest --generated", "touchstone coverage", "fuzz histories --subject",
      "touchstone fuzz all", "test-clusterfuzzlite.sh",
    ]
  )
  func independent(_ words: String) throws {
    let step = try #require(try steps().first { $0.text.contains(words) })
    #expect(step.condition?.hasPrefix("${{ !cancelled()") == true, "\(step.text)")
  }
}
