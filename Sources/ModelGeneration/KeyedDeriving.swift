import CodingSupport
import PropertyEngine

struct KeyedDeriving<Key: CodingKey>: KeyedOptionalScalarDecoding {
  let place: DerivationPlace
  /// Keys of a type that is no enumeration, such as those of a dictionary, are any strings.
  private let isDynamic: Bool

  init(place: DerivationPlace) {
    self.place = place
    isDynamic = !TypeFacts.isEnumeration(Key.self)
  }

  var codingPath: [any CodingKey] { place.path.codingKeys }

  // MARK: - Keys

  var allKeys: [Key] {
    let isWhole = place.owner.isEnumeration && place.slot.isEmpty
    if isDynamic {
      // Cases that are keys of any name are known only if the caller named them.
      guard isWhole, place.run.planner.words(for: "\(place.owner.type)") != nil else {
        if isWhole, !place.run.planner.isFinished { place.owner.asksForAnyKey = true }
        return dynamicKeys
      }
    }
    if isWhole {
      return enumCase.flatMap { Key(stringValue: $0) }.map { [$0] } ?? []
    }
    return (TypeFacts.keys(Key.self) ?? []).filter { contains($0) }
  }

  /// The one key of an enumeration's map; `nil` if no case is known.
  private var enumCase: String? {
    if let known = place.node.enumCase { return known }
    let (run, owner) = (place.run, place.owner)
    if owner.cases == nil {
      guard !run.planner.isFinished else { return nil }
      let names =
        run.planner.words(for: "\(owner.type)") ?? TypeFacts.keys(Key.self)?.map(\.stringValue)
      guard let names, !names.isEmpty else {
        owner.failure = .unknownCases(keys: "\(Key.self)")
        run.fatal = run.fatal ?? owner.notDerivable()
        return nil
      }
      owner.cases = names
      run.planner.schema.noteCases(owner, names)
    }
    let chosen: String?
    if owner === run.probed, run.depth == 1, let forced = run.forcedCase {
      chosen = forced
      run.noteForced(owner.finiteCases.firstIndex(of: forced) ?? owner.finiteCases.count)
    } else if owner === run.probed, run.depth == 1, owner.finiteCases.isEmpty {
      chosen = owner.cases?.first
      run.noteForced(0)
    } else if run.isDamped {
      chosen = owner.finiteCases.first
    } else {
      let cases = owner.finiteCases
      chosen = cases.isEmpty ? nil : run.draw { $0.element(of: cases) }
    }
    place.node.enumCase = chosen
    if let chosen {
      place.node.child(chosen).isPresent = true
      place.tell("has the one key \(Tree.quoted(chosen))")
    }
    return chosen
  }

  private var dynamicKeys: [Key] {
    if let known = place.node.dynamicKeys { return known.compactMap { Key(stringValue: $0) } }
    var names = place.node.keys.filter { place.node.child($0).isPresent == true }
    let limit = place.run.showsAll ? 1 : 6
    // A type may refuse every name: the number of tries is bounded, too.
    for _ in 0..<12 where names.count < limit {
      guard place.run.flag(percent: 45) else { break }
      let name = place.run.draw { KeyWords.draw(&$0) }
      guard !names.contains(name), Key(stringValue: name) != nil else { continue }
      names.append(name)
      place.node.child(name).isPresent = true
    }
    place.node.dynamicKeys = names
    let quoted = names.map { Tree.quoted($0) }.joined(separator: ", ")
    place.tell(names.isEmpty ? "has no key" : "has the keys \(quoted)")
    return names.compactMap { Key(stringValue: $0) }
  }

  private func child(_ key: Key) -> DerivationPlace { place.child(key, isDynamic: isDynamic) }

  func contains(_ key: Key) -> Bool {
    if let chosen = place.node.enumCase { return chosen == key.stringValue }
    let child = child(key)
    if let known = child.node.isPresent { return known }
    place.run.planner.schema.noteOptional(child)
    let isPresent = place.run.flag(percent: 74)
    child.node.isPresent = isPresent
    if !isPresent { child.tell("is missing") }
    return isPresent
  }

  /// The place of a key that must be there.
  private func present(_ key: Key) throws -> DerivationPlace {
    let child = child(key)
    guard child.node.isPresent != false,
      place.node.enumCase.map({ $0 == key.stringValue }) ?? true
    else { throw child.missing }
    child.node.isPresent = true
    return child
  }

  func decodeNil(forKey key: Key) throws -> Bool { try present(key).isNull() }

  // MARK: - Values

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try present(key).value(type, isKeyed: true)
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard contains(key) else { return nil }
    return try decode(type, forKey: key)
  }

  func decode<S: DerivableScalar>(_ type: S.Type, forKey key: Key) throws -> S {
    try present(key).scalar(type, isKeyed: true)
  }

  /// A key that is there is never drawn as null here, as the standard library's default would ask.
  func optional<S: DerivableScalar>(_ key: Key) throws -> S? {
    contains(key) ? try decode(S.self, forKey: key) : nil
  }

  // MARK: - Containers

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try DerivingDecoder(place: present(key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try DerivingDecoder(place: present(key)).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { DerivingDecoder(place: place) }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    DerivingDecoder(place: try present(key))
  }
}
