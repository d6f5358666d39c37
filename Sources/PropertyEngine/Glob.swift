/// A pattern in which `*` stands for any characters, also for none.
///
///     merge.*      merge.commutes, merge.        not a.merge.b
///     *.sync*      laws.sync, a.sync.b
///
/// Worked example, `*ab` on `aab`: the star takes nothing, `a` fits, `b` does not; back to the star, which
/// takes the first `a`; then `ab` fits to the end. Only the last star is gone back to: what an earlier one
/// could take otherwise, the last one can take as well.
package struct Glob: Hashable, Sendable {
  private let pattern: [Character]

  package init(_ pattern: String) {
    self.pattern = Array(pattern)
  }

  package func matches(_ text: String) -> Bool {
    Self.matches(pattern[...], Array(text)[...])
  }

  private static func matches(
    _ pattern: ArraySlice<Character>,
    _ text: ArraySlice<Character>
  ) -> Bool {
    // Iterative with one backtrack point, so that no pattern costs more than length times length.
    var pattern = pattern
    var text = text
    var retry: (pattern: ArraySlice<Character>, text: ArraySlice<Character>)?
    while true {
      if pattern.first == "*" {
        pattern.removeFirst()
        retry = (pattern, text)
      } else if let first = pattern.first, first == text.first {
        pattern.removeFirst()
        text.removeFirst()
      } else if pattern.isEmpty, text.isEmpty {
        return true
      } else if let (earlier, rest) = retry, !rest.isEmpty {
        pattern = earlier
        text = rest.dropFirst()
        retry = (earlier, text)
      } else {
        return false
      }
    }
  }
}
