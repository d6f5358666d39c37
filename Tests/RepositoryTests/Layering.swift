/// Which module may import which: the table of `Package.swift` against the imports of the sources.
struct Layering {
  /// One Swift file: which module or test target it belongs to, and what it imports.
  struct File {
    let path: String
    let target: String
    let imports: [Import]
  }

  /// Part of the language: free to import.
  static let language: Set = ["Swift", "_Concurrency", "_StringProcessing"]
  /// Modules of Foundation and of operating systems: only where the row says `foundation: true`.
  static let system: Set = [
    "CloudKit", "Combine", "CoreGraphics", "CoreLocation", "CoreTransferable", "CryptoKit",
    "Darwin", "Dispatch", "Foundation", "FoundationEssentials", "FoundationNetworking",
    "FoundationXML", "Glibc", "Musl",
    "Observation", "SwiftUI", "Synchronization", "UniformTypeIdentifiers", "os",
  ]
  /// Frameworks that fail where tests are not run: only for the modules that users' tests import.
  static let testing: Set = ["Testing", "XCTest"]
  static let testingModules = ["Touchstone", "TouchstoneEngines"]

  /// Implementations, which no catalogue of laws may see, not even through another module.
  static let implementations: Set = [
    "AutomergeDocument", "DocumentCoding", "ForeignSubjects", "LocalStore", "MergeEngine",
    "Mutants", "NaiveModel", "RecordCoding", "Subjects",
  ]
  /// Engine and naive model: an oracle that shares code shares bugs, so one module alone sees both.
  static let apart = ["MergeEngine", "NaiveModel"]
  static let joining = "Subjects"
  /// Modules made of another's sources by symbolic links, which are files here: what they declare is
  /// imported there.
  static let linked: Set = ["TightEngine", "TightSubjects"]
  /// Imports that a module's sources have for the other module that is made of them, behind `#if`.
  static let unbuilt = [
    "RecordCloudKit": "CloudKitStandIn", "Subjects": "TightEngine", "TightSubjects": "MergeEngine",
  ]

  let table: ManifestTable
  let files: [File]

  init(_ repository: Repository) throws {
    table = try ManifestTable(repository.text(at: "Package.swift"))
    files = try repository.paths.compactMap { path in
      let parts = path.split(separator: "/")
      guard parts.count > 2, ["Sources", "Tests"].contains(parts[0]), path.hasSuffix(".swift"),
        // What a catalogue of documentation shows is code of its readers.
        !path.contains(".docc/")
      else { return nil }
      let tokens = swiftTokens(of: try repository.text(at: path))
      return File(path: path, target: String(parts[1]), imports: imports(in: tokens))
    }
  }

  /// Everything that is wrong, in the order of the table and then of the files.
  var breaches: [Breach] {
    tableBreaches + importBreaches + unusedBreaches + testBreaches
  }

  /// Rows that break a rule by themselves.
  var tableBreaches: [Breach] {
    table.modules.indices.flatMap { index in
      let module = table.modules[index]
      func breach(_ message: String) -> Breach {
        Breach("Package.swift", line: module.line, "\(module.name) \(message)")
      }
      var found: [Breach] = []
      if table.modules[..<index].contains(where: { $0.name == module.name }) {
        found.append(breach("has two rows"))
      }
      for name in module.dependencies {
        guard let other = table.module(name) else {
          found.append(breach("depends on \(name), which is no module"))
          continue
        }
        if other.tier >= module.tier {
          found.append(
            breach("of tier \(module.tier) depends on \(name) of tier \(other.tier), not lower")
          )
        }
        if other.usesFoundation, !module.usesFoundation {
          found.append(breach("is without Foundation, but depends on \(name), which is not"))
        }
      }
      let reach = reach(of: module.name)
      if module.name.hasSuffix("Laws") {
        for name in reach.intersection(Self.implementations).sorted() {
          found.append(breach("is a catalogue of laws, but reaches the implementation \(name)"))
        }
      }
      if module.dependencies.filter(Self.apart.contains).count > 1, module.name != Self.joining {
        found.append(breach("sees engine and naive model together; only \(Self.joining) may"))
      }
      return found
    }
  }

  /// Imports of `Sources` that the row of their module does not allow.
  var importBreaches: [Breach] {
    files.filter { $0.path.hasPrefix("Sources/") }.flatMap { file in
      guard let module = table.module(file.target) else {
        return [Breach(file.path, "its folder is no module of the table")]
      }
      return file.imports.compactMap { found in
        objection(to: found.module, in: module).map {
          Breach(file.path, line: found.line, "\(module.name) imports \(found.module), \($0)")
        }
      }
    }
  }

  private func objection(to name: String, in module: ManifestTable.Module) -> String? {
    if Self.language.contains(name) || module.products.contains(name) { return nil }
    if Self.unbuilt[module.name] == name { return nil }
    if Self.testing.contains(name) {
      return Self.testingModules.contains(module.name)
        ? nil : "which only \(Self.testingModules.joined(separator: " and ")) may"
    }
    if Self.system.contains(name) {
      return module.usesFoundation ? nil : "but its row says that it is without Foundation"
    }
    guard let other = table.module(name) else {
      return "which is neither in the table nor a product of its row nor a known system module"
    }
    if other.tier >= module.tier {
      return "which is of tier \(other.tier), not lower than \(module.tier)"
    }
    return module.dependencies.contains(name) ? nil : "which its row does not declare"
  }

  /// What a row declares and no file of the module imports.
  var unusedBreaches: [Breach] {
    table.modules.filter { !Self.linked.contains($0.name) }.flatMap { module in
      let used = Set(
        files.filter { $0.path.hasPrefix("Sources/\(module.name)/") }
          .flatMap { $0.imports.map(\.module) }
      )
      return (module.dependencies + module.products).filter { !used.contains($0) }.map {
        Breach(
          "Package.swift",
          line: module.line,
          "\(module.name) declares \($0), which none of its files imports"
        )
      }
    }
  }

  /// Test targets whose row and imports of our modules differ.
  var testBreaches: [Breach] {
    table.tests.flatMap { test in
      let ours = files.filter { $0.path.hasPrefix("Tests/\(test.name)/") }
      let undeclared = ours.flatMap { file in
        file.imports.filter {
          table.module($0.module) != nil && !test.dependencies.contains($0.module)
        }
        .map {
          Breach(
            file.path,
            line: $0.line,
            "\(test.name) imports \($0.module), which its row does not declare"
          )
        }
      }
      let used = Set(ours.flatMap { $0.imports.map(\.module) })
      let unused = (test.dependencies + test.products).filter { !used.contains($0) }.map {
        Breach(
          "Package.swift",
          line: test.line,
          "\(test.name) declares \($0), which none of its files imports"
        )
      }
      return undeclared + unused
    }
  }

  /// Every module that `name` depends on, over any number of steps.
  private func reach(of name: String) -> Set<String> {
    var reached: Set<String> = []
    var open = [name]
    while let next = open.popLast() {
      for dependency in table.module(next)?.dependencies ?? []
      where reached.insert(dependency).inserted {
        open.append(dependency)
      }
    }
    return reached
  }
}
