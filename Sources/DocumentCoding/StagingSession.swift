import AutomergeDocument
import CodingSupport
import Foundation
import MergeEngine

/// What the containers of one encode share.
///
/// Some of the calls by which a model encodes itself cannot throw. What they refuse is noted, and
/// thrown when the model returns: the first refusal counts.
///
/// Nothing of the document is read here, and no lock is held while the model's code runs, so that
/// an `encode(to:)` may itself use the document.
///
///     a place is opened          by its container, or as the root
///     it is filled, or begun     with a type's own content, or as the map or list that it asks for
///     it is linked               only then is it part of the value
///
/// What throws leaves its place unlinked: a model that catches the error and encodes something else
/// has the same container as before. The draft is dropped as a whole when the encode fails.
final class StagingSession {
  let tree: StagedTree
  let draft: Draft
  let userInfo: [CodingUserInfoKey: Any]
  let dateTruncation: DateTruncation
  let limit = NestingLimit.standard
  let stack = StackRoom()
  // One thread stages a value, and none of the model's code runs while this changes.
  @exclusivity(unchecked)
  private var traits = TypeTraits()
  private var failure: (any Error)?

  /// `path` is where the value goes that the encode begins with.
  init(
    at path: CodingPath,
    userInfo: [CodingUserInfoKey: Any],
    dateTruncation: DateTruncation
  ) {
    let tree = StagedTree(at: path)
    self.tree = tree
    draft = tree.draft
    self.userInfo = userInfo
    self.dateTruncation = dateTruncation
  }

  /// Looked up once for each type of an encode, in a table of 32 places before the dictionary
  /// (``TypeTraits``).
  @inline(__always)
  private func trait<Value>(of value: Value) -> TypeTrait {
    let type = ObjectIdentifier(Value.self)
    if let known = unsafe traits.known(type) { return known }
    let found = TypeTraits.find(Value.self)
    unsafe traits.note(found, of: type)
    return found
  }

  /// Marks a map by the type of the keys that it was asked for by: a wrapper may have handed on its encoder, and then
  /// the type of the value says nothing.
  ///
  ///     _DictionaryCodingKey     a dictionary
  ///     Decimal.CodingKeys       whole, unless the map is asked for by other keys as well
  ///     an enum, no payloads     nothing: such keys are all that the type has
  ///     any other type           open: the next value may name any others
  @inline(__always)
  func mark<Key: CodingKey>(_ map: Draft.Node, keys: Key.Type, isNew: Bool) {
    // More than two bytes are payloads or fields, in which a string may be that names any key.
    guard MemoryLayout<Key>.size <= 2 else {
      let isDictionary = keys == TypeTraits.dictionaryKey
      return mark(map, keys: isDictionary ? .dictionary : .plain, isNew: isNew)
    }
    // A type that is a value elsewhere has the same trait there.
    let type = ObjectIdentifier(keys)
    let trait: TypeTrait
    if let known = unsafe traits.known(type) {
      trait = known
    } else {
      trait = TypeTraits.find(keys: keys)
      unsafe traits.note(trait, of: type)
    }
    if trait == .enumeration, isNew { return }
    mark(map, keys: trait, isNew: isNew)
  }

  @inline(never)
  private func mark(_ map: Draft.Node, keys trait: TypeTrait, isNew: Bool) {
    switch trait {
    case .whole:
      if isNew { draft.mark(map, .whole) }
      return
    case .dictionary: draft.mark(map, .dictionary)
    case .enumeration: break
    default: draft.mark(map, .openKeys)
    }
    draft.unmark(map, .whole)
  }

  /// Notes a refusal that could not be thrown where it arose; the first counts.
  func fail(_ error: @autoclosure () -> any Error) {
    failure = failure ?? error()
  }

  /// Stages the value that an encode begins with.
  ///
  /// Whether it may be the root of a document is the encoder's question: at a path any value may stand.
  func stageRoot<Value: Encodable>(_ value: Value) throws -> Draft.Node {
    let root = draft.open()
    if let content = try content(of: value, at: .node(root)) {
      draft.fill(root, with: content)
    } else {
      try stage(value, at: root, 0)
    }
    if let failure { throw failure }
    return root
  }

  /// Stages a value that is no content at an open place; `depth` values are around it.
  ///
  /// The depth is checked before the model's code is entered: behind that point a stack that is too
  /// small ends the process.
  func stage<Value: Encodable>(_ value: Value, at node: Draft.Node, _ depth: Int32) throws {
    let trait = trait(of: value)
    guard depth < limit.depth, stack.admits(Int(depth)) else {
      throw refusal(value, tree.path(to: node), limit.explanation(at: Int(depth)))
    }
    if trait == .integerDictionary {
      throw refusal(
        value,
        tree.path(to: node),
        "a dictionary with keys of type Int is no map of a document: its keys are strings"
      )
    }
    try value.encode(to: StagingEncoder(session: self, node: node, depth: depth + 1))
    // A value that asked for nothing is an empty map.
    if draft.kind(node) == .open { draft.begin(.map, at: node) }
    switch trait {
    case .array: break
    case .plain:
      if draft.kind(node) == .list {
        markList(of: value, node)
      } else if StagedMap(tree, node).payload != nil {
        markCase(of: value, node)
      }
    case .whole: mark(node, trait)
    default:
      if !draft.marks(node).contains(.passedOn) {
        mark(node, trait)
      } else if trait == .enumeration, draft.kind(node) == .map {
        draft.mark(node, .handedOn)
      }
    }
  }

  /// Makes an open place a container that the value around it asked for.
  ///
  /// One too deep is refused at the end; what is written to it is never read.
  func nest(_ kind: Draft.Kind, at node: Draft.Node, _ depth: Int32) -> Draft.Node {
    draft.begin(kind, at: node)
    draft.mark(node, .nested)
    link(node, depth)
    return node
  }

  /// Puts a place into its container; `depth` values are around it.
  ///
  /// Linking is what makes a container part of the value; one that was refused stays unlinked, and
  /// its content is dropped with the draft.
  func link(_ node: Draft.Node, _ depth: Int32) {
    if depth < limit.depth, stack.admits(Int(depth)) {
      draft.link(node)
    } else {
      fail(refusal("", tree.path(to: node), limit.explanation(at: Int(depth))))
    }
  }

  /// What the value's type says of the container that it has filled.
  ///
  ///     Set([2, 1])              list 2, 1         unordered: 1, 2 in the document is the same
  ///     [0.5: "a"]               list 0.5, "a"     pairs: found by key, wherever it stands
  ///     enum case a(Int)         map "a"           enumeration: another case is another map
  ///     0..<7                    list 0, 7         whole: another range is another list
  ///     enum case b = "b"        "b"               nothing: there is no container
  private func mark(_ node: Draft.Node, _ trait: TypeTrait) {
    switch (draft.kind(node), trait) {
    case (.map, .dictionary): draft.mark(node, .dictionary)
    case (.map, .enumeration): StagedMap(tree, node).markEnumeration()
    case (.list, .set): draft.mark(node, .unordered)
    case (.list, .pairs) where draft.count(node).isMultiple(of: 2):
      draft.mark(node, [.unordered, .pairs])
    case (.map, .whole), (.list, .whole), (.list, .enumeration): draft.mark(node, .whole)
    case (.list, .row): draft.mark(node, .row)
    default: break
    }
  }

  /// Marks a list that a type wrote which is no array.
  ///
  /// It may be the list of a property, whose `encode(to:)` the type has called with its own encoder, as property
  /// wrappers do. Otherwise a sequence's elements are an array's, and those of any other type with several properties
  /// a row. Looked for in each value, unless all of the type are alike.
  @inline(never)
  private func markList<Value: Encodable>(of value: Value, _ node: Draft.Node) {
    guard !draft.marks(node).contains(.passedOn) else { return }
    let properties = ListProperty.properties(of: value)
    let lists = ListProperty.find(in: properties)
    let isSequence = Value.self is any Sequence.Type
    var trait = isSequence || properties.count == 1 ? TypeTrait.array : .row
    if !lists.isEmpty {
      let list = WrittenList(node, of: draft, propertyCount: properties.count)
      trait = list.property(among: lists)?.trait ?? trait
    }
    mark(node, trait)
    let isSettled = isSequence || lists.isEmpty && properties.count != 1
    if isSettled, lists.allSatisfy({ $0.trait == .array }),
      !properties.contains(where: { $0 is any OptionalType })
    {
      unsafe traits.note(trait, of: ObjectIdentifier(Value.self))
    }
  }

  /// A value of a type that has a rule of its own, if it is one.
  @inline(__always)
  func content<Value: Encodable>(
    of value: Value,
    at place: StagingPlace
  ) throws -> Draft.Content? {
    // What arrays are made of comes here, too.
    if let value = same(value, as: String.self) { return draft.content(value) }
    if let value = same(value, as: Int.self) { return .int(Int64(value)) }
    if let value = same(value, as: Double.self) { return try number(value, at: place) }
    if let value = same(value, as: Bool.self) { return .bool(value) }
    guard trait(of: value) == .value else { return nil }
    return try ownValue(value, place).map { tree.content(of: $0) }
  }

  /// Only for types with the trait `value`, so that most values are never compared with these.
  @inline(never)
  private func ownValue<Value: Encodable>(
    _ value: Value,
    _ place: StagingPlace
  ) throws -> StagedValue? {
    if let value = same(value, as: Date.self) { return try date(value, place) }
    if let value = same(value, as: UUID.self) { return .uuid(value) }
    if let value = same(value, as: URL.self) { return .url(value.absoluteString) }
    if let value = same(value, as: Data.self) { return .scalar(.bytes([UInt8](value))) }
    if let value = same(value, as: AutomergeText.self) { return .text(value) }
    return same(value, as: Counter.self).map { .counter($0) }
  }

  /// A value by another name of its type, without a cast; `nil` if the types differ.
  @inline(__always)
  private func same<Value, Other>(_ value: Value, as type: Other.Type) -> Other? {
    Value.self == type ? unsafe unsafeBitCast(value, to: type) : nil
  }

  private static func isStorable(_ number: some FloatingPoint) -> Bool { number.isFinite }

  /// Documents hold every double; the models of others do not, and so infinities and NaN are
  /// refused.
  @inline(__always)
  func number(_ value: Double, at place: StagingPlace) throws -> Draft.Content {
    guard Self.isStorable(value) else {
      throw refusal(value, tree.path(to: place), "\(value) has no place in a document")
    }
    return Draft.Content(.double, value.bitPattern)
  }

  @inline(__always)
  func number(_ value: Float, at place: StagingPlace) throws -> Draft.Content {
    guard Self.isStorable(value) else {
      throw refusal(value, tree.path(to: place), "\(value) has no place in a document")
    }
    return tree.content(of: .float(value))
  }

  private func date(_ value: Date, _ place: StagingPlace) throws -> StagedValue {
    guard let milliseconds = dateTruncation.milliseconds(of: value) else {
      // The number, not the date: Foundation traps when such a date is printed.
      throw refusal(
        value.timeIntervalSince1970,
        tree.path(to: place),
        "a date out of the range of 64-bit milliseconds"
      )
    }
    return .date(value, milliseconds: milliseconds)
  }

  func refusal(_ value: Any, _ path: CodingPath, _ words: String) -> EncodingError {
    .invalidValue(
      value,
      EncodingError.Context(codingPath: path.codingKeys, debugDescription: "\(words), at \(path)")
    )
  }
}

extension DateTruncation {
  /// What is stored for a date; `nil` for one that no timestamp holds.
  ///
  ///     seconds        1.9 s -> 1,000 ms      -0.5 s -> -1,000 ms
  ///     milliseconds   1.2344 s -> 1,234 ms
  ///
  /// Rounds down where it cuts to seconds, so that a date before 1970 does not move into the next
  /// second: -0.5 s is -1 s. Milliseconds are rounded to the nearest, since a double of seconds
  /// seldom hits one exactly.
  func milliseconds(of date: Date) -> Int64? {
    let seconds = date.timeIntervalSince1970
    switch self {
    case .seconds:
      guard let whole = Int64(exactly: seconds.rounded(.down)) else { return nil }
      let (milliseconds, overflows) = whole.multipliedReportingOverflow(by: 1000)
      return overflows ? nil : milliseconds
    case .milliseconds: return Int64(exactly: (seconds * 1000).rounded())
    }
  }

  /// What the rule makes of milliseconds that are stored already: 1,999 and -1 become 1,000 and
  /// -1,000.
  func truncated(_ milliseconds: Int64) -> Int64 {
    switch self {
    case .seconds:
      let rest = milliseconds % 1000
      let floor = milliseconds.subtractingReportingOverflow(rest < 0 ? rest + 1000 : rest)
      return floor.overflow ? milliseconds : floor.partialValue
    case .milliseconds: return milliseconds
    }
  }
}
