import Foundation
public import RecordModel

/// A record server in memory: zones, change tags, save policies, references, tokens of changes, limits.
///
/// It is the executable form of what is documented of CloudKit's, for tests of code that saves records. One
/// thread uses it. The same calls give the same answers: dates are counted, not read from a clock.
///
/// What no document says is not modelled: quotas, throttling, shared databases, and that a new reference
/// changes the tag of its target.
///
/// Source: Records.md, "The server".
public struct RecordServer: Sendable {
  struct Zone: Sendable {
    var records: [RecordID: Record] = [:]
    /// The sequence number of the last save or deletion of each record that ever was.
    var sequences: [RecordID: Int] = [:]
    /// Counts all zones that ever were: one that is made again knows nothing of its former life.
    let number: Int
  }

  /// Which rules hold; all of them but in a server that is wrong on purpose.
  package var rules: RecordServerRules
  private var zones: [RecordZoneID: Zone] = [:]
  /// Kinds of fields by record type and key, fixed when they are first saved.
  private var kinds: [String: [String: RecordFieldKind]] = [:]
  private var sequence = 0
  private var epoch = 0
  private var zoneCount = 0
  /// Records in one answer about changes at most.
  private let pageLimit: Int

  public init(pageLimit: Int = 200) {
    self.init(rules: RecordServerRules(), pageLimit: pageLimit)
  }

  package init(rules: RecordServerRules, pageLimit: Int = 200) {
    self.rules = rules
    self.pageLimit = max(1, pageLimit)
    createZone(.default)
  }

  // MARK: - Zones and reading

  public mutating func createZone(_ zoneID: RecordZoneID) {
    guard zones[zoneID] == nil else { return }
    zones[zoneID] = Zone(number: zoneCount)
    zoneCount += 1
  }

  /// Deletes a zone with all its records; false if there is none.
  @discardableResult
  public mutating func deleteZone(_ zoneID: RecordZoneID) -> Bool {
    zones.removeValue(forKey: zoneID) != nil
  }

  public func fetch(_ id: RecordID) throws(RecordServerError) -> Record {
    guard let zone = zones[id.zoneID] else { throw .zoneNotFound }
    guard let record = zone.records[id] else { throw .unknownItem }
    return record
  }

  /// All records of a zone, in the order of their names; none if there is no such zone.
  public func records(in zoneID: RecordZoneID) -> [Record] {
    (zones[zoneID]?.records.values).map { records in
      records.sorted { $0.recordID.recordName < $1.recordID.recordName }
    } ?? []
  }

  /// Kinds that the server fixed for a record type.
  public func schema(of recordType: String) -> RecordSchema {
    RecordSchema(recordType: recordType, kinds: kinds[recordType] ?? [:])
  }

  /// What happened in a zone since a token; without one, everything.
  ///
  /// - Throws: `zoneNotFound`, or `changeTokenExpired` for a token of another zone, of one that was deleted
  ///   and made again since, or from before ``expireTokens()``.
  public func changes(
    in zoneID: RecordZoneID,
    since token: RecordChangeToken? = nil
  ) throws(RecordServerError) -> RecordChanges {
    guard let zone = zones[zoneID] else { throw .zoneNotFound }
    let isSameZone = token?.zone == zone.number || !rules.endsTokensOfZones
    if let token, token.epoch != epoch || token.zoneID != zoneID || !isSameZone {
      guard !rules.tellsExpiredTokens else { throw .changeTokenExpired }
      return RecordChanges(token: self.token(zoneID, zone, sequence))
    }
    let start = token?.sequence ?? 0
    let all = zone.sequences.filter { $0.value > start }.sorted { $0.value < $1.value }
    let page = all.prefix(pageLimit)
    let last = page.last?.value ?? start
    var changes = RecordChanges(token: self.token(zoneID, zone, last))
    for (id, _) in page {
      if let record = zone.records[id] {
        changes.saved.append(record)
      } else if rules.tellsDeletions {
        changes.deleted.append(id)
      }
    }
    changes.isPartial = page.count < all.count
    return changes
  }

  private func token(_ zoneID: RecordZoneID, _ zone: Zone, _ sequence: Int) -> RecordChangeToken {
    RecordChangeToken(zoneID: zoneID, zone: zone.number, epoch: epoch, sequence: sequence)
  }

  /// Makes every token expire that was given out.
  public mutating func expireTokens() { epoch += 1 }

  // MARK: - Writing

  /// Saves and deletes records.
  ///
  /// Of an atomic request everything is done or nothing. Otherwise each record stands for itself. A request
  /// that saves one record twice is refused as a whole.
  public mutating func modify(
    saving: [Record],
    deleting: [RecordID] = [],
    policy: RecordSavePolicy = .ifServerRecordUnchanged,
    isAtomic: Bool = false,
    fault: RecordFault = .none
  ) -> RecordReply {
    let lost = RecordReply.failed(.networkFailure, saving, deleting)
    switch fault {
    case .lostRequest: return lost
    case .lostReply:
      _ = carryOut(saving: saving, deleting: deleting, policy: policy, isAtomic: isAtomic)
      return lost
    case .cut where !isAtomic:
      guard refusal(of: saving, deleting) == nil else { return lost }
      let first = carryOut(
        saving: Array(saving.prefix(1)),
        deleting: [],
        policy: policy,
        isAtomic: false
      )
      var reply = lost
      reply.saved.merge(first.saved) { $1 }
      return reply
    case .reversed:
      return carryOut(
        saving: saving.reversed(),
        deleting: deleting.reversed(),
        policy: policy,
        isAtomic: isAtomic
      )
    case .none, .cut:
      return carryOut(saving: saving, deleting: deleting, policy: policy, isAtomic: isAtomic)
    }
  }

  private mutating func carryOut(
    saving: [Record],
    deleting: [RecordID],
    policy: RecordSavePolicy,
    isAtomic: Bool
  ) -> RecordReply {
    if let error = refusal(of: saving, deleting) { return .failed(error, saving, deleting) }
    let before = self
    let reply = each(saving, deleting, policy)
    guard isAtomic, reply.hasFailure, rules.undoesFailedBatches else { return reply }
    self = before
    var undone = reply
    for (id, result) in reply.saved {
      if case .success = result { undone.saved[id] = .failure(.batchRequestFailed) }
    }
    for (id, result) in reply.deleted where rules.tellsUndoneDeletions {
      if case .success = result { undone.deleted[id] = .failure(.batchRequestFailed) }
    }
    return undone
  }

  /// Why a request is refused as a whole; `nil` if it is not.
  private func refusal(of saving: [Record], _ deleting: [RecordID]) -> RecordServerError? {
    let bytes = saving.reduce(0) { $0 + $1.byteCount }
    let isTooLarge =
      saving.count + deleting.count > RecordLimits.requestItems
      || bytes > RecordLimits.requestBytes
    if rules.limitsRequests, isTooLarge { return .limitExceeded }
    var ids: Set<RecordID> = []
    let double = saving.first { !ids.insert($0.recordID).inserted }
    return rules.refusesDoubles ? double.map { .savedTwice($0.recordID) } : nil
  }

  private mutating func each(
    _ saving: [Record],
    _ deleting: [RecordID],
    _ policy: RecordSavePolicy
  ) -> RecordReply {
    var reply = RecordReply()
    // Targets may come behind those that refer to them; what refers to each other in a circle and is
    // not there yet is refused.
    var pending = saving
    var waiting = Set(saving.map(\.recordID))
    while !pending.isEmpty {
      let next = pending.firstIndex { record in
        !record.references.contains { waiting.contains($0.recordID) && !isKnown($0, by: record) }
      }
      let record = pending.remove(at: next ?? 0)
      waiting.remove(record.recordID)
      do throws(RecordServerError) {
        reply.saved[record.recordID] = .success(try save(record, policy))
      } catch {
        reply.saved[record.recordID] = .failure(error)
      }
    }
    // One that is named twice is deleted by its first name: the second would tell of nothing that went with it.
    for id in deleting where reply.deleted[id] == nil {
      do throws(RecordServerError) {
        reply.deleted[id] = .success(try delete(id))
      } catch {
        reply.deleted[id] = .failure(error)
      }
    }
    return reply
  }

  /// Whether a reference leads to a record that is there, or to the one that holds it.
  private func isKnown(_ reference: RecordReference, by record: Record) -> Bool {
    let id = reference.recordID
    return id == record.recordID || zones[id.zoneID]?.records[id] != nil
  }

  // MARK: - One record

  private mutating func save(
    _ record: Record,
    _ policy: RecordSavePolicy
  ) throws(RecordServerError) -> Record {
    let id = record.recordID
    guard let zone = zones[id.zoneID] else { throw .zoneNotFound }
    let old = zone.records[id]
    if policy == .ifServerRecordUnchanged, rules.comparesTags {
      if let old, old.recordChangeTag != record.recordChangeTag {
        throw .serverRecordChanged(server: old, client: record)
      }
      if old == nil, record.recordChangeTag != nil { throw .unknownItem }
    }
    var new = old ?? Record(recordType: record.recordType, recordID: id)
    guard new.recordType == record.recordType else {
      throw .serverRecordChanged(server: new, client: record)
    }
    if !rules.keepsOtherFields { new = Record(systemFields: new.systemFields) }
    let sendsAll = policy == .allKeys || !rules.keepsOtherFields
    let keys =
      sendsAll
      ? record.changedKeySet.union(record.fields.keys).union(record.encryptedFields.keys)
      : record.changedKeySet
    for key in keys.sorted() {
      if record[key] != nil || rules.clearsFields { new[key] = record[key].map(stored) }
      if record[encrypted: key] != nil || new[encrypted: key] != nil {
        new[encrypted: key] = record[encrypted: key].map(stored)
      }
    }
    try check(new)
    try fix(new)
    sequence += 1
    new.systemFields.modificationDate = Date(timeIntervalSince1970: Double(sequence))
    new.systemFields.creationDate =
      old?.creationDate ?? new.systemFields.modificationDate
    if rules.movesTags || old == nil { new.systemFields.recordChangeTag = tag(sequence) }
    new = new.unmarked()
    let place = !rules.comparesIdentity && old != nil ? other(id) : id
    if place != id {
      new = Record(
        systemFields: RecordSystemFields(recordType: new.recordType, recordID: place),
        fields: new.fields
      )
    }
    zones[id.zoneID]?.records[place] = new
    zones[id.zoneID]?.sequences[place] = sequence
    return new
  }

  /// The record that a server makes which takes a save for one of another record.
  private func other(_ id: RecordID) -> RecordID {
    RecordID(recordName: "\(id.recordName)-\(sequence)", zoneID: id.zoneID)
  }

  /// A value as a server keeps it.
  private func stored(_ value: RecordValue) -> RecordValue {
    switch value {
    case .timestamp(let date): .timestamp(date.roundedToMilliseconds ?? date)
    case .list(.timestamps(let dates)):
      .list(.timestamps(dates.map { $0.roundedToMilliseconds ?? $0 }))
    default: value
    }
  }

  private func check(_ record: Record) throws(RecordServerError) {
    // A server has the bytes of assets, and never sees where they lay.
    let violations = record.violations(for: .server, existing: { _ in true })
    guard violations.isEmpty || !rules.checksRecords else { throw .invalidRecord(violations) }
    guard rules.checksReferences else { return }
    for reference in record.references {
      let id = reference.recordID
      guard isKnown(reference, by: record) else { throw .referenceViolation(id) }
      guard reference.action == .deleteSelf else { continue }
      let others = referrers(to: id).filter { $0 != record.recordID || !rules.countsReferrersOnce }
      guard others.count < RecordLimits.deletingReferences else { throw .referenceViolation(id) }
    }
  }

  /// Compares kinds with those that are fixed, and fixes new ones.
  private mutating func fix(_ record: Record) throws(RecordServerError) {
    guard rules.fixesKinds else { return }
    let type = rules.partsTypes ? record.recordType : ""
    var fixed = kinds[type] ?? [:]
    let all = (Array(record.fields) + Array(record.encryptedFields)).sorted { $0.key < $1.key }
    for (key, value) in all {
      let kind = value.kind
      guard let known = fixed[key] else {
        guard kind.kind != nil else {
          throw .schemaMismatch(key: key, expected: nil, found: kind)
        }
        fixed[key] = kind
        continue
      }
      guard known.isCompatible(with: kind) else {
        throw .schemaMismatch(key: key, expected: known, found: kind)
      }
    }
    kinds[type] = fixed
  }

  /// Eight characters of base 36 that never come again; no client should read anything out of them.
  private func tag(_ number: Int) -> String {
    // Multiplying by an odd number and masking keeps numbers apart.
    let mixed = UInt64(number) &* 0x9E37_79B1 & 0xFF_FFFF_FFFF
    let text = String(mixed, radix: 36)
    return String(repeating: "0", count: max(0, 8 - text.count)) + text
  }

  // MARK: - Deleting

  private mutating func delete(_ id: RecordID) throws(RecordServerError) -> [RecordID] {
    guard zones[id.zoneID] != nil else { throw .zoneNotFound }
    guard zones[id.zoneID]?.records[id] != nil else { return [] }
    var deleted: [RecordID] = []
    var open = [id]
    while let next = open.popLast() {
      guard zones[next.zoneID]?.records[next] != nil else { continue }
      remove(next)
      deleted.append(next)
      switch rules.cascade {
      case .whole: open += referrers(to: next)
      case .oneStep: if next == id { open += referrers(to: next) }
      case .none: break
      }
    }
    return deleted
  }

  /// Records that are to be deleted with another, in the order of their names.
  private func referrers(to id: RecordID) -> [RecordID] {
    (zones[id.zoneID]?.records ?? [:]).values
      .filter { record in
        record.references.contains { $0.recordID == id && $0.action == .deleteSelf }
      }
      .map(\.recordID)
      .sorted { $0.recordName < $1.recordName }
  }

  private mutating func remove(_ id: RecordID) {
    sequence += 1
    zones[id.zoneID]?.records[id] = nil
    zones[id.zoneID]?.sequences[id] = sequence
  }
}
