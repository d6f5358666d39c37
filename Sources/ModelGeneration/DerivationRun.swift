import CodingSupport
import PropertyEngine

/// One derivation: where answers come from, and how deep it is.
final class DerivationRun {
  enum Source {
    /// The caller's choices.
    case drawing
    /// Every choice is this number, or its limit.
    case climbing(UInt32)
    /// Recorded choices, then zeros.
    case listed([UInt32], next: Int)
  }

  /// Choices that one value draws at most; zeros after.
  static let choiceLimit = 2000
  /// Attempts that one value makes again at most.
  static let retryLimit = 200
  static let attempts = 3
  /// Types within one another after which everything optional is left out.
  static let dampingDepth = 10
  static let depthLimit = 120

  let planner: Planner
  var choices: Choices
  var source: Source
  /// All answers while the planner plans, in their order.
  private(set) var trace: [UInt32] = []
  private var drawnCount = 0
  private var retries = 0
  /// Whether answers come from a witness or a pool, which are not part of the caller's choices.
  private var isReplaying = false
  /// Types that are being decoded, the outermost first.
  private(set) var depth = 0
  private var openSpans: [Int] = []
  /// What the type at hand was answered, in words; kept only if the caller wants it.
  var answers = DerivationAnswers()
  /// Nothing that `try?` swallows may hide why there is no value.
  var fatal: NotDerivable?

  // For the planner alone.

  /// The type whose value was needed, while none of it was known.
  var blockedOn: TypePlan?
  /// Whether to answer so that all of a type shows: keys present, one element.
  var explores = false
  /// The outermost type, whose requests are being tried out.
  var probed: TypePlan?
  var forcedCase: String?
  var forcedRefusals: [ValueRequest: TypePlan.Refusal] = [:]
  private(set) var firedRefusals: Set<ValueRequest> = []
  /// Requests of the probed type that can be refused, in their order.
  private(set) var requests: [(value: ValueRequest, isKeyed: Bool)] = []
  /// Slots of lists of the probed type that were asked for their count.
  var countRequests: [SchemaSlot] = []
  /// Slots of the probed type that were asked for a string, in their order.
  var textRequests: [SchemaSlot] = []

  init(_ planner: Planner, _ choices: Choices, source: Source = .drawing) {
    self.planner = planner
    self.choices = choices
    self.source = source
    // What the run before was answered is none of this one's reasons to trap.
    planner.willAnswer?(answers)
  }

  /// Whether everything optional is to be left out.
  var isDamped: Bool { depth > Self.dampingDepth }

  /// Whether the type at hand is the one that is to show all of itself.
  var showsAll: Bool { explores && depth <= 1 && !isReplaying }

  /// The chance of another element, which falls with the depth so that lists of lists end.
  var percentOfMore: Int { max(12, 68 - 10 * depth) }

  // MARK: - Drawing

  private var tracesAnswers: Bool { !isReplaying && !planner.isFinished }

  func draw<Value>(_ body: (inout Choices) -> Value) -> Value {
    switch source {
    case .drawing where drawnCount < Self.choiceLimit:
      let start = choices.recorded.count
      let value = body(&choices)
      if tracesAnswers { trace += choices.recorded[start...].map(\.value) }
      drawnCount += choices.recorded.count - start
      return value
    case .drawing: return draw([], body).value
    case .climbing(let number):
      return draw(Array(repeating: number, count: 64), body).value
    case .listed(let list, let next):
      let (value, count) = draw(Array(list.dropFirst(next)), body)
      source = .listed(list, next: next + count)
      return value
    }
  }

  private func draw<Value>(
    _ list: [UInt32],
    _ body: (inout Choices) -> Value
  ) -> (value: Value, count: Int) {
    var replayed = Choices(replaying: list)
    let value = body(&replayed)
    if tracesAnswers { trace += replayed.recordedValues }
    return (value, replayed.recorded.count)
  }

  /// Whether something optional is there; no is the simplest.
  func flag(percent: Int) -> Bool {
    if showsAll { return true }
    if isDamped { return false }
    return draw { $0.flag(percent: percent) }
  }

  /// Records a choice that was made for the run, so that its trace replays.
  func noteForced(_ index: Int) {
    if tracesAnswers { trace.append(UInt32(index)) }
  }

  func beginSpan(_ label: String) -> Int? {
    guard case .drawing = source else { return nil }
    let span = choices.beginSpan(label)
    openSpans.append(span)
    return span
  }

  /// Closes a span and those within it that an error left open.
  func endSpan(_ span: Int?) {
    guard let span, openSpans.contains(span) else { return }
    while let last = openSpans.popLast() {
      choices.endSpan(last)
      if last == span { return }
    }
  }

  // MARK: - Types

  /// A value of a type that has a plan: free choices first, the witness in the end.
  func construct<T: Decodable>(
    _ type: T.Type,
    into node: DerivationNode,
    at path: CodingPath,
    by plan: TypePlan
  ) throws -> T {
    guard depth < Self.depthLimit else {
      fatal = fatal ?? plan.notDerivable(.noFiniteValue)
      throw plan.notDerivable(.noFiniteValue)
    }
    depth += 1
    defer { depth -= 1 }
    let place = DerivationPlace(run: self, node: node, path: path, owner: plan, slot: SchemaSlot())
    guard node.isFresh, plan !== probed || depth > 1, blockedOn == nil else {
      return try T(from: DerivingDecoder(place: place))
    }
    for _ in 0..<Self.attempts where retries < Self.retryLimit {
      let span = beginSpan("attempt")
      let known = answers
      defer { endSpan(span) }
      do {
        return try attempt(type, place)
      } catch {
        if fatal != nil || blockedOn != nil { throw error }
        retries += 1
        node.reset()
        answers = known
      }
    }
    guard let witness = plan.witness else { throw plan.notDerivable() }
    return try replaying(witness) { try T(from: DerivingDecoder(place: place)) }
  }

  private func attempt<T: Decodable>(_ type: T.Type, _ place: DerivationPlace) throws -> T {
    let pool = place.owner.pool
    let choice = pool.isEmpty ? 0 : draw { $0.index(below: pool.count + 1) }
    guard choice > 0 else { return try T(from: DerivingDecoder(place: place)) }
    var list = pool[choice - 1]
    if !list.isEmpty {
      let redraws = draw { choices in
        (0..<choices.number(in: 0...3)).map { _ in
          (index: choices.index(below: list.count), value: choices.choice(upTo: .max))
        }
      }
      for redraw in redraws { list[redraw.index] = redraw.value % 4096 }
    }
    return try replaying(list) { try T(from: DerivingDecoder(place: place)) }
  }

  private func replaying<Value>(_ list: [UInt32], _ body: () throws -> Value) rethrows -> Value {
    let outer = (source, depth, isReplaying)
    source = .listed(list, next: 0)
    depth = 1
    isReplaying = true
    defer { (source, depth, isReplaying) = outer }
    return try body()
  }

  // MARK: - Refusals

  /// Throws where the type goes on with something else and the choices want that.
  func refuse(_ place: DerivationPlace, _ type: Any.Type, isKeyed: Bool) throws {
    let request = ValueRequest(slot: place.slot, type: type)
    if !planner.isFinished { place.owner.note(request) }
    var refusal = place.owner.refusals[request]
    if place.owner === probed, depth == 1, !isReplaying {
      if !requests.contains(where: { $0.value == request }) { requests.append((request, isKeyed)) }
      refusal = forcedRefusals[request]
      if refusal != nil { firedRefusals.insert(request) }
    } else if let known = place.node.refused?[request] {
      refusal = known ? refusal : nil
    } else if refusal != nil {
      let isRefused = isDamped ? false : draw { $0.flag(percent: 40) }
      place.node.note(request, isRefused: isRefused)
      if !isRefused { refusal = nil }
    }
    switch refusal {
    case nil: return
    case .typeMismatch:
      place.tell("is no \(type)")
      throw place.mismatch(type, "refused")
    case .keyNotFound:
      place.tell("is missing")
      place.node.isPresent = false
      throw place.missing
    }
  }
}
