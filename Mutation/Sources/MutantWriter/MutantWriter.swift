import SwiftOperators
import SwiftParser
import SwiftSyntax

/// All mutants of some source files that a parser can tell, without types.
///
/// Some of them do not compile: the build takes out those that the compiler names.
package struct MutantWriter {
  /// A file and its path from the root of the package.
  package struct Source: Sendable {
    package let path: String
    package let text: String

    package init(path: String, text: String) {
      self.path = path
      self.text = text
    }
  }

  private let trees: [(source: Source, tree: SourceFileSyntax)]
  private let signatures: SignatureIndex

  /// Parses files, which are compiled as one module or use each other.
  package init(_ sources: [Source]) {
    let trees = sources.map { ($0, Self.folded($0.text)) }
    self.trees = trees
    signatures = SignatureIndex(trees.map(\.1))
  }

  /// The mutants of all files, in the order of files and places.
  package var mutants: [SourceMutant] {
    trees.flatMap { source, tree in
      let visitor = MutantVisitor(source, tree, signatures)
      visitor.walk(tree)
      return visitor.mutants.enumerated()
        .sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
        .map(\.element)
    }
  }

  /// A tree in which `a + b * c` is two operations.
  ///
  /// Operators that Swift does not have, or that make no sense together, stay as they are.
  private static func folded(_ text: String) -> SourceFileSyntax {
    let tree = Parser.parse(source: text)
    let folded = OperatorTable.standardOperators.foldAll(tree) { _ in }
    return folded.as(SourceFileSyntax.self) ?? tree
  }
}
