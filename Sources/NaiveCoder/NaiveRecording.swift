import CodingLaws
import CodingSupport
import Foundation
import ModelGeneration

/// Records a value and turns it into what a document stores.
struct NaiveRecording {
  let rules: NaiveCoderRules
  let settings: EncodingSettings

  func record(_ value: any Encodable) throws -> Recorded {
    var recorder = TreeRecorder()
    recorder.recordsNonFinite = !rules.refusesNonFinite
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

  private func intercept(_ value: any Encodable, _ path: CodingPath) throws -> Recorded? {
    if !rules.refusesTooDeep, path.depth > 20 { return .leaf(.null) }
    if let url = value as? URL, !rules.storesURLsAsStrings {
      return .leaf(.map([Tree.Entry("relative", .string(url.relativeString))]))
    }
    if let data = value as? Data, !rules.storesDataAsBytes {
      return .leaf(.list(data.map { .uint(UInt64($0)) }))
    }
    guard let dictionary = value as? any AnyDictionary else { return nil }
    let keyType = type(of: dictionary).keyType
    if rules.refusesIntegerKeys, keyType == Int.self {
      throw RecordingRefusal.invalid(value, path, "a document's keys are strings, not \(keyType)")
    }
    return nil
  }

  // MARK: - What is stored

  private func stored(_ recorded: Recorded, _ path: CodingPath) throws -> Recorded {
    switch recorded {
    case .leaf(let tree): return .leaf(try stored(tree, path))
    case .keyedNil, .reference: return recorded
    case .list(let elements):
      var kept: [Recorded] = []
      for (index, element) in elements.enumerated() {
        if case .leaf(.null) = element, !rules.keepsNullsInLists { continue }
        kept.append(try stored(element, path.appending(.index(index))))
      }
      return .list(kept)
    case .map(let map): return .map(try stored(map, path))
    }
  }

  private func stored(_ map: RecordedMap, _ path: CodingPath) throws -> RecordedMap {
    var result = map
    result.entries = []
    for entry in map.entries {
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
    case .list, .map: true
    default: false
    }
  }

  var isEmptyContainer: Bool { tree == .list([]) || tree == .map([]) }
}
