import CodingSupport
import ModelGeneration

/// Documents that another version could have written: each departs from one at a single place.
///
/// Worked example, for `{"a": 1, "b": ["x"]}`:
///
///     `a` is missing    {"b": ["x"]}
///     `a` is null       {"a": null, "b": ["x"]}
///     `a` is true       {"a": true, "b": ["x"]}, then six others, other ints among them
///     `b` ...           the same
///     `b[0]` ...        the same, behind both since it lies deeper
///     there is nothing  {}
///     a later key       {"a": 1, "b": ["x"], "later": 1}
///
/// Two changes at once are never made: the name of a drift says all about it.
enum Drifts {
  /// Places of one document that are changed at most, the outermost first.
  ///
  /// With two removals and up to seven strangers a place, a document has about 300 drifts at most,
  /// each decoded once.
  static let placeLimit = 32

  /// One of each kind that JSON knows, and the two integers that narrower and unsigned types
  /// refuse.
  private static let strangers: [Tree] = [
    .boolean(true), .int(-3), .int(.max), .float(0.5), .string("x"), .list([]), .map([]),
  ]

  /// Each place missing, null, and of other kinds, with what was changed, such as "`title` is null".
  ///
  /// Each tree is a whole document. The root itself is not changed, but for the empty map.
  static func single(of tree: Tree) -> [(change: String, tree: Tree)] {
    var drifts: [(String, Tree)] = []
    // The outermost first: what is found there is the smallest.
    for path in tree.paths.dropFirst().outermostFirst.prefix(placeLimit) {
      drifts.append(("\(path.quoted) is missing", tree.replacing(path, with: nil)))
      drifts.append(("\(path.quoted) is null", tree.replacing(path, with: .null)))
      for stranger in strangers where stranger != tree[path] {
        drifts.append(("\(path.quoted) is \(stranger)", tree.replacing(path, with: stranger)))
      }
    }
    drifts.append(("there is nothing", .map([])))
    drifts.append(
      ("there is a key of a later version", tree.replacing([.key("later")], with: .int(1)))
    )
    return drifts
  }
}
