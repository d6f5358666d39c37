/// Where the statement of a law comes from: places that a reader can open.
///
/// Several places are written as an array: `[.specification(.codable, "Dates"), .decision(8)]`. A
/// test of the repository resolves what lies in it: the file and the heading of a specification,
/// the file of a decision, the folder of fixtures. Its description is what reports show.
package struct LawSource: Hashable, Sendable {
  /// One place.
  package enum Place: Hashable, Sendable {
    /// Headings of a specification in `Documentation/Specification`.
    case specification(Specification, headings: [String])
    /// An item of the numbered list below a heading of a specification, counted from 1.
    case item(Specification, heading: String, number: Int)
    /// A heading of another file below `Documentation`.
    case document(file: String, heading: String)
    /// A file of `Documentation/Decisions`, by its number.
    case decision(Int)
    /// Files below `fixtures`.
    case fixtures(String)
    /// A standard, and the section of it; no section means the whole.
    case standard(String, section: String?)
    /// Authors, title and year, and the section of it.
    case paper(String, section: String?)
    /// Issues or pull requests of another project.
    case issue(project: String, numbers: [Int])
  }

  /// The documents in `Documentation/Specification`; the raw value is the file's name.
  package enum Specification: String, CaseIterable, Sendable {
    case format = "Format.md"
    case semantics = "Semantics.md"
    case codable = "Codable.md"
  }

  /// In the order in which they were written; never empty.
  package let places: [Place]

  private init(_ place: Place) { places = [place] }
}

extension LawSource {
  /// Headings of a specification.
  package static func specification(_ file: Specification, _ headings: String...) -> LawSource {
    LawSource(.specification(file, headings: headings))
  }

  /// An item of the numbered list below a heading, counted from 1.
  package static func specification(
    _ file: Specification,
    _ heading: String,
    item number: Int
  ) -> LawSource {
    LawSource(.item(file, heading: heading, number: number))
  }

  /// A heading of another file below `Documentation`: `.document("Engine.md", "The op store")`.
  package static func document(_ file: String, _ heading: String) -> LawSource {
    LawSource(.document(file: file, heading: heading))
  }

  /// `Documentation/Decisions/000N-....md`.
  package static func decision(_ number: Int) -> LawSource { LawSource(.decision(number)) }

  /// Files below `fixtures`.
  package static func fixtures(_ path: String) -> LawSource { LawSource(.fixtures(path)) }

  /// A standard: `.standard("RFC 8259", "4")`.
  package static func standard(_ name: String, _ section: String? = nil) -> LawSource {
    LawSource(.standard(name, section: section))
  }

  /// A paper: authors, title and year.
  package static func paper(_ citation: String, _ section: String? = nil) -> LawSource {
    LawSource(.paper(citation, section: section))
  }

  /// Issues or pull requests of another project: `.issue("automerge-swift", 54)`.
  package static func issue(_ project: String, _ numbers: Int...) -> LawSource {
    LawSource(.issue(project: project, numbers: numbers))
  }
}

extension LawSource: ExpressibleByArrayLiteral {
  /// All places of several sources.
  ///
  /// - Precondition: there is at least one, since a law without a source is an opinion.
  package init(arrayLiteral sources: LawSource...) {
    precondition(!sources.isEmpty, "a law needs a source, and has \(sources.count)")
    places = sources.flatMap(\.places)
  }
}

extension LawSource: CustomStringConvertible {
  package var description: String { places.map(\.description).joined(separator: "; ") }
}

extension LawSource.Place: CustomStringConvertible {
  package var description: String {
    switch self {
    case .specification(let file, let headings):
      (["Specification/\(file.rawValue)"] + headings.map { "\"\($0)\"" }).joined(separator: ", ")
    case .item(let file, let heading, let number):
      "Specification/\(file.rawValue), \"\(heading)\", item \(number)"
    case .document(let file, let heading): "\(file), \"\(heading)\""
    case .decision(let number): "decision \(number)"
    case .fixtures(let path): "fixtures/\(path)"
    case .standard(let name, let section), .paper(let name, let section):
      section.map { "\(name), section \($0)" } ?? name
    case .issue(let project, let numbers):
      "\(project) \(numbers.map { "#\($0)" }.joined(separator: ", "))"
    }
  }
}
