import MergeEngine

/// The places of a document, and which of them are in conflict.
///
/// A key of a map is one place, whatever it shows. An element of a list is known by the operation that it shows,
/// since its position changes with the elements before it.
struct ConflictPlaces {
  private enum Place: Hashable {
    case key(ObjectID, String)
    case element(ObjectID, showing: OpID)
  }

  /// Where each place is, in the order of the document.
  private var props: [(place: Place, props: [Prop])] = []
  private var conflicts: Set<Place> = []

  init(of document: MergeDocument) throws(InspectionError) {
    try add(.root, .map, of: document, below: [])
  }

  /// Places of this document that are in conflict here and not in another state, which has them, or the other way round.
  func changes(since other: ConflictPlaces) -> [(props: [Prop], isInConflict: Bool)] {
    let known = Set(other.props.map(\.place))
    return props.compactMap { place, props in
      let isInConflict = conflicts.contains(place)
      guard known.contains(place) ? isInConflict != other.conflicts.contains(place) : isInConflict
      else { return nil }
      return (props, isInConflict)
    }
  }

  private mutating func add(
    _ object: ObjectID,
    _ kind: ObjectKind,
    of document: MergeDocument,
    below path: [Prop]
  ) throws(InspectionError) {
    guard path.count < DocumentExport.depthLimit else {
      throw .tooDeep(limit: DocumentExport.depthLimit)
    }
    let children: [Prop]
    switch kind {
    case .map, .table:
      children = try DocumentExport.asking { () throws(EditError) in try document.keys(object) }
        .map(Prop.key)
    case .list:
      let count = try DocumentExport.asking { () throws(EditError) in
        try document.length(object)
      }
      children = (0..<count).map(Prop.index)
    case .text: return
    }
    for prop in children {
      let entries = try DocumentExport.asking { () throws(EditError) in
        try document.getAll(object, prop)
      }
      guard let winner = entries.last else { continue }
      let place: Place =
        if case .key(let key) = prop { .key(object, key) } else {
          .element(object, showing: winner.id)
        }
      props.append((place, path + [prop]))
      if entries.count > 1 { conflicts.insert(place) }
      if case .object(let inner, let kind) = winner.value {
        try add(inner, kind, of: document, below: path + [prop])
      }
    }
  }
}
