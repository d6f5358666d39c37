public import Foundation

/// What a record has that it must not have, and where.
public struct RecordViolation: Error, Hashable, Sendable {
  public enum Rule: Hashable, Sendable {
    /// A name without characters.
    case empty
    /// A name begins with something that is no letter, or with an underscore.
    case firstCharacter
    /// A name has a character that it may not have.
    case character
    /// A name has more characters than the limit.
    case tooLong(limit: Int)
    /// A key is one of ``RecordNames/reservedKeys``.
    case reserved
    /// A reference to a record of another zone.
    case otherZone(RecordZoneID)
    /// An asset or reference among the encrypted fields.
    case notEncryptable(RecordFieldKind)
    /// A key stands among the fields and among the encrypted ones.
    case encryptedTwice
    /// An asset whose file is not there; `nil` if it names no file.
    case missingFile(URL?)
    /// All fields take too much; the total and the largest.
    case tooLarge(byteCount: Int, largest: [RecordFieldSize])
    /// A number that is infinite or none at all.
    case notFinite
    /// A date that is no whole millisecond of an `Int64` since 1970.
    case notMilliseconds
  }

  /// What the rule is broken by.
  public enum Subject: Hashable, Sendable {
    case recordType(String)
    case recordName(String)
    case zone(RecordZoneID)
    /// A field; with an index, an element of its list.
    case field(String, index: Int?)
    /// The record as a whole.
    case record
  }

  public let subject: Subject
  public let rule: Rule

  public init(_ subject: Subject, _ rule: Rule) {
    self.subject = subject
    self.rule = rule
  }
}

extension RecordViolation: CustomStringConvertible {
  public var description: String { "\(subject.text) \(rule.text)" }
}

extension RecordViolation.Subject {
  fileprivate var text: String {
    switch self {
    case .recordType(let name): "record type '\(name)'"
    case .recordName(let name): "record name '\(name)'"
    case .zone(let zone): "zone '\(zone.zoneName)' of '\(zone.ownerName)'"
    case .field(let key, nil): "field '\(key)'"
    case .field(let key, let index?): "field '\(key)', element \(index)"
    case .record: "the record"
    }
  }
}

extension RecordViolation.Rule {
  fileprivate var text: String {
    switch self {
    case .empty: "has an empty name"
    case .firstCharacter: "begins with a character that is not allowed there"
    case .character: "has a character that is not allowed"
    case .tooLong(let limit): "is longer than \(limit) characters"
    case .reserved: "has a reserved key"
    case .otherZone(let zone): "refers to zone '\(zone.zoneName)', which is not the record's"
    case .notEncryptable(let kind): "is encrypted, and a value of kind \(kind) cannot be"
    case .encryptedTwice: "is both among the encrypted fields and among the others"
    case .missingFile(let url?): "is an asset whose file is not there: \(url.absoluteString)"
    case .missingFile(nil): "is an asset without a file"
    case .tooLarge(let byteCount, let largest):
      "takes \(byteCount) bytes, and must take fewer than \(RecordLimits.recordBytes); the largest are "
        + largest.map { "\($0.key) (\($0.byteCount))" }.joined(separator: ", ")
    case .notFinite: "is a number that is not finite"
    case .notMilliseconds: "is a date that is not a whole millisecond"
    }
  }
}

/// The side that is to accept a record.
public enum RecordAudience: Hashable, Sendable, CaseIterable {
  /// A device that keeps it: names, keys, zones, files, sizes.
  case client
  /// A server: no number that is not finite, and dates of whole milliseconds, as well.
  case server
}

extension Record {
  /// All that is wrong with the record, in the order of its keys; none if nothing is.
  ///
  /// `existing` tells whether an asset's file is there.
  public func violations(
    for audience: RecordAudience,
    existing: (URL) -> Bool = { FileManager.default.isReadableFile(atPath: $0.path) }
  ) -> [RecordViolation] {
    var found: [RecordViolation] = []
    func report(_ subject: RecordViolation.Subject, _ rule: RecordViolation.Rule?) {
      if let rule { found.append(RecordViolation(subject, rule)) }
    }
    report(.recordType(recordType), RecordNames.typeProblem(recordType))
    report(.recordName(recordID.recordName), RecordNames.nameProblem(recordID.recordName))
    report(.zone(recordID.zoneID), RecordNames.zoneProblem(recordID.zoneID))
    for key in Set(fields.keys).union(encryptedFields.keys).sorted() {
      report(.field(key, index: nil), RecordNames.keyProblem(key))
      let value = fields[key]
      let encrypted = encryptedFields[key]
      if value != nil, encrypted != nil { report(.field(key, index: nil), .encryptedTwice) }
      if let encrypted, [.asset, .reference].contains(encrypted.kind.kind) {
        report(.field(key, index: nil), .notEncryptable(encrypted.kind))
      }
      for value in [value, encrypted] {
        guard let value else { continue }
        guard case .list(let list) = value else {
          report(.field(key, index: nil), problem(of: value, audience, existing))
          continue
        }
        for (index, element) in list.elements.enumerated() {
          report(.field(key, index: index), problem(of: element, audience, existing))
        }
      }
    }
    let byteCount = byteCount
    if byteCount >= RecordLimits.recordBytes {
      report(.record, .tooLarge(byteCount: byteCount, largest: largestFields()))
    }
    return found
  }

  private func problem(
    of value: RecordValue,
    _ audience: RecordAudience,
    _ existing: (URL) -> Bool
  ) -> RecordViolation.Rule? {
    switch value {
    case .reference(let reference) where reference.recordID.zoneID != recordID.zoneID:
      .otherZone(reference.recordID.zoneID)
    case .asset(let asset) where asset.fileURL.map(existing) != true: .missingFile(asset.fileURL)
    case .double(let number) where audience == .server && !number.isFinite: .notFinite
    case .timestamp(let date) where audience == .server && !date.isWholeMillisecond:
      .notMilliseconds
    default: nil
    }
  }
}

extension Date {
  /// The nearest whole millisecond since 1970, halves away from it; `nil` beyond an `Int64` of them.
  ///
  /// Servers keep no more. The result of a result is the same date.
  public var roundedToMilliseconds: Date? {
    let count = (timeIntervalSince1970 * 1000).rounded(.toNearestOrAwayFromZero)
    return Int64(exactly: count).map { Date(timeIntervalSince1970: Double($0) / 1000) }
  }

  var isWholeMillisecond: Bool { roundedToMilliseconds == self }
}
