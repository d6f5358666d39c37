import Foundation
import MutantWriter

/// `touchstone-mutants ROOT OUTPUT FOLDER...`: writes the mutants of all Swift files below folders of
/// a package as JSON, a list of `SourceMutant`.
@main
enum MutantList {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count >= 3 else {
      complain("usage: touchstone-mutants ROOT OUTPUT FOLDER...")
      exit(64)
    }
    let root = URL(fileURLWithPath: arguments[1])
    do {
      let mutants = MutantWriter(try sources(below: arguments.dropFirst(2), root)).mutants
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      try encoder.encode(mutants).write(to: URL(fileURLWithPath: arguments[2]))
      print("\(mutants.count) mutants")
    } catch {
      complain("touchstone-mutants: \(error)")
      exit(2)
    }
  }

  private static func sources(
    below folders: some Sequence<String>,
    _ root: URL
  ) throws -> [MutantWriter.Source] {
    try folders.flatMap { folder in
      let paths = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
      let names = (paths?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".swift") }
      return try names.sorted().map { name in
        let path = "\(folder)/\(name)"
        let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
        return MutantWriter.Source(path: path, text: text)
      }
    }
  }

  private static func complain(_ words: String) {
    FileHandle.standardError.write(Data("\(words)\n".utf8))
  }
}
