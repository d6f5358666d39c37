import Foundation
import PropertyEngine
import RecordModel

extension RecordLaw {
  /// Servers before their specification.
  static let serverLaws: [RecordLaw] = [serverByRules]

  static let serverByRules = value(
    "server.by-rules",
    "A server answers by the rules.",
    "Each record of each request, whatever it saves and deletes, by any policy, whole or in parts, with any "
      + "fault, is answered as the specification answers, and the zone holds what it holds.",
    source: .document("Records.md", "The server"),
    count: 200
  ) { subject, choices in
    let server = subject.server()
    var naive = NaiveRecordServer()
    // All copies that a device may have of each record, the oldest first.
    var copies: [RecordID: [(record: Record, version: Int?)]] = [:]
    for number in 0..<choices.number(in: 1...8) {
      let request = choices.request(copies)
      let answer = server.modify(
        RecordRequest(
          saving: request.saving.map(\.record),
          deleting: request.deleting,
          policy: request.policy,
          isAtomic: request.isAtomic,
          fault: request.fault
        )
      )
      let expected = naive.modify(request)
      for (id, wanted) in expected.sorted(by: { $0.key.recordName < $1.key.recordName }) {
        guard let found = answer.outcomes[id], found.answer == wanted else {
          return .record(
            "server.answer",
            "request \(number) was answered otherwise for \(id)",
            expected: wanted,
            actual: answer.outcomes[id].map { "\($0)" } ?? "no answer"
          )
        }
      }
      let zone = Dictionary(server.all().map { ($0.recordID, $0) }) { $1 }
      for id in Set(zone.keys).union(naive.rows.keys)
        .sorted(by: { $0.recordName < $1.recordName })
      where zone[id]?.fields != naive.rows[id]?.fields {
        return .record(
          "server.zone",
          "after request \(number) the zone holds another \(id)",
          expected: naive.rows[id]?.fields.keys.sorted() as Any,
          actual: zone[id]?.fields.keys.sorted() as Any
        )
      }
      for (id, record) in zone {
        guard let version = naive.rows[id]?.version, copies[id]?.last?.version != version else {
          continue
        }
        copies[id, default: []].append((record, version))
      }
    }
    return nil
  }
}

extension Choices {
  /// A request of up to three saves and two deletions of four records, no record in it twice.
  fileprivate mutating func request(
    _ copies: [RecordID: [(record: Record, version: Int?)]]
  ) -> NaiveRecordServer.Request {
    var request = NaiveRecordServer.Request()
    var ids = (0..<4).map { RecordID(recordName: "r\($0)", zoneID: recordZone) }
    let all = ids
    let (saves, deletes) = (number(in: 0...3), number(in: 0...2, bias: .small))
    var saved: [RecordID] = []
    for index in 0..<(saves + deletes) where !ids.isEmpty {
      let id = ids.remove(at: self.index(below: ids.count))
      guard index < saves else {
        request.deleting.append(id)
        continue
      }
      saved.append(id)
      let known = copies[id] ?? []
      // The latest copy as a rule; an older one, or none, makes a conflict.
      let place = pick(weights: [6, 2, 1])
      var copy: (record: Record, version: Int?) = (Record(recordType: "Note", recordID: id), nil)
      if place == 0, let last = known.last { copy = last }
      if place == 1, !known.isEmpty { copy = element(of: known) }
      for key in ["a", "b"] where flag() {
        copy.record[key] = flag(percent: 25) ? nil : .int64(Int64(number(in: 0...3)))
      }
      request.saving.append(NaiveRecordServer.Save(record: copy.record, version: copy.version))
    }
    // References lead out of the request, to what is there and to what is not: within it the order decides.
    for index in request.saving.indices where flag(percent: 40) {
      let target = element(of: all)
      request.saving[index].record["owner"] = .reference(
        RecordReference(recordID: target, action: flag() ? .deleteSelf : .none)
      )
    }
    for index in request.saving.indices {
      let targets = request.saving[index].record.references.map(\.recordID)
      if !saved.allSatisfy({ !targets.contains($0) }) {
        request.saving[index].record["owner"] = nil
      }
    }
    request.policy = element(of: RecordRequest.Policy.allCases)
    request.isAtomic = flag(percent: 40)
    request.fault = RecordRequest.Fault.allCases[pick(weights: [60, 8, 12, 8, 12])]
    return request
  }
}
