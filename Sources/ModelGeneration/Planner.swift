import CodingSupport
import PropertyEngine
import Texts

/// Learns from a type alone how values of it are made, by decoding it from forced answers.
///
/// The order is fixed and no clock or address takes part: one type always gives one plan. There is
/// one planner for each root, as a plan kept longer could depend on which type came first.
final class Planner {
  let words: [String: [String]]
  /// Keys of strings, and names of enumerations, that words may be given for: those that were asked for.
  private(set) var namesOfWords: Set<String> = []
  let literals: Literals
  let userInfo: [CodingUserInfoKey: Any]
  let schema = SchemaBuilder()
  /// Told of the answers of a run.
  var willAnswer: ((DerivationAnswers) -> Void)?
  /// Whether plans are final; from then on everything here is only read.
  private(set) var isFinished = false
  private var plans: [TypePlan] = []
  private var indices: [ObjectIdentifier: TypePlan] = [:]
  private let leaves: [ObjectIdentifier: LeafGenerator]

  private static let searchLimit = 1500
  /// Values that are drawn before words count as given for nothing: a string may be asked for in few of them.
  private static let wordSearchLimit = 500
  /// Random attempts before strings get the words of formats.
  private static let formatsFrom = 200
  private static let poolSeed: Seed = 0x6d6f_6465_6c73

  init(
    leaves: [ObjectIdentifier: LeafGenerator],
    words: [String: [String]],
    literals: Literals = Literals(),
    userInfo: [CodingUserInfoKey: Any]
  ) {
    self.leaves = leaves
    self.words = words
    self.literals = literals
    self.userInfo = userInfo
  }

  /// The generator of the type that reads itself by such keys, if it is one of Foundation's.
  func leaf(readBy keys: ObjectIdentifier) -> LeafGenerator? {
    StandardLeaves.typesByKeys[keys].flatMap { leaves[ObjectIdentifier($0)] }
  }

  func leaf(_ type: any Decodable.Type) -> LeafGenerator? {
    if let leaf = leaves[ObjectIdentifier(type)] { return leaf }
    if let text = type as? any ModelText.Type { return { text.init(String.draw(&$0)) } }
    if let counter = type as? any ModelCounter.Type {
      return { counter.init(Int(Int16.draw(&$0))) }
    }
    return nil
  }

  /// The plan of a type, a new one if it was never met; `nil` if it comes too late for one.
  func plan(for type: any Decodable.Type, _ path: @autoclosure () -> SchemaSlot) -> TypePlan? {
    if let plan = indices[ObjectIdentifier(type)] { return plan }
    return isFinished ? nil : newPlan(for: type, path())
  }

  private func newPlan(for type: any Decodable.Type, _ path: SchemaSlot) -> TypePlan {
    let plan = TypePlan(type, path: path)
    indices[ObjectIdentifier(type)] = plan
    plans.append(plan)
    return plan
  }

  // MARK: - Trials

  private struct Trial {
    let succeeded: Bool
    let trace: [UInt32]
    let run: DerivationRun
  }

  private func attempt(
    _ plan: TypePlan,
    _ source: DerivationRun.Source = .climbing(0),
    choices: Choices = Choices(replaying: []),
    explores: Bool = false,
    forcedCase: String? = nil,
    refusals: [ValueRequest: TypePlan.Refusal] = [:]
  ) -> Trial {
    let run = DerivationRun(self, choices, source: source)
    run.probed = plan
    run.explores = explores
    run.forcedCase = forcedCase
    run.forcedRefusals = refusals
    func open<T: Decodable>(_ type: T.Type) throws {
      _ = try run.construct(type, into: DerivationNode(), at: .root, by: plan)
    }
    plan.attempts += 1
    var succeeded = false
    do {
      try open(plan.type)
      succeeded = run.blockedOn == nil && run.fatal == nil
    } catch {
      plan.lastRefusal = Self.explanation(of: error)
    }
    plan.blocker = run.blockedOn
    if let fatal = run.fatal, plan.failure == nil { plan.failure = fatal.reason }
    return Trial(succeeded: succeeded, trace: run.trace, run: run)
  }

  private static func explanation(of error: any Error) -> String {
    guard let error = error as? DecodingError else { return "\(error)" }
    guard let failure = CodingFailure(error) else { return "DecodingError" }
    let path = failure.codingPath.map { PathKey(spelled: $0) }
    let place = path.isEmpty ? "" : " at `\(path.swiftly)`"
    return "\(failure.kind.rawValue)\(place): \(failure.explanation)"
  }

  // MARK: - Planning

  /// Plans a type and all that it leads to; a planner does so once.
  ///
  /// - Throws: ``NotDerivable`` for the innermost type that keeps the root from having a value.
  func prepare(_ root: any Decodable.Type) throws -> TypePlan {
    let rootPlan = newPlan(for: root, SchemaSlot())
    var count: Int
    repeat {
      schema.isOpen = true
      repeat {
        findValues()
        while search() || giveUp() { findValues() }
      } while explore() || probe()
      schema.isOpen = false
      count = plans.count
      for plan in plans where plan.witness != nil { fillPool(plan) }
      // Random answers may lead to a type that no others lead to, such as the content of a later version.
    } while plans.count > count
    if rootPlan.witness != nil { lookForWords(rootPlan) }
    isFinished = true
    if rootPlan.witness == nil { throw cause(of: rootPlan) }
    return rootPlan
  }

  /// The words that are given for a name.
  ///
  /// - Returns: `nil` if there are none.
  func words(for name: String) -> [String]? {
    // A finished planner is read by several threads.
    if !isFinished, !name.isEmpty { namesOfWords.insert(name) }
    return words[name]
  }

  /// The first name that words were given for and that nothing asked for.
  ///
  /// - Parameter isLikely: Whether only one that reads like a name that was asked for counts: where there is no value,
  ///   what comes behind the refusal was never asked for.
  /// - Returns: Why there are no values; `nil` if all names were asked for.
  func unaskedWords(isLikely: Bool) -> NotDerivable.Reason? {
    let asked = namesOfWords.sorted()
    return words.keys.sorted().first { name in
      !namesOfWords.contains(name)
        && !(isLikely && suggestions(for: name, among: asked.filter { words[$0] == nil }).isEmpty)
    }.map { .unaskedWords(name: $0, asked: asked) }
  }

  /// Draws values until all names of words were asked for.
  private func lookForWords(_ root: TypePlan) {
    for index in 0..<Self.wordSearchLimit where !namesOfWords.isSuperset(of: words.keys) {
      _ = attempt(root, .drawing, choices: Choices(seed: Self.poolSeed.stream(UInt64(index))))
    }
  }

  /// Finds simplest values until no further type has one, inner types first.
  ///
  /// Plans are added as their types are met, so later ones stand for inner types: the walk goes
  /// from the end, and starts there again when a trial has met a new type. Ends since each round
  /// but the last gives a type or a case its first value.
  private func findValues() {
    var hasFound = true
    while hasFound {
      hasFound = false
      var index = plans.count - 1
      while index >= 0 {
        let count = plans.count
        if findValue(plans[index]) { hasFound = true }
        index = plans.count > count ? plans.count - 1 : index - 1
      }
    }
  }

  /// Tries each case that has no value yet, with the simplest answers.
  private func findValue(_ plan: TypePlan) -> Bool {
    guard plan.failure == nil else { return false }
    guard let cases = plan.cases else {
      guard plan.witness == nil else { return false }
      let trial = attempt(plan)
      if let cases = plan.cases {
        if trial.succeeded { accept(plan, cases.first, trial) }
        return findValue(plan) || trial.succeeded
      }
      if trial.succeeded { accept(plan, nil, trial) }
      return trial.succeeded
    }
    var hasFound = false
    for name in cases where !plan.finiteCases.contains(name) {
      let trial = attempt(plan, forcedCase: name)
      guard trial.succeeded else { continue }
      accept(plan, name, trial)
      hasFound = true
    }
    return hasFound
  }

  private func accept(_ plan: TypePlan, _ name: String?, _ trial: Trial) {
    if let name { plan.finiteCases.append(name) }
    plan.witness = plan.witness ?? trial.trace
    plan.isDead = false
  }

  /// Looks for values of types that refuse the simplest answers; true if one was found.
  private func search() -> Bool {
    for plan in plans.reversed() where plan.failure == nil && !plan.wasSearched && !plan.isDead {
      let open: [String?] =
        plan.cases.map { cases in cases.filter { !plan.finiteCases.contains($0) } }
        ?? (plan.witness == nil ? [nil] : [])
      var hasFound = false
      var isBlocked = false
      for name in open {
        // What another type keeps from having a value is not looked for yet.
        let plain = attempt(plan, forcedCase: name)
        if let blocker = plain.run.blockedOn, !blocker.isDead {
          isBlocked = true
          continue
        }
        guard let trial = searched(plan, name, plain) else { continue }
        accept(plan, name, trial)
        hasFound = true
      }
      if !isBlocked { plan.wasSearched = true }
      if hasFound { return true }
    }
    return false
  }

  private func searched(_ plan: TypePlan, _ name: String?, _ plain: Trial) -> Trial? {
    if plain.succeeded { return plain }
    for slot in plain.run.countRequests where plan.counts[slot] == nil {
      for count in [0, 1, 2, 3, 4, 8, 16] {
        plan.counts[slot] = count
        let trial = attempt(plan, forcedCase: name)
        if trial.succeeded { return trial }
        plan.counts[slot] = nil
      }
    }
    for number: UInt32 in [1, 2, 4, 8, 16, 32, 64] {
      let trial = attempt(plan, .climbing(number), forcedCase: name)
      if trial.succeeded { return trial }
    }
    for index in 0..<Self.searchLimit {
      // What takes one free text in many keeps all of them.
      if index == Self.formatsFrom, let trial = searchedByFormat(plan, name) { return trial }
      let choices = Choices(seed: Self.poolSeed.stream(UInt64(index)))
      let trial = attempt(plan, .drawing, choices: choices, forcedCase: name)
      if trial.succeeded { return trial }
      if trial.run.blockedOn != nil { return nil }
    }
    return nil
  }

  /// Tries the formats that strings often have: one after the other for the string that was asked for last, as long as
  /// each leads to more requests; then one for all strings, which may be asked for before any is looked at.
  private func searchedByFormat(
    _ plan: TypePlan,
    _ name: String?,
    explores: Bool = false
  ) -> Trial? {
    let known = plan.texts
    var trial = attempt(plan, explores: explores, forcedCase: name)
    while !trial.succeeded, let slot = trial.run.textRequests.last, plan.texts[slot] == nil {
      let requestCount = trial.run.requests.count
      let next = TextFormat.all.lazy.map { [self] words in
        plan.texts[slot] = words
        return attempt(plan, explores: explores, forcedCase: name)
      }.first { $0.succeeded || $0.run.requests.count > requestCount }
      guard let next else { break }
      trial = next
    }
    if trial.succeeded { return trial }
    for words in TextFormat.all {
      plan.texts = known
      for slot in trial.run.textRequests { plan.texts[slot] = words }
      let all = attempt(plan, explores: explores, forcedCase: name)
      if all.succeeded { return all }
    }
    plan.texts = known
    return nil
  }

  /// Declares that a type has no value, so that types which can do without it may; true if one was.
  private func giveUp() -> Bool {
    let hopeless = plans.filter { $0.witness == nil && !$0.isDead }
    guard !hopeless.isEmpty else { return false }
    let innermost = hopeless.filter { $0.blocker == nil || $0.failure != nil }
    for plan in innermost.isEmpty ? hopeless : innermost {
      if innermost.isEmpty { plan.failure = plan.failure ?? .noFiniteValue }
      plan.isDead = true
    }
    for plan in plans where plan.witness == nil || !plan.finiteCases.isEmpty {
      plan.wasSearched = plan.isDead
    }
    return true
  }

  /// Lets each type show all of itself; true if that led to new types.
  ///
  /// What is refused then may be a string that only counts where it is there, such as an optional date: it gets the
  /// words of a format, unless some free text does. Every value would lack it otherwise.
  private func explore() -> Bool {
    for plan in plans where plan.witness != nil && !plan.wasExplored {
      let count = plans.count
      let cases: [String?] = plan.finiteCases.isEmpty ? [nil] : plan.finiteCases
      for name in cases {
        let trial = attempt(plan, explores: true, forcedCase: name)
        if plans.count > count { return true }
        guard !trial.succeeded, trial.run.blockedOn == nil, !trial.run.textRequests.isEmpty,
          !takesFreeText(plan, name)
        else { continue }
        let known = plan.texts
        _ = searchedByFormat(plan, name, explores: true)
        // What is known to be a value must stay one.
        if !attempt(plan, .listed(plan.witness ?? [], next: 0)).succeeded { plan.texts = known }
        if plans.count > count { return true }
      }
      plan.wasExplored = true
    }
    return false
  }

  /// Whether some attempt with everything there and random scalars is taken.
  private func takesFreeText(_ plan: TypePlan, _ name: String?) -> Bool {
    (0..<Self.formatsFrom).contains { index in
      let choices = Choices(seed: Self.poolSeed.stream(UInt64(index)))
      return attempt(plan, .drawing, choices: choices, explores: true, forcedCase: name).succeeded
    }
  }

  /// Tries which requests of a type may be refused; true if that led to new types.
  private func probe() -> Bool {
    for plan in plans where plan.witness != nil && !plan.wasProbed {
      let count = plans.count
      probe(plan)
      if plans.count > count { return true }
      plan.wasProbed = true
    }
    return false
  }

  private func probe(_ plan: TypePlan) {
    let name = plan.finiteCases.first
    let explores = attempt(plan, explores: true, forcedCase: name).succeeded
    func trial(_ refusals: [ValueRequest: TypePlan.Refusal]) -> Trial {
      guard explores else {
        return attempt(plan, .listed(plan.witness ?? [], next: 0), refusals: refusals)
      }
      return attempt(plan, explores: true, forcedCase: name, refusals: refusals)
    }
    var inForce: [ValueRequest: TypePlan.Refusal] = [:]
    var tried: Set<ValueRequest> = []
    // What stands behind a refusal only shows while it is in force.
    while let request = trial(inForce).run.requests.first(where: { !tried.contains($0.value) }) {
      tried.insert(request.value)
      let kinds: [TypePlan.Refusal] =
        request.isKeyed ? [.typeMismatch, .keyNotFound] : [.typeMismatch]
      for kind in kinds {
        var refusals = inForce
        refusals[request.value] = kind
        let result = trial(refusals)
        if result.run.blockedOn != nil { return }
        guard result.succeeded, result.run.firedRefusals.contains(request.value) else { continue }
        inForce = refusals
        break
      }
    }
    plan.refusals = inForce
  }

  /// Keeps accepted choices of a type that refuses most of what is random.
  private func fillPool(_ plan: TypePlan) {
    func accepted(_ range: Range<Int>, limit: Int) -> [[UInt32]] {
      var traces: [[UInt32]] = []
      for index in range where traces.count < limit {
        let choices = Choices(seed: Self.poolSeed.stream(UInt64(index)))
        let trial = attempt(plan, .drawing, choices: choices)
        if trial.succeeded { traces.append(trial.trace) }
      }
      return traces
    }
    plan.pool = []
    let first = accepted(0..<24, limit: 24)
    guard first.count < 6 else { return }
    plan.pool = first + accepted(24..<240, limit: 16) + (plan.witness.map { [$0] } ?? [])
  }

  /// The innermost type that is to blame.
  private func cause(of root: TypePlan) -> NotDerivable {
    var plan = root
    var seen: Set<ObjectIdentifier> = []
    while seen.insert(ObjectIdentifier(plan)).inserted {
      plan.blocker = nil
      _ = attempt(plan, forcedCase: plan.cases?.first)
      guard let next = plans.first(where: { isBlame($0, of: plan) }) else { break }
      plan = next
    }
    return plan.notDerivable()
  }

  /// Whether a dead type was asked for by another.
  private func isBlame(_ candidate: TypePlan, of plan: TypePlan) -> Bool {
    candidate !== plan && candidate.witness == nil
      && plan.requests.contains { $0.type == candidate.type }
  }
}
