import CodingSupport
import ModelGeneration
import PropertyEngine

// What the law `reference.story` runs: a model of any shape that an app and a peer change, call by call.
// `StoryShape` is the model, `StoryEvent` a call as data, `ReferenceStory` what the calls do and what must hold
// after each. The law itself stands in `StoryLaws.swift`.

/// A model, the instances that were ever part of it, and the documents that it is written to.
final class ReferenceStory<Subject: CoderSubject> {
  typealias Shape = StoryShape<Subject.Text, Subject.Counter>
  private typealias Instance = StoryInstance<Subject.Text, Subject.Counter>

  private let subject: Subject
  private let home: any CodingDocument
  private let elsewhere: any CodingDocument
  private let peer: any CodingDocument
  private var model: [String: Shape] = [:]
  private var texts: [Subject.Text] = []
  private var counters: [Subject.Counter] = []
  /// Where the last encode wrote an instance once, at a place that no list is around.
  private var written: [ObjectIdentifier: Written] = [:]
  /// Instances that were written to the other document first, and so are bound to it.
  private var boundElsewhere: Set<ObjectIdentifier> = []
  /// Whether the peer has changed more than what texts and counters hold, since home merged it last.
  private var isDamaged = false
  /// Replicas that were made of the home document.
  private var replicaCount: UInt8 = 0

  private struct Written {
    let path: [StoryStep]
    /// Of a text at a place of keys alone.
    let object: String?
  }

  /// A holder of the model by its number, and the index or key in it.
  private struct Spot {
    let holder: Int
    let key: Int
  }

  /// Home begins with something, so that its root is older than every model.
  init(_ subject: Subject, home: any CodingDocument, elsewhere: any CodingDocument) throws {
    self.subject = subject
    self.home = home
    self.elsewhere = elsewhere
    try home.put(.int(1), at: [.key("start")])
    peer = try home.fork(actor: 2)
    for number in 0..<3 {
      texts.append(Subject.Text(["", "a", "b"][number]))
      counters.append(Subject.Counter(number))
    }
  }

  /// Does what an event says, and gives what is wrong afterwards.
  func run(_ event: StoryEvent) throws -> Difference? {
    switch event {
    case .change(let change): make(change)
    case .put(let what, let number):
      let path = place(number).path
      if !path.isEmpty { replace(path, with: made(what)) }
    case .move(let number, let holder, let key, let leavesPlain):
      move(number, to: Spot(holder: holder, key: key), leavesPlain: leavesPlain)
    case .toggle(let set, let instance): toggle(set, instance)
    case .alter(let instance, let text): alter(instance, to: text)
    case .peer(let number, let edit): try editByPeer(at: number, by: edit)
    case .merge:
      try home.merge(peer)
      if isDamaged { written = [:] }
      isDamaged = false
    case .encode(let encode): return try write(encode)
    case .based(let edits, let changes):
      guard subject.features.contains(.basedOnHeads) else { return nil }
      return try encodeBasedOnHeads(before: edits, changes)
    case .reopen: return try reopen()
    }
    return nil
  }

  // MARK: The model

  private var shape: Shape { .map(model) }

  private func makeSetsProper() {
    if case .map(let values) = shape.withProperSets { model = values }
  }

  private typealias Place = (path: [StoryStep], shape: Shape)

  private func place(_ number: Int) -> Place {
    let places = shape.places
    return places[number % places.count]
  }

  private func replace(_ path: [StoryStep], with other: Shape?) {
    if case .map(let values)? = shape.replacing(path[...], with: other) { model = values }
  }

  private func make(_ change: StoryChange) {
    switch change {
    case .add(let what, let holder, let key):
      insert(made(what), at: Spot(holder: holder, key: key))
    case .remove(let number):
      let path = place(number).path
      if !path.isEmpty { replace(path, with: nil) }
    case .swap(let number, let other): swap(place(number), place(other))
    }
  }

  private func insert(_ inner: Shape, at spot: Spot) {
    let holders = shape.places.filter { place in
      switch place.shape {
      case .list, .map, .pairs: true
      default: false
      }
    }
    let holder = holders[spot.holder % holders.count]
    switch holder.shape {
    case .list(var values):
      values.insert(inner, at: spot.key % (values.count + 1))
      replace(holder.path, with: .list(values))
    case .map(var values):
      values[StoryEvent.key(spot.key)] = inner
      replace(holder.path, with: .map(values))
    case .pairs(var values):
      values[StorySlot(spot.key)] = inner
      replace(holder.path, with: .pairs(values))
    default: break
    }
  }

  private func swap(_ one: Place, _ other: Place) {
    guard !one.path.starts(with: other.path), !other.path.starts(with: one.path) else { return }
    replace(one.path, with: other.shape)
    replace(other.path, with: one.shape)
  }

  /// A text or counter goes elsewhere; a plain value that reads alike may take its place.
  private func move(_ number: Int, to spot: Spot, leavesPlain: Bool) {
    let places = shape.places.filter { place in
      switch place.shape {
      case .text, .counter: true
      default: false
      }
    }
    guard !places.isEmpty else { return }
    let (path, moved) = places[number % places.count]
    let plain: Shape =
      switch moved {
      case .text(let text): .string(text.value)
      case .counter(let counter): .int(counter.value)
      default: .null
      }
    // In the same list the insertion shifts places: what then goes may be a plain neighbour.
    replace(path, with: plain)
    insert(moved, at: spot)
    guard !leavesPlain else { return }
    let left = shape.places.first { $0.path == path }?.shape
    if left?.isPlain == true { replace(path, with: nil) }
  }

  private func toggle(_ setNumber: Int, _ number: Int) {
    func toggled<Element: AnyObject>(_ set: [Element], _ element: Element) -> [Element] {
      let others = set.filter { $0 !== element }
      return others.count < set.count ? others : others + [element]
    }
    let sets = shape.places.filter { place in
      switch place.shape {
      case .texts, .counters: true
      default: false
      }
    }
    guard !sets.isEmpty else { return }
    let set = sets[setNumber % sets.count]
    switch set.shape {
    case .texts(let elements): replace(set.path, with: .texts(toggled(elements, text(number))))
    case .counters(let elements):
      replace(set.path, with: .counters(toggled(elements, counter(number))))
    default: break
    }
  }

  private func alter(_ number: Int, to value: String) {
    if number < StoryEvent.instanceCount {
      text(number).value = value
    } else {
      counter(number).increment(by: 1 + value.utf8.count)
    }
  }

  private func text(_ number: Int) -> Subject.Text { texts[number % texts.count] }
  private func counter(_ number: Int) -> Subject.Counter { counters[number % counters.count] }

  private func made(_ sketch: StorySketch) -> Shape {
    switch sketch {
    case .null: return .null
    case .int(let value): return .int(Int(truncatingIfNeeded: value))
    case .string(let value): return .string(value)
    case .newText(let value):
      texts.append(Subject.Text(value))
      return .text(texts[texts.count - 1])
    case .newCounter(let value):
      counters.append(Subject.Counter(Int(truncatingIfNeeded: value)))
      return .counter(counters[counters.count - 1])
    case .text(let number): return .text(text(number))
    case .counter(let number): return .counter(counter(number))
    case .texts(let numbers): return .texts(distinct(numbers.map { text($0) }))
    case .counters(let numbers): return .counters(distinct(numbers.map { counter($0) }))
    case .list(let values): return .list(values.map { made($0) })
    case .map(let entries):
      return .map(Dictionary(entries.map { ($0.key, made($0.value)) }) { $1 })
    case .pairs(let pairs):
      return .pairs(Dictionary(pairs.map { ($0.slot, made($0.value)) }) { $1 })
    }
  }

  private func distinct<Element: AnyObject>(_ elements: [Element]) -> [Element] {
    var known: Set<ObjectIdentifier> = []
    return elements.filter { known.insert(ObjectIdentifier($0)).inserted }
  }

  private var instances: [Instance] {
    shape.places.flatMap { place -> [Instance] in
      switch place.shape {
      case .text(let text): [Instance(path: place.path, text: text)]
      case .counter(let counter): [Instance(path: place.path, counter: counter)]
      case .texts(let set): set.map { Instance(path: place.path + [.member], text: $0) }
      case .counters(let set): set.map { Instance(path: place.path + [.member], counter: $0) }
      default: []
      }
    }
  }

  // MARK: Encoding

  private func write(_ encode: StoryEncode) throws -> Difference? {
    var settings = EncodingSettings()
    settings.strategy =
      subject.features.contains(.strategies) ? encode.strategy : .createWhenNeeded
    let isHome = !encode.isElsewhere
    let document = isHome ? home : elsewhere
    makeSetsProper()
    let own = instances
    let values = own.map(\.value)
    let kept = isHome ? try kept(own) : []
    let witness = isHome && encode.hasWitness ? try self.witness() : nil
    let before = try Untouched(document)
    if !isHome { boundElsewhere.formUnion(own.filter { !$0.isBound }.compactMap(\.identity)) }
    do {
      try document.encode(model, at: [], settings)
    } catch {
      if settings.strategy == .override { throw error }
      return try before.difference(document, after: "an encode that threw")
    }
    let isReadonly = settings.strategy == .readonly
    if let found = try difference(document, "after the encode", mayHaveMore: isReadonly) {
      return found
    }
    if let found = changed(own, from: values, "after the encode") { return found }
    if let unbound = own.first(where: { !$0.isBound }) {
      return Difference(
        kind: "story.unbound",
        summary:
          "after the encode, the instance at \(Self.place(unbound.path)) is bound to no place"
      )
    }
    if isHome { try noteWritten(own) }
    guard isHome, !isReadonly else { return nil }
    for (instance, object) in kept {
      guard let keys = instance.keys, object != nil, try home.objectName(at: keys) != object else {
        continue
      }
      return Difference(
        kind: "story.replaced",
        summary: "the text that stayed at \(Self.place(instance.path)) is another object"
      )
    }
    if let witness {
      if let found = try peerEditsShow(witness, kept.map(\.0)) { return found }
      // A string may stand in a text that the witness wrote in, too.
      try home.encode(model, at: [], settings)
      if let found = try difference(home, "after another encode") { return found }
    }
    return encode.editsThen ? try editEach(own, settings) : nil
  }

  /// The first of the instances that no longer holds what it held.
  private func changed(
    _ instances: [Instance],
    from values: [String],
    _ words: String
  ) -> Difference? {
    for (instance, value) in zip(instances, values) where instance.value != value {
      return Self.difference(
        "story.held",
        "\(words), the instance at \(Self.place(instance.path)) holds something else",
        expected: value,
        actual: instance.value
      )
    }
    return nil
  }

  /// Instances that stand where the last encode left them, and the names of texts' objects.
  private func kept(_ own: [Instance]) throws -> [(Instance, String?)] {
    try own.compactMap { instance in
      guard instance.isAttached, let known = instance.identity.flatMap({ written[$0] }),
        known.path == instance.path,
        own.count(where: { $0.identity == instance.identity }) == 1,
        try known.object == instance.keys.flatMap({ try home.objectName(at: $0) })
      else { return nil }
      return (instance, known.object)
    }
  }

  private func noteWritten(_ own: [Instance]) throws {
    written = [:]
    for instance in own where !instance.isInList {
      guard let identity = instance.identity, !boundElsewhere.contains(identity),
        own.count(where: { $0.identity == identity }) == 1
      else { continue }
      let object = try instance.keys.flatMap { try home.objectName(at: $0) }
      written[identity] = Written(path: instance.path, object: object)
    }
  }

  // MARK: A witness

  /// Adds this much to each counter: far more than all that the app adds.
  private static var peerIncrement: Int { 1_000_000 }

  /// A replica of what stands in the home document, which changes each text and counter: "w" in front, a million more.
  private func witness() throws -> any CodingDocument {
    replicaCount += 1
    let witness = try home.fork(actor: 100 + replicaCount)
    let tree = try witness.tree()
    for path in tree.paths {
      switch tree[path] {
      case .text?: try witness.spliceText(at: path, index: 0, deleting: 0, inserting: "w")
      case .counter?: try witness.increment(at: path, by: Int64(Self.peerIncrement))
      default: break
      }
    }
    return witness
  }

  /// Merges what a witness changed before the encode: instances that stayed where they were must show it.
  private func peerEditsShow(
    _ witness: any CodingDocument,
    _ kept: [Instance]
  ) throws -> Difference? {
    let before = kept.map { ($0.text?.value, $0.counter?.value) }
    try home.merge(witness)
    for (instance, before) in zip(kept, before) {
      let isShown =
        if let counter = instance.counter {
          counter.value == (before.1 ?? 0) &+ Self.peerIncrement
        } else {
          instance.value.count(where: { $0 == "w" }) == (before.0 ?? "").count { $0 == "w" } + 1
        }
      if isShown { continue }
      return Self.difference(
        "story.peer-edit-lost",
        "the instance that stayed at \(Self.place(instance.path)) lacks what a peer did before the encode",
        expected: before.0.map { "w and \(Tree.quoted($0)) together" }
          ?? "\((before.1 ?? 0) &+ Self.peerIncrement)",
        actual: instance.text.map { Tree.quoted($0.value) } ?? instance.value
      )
    }
    return nil
  }

  // MARK: More ways to encode

  /// Edits each instance, which the document must show at its place and nowhere else; then writes the model again,
  /// to which nothing is to be added.
  private func editEach(_ own: [Instance], _ settings: EncodingSettings) throws -> Difference? {
    for (number, instance) in own.enumerated() {
      guard edit(instance, number, among: own) else { return nil }
      let words = "after an edit of the instance at \(Self.place(instance.path))"
      if let found = try difference(home, words) { return found }
    }
    let operations = try home.operationCount()
    try home.encode(model, at: [], settings)
    let added = try home.operationCount() - operations
    guard added != 0 else { return nil }
    return Self.difference(
      "story.again",
      "an encode of the model that the document shows adds operations",
      expected: "0",
      actual: "\(added)"
    )
  }

  /// Edits an instance; `false` if it stands twice or is bound elsewhere, or if another one shows the edit, being bound
  /// to the same place.
  private func edit(_ instance: Instance, _ number: Int, among own: [Instance]) -> Bool {
    guard let identity = instance.identity, !boundElsewhere.contains(identity),
      own.count(where: { $0.identity == identity }) == 1
    else { return false }
    let others = own.filter { $0.identity != identity }
    let values = others.map(\.value)
    instance.edit(number)
    return others.map(\.value) == values
  }

  /// Edits instances where they stand, changes the model elsewhere, and writes it based on the heads before the
  /// edits: both must be there in the end.
  ///
  /// Lists are left out, where merging decides which element is which. So is a story in which what was edited
  /// is removed, or in which an instance shares its place.
  private func encodeBasedOnHeads(
    before edits: [Int],
    _ changes: [StoryChange]
  ) throws -> Difference? {
    var settings = EncodingSettings()
    if subject.features.contains(.strategies) { settings.strategy = .override }
    makeSetsProper()
    try home.encode(model, at: [], settings)
    written = [:]
    let all = instances
    for (number, instance) in all.enumerated() {
      guard edit(instance, number, among: all) else { return nil }
    }
    let heads = try home.heads()
    let witness = try self.witness()
    let steady = all.filter { !$0.isInList }
    let edited = steady.isEmpty ? [] : edits.map { steady[$0 % steady.count] }
    for (number, instance) in edited.enumerated() { instance.edit(number) }
    for change in changes { make(change) }
    makeSetsProper()
    let left = instances
    // A text, a counter or a plain value is written into the text or counter at its place, and meets the edit.
    let areLeft = edited.allSatisfy { instance in
      left.contains { $0.identity == instance.identity && !$0.isInList }
        && shape.places.first { $0.path == instance.path }?.shape.isPlain != true
        && left.allSatisfy { $0.path != instance.path || $0.identity == instance.identity }
    }
    guard areLeft else { return nil }
    settings.basedOn = heads
    let values = left.map(\.value)
    try home.encode(model, at: [], settings)
    if let found = try difference(home, "after an encode based on the heads before the edits") {
      return found
    }
    if let found = changed(left, from: values, "after an encode based on earlier heads") {
      return found
    }
    return try peerEditsShow(
      witness,
      steady.filter { instance in
        left.contains { $0.path == instance.path && $0.identity == instance.identity }
      }
    )
  }

  /// Writes the model, and goes on with texts and counters that are decoded, as an app does that was closed.
  private func reopen() throws -> Difference? {
    var settings = EncodingSettings()
    if subject.features.contains(.strategies) { settings.strategy = .override }
    makeSetsProper()
    try home.encode(model, at: [], settings)
    if let found = try difference(home, "after the encode") { return found }
    guard case .map(let values) = try reopened(shape, at: []) else { return nil }
    model = values
    written = [:]
    return try difference(home, "after texts and counters were decoded")
  }

  /// The shape with decoded instances; those in pairs, which no path names, are left.
  private func reopened(_ shape: Shape, at path: [PathKey]) throws -> Shape {
    switch shape {
    case .text:
      texts.append(try home.decode(Subject.Text.self, at: path, userInfo: [:]))
      return .text(texts[texts.count - 1])
    case .counter:
      counters.append(try home.decode(Subject.Counter.self, at: path, userInfo: [:]))
      return .counter(counters[counters.count - 1])
    case .list(let values):
      return .list(
        try values.enumerated().map { try reopened($1, at: path + [.index($0)]) }
      )
    case .map(let values):
      var opened: [String: Shape] = [:]
      for (key, value) in values.sorted(by: { $0.key < $1.key }) {
        opened[key] = try reopened(value, at: path + [.key(key)])
      }
      return .map(opened)
    case .texts:
      let set = try decodedSet(of: Subject.Text.self, at: path).sorted { $0.value < $1.value }
      texts += set
      return .texts(set)
    case .counters:
      let set = try decodedSet(of: Subject.Counter.self, at: path).sorted { $0.value < $1.value }
      counters += set
      return .counters(set)
    default: return shape
    }
  }

  private func decodedSet<Element: Decodable>(
    of type: Element.Type,
    at path: [PathKey]
  ) throws -> [Element] {
    func decode<Hashed: Hashable & Decodable>(as type: Hashed.Type) throws -> [Element] {
      try home.decode(Set<Hashed>.self, at: path, userInfo: [:]).compactMap { $0 as? Element }
    }
    guard let type = type as? any (Hashable & Decodable).Type else {
      return try home.decode([Element].self, at: path, userInfo: [:])
    }
    return try decode(as: type)
  }

  // MARK: The peer

  /// Edits what the peer has after hearing all that home knows: mostly a text or counter, sometimes a place.
  private func editByPeer(at number: Int, by edit: Int) throws {
    try peer.merge(home)
    let tree = try peer.tree()
    let paths = tree.paths
    guard !paths.isEmpty else { return }
    let path = Array(paths[number % paths.count])
    guard let node = tree[path] else { return }
    switch (node, edit % 8) {
    case (.text, _): try peer.spliceText(at: path, index: 0, deleting: 0, inserting: "p")
    case (.counter, 0...4): try peer.increment(at: path, by: 100)
    case (_, 5) where !path.isEmpty:
      isDamaged = true
      try peer.delete(at: path)
    case (_, 6) where !path.isEmpty:
      isDamaged = true
      try peer.put(.int(7), at: path)
    default: break
    }
  }

  // MARK: Differences

  private func difference(
    _ document: any CodingDocument,
    _ words: String,
    mayHaveMore: Bool = false
  ) throws -> Difference? {
    let found = shape.difference(from: try document.tree(), mayHaveMore: mayHaveMore)
    guard let found else { return nil }
    return Self.difference(
      "story.content",
      "\(words), \(found.place) is something else",
      expected: found.expected,
      actual: found.actual
    )
  }

  private static func difference(
    _ kind: String,
    _ summary: String,
    expected: String,
    actual: String
  ) -> Difference {
    Difference(kind: kind, summary: summary, expected: expected, actual: actual)
      .between("the model", "the document")
  }

  private static func place(_ path: [StoryStep]) -> String {
    path.map { "\($0)" }.joined(separator: ".")
  }
}
