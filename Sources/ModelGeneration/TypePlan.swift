/// What a type asks of its decoder: a value of some type, in one of its slots.
struct ValueRequest: Hashable {
  let slot: SchemaSlot
  let type: Any.Type

  static func == (left: ValueRequest, right: ValueRequest) -> Bool {
    left.type == right.type && left.slot == right.slot
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(slot)
    hasher.combine(ObjectIdentifier(type))
  }

  /// The request in words; the slot is empty where the type itself is one value.
  var explanation: String { slot.isEmpty ? "one \(type)" : "`\(slot.name)`: \(type)" }
}

/// What is known of one type before values are made of it.
///
/// A plan depends on the type alone: it belongs to the planner of one root, and is final once that
/// planner is done.
final class TypePlan {
  /// How a request is refused so that `init(from:)` goes on with something else.
  enum Refusal {
    case typeMismatch
    case keyNotFound
  }

  let type: any Decodable.Type
  let name: String
  let isEnumeration: Bool
  /// The words an enumeration's own case names give to strings it asks for.
  let caseNames: [String]
  /// Raw values of all cases of a raw-value enumeration.
  let rawValues: [Any]?
  /// Where the type was first met, from the root.
  let path: SchemaSlot

  /// The keys of an enumeration's cases, as declared; `nil` as long as it was not asked for them.
  var cases: [String]?
  /// The ``cases`` that have a finite value, the shallowest first.
  var finiteCases: [String] = []
  /// Choices that surely make a value; `nil` as long as none is known.
  var witness: [UInt32]?
  /// Whether there surely is no value, so that a type that asks for one is refused.
  var isDead = false
  /// The type whose lack of a value kept this one from having one.
  var blocker: TypePlan?
  var wasSearched = false
  var wasExplored = false
  var wasProbed = false
  /// Requests that may be refused.
  var refusals: [ValueRequest: Refusal] = [:]
  /// Counts that unkeyed containers answer instead of `nil`.
  var counts: [SchemaSlot: Int] = [:]
  /// Words of strings that are refused unless they have a format.
  var texts: [SchemaSlot: [String]] = [:]
  /// Choices that were accepted, where free ones mostly are not.
  var pool: [[UInt32]] = []
  /// Whether an enumeration asked for all of its keys, which may have any name.
  var asksForAnyKey = false
  /// Requests in the order in which they were first made, as many as a person reads.
  private(set) var requests: [ValueRequest] = []
  /// Why there is no value.
  var failure: NotDerivable.Reason?
  var attempts = 0
  var lastRefusal = ""

  init(_ type: any Decodable.Type, path: SchemaSlot) {
    self.type = type
    self.path = path
    name = "\(type)"
    isEnumeration = TypeFacts.isEnumeration(type)
    caseNames = isEnumeration ? TypeFacts.caseNames(type) : []
    rawValues = TypeFacts.rawValues(type)
  }

  func note(_ request: ValueRequest) {
    if requests.count < 24, !requests.contains(request) { requests.append(request) }
  }

  func notDerivable(_ reason: NotDerivable.Reason? = nil) -> NotDerivable {
    let refused = NotDerivable.Reason.refused(
      attempts: attempts,
      last: lastRefusal,
      asked: requests.map(\.explanation),
      asksForAnyKey: asksForAnyKey
    )
    return NotDerivable(type: name, path: path, reason: reason ?? failure ?? refused)
  }
}
