package import Foundation
package import RecordCoding
package import RecordLaws
package import RecordModel
package import RecordServer
import Schedules

/// Our coder of records and our record server as a subject of the laws of records.
package struct RecordSyncSubject: RecordSubject {
  package let id = "record-sync"
  package let version = "1"
  /// What the encoder does where a law does not ask for anything else.
  package var options = RecordEncodingOptions()
  /// What the server holds records to.
  package var rules = RecordServerRules()

  package init() {}

  package func encode<T: Encodable>(
    _ value: T,
    onto base: Record?,
    _ settings: RecordSettings
  ) throws -> Record {
    try encoder(settings).encode(value, onto: base)
  }

  package func removeFiles(of record: Record, _ settings: RecordSettings) {
    encoder(settings).removeAssetFiles(of: record)
  }

  package func encodeRecords<T: Encodable>(
    _ value: T,
    _ settings: RecordSettings
  ) throws -> [Record] {
    try encoder(settings).encodeRecords(value)
  }

  /// What a law gives to values; nothing for 0.
  private func userInfo(_ info: Int) -> [CodingUserInfoKey: any Sendable] {
    guard let key = CodingUserInfoKey.recordLawInfo, info != 0 else { return [:] }
    return [key: info]
  }

  private func decoder(_ settings: RecordReadSettings) -> CloudKitRecordDecoder {
    let decoder = CloudKitRecordDecoder()
    decoder.options.take(settings)
    decoder.userInfo = userInfo(settings.info)
    return decoder
  }

  private func encoder(_ settings: RecordSettings) -> CloudKitRecordEncoder {
    var options = options
    options.take(settings)
    let encoder = CloudKitRecordEncoder(zoneID: recordZone, options: options)
    encoder.userInfo = userInfo(settings.info)
    return encoder
  }

  package func decode<T: Decodable>(
    _ type: T.Type,
    from record: Record,
    _ settings: RecordReadSettings,
    resolving resolve: @escaping (RecordID) -> Record?
  ) throws -> T {
    try decoder(settings).decode(type, from: record, resolving: resolve)
  }

  package func decode<T: Decodable & Sendable>(
    _ type: T.Type,
    from record: Record,
    _ settings: RecordReadSettings,
    fetching fetch: @escaping @Sendable (RecordID) async throws -> Record?
  ) throws -> T {
    try Schedule().run {
      try await decoder(settings).decode(type, from: record, fetching: fetch)
    }
  }

  package func schema<T: Encodable>(
    of value: T,
    _ settings: RecordSettings
  ) throws -> RecordSchema { try encoder(settings).schema(of: value) }

  package func changes(
    of schema: RecordSchema,
    since earlier: RecordSchema
  ) -> [RecordSchema.Change] { schema.changes(since: earlier) }

  package func violations<T: Encodable>(
    of value: T,
    for audience: RecordAudience,
    _ settings: RecordSettings
  ) throws -> [RecordViolation] { try encoder(settings).violations(of: value, for: audience) }

  package func bytes(of record: Record) -> Data { record.serialized() }

  package func record(of bytes: Data) throws -> Record { try Record(serialized: bytes) }

  package func rebase(_ record: Record, onto other: Record) -> Record? {
    record.rebased(onto: other)
  }

  package func server() -> any RecordServing { MemoryServer(rules: rules) }
}

// Asset values of the laws, with the coder of `RecordCoding`.
extension AssetModels.Recipe: CloudKitAssetValue {}
extension AssetModels.Score: CloudKitAssetValue {}
extension AssetModels.Chart: CloudKitAssetValue {}
extension AssetModels.Drawing: CloudKitAssetValue {}
extension AssetModels.Sketch: CloudKitAssetValue {}

/// A record server behind the calls that laws make; a page of changes is small, so that there are several.
package final class MemoryServer: RecordServing {
  private var server: RecordServer
  private var tokens: [RecordChangeToken] = []

  init(rules: RecordServerRules) {
    server = RecordServer(rules: rules, pageLimit: 2)
    server.createZone(recordZone)
  }

  package func modify(_ request: RecordRequest) -> RecordAnswer {
    let reply = server.modify(
      saving: request.saving,
      deleting: request.deleting,
      policy: RecordSavePolicy(request.policy),
      isAtomic: request.isAtomic,
      fault: RecordFault(rawValue: request.fault.rawValue) ?? .none
    )
    var answer = RecordAnswer()
    for (id, result) in reply.saved {
      answer.outcomes[id] = result.outcome { $0 }
      if case .failure(let error) = result { answer.details[id] = error.detail }
    }
    for (id, result) in reply.deleted {
      answer.outcomes[id] = result.outcome { _ in nil }
      if case .success(let gone) = result { answer.gone[id] = gone }
    }
    return answer
  }

  package func fetch(_ id: RecordID) -> Record? { try? server.fetch(id) }

  package func all() -> [Record] { server.records(in: recordZone) }

  package func changes(since mark: Int?) -> RecordNews? {
    let token = mark.flatMap { tokens.indices.contains($0) ? tokens[$0] : nil }
    guard let changes = try? server.changes(in: recordZone, since: token) else { return nil }
    tokens.append(changes.token)
    return RecordNews(
      saved: changes.saved,
      deleted: changes.deleted,
      mark: tokens.count - 1,
      isPartial: changes.isPartial
    )
  }

  package func expire() { server.expireTokens() }

  package func renewZone() -> Bool {
    defer { server.createZone(recordZone) }
    return server.deleteZone(recordZone)
  }

  package func makeZone() { server.createZone(recordZone) }

  package func kinds(of recordType: String) -> [String: RecordFieldKind] {
    server.schema(of: recordType).kinds
  }

  package func refusal(ofFetching id: RecordID) -> RecordRefusal? {
    refusal { () throws(RecordServerError) in _ = try server.fetch(id) }
  }

  package func refusal(ofChangesIn zone: RecordZoneID, since mark: Int?) -> RecordRefusal? {
    let token = mark.flatMap { tokens.indices.contains($0) ? tokens[$0] : nil }
    return refusal { () throws(RecordServerError) in
      _ = try server.changes(in: zone, since: token)
    }
  }

  private func refusal(_ call: () throws(RecordServerError) -> Void) -> RecordRefusal? {
    do {
      try call()
      return nil
    } catch {
      return switch error {
      case .zoneNotFound: .noZone
      case .unknownItem: .noRecord
      case .changeTokenExpired: .expired
      default: .other
      }
    }
  }
}

extension RecordEncodingOptions {
  /// Makes them what a law asks for; what it does not ask for stays.
  package mutating func take(_ settings: RecordSettings) {
    if settings.followsCloudKitCodable { self = .cloudKitCodable }
    switch settings.checks {
    case .off?: validation = .off
    case .client?: validation = .client
    case .server?: validation = .server
    case nil: break
    }
    if let directory = settings.assetDirectory { assetDirectory = directory }
    if settings.escapesKeys { keys = .escaped }
    if settings.storesIdentifier { storesIdentifier = true }
    if settings.refusesNested { nestedValues = .reject }
    if settings.wantsStableIdentity { requiresStableIdentity = true }
    if settings.omitsNil { nilHandling = .omit }
    if settings.removesUnknown { unknownKeys = .remove }
    if settings.keepsExactDates { dates = .exact }
    if settings.storesWideAsJSON { wideIntegers = .json }
    if !settings.encryptedKeys.isEmpty { encryptedKeys = settings.encryptedKeys }
    if settings.hasChildren { nestedValues = .references }
    if !settings.actions.isEmpty { referenceActions = settings.actions }
  }
}

extension RecordDecodingOptions {
  /// Makes them what a law asks for; what it does not ask for stays.
  package mutating func take(_ settings: RecordReadSettings) {
    if settings.refusesUnknownCases { unknownEnums = .fail }
    if settings.escapesKeys { keys = .escaped }
    if settings.danglingIsNil { danglingReferences = .becomeNil }
    if let limit = settings.depthLimit { referenceDepthLimit = limit }
    if let limit = settings.recordLimit { referencedRecordLimit = limit }
  }
}

extension RecordSavePolicy {
  fileprivate init(_ policy: RecordRequest.Policy) {
    self =
      switch policy {
      case .unchanged: .ifServerRecordUnchanged
      case .changed: .changedKeys
      case .all: .allKeys
      }
  }
}

extension RecordServerError {
  /// What it says besides its reason; `nil` for one that says nothing that laws compare.
  fileprivate var detail: RecordAnswer.Detail? {
    switch self {
    case .serverRecordChanged(_, let client): .sent(client)
    case .referenceViolation(let id): .target(id)
    case .schemaMismatch(_, let expected, let found): .kinds(expected, found)
    default: nil
    }
  }
}

extension Result where Failure == RecordServerError {
  fileprivate func outcome(_ record: (Success) -> Record?) -> RecordAnswer.Outcome {
    switch self {
    case .success(let value): .done(record(value))
    case .failure(.serverRecordChanged(let theirs, _)): .changed(theirs)
    case .failure(.unknownItem): .unknown
    case .failure(.batchRequestFailed): .batch
    case .failure(.networkFailure): .network
    case .failure(.referenceViolation): .reference
    case .failure(.limitExceeded): .refused("limit")
    case .failure(.savedTwice(let id)): .refused("saved twice: \(id.recordName)")
    case .failure(.invalidRecord(let violations)): .refused("\(violations)")
    case .failure(.schemaMismatch(let key, _, _)): .kind(key: key)
    case .failure(.zoneNotFound), .failure(.changeTokenExpired): .refused("zone or token")
    }
  }
}
