package import Foundation
package import RecordModel

// What laws demand of a subject: `RecordSubject` for the coder and the storage of records,
// `RecordServing` for a server. Implemented by `RecordSyncSubject` of `RecordSubjects`, and by the
// mutants that wrap it.

/// What laws of records demand of a subject: a coder of records, and a server for them.
///
/// Laws import no implementation: records are the words that both sides share.
///
/// A subject keeps nothing from call to call but what its servers hold; laws ask for a fresh server
/// each.
package protocol RecordSubject: Sendable {
  /// Short and stable: `record-sync`.
  var id: String { get }
  var version: String { get }

  /// The record of a value; with a base, on top of it.
  ///
  /// The base is what the device fetched last: fields that the value does not name are kept, and
  /// the keys of fields that differ are marked.
  func encode<T: Encodable>(
    _ value: T,
    onto base: Record?,
    _ settings: RecordSettings
  ) throws -> Record
  /// Deletes the files that an encode has written for a record.
  ///
  /// Files that lie elsewhere, the user's own among them, stay.
  func removeFiles(of record: Record, _ settings: RecordSettings)
  /// The records of a value and of its children, targets before those that refer to them.
  ///
  /// Each record once, also if two values refer to it.
  func encodeRecords<T: Encodable>(_ value: T, _ settings: RecordSettings) throws -> [Record]
  /// The value of a record; `resolve` finds the records that its references name.
  func decode<T: Decodable>(
    _ type: T.Type,
    from record: Record,
    _ settings: RecordReadSettings,
    resolving resolve: @escaping (RecordID) -> Record?
  ) throws -> T

  /// The value of a record whose references are fetched, each at most once.
  func decode<T: Decodable & Sendable>(
    _ type: T.Type,
    from record: Record,
    _ settings: RecordReadSettings,
    fetching fetch: @escaping @Sendable (RecordID) async throws -> Record?
  ) throws -> T

  /// The keys and kinds of a value's type.
  func schema<T: Encodable>(of value: T, _ settings: RecordSettings) throws -> RecordSchema
  /// What is otherwise in a schema than in an earlier one.
  func changes(of schema: RecordSchema, since earlier: RecordSchema) -> [RecordSchema.Change]
  /// All that is wrong with the record that a value would have.
  func violations<T: Encodable>(
    of value: T,
    for audience: RecordAudience,
    _ settings: RecordSettings
  ) throws -> [RecordViolation]

  /// A record as bytes, and the record of bytes from anywhere.
  ///
  /// - Throws: The subject's own error for bytes that are no record, or damaged.
  func bytes(of record: Record) throws -> Data
  func record(of bytes: Data) throws -> Record
  /// The changes of a record on top of the server's state of it.
  ///
  /// `nil` if the two are not one record.
  func rebase(_ record: Record, onto other: Record) -> Record?

  /// An empty server.
  func server() -> any RecordServing
}

extension RecordSubject {
  func encode<T: Encodable>(_ value: T, onto base: Record?) throws -> Record {
    try encode(value, onto: base, RecordSettings())
  }

  func decode<T: Decodable>(
    _ type: T.Type,
    from record: Record,
    _ settings: RecordReadSettings = RecordReadSettings()
  ) throws -> T {
    try decode(type, from: record, settings, resolving: { _ in nil })
  }
}

/// A server as laws use it.
///
/// A class, as a server is one thing that several devices change.
package protocol RecordServing: AnyObject {
  /// Carries a request out, or not, as its fault says; answers for each record of it.
  func modify(_ request: RecordRequest) -> RecordAnswer
  /// The record; `nil` if there is none.
  func fetch(_ id: RecordID) -> Record?
  /// All records of the zone, in the order of their names.
  func all() -> [Record]
  /// What happened since a mark; `nil` for an expired one.
  func changes(since mark: Int?) -> RecordNews?
  /// Makes every mark expire that was given out.
  func expire()
  /// Deletes the zone with all its records, and makes one of its name; says whether there was one.
  func renewZone() -> Bool
  /// Makes the zone; nothing happens if it is there.
  func makeZone()
  /// The kinds of fields that are fixed for a record type, by key.
  func kinds(of recordType: String) -> [String: RecordFieldKind]
  /// Why a record is not fetched; `nil` if it is.
  func refusal(ofFetching id: RecordID) -> RecordRefusal?
  /// Why changes of any zone since a mark are not told; `nil` if they are.
  func refusal(ofChangesIn zone: RecordZoneID, since mark: Int?) -> RecordRefusal?
}

/// Why a server has no answer.
package enum RecordRefusal: String, Hashable, Sendable {
  case noZone = "there is no such zone"
  case noRecord = "there is no such record"
  case expired = "the mark has expired, or is of another zone"
  case other = "another reason"
}

/// A request to save and delete records.
package struct RecordRequest: Sendable {
  /// The policies of CloudKit: compare tags, save the changed keys, save all keys.
  ///
  /// `changed` and `all` compare no tags.
  package enum Policy: String, Hashable, Sendable, CaseIterable {
    case unchanged
    case changed
    case all
  }

  /// What happens to the request: nothing, it never arrives, its reply never arrives, only its
  /// first record is carried out, its records come in reverse order.
  ///
  ///     fault            the server does                     the device hears of
  ///     none             all                                 all
  ///     lost-request     nothing                             nothing
  ///     lost-reply       all                                 nothing
  ///     cut              the first save; all if atomic       the same
  ///     reversed         all, from the last on               all
  package enum Fault: String, Hashable, Sendable, CaseIterable {
    case none
    case lostRequest = "lost-request"
    case lostReply = "lost-reply"
    case cut
    case reversed
  }

  package var saving: [Record]
  package var deleting: [RecordID]
  package var policy: Policy
  /// Whether all of it is carried out or nothing.
  package var isAtomic: Bool
  package var fault: Fault

  package init(
    saving: [Record] = [],
    deleting: [RecordID] = [],
    policy: Policy = .unchanged,
    isAtomic: Bool = false,
    fault: Fault = .none
  ) {
    self.saving = saving
    self.deleting = deleting
    self.policy = policy
    self.isAtomic = isAtomic
    self.fault = fault
  }
}

/// What became of each record of a request.
package struct RecordAnswer: Sendable {
  package enum Outcome: Hashable, Sendable {
    /// Done; the record as the server has it now, `nil` if it was deleted.
    case done(Record?)
    /// The server's record has another tag.
    case changed(Record)
    /// It was there once.
    case unknown
    /// Another record of the request failed.
    case batch
    /// No reply.
    case network
    /// The target of one of its references is not there.
    case reference
    /// Records of its type have values of another kind under the key.
    case kind(key: String)
    /// Anything else, in words that no law reads.
    case refused(String)
  }

  package var outcomes: [RecordID: Outcome] = [:]
  /// Of each deletion that was done, the records that went by it, itself included.
  package var gone: [RecordID: [RecordID]] = [:]
  /// Of each save that was refused, what the server says besides the reason.
  package var details: [RecordID: Detail] = [:]

  package enum Detail: Hashable, Sendable {
    /// The record that was sent, beside the server's own.
    case sent(Record)
    /// The target that is not there.
    case target(RecordID)
    /// The kind that the field has, and the one that was sent.
    case kinds(RecordFieldKind?, RecordFieldKind)
  }

  package init() {}

  package var isDone: Bool {
    outcomes.values.allSatisfy { if case .done = $0 { true } else { false } }
  }
}

extension RecordAnswer.Outcome: CustomStringConvertible {
  package var description: String {
    switch self {
    case .done: "done"
    case .changed: "changed"
    case .unknown: "unknown"
    case .batch: "not tried, since another record of the request failed"
    case .network: "no reply"
    case .reference: "the target of a reference is missing"
    case .kind(let key): "another kind under \(key)"
    case .refused(let words): "refused: \(words)"
    }
  }
}

/// Changes of the zone, and the mark behind them.
package struct RecordNews: Sendable {
  package var saved: [Record]
  package var deleted: [RecordID]
  /// Numbers are the server's own; a device hands one back and reads nothing into it.
  package var mark: Int
  /// Whether more has happened behind the mark: one page of several.
  package var isPartial: Bool

  package init(saved: [Record], deleted: [RecordID], mark: Int, isPartial: Bool) {
    self.saved = saved
    self.deleted = deleted
    self.mark = mark
    self.isPartial = isPartial
  }
}
