import Foundation
import Mutants
import Testing

@Suite("Source patches")
struct SourcePatchTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test("Every patch still fits the source: its text occurs once, and overlaps no other's")
  func fits() throws {
    #expect(sourcePatches.count >= 25)
    for (file, patches) in Dictionary(grouping: sourcePatches, by: \.file) {
      let text = try String(contentsOf: Self.root.appendingPathComponent(file), encoding: .utf8)
      for patch in patches {
        #expect(throws: Never.self) { try SourcePatch.apply([patch], to: text) }
      }
      let patched = try SourcePatch.apply(patches, to: text)
      for patch in patches {
        #expect(patched.contains("isMutant(\(patch.number))"), "\(patch)")
        #expect(patch.original != patch.wrong, "\(patch)")
        #expect(Self.reads(patch, in: text), "\(patch): the choice would not compile")
      }
    }
  }

  /// Whether a patch covers what a choice can replace: statements begin their line, and an
  /// expression has no comma of its own, which would make it two conditions or arguments.
  private static func reads(_ patch: SourcePatch, in text: String) -> Bool {
    guard let range = text.range(of: patch.original) else { return false }
    switch patch.form {
    case .insertion:
      return true
    case .statements:
      let line = text[..<range.lowerBound].split(separator: "\n", omittingEmptySubsequences: false)
      let before = line.last?.trimmingPrefix(while: \.isWhitespace) ?? ""
      return before.isEmpty || before.hasSuffix("{ ") || before.hasSuffix(": ")
    case .expression:
      var depth = 0
      for character in patch.original {
        switch character {
        case "(", "[", "{": depth += 1
        case ")", "]", "}": depth -= 1
        case "," where depth == 0: return false
        default: break
        }
      }
      return depth == 0
    }
  }

  @Test("Every patch has an id, a number and a sentence of its own")
  func isNamed() {
    #expect(Set(sourcePatches.map(\.number)).count == sourcePatches.count)
    #expect(Set(sourcePatches.map(\.sentence)).count == sourcePatches.count)
    for patch in sourcePatches {
      let words = patch.id.split(separator: "-", omittingEmptySubsequences: false)
      #expect(
        words.allSatisfy { !$0.isEmpty && $0.allSatisfy { "a"..."z" ~= $0 || "0"..."9" ~= $0 } },
        "\(patch)"
      )
      #expect(patch.sentence.hasSuffix(".") && patch.sentence.count <= 100, "\(patch)")
      #expect(!naiveMutants.contains { $0.description == patch.id }, "\(patch)")
      #expect(patch.number != 0)
    }
  }

  private func patch(
    _ id: String,
    _ original: String,
    becomes wrong: String,
    as form: PatchedChoice.Form = .expression
  ) -> SourcePatch {
    SourcePatch(.engine(id), "", law: "a.b", in: "f", original, becomes: wrong, as: form)
  }

  @Test("A path tells the module, and what lies below the folder of all modules")
  func paths() {
    let path = SourcePath("Sources/A/B/c.swift")
    #expect(path.withinSources == "A/B/c.swift" && path.module == "A")
    #expect(path.moduleFolder == "Sources/A")
    #expect(SourcePath("A/c.swift").withinSources == "A/c.swift")
  }

  @Test("A patch's id is its target's name and its own")
  func hasTarget() {
    let names: [(SourcePatch.Name, SourcePatch.Target)] = [
      (.engine("a-b"), .engine), (.tight("a-b"), .tight), (.document("a-b"), .document),
      (.coder("a-b"), .coder), (.records("a-b"), .records), (.store("a-b"), .store),
    ]
    #expect(names.map(\.1) == SourcePatch.Target.allCases)
    for (name, target) in names {
      let patch = SourcePatch(name, "", law: "a.b", in: "f", "a + b", becomes: "a")
      #expect(patch.target == target && patch.id == "\(target.rawValue)-a-b")
    }
  }

  @Test("A patch is a choice between the wrong text and the right one")
  func isChoice() throws {
    let one = patch("one", "a + b", becomes: "a")
    let other = patch("other", "f()", becomes: "g()", as: .statements)
    #expect(
      try SourcePatch.apply([one, other], to: "let c = a + b\nf()\n")
        == "let c = (isMutant(\(one.number)) ? (a) : (a + b))\n"
        + "if isMutant(\(other.number)) {\ng()\n} else {\nf()\n}\n"
    )
  }

  @Test("Two patches of one text are two choices at one place")
  func nests() throws {
    let one = patch("one", "a", becomes: "b")
    let two = patch("two", "a", becomes: "c")
    #expect(
      try SourcePatch.apply([one, two], to: "x(a)")
        == "x((isMutant(\(one.number)) ? (b) : ((isMutant(\(two.number)) ? (c) : (a)))))"
    )
  }

  @Test("A text that is missing, that repeats, or that overlaps another is refused")
  func refuses() {
    let one = patch("one", "a + b", becomes: "a")
    for (text, count) in [("b + a", 0), ("a + b; a + b", 2)] {
      let error = #expect(throws: PatchError.self) { try SourcePatch.apply([one], to: text) }
      #expect(error?.reason == .occurs(count))
    }
    let two = patch("two", "b * c", becomes: "c")
    let error = #expect(throws: PatchError.self) {
      try SourcePatch.apply([one, two], to: "a + b * c")
    }
    #expect(error?.reason == .overlaps("engine-one"))
  }
}
