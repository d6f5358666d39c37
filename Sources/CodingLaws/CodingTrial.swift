import CodingSupport
import Foundation
package import ModelGeneration
import PropertyEngine

// What checks are written with, in this order: values and documents of a sample, the trees that are
// expected, where something departs from them (`Untouched` for "nothing was written"), and last how
// samples are drawn. Every law of this module uses it. Two trees must be told apart: the *model's*
// (`declared`), which holds dates, and the *document's* (`stored`), which holds timestamps.
//
//     Date 1.9999 s after 1970     declared (.seconds)   date of 1.0 s      stored   timestamp 1000

/// One sample before one subject.
///
/// It gives out fresh values and documents, so that one step of a check cannot hand state to the
/// next by accident.
package struct CodingTrial {
  package let subject: any CoderSubject
  package let model: Model
  package let sample: CodingSample

  var type: any Decodable.Type { model.type }

  /// A fresh value of the sample's tree at an index.
  ///
  /// Fresh, since texts and counters are bound to the document that they were encoded into.
  func value(_ index: Int = 0) throws -> any Codable {
    try model.value(of: sample.values[index])
  }

  /// A fresh value of any tree, if the model has one.
  ///
  /// `nil` is no failure: an edit of a tree may leave the model's type (a share of 101 percent),
  /// and laws skip then.
  func value(of tree: Tree) -> (any Codable)? { try? model.value(of: tree) }

  /// An empty document of the subject.
  ///
  /// Actors are 16 equal bytes. A law gives each of its writers a byte of its own: 1 by default, 2
  /// for the peer.
  func document(actor: UInt8 = 1) throws -> any CodingDocument {
    try subject.document(actor: actor)
  }

  /// A document that holds the sample's value at an index.
  ///
  /// Encoded with the default settings. What that throws is the subject's failure, whatever the law
  /// asks for.
  func document(holding index: Int) throws -> any CodingDocument {
    let document = try document()
    try document.encode(try value(index))
    return document
  }

  /// How failures name the two ends of a trip.
  static let encoded = "the value that was encoded"
  static let decoded = "the value that was decoded"

  // MARK: - What is expected

  /// What a value's tree becomes when its dates lose what is declared.
  ///
  /// The model's side: what decoding must give.
  ///
  /// Rounded by the same function as ``stored(_:_:)``, then brought back to seconds since 2001 as
  /// `Date` does it, for that detour alone changes the last bits of some dates.
  func declared(_ tree: Tree, _ fidelity: DateFidelity? = nil) -> Tree {
    let fidelity = fidelity ?? subject.dates
    guard fidelity != .exact else { return tree }
    return tree.mapNodes { node in
      guard case .date(let seconds) = node else { return node }
      let milliseconds = fidelity.milliseconds(seconds)
      let date = Date(timeIntervalSince1970: milliseconds / 1000)
      return .date(date.timeIntervalSinceReferenceDate)
    }
  }

  /// What a document holds for a value's tree.
  ///
  /// The document's side: what must stand there.
  ///
  /// A date that no timestamp holds becomes 0 here. No derived date is that far away; laws that
  /// plant one expect the encode to throw, and never come to compare.
  func stored(_ tree: Tree, _ fidelity: DateFidelity? = nil) -> Tree {
    let fidelity = fidelity ?? subject.dates
    return tree.mapNodes { node in
      guard case .date(let seconds) = node else { return node }
      return .timestamp(Int64(exactly: fidelity.milliseconds(seconds)) ?? 0)
    }
  }

  /// Where what was decoded departs from a tree.
  ///
  /// Trees are compared and not values, since few models say what is equal, and those that do may
  /// hide a difference. `expected` says what the tree is, where the law does not demand it.
  func difference(
    _ decoded: Any,
    from tree: Tree,
    _ expected: String? = nil
  ) throws -> Difference? {
    // `decode` gives back what it was asked for unless the subject is broken; all models are
    // `Codable`.
    guard let encodable = decoded as? any Encodable else {
      return Difference(kind: "decode.type", summary: "another type was decoded")
    }
    let found = try TreeRecorder.tree(of: encodable)
    let isExact = subject.features.contains(.signsOfZero)
    let difference =
      isExact
      ? found.difference(from: tree)
      : found.withoutSignsOfZero.difference(from: tree.withoutSignsOfZero)
    return difference?.between(expected, Self.decoded)
  }

  /// Where a document departs from a tree.
  ///
  /// Two leniencies, both of rules that documents follow: the sign of a zero does not count, since
  /// a zero that equals the stored one writes nothing; nor does the kind of an equal number in a
  /// list of several kinds.
  func difference(
    _ document: any CodingDocument,
    from tree: Tree,
    _ words: String = ""
  ) throws -> Difference? {
    // Cores hold a float that equals the new one to be the same, and write nothing over it.
    let expected = tree.withoutSignsOfZero
    let found = try document.tree().withoutSignsOfZero.withKindsOfMixedLists(of: expected)
      .difference(from: expected)
    guard let found else { return nil }
    return found.told(as: words.isEmpty ? found.summary : "\(words), \(found.summary)")
      .between(nil, "the document")
  }

  /// What came of a call that may throw.
  ///
  /// For laws that expect a refusal, or allow one: the error is reduced to its class at once, and to the
  /// kind that it says was found, so that no law can compare other words.
  func outcome<Value>(_ body: () throws -> Value) -> Result<Value, CoderComplaintError> {
    do {
      return .success(try body())
    } catch {
      return .failure(
        CoderComplaintError(
          CoderComplaint(error, of: subject),
          foundWord: subject.foundWord(in: error)
        )
      )
    }
  }

  /// How a readonly encode has changed which places a document has.
  func readonlyChange(
    of document: any CodingDocument,
    from before: [[PathKey]]
  ) throws -> Difference? {
    let after = try document.tree().paths
    if Set(after) == Set(before) { return nil }
    return Difference(
      kind: "readonly.shape",
      summary: "a readonly encode changed which places there are",
      expected: "\(before.map(\.place).sorted())",
      actual: "\(after.map(\.place).sorted())"
    ).between("the document before the encode", "the document after it")
  }
}

/// The class of an error, as an error.
struct CoderComplaintError: Error {
  let complaint: CoderComplaint
  /// What the error says stands in the document; `nil` if it says nothing of that.
  let foundWord: String?

  init(_ complaint: CoderComplaint, foundWord: String? = nil) {
    self.complaint = complaint
    self.foundWord = foundWord
  }

  /// Where the words of a refusal name another kind than the one that stands in the way.
  ///
  /// Catches words for the wanted kind and the found one that have changed places.
  func namesOther(than stored: Tree) -> Difference? {
    guard let foundWord, foundWord != stored.documentWord else { return nil }
    return Difference(
      kind: "complaint.words",
      summary: "the refusal says that another kind stands in the document",
      expected: stored.documentWord,
      actual: foundWord
    ).between("what stands in the document", "the words of the refusal")
  }
}

extension Tree {
  /// What refusals call a value of a document.
  ///
  /// Source: Specification/Codable.md, "Cautious writing".
  fileprivate var documentWord: String {
    switch self {
    case .boolean: "bool"
    case .float: "double"
    case .list: "array"
    case .map: "object"
    case .unknown(let code, _): "unknown(\(code))"
    default: kind.rawValue
    }
  }
}

extension DateFidelity {
  /// Milliseconds since 1970 of seconds since 2001, a whole number unless the fidelity is exact.
  func milliseconds(_ seconds: Double) -> Double {
    let since1970 = Date(timeIntervalSinceReferenceDate: seconds).timeIntervalSince1970
    return switch self {
    case .exact: since1970 * 1000
    // Toward the past on both sides of 1970: -0.0004 s becomes -1000 ms, and 0.0004 s becomes 0.
    case .seconds: since1970.rounded(.down) * 1000
    case .milliseconds: (since1970 * 1000).rounded()
    case .millisecondsTowardZero: (since1970 * 1000).rounded(.towardZero)
    }
  }
}

/// What a document shows and counts, to see that nothing was touched.
///
/// Three measures, the most telling first: what is read, operations (an operation that writes what
/// was there shows here alone), and heads (a change without operations).
///
/// A decode, a refused encode and an encode of the same value must leave all three as they were. A
/// coder that writes each scalar again shows in the count; the tree looks the same.
struct Untouched {
  private let tree: Tree
  /// Names of changes, ascending.
  ///
  /// Two documents with equal heads have the same history.
  private let heads: [String]
  private let operations: Int

  /// Asking for heads closes the open change, so it comes first: operations are counted with
  /// nothing open.
  init(_ document: any CodingDocument) throws {
    heads = try document.heads()
    tree = try document.tree()
    operations = try document.operationCount()
  }

  /// Where the document has changed since, in words that begin with `after`.
  ///
  /// Kinds, in the order in which they are looked for: `document.changed`, `document.operations`,
  /// `document.heads`.
  func difference(_ document: any CodingDocument, after: String) throws -> Difference? {
    if let found = try document.tree().difference(from: tree) {
      return found.told(as: "after \(after), \(found.summary)", kind: "document.changed")
        .between("the document before \(after)", "the document after \(after)")
    }
    let count = try document.operationCount()
    guard count == operations else {
      return Difference(
        kind: "document.operations",
        summary: "\(after) added operations",
        expected: "\(operations)",
        actual: "\(count)"
      ).between("the document before \(after)", "the document after \(after)")
    }
    guard try document.heads() == heads else {
      return Difference(kind: "document.heads", summary: "\(after) made a change")
    }
    return nil
  }

  /// The same after an encode that threw, whose error must have a type: `complaint.untyped`.
  func refused(
    _ error: CoderComplaintError,
    _ document: any CodingDocument,
    after: String = "an encode that threw"
  ) throws -> Difference? {
    guard error.complaint.isTyped else {
      return Difference(kind: "complaint.untyped", summary: error.complaint.description)
    }
    return try difference(document, after: after)
  }
}

extension Tree {
  /// The tree with 0 for each -0.
  ///
  /// `==` of trees compares bits, so that -0.0 and 0.0 differ where a coder promises to keep them
  /// apart.
  var withoutSignsOfZero: Tree {
    mapNodes { $0 == .float(-0.0) ? .float(0) : $0 }
  }

  /// The tree with the numbers of mixed lists in the kinds that they have in another, where both are one number.
  ///
  /// An equal number keeps its element of a list, and numbers are equal by value: in a list of several kinds of
  /// numbers it may have been written for another place.
  ///
  ///     before     [int 0, uint 1, uint 0]        `other`  [int 5, uint 0, uint 1]
  ///     found      [int 5, int 0, uint 1]         the 0 that stood first is equal to the new one
  func withKindsOfMixedLists(of other: Tree) -> Tree {
    switch (self, other) {
    case (.map(let entries), .map(let others)) where entries.map(\.key) == others.map(\.key):
      return .map(
        zip(entries, others).map { Entry($0.key, $0.value.withKindsOfMixedLists(of: $1.value)) }
      )
    case (.list(let elements), .list(let others)) where elements.count == others.count:
      let isMixed = Set(others.filter { $0.wholeNumber != nil }.map(\.kind)).count > 1
      return .list(
        zip(elements, others).map { element, other in
          if isMixed, let number = element.wholeNumber, number == other.wholeNumber { return other }
          return element.withKindsOfMixedLists(of: other)
        }
      )
    default: return self
    }
  }

  /// The number of an int, a uint or a float, if it is a whole one.
  ///
  /// 128 bits hold every `Int64` and `UInt64`, and compare them without a case for each pair of
  /// kinds.
  var wholeNumber: Int128? {
    switch self {
    case .int(let value): Int128(value)
    case .uint(let value): Int128(value)
    case .float(let value): Int128(exactly: value)
    default: nil
    }
  }
}

extension Difference {
  /// The same difference with words before its summary.
  func with(_ words: String) -> Difference {
    told(as: words + summary)
  }
}

// MARK: - Samples

extension CodingLaw {
  /// Models that any coder takes at the root.
  ///
  /// `refuses` and `integerKeys` are left to laws of their own, which expect an error.
  static func usual(_ model: Model) -> Bool {
    model.traits.contains(.keyedRoot) && model.traits.isDisjoint(with: [.refuses, .integerKeys])
  }

  /// Usual models whose encoding has an order.
  ///
  /// Where two encodings are compared with each other, a set would differ from itself.
  static func ordered(_ model: Model) -> Bool {
    usual(model) && !model.traits.contains(.unordered)
  }

  /// Models of the zoo of these names, for laws that need a shape; a name that the pool lacks is silently
  /// none.
  ///
  /// A user's type may have the name of one, and any shape.
  static func named(_ names: String...) -> @Sendable (Model) -> Bool {
    { $0.isDerived && names.contains($0.name) }
  }

  /// Draws `count` values of the model.
  ///
  /// The draw of most laws.
  static func values(
    _ count: Int
  ) -> @Sendable (Model, inout CodingSample, inout Choices) throws -> Void {
    { model, sample, choices in
      for _ in 0..<count { sample.values.append(try model.anyTree(&choices)) }
    }
  }

  /// Draws `count` values, and `numbers` decisions of at most `limit`.
  ///
  /// A limit of 255 lets ``CodingSample/index(_:below:)`` reach the first 256 places, and no more.
  static func values(
    _ count: Int,
    numbers: Int,
    upTo limit: Int = 255
  ) -> @Sendable (Model, inout CodingSample, inout Choices) throws -> Void {
    { model, sample, choices in
      for _ in 0..<count { sample.values.append(try model.anyTree(&choices)) }
      for _ in 0..<numbers { sample.numbers.append(choices.number(in: 0...limit)) }
    }
  }
}

extension CodingSample {
  /// A decision; 0 if the sample has none.
  ///
  /// Stored and shrunk samples may hold any number, or fewer than the law asks for.
  func number(_ index: Int) -> Int {
    guard numbers.indices.contains(index) else {
      missingNumbers?.add()
      return 0
    }
    return numbers[index]
  }

  /// A decision in `0..<count`; 0 if the sample has none.
  ///
  /// The remainder is folded by `abs`, so that negative numbers of stored samples are indices, too.
  func index(_ number: Int, below count: Int) -> Int {
    count > 0 ? abs(self.number(number) % count) : 0
  }
}

/// Any tree as a value: what another program, or another version, would have written.
///
/// It is how laws get content past a model's own types: a `WideIntegers` whose `small` is 300,
/// which no value of the model can be. A coder of bytes has no other way in; documents have
/// ``CodingDocument/put(_:at:)``.
///
/// What only documents have comes as near as `Codable` allows: a counter as its number, a text as
/// its string, an unknown scalar as its bytes, a timestamp as a `Date`.
struct TreeValue: Encodable {
  let tree: Tree

  func encode(to encoder: any Encoder) throws {
    switch tree {
    case .map(let entries):
      var container = encoder.container(keyedBy: PathKey.self)
      for entry in entries {
        // By `encodeNil`, since a null as a value would take the way through a single-value
        // container.
        if entry.value == .null {
          try container.encodeNil(forKey: .key(entry.key))
        } else {
          try container.encode(TreeValue(tree: entry.value), forKey: .key(entry.key))
        }
      }
    case .list(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(TreeValue(tree: element)) }
    default:
      var container = encoder.singleValueContainer()
      switch tree {
      case .boolean(let value): try container.encode(value)
      case .int(let value), .counter(let value): try container.encode(value)
      case .timestamp(let value):
        try container.encode(Date(timeIntervalSince1970: Double(value) / 1000))
      case .uint(let value): try container.encode(value)
      case .float(let value): try container.encode(value)
      case .string(let value), .text(let value): try container.encode(value)
      case .bytes(let bytes), .unknown(_, let bytes): try container.encode(Data(bytes))
      case .date(let seconds):
        try container.encode(Date(timeIntervalSinceReferenceDate: seconds))
      case .null, .list, .map: try container.encodeNil()
      }
    }
  }
}

extension Int {
  /// Its distance from 0, as far as an `Int` holds it: a stored sample may have any number, and `abs` traps for
  /// the least.
  var notNegative: Int { Int(clamping: magnitude) }
}
