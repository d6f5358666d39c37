import MergeEngine

/// What leads from one document to another, a line a patch.
///
///     title: put string "Plan B"
///     text: at 3 type "milk" under bold boolean true
///     list: at 0 delete 2
///     title: now in conflict
///
/// Indexes speak of the state after the lines before.
package enum DocumentDifference {
  /// The lines; none if both show the same.
  ///
  /// Cost: both documents are taken into one, and the states compared.
  package static func lines(
    from first: (name: String, bytes: [UInt8]),
    to second: (name: String, bytes: [UInt8]),
    characterLimit: Int = 80
  ) throws(InspectionError) -> [String] {
    let before = try DocumentFile.open(first.bytes, name: first.name)
    let after = try DocumentFile.open(second.bytes, name: second.name)
    let both = try DocumentFile.merge([first, second])
    // Patches tell of conflicts that come with a value alone.
    let patches = both.patches(from: before.heads, to: after.heads).filter { patch in
      if case .conflict = patch.action { false } else { true }
    }
    let conflicts = try ConflictPlaces(of: after).changes(since: ConflictPlaces(of: before))
    return patches.map { line($0, limit: characterLimit) }
      + conflicts.map { "\(place($0.props)): \($0.isInConflict ? "now" : "no longer") in conflict" }
  }

  private static func line(_ patch: DocumentPatch, limit: Int) -> String {
    func value(_ value: Value) -> String { DocumentTree.scalarText(value, limit: limit) }
    func scalar(_ scalar: Scalar) -> String { value(.scalar(scalar)) }
    let here = patch.path.steps.map(\.prop)
    switch patch.action {
    case .put(let prop, let new, _): return "\(place(here + [prop])): put \(value(new))"
    case .insert(let index, let values):
      return "\(place(here)): at \(index) insert \(values.map(value).joined(separator: ", "))"
    case .spliceText(let index, let text, let marks):
      let names = marks.sorted { $0.key < $1.key }
        .map { "\(SafeText.key($0.key)) \(scalar($0.value))" }
      let under = names.isEmpty ? "" : " under \(names.joined(separator: ", "))"
      return "\(place(here)): at \(index) type \(SafeText.quoted(text, limit: limit))\(under)"
    case .increment(let prop, let amount): return "\(place(here + [prop])): add \(amount)"
    case .conflict(let prop): return "\(place(here + [prop])): now in conflict"
    case .deleteKey(let key): return "\(place(here + [.key(key)])): delete"
    case .deleteElements(let index, let count):
      return "\(place(here)): at \(index) delete \(count)"
    case .marks(let marks):
      let words = marks.map { mark in
        "\(mark.range.lowerBound)..<\(mark.range.upperBound) "
          + (mark.value == .null ? "no " : "") + SafeText.key(mark.name)
          + (mark.value == .null ? "" : " \(scalar(mark.value))")
      }
      return "\(place(here)): mark \(words.joined(separator: ", "))"
    }
  }

  /// `list[2].title`; the root is `document`.
  private static func place(_ props: [Prop]) -> String {
    props.isEmpty ? "document" : DocumentPath(props).description
  }
}
