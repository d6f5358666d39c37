import CodingLaws
import CodingSupport
import DocumentModel
import ModelGeneration
import NaiveModel

// How texts and counters are written, and bound when the whole encode has succeeded. Source:
// Specification/Codable.md, "AutomergeText", "Counter".

extension NaiveWriter {
  /// Writes an instance by what it held when it was recorded.
  mutating func writeReference(
    _ instance: AnyObject,
    _ tree: Tree,
    at place: Place
  ) throws {
    switch tree {
    case .text(let value): try writeText(instance as? NaiveText, value, at: place)
    case .counter(let value): try writeCounter(instance as? NaiveCounter, value, at: place)
    default: try write(tree, at: place, isChecked: true)
    }
  }

  /// Writes a text, and binds the instance later.
  ///
  ///     stored      instance                         is written
  ///     nothing     any                              a new text with its value
  ///     text        bound to it                      nothing
  ///     text        unbound, or bound elsewhere      the difference to its value
  ///     null        any                              a new text with its value
  ///     other       any                              refused, but by `.override`
  private mutating func writeText(
    _ instance: NaiveText?,
    _ value: String,
    at place: Place
  ) throws {
    let isReused = place.old.map { isText($0) } ?? false
    var object = try object(.text, at: place)
    // The mutant `text-replaced` (#60).
    if isReused, !place.inserts, !rules.reusesTexts {
      let id = try model.make(.text, place.object, place.slot, inserting: false)
      object = ObservedObject(id: id, content: .text("", length: 0, elements: nil))
    }
    guard let id = object.id, case .text(let old, _, _) = object.content else {
      throw NaiveCodingError(.mismatched, place.path)
    }
    let isBoundHere = instance?.isBound(to: home) == true && instance?.object == id
    let isForeign = instance.map { $0.isBound && !$0.isBound(to: self.home) } ?? false
    if isForeign, !rules.writesForeignTexts { return }
    if !isBoundHere, !value.isEmpty || rules.replacesTextsByEmpty {
      try edit(object, from: old.string, to: value)
    }
    guard rules.bindsOnEncode, let instance, !isBoundHere else { return }
    bindings.texts.append((instance, id))
  }

  private func isText(_ content: ObservedValue.Content) -> Bool {
    if case .object(let object) = content { object.kind == .text } else { false }
  }

  /// Replaces the part in which two texts differ.
  ///
  /// One splice, of Unicode scalars: from the first that differs to the last.
  mutating func edit(_ object: ObservedObject, from old: String, to new: String) throws {
    guard let id = object.id else { return }
    let (left, right) = (Array(old.unicodeScalars), Array(new.unicodeScalars))
    var start = 0
    var end = 0
    if rules.editsTextsByDifference {
      while start < min(left.count, right.count), left[start] == right[start] { start += 1 }
      while end < min(left.count, right.count) - start,
        left[left.count - 1 - end] == right[right.count - 1 - end]
      {
        end += 1
      }
    }
    let deleted = left.count - start - end
    var inserted = String.UnicodeScalarView()
    inserted.append(contentsOf: right[start..<(right.count - end)])
    guard deleted > 0 || !inserted.isEmpty else { return }
    _ = try model.apply(
      .spliceText(id, index: start, deleting: deleted, inserting: ExactString(String(inserted)))
    )
  }

  /// Writes a counter, and binds the instance later.
  ///
  ///     stored          instance                         is added or put
  ///     counter d       bound to this place              nothing
  ///     counter d       other, value v                   v - d
  ///     anything else   any, value v                     a counter of v
  private mutating func writeCounter(
    _ instance: NaiveCounter?,
    _ value: Int64,
    at place: Place
  ) throws {
    var isBoundHere = false
    var isEqual = false
    if !place.inserts, case .scalar(.counter(let old))? = place.old {
      // As far as it is written: elements before it may have come or gone.
      let root = try model.observe(at: nil).root
      let here = CounterPlace(place.object, place.slot, below: root)
      isBoundHere = instance?.isBound(to: home, here) == true
      if !isBoundHere || !rules.leavesBoundCounters {
        var amount = value &- old
        if !rules.setsCountersByDifference { amount = old &- value }
        // The mutant `counter-doubles`: what is there is added once more.
        if isBoundHere { amount = old }
        isEqual = amount == 0
        if !isEqual {
          _ = try model.apply(.increment(place.object, place.slot, by: amount))
        }
      }
    } else {
      let isMoved = instance?.isBound == true && !rules.writesMovedCounters
      try write(.counter(isMoved ? 0 : value), at: place, isChecked: true)
    }
    guard rules.bindsOnEncode, rules.bindsCountersOnEncode, rules.bindsOverEqual || !isEqual,
      let instance, !isBoundHere
    else { return }
    bindings.counters.append((instance, place.object, place.slot))
  }
}
