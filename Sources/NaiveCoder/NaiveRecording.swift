import CodingLaws
import CodingSupport
import Foundation
import ModelGeneration

// The first half of an encode: the value's own code runs and is recorded (`TreeRecorder`), then the
// record is turned into what a document stores. Nothing is written yet, so what throws here leaves
// the document as it was (decision 10).

/// Records a value and turns it into what a document stores.
///
/// Worked example: `Date` 1.9 s after 1970 is recorded as `date` (seconds since 2001) and stored as
/// `timestamp 1000`.
struct NaiveRecording {
  let rules: NaiveCoderRules
  let settings: EncodingSettings
  /// What was met on the way that the record does not tell.
  let noted = NaiveWholes.Notes()

  /// What is to be stored for a value, from the root of the value on.
  ///
  /// - Throws: `EncodingError` at the value's path for what no document holds, `NaiveCodingError`
  ///   by one wrong rule, and what the value itself throws.
  func record(_ value: any Encodable) throws -> Recorded {
    var recorder = TreeRecorder()
    recorder.recordsNonFinite = !rules.refusesNonFinite
    recorder.refusesSecondValues = rules.refusesSecondValues
    if rules.passesUserInfo { recorder.userInfo = settings.userInfo }
    recorder.intercept = { value, path in try intercept(value, path) }
    do {
      return try stored(recorder.record(value), .root)
    } catch EncodingError.invalidValue(let value, let context)
      where !rules.namesPathOfRefusedValues && context.codingPath.count > 1
    {
      let path = CodingPath.of(context.codingPath.dropLast().map { PathKey(spelled: $0) })
      throw RecordingRefusal.invalid(value, path, context.debugDescription)
    }
  }

  /// What stands for a value in place of its own encoding; `nil` for nearly all.
  private func intercept(_ value: any Encodable, _ path: CodingPath) throws -> Recorded? {
    // The mutant cuts at 20 levels, so that a chain of a few dozen shows it.
    if !rules.refusesTooDeep, path.depth > 20 { return .leaf(.null) }
    if let url = value as? URL, !rules.storesURLsAsStrings {
      // The path alone: the whole string in such a map would be read as the same URL.
      return .leaf(.map([Tree.Entry("relative", .string(url.relativePath))]))
    }
    if let data = value as? Data, !rules.storesDataAsBytes {
      return .leaf(.list(data.map { .uint(UInt64($0)) }))
    }
    noted.note(value, path)
    guard let dictionary = value as? any AnyDictionary else { return nil }
    let keyType = type(of: dictionary).keyType
    if rules.refusesIntegerKeys, keyType == Int.self {
      throw RecordingRefusal.invalid(value, path, "a document's keys are strings, not \(keyType)")
    }
    return nil
  }

  // MARK: - What is stored

  /// The recorded value with dates as timestamps; containers and texts as they are.
  private func stored(_ recorded: Recorded, _ path: CodingPath) throws -> Recorded {
    // Containers that one value asked for; values within each other the recorder counts.
    guard NestingLimit.standard.admits(path) || !rules.refusesTooDeep else {
      throw RecordingRefusal.invalid("", path, NestingLimit.standard.explanation(at: path.depth))
    }
    switch recorded {
    case .leaf(let tree): return .leaf(try stored(tree, path))
    case .spelled(let tree, let spelling): return .spelled(try stored(tree, path), spelling)
    case .keyedNil, .reference: return recorded
    case .list(let elements), .set(let elements):
      var kept: [Recorded] = []
      for (index, element) in elements.enumerated() {
        if case .leaf(.null) = element, !rules.keepsNullsInLists { continue }
        kept.append(try stored(element, path.appending(.index(index))))
      }
      return if case .set = recorded { .set(kept) } else { .list(kept) }
    case .map(let map): return .map(try stored(map, path))
    }
  }

  /// A map entry by entry, in the order in which they were written; a dictionary, which has none, in that of its keys.
  private func stored(_ map: RecordedMap, _ path: CodingPath) throws -> RecordedMap {
    var result = map
    result.entries = []
    let isSorted = map.owner == .dictionary && rules.sortsDictionaries
    let entries =
      isSorted
      ? map.entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) } : map.entries
    for entry in entries {
      if map.owner == .dictionary, !rules.takesNumberLikeKeys, Int(entry.key) != nil {
        throw NaiveCodingError(.mismatched, path.appending(.key(entry.key)))
      }
      let value = try stored(entry.value, path.appending(.key(entry.key)))
      if !rules.writesExplicitNulls, value.tree == .null, map.owner == .type { continue }
      if !rules.keepsEmptyContainers, value.isEmptyContainer, map.owner == .type { continue }
      result.entries.append((entry.key, value))
      if !rules.nestsPayloads, map.owner == .enumeration, case .map(var payload) = value {
        // The bug that was: containers of a payload land beside the case's key.
        let containers = payload.entries.filter(\.value.isContainer)
        payload.entries.removeAll(where: \.value.isContainer)
        result.entries[result.entries.count - 1].value = .map(payload)
        result.entries += containers
      }
    }
    return result
  }

  /// One leaf.
  ///
  /// A recorded leaf is a scalar, or what `intercept` made of it.
  private func stored(_ tree: Tree, _ path: CodingPath) throws -> Tree {
    switch tree {
    case .date(let seconds): return .timestamp(try milliseconds(seconds, path))
    case .uint(let value) where !rules.storesUnsignedAsUnsigned:
      return .int(Int64(truncatingIfNeeded: value))
    case .string(let value) where !rules.keepsScalarsOfStrings:
      return .string(value.precomposedStringWithCanonicalMapping)
    default: return tree
    }
  }

  /// The milliseconds since 1970 that are stored for seconds since 2001.
  ///
  /// Rounded down to seconds, or to the nearest millisecond.
  ///
  /// - Throws: `EncodingError` for NaN, infinities, and what 64 bits do not hold.
  private func milliseconds(_ seconds: Double, _ path: CodingPath) throws -> Int64 {
    let since1970 = Date(timeIntervalSinceReferenceDate: seconds).timeIntervalSince1970
    let fidelity = settings.dateTruncation ?? .seconds
    let exact: Double
    if fidelity == .seconds {
      let whole = rules.roundsDatesDown ? since1970.rounded(.down) : since1970.rounded(.towardZero)
      exact = rules.storesMilliseconds ? whole * 1000 : whole
    } else {
      let product = since1970 * 1000
      exact = rules.roundsMilliseconds ? product.rounded() : product.rounded(.towardZero)
    }
    guard let stored = Int64(exactly: rules.keepsSignOfDates ? exact : abs(exact)) else {
      if !rules.refusesImpossibleDates { return 0 }
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      throw RecordingRefusal.invalid(date, path, "no timestamp of 64 bits holds the date")
    }
    return stored
  }
}

extension Recorded {
  var isContainer: Bool {
    switch self {
    case .list, .set, .map: true
    default: false
    }
  }

  /// Whether it is a list or map without anything in it.
  var isEmptyContainer: Bool { tree == .list([]) || tree == .map([]) }
}
