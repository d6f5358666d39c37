extension Array {
  /// Adds each of the others to the first element that has its key, or appends it if there is none.
  ///
  /// Cost: O(`count` + `others.count`).
  package mutating func merge<Key: Hashable>(
    _ others: [Element],
    by key: (Element) -> Key,
    _ add: (inout Element, Element) -> Void
  ) {
    var places = Dictionary(indices.map { (key(self[$0]), $0) }) { first, _ in first }
    for other in others {
      if let place = places[key(other)] {
        add(&self[place], other)
      } else {
        places[key(other)] = count
        append(other)
      }
    }
  }
}
