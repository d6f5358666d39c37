// Large worlds: `WorldSize` says how large a history is, `BulkDraft` draws what makes it so,
// `BulkKind` by which edits. `HistoryGenerator.swift` draws the size first, then the growth of the
// base, and bursts as steps.

import DocumentModel
import PropertyEngine

/// How large a history is: small ones show most bugs and cost least, the others show those of nodes
/// that split, runs, tables and thresholds.
///
/// Large ones are drawn as rarely as they cost more: together they take about a third of the time.
///
/// Drawn as a preference: a fuzzer's bytes always give `small`.
enum WorldSize: CaseIterable {
  /// Every edit is drawn by itself.
  case small
  /// Many edits as one step.
  case bursts
  /// The replicas start from objects of many elements.
  case large
  /// The same, with more elements than any other test has.
  case huge
  /// Many replicas.
  case crowd

  /// Of 4,871 histories 130 have bursts, 30 are large, 10 crowded and 1 huge.
  var weight: Int {
    switch self {
    case .small: 4700
    case .bursts: 130
    case .large: 30
    case .huge: 1
    case .crowd: 10
    }
  }

  /// Edits that a burst may have, one by one.
  var burstLimit: Int {
    switch self {
    case .small, .crowd: 0
    case .bursts, .huge: 300
    case .large: 200
    }
  }

  /// Elements that one edit may write or delete.
  var pasteLimit: Int {
    switch self {
    case .small, .crowd: 0
    case .bursts: 600
    case .large: 3000
    case .huge: 100_000
    }
  }

  /// Elements that all edits of a history may write.
  var volumeLimit: Int {
    switch self {
    case .small, .crowd: 0
    case .bursts: 1000
    case .large: 4000
    case .huge: 120_000
    }
  }

  /// Edits on average; a large world needs few.
  func editMean(_ mean: Int) -> Int {
    switch self {
    case .small: mean
    case .bursts: min(mean, 10)
    case .large, .crowd: min(mean, 7)
    case .huge: min(mean, 3)
    }
  }

  /// Replicas at the start, within the limits asked for.
  ///
  /// Large worlds have few replicas, since each holds all of its elements; a crowd has up to 16, or
  /// as many as were asked for.
  func replicas(_ limits: ClosedRange<Int>) -> ClosedRange<Int> {
    guard limits.lowerBound < limits.upperBound else { return limits }
    switch self {
    case .small: return limits
    case .bursts, .large, .huge:
      return limits.lowerBound...min(limits.lowerBound + 1, limits.upperBound)
    case .crowd: return limits.lowerBound...max(16, limits.upperBound)
    }
  }
}

/// Draws what makes a world large: bursts, and what the base holds besides.
///
/// Positions and counts are wishes, as those of edits are: the normaliser fits a burst to what is
/// there.
struct BulkDraft {
  let size: WorldSize
  private let capabilities: Capabilities
  private let base: Base
  /// Elements that may still be written.
  ///
  /// It goes down with each burst, to 8 at least, so that a history of many bursts stays within
  /// ``WorldSize/volumeLimit``, but for a few.
  private var volume: Int

  init(_ size: WorldSize, _ capabilities: Capabilities, _ base: Base) {
    self.size = size
    self.capabilities = capabilities
    self.base = base
    volume = size.volumeLimit
  }

  /// What the base holds besides.
  ///
  /// Up to three bursts, which become changes of the base's own writer.
  mutating func growth(_ choices: inout Choices) -> [Burst] {
    guard size == .large || size == .huge, base != .empty else { return [] }
    var growth: [Burst] = []
    choices.repeated(upTo: 3, averaging: 2, "growth") { choices in
      if let burst = bulk(&choices, isGrowth: true) { growth.append(burst) }
    }
    return growth
  }

  /// A step that is many; `nil` if the subjects cannot make it, or the history is large enough.
  ///
  /// Of 100 bursts 60 repeat an edit as any other; the rest write or delete in bulk (`BulkKind`).
  mutating func burst(_ edits: inout EditDraft, _ choices: inout Choices) -> Burst? {
    guard size.burstLimit > 0 else { return nil }
    guard choices.flag(percent: 60) else { return bulk(&choices) }
    guard let edit = edits.edit(&choices), edit.madeKind == nil else { return nil }
    // A paste, many times over, is as much as all of it together.
    let written = max(1, Burst(edit, count: 1).elementCount)
    let count = number(upTo: size.burstLimit, each: written, &choices)
    let walk = choices.element(of: Burst.Walk.allCases)
    return Burst(edit, count: count, walk: walk, commits: choices.flag(percent: 25))
  }

  /// Many elements: as one edit, or one by one.
  ///
  /// Objects are those of ``Base/objects``: list 1, text 2, map 3. Other bases have none of them,
  /// and the normaliser finds what there is.
  private mutating func bulk(_ choices: inout Choices, isGrowth: Bool = false) -> Burst? {
    let kinds = BulkKind.allCases.filter {
      $0.isPossible(for: capabilities) && ($0.isGrowth || !isGrowth)
    }
    guard !kinds.isEmpty else { return nil }
    let kind = kinds[choices.index(below: kinds.count)]
    let count = number(upTo: kind.isOneEdit ? size.pasteLimit : size.burstLimit, &choices)
    let place = choices.number(in: 0...40, bias: .small)
    switch kind {
    case .paste:
      let piece = choices.element(of: Self.pieces)
      let text = String(repeating: piece, count: max(1, count / piece.unicodeScalars.count))
      let edit = Edit.spliceText(
        ObjectName(2),
        index: place,
        deleting: 0,
        inserting: ExactString(text)
      )
      return Burst(edit, count: 1)
    case .fill:
      let values = choices.element(of: patterns)
      let filled = (0..<count).map { values($0) }
      return Burst(.splice(ObjectName(1), index: place, deleting: 0, inserting: filled), count: 1)
    case .insertEach:
      let walk = choices.element(of: Burst.Walk.allCases)
      return Burst(.insert(ObjectName(1), index: place, sample), count: count, walk: walk)
    case .putEach:
      let object = base == .objects && choices.flag() ? ObjectName(3) : ObjectName.root
      let commits = choices.flag()
      return Burst(
        .put(object, .key("k"), sample),
        count: count,
        walk: .forward,
        commits: commits
      )
    case .deleteEach:
      let object = choices.flag() ? ObjectName(1) : ObjectName(2)
      let end = choices.number(in: 0...size.pasteLimit, bias: .sizes)
      let walk: Burst.Walk = choices.flag() ? .same : .backward
      return Burst(.delete(object, .index(end)), count: count, walk: walk)
    }
  }

  /// A number of elements; those that limits and thresholds are made of more often than others.
  ///
  /// `written` is what one edit writes, so that edits times elements stay within the volume.
  private mutating func number(
    upTo limit: Int,
    each written: Int = 1,
    _ choices: inout Choices
  ) -> Int {
    let count = 1 + choices.index(below: max(1, min(limit, volume / written)), bias: .sizes)
    volume = max(8, volume - count * written)
    return count
  }

  private var sample: Scalar {
    capabilities.scalars.contains(.int) ? .int(0) : patterns[0](0)
  }

  /// Pieces that make up texts: one run; runs cut by other widths; clusters.
  private static let pieces = ["a", "ab", "a\u{e9}", "\u{20ac}", "\u{1F600}z", "e\u{301}"]

  /// Values by their place: equal, counting, of two types, of growing lengths, at borders.
  ///
  /// Values that a column stores in different ways: runs of equal or counting numbers, literals,
  /// values of changing types and lengths.
  private var patterns: [@Sendable (Int) -> Scalar] {
    let patterns: [@Sendable (Int) -> Scalar] = [
      { .int(Int64($0)) },
      { _ in .int(5) },
      { $0.isMultiple(of: 2) ? .int(Int64($0)) : .null },
      { .string(ExactString(String(repeating: "s", count: $0 % 70))) },
      { .int(NotableValues.integers[$0 % NotableValues.integers.count]) },
      { $0.isMultiple(of: 3) ? .boolean(true) : .uint(UInt64($0)) },
    ]
    let possible = patterns.filter { pattern in
      (0..<6).allSatisfy { capabilities.scalars.contains(pattern($0).kind) }
    }
    return possible.isEmpty ? [{ _ in .null }] : possible
  }
}

/// What many elements are written by.
private enum BulkKind: CaseIterable {
  /// One text, typed at once.
  case paste
  /// Values of a list, inserted at once.
  case fill
  /// Elements of a list, one by one.
  case insertEach
  /// Keys of a map, one by one.
  case putEach
  /// Elements of a list or text, one by one, as by a delete key held down either way.
  case deleteEach

  var isOneEdit: Bool { self == .paste || self == .fill }

  /// Whether there is something to do it to when the base is all that there is.
  var isGrowth: Bool { self != .deleteEach }

  func isPossible(for capabilities: Capabilities) -> Bool {
    let edits = capabilities.edits
    let hasValues = !capabilities.scalars.isEmpty
    return switch self {
    case .paste: edits.contains(.spliceText)
    case .fill: hasValues && edits.contains(.splice)
    case .insertEach: hasValues && edits.contains(.insert)
    case .putEach: hasValues && edits.contains(.put)
    case .deleteEach: edits.contains(.delete)
    }
  }
}
