/// The tables of `Package.swift`: its modules with their tiers, and its test targets.
///
/// Read from the source text, as tiers are not in what SwiftPM dumps. Anything in a table that is
/// not a row of the known form is an error: a row that was skipped would be a module that no test
/// holds to its tier.
struct ManifestTable {
  /// One module and what it may import.
  struct Module: Equatable {
    let tier: Int
    let name: String
    let usesFoundation: Bool
    /// Modules of this package.
    let dependencies: [String]
    /// Products of other packages.
    let products: [String]
    /// Of the row in `Package.swift`.
    let line: Int
  }

  /// A test target and the modules it may import.
  struct Test: Equatable {
    let name: String
    let dependencies: [String]
    let products: [String]
    let line: Int
  }

  /// A table that is missing, or a place in it that is of no known form.
  struct Unreadable: Error, CustomStringConvertible {
    let line: Int
    let expected: String
    let found: String

    var description: String {
      "Package.swift:\(line): the table of modules cannot be read: "
        + "expected \(expected), found \(found)"
    }
  }

  /// In the order of the table; after them the system libraries, which stand at tier 0.
  let modules: [Module]
  let tests: [Test]
  /// Folders that a target names with `path:` instead of standing where SwiftPM looks.
  let paths: [String]

  /// Reads the manifest.
  ///
  /// - Rows such as `Module(2, "NaiveModel", foundation: false, ["DocumentModel"])` from
  ///   `let modules`;
  /// - rows such as `("NaiveModelTests", ["NaiveModel"])` from `let tests`;
  /// - each `.systemLibrary(name: "CZlib", ...)`, but for those of benchmarks, which have a path.
  init(_ source: String) throws(Unreadable) {
    let tokens = swiftTokens(of: source)
    var reader = Reader(tokens: tokens)
    try reader.findTable("modules")
    var modules = try reader.takeList(Self.module)
    try reader.endTable()
    reader = Reader(tokens: tokens)
    try reader.findTable("tests")
    tests = try reader.takeList(Self.test)
    try reader.endTable()
    for index in tokens.indices where tokens[index].word == "systemLibrary" {
      reader = Reader(tokens: tokens, index: index)
      let line = tokens[index].line
      let arguments = try reader.takeCall("systemLibrary")
      guard let name = arguments["name"] else {
        throw Unreadable(line: line, expected: "a name", found: "none")
      }
      if arguments["path"] == nil { modules.append(Module(system: name, line: line)) }
    }
    self.modules = modules
    paths = tokens.indices.dropLast(2).compactMap {
      tokens[$0].word == "path" && tokens[$0 + 1].isSign(":") ? tokens[$0 + 2].string : nil
    }
  }

  func module(_ name: String) -> Module? {
    modules.first { $0.name == name }
  }

  private static func module(_ reader: inout Reader) throws(Unreadable) -> Module {
    let line = reader.line
    try reader.take(word: "Module")
    try reader.take("(")
    let tier = try reader.takeNumber()
    try reader.take(",")
    let name = try reader.takeString()
    var usesFoundation = false
    var uses = Uses()
    while try reader.goesOn(until: ")") {
      guard let label = try reader.takeLabel() else {
        uses.modules += try reader.takeList { reader throws(Unreadable) in try reader.takeString() }
        continue
      }
      switch label {
      case "foundation": usesFoundation = try reader.takeBoolean()
      case "products": try uses.add(reader.takeList(Self.product))
      case "kind", "type": try reader.takeCase()
      default: throw reader.unexpected("foundation, products, kind or type", found: label)
      }
    }
    return Module(
      tier: tier,
      name: name,
      usesFoundation: usesFoundation,
      dependencies: uses.modules,
      products: uses.products,
      line: line
    )
  }

  private static func test(_ reader: inout Reader) throws(Unreadable) -> Test {
    let line = reader.line
    try reader.take("(")
    try reader.skip(label: "name")
    let name = try reader.takeString()
    var uses = Uses()
    while try reader.goesOn(until: ")") {
      switch try reader.takeLabel() {
      case nil, "dependencies":
        uses.modules += try reader.takeList { reader throws(Unreadable) in try reader.takeString() }
      case "products": try uses.add(reader.takeList(Self.product))
      case let label?: throw reader.unexpected("dependencies or products", found: label)
      }
    }
    return Test(name: name, dependencies: uses.modules, products: uses.products, line: line)
  }

  /// Reads `.product(name: "Crypto", package: ...)` or `.target(name: "CJSONC", condition: ...)`.
  private static func product(_ reader: inout Reader) throws(Unreadable) -> Use {
    if reader.string != nil { return .product(try reader.takeString()) }
    try reader.take(".")
    let isProduct = reader.word == "product"
    let arguments = try reader.takeCall(isProduct ? "product" : "target")
    guard let name = arguments["name"] else { throw reader.unexpected("a name") }
    return isProduct ? .product(name) : .module(name)
  }

  private enum Use {
    case module(String)
    case product(String)
  }

  private struct Uses {
    var modules: [String] = []
    var products: [String] = []

    mutating func add(_ uses: [Use]) {
      for use in uses {
        switch use {
        case .module(let name): modules.append(name)
        case .product(let name): products.append(name)
        }
      }
    }
  }
}

extension ManifestTable.Module {
  fileprivate init(system name: String, line: Int) {
    self.init(
      tier: 0,
      name: name,
      usesFoundation: false,
      dependencies: [],
      products: [],
      line: line
    )
  }
}
