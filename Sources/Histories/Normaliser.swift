package import DocumentModel

/// A valid history, and what the reference replica did with it.
package struct NormalisedHistory: Sendable {
  package let history: History
  /// One entry for each step: the effect of an edit, nil for all else.
  package let effects: [EditEffect?]
}

/// Makes any history valid: maps each number into what is there when its step comes.
///
/// Raw histories wish for the seventh object or index 12. The normaliser runs the history on a
/// reference replica, maps every wish into the range that the replica offers, and leaves out steps
/// that cannot be: what names nothing that is there, and what would pass a cut, a clog or a loss. A
/// valid history stays as it is, and whatever shrinking makes of one is valid again.
package struct Normaliser<Reference: Replica> {
  private var interpreter = Interpreter<Reference>()
  private var lowering: Lowering
  private var kinds: [ObjectKind]
  private var keys: [ExactString]
  private var replicaCount: Int
  private var actorCount: Int
  private var messages: [Int: Message] = [:]
  private var passage = Passage()
  private var slots: [Int: [Slot]] = [:]
  private var result: History
  private var effects: [EditEffect?] = []

  private struct Message {
    let number: Int
    let parts: Int
    let from: Int
    let to: Int
    /// Nothing of it arrives any more.
    var isLost: Bool
    var isDropped = false
    var hasArrived = false
  }

  private struct Slot {
    let wish: Int
    let heads: ObservedHeads?
  }

  /// The valid history nearest to `history`.
  package static func normalise(_ history: History) -> NormalisedHistory {
    var normaliser = Normaliser(history)
    for step in history.steps { normaliser.take(step) }
    return NormalisedHistory(history: normaliser.result, effects: normaliser.effects)
  }

  /// The valid history nearest to `history`, and the reference's replicas at its end.
  package static func run(
    _ history: History
  ) -> (history: NormalisedHistory, replicas: [Reference]) {
    var normaliser = Normaliser(history)
    for step in history.steps { normaliser.take(step) }
    let replicas = (0..<normaliser.replicaCount).compactMap { normaliser.interpreter.replica($0) }
    return (
      NormalisedHistory(history: normaliser.result, effects: normaliser.effects), replicas
    )
  }

  /// Runs the valid history nearest to `history`, and shows the replicas after each of its steps.
  package static func run(_ history: History, afterStep body: ([Reference]) -> Void) {
    var normaliser = Normaliser(history)
    for step in history.steps {
      let count = normaliser.result.steps.count
      normaliser.take(step)
      guard normaliser.result.steps.count > count else { continue }
      body((0..<normaliser.replicaCount).compactMap { normaliser.interpreter.replica($0) })
    }
  }

  private init(_ history: History) {
    result = history
    result.replicaCount = max(1, min(history.replicaCount, History.replicaLimit))
    result.steps = []
    lowering = Lowering(history: result)
    kinds = [.map] + history.base.objectKinds
    keys = Self.keys(of: history)
    replicaCount = result.replicaCount
    actorCount = replicaCount
    for instruction in result.opening { _ = interpreter.perform(instruction) }
  }

  /// All keys of the history in the order of their first use: where counters are looked for.
  private static func keys(of history: History) -> [ExactString] {
    var seen: Set<ExactString> = []
    let edits = history.steps.compactMap { step -> DocumentModel.Slot? in
      guard case .edit(_, let edit) = step else { return nil }
      return edit.slot
    }
    return (history.base.edits.compactMap(\.slot) + edits).compactMap { slot in
      guard case .key(let key) = slot, seen.insert(key).inserted else { return nil }
      return key
    }
  }

  // MARK: - Steps

  private mutating func take(_ step: Step) {
    switch step {
    case .edit(let replica, let edit):
      take(edit, at: replica % replicaCount)
    case .commit(let replica):
      keep(.commit(replica: replica % replicaCount))
    case .fork(let replica, _):
      guard replicaCount < History.replicaLimit, actorCount < History.actorLimit else { return }
      keep(.fork(replica: replica % replicaCount, actor: actorCount))
      writers[replicaCount] = actorCount
      replicaCount += 1
      actorCount += 1
    case .exchange(let from, let to, let transport):
      guard let (from, to) = pair(from, to), passage.passes(from: from, to: to) else { return }
      keep(.exchange(from: from, to: to, transport))
    case .send(let message, let from, let to, let transport):
      guard let (from, to) = pair(from, to), messages[message] == nil else { return }
      send(message, from: from, to: to, transport)
    case .deliver(let message, let part):
      deliver(message, part)
    case .drop(let message, let loss):
      guard let sent = messages[message], !sent.isDropped, !sent.hasArrived else { return }
      keep(.drop(message: sent.number, loss))
      messages[message]?.isDropped = true
      messages[message]?.isLost = true
    case .cut(let side, let bothWays):
      let side = Set(side.map { $0 % replicaCount }).sorted()
      guard passage.cut(side: side, bothWays: bothWays, of: replicaCount) else { return }
      keep(.cut(side: side, bothWays: bothWays))
      loseWhatCrosses()
    case .mend:
      if passage.mend() { keep(.mend) }
    case .clog(let from, let to):
      guard let (from, to) = pair(from, to), passage.clog(from: from, to: to) else { return }
      keep(.clog(from: from, to: to))
    case .unclog(let from, let to):
      guard let (from, to) = pair(from, to), passage.unclog(from: from, to: to) else { return }
      keep(.unclog(from: from, to: to))
    case .save(let replica, let wish):
      save(replica % replicaCount, wish)
    case .restart(let replica, let wish, _):
      restart(replica % replicaCount, wish)
    }
  }

  private mutating func send(_ wish: Int, from: Int, to: Int, _ transport: Transport) {
    let number = messages.count + 1
    let outcome = keep(.send(message: number, from: from, to: to, transport))
    guard case .sent(let parts) = outcome else { return }
    messages[wish] = Message(
      number: number,
      parts: parts,
      from: from,
      to: to,
      isLost: passage.isCut(from: from, to: to)
    )
  }

  private mutating func deliver(_ wish: Int, _ part: Int?) {
    guard let sent = messages[wish], sent.parts > 0, !sent.isLost,
      passage.passes(from: sent.from, to: sent.to)
    else { return }
    // A message of one part arrives whole.
    let part = sent.parts == 1 ? nil : part.map { $0 % sent.parts }
    keep(.deliver(message: sent.number, part: part))
    if part == nil { messages[wish]?.hasArrived = true }
  }

  /// A cut loses what is under way across it.
  private mutating func loseWhatCrosses() {
    for (wish, message) in messages
    where !message.hasArrived && passage.isCut(from: message.from, to: message.to) {
      messages[wish]?.isLost = true
    }
  }

  private func pair(_ from: Int, _ to: Int) -> (Int, Int)? {
    let from = from % replicaCount
    let to = to % replicaCount
    return from == to ? nil : (from, to)
  }

  @discardableResult
  private mutating func keep(_ step: Step) -> Outcome {
    result.steps.append(step)
    var last = Outcome.done
    var effect: EditEffect?
    for instruction in lowering.lower(step) {
      last = interpreter.perform(instruction)
      if case .edited(let done) = last { effect = done }
    }
    effects.append(effect)
    return last
  }

  private mutating func save(_ replica: Int, _ wish: Int) {
    var stored = slots[replica, default: []]
    keep(.save(replica: replica, slot: stored.count))
    stored.append(Slot(wish: wish, heads: heads(of: replica)))
    slots[replica] = stored
  }

  /// A replica that lost changes which others may know must not write on under the same name.
  private mutating func restart(_ replica: Int, _ wish: Int) {
    let stored = slots[replica, default: []]
    guard !stored.isEmpty else { return }
    let slot = stored.firstIndex { $0.wish == wish } ?? wish % stored.count
    let isStale = heads(of: replica) != stored[slot].heads
    if isStale {
      guard actorCount < History.actorLimit else { return }
      keep(.restart(replica: replica, slot: slot, actor: actorCount))
      writers[replica] = actorCount
      actorCount += 1
    } else {
      keep(.restart(replica: replica, slot: slot, actor: writers[replica] ?? replica))
    }
  }

  /// The writer of each replica that no longer writes as the one it started with.
  private var writers: [Int: Int] = [:]

  private func heads(of replica: Int) -> ObservedHeads? {
    // Asked of a copy: whether the open change is closed is for the history to say.
    interpreter.peek(replica)?.copy().heads()
  }

  // MARK: - Edits

  private mutating func take(_ edit: Edit<ObjectName>, at replica: Int) {
    guard let valid = interpreter.peek(replica).flatMap({ fit(edit, to: $0) }) else { return }
    if let kind = valid.madeKind { kinds.append(kind) }
    keep(.edit(replica: replica, valid))
  }

  private func fit(_ edit: Edit<ObjectName>, to document: any DocumentHandle) -> Edit<ObjectName>? {
    guard let object = object(edit, in: document), let id = interpreter.objectID(object),
      let shape = document.shape(of: id)
    else { return nil }
    switch edit {
    case .put(_, let slot, let value):
      return fit(slot, shape).map { .put(object, $0, value) }
    case .putObject(_, let slot, let kind):
      return fit(slot, shape).map { .putObject(object, $0, kind) }
    case .delete(_, let slot):
      return fit(slot, shape).map { .delete(object, $0) }
    case .increment(_, let slot, let amount):
      return counter(slot, in: id, shape, document).map { .increment(object, $0, by: amount) }
    case .insert(_, let index, let value):
      return .insert(object, index: index % (shape.length + 1), value)
    case .insertObject(_, let index, let kind):
      return .insertObject(object, index: index % (shape.length + 1), kind)
    case .splice(_, let index, let deleting, let values):
      let index = index % (shape.length + 1)
      let count = min(deleting, shape.length - index)
      guard count > 0 || !values.isEmpty else { return nil }
      return .splice(object, index: index, deleting: count, inserting: values)
    case .spliceText(_, let index, let deleting, let text):
      let index = index % (shape.length + 1)
      let count = min(deleting, shape.length - index)
      guard count > 0 || !text.string.isEmpty else { return nil }
      return .spliceText(object, index: index, deleting: count, inserting: text)
    }
  }

  /// The object wished for if the edit fits it, or one of those that it fits.
  private func object(_ edit: Edit<ObjectName>, in document: any DocumentHandle) -> ObjectName? {
    let wish = edit.object.number
    if kinds.indices.contains(wish), fits(edit, wish, in: document) { return ObjectName(wish) }
    let fitting = kinds.indices.filter { fits(edit, $0, in: document) }
    return fitting.isEmpty ? nil : ObjectName(fitting[wish % fitting.count])
  }

  private func fits(
    _ edit: Edit<ObjectName>,
    _ number: Int,
    in document: any DocumentHandle
  ) -> Bool {
    edit.fits(kinds[number])
      && interpreter.objectID(ObjectName(number)).flatMap { document.shape(of: $0) } != nil
  }

  private func fit(
    _ slot: DocumentModel.Slot,
    _ shape: (kind: ObjectKind, length: Int)
  ) -> DocumentModel.Slot? {
    switch (slot, shape.kind) {
    case (.key, .map):
      return slot
    case (.index(let index), .map):
      return keys.isEmpty ? .key("k") : .key(keys[index % keys.count])
    case (.index(let index), _):
      return shape.length == 0 ? nil : .index(index % shape.length)
    case (.key(let key), _):
      let index = keys.firstIndex(of: key) ?? 0
      return shape.length == 0 ? nil : .index(index % shape.length)
    }
  }

  /// The slot wished for if a counter stands there, or the first where one does.
  private func counter(
    _ slot: DocumentModel.Slot,
    in id: ObjectID,
    _ shape: (kind: ObjectKind, length: Int),
    _ document: any DocumentHandle
  ) -> DocumentModel.Slot? {
    if let wish = fit(slot, shape), document.holdsCounter(id, wish) { return wish }
    let all: [DocumentModel.Slot] =
      shape.kind == .map ? keys.map { .key($0) } : (0..<shape.length).map { .index($0) }
    return all.first { document.holdsCounter(id, $0) }
  }
}

extension Edit {
  /// Whether the call fits an object of this kind.
  fileprivate func fits(_ kind: ObjectKind) -> Bool {
    switch self {
    case .put, .putObject, .delete, .increment: true
    case .insert, .insertObject: kind != .map
    case .splice: kind == .list
    case .spliceText: kind == .text
    }
  }

  /// The slot that the edit names by key or index, if it names one.
  fileprivate var slot: Slot? {
    switch self {
    case .put(_, let slot, _), .putObject(_, let slot, _), .delete(_, let slot),
      .increment(_, let slot, _):
      slot
    default: nil
    }
  }
}
