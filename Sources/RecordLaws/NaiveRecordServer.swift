import Foundation
import RecordModel

// The specification of a server as code, for `server.by-rules`. Written for its rules to be read,
// not to be fast: rows in a dictionary, versions for tags, and a copy of everything for an atomic
// request. One zone, one record type.

/// The executable specification of a record server, as far as laws compare answers with it.
///
/// It counts versions where a server gives tags, and has one zone. It shares no code with a server.
///
///     policy       the server's version    another, or no version    a version, and no record
///     unchanged    done                    changed                   unknown
///     changed      done, marked keys       done, marked keys         done: a new record
///     all          done, all its keys      done, all its keys        done: a new record
struct NaiveRecordServer {
  /// A record as the server has it.
  struct Row: Equatable {
    /// What anyone may read; encrypted values stand apart, and a key stands on one side.
    var fields: [String: RecordValue]
    var encrypted: [String: RecordValue]
    /// Of the first save and of the last one.
    var created: Int
    var version: Int
  }

  /// What became of one record of a request.
  ///
  /// `batch`: it would have been done, but another record of an atomic request was not. `network`:
  /// no reply.
  enum Answer: Hashable {
    case done, changed, unknown, batch, network, reference, kind
  }

  /// The zone.
  private(set) var rows: [RecordID: Row] = [:]
  /// By key: all records of a request are of one type.
  ///
  /// A kind is fixed by the first save that is carried out, and outlives all records that have it.
  private var kinds: [String: RecordFieldKind] = [:]
  /// Counts saves of the whole zone, so that versions also order saves of different records.
  private var lastVersion = 0

  /// One save: a record as the device has it, and the version that its tag stands for; `nil` for no tag.
  struct Save {
    var record: Record
    var version: Int?
  }

  /// As `RecordRequest`, with versions in place of tags.
  ///
  /// No record stands in it twice: the law draws none.
  struct Request {
    var saving: [Save] = []
    var deleting: [RecordID] = []
    var policy = RecordRequest.Policy.unchanged
    var isAtomic = false
    var fault = RecordRequest.Fault.none
  }

  /// Faults: `lostRequest` does nothing and `lostReply` everything, and the device cannot tell them
  /// apart; `cut` saves the first record alone, unless the request is atomic; `reversed` carries
  /// records out from the last.
  mutating func modify(_ request: Request) -> [RecordID: Answer] {
    let ids = request.saving.map(\.record.recordID) + request.deleting
    let lost = Dictionary(ids.map { ($0, Answer.network) }) { first, _ in first }
    switch request.fault {
    case .lostRequest: return lost
    case .lostReply:
      _ = carryOut(request)
      return lost
    case .cut where !request.isAtomic:
      var first = request
      first.saving = Array(request.saving.prefix(1))
      first.deleting = []
      return lost.merging(carryOut(first)) { $1 }
    case .reversed:
      var other = request
      other.saving.reverse()
      other.deleting.reverse()
      return carryOut(other)
    case .none, .cut: return carryOut(request)
    }
  }

  /// Cost: the square of the number of saves; each save looks at the references of all that are
  /// still to come.
  ///
  /// Records that refer to each other in a circle cannot all come after their targets: the first of
  /// them is tried and refused, and the others follow from that.
  ///
  ///     r1 -> r0, r0             r0, then r1: both done
  ///     r1 -> r0, r0 is there    r1: done
  ///     r0 -> r1, r1 -> r0       r0: reference; then r1: reference, since r0 is not there
  ///
  /// Saves in an order in which targets come before what refers to them, then deletes; an atomic
  /// request is undone as a whole if one answer is not `done`.
  private mutating func carryOut(_ request: Request) -> [RecordID: Answer] {
    let before = (rows, kinds)
    var answers: [RecordID: Answer] = [:]
    var open = request.saving
    while !open.isEmpty {
      // The first that refers to none which is still to come and not there yet; in a circle the first of all.
      let coming = Set(open.map(\.record.recordID))
      let next = open.firstIndex { save in
        let targets = Set(save.record.fields.values.flatMap(\.references).map(\.recordID))
        return targets.subtracting([save.record.recordID]).isDisjoint(
          with: coming.subtracting(rows.keys)
        )
      }
      let save = open.remove(at: next ?? 0)
      answers[save.record.recordID] = carryOut(save, request.policy)
    }
    for id in request.deleting {
      delete(id)
      answers[id] = .done
    }
    guard request.isAtomic, answers.values.contains(where: { $0 != .done }) else { return answers }
    (rows, kinds) = before
    return answers.mapValues { $0 == .done ? .batch : $0 }
  }

  /// In this order: the tag, references, kinds.
  ///
  /// The first that is wrong is the answer.
  ///
  /// Worked example: a save without a tag of a record that is there is `changed`, as is one with an
  /// older version; one with a version of a record that is gone is `unknown`.
  private mutating func carryOut(_ save: Save, _ policy: RecordRequest.Policy) -> Answer {
    let id = save.record.recordID
    let old = rows[id]
    if policy == .unchanged {
      if let old, old.version != save.version { return .changed }
      if old == nil, save.version != nil { return .unknown }
    }
    var (fields, encrypted) = (old?.fields ?? [:], old?.encrypted ?? [:])
    // By `all` every key that the record has is written; keys that it lacks stay, by each policy.
    var keys = save.record.changedKeySet
    if policy == .all {
      keys.formUnion(save.record.fields.keys)
      keys.formUnion(save.record.encryptedFields.keys)
    }
    for key in keys {
      fields[key] = save.record.fields[key].map(Self.stored)
      encrypted[key] = save.record.encryptedFields[key].map(Self.stored)
    }
    let targets = fields.values.flatMap(\.references).map(\.recordID)
    guard targets.allSatisfy({ $0 == id || rows[$0] != nil }) else { return .reference }
    let new = fields.merging(encrypted) { $1 }.mapValues(\.kind)
    guard new.allSatisfy({ kinds[$0.key] ?? $0.value == $0.value }) else { return .kind }
    kinds.merge(new) { $1 }
    lastVersion += 1
    rows[id] = Row(
      fields: fields,
      encrypted: encrypted,
      created: old?.created ?? lastVersion,
      version: lastVersion
    )
    return .done
  }

  /// A value as it is kept: dates as the nearest whole milliseconds, in lists as well.
  private static func stored(_ value: RecordValue) -> RecordValue {
    func rounded(_ date: Date) -> Date {
      Date(timeIntervalSince1970: (date.timeIntervalSince1970 * 1000).rounded() / 1000)
    }
    return switch value {
    case .timestamp(let date): .timestamp(rounded(date))
    case .list(.timestamps(let dates)): .list(.timestamps(dates.map(rounded)))
    default: value
    }
  }

  /// Deletes a record, and whatever asked to be deleted with it, and so on; what is not there is
  /// deleted already.
  ///
  ///     r2 -> r1 -> r0, each to be deleted with its target      deleting r0 leaves none
  ///
  /// A circle ends: a record is taken out before those that refer to it are looked for.
  private mutating func delete(_ id: RecordID) {
    guard rows.removeValue(forKey: id) != nil else { return }
    let others = rows.filter { row in
      row.value.fields.values.flatMap(\.references)
        .contains { $0.recordID == id && $0.action == .deleteSelf }
    }
    for other in others.keys { delete(other) }
  }
}

extension RecordAnswer.Outcome {
  /// The answer of the specification that it stands for; `nil` for one that it never gives.
  var answer: NaiveRecordServer.Answer? {
    switch self {
    case .done: .done
    case .changed: .changed
    case .unknown: .unknown
    case .batch: .batch
    case .network: .network
    case .reference: .reference
    case .kind: .kind
    case .refused: nil
    }
  }
}
