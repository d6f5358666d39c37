import AutomergeDocument
import Foundation
import MergeEngine

/// Whether the document shows a staged value already.
///
/// Reads nothing but what is compared, and writes nothing. Texts and counters that it finds equal
/// are noted to be bound: a comparison that fails drops its notes.
extension DocumentWriter {
  /// Whether a stored value is what the staged one would be decoded from, and come to again.
  func reads(_ current: MergeEngine.Value, as value: StagedValue) -> Bool {
    if isCautious, !current.isNull, current.word != value.storedScalar.word { return false }
    guard case .scalar(let stored) = current else {
      guard case .object(let object, .text) = current, case .scalar(.string(let text)) = value
      else { return false }
      return (try? engine.text(object))?.utf8.elementsEqual(text.utf8) ?? false
    }
    switch value {
    case .scalar(let scalar): return scalar.isEqualNumber(stored)
    case .float(let float):
      switch stored {
      case .double(let number): return Float(number) == float
      case .int(let number): return Float(exactly: number) == float
      case .uint(let number): return Float(exactly: number) == float
      default: return false
      }
    case .date(let date, let milliseconds):
      guard case .timestamp(let known) = stored else { return false }
      return known == milliseconds || dateTruncation.truncated(known) == milliseconds
        || Date(millisecondsSince1970: known) == date
    case .url(let text):
      guard case .string(let known) = stored else { return false }
      return known.utf8.elementsEqual(text.utf8)
        || URL(string: known)?.absoluteString.utf8.elementsEqual(text.utf8) ?? false
    case .uuid(let uuid):
      guard case .string(let known) = stored else { return false }
      return UUID(uuidString: known) == uuid
    case .absent, .keyedNil: return stored == .null
    case .text, .counter, .map, .list, .later, .kept: return false
    }
  }

  /// Whether all of a staged value stands in the document, down to the last element.
  ///
  /// The value stands at `step` of `holder`.
  mutating func shows(
    _ current: MergeEngine.Value,
    _ value: StagedValue,
    in holder: ObjectID,
    _ step: CounterPlace.Step
  ) throws -> Bool {
    let noted = bindings.count
    let result = try compare(current, value, in: holder, step)
    if !result { bindings.removeSubrange(noted...) }
    return result
  }

  private mutating func compare(
    _ current: MergeEngine.Value,
    _ value: StagedValue,
    in holder: ObjectID,
    _ step: CounterPlace.Step
  ) throws -> Bool {
    switch value {
    case .map(let map):
      guard case .object(let object, let kind) = current, kind == .map || kind == .table else {
        return false
      }
      return try shows(object, map)
    case .list(let list):
      guard case .object(let object, .list) = current else { return false }
      return try shows(object, list)
    case .text(let text):
      guard case .object(let object, .text) = current else { return false }
      if let known = text.object(in: home) { return known == object }
      guard try engine.text(object).utf8.elementsEqual(text.value.utf8) else { return false }
      bindings.append(.text(text, object))
      return true
    case .counter(let counter):
      guard case .scalar(.counter(let known)) = current else { return false }
      let place = CounterPlace(holder: holder, step: step)
      if let bound = counter.place(in: home), bound.holder == holder { return bound == place }
      guard Int64(counter.value) == known else { return false }
      bindings.append(.counter(counter, place))
      return true
    case .kept, .later: return false
    default: return reads(current, as: value)
    }
  }

  private mutating func shows(_ object: ObjectID, _ map: StagedMap) throws -> Bool {
    var present = 0
    let entries = map.entries
    for index in entries.indices {
      let entry = entries[index]
      if case .scalar(let scalar) = entry.value {
        switch try engine.compare(object, key: entry.key, scalar) {
        case .absent: return false
        case .equal:
          present += 1
          continue
        case .different: break
        }
      }
      let current = try engine.value(object, key: entry.key)
      switch (current, entry.value) {
      case (nil, .absent): continue
      case (nil, _): return false
      case (let current?, let value):
        guard try shows(current, value, in: object, .key(entry.key)) else { return false }
        present += 1
      }
    }
    if keepsUnknownKeys(map) { return true }
    return try engine.length(object) == present
  }

  private mutating func shows(_ object: ObjectID, _ list: StagedList) throws -> Bool {
    guard try engine.length(object) == list.elements.count else { return false }
    if list.order == .fixed {
      let elements = list.elements
      let isSame = try engine.isList(object, of: elements.count) { index in
        if case .scalar(let scalar) = elements[index] { scalar } else { nil }
      }
      if isSame { return true }
    }
    let known = try StoredList(object, engine)
    if list.order != .fixed {
      let plan = try planUnordered(list, known)
      guard plan.steps.count == known.count else { return false }
      for step in plan.steps {
        switch step.match {
        case .same: break
        case .insert: return false
        case .update(let index):
          guard
            try shows(
              known.values[index],
              step.value,
              in: object,
              known.step(index, step.value)
            )
          else { return false }
        }
      }
      return true
    }
    for (index, value) in list.elements.enumerated() {
      guard try shows(known.values[index], value, in: object, known.step(index, value))
      else { return false }
    }
    return true
  }
}

extension Scalar {
  /// Equal, or numbers of different kinds and one value.
  ///
  /// Strings are equal if their bytes are.
  @inline(__always)
  func isEqualNumber(_ stored: Scalar) -> Bool {
    switch (self, stored) {
    case (.string(let left), .string(let right)):
      return left == right && left.utf8.elementsEqual(right.utf8)
    case (.int(let left), .int(let right)): return left == right
    case (.int(let left), .uint(let right)): return UInt64(exactly: left) == right
    case (.int(let left), .double(let right)): return Int64(exactly: right) == left
    case (.uint(let left), .int(let right)): return Int64(exactly: left) == right
    case (.uint(let left), .double(let right)): return UInt64(exactly: right) == left
    case (.double(let left), .double(let right)): return left == right
    case (.double(let left), .int(let right)): return Double(exactly: right) == left
    case (.double(let left), .uint(let right)): return Double(exactly: right) == left
    case (.null, .null): return true
    case (.bool(let left), .bool(let right)): return left == right
    case (.bytes(let left), .bytes(let right)): return left == right
    default: return false
    }
  }
}
