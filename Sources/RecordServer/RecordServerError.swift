public import Foundation
public import RecordModel

/// Why a server does not do what a request wants of one record, or of a zone.
public enum RecordServerError: Error, Hashable, Sendable {
  /// The record is not what the client thinks it is; the server's copy and the client's.
  case serverRecordChanged(server: Record, client: Record)
  /// The record was saved once and is not there any more.
  case unknownItem
  case zoneNotFound
  /// Another record of an atomic request failed, and nothing was done.
  case batchRequestFailed
  /// The request has too many records or bytes.
  case limitExceeded
  /// The request saves this record twice: nothing of it was done. CloudKit says
  /// `CKError.invalidArguments`, "You can't save the same record twice".
  case savedTwice(RecordID)
  /// The record breaks rules of names, kinds or sizes.
  case invalidRecord([RecordViolation])
  /// A field has another kind than at its first save, or an empty list of nothing begins it.
  case schemaMismatch(key: String, expected: RecordFieldKind?, found: RecordFieldKind)
  /// A reference to a record that is neither there nor in the request, or too many that delete.
  case referenceViolation(RecordID)
  /// The token is from before the server forgot; all has to be fetched again.
  case changeTokenExpired
  /// No reply came: the request was carried out, or not, or in part.
  case networkFailure
}

extension RecordServerError: LocalizedError, CustomStringConvertible {
  /// What is wrong, and what a caller can do about it.
  public var description: String {
    switch self {
    case .serverRecordChanged(let server, let client):
      "The record \(client.recordID) has changed on the server since it was fetched: its tag is now "
        + "\(server.recordChangeTag.map { "'\($0)'" } ?? "unknown"). Merge your changes into the server's record and save that."
    case .unknownItem: "The record is not there: it was deleted, or never saved."
    case .zoneNotFound: "The zone is not there: create it first."
    case .batchRequestFailed:
      "Another record of the same atomic request failed, so that nothing of the request was done."
    case .savedTwice(let id):
      "The request saves \(id) twice, so that nothing of it was done: save each record once."
    case .limitExceeded: "The request has too many records or bytes: send it in parts."
    case .invalidRecord(let violations):
      "The record breaks rules: \(violations.map(\.description).joined(separator: "; "))."
    case .schemaMismatch(let key, let expected, let found):
      "The field '\(key)' is of kind \(found), and "
        + (expected.map { "was of kind \($0) when it was first saved." }
          ?? "a new field needs a value that tells its kind.")
    case .referenceViolation(let id):
      "The reference to \(id) cannot be kept: the record is neither there nor in the request, or too many that "
        + "are deleted with it refer to it."
    case .changeTokenExpired:
      "The token is from before the server forgot older changes: fetch the zone again, without a token."
    case .networkFailure:
      "No reply came: the request was carried out, or not, or in part. Fetch before you try again."
    }
  }

  public var errorDescription: String? { description }
}

/// What a save compares and sends.
public enum RecordSavePolicy: String, Hashable, Sendable, CaseIterable {
  /// The change tag must be the server's; changed keys are sent.
  case ifServerRecordUnchanged
  /// Nothing is compared; changed keys are sent.
  case changedKeys
  /// Nothing is compared; every key that the client has is sent, and keys it cleared.
  case allKeys
}

/// What goes wrong with one request.
public enum RecordFault: String, Hashable, Sendable, CaseIterable {
  case none
  /// It never arrives.
  case lostRequest = "lost-request"
  /// It is carried out, and the device does not learn of it.
  case lostReply = "lost-reply"
  /// The connection ends after the first of its records, unless it is atomic.
  case cut
  /// Its records are taken in the reverse of their order.
  case reversed
}

/// What a save or deletion of several records came to.
public struct RecordReply: Sendable {
  /// Of each record that was to be saved: as it is now, or why not.
  public internal(set) var saved: [RecordID: Result<Record, RecordServerError>] = [:]
  /// Of each record that was to be deleted: what went with it, itself included, or why not.
  public internal(set) var deleted: [RecordID: Result<[RecordID], RecordServerError>] = [:]

  /// A reply that says the same of everything.
  static func failed(
    _ error: RecordServerError,
    _ saving: [Record],
    _ deleting: [RecordID]
  ) -> RecordReply {
    var reply = RecordReply()
    for record in saving { reply.saved[record.recordID] = .failure(error) }
    for id in deleting { reply.deleted[id] = .failure(error) }
    return reply
  }

  /// Whether anything failed.
  public var hasFailure: Bool {
    saved.values.contains { if case .failure = $0 { true } else { false } }
      || deleted.values.contains { if case .failure = $0 { true } else { false } }
  }
}

/// A place in the changes of a zone; opaque.
public struct RecordChangeToken: Hashable, Sendable {
  let zoneID: RecordZoneID
  /// Number of the zone, since another may have its name.
  let zone: Int
  let epoch: Int
  let sequence: Int
}

/// What happened in a zone since a token.
public struct RecordChanges: Sendable {
  /// Records that were saved, as they are now, in the order of their last saves.
  public internal(set) var saved: [Record] = []
  /// Records that are gone, in the order of their deletions.
  public internal(set) var deleted: [RecordID] = []
  /// Where to go on.
  public let token: RecordChangeToken
  /// Whether there is more behind the token.
  public internal(set) var isPartial = false
}
