extension Sequence {
  /// The elements, each once, in the order of their first appearance.
  package func uniqued() -> [Element] where Element: Hashable { uniqued(by: \.self) }

  /// The first element with each key, in the order of the sequence.
  package func uniqued<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
    var seen: Set<Key> = []
    return filter { seen.insert(key($0)).inserted }
  }
}
