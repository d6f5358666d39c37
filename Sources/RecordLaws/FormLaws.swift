import Foundation
import PropertyEngine
import RecordModel

// Laws of archives that were made on purpose: forged ones with a right checksum, and extended ones
// of a later version. Damage by accident is `record.damage-refused`. The form is described in
// Records.md, "Archives".
//
//     52 53 59 53  01  01  05  04 4e 6f 74 65  02 ...  c0 c1 c2 c3
//     RSYS          |   |   |  length and text  next   checksum (CRC-32C) of all before it
//                version tag length of the part

extension RecordLaw {
  /// Laws of stored bytes that a later version or another program wrote, without damage.
  static let formLaws: [RecordLaw] = [oneForm, archivesRead]

  private static let archives = LawSource.document("Records.md", "Archives")

  /// A checksum shows accidents; an attacker computes a right one.
  ///
  /// Catches lengths that are believed, and bytes that are passed over in part: what is saved again is
  /// something else then.
  ///
  /// Worked example: a length byte is one too large, and a reader takes the byte behind it along.
  /// If it is read at all, it must be written as the very same bytes: one record, one form, so that
  /// files can be compared.
  ///
  /// A length of 5 is the byte `05`; a careless reader of LEB128 also takes `85 00` for it, and one
  /// record has two forms. `record-damage-forgiven` reads whatever is damaged as one empty record.
  static let oneForm = value(
    "record.one-form",
    "A record has one form.",
    "Bytes whose checksum is right are refused, or are those that the record is written as which they are read as.",
    source: archives,
    of: Generator { $0.record(["a", "b", "c"]) },
    count: 100
  ) { subject, drawn, choices in
    let record = Record(
      systemFields: RecordSystemFields(recordType: "Note", recordID: choices.recordID()),
      fields: drawn.fields,
      encryptedFields: drawn.encryptedFields,
      changedKeys: drawn.changedKeySet
    )
    let bytes = try subject.bytes(of: record)
    if let misordered = misordered(bytes, record.changedKeys()),
      (try? subject.record(of: misordered)) != nil
    {
      return .record("form.order", "marked keys that stand in another order are read")
    }
    let forged = choices.forged(bytes)
    // A refusal is right: most forged bytes are no record.
    guard let read = try? subject.record(of: forged) else { return nil }
    let again = try subject.bytes(of: read)
    guard again != forged else { return nil }
    return .record(
      "form.other",
      "forged bytes are read as a record that is written otherwise",
      expected: "a refusal, or \(forged.count) bytes that come again",
      actual: "\(again.count) bytes: \(read)",
      between: nil,
      "the forged bytes, read and written again"
    )
  }

  /// A record whose last two marked keys have changed places, with a right checksum; `nil` unless two of one letter are
  /// marked.
  ///
  ///     ... 02 01 61 01 62, the checksum      the keys "a" and "b", which become "b" and "a"
  private static func misordered(_ bytes: Data, _ keys: [String]) -> Data? {
    let last = keys.suffix(2).map { Array($0.utf8) }
    var bytes = Array(bytes.dropLast(4))
    guard last.count == 2, last.allSatisfy({ $0.count == 1 }),
      bytes.suffix(4) == [1] + last[0] + [1] + last[1]
    else { return nil }
    bytes.swapAt(bytes.count - 3, bytes.count - 1)
    return Data(bytes + checksum(of: bytes))
  }

  /// Catches an archive that an older version of the app no longer reads, and a part that it believes in a wrong place.
  ///
  /// Worked example: `[130, 0]` behind the last part is one that version 2 added, and is passed
  /// over; `[64, 0]` is of this version's range and unknown, and refused.
  static let archivesRead = value(
    "record.archives-extend",
    "Archives may be extended.",
    "An archive of system fields with a part that a later version added, of a tag of 129 or more, is read without it; "
      + "any other part that this version does not know, or that is out of order, is refused, as is a part with bytes "
      + "to spare.",
    source: archives,
    count: 64
  ) { subject, choices in
    let fields = choices.systemFields()
    // Without checksum, which is put behind what was added.
    var bytes = Array(fields.archived().dropLast(4))
    let isLonger = choices.flag(percent: 30)
    let tag = UInt8(choices.element(of: [129, 130, 200, 255, 0, 1, 2, 9, 10, 64, 127, 128]))
    // An empty part is an unknown one: the contents of all known parts have a length.
    bytes += isLonger ? [] : [tag, 0]
    if isLonger {
      // The first part is the record type: `[1][length][length of the text][text]`.
      // Bytes 0 to 4 are the form's mark and version, 5 is the tag of the first part, 6 its length.
      bytes[6] += 1
      // A zero behind the text, within the part: nothing reads it.
      bytes.insert(0, at: 7 + Int(bytes[6]) - 1)
    }
    var note = OldNote(named: fields.recordID.recordName)
    note.cloudKitSystemFields = Data(bytes + checksum(of: bytes))
    let isRead = !isLonger && tag > 128
    guard let record = try? subject.encode(note, onto: nil) else {
      return isRead ? .record("archive.refused", "a part of tag \(tag) was not passed over") : nil
    }
    guard isRead else {
      let what = isLonger ? "a part with a byte to spare" : "a part of tag \(tag) at the end"
      return .record("archive.read", "an archive with \(what) was read")
    }
    return record.systemFields == fields
      ? nil
      : .record(
        "archive.differs",
        "a part of tag \(tag) changed the others",
        expected: fields,
        actual: record.systemFields,
        between: "the system fields without the part",
        "the system fields with the part"
      )
  }
}

extension RecordLaw {
  /// Catches a reader that tells an accident from a later version by luck: an app that takes the one for the other asks
  /// its user to restore what an update would read.
  ///
  /// Of system fields and of a whole record, which begin alike: four letters, a version, and a checksum at the end.
  ///
  ///     the bytes                                  the reason
  ///     fewer than nine, and a right beginning     truncated
  ///     another letter in front                    unknownFormat
  ///     `bplist00` in front                        keyedArchive
  ///     version 2 or more                          newerVersion, whatever follows
  ///     one bit changed, or no end                 damaged
  ///     no record type, or no name, summed again   malformed
  static let archivesTold = value(
    "record.archives-told",
    "An archive is refused with its reason.",
    "Stored records and system fields that are cut off, damaged, foreign, of a later version, CloudKit's own or without "
      + "a type or name are refused as just that, each in other words.",
    source: archives,
    count: 80
  ) { subject, choices in
    let fields = choices.systemFields()
    let isWhole = choices.flag()
    let record = Record(systemFields: fields, fields: ["a": .int64(1)])
    let bytes = Array(isWhole ? try subject.bytes(of: record) : fields.archived())
    var changed = bytes
    let expected: RecordBytesError
    switch choices.index(below: 6) {
    case 0:
      let count = choices.index(below: bytes.count)
      changed = Array(bytes.prefix(count))
      expected = count < 9 ? .truncated : .damaged
    case 1:
      changed[choices.index(below: 4)] ^= 1 << choices.index(below: 8)
      if choices.flag() { changed = Array(changed.prefix(choices.index(below: 4))) }
      let beginning = bytes.prefix(min(4, changed.count))
      expected = changed.starts(with: beginning) ? .truncated : .unknownFormat
    case 2:
      changed = Array("bplist00".utf8) + bytes.prefix(choices.index(below: bytes.count))
      expected = .keyedArchive
    case 3:
      let version = 2 + choices.index(below: 254)
      changed[4] = UInt8(version)
      expected = .newerVersion(version)
    case 4:
      changed[5 + choices.index(below: bytes.count - 5)] ^= 1 << choices.index(below: 8)
      expected = .damaged
    default:
      // The record type is `[1][length][text]`, and the name `[2][length][texts]` behind it.
      changed = Array(fields.archived().dropLast(4))
      let first = 5..<(7 + Int(changed[6]))
      let second = first.upperBound..<(first.upperBound + 2 + Int(changed[first.upperBound + 1]))
      changed.removeSubrange(choices.flag() ? first : second)
      changed += checksum(of: changed)
      let error = refusal { _ = try RecordSystemFields(archive: Data(changed)) }
      guard case .malformed? = error as? RecordBytesError else {
        return .record("archive.part", "system fields without a part: \(words(of: error))")
      }
      return nil
    }
    let error = refusal {
      if isWhole {
        _ = try subject.record(of: Data(changed))
      } else {
        _ = try RecordSystemFields(archive: Data(changed))
      }
    }
    let reasons: [RecordBytesError] = [
      .keyedArchive, .unknownFormat, .newerVersion(2), .newerVersion(3), .truncated, .damaged,
      .malformed("a"), .malformed("b"),
    ]
    guard error as? RecordBytesError == expected else {
      return .record(
        "archive.reason",
        "bytes are refused for another reason",
        expected: "\(expected)",
        actual: words(of: error),
        between: nil,
        "the refusal"
      )
    }
    return Set(reasons.map(\.description)).count == reasons.count
      ? nil : .record("archive.words", "two reasons have the same words")
  }

  /// What a call throws; `nil` for nothing.
  private static func refusal(_ body: () throws -> Void) -> (any Error)? {
    do {
      try body()
      return nil
    } catch {
      return error
    }
  }

  private static func words(of error: (any Error)?) -> String {
    error.map { "\($0)" } ?? "they are read"
  }
}

/// CRC-32C of bytes, bit by bit, least byte first.
///
/// Source: RFC 3720, section 12.1.
private func checksum(of bytes: some Sequence<UInt8>) -> [UInt8] {
  var sum: UInt32 = .max
  for byte in bytes {
    sum ^= UInt32(byte)
    for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0x82F6_3B78 }
  }
  let last = ~sum
  return (0..<4).map { UInt8(truncatingIfNeeded: last >> (8 * UInt32($0))) }
}

extension Choices {
  /// Bytes with one to three changes before their checksum, which is right again.
  ///
  /// So nothing but the reader's own checks can refuse them. Of eleven changes four put a number that means
  /// something somewhere (a kind, a length, an end of LEB128), two add a byte, two take one out, one moves
  /// a byte by one, one writes a piece of up to 16 bytes twice, and one puts a length of 63 bits or more somewhere.
  fileprivate mutating func forged(_ whole: Data) -> Data {
    var bytes = Array(whole.dropLast(4))
    for _ in 0..<number(in: 1...3, bias: .small) where !bytes.isEmpty {
      let place = index(below: bytes.count)
      switch pick(weights: [4, 2, 2, 1, 1, 1]) {
      case 0:
        bytes[place] = UInt8(element(of: [0, 1, 2, 4, 8, 16, 33, 48, 64, 127, 128, 129, 255]))
      case 1: bytes.insert(UInt8(number(in: 0...255)), at: place)
      case 2: bytes.remove(at: place)
      case 3: bytes[place] = bytes[place] &+ (flag() ? 1 : 255)
      case 4:
        let end = Swift.min(bytes.count, place + 1 + number(in: 0...15))
        bytes.insert(contentsOf: bytes[place..<end], at: place)
      default:
        // A length that does not end, of as many bits as a number has, and more.
        bytes.insert(contentsOf: repeatElement(0xFF, count: 8 + number(in: 0...3)), at: place)
      }
    }
    return Data(bytes + checksum(of: bytes))
  }
}
