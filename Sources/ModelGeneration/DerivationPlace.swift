import CodingSupport
import PropertyEngine

/// A place of the lazily written document, as the type that owns it sees it.
struct DerivationPlace {
  let run: DerivationRun
  let node: DerivationNode
  let path: CodingPath
  /// The type being decoded.
  let owner: TypePlan
  /// The way from where the owner began.
  let slot: SchemaSlot

  func child(_ key: any CodingKey, isDynamic: Bool) -> DerivationPlace {
    DerivationPlace(
      run: run,
      node: node.child(key.stringValue),
      path: path.appending(.key(key.stringValue)),
      owner: owner,
      slot: slot.appending(isDynamic ? .anyKey : .key(key.stringValue))
    )
  }

  func element(_ index: Int, _ node: DerivationNode) -> DerivationPlace {
    DerivationPlace(
      run: run,
      node: node,
      path: path.appending(.index(index)),
      owner: owner,
      slot: slot.appending(.element)
    )
  }

  /// The same place as that of a dictionary's key, which is no field of anything.
  var key: DerivationPlace {
    DerivationPlace(
      run: run,
      node: node,
      path: path,
      owner: owner,
      slot: slot.appending(.entryKey)
    )
  }

  private func context(_ explanation: String) -> DecodingError.Context {
    DecodingError.Context(codingPath: path.codingKeys, debugDescription: explanation)
  }

  func mismatch(_ type: Any.Type, _ found: String) -> DecodingError {
    .typeMismatch(type, context("expected \(type), found \(found)"))
  }

  func noValue(_ type: Any.Type) -> DecodingError {
    .valueNotFound(type, context("expected \(type), found nothing"))
  }

  /// The refusal of the key that leads here.
  var missing: DecodingError {
    let parent = path.parent ?? .root
    let context = DecodingError.Context(
      codingPath: parent.codingKeys,
      debugDescription: "there is no such key"
    )
    return .keyNotFound(path.last ?? .key(""), context)
  }

  // MARK: - Values

  /// A value of any type that is not a scalar of a container's own calls.
  func value<T: Decodable>(_ type: T.Type, isKeyed: Bool = false) throws -> T {
    if case .value(let stored) = node.state, let value = stored as? T { return value }
    if let settled = node.settled { return try decoder.decode(type, from: settled, at: path) }
    let planner = run.planner
    if let leaf = planner.leaf(type) {
      if let whole = node.whole { return try decoder.decode(type, from: whole, at: path) }
      try run.refuse(self, type, isKeyed: isKeyed)
      guard case .fresh = node.state else { throw mismatch(type, "something else") }
      planner.schema.note(self, type)
      guard let value = run.draw(leaf) as? T else { throw mismatch(type, "another type") }
      node.state = .value(value)
      tell("is the \(type) \(value)")
      return value
    }
    if let scalar = type as? any DerivableScalar.Type {
      guard let value = try open(scalar, isKeyed: isKeyed) as? T else {
        throw mismatch(type, "another type")
      }
      return value
    }
    try run.refuse(self, type, isKeyed: isKeyed)
    planner.schema.note(self, type)
    if let dictionary = type as? any DerivableDictionary.Type {
      guard let value = try dictionary.derive(self) as? T else { throw mismatch(type, "nothing") }
      return value
    }
    let root = run.probed?.path ?? SchemaSlot()
    guard let plan = planner.plan(for: type, root.appending(SchemaSlot(of: path.keys))) else {
      throw mismatch(type, "a type that the plan does not know")
    }
    guard plan.witness != nil else {
      // What is met too late to be planned is refused as a dead type is, so that other answers are tried.
      if !plan.isDead, !planner.isFinished { run.blockedOn = run.blockedOn ?? plan }
      throw plan.notDerivable()
    }
    return try run.construct(type, into: node, at: path, by: plan)
  }

  private func open<S: DerivableScalar>(_ type: S.Type, isKeyed: Bool) throws -> Any {
    try scalar(type, isKeyed: isKeyed)
  }

  /// A scalar that a container is asked for by name.
  func scalar<S: DerivableScalar>(_ type: S.Type, isKeyed: Bool = false) throws -> S {
    if let settled = node.settled { return try decoder.scalar(type, from: settled, at: path) }
    switch node.state {
    case .value(let stored):
      guard let value = stored as? S else { throw mismatch(type, "another scalar") }
      return value
    case .null: throw noValue(type)
    case .keyed, .unkeyed: throw mismatch(type, "a container")
    case .fresh: break
    }
    try run.refuse(self, type, isKeyed: isKeyed)
    run.planner.schema.note(self, type)
    let value = draw(type)
    node.state = .value(value)
    tell("is \((value as? String).map { Tree.quoted($0) } ?? "\(value)")")
    return value
  }

  /// Tells of an answer, such as "`seats` is missing"; it must not hold the run, which holds it.
  func tell(_ answer: @autoclosure @escaping () -> String) {
    guard let willAnswer = run.planner.willAnswer else { return }
    // A type that is planned by itself is somewhere within the model.
    let (root, path) = (run.probed?.path, path)
    run.answers.append {
      let outer = root?.name ?? ""
      let inner = path.keys.swiftly
      let joint = outer.isEmpty || inner.isEmpty || inner.hasPrefix("[") ? "" : "."
      let name = outer + joint + inner
      return "\(name.isEmpty ? "the whole" : "`\(name)`") \(answer())"
    }
    willAnswer(run.answers)
  }

  private func draw<S: DerivableScalar>(_ type: S.Type) -> S {
    if slot.isEmpty, let raw = owner.rawValues as? [S], !raw.isEmpty {
      return run.draw { $0.element(of: raw) }
    }
    if type == String.self {
      if owner === run.probed, run.depth == 1, !run.textRequests.contains(slot) {
        run.textRequests.append(slot)
      }
      let key = path.keys.last { $0.intValue == nil }?.stringValue ?? ""
      let words =
        run.planner.words(for: key) ?? owner.texts[slot] ?? (slot.isEmpty ? [] : owner.caseNames)
      if !words.isEmpty, let word = run.draw({ $0.element(of: words) }) as? S { return word }
    }
    let literals = type.literals(run.planner.literals)
    if !literals.isEmpty, run.draw({ $0.flag() }) {
      return run.draw { $0.element(of: literals) }
    }
    return run.draw { type.draw(&$0) }
  }

  // MARK: - Containers

  /// The document of a value of Foundation's that reads itself by such keys; `nil` for any other keys.
  ///
  /// So a wrapper that calls `Calendar(from: decoder)` itself gets one that there is, as a field would. What it reads
  /// by keys of its own, before or after that, stands beside the calendar's keys in the same map.
  func whole(readBy keys: ObjectIdentifier) throws -> Tree? {
    if let settled = node.settled { return settled }
    if node.wholeKeys.contains(keys) { return node.whole }
    guard node.takesKeys, let leaf = run.planner.leaf(readBy: keys) else { return nil }
    let value = run.draw(leaf)
    guard node.take(try DerivationNode.tree(of: value), readBy: keys) else { return nil }
    tell("is the \(type(of: value)) \(value)")
    return node.settled ?? node.whole
  }

  /// What reads documents that are settled.
  private var decoder: TreeDecoder {
    var decoder = TreeDecoder()
    decoder.userInfo = run.planner.userInfo
    return decoder
  }

  /// A decoder of what is settled here, or of a document in its place.
  func decoding(_ document: Tree) -> TreeDecoding {
    TreeDecoding(decoder: decoder, tree: document, path: path)
  }

  func keyed() throws {
    switch node.state {
    case .fresh, .keyed: node.state = .keyed
    default: throw mismatch([String: Any].self, "something else")
    }
  }

  func unkeyed() throws {
    switch node.state {
    case .fresh, .unkeyed: node.state = .unkeyed
    default: throw mismatch([Any].self, "something else")
    }
  }

  /// Whether the place holds null; yes is the simplest.
  func isNull() -> Bool {
    switch node.state {
    case .null: return true
    case .fresh: break
    default: return false
    }
    run.planner.schema.noteOptional(self)
    let isThere = run.flag(percent: 74)
    if !isThere {
      node.state = .null
      tell("is null")
    }
    return !isThere
  }
}

struct DerivingDecoder: Decoder {
  let place: DerivationPlace

  var codingPath: [any CodingKey] { place.path.codingKeys }
  var userInfo: [CodingUserInfoKey: Any] { place.run.planner.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    if let whole = try place.whole(readBy: ObjectIdentifier(type)) {
      return try place.decoding(whole).container(keyedBy: type)
    }
    try place.keyed()
    try FoundationTraps.check(keys: ObjectIdentifier(type), from: self)
    return KeyedDecodingContainer(KeyedDeriving(place: place))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    if let settled = place.node.settled { return try place.decoding(settled).unkeyedContainer() }
    try place.unkeyed()
    return UnkeyedDeriving(place: place)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    place.node.settled.map { place.decoding($0).singleValueContainer() }
      ?? SingleDeriving(place: place)
  }
}
