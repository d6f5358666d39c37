import MergeEngine

/// Enums behind a wrapper that has called their `encode(to:)` with its own encoder.
extension StagingSession {
  /// Marks a map with one nested map, which a type wrote that is no enum, as an enum's if the type holds nothing but an
  /// enum.
  ///
  ///     struct Box { var state: State }     state.encode(to: encoder)       {"done": {"by": "ada"}}: the enum's
  ///     struct Page { var id: Int }         nestedContainer(forKey: data)   {"data": {"id": 7}}: the struct's own
  @inline(never)
  func markCase<Value>(of value: Value, _ node: Draft.Node) {
    guard draft.marks(node).isDisjoint(with: [.passedOn, .dictionary, .openKeys]) else { return }
    let mirror = Mirror(reflecting: value)
    guard mirror.superclassMirror == nil, mirror.children.count == 1,
      let wrapped = mirror.children.first?.value,
      // One with raw values asks for no map.
      TypeTraits.find(Swift.type(of: wrapped)) == .enumeration, !(wrapped is any RawRepresentable)
    else { return }
    StagedMap(tree, node).markEnumeration()
  }
}
