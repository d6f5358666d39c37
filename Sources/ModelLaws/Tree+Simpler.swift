import CodingSupport
import ModelGeneration

extension Tree {
  /// Places that are made simpler at most, the outermost first.
  private static let simplifiedLimit = 16

  /// Documents that differ from this one in being simpler, the simplest first.
  ///
  /// Each place that can be is made the simplest of its kind: the first document has all of them so, each
  /// further one keeps a single place as it is here. So whatever depends on one place shows in a document
  /// in which only that place stands out.
  ///
  /// `isValid` says whether a document is one of the model's.
  ///
  /// Worked example, a map of `a: 5`, `b: "x"`, both of which may be 0 and empty:
  ///
  ///     {a: 0, b: ""}   all simple
  ///     {a: 5, b: ""}   only `a` stands out
  ///     {a: 0, b: "x"}  only `b` stands out
  ///
  /// The document itself is not among them. At most 17 documents, and up to one call of `isValid`
  /// for each place that is not yet the simplest, and 16 more.
  ///
  /// Used where a failure ends the process, and nothing can be shrunk afterwards: what is tried
  /// first is small.
  func simplerFirst(_ isValid: (Tree) -> Bool) -> [Tree] {
    var simplest = self
    var places: [[PathKey]] = []
    let candidates = paths.enumerated()
      .sorted { ($0.element.count, $0.offset) < ($1.element.count, $1.offset) }
      .map(\.element)
    for path in candidates where places.count < Self.simplifiedLimit {
      guard let old = simplest[path], let simple = old.simplestOfKind, simple != old else {
        continue
      }
      let candidate = simplest.replacing(path, with: simple)
      guard isValid(candidate) else { continue }
      simplest = candidate
      places.append(path)
    }
    guard !places.isEmpty else { return [] }
    let single = places.map { simplest.replacing($0, with: self[$0]) }
    return [simplest] + single.filter { $0 != self && isValid($0) }
  }

  /// The simplest tree of this one's kind; `nil` for a map, which holds what its type asks for.
  private var simplestOfKind: Tree? {
    switch self {
    case .boolean: .boolean(false)
    case .int: .int(0)
    case .uint: .uint(0)
    case .float: .float(0)
    case .string: .string("")
    case .bytes: .bytes([])
    case .date: .date(0)
    case .timestamp: .timestamp(0)
    case .text: .text("")
    case .counter: .counter(0)
    case .list: .list([])
    case .null, .unknown, .map: nil
    }
  }
}
