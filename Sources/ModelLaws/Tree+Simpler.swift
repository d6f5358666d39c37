import CodingSupport
import ModelGeneration

extension Tree {
  /// Places that stand out by themselves at most, the outermost first.
  private static let placeLimit = 16

  /// Places within lists that do so at most.
  private static let innerLimit = 64

  /// Elements of a list that are tried together at most, but for all of them.
  private static let prefixLimit = 8

  /// Documents that differ from this one in being simpler, the simplest first.
  ///
  /// Each place that can be is made the simplest of its kind: the first document has all of them so, each
  /// further one keeps a single place as it is here. So whatever depends on one place shows in a document
  /// in which only that place stands out, however deep in lists it is: of each list around it the one
  /// element is left that holds it. What depends on several elements shows with the first of them that
  /// do.
  ///
  /// `isValid` says whether a document is one of the model's.
  ///
  /// Worked example, a map of `a: 5`, `b: ["x", "y"]`:
  ///
  ///     {a: 0, b: []}          all simple
  ///     {a: 5, b: []}          only `a` stands out
  ///     {a: 0, b: ["x"]}       only one place within `b` does
  ///     {a: 0, b: ["y"]}
  ///     {a: 0, b: ["x", "y"]}  only `b` does
  ///
  /// The document itself is not among them. Up to 81 documents, and 8 more for each list outside of others;
  /// for each of them a few calls of `isValid`, and one for each place of a document that may not be all
  /// simple.
  ///
  /// Used where a failure ends the process, and nothing can be shrunk afterwards: what is tried
  /// first is small.
  func simplerFirst(_ isValid: (Tree) -> Bool) -> [Tree] {
    var (simplest, places) = simplified(keeping: nil, isValid)
    guard !places.isEmpty else { return [] }
    places = Array(places.prefix(Self.placeLimit))
    var found = [simplest]
    func add(_ document: Tree) {
      if document != self, !found.contains(document), isValid(document) { found.append(document) }
    }
    func isList(_ place: [PathKey]) -> Bool { self[place]?.kind == .list }
    for place in places where !isList(place) { add(simplest.replacing(place, with: self[place])) }
    let inner = paths.filter { place in
      let isElement = place.last?.isIndex == true
      return isElement || place.contains(where: \.isIndex) && self[place]?.isSimplest == false
    }
    for place in inner.outermostFirst.prefix(Self.innerLimit) {
      let (alone, path) = self.alone(place, isValid)
      add(alone.simplified(keeping: path, isValid).tree)
    }
    for place in places where isList(place) {
      guard case .list(let elements)? = self[place] else { continue }
      for count in 1..<max(1, min(elements.count, Self.prefixLimit + 1)) {
        add(simplest.replacing(place, with: .list(Array(elements.prefix(count)))))
      }
      add(simplest.replacing(place, with: self[place]))
    }
    return found
  }

  /// The document with each place the simplest of its kind that may be, but for those on a path; and
  /// the places that were made so.
  private func simplified(
    keeping path: [PathKey]?,
    _ isValid: (Tree) -> Bool
  ) -> (tree: Tree, places: [[PathKey]]) {
    func simplified(_ isValid: (Tree) -> Bool) -> (tree: Tree, places: [[PathKey]]) {
      var simplest = self
      var places: [[PathKey]] = []
      for place in paths.outermostFirst where path?.starts(with: place) != true {
        guard let old = simplest[place], let simple = old.kind.simplest, simple != old else {
          continue
        }
        let candidate = simplest.replacing(place, with: simple)
        guard isValid(candidate) else { continue }
        simplest = candidate
        places.append(place)
      }
      return (simplest, places)
    }
    // All at once first: of most types each place may be anything.
    let all = simplified { _ in true }
    return isValid(all.tree) ? all : simplified(isValid)
  }

  /// The document with a single element in each list on a path, where that may be, and the path there.
  private func alone(_ path: [PathKey], _ isValid: (Tree) -> Bool) -> (tree: Tree, path: [PathKey])
  {
    var (tree, path) = (self, path)
    for position in path.indices where path[position].isIndex {
      let list = Array(path[..<position])
      guard let element = tree[list + [path[position]]] else { continue }
      let candidate = tree.replacing(list, with: .list([element]))
      guard isValid(candidate) else { continue }
      tree = candidate
      path[position] = .index(0)
    }
    return (tree, path)
  }

  private var isSimplest: Bool { kind.simplest.map { $0 == self } ?? true }
}

extension PathKey {
  fileprivate var isIndex: Bool { if case .index = self { true } else { false } }
}

extension Sequence<[PathKey]> {
  /// Shorter paths before longer ones, else in their order.
  var outermostFirst: [[PathKey]] {
    // The offset as well: Swift's `sorted` does not promise to keep equals in order.
    enumerated().sorted { ($0.element.count, $0.offset) < ($1.element.count, $1.offset) }
      .map(\.element)
  }
}
