import Texts

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
    /// The same with the smallest sizes, `TightEngine`, whose boundaries lie within a few edits.
    case tight
    /// `AutomergeDocument`.
    case document
    /// `DocumentCoding`.
    case coder
    /// `RecordCoding`, `RecordModel` and `RecordServer`.
    case records
    /// `LocalStore` and `DocumentStorage`.
    case store

    /// The modules whose source is patched.
    package var modules: [String] {
      switch self {
      case .engine, .tight: ["MergeEngine"]
      case .document: ["AutomergeDocument"]
      case .coder: ["DocumentCoding"]
      case .records: ["RecordCoding", "RecordModel", "RecordServer"]
      case .store: ["DocumentStorage", "LocalStore"]
      }
    }
  }

  /// What names a patch: its target, and lower-case words joined by hyphens.
  package struct Name: Hashable, Sendable {
    fileprivate let target: Target
    fileprivate let words: String

    package static func engine(_ words: String) -> Name { Name(target: .engine, words: words) }
    package static func tight(_ words: String) -> Name { Name(target: .tight, words: words) }
    package static func document(_ words: String) -> Name { Name(target: .document, words: words) }
    package static func coder(_ words: String) -> Name { Name(target: .coder, words: words) }
    package static func records(_ words: String) -> Name { Name(target: .records, words: words) }
    package static func store(_ words: String) -> Name { Name(target: .store, words: words) }
  }

  /// The part by whose laws it is found: a bug of the engine may show on `Document` alone.
  package let target: Target
  /// The target's name and that of the patch, joined by a hyphen; stable, and unique among all patches.
  package let id: String
  /// What is wrong, in one sentence.
  package let sentence: String
  /// The law that catches it when no other is asked.
  package let law: String
  /// Path from the root of the package.
  package let file: String
  package let form: PatchedChoice.Form
  /// The right text; it occurs exactly once in the file.
  package let original: String
  /// The text in its place.
  package let wrong: String

  package init(
    _ name: Name,
    _ sentence: String,
    law: String,
    in file: String,
    _ original: String,
    becomes wrong: String,
    as form: PatchedChoice.Form = .expression
  ) {
    target = name.target
    id = "\(name.target.rawValue)-\(name.words)"
    self.sentence = sentence
    self.law = law
    self.file = file
    self.form = form
    self.original = original
    self.wrong = wrong
  }

  package var description: String { id }

  /// The number by which the patched copy knows the bug: the hash of its id, so that a longer list
  /// leaves the copy's other files as they are.
  package var number: UInt64 { stableHash(id.utf8) }

  /// The environment variable that chooses a bug of the patched copy, by its number in decimal.
  package static let variable = "TOUCHSTONE_MUTANT"

  /// The environment variable that names a file in which the copy notes the choices that it comes to.
  package static let reachVariable = "TOUCHSTONE_REACHED"
  /// Bytes of that file: one for each number of a choice, modulo this.
  package static let reachByteCount = 1 << 16

  /// The file that each patched module gets in the copy.
  package static let switchFile = """
    import Foundation

    /// The bug that is on; 0 for none.
    let activeMutant = UInt64(ProcessInfo.processInfo.environment["\(variable)"] ?? "") ?? 0

    /// A byte for each choice, which is 1 once the program has come to it; `nil` if places are not recorded.
    nonisolated(unsafe) let reachedChoices: UnsafeMutablePointer<UInt8>? = {
      guard let path = ProcessInfo.processInfo.environment["\(reachVariable)"] else { return nil }
      let file = unsafe open(path, O_RDWR)
      guard file >= 0,
        let memory = unsafe mmap(
          nil, \(reachByteCount), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
        unsafe memory != MAP_FAILED
      else { return nil }
      return unsafe memory.bindMemory(to: UInt8.self, capacity: \(reachByteCount))
    }()

    @inline(__always)
    func isMutant(_ number: UInt64) -> Bool {
      if let reached = unsafe reachedChoices {
        unsafe reached[Int(number % \(reachByteCount))] = 1
      }
      return activeMutant == number
    }

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
    var places: [(range: Range<String.Index>, patch: SourcePatch)] = []
    for patch in patches {
      let found = text.ranges(of: patch.original)
      guard let range = found.first, found.count == 1 else {
        throw PatchError(patch: patch.id, file: patch.file, reason: .occurs(found.count))
      }
      let other = places.first { place in
        place.range.overlaps(range)
          && (place.range != range || place.patch.form != patch.form)
      }
      if let other {
        throw PatchError(patch: patch.id, file: patch.file, reason: .overlaps(other.patch.id))
      }
      places.append((range, patch))
    }
    let choices = places.map { range, patch in
      let start = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
      return PatchedChoice(
        number: patch.number,
        form: patch.form,
        range: start..<(start + patch.original.utf8.count),
        wrong: patch.wrong
      )
    }
    return ChoiceText(text, choices).text
  }
}

/// All bugs by source patch, by the file that they are in.
package let sourcePatches: [SourcePatch] =
  engineColumnPatches + engineChangePatches + engineFilePatches + engineReadingPatches
  + engineSyncPatches + engineSequencePatches + engineEditPatches + engineHistoryPatches
  + documentCallPatches + documentValuePatches + coderWriterPatches + coderReferencePatches
  + coderStagingPatches + coderReadingPatches + recordCodingPatches + recordFieldPatches
  + recordServerPatches + storeEnginePatches + storeOpeningPatches + storeRepositoryPatches
