import Campaigns
import CodingLaws
import Foundation
import FoundationCoders
import ModelLaws
import Mutants
import PropertyEngine
import StoreSubjects
import TestSupport
import Testing
import Texts

/// What the articles say of the catalogues.
@Suite("Generated parts of the articles", .serialized)
struct CatalogueTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private func check(_ name: String, in path: String, _ body: String) throws {
    try expectGenerated(name, in: path, below: Self.root, body)
  }

  private func row(_ name: String, _ text: String, _ more: String...) -> [String] {
    ["`\(name)`", text] + more
  }

  @Test("Every law of the catalogues has a title of few words that ends as a sentence does")
  func titles() {
    for law in Catalogue.all.flatMap(\.laws) + modelLaws {
      let words = law.title.split(separator: " ").count
      #expect(words <= LawStatement.titleWordLimit, "\(law.name): \(law.title)")
      #expect(law.title.hasSuffix(".") && law.title.first?.isLowercase != true, "\(law.name)")
    }
  }

  private let modelLaws = ModelLaw.all + DriftLaw.all + MergeLaw.all

  @Test("Laws of documents are listed with their sources")
  func documents() throws {
    let rows = Catalogue.documents.laws.map { row($0.name, $0.text, $0.source.description) }
    try check("laws of documents", in: "Documentation/Laws.md", Self.table(rows, "source"))
  }

  @Test(
    "Laws that bugs in the source prove are listed with a bug that each catches alone",
    arguments: [
      (Catalogue.storedBytes, SourcePatch.Target.engine), (Catalogue.publicCalls, .document),
    ]
  )
  func patched(_ catalogue: Catalogue, _ target: SourcePatch.Target) throws {
    let rows = catalogue.laws.map { law in
      let bug = sourcePatches.first { $0.law == law.name && $0.target == target }
      return row(law.name, law.text, bug.map { "`\($0.id)`" } ?? "", law.source.description)
    }
    try check(
      catalogue.pluralNoun,
      in: "Documentation/Laws.md",
      Self.table(rows, "bug", "source")
    )
  }

  @Test("Every law of public calls has a bug in the source that it catches alone")
  func proved() {
    let proved = Set(sourcePatches.filter { $0.target == .document }.map(\.law))
    for law in Catalogue.publicCalls.laws { #expect(proved.contains(law.name), "\(law.name)") }
  }

  @Test("Laws of every other catalogue are listed with a mutant that each catches alone")
  func others() throws {
    for catalogue in Catalogue.all where catalogue.mutants.contains(where: { !$0.laws.isEmpty }) {
      let rows = catalogue.laws.map { law in
        let mutant = catalogue.mutants.first { $0.laws.contains(law.name) }
        return row(law.name, law.text, "`\(mutant?.id.description ?? "")`", law.source.description)
      }
      let table = Self.table(rows, "catches", "source")
      try check(catalogue.pluralNoun, in: "Documentation/Laws.md", table)
    }
  }

  @Test("Laws of users' own types are listed with what to do about a violation")
  func models() throws {
    let rows = modelLaws.map { row($0.name, $0.text, $0.advice ?? "", $0.source.description) }
    try check("laws of models", in: "Documentation/Laws.md", Self.table(rows, "advice", "source"))
  }

  @Test("Columns are listed with the files that read and write them")
  func columns() throws {
    let folder = Self.root.appendingPathComponent("Sources/MergeEngine")
    func text(_ path: String) throws -> String {
      try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
    }
    let names = try text("Columns/ColumnNames.swift")
    let files = [
      "Changes/DecodedChange.swift", "Changes/DecodedChange+SingleOp.swift",
      "Document/DocumentReader.swift", "Document/DocumentReader+Rows.swift",
      "Changes/ChangeEncoder.swift", "Store/Core+Save.swift",
    ]
    let sources = try files.map { (path: $0, text: try text($0)) }
    var rows: [[String]] = []
    for (kind, part) in [("op", "enum OpColumn"), ("change", "enum ChangeColumn")] {
      let declaration = try #require(names.components(separatedBy: part).last)
      let cases = declaration.components(separatedBy: "\n}")[0]
        .matches(of: /case (\w+) = (0x\w+)/)
      for match in cases {
        let name = String(match.1)
        let users = sources.filter { source in
          // Ops stand in changes and documents, changes in documents alone.
          let isOfKind =
            kind == "op" || source.path.hasPrefix("Document/DocumentReader.swift")
            || source.path.hasPrefix("Store/")
          let column = kind == "op" ? "OpColumn" : "ChangeColumn"
          let short = source.path.hasPrefix("Store/") ? column : "(?:\(column))?"
          // No `\b`: a point between letters is no boundary of words, so that `name.rawValue` has none.
          let pattern = try? Regex("\(short)\\.\(name)(?!\\w)")
          return isOfKind && pattern.map { source.text.contains($0) } == true
        }.map { $0.path }
        func listed(_ isReader: Bool) -> String {
          users.filter { ($0.contains("Decoded") || $0.contains("Reader")) == isReader }
            .map { "`\($0)`" }.joined(separator: ", ")
        }
        #expect(!listed(true).isEmpty && !listed(false).isEmpty, "\(kind) \(name)")
        rows.append(["`\(name)`", String(match.2), kind, listed(true), listed(false)])
      }
    }
    #expect(rows.count == 28)
    try check(
      "columns",
      in: "Documentation/Engine.md",
      markdownTable(["column", "spec", "rows of", "read by", "written by"], rows)
    )
  }

  @Test("What Foundation's coders can be asked is counted")
  func foundation() throws {
    func count(_ coder: FoundationCoder) -> Int {
      CodingLaw.all.count { $0.needs.isSubset(of: coder.features) }
    }
    try check(
      "foundation",
      in: "Documentation/Laws.md",
      """
      Foundation's coders write no documents: of the \(CodingLaw.all.count) laws \(count(.json)) speak of its
      JSON coder, and \(count(.propertyList)) of that of property lists.
      """
    )
  }

  @Test("Mutants and bugs are counted")
  func mutants() throws {
    let topics = naiveMutantsByTopic.map { [$0.topic, "\($0.mutants.count)"] }
    try check(
      "mutants by topic",
      in: "Documentation/SelfTest.md",
      markdownTable(["topic", "mutants"], topics + [["all", "\(naiveMutants.count)"]])
    )
    let targets = SourcePatch.Target.allCases.compactMap { target -> [String]? in
      let count = sourcePatches.count { $0.target == target }
      let part = target == .tight ? "engine with the smallest sizes" : target.rawValue
      return count == 0 ? nil : ["source patches of the \(part)", "\(count)"]
    }
    let kinds = [
      ("specifications of documents", naiveMutants.count),
      ("specifications that end their process", deadlyMutants.count),
      ("coders", coderMutants.count),
      ("coders of records and their servers", recordMutants.count),
      ("stores", StoreDefect.allCases.count),
    ]
    let wrong = kinds.reduce(0) { $0 + $1.1 }
    #expect(wrong == SubjectRegistry.mutants.count + deadlyMutants.count, "a catalogue is missing")
    try check(
      "mutants",
      in: "Documentation/SelfTest.md",
      markdownTable(
        ["wrong on purpose", "number"],
        kinds.map { [$0, "\($1)"] } + targets + [
          ["all, as `touchstone list mutants` names them", "\(wrong + sourcePatches.count)"]
        ]
      )
    )
    #expect(Catalogue.all.count == 6, "the sentence names every catalogue")
    try check(
      "counts",
      in: "README.md",
      """
      Today: \(Catalogue.documents.laws.count) laws of documents, \
      \(Catalogue.storedBytes.laws.count) of stored bytes, \(Catalogue.publicCalls.laws.count) of public calls, \
      \(Catalogue.coders.laws.count) of coders, \(Catalogue.records.laws.count) of records and \
      \(Catalogue.stores.laws.count) of stores; \(wrong) wrong
      specifications, coders, servers and stores, and \(sourcePatches.count) bugs in the source of engine, document, coders, records and store.
      """
    )
  }

  @Test("The article says of each law of documents why it matters")
  func reasons() throws {
    let file = Self.root.appendingPathComponent("Documentation/Laws.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let part = try #require(text.components(separatedBy: "| why it matters |").last)
    let rows = part.split(separator: "\n\n")[0].matches(of: /\n\| `([^`]+)` \| [^|]+ \|/)
    #expect(rows.map { String($0.output.1) } == Catalogue.documents.laws.map(\.name))
  }

  private static func table(_ rows: [[String]], _ titles: String...) -> String {
    markdownTable(["law", "what it demands"] + titles, rows)
  }
}
