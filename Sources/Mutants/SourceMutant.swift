/// A bug that a program wrote: one place of a source file, changed by an operator.
///
/// `Mutation/` writes all that there are for a file; the self-test draws a sample of them. The file
/// stands in that package, too, by a symbolic link.
package struct SourceMutant: Codable, Hashable, Sendable {
  /// What is changed, and how; `Mutation/README.md` lists them.
  package enum Operator: String, Codable, CaseIterable, Hashable, Sendable {
    /// A wrong answer to a question: `<` for `>`.
    case comparison
    /// One more or one less belongs: `<=` for `<`.
    case boundary
    case arithmetic
    case logic
    case condition
    case skip
    case dropped
    case swapped
    case constant
    /// Leaves before the end of a block.
    case early
  }

  /// Path from the root of the package.
  package let file: String
  /// Of the place, from 1; columns count UTF-8 bytes.
  package let line: Int
  package let column: Int
  package let `operator`: Operator
  package let form: PatchedChoice.Form
  /// UTF-8 offset of the right text, and its length.
  package let offset: Int
  package let length: Int
  /// The right text, and what stands in its place.
  package let right: String
  package let wrong: String
  /// The line of the source, without the spaces around it.
  package let sourceLine: String
  /// UTF-8 offset and length of the function around the place, or of the place itself.
  package let scopeOffset: Int
  package let scopeLength: Int

  package init(
    file: String,
    line: Int,
    column: Int,
    operator: Operator,
    form: PatchedChoice.Form,
    offset: Int,
    right: String,
    wrong: String,
    sourceLine: String,
    scope: Range<Int>
  ) {
    self.file = file
    self.line = line
    self.column = column
    self.operator = `operator`
    self.form = form
    self.offset = offset
    length = right.utf8.count
    self.right = right
    self.wrong = wrong
    self.sourceLine = sourceLine
    scopeOffset = scope.lowerBound
    scopeLength = scope.count
  }

  /// Names it as long as the file stays as it is: `MergeEngine/OpID.swift:12:7:boundary`.
  package var id: String {
    "\(SourcePath(file).withinSources):\(line):\(column):\(`operator`.rawValue)"
  }

  /// The module whose source it changes.
  package var module: String { SourcePath(file).module }

  package var scope: Range<Int> { scopeOffset..<(scopeOffset + scopeLength) }

  /// The change, on one line: `a < b -> a <= b`.
  package var change: String {
    switch form {
    case .insertion: "\(Self.oneLine(wrong)) in front of `\(sourceLine)`"
    case .statements where wrong.isEmpty: "without \(Self.oneLine(right))"
    case .statements, .expression: "\(Self.oneLine(right)) -> \(Self.oneLine(wrong))"
    }
  }

  /// What names it when lines have moved.
  package var key: Key {
    Key(file: file, operator: `operator`, line: sourceLine, change: change)
  }

  /// A mutant by its text, and not by its place.
  package struct Key: Hashable, Sendable {
    package let file: String
    package let `operator`: Operator
    package let line: String
    package let change: String

    package init(file: String, operator: Operator, line: String, change: String) {
      self.file = file
      self.operator = `operator`
      self.line = line
      self.change = change
    }
  }

  /// The mutant as a choice of the patched program.
  package func choice(number: UInt64) -> PatchedChoice {
    PatchedChoice(number: number, form: form, range: offset..<(offset + length), wrong: wrong)
  }

  private static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}

/// The path of a file of a module, from the root of the package.
///
///     Sources/MergeEngine/Changes/History.swift
package struct SourcePath: Hashable, Sendable {
  private static let folder = "Sources/"

  /// The path from the folder of all modules: `MergeEngine/Changes/History.swift`.
  package let withinSources: String

  /// A path that lies elsewhere is taken as it is.
  package init(_ path: String) {
    withinSources =
      path.hasPrefix(Self.folder) ? String(path.dropFirst(Self.folder.count)) : path
  }

  package var module: String { String(withinSources.prefix { $0 != "/" }) }

  /// The folder of the file's module, from the root of the package.
  package var moduleFolder: String { Self.folder(ofModule: module) }

  /// The folder of a module, from the root of the package.
  package static func folder(ofModule module: String) -> String { folder + module }
}
