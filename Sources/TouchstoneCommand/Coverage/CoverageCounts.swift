import Foundation
import Mutants
import Reporting

/// Regions of source files, and which of them were entered.
struct CoverageCounts {
  /// A region as the compiler marks it: from one place of a file to another.
  struct Region: Hashable {
    /// Path from the root of the package.
    let file: String
    let start: Place
    let end: Place
  }

  /// Line and column, from 1.
  struct Place: Hashable, Comparable {
    let line: Int
    let column: Int

    static func < (one: Place, other: Place) -> Bool {
      (one.line, one.column) < (other.line, other.column)
    }
  }

  /// Whether each region was entered.
  private(set) var isEntered: [Region: Bool] = [:]
  /// The folder of each module, by the module's name; `nil` where each folder of `Sources` is one.
  private let folders: [String: String]?

  /// Reads what `llvm-cov export` writes.
  ///
  /// A generic function stands there once for each of its instances, and a module that is made of another's
  /// sources once more: a region counts as entered if it was in one of them.
  ///
  /// - Parameters:
  ///   - export: Its JSON.
  ///   - root: The package; files elsewhere are left out.
  ///   - modules: The folder of each module from the root, by the module's name; `nil` where each folder of `Sources`
  ///     is one.
  ///
  /// - Throws: ``CoverageError/unreadable(_:)``.
  init(_ export: Data, root: URL, modules: [String: String]? = nil) throws {
    folders = modules
    let read: Export
    do { read = try JSONDecoder().decode(Export.self, from: export) } catch {
      throw CoverageError.unreadable("\(error)")
    }
    let home = root.resolvingSymlinksInPath().path + "/"
    var paths: [String: String?] = [:]
    for function in read.data.flatMap(\.functions) {
      let files = function.filenames.map { name in
        if let known = paths[name] { return known }
        let path = URL(fileURLWithPath: name).resolvingSymlinksInPath().path
        let found = path.hasPrefix(home) ? String(path.dropFirst(home.count)) : nil
        paths[name] = .some(found)
        return found
      }
      for region in function.regions {
        try add(region, files)
      }
    }
  }

  /// The parts of the format, version 2.0.1 and later, that are read.
  private struct Export: Decodable {
    let data: [Part]

    struct Part: Decodable { let functions: [Function] }

    struct Function: Decodable {
      let filenames: [String]
      /// Each: first line and column, last line and column, count, number of the file, of the expanded file,
      /// kind.
      let regions: [[UInt64]]
    }
  }

  /// The kind of a region of code; others are gaps between statements, expansions and branches.
  private static let codeKind: UInt64 = 0

  private mutating func add(_ numbers: [UInt64], _ files: [String?]) throws {
    guard numbers.count >= 8, let fileNumber = Int(exactly: numbers[5]),
      files.indices.contains(fileNumber), numbers[..<4].allSatisfy({ $0 <= UInt64(Int32.max) })
    else { throw CoverageError.unreadable("a region of \(numbers.count) numbers") }
    guard numbers[7] == Self.codeKind, let file = files[fileNumber] else { return }
    let region = Region(
      file: file,
      start: Place(line: Int(numbers[0]), column: Int(numbers[1])),
      end: Place(line: Int(numbers[2]), column: Int(numbers[3]))
    )
    isEntered[region] = (isEntered[region] ?? false) || numbers[4] > 0
  }

  /// The module of a file; `nil` for a file of none.
  private func module(of file: String) -> String? {
    guard let folders else {
      return file.hasPrefix("Sources/") ? SourcePath(file).module : nil
    }
    // One module's folder may lie in another's.
    return folders.filter { file.hasPrefix($0.value + "/") }
      .max { $0.value.utf8.count < $1.value.utf8.count }?.key
  }

  /// Modules of the package that have regions, by name.
  var moduleNames: [String] {
    Set(Set(isEntered.keys.map(\.file)).compactMap { module(of: $0) }).sorted()
  }

  /// How much of each module was entered.
  func modules(_ names: [String]) -> [Report.CoveredModule] {
    let byModule = Dictionary(grouping: isEntered) { module(of: $0.key.file) }
    return names.map { name in
      let own = byModule[name] ?? []
      return Report.CoveredModule(
        name: name,
        regions: own.count,
        entered: own.count { $0.value }
      )
    }
  }

  /// Regions that were not entered and lie within no other such region, each with the number of those that it
  /// holds, itself one of them; by file and line.
  func gaps(_ modules: [String]) -> [(region: Region, count: Int)] {
    let missed = isEntered.filter { region, isEntered in
      !isEntered && module(of: region.file).map { modules.contains($0) } ?? false
    }
    // What holds others stands in front of them.
    let sorted = missed.keys.sorted {
      ($0.file, $0.start, $1.end) < ($1.file, $1.start, $0.end)
    }
    var result: [(region: Region, count: Int)] = []
    for region in sorted {
      if let last = result.last?.region, last.file == region.file, region.end <= last.end {
        result[result.count - 1].count += 1
      } else {
        result.append((region, 1))
      }
    }
    return result
  }
}
