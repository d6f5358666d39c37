/// One step on the way from what a document showed to what it shows, as its subject tells it.
///
/// Patches are carried out in order: paths and indexes speak of the state that the patches before have
/// made. An index into a text counts Unicode scalars.
///
/// Source: Specification/Semantics.md, "Patch actions".
package struct ObservedPatch: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    /// Sets a key, or overwrites an element; in a text one unit, whose marks stay.
    ///
    /// An object comes with what it holds, or empty with patches of its own behind. One with an id
    /// that stands there already keeps what it holds.
    case put(Slot, ObservedValue)
    /// Inserts elements of a list, or values into a text, before `index`.
    case insert(index: Int, [ObservedValue])
    /// Types text before `index`, without marks: those over it follow in ``marks(_:)``.
    case spliceText(index: Int, ExactString)
    /// Adds to a counter.
    case increment(Slot, by: Int64)
    /// A value that stays is in conflict from now on.
    case conflict(Slot)
    case deleteKey(ExactString)
    /// Deletes elements of a list, or units of a text.
    case deleteRange(index: Int, count: Int)
    /// Marks from now on over what is there; null takes a name away.
    case marks([ObservedMark])

    /// The action's name, as protocols and messages spell it.
    package var name: String {
      switch self {
      case .put: "put"
      case .insert: "insert"
      case .spliceText: "spliceText"
      case .increment: "increment"
      case .conflict: "conflict"
      case .deleteKey: "deleteKey"
      case .deleteRange: "deleteRange"
      case .marks: "marks"
      }
    }
  }

  /// From the root to the object that the patch changes; empty for the root itself.
  package let path: [Slot]
  package let action: Action

  package init(_ path: [Slot], _ action: Action) {
    self.path = path
    self.action = action
  }
}

extension ObservedPatch: CustomStringConvertible {
  /// One line, such as `/"t"/0 spliceText 3 "ab"`.
  package var description: String {
    let place = "/" + path.map(\.description).joined(separator: "/")
    let rest =
      switch action {
      case .put(let slot, let value): "\(slot) \(value.brief)"
      case .insert(let index, let values):
        "\(index) \(values.map(\.brief).joined(separator: ", "))"
      case .spliceText(let index, let text): "\(index) \(Scalar.string(text))"
      case .increment(let slot, let amount): "\(slot) by \(amount)"
      case .conflict(let slot): "\(slot)"
      case .deleteKey(let key): "\(Slot.key(key))"
      case .deleteRange(let index, let count): "\(count) from \(index)"
      case .marks(let marks): marks.map(\.description).joined(separator: ", ")
      }
    return "\(place) \(action.name) \(rest)"
  }
}
