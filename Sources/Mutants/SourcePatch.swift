/// A bug as one place of a source file that reads otherwise.
///
/// The rules of the specification can be overridden; the engine and what stands on it have no such
/// seams, and get none: the product carries no switches. So all patches of the list are written into
/// one scratch copy of the package, each as a choice between the wrong text and the right one, and
/// the copy is built once. Which bug is on is decided when the copy runs.
///
/// Source: Decisions/0016-engine-mutants-are-source-patches.md.
package struct SourcePatch: Hashable, Sendable, CustomStringConvertible {
  /// The part of the package that is wrong, and so the laws that it is held to.
  package enum Target: String, Hashable, Sendable, CaseIterable {
    /// `MergeEngine`.
    case engine
    /// `AutomergeDocument`.
    case document
    /// `DocumentCoding`.
    case coder
    /// `LocalStore`.
    case store
  }

  /// What the text is, and so how the choice is written.
  package enum Form: String, Hashable, Sendable {
    /// An expression: `(isMutant(n) ? (wrong) : (right))`.
    case expression
    /// Statements that declare nothing which is used behind them: `if isMutant(n) { wrong } else
    /// { right }`.
    case statements
  }

  /// Lower-case words joined by hyphens; stable, and unique among all patches.
  package let id: String
  package let target: Target
  /// What is wrong, in one sentence.
  package let sentence: String
  /// The law that catches it when no other is asked.
  package let law: String
  /// Path from the root of the package.
  package let file: String
  package let form: Form
  /// The right text; it occurs exactly once in the file.
  package let original: String
  /// The text in its place.
  package let wrong: String

  package init(
    _ id: String,
    _ target: Target,
    _ sentence: String,
    law: String,
    in file: String,
    _ original: String,
    becomes wrong: String,
    as form: Form = .expression
  ) {
    self.id = id
    self.target = target
    self.sentence = sentence
    self.law = law
    self.file = file
    self.form = form
    self.original = original
    self.wrong = wrong
  }

  package var description: String { id }

  /// The number by which the patched copy knows the bug: FNV-1a of the id, so that a longer list
  /// leaves the copy's other files as they are.
  package var number: UInt64 {
    id.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  /// The environment variable that chooses a bug of the patched copy, by its number in decimal.
  package static let variable = "TOUCHSTONE_MUTANT"

  /// The file that each patched module gets in the copy.
  package static let switchFile = """
    import Foundation

    /// The bug that is on; 0 for none.
    let activeMutant = UInt64(ProcessInfo.processInfo.environment["\(variable)"] ?? "") ?? 0

    @inline(__always)
    func isMutant(_ number: UInt64) -> Bool { activeMutant == number }

    """
}

/// Why a patch cannot be written into a file: the file was changed, and the list must follow.
package struct PatchError: Error, Hashable, CustomStringConvertible {
  package enum Reason: Hashable, Sendable {
    /// The text occurs this often instead of once.
    case occurs(Int)
    /// Its text overlaps that of another patch, and is not the same.
    case overlaps(String)
  }

  package let patch: String
  package let file: String
  package let reason: Reason

  package var description: String {
    switch reason {
    case .occurs(let count):
      "patch \(patch): its text occurs \(count) times in \(file) instead of once"
    case .overlaps(let other):
      "patch \(patch): its text in \(file) overlaps that of \(other); use the same text for both"
    }
  }
}

extension SourcePatch {
  /// A file's text with all patches in it, each as a choice.
  ///
  /// Several patches may name the same text: then there are several choices at one place.
  package static func apply(
    _ patches: [SourcePatch],
    to text: String
  ) throws(PatchError) -> String {
    var places: [(range: Range<String.Index>, patches: [SourcePatch])] = []
    for patch in patches {
      let found = text.ranges(of: patch.original)
      guard let range = found.first, found.count == 1 else {
        throw PatchError(patch: patch.id, file: patch.file, reason: .occurs(found.count))
      }
      if let same = places.firstIndex(where: { $0.range == range }),
        places[same].patches[0].form == patch.form
      {
        places[same].patches.append(patch)
      } else if let other = places.first(where: { $0.range.overlaps(range) }) {
        throw PatchError(
          patch: patch.id,
          file: patch.file,
          reason: .overlaps(other.patches[0].id)
        )
      } else {
        places.append((range, [patch]))
      }
    }
    var result = text
    for (range, patches) in places.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      result.replaceSubrange(range, with: choice(patches, String(text[range])))
    }
    return result
  }

  private static func choice(_ patches: [SourcePatch], _ right: String) -> String {
    patches.reversed().reduce(right) { rest, patch in
      switch patch.form {
      case .expression: "(isMutant(\(patch.number)) ? (\(patch.wrong)) : (\(rest)))"
      case .statements: "if isMutant(\(patch.number)) {\n\(patch.wrong)\n} else {\n\(rest)\n}"
      }
    }
  }
}

/// All bugs by source patch, by target and topic.
package let sourcePatches: [SourcePatch] =
  enginePatches + documentPatches + documentWorldPatches + coderPatches
