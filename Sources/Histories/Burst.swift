// One step that stands for many edits. `edit(at:)` is what a burst means; the extensions at the end
// make values that differ from edit to edit. Drawn in `WorldSize.swift`, made to fit in
// `Normaliser.swift`, carried out edit by edit (`Program+History.swift`).

package import DocumentModel

/// One edit many times over, as one step: typing, holding a delete key, filling a map, counting up.
///
/// The shrinker lowers the number to the one that matters, and drops the whole with one cut.
///
/// Worked example, with the first edit `type text2 3 delete 0 insert "ab"` and count 3:
///
///     same        inserts at 3, 3, 3
///     forward     inserts at 3, 5, 7      each behind the one before: `reach` is 2
///     backward    inserts at 3, 2, 1      an insertion reaches 1 back
package struct Burst: Hashable, Sendable {
  /// Where each edit takes place, seen from the one before.
  package enum Walk: String, Hashable, Sendable, CaseIterable {
    /// At the same place: what is inserted comes out in reverse, what is deleted moves up.
    case same
    /// Behind it: the way of typing. A map gets a new key each time.
    case forward
    /// Before it: the way of the backspace key.
    case backward
  }

  /// The first edit; never one that makes an object.
  package var edit: Edit<ObjectName>
  /// Number of edits, at least 1.
  package var count: Int
  package var walk: Walk
  /// Whether each edit becomes a change of its own.
  ///
  /// Else all edits join the replica's open change.
  package var commits: Bool

  package init(_ edit: Edit<ObjectName>, count: Int, walk: Walk = .same, commits: Bool = false) {
    self.edit = edit
    self.count = count
    self.walk = walk
    self.commits = commits
  }

  /// Edits that one burst can have.
  ///
  /// The limit of the text form, too: a case file cannot ask for more.
  package static let countLimit = 100_000

  /// The edits, in their order.
  package var edits: [Edit<ObjectName>] { (0..<max(1, count)).map { edit(at: $0) } }

  /// The edit with this number, the first being 0.
  ///
  /// Values are made from the first edit's by its number, so that no edit repeats the one before
  /// it: equal puts make no operation.
  package func edit(at number: Int) -> Edit<ObjectName> {
    guard number > 0 else { return edit }
    let shift =
      switch walk {
      case .same: 0
      case .forward: number * reach
      case .backward: -number * reach
      }
    switch edit {
    case .put(let object, let slot, let value):
      return .put(object, moved(slot, number, shift), value.advanced(by: number))
    case .delete(let object, let slot):
      return .delete(object, moved(slot, number, shift))
    case .increment(let object, let slot, let amount):
      return .increment(object, moved(slot, number, shift), by: amount)
    case .insert(let object, let index, let value):
      return .insert(object, index: index + shift, value.advanced(by: number))
    case .splice(let object, let index, let deleting, let values):
      return .splice(
        object,
        index: index + shift,
        deleting: deleting,
        inserting: values.map { $0.advanced(by: number) }
      )
    case .spliceText(let object, let index, let deleting, let text):
      return .spliceText(
        object,
        index: index + shift,
        deleting: deleting,
        inserting: text.advanced(by: number)
      )
    case .mark(let object, let marking):
      return .mark(object, marking.moved(by: shift))
    case .putObject, .insertObject:
      return edit
    }
  }

  /// Values that all edits together write.
  ///
  /// Deletions and increments write none.
  package var elementCount: Int {
    let one =
      switch edit {
      case .splice(_, _, _, let values): values.count
      case .spliceText(_, _, _, let text): text.string.unicodeScalars.count
      case .put, .insert, .putObject, .insertObject: 1
      case .delete, .increment, .mark: 0
      }
    return one * max(1, count)
  }

  /// Places from one edit to the next.
  package var reach: Int {
    switch edit {
    case .splice(_, _, let deleting, let values):
      walk == .forward ? values.count : max(1, deleting)
    case .spliceText(_, _, let deleting, let text):
      walk == .forward ? text.string.unicodeScalars.count : max(1, deleting)
    default: 1
    }
  }

  /// A key gets the edit's number behind it ("k", "k1", "k2"), unless the burst stays at one place.
  private func moved(_ slot: Slot, _ number: Int, _ shift: Int) -> Slot {
    switch slot {
    case .index(let index): .index(index + shift)
    case .key(let key): walk == .same ? slot : .key(ExactString(key.string + String(number)))
    }
  }
}

extension Scalar {
  /// A value that is this one's neighbour, so that no edit of a burst repeats the one before.
  fileprivate func advanced(by number: Int) -> Scalar {
    switch self {
    case .null, .unknown: self
    case .boolean(let value): .boolean(number.isMultiple(of: 2) ? value : !value)
    case .int(let value): .int(value &+ Int64(number))
    case .uint(let value): .uint(value &+ UInt64(number))
    case .float(let value): .float(value + Double(number))
    case .string(let value): .string(value.advanced(by: number))
    case .bytes(let value):
      .bytes(value.dropLast() + value.suffix(1).map { $0 &+ UInt8(truncatingIfNeeded: number) })
    case .counter(let value): .counter(value &+ Int64(number))
    case .timestamp(let value): .timestamp(value &+ Int64(number))
    }
  }
}

extension ExactString {
  /// A small letter becomes one of the next; every other text stays.
  fileprivate func advanced(by number: Int) -> ExactString {
    let scalars = string.unicodeScalars
    guard scalars.count == 1, let letter = scalars.first, ("a"..."z").contains(letter),
      let next = Unicode.Scalar(97 + (letter.value - 97 + UInt32(number % 26)) % 26)
    else { return self }
    return ExactString(String(Character(next)))
  }
}
