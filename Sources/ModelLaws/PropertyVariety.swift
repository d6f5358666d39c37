// A law that holds for values whose `due` is always nil says nothing of dates. Here values are looked at for such
// properties, which a test tells beside a green result.
//
//     values    Task(due: nil, tags: []), Task(due: nil, tags: ["a"]), Task(due: nil, tags: [])
//     told      `due` was nil

import CodingSupport
import Foundation
import ModelGeneration
import PropertyEngine
import Texts

/// Properties of a model that were the same in all values that were looked at: `nil`, empty, 0 or false; and dates
/// that had no fraction of a second, as those that are read from strings often have none.
///
/// Told are properties that decoding asks for by their names: others are no part of documents. One that is the same
/// in all values and none of these, such as the number of a version, is one that the model demands.
///
/// Cost: 32 values are drawn, and up to 100 as long as some property is to be told.
package struct PropertyVariety<Value: Codable & SendableMetatype> {
  /// What a property was in one value.
  private struct Look: Hashable {
    /// Nil, empty, 0 or false, in words; `nil` for anything else.
    var blank: String?
    /// Whether it is a date of whole seconds.
    var isWholeSecond = false
  }

  private static var firstCount: Int { 32 }
  private static var countLimit: Int { 100 }
  /// Properties that are told at most.
  private static var toldLimit: Int { 5 }
  private static var depthLimit: Int { 8 }
  /// "variety" in ASCII, so that one model is told the same in every run.
  private static var seed: Seed { 0x7661_7269_6574_79 }

  private let name: String
  private let tellsDates: Bool
  private var count = 0
  /// What each property was so far; its places are those of ``SchemaSlot``.
  private var looks: [SchemaSlot: Set<Look>] = [:]
  /// Keys that were asked for.
  private var asked: Set<String> = []

  /// Looks at values.
  ///
  /// - Parameters:
  ///   - source: Where the values come from.
  ///   - tellsDates: Whether dates of whole seconds are told; not where the test has samples or a tolerance.
  ///   - willTry: Gets each piece of the model's own code that may trap before it runs.
  /// - Throws: What drawing a value throws.
  package init(
    _ source: ModelSource<Value>,
    tellsDates: Bool = true,
    willTry: (ModelAttempt) -> Void = { _ in }
  ) throws {
    name = source.name
    self.tellsDates = tellsDates
    while count < Self.firstCount || count < Self.countLimit && !told.isEmpty {
      var choices = Choices(seed: Self.seed.stream(UInt64(count)))
      let sample = try source.draw(&choices)
      let document = sample.document
      willTry(
        ModelAttempt(
          law: ModelLaw.oldData,
          document: document,
          description: "decoding \(document)"
        )
      )
      var keys: Set<String> = []
      var decoder = TreeDecoder()
      decoder.willRead = { path in path.keys.last.map { _ = keys.insert($0.stringValue) } }
      _ = try? decoder.decode(Value.self, from: document)
      asked.formUnion(keys)
      look(at: sample.value, [])
      count += 1
    }
  }

  // MARK: - What is told

  /// What to say of the properties, in one sentence and an advice; `nil` if all varied.
  package var explanation: String? {
    let told = told
    guard !told.isEmpty else { return nil }
    let rest = told.count - Self.toldLimit
    let more = rest > 0 ? ["\(counted(rest, "other property", "other properties")) likewise"] : []
    let list = (told.prefix(Self.toldLimit).map(\.words) + more).joined(separator: ", ")
    let tolerance =
      told.contains(where: \.isOfDates)
      ? "; dates that should have no fraction are declared: `tolerance: LawTolerance(dateSeconds: 1)`"
      : ""
    return """
      In all \(count) values of \(name) that were looked at, \(list): the laws say nothing of others. Pass \
      `samples:` that have them\(tolerance).
      """
  }

  /// What is told of one property, and whether it is that dates had no fraction.
  private var told: [(words: String, isOfDates: Bool)] {
    looks.sorted { $0.key.name < $1.key.name }.compactMap { slot, looks in
      guard let step = slot.steps.last, case .key(let key) = step, asked.contains(key),
        // A type that holds itself ends somewhere.
        !slot.steps.dropLast().contains(step), let look = looks.first
      else { return nil }
      if looks.count == 1, let blank = look.blank {
        return ("`\(slot.name)` was \(blank)", false)
      }
      // Nil, where the date was not there.
      let dates = looks.filter { $0.blank != "nil" }
      guard tellsDates, !dates.isEmpty, dates.allSatisfy(\.isWholeSecond) else { return nil }
      return ("`\(slot.name)` had no fraction of a second", true)
    }
  }

  // MARK: - Looking

  private mutating func look(at value: Any, _ place: [SchemaSlot.Step]) {
    if case .key? = place.last {
      looks[SchemaSlot(place), default: []].insert(Self.look(at: value))
    }
    guard place.count < Self.depthLimit else { return }
    if let optional = value as? any AnyOptional {
      // What is wrapped is at the place of the optional, which was looked at.
      if let wrapped = optional.wrapped { lookBelow(wrapped, place) }
    } else {
      lookBelow(value, place)
    }
  }

  private mutating func lookBelow(_ value: Any, _ place: [SchemaSlot.Step]) {
    guard !Self.isWhole(value) else { return }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .struct, .class:
      var part: Mirror? = mirror
      while let properties = part {
        for case (let label?, let value) in properties.children {
          // A property wrapper adds the underscore.
          let name = label.hasPrefix("_") ? String(label.dropFirst()) : label
          look(at: value, place + [.key(name)])
        }
        part = properties.superclassMirror
      }
    case .collection, .set:
      for child in mirror.children { look(at: child.value, place + [.element]) }
    case .dictionary:
      for entry in (value as? [AnyHashable: Any]) ?? [:] {
        look(at: entry.value, place + [.anyKey])
      }
    default: return
    }
  }

  /// Whether a value's own parts are no properties of the model.
  private static func isWhole(_ value: Any) -> Bool {
    switch value {
    case is String, is Data, is URL, is UUID, is Decimal, is Date: true
    default: ModelReference(value) != nil
    }
  }

  private static func isZero<Number: Numeric>(_ number: Number) -> Bool { number == .zero }

  private static func look(at value: Any) -> Look {
    switch value {
    case let optional as any AnyOptional:
      return optional.wrapped.map { look(at: $0) } ?? Look(blank: "nil")
    case let date as Date:
      let seconds = date.timeIntervalSinceReferenceDate
      return Look(isWholeSecond: seconds == seconds.rounded())
    case let text as String: return Look(blank: text.isEmpty ? "\"\"" : nil)
    case let truth as Bool: return Look(blank: truth ? nil : "false")
    case let data as Data: return Look(blank: data.isEmpty ? "empty" : nil)
    case let number as any Numeric: return Look(blank: isZero(number) ? "0" : nil)
    default:
      if case .text(let text)? = ModelReference(value) {
        return Look(blank: text.value.isEmpty ? "\"\"" : nil)
      }
      let mirror = Mirror(reflecting: value)
      let isContainer = [.collection, .set, .dictionary].contains(mirror.displayStyle)
      return Look(blank: isContainer && mirror.children.isEmpty ? "empty" : nil)
    }
  }
}
