import Foundation
import RecordCoding
package import RecordLaws
import RecordModel
import RecordServer
import RecordSubjects
import Synchronization
import Texts

/// A coder of records with its server that is wrong in one way.
package typealias RecordMutant = Mutant<any RecordSubject>

extension Mutant where Subject == any RecordSubject {
  init(
    _ id: String,
    _ sentence: String,
    caughtBy laws: [String] = [],
    breaking: (inout WrongRecords) -> Void
  ) {
    let id = MutantID(id)
    var wrong = WrongRecords(id: id.subjectID)
    breaking(&wrong)
    self.init(id, sentence, caughtBy: laws, subject: wrong)
  }
}

/// Our coder and server, with what is to be wrong between them and the laws.
///
/// Each stored closure stands between a law and the right implementation, and changes nothing
/// unless a mutant sets it:
///
///      law --- encode ----> coder ----> encoded ----> record
///      law <-- decode ----- coder <---- decoding <--- record      errors: refusing
///      law --- bytes -----> storing --> bytes                     damaged bytes: forgiving
///      law --- rebase ----> rebasing                              server: the rules of `right`
struct WrongRecords: RecordSubject {
  let id: String
  let version = "1"
  /// Our coder and server, with their options and rules.
  var right = RecordSyncSubject()
  /// What an encode is asked for, of what the law asks for.
  var asking: @Sendable (inout RecordSettings) -> Void = { _ in }
  /// What is encoded onto in place of a base.
  var based: @Sendable (Record?) -> Record? = { $0 }
  /// What an encode gives, of the record that is right.
  var encoded: @Sendable (Record) -> Record = { $0 }
  /// What an encode of a value with its children gives, of the records that are right.
  var children: @Sendable ([Record]) -> [Record] = { $0 }
  /// Whether files of assets stay that are to be deleted.
  var keepsFiles = false
  /// What a decode is asked for, of what the law asks for.
  var reading: @Sendable (inout RecordReadSettings) -> Void = { _ in }
  /// Whether system fields that are not read are those of a new record.
  var forgivesArchives = false
  /// What is said of a value's type, its changes and its record, of what is right.
  var describing: @Sendable (RecordSchema) -> RecordSchema = { $0 }
  var comparing: @Sendable ([RecordSchema.Change]) -> [RecordSchema.Change] = { $0 }
  var blaming: @Sendable ([RecordViolation]) -> [RecordViolation] = { $0 }
  /// What is decoded in place of a record.
  var decoding: @Sendable (Record) -> Record = { $0 }
  /// What is thrown in place of an error of encoding.
  var refusingToEncode: @Sendable (any Error) -> any Error = { $0 }
  /// What is thrown in place of an error of decoding.
  var refusing: @Sendable (any Error) -> any Error = { $0 }
  var storing: @Sendable (Record) -> Record = { $0 }
  /// What is read of bytes that are refused; `nil` to refuse them.
  var forgiving: @Sendable (Data) -> Record? = { _ in nil }
  var rebasing: @Sendable (Record, Record) -> Record? = { $0.rebased(onto: $1) }

  func encode<T: Encodable>(
    _ value: T,
    onto base: Record?,
    _ settings: RecordSettings
  ) throws -> Record {
    do {
      return encoded(try right.encode(value, onto: based(base), asked(settings)))
    } catch CloudKitRecordEncodingError.systemFieldsDecode where forgivesArchives {
      return Record(recordType: "Note", recordID: RecordID(recordName: "new"))
    } catch {
      throw refusingToEncode(error)
    }
  }

  func removeFiles(of record: Record, _ settings: RecordSettings) {
    if !keepsFiles { right.removeFiles(of: record, asked(settings)) }
  }

  func encodeRecords<T: Encodable>(_ value: T, _ settings: RecordSettings) throws -> [Record] {
    children(try right.encodeRecords(value, asked(settings)))
  }

  private func asked(_ settings: RecordSettings) -> RecordSettings {
    var settings = settings
    asking(&settings)
    return settings
  }

  private func asked(_ settings: RecordReadSettings) -> RecordReadSettings {
    var settings = settings
    reading(&settings)
    return settings
  }

  func decode<T: Decodable>(
    _ type: T.Type,
    from record: Record,
    _ settings: RecordReadSettings,
    resolving resolve: @escaping (RecordID) -> Record?
  ) throws -> T {
    do {
      return try right.decode(type, from: decoding(record), asked(settings), resolving: resolve)
    } catch {
      throw refusing(error)
    }
  }

  func decode<T: Decodable & Sendable>(
    _ type: T.Type,
    from record: Record,
    _ settings: RecordReadSettings,
    fetching fetch: @escaping @Sendable (RecordID) async throws -> Record?
  ) throws -> T {
    do {
      return try right.decode(type, from: decoding(record), asked(settings), fetching: fetch)
    } catch {
      throw refusing(error)
    }
  }

  func schema<T: Encodable>(of value: T, _ settings: RecordSettings) throws -> RecordSchema {
    describing(try right.schema(of: value, asked(settings)))
  }

  func changes(of schema: RecordSchema, since earlier: RecordSchema) -> [RecordSchema.Change] {
    comparing(right.changes(of: schema, since: earlier))
  }

  func violations<T: Encodable>(
    of value: T,
    for audience: RecordAudience,
    _ settings: RecordSettings
  ) throws -> [RecordViolation] {
    blaming(try right.violations(of: value, for: audience, asked(settings)))
  }

  func bytes(of record: Record) -> Data { right.bytes(of: storing(record)) }

  func record(of bytes: Data) throws -> Record {
    do {
      return try right.record(of: bytes)
    } catch {
      guard let record = forgiving(bytes) else { throw error }
      return record
    }
  }

  func rebase(_ record: Record, onto other: Record) -> Record? { rebasing(record, other) }

  func server() -> any RecordServing { right.server() }
}

extension Record {
  /// The record with other parts; what is not named stays.
  func with(
    systemFields: RecordSystemFields? = nil,
    fields: [String: RecordValue]? = nil,
    encryptedFields: [String: RecordValue]? = nil,
    changedKeys: Set<String>? = nil
  ) -> Record {
    Record(
      systemFields: systemFields ?? self.systemFields,
      fields: fields ?? self.fields,
      encryptedFields: encryptedFields ?? self.encryptedFields,
      changedKeys: changedKeys ?? changedKeySet
    )
  }

  /// The record with each value replaced, and its marks as they are.
  func mapped(_ transform: (String, RecordValue) -> RecordValue) -> Record {
    with(fields: Dictionary(uniqueKeysWithValues: fields.map { ($0, transform($0, $1)) }))
  }

  /// The record under another identity.
  func identified(_ change: (inout RecordSystemFields) -> Void) -> Record {
    var changed = systemFields
    change(&changed)
    return with(systemFields: changed)
  }
}

/// An error that says nothing.
struct EmptyError: Error {}

/// Counts encodes, for a coder that never writes the same twice.
final class EncodeCounter: Sendable {
  private let count = Atomic<Int64>(0)

  func next() -> Int64 { count.wrappingAdd(1, ordering: .relaxed).newValue }
}
