import AutomergeDocument
import CodingSupport
import Foundation
import MergeEngine

/// What the containers of one encode share.
final class StagingSession {
  let userInfo: [CodingUserInfoKey: Any]
  let dateTruncation: DateTruncation
  let limit: NestingLimit
  /// Whether a super encoder was handed out, whose value is known at the end only.
  var hasLater = false
  /// Fields of the last map: what the next is likely to have.
  var likelyCount = 0
  private var traits: TypeTraits
  private var failure: (any Error)?

  init(
    userInfo: [CodingUserInfoKey: Any],
    dateTruncation: DateTruncation,
    unknownKeys: UnknownKeys,
    limit: NestingLimit = .standard
  ) {
    self.userInfo = userInfo
    self.dateTruncation = dateTruncation
    self.limit = limit
    traits = TypeTraits(findsEnums: unknownKeys == .preserve)
  }

  /// Notes a refusal that could not be thrown where it arose; the first counts.
  func fail(_ error: any Error) {
    failure = failure ?? error
  }

  /// Stages the value that an encode begins with.
  func stageRoot<Value: Encodable>(_ value: Value, _ path: CodingPath) throws -> StagedValue {
    let staged = try stage(value, depth: 0, path)
    if let failure { throw failure }
    if hasLater { staged.settle() }
    return staged
  }

  /// Stages a value of any type; `path` is its own.
  func stage<Value: Encodable>(
    _ value: Value,
    depth: Int,
    _ path: @autoclosure () -> CodingPath
  ) throws -> StagedValue {
    if let scalar = try stageScalar(value, path) { return scalar }
    let trait = traits.trait(of: value)
    guard depth < limit.depth else {
      throw refusal(value, path(), "values nest deeper than \(limit.depth)")
    }
    if trait == .integerDictionary {
      throw refusal(
        value,
        path(),
        "a dictionary with keys of type Int is no map of a document: its keys are strings"
      )
    }
    let encoder = StagingEncoder(session: self, path: path(), depth: depth + 1)
    try value.encode(to: encoder)
    let staged = encoder.finish()
    if case .map(let map) = staged { likelyCount = min(map.entries.count, Self.likelyLimit) }
    if encoder.isContainer, trait != .plain { mark(staged, trait) }
    return staged
  }

  private static let likelyLimit = 64

  private func mark(_ staged: StagedValue, _ trait: TypeTrait) {
    switch (staged, trait) {
    case (.map(let map), .dictionary): map.owner = .dictionary
    case (.map(let map), .enumeration): map.markEnumeration()
    case (.list(let list), .set): list.order = .any
    case (.list(let list), .pairs) where list.elements.count.isMultiple(of: 2):
      list.order = .anyPairs
    default: break
    }
  }

  /// A value of a type that has a rule of its own.
  @inline(__always)
  private func stageScalar<Value: Encodable>(
    _ value: Value,
    _ path: () -> CodingPath
  ) throws -> StagedValue? {
    // What arrays are made of comes here, too: each type is compared, then cast.
    if Value.self == String.self, let value = value as? String { return .scalar(.string(value)) }
    if Value.self == Int.self, let value = value as? Int { return .scalar(.int(Int64(value))) }
    if Value.self == Double.self, let value = value as? Double {
      return try stage(value, path)
    }
    if Value.self == Bool.self, let value = value as? Bool { return .scalar(.bool(value)) }
    if Value.self == Date.self, let value = value as? Date { return try stage(value, path) }
    if Value.self == UUID.self, let value = value as? UUID { return .uuid(value) }
    if Value.self == URL.self, let value = value as? URL { return .url(value.absoluteString) }
    if Value.self == Data.self, let value = value as? Data {
      return .scalar(.bytes([UInt8](value)))
    }
    if Value.self == AutomergeText.self, let value = value as? AutomergeText { return .text(value) }
    if Value.self == Counter.self, let value = value as? Counter { return .counter(value) }
    return nil
  }

  private static func isStorable(_ number: some FloatingPoint) -> Bool { number.isFinite }

  @inline(__always)
  func stage(_ value: Double, _ path: () -> CodingPath) throws -> StagedValue {
    guard Self.isStorable(value) else {
      throw refusal(value, path(), "\(value) has no place in a document")
    }
    return .scalar(.double(value))
  }

  @inline(__always)
  func stage(_ value: Float, _ path: () -> CodingPath) throws -> StagedValue {
    guard Self.isStorable(value) else {
      throw refusal(value, path(), "\(value) has no place in a document")
    }
    return .float(value)
  }

  private func stage(_ value: Date, _ path: () -> CodingPath) throws -> StagedValue {
    guard let milliseconds = dateTruncation.milliseconds(of: value) else {
      // The number, not the date: Foundation traps when such a date is printed.
      throw refusal(
        value.timeIntervalSince1970,
        path(),
        "a date out of the range of 64-bit milliseconds"
      )
    }
    return .date(value, milliseconds: milliseconds)
  }

  func refusal(_ value: Any, _ path: CodingPath, _ words: String) -> EncodingError {
    .invalidValue(
      value,
      EncodingError.Context(codingPath: path.codingKeys, debugDescription: "\(words), at \(path)")
    )
  }
}

extension DateTruncation {
  /// What is stored for a date; nil for one that no timestamp holds.
  func milliseconds(of date: Date) -> Int64? {
    let seconds = date.timeIntervalSince1970
    switch self {
    case .seconds:
      guard let whole = Int64(exactly: seconds.rounded(.down)) else { return nil }
      let (milliseconds, overflows) = whole.multipliedReportingOverflow(by: 1000)
      return overflows ? nil : milliseconds
    case .milliseconds: return Int64(exactly: (seconds * 1000).rounded())
    }
  }

  /// What the rule makes of milliseconds that are stored already.
  func truncated(_ milliseconds: Int64) -> Int64 {
    switch self {
    case .seconds:
      let rest = milliseconds % 1000
      let floor = milliseconds.subtractingReportingOverflow(rest < 0 ? rest + 1000 : rest)
      return floor.overflow ? milliseconds : floor.partialValue
    case .milliseconds: return milliseconds
    }
  }
}
