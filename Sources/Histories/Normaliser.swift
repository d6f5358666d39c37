// long: one walk over a history with one state; what it maps of edits, bursts and calls needs all of it.
//
// The normaliser: any history becomes a valid one. Read `take(_: Step)`, which has a case for each
// step, and `keep`, through which each valid step enters the result; below them what maps edits,
// bursts and calls.
//
//     raw                       of two replicas    list 1 has two elements, and there are objects 0 to 3
//     r5 insert list1 12 int 1  r1 insert list1 0 int 1     5 % 2; 12 % 3 places
//     r1 put map9 0 int 1       r1 put list1 0 int 1        9 % 4 objects that a put fits
//     m7 deliver                left out                    if no message 7 set out
//     r1 restart s3 actor 9     r1 restart s0 actor 2       one slot; changes were lost: the next writer
//
// Laws never see a raw history. The shrinker changes raw choices, and the result is normalised
// again.
//
// Source: Decisions/0002-normalise-against-the-specification.md.

package import DocumentModel

/// A valid history, and what the reference replica did with it.
///
/// `effects` are the reference's, with the operations that each edit wrote and replaced. Ids in
/// them hold for a subject that follows the same rules.
package struct NormalisedHistory: Sendable {
  package let history: History
  /// One entry for each step: the effect of an edit, `nil` for all else.
  package let effects: [EditEffect?]
  /// Steps by which nothing came to the receiver, as there was no news for it.
  ///
  /// They leave its open change open, which all that does come closes.
  package let withoutNews: Set<Int>
}

/// Makes any history valid: maps each number into what is there when its step comes.
///
/// Raw histories wish for the seventh object or index 12. The normaliser runs the history on a
/// reference replica, maps every wish into the range that the replica offers, and leaves out steps
/// that cannot be: what names nothing that is there, and what would pass a cut, a clog or a loss. A
/// valid history stays as it is, and whatever shrinking makes of one is valid again.
///
/// `Reference` is the specification in a campaign. The laws of stored bytes normalise on the
/// subject itself, whose replicas at the end they want.
///
/// Cost: the history is carried out once; a call that is to be refused, a branch and the end of a
/// burst of puts or deletions in a text are tried on copies.
package struct Normaliser<Reference: Replica> {
  private var interpreter = Interpreter<Reference>()
  private var lowering: Lowering
  /// By the number of the object, the root first.
  private var kinds: [ObjectKind]
  private var keys: [ExactString]
  private var replicaCount: Int
  private var actorCount: Int
  private var messages: [Int: Message] = [:]
  private var reachability = Reachability()
  /// For each replica its slots, by the number that they have in the result.
  private var slots: [Int: [Slot]] = [:]
  /// The slot that each replica may append to: its last save went there, or it started from there.
  private var openSlots: [Int: Int] = [:]
  private var cursorCount = 0
  private var result: History
  private var effects: [EditEffect?] = []
  private var withoutNews: Set<Int> = []

  private var normalised: NormalisedHistory {
    NormalisedHistory(history: result, effects: effects, withoutNews: withoutNews)
  }

  /// `number` is the message's in the result, `parts` what the reference sent.
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

  /// `wish` is the number in the raw history, `heads` those that were saved: a restart from it is
  /// stale if the replica has others by then.
  private struct Slot {
    let wish: Int
    var heads: ObservedHeads?
  }

  /// The valid history nearest to `history`.
  ///
  /// Idempotent: a valid history comes back unchanged.
  package static func normalise(_ history: History) -> NormalisedHistory {
    var normaliser = Normaliser(history)
    for step in history.steps { normaliser.take(step) }
    return normaliser.normalised
  }

  /// The valid history nearest to `history`, and the reference's replicas at its end.
  ///
  /// Replicas whose assignments share one document may know more than that history: what was tried on
  /// a copy was done to them. ``Interpreter/replicas(after:)`` gives those of the history alone.
  package static func run(
    _ history: History
  ) -> (history: NormalisedHistory, replicas: [Reference]) {
    var normaliser = Normaliser(history)
    for step in history.steps { normaliser.take(step) }
    let replicas = (0..<normaliser.replicaCount).compactMap { normaliser.interpreter.replica($0) }
    return (normaliser.normalised, replicas)
  }

  /// Runs the valid history nearest to `history`, and shows the replicas after each of its steps.
  ///
  /// `body` gets the replicas themselves, once for each step that was kept.
  package static func run(_ history: History, afterStep body: ([Reference]) -> Void) {
    var normaliser = Normaliser(history)
    for step in history.steps {
      let count = normaliser.result.steps.count
      normaliser.take(step)
      guard normaliser.result.steps.count > count else { continue }
      body((0..<normaliser.replicaCount).compactMap { normaliser.interpreter.replica($0) })
    }
  }

  /// A history may ask for no replicas, or for a million: there are 1 to ``History/replicaLimit``.
  private init(_ history: History) {
    result = history
    result.replicaCount = max(1, min(history.replicaCount, History.replicaLimit))
    result.steps = []
    result.growth = []
    lowering = Lowering(history: result)
    kinds = [.map] + history.base.objectKinds
    keys = Self.keys(of: history)
    replicaCount = result.replicaCount
    actorCount = replicaCount
    guard history.base != .empty, !history.growth.isEmpty else {
      for instruction in result.opening { _ = interpreter.perform(instruction) }
      return
    }
    let base = result.replicaCount - 1
    _ = interpreter.perform(.base(document: base, result.base))
    for wish in history.growth {
      guard let document = interpreter.peek(base), let burst = fit(wish, to: document) else {
        continue
      }
      for instruction in result.grown(burst) { _ = interpreter.perform(instruction) }
      result.growth.append(burst)
    }
    for instruction in result.openingForks { _ = interpreter.perform(instruction) }
  }

  /// All keys of the history in the order of their first use: where counters are looked for.
  ///
  /// A wish for an index of a map becomes one of these, by remainder.
  private static func keys(of history: History) -> [ExactString] {
    var seen: Set<ExactString> = []
    let edits = history.steps.compactMap { step -> DocumentModel.Slot? in
      switch step {
      case .edit(_, let edit): edit.slot
      case .call(_, .burst(let burst)): burst.edit.slot
      default: nil
      }
    }
    return (history.base.edits.compactMap(\.slot) + edits).compactMap { slot in
      guard case .key(let key) = slot, seen.insert(key).inserted else { return nil }
      return key
    }
  }

  // MARK: - Steps

  /// Numbers are mapped by remainder (`replica % replicaCount`); a step that is nothing then, such
  /// as an exchange of a replica with itself, is left out.
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
      guard let (from, to) = pair(from, to), reachability.passes(from: from, to: to) else { return }
      keep(.exchange(from: from, to: to, transport))
      closeSlot(from, transport)
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
      guard reachability.cut(side: side, bothWays: bothWays, of: replicaCount) else { return }
      keep(.cut(side: side, bothWays: bothWays))
      loseWhatCrosses()
    case .mend:
      if reachability.mend() { keep(.mend) }
    case .clog(let from, let to):
      guard let (from, to) = pair(from, to), reachability.clog(from: from, to: to) else { return }
      keep(.clog(from: from, to: to))
    case .unclog(let from, let to):
      guard let (from, to) = pair(from, to), reachability.unclog(from: from, to: to) else { return }
      keep(.unclog(from: from, to: to))
    case .save(let replica, let wish):
      save(replica % replicaCount, wish)
    case .restart(let replica, let wish, _):
      restart(replica % replicaCount, wish)
    case .branch(let replica, let wish, _):
      branch(replica % replicaCount, wish)
    case .call(let replica, let call):
      take(call, at: replica % replicaCount)
    }
  }

  /// Calls that a subject cannot make are not in its histories: the generator's limits leave them
  /// out.
  private mutating func take(_ call: ReplicaCall, at replica: Int) {
    switch call {
    case .burst(let wish):
      guard let document = interpreter.peek(replica), let burst = fit(wish, to: document) else {
        return
      }
      // One edit alone is an edit.
      guard burst.count == 1 else { return keepCall(.burst(burst), replica) }
      keep(.edit(replica: replica, burst.edit))
      if burst.commits { keep(.commit(replica: replica)) }
    case .attempt(let wish):
      guard let document = interpreter.peek(replica), let edit = refused(wish, by: document) else {
        return
      }
      keepCall(.attempt(edit), replica)
    case .append:
      guard let slot = openSlots[replica] else { return }
      keepCall(.append(slot: slot), replica)
      let heads = heads(of: replica)
      slots[replica]?[slot].heads = heads
    case .cursor(let wish, let index, let move):
      guard cursorCount < History.cursorLimit, let document = interpreter.peek(replica),
        let object = sequence(wish, in: document),
        let length = interpreter.objectID(object).flatMap({ document.shape(of: $0)?.length })
      else { return }
      cursorCount += 1
      keepCall(.cursor(object, index: index % (length + 1), move), replica)
    case .sync(let other, let fates):
      guard let (from, to) = pair(replica, other), reachability.passes(from: from, to: to),
        reachability.passes(from: to, to: from)
      else { return }
      keepCall(.sync(with: to, Array(fates.prefix(History.fateLimit))), from)
    case .hear(var attack):
      attack.informant %= replicaCount
      if attack.needsChange, heads(of: attack.informant)?.ids.isEmpty ?? true { return }
      keepCall(.hear(attack), replica)
    case .rollback, .read, .commit:
      keepCall(call, replica)
    }
  }

  /// The list or text wished for, or one of those that there are.
  private func sequence(_ wish: ObjectName, in document: any DocumentHandle) -> ObjectName? {
    let all = kinds.indices.filter { number in
      let kind = interpreter.objectID(ObjectName(number)).flatMap { document.kind(of: $0) }
      return kind == .list || kind == .text
    }
    if all.contains(wish.number) { return wish }
    return all.isEmpty ? nil : ObjectName(all[wish.number % all.count])
  }

  private mutating func keepCall(_ call: ReplicaCall, _ replica: Int) {
    keep(.call(replica: replica, call))
  }

  /// A fork at what a slot holds, if the replica still knows it.
  private mutating func branch(_ replica: Int, _ wish: Int) {
    guard replicaCount < History.replicaLimit, actorCount < History.actorLimit,
      let slot = storedSlot(replica, wish), let heads = slots[replica]?[slot].heads,
      (try? interpreter.peek(replica)?.copy().fork(at: heads, actor: History.actor(0))) != nil
    else { return }
    keep(.branch(replica: replica, slot: slot, actor: actorCount))
    writers[replicaCount] = actorCount
    replicaCount += 1
    actorCount += 1
  }

  /// The slot wished for, or one of those that there are.
  ///
  /// First by the number that the raw history gave the slot, so that a valid history keeps its
  /// slots.
  private func storedSlot(_ replica: Int, _ wish: Int) -> Int? {
    let stored = slots[replica, default: []]
    guard !stored.isEmpty else { return nil }
    return stored.firstIndex { $0.wish == wish } ?? wish % stored.count
  }

  /// Messages are renumbered from 1 in the order of sending; the map goes from the number of the
  /// raw history to the message.
  ///
  /// One sent across a cut is lost at once.
  ///
  /// A message that could not be made (`sent` was not the outcome) is not known later.
  private mutating func send(_ wish: Int, from: Int, to: Int, _ transport: Transport) {
    let number = messages.count + 1
    let outcome = keep(.send(message: number, from: from, to: to, transport))
    closeSlot(from, transport)
    guard case .sent(let parts) = outcome else { return }
    messages[wish] = Message(
      number: number,
      parts: parts,
      from: from,
      to: to,
      isLost: reachability.isCut(from: from, to: to)
    )
  }

  /// A message may be delivered again and again; once it is lost, never.
  private mutating func deliver(_ wish: Int, _ part: Int?) {
    guard let sent = messages[wish], sent.parts > 0, !sent.isLost,
      reachability.passes(from: sent.from, to: sent.to)
    else { return }
    // A message of one part arrives whole.
    let part = sent.parts == 1 ? nil : part.map { $0 % sent.parts }
    keep(.deliver(message: sent.number, part: part))
    if part == nil { messages[wish]?.hasArrived = true }
  }

  /// A cut loses what is under way across it.
  ///
  /// What has arrived in part is lost as far as it has not.
  private mutating func loseWhatCrosses() {
    for (wish, message) in messages
    where !message.hasArrived && reachability.isCut(from: message.from, to: message.to) {
      messages[wish]?.isLost = true
    }
  }

  /// Nil for a replica and itself.
  private func pair(_ from: Int, _ to: Int) -> (Int, Int)? {
    let from = from % replicaCount
    let to = to % replicaCount
    return from == to ? nil : (from, to)
  }

  /// The only place at which a step enters the result: it is done to the reference there and then,
  /// so that the next wish is compared with what is there after it.
  @discardableResult
  private mutating func keep(_ step: Step) -> Outcome {
    result.steps.append(step)
    var last = Outcome.done
    var effect: EditEffect?
    for instruction in lowering.lower(step) {
      last = interpreter.perform(instruction)
      if case .sent(parts: 0) = last { withoutNews.insert(result.steps.count - 1) }
      guard case .edited(let done) = last else { continue }
      effect = effect.map { $0.followed(by: done) } ?? done
    }
    effects.append(effect)
    return last
  }

  /// Slots are renumbered from 0 for each replica, in the order of saves; `wish` keeps the
  /// number of the raw history, by which later steps name the slot.
  ///
  /// The number of a slot is its place among the replica's saves, whatever the raw history called
  /// it.
  private mutating func save(_ replica: Int, _ wish: Int) {
    var stored = slots[replica, default: []]
    keep(.save(replica: replica, slot: stored.count))
    openSlots[replica] = stored.count
    stored.append(Slot(wish: wish, heads: heads(of: replica)))
    slots[replica] = stored
  }

  /// After a save that went elsewhere, what is new since a slot was written is no longer told.
  private mutating func closeSlot(_ replica: Int, _ transport: Transport) {
    if transport == .document { openSlots[replica] = nil }
  }

  /// A replica that lost changes which others may know must not write on under the same name.
  ///
  /// Two changes of one actor with one number would be two under one name: engines may refuse the
  /// second, or take it for the first. So a replica whose slot is older than what it was gets a new
  /// actor; at the limit of actors the step is left out.
  private mutating func restart(_ replica: Int, _ wish: Int) {
    let stored = slots[replica, default: []]
    guard let slot = storedSlot(replica, wish) else { return }
    openSlots[replica] = slot
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

  /// The heads of a replica; `nil` for one that is not there.
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

  /// A list or text of n elements has n + 1 places to insert at, and n to put at or to delete;
  /// where n is 0, what needs an element is left out (`nil`).
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
      let count = Self.deletable(deleting, at: index, shape.length)
      guard count != 0 || !values.isEmpty else { return nil }
      return .splice(object, index: index, deleting: count, inserting: values)
    case .spliceText(_, let index, let deleting, let text):
      let index = index % (shape.length + 1)
      let count = Self.deletable(deleting, at: index, shape.length)
      guard count != 0 || !text.string.isEmpty else { return nil }
      return .spliceText(object, index: index, deleting: count, inserting: text)
    case .mark(_, var marking):
      let units = marking.length
      marking.start %= shape.length + 1
      marking.end = marking.start + min(max(0, units), shape.length - marking.start)
      return .mark(object, marking)
    }
  }

  /// As many as there are to delete behind an index, or before it if the number is negative.
  ///
  /// A negative number deletes before the index: `index 3, -5` deletes three.
  private static func deletable(_ wish: Int, at index: Int, _ length: Int) -> Int {
    max(-index, min(wish, length - index))
  }

  // MARK: - Bursts

  /// The burst in the range of what is there: no edit of it falls outside.
  ///
  /// Bursts make no objects: each would need a name.
  private func fit(_ wish: Burst, to document: any DocumentHandle) -> Burst? {
    guard wish.edit.madeKind == nil, let first = fit(wish.edit.alone, to: document),
      let id = interpreter.objectID(first.object), let shape = document.shape(of: id)
    else { return nil }
    var burst = wish
    burst.edit = first
    if case .increment = first { burst.walk = .same }
    // Hundreds of marks over one another show no more than dozens, and cost the specification more.
    let limit = first.kind == .mark ? 64 : Burst.countLimit
    burst.count = max(1, min(wish.count, limit, Self.room(for: burst, shape)))
    guard shape.kind == .text, burst.mayMissWidth else { return burst }
    // A string in a text may have any width: putting it, or deleting it by one of its units, changes how far
    // indexes go.
    let trial = document.copy()
    let fitting = burst.edits.firstIndex { (try? trial.apply($0.naming(id))) == nil }
    burst.count = max(1, fitting ?? burst.count)
    return burst
  }

  /// Edits of a burst before one would leave the object.
  ///
  /// For 10 elements, an edit at 2 that deletes one each time:
  ///
  ///     same        8 edits: what is behind moves up
  ///     forward     4 edits: at 2, 3, 4, 5, with one element less after each
  ///     backward    3 edits: at 2, 1, 0
  private static func room(
    for burst: Burst,
    _ shape: (kind: ObjectKind, length: Int)
  ) -> Int {
    let index: Int
    /// Elements that an edit takes away, and those that must be there for it.
    let taken: Int
    let needed: Int
    switch burst.edit {
    case .put(_, .index(let at), _): (index, taken, needed) = (at, 0, 1)
    case .delete(_, .index(let at)): (index, taken, needed) = (at, 1, 1)
    case .insert(_, let at, _): (index, taken, needed) = (at, 0, 0)
    case .splice(_, let at, let deleting, _), .spliceText(_, let at, let deleting, _):
      (index, taken, needed) = (at, deleting, deleting)
    case .mark(_, let marking): (index, taken, needed) = (marking.start, 0, marking.length)
    default: return .max
    }
    switch burst.walk {
    case .same:
      return taken > 0 ? (shape.length - index) / taken : .max
    case .forward:
      // What stays behind each edit lets the next one in; else the object shrinks under it.
      if needed == 0, burst.edit.kind != .mark { return .max }
      return (shape.length - index - needed) / (burst.reach + taken) + 1
    case .backward:
      return index / max(1, burst.reach) + 1
    }
  }

  // MARK: - Calls that are refused

  /// The call if the reference refuses it, or the same with an index past the end; `nil` if it is
  /// carried out all the same.
  ///
  /// Tried in turn: the wish as it is, then with its index moved by the length, and by one more.
  /// The first that the reference refuses is kept.
  private func refused(
    _ wish: Edit<ObjectName>,
    by document: any DocumentHandle
  ) -> Edit<ObjectName>? {
    let object = ObjectName(wish.object.number % kinds.count)
    guard let id = interpreter.objectID(object) else { return nil }
    let edit = wish.naming(object)
    let shape = document.shape(of: id)
    // Some splice values into texts, and some refuse to: nothing says who is right.
    if edit.kind == .splice, shape?.kind == .text { return nil }
    let length = shape?.length ?? 0
    return ([edit] + (0...1).compactMap { edit.moved(by: length &+ $0) }).first { candidate in
      let copy = document.copy()
      do {
        _ = try copy.apply(candidate.naming(id))
        return false
      } catch {
        return error is EditRefusal
      }
    }
  }

  /// The object wished for if the edit fits it, or one of those that it fits.
  ///
  /// Wishes are mapped by remainder only where they do not fit, so that a valid history stays as it
  /// is.
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
    // After a rollback another object may have the id of one that is gone.
    edit.fits(kinds[number])
      && interpreter.objectID(ObjectName(number)).flatMap { document.kind(of: $0) }
        == kinds[number]
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

  /// Elements among which a counter is looked for: each look may walk the whole list.
  private static var searchLimit: Int { 64 }

  /// The slot wished for if a counter stands there, or the first where one does.
  ///
  /// A wish for a place without a counter is moved to one, or there would hardly be increments.
  private func counter(
    _ slot: DocumentModel.Slot,
    in id: ObjectID,
    _ shape: (kind: ObjectKind, length: Int),
    _ document: any DocumentHandle
  ) -> DocumentModel.Slot? {
    if let wish = fit(slot, shape), document.holdsCounter(id, wish) { return wish }
    let all: [DocumentModel.Slot] =
      shape.kind == .map
      ? keys.map { .key($0) }
      : (0..<min(shape.length, Self.searchLimit)).map { .index($0) }
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
    case .mark: kind != .map
    }
  }

  /// The same edit with its index moved up; `nil` if it names none.
  fileprivate func moved(by shift: Int) -> Edit? {
    switch self {
    case .put(let object, .index(let index), let value):
      .put(object, .index(index &+ shift), value)
    case .putObject(let object, .index(let index), let kind):
      .putObject(object, .index(index &+ shift), kind)
    case .delete(let object, .index(let index)): .delete(object, .index(index &+ shift))
    case .increment(let object, .index(let index), let amount):
      .increment(object, .index(index &+ shift), by: amount)
    case .insert(let object, let index, let value): .insert(object, index: index &+ shift, value)
    case .insertObject(let object, let index, let kind):
      .insertObject(object, index: index &+ shift, kind)
    case .splice(let object, let index, let count, let values):
      .splice(object, index: index &+ shift, deleting: count, inserting: values)
    case .spliceText(let object, let index, let count, let text):
      .spliceText(object, index: index &+ shift, deleting: count, inserting: text)
    case .mark(let object, let marking): .mark(object, marking.moved(by: shift))
    default: nil
    }
  }

  /// The edit as the first of a burst, which does not delete and insert at once, nor before an index.
  fileprivate var alone: Edit {
    switch self {
    case .splice(let object, let index, let count, let values):
      .splice(
        object,
        index: index,
        deleting: values.isEmpty ? max(1, count) : 0,
        inserting: values
      )
    case .spliceText(let object, let index, let count, let text):
      .spliceText(
        object,
        index: index,
        deleting: text.string.isEmpty ? max(1, count) : 0,
        inserting: text
      )
    default: self
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

extension Burst {
  /// Whether its edits depend on how wide the elements of a text are, which its length does not tell.
  fileprivate var mayMissWidth: Bool {
    switch edit {
    case .put, .insert, .delete: true
    case .splice(_, _, let deleting, _), .spliceText(_, _, let deleting, _): deleting > 0
    case .putObject, .insertObject, .increment, .mark: false
    }
  }
}
