// swift-tools-version: 6.2
import Foundation
import PackageDescription

// long: the table of all modules, with what each imports and what its tests use, is one.

/// One module of the package: its place in the tiers, and what it may use.
///
/// A module imports modules of a lower tier only. `Tests/RepositoryTests` reads this table and
/// compares it with every `import` under `Sources`, so that the table stays true.
struct Module {
  /// Height in the stack; imports point to lower numbers.
  let tier: Int
  let name: String
  /// Whether the module's own files may import Foundation.
  let usesFoundation: Bool
  /// Modules of this package.
  let dependencies: [String]
  /// Products of other packages.
  let products: [Target.Dependency]
  let kind: Kind

  enum Kind {
    case library
    case executable
  }

  init(
    _ tier: Int,
    _ name: String,
    foundation usesFoundation: Bool = false,
    _ dependencies: [String] = [],
    products: [Target.Dependency] = [],
    kind: Kind = .library
  ) {
    self.tier = tier
    self.name = name
    self.usesFoundation = usesFoundation
    self.dependencies = dependencies
    self.products = products
    self.kind = kind
  }
}

/// Where SHA-256 comes from.
///
/// Apple's systems have CryptoKit. On Linux it is the system's libcrypto where its header is installed:
/// swift-crypto brings BoringSSL, which takes two thirds of a first build's time.
/// `TOUCHSTONE_SWIFT_CRYPTO=1` asks for swift-crypto all the same, as a build for another system than
/// this one must.
enum HashLibrary {
  case cryptoKit
  case libCrypto
  case swiftCrypto

  var dependencies: [Package.Dependency] {
    self == .swiftCrypto
      ? [.package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2")] : []
  }

  /// What a module of the table uses of the libraries that it may use.
  func dependencies(of module: Module) -> [Target.Dependency] {
    let names = module.dependencies.filter { $0 != "CLibCrypto" || self == .libCrypto }
    let products = module.products.filter {
      if case .productItem("Crypto", _, _, _) = $0 { self == .swiftCrypto } else { true }
    }
    return names.map { .target(name: $0) } + products
  }
}

let sha256: HashLibrary = {
  if let asked = Context.environment["TOUCHSTONE_SWIFT_CRYPTO"], !asked.isEmpty {
    return .swiftCrypto
  }
  #if os(Linux)
  let folders = ["/usr/include", "/usr/include/x86_64-linux-gnu", "/usr/local/include"]
  let isThere = folders.contains { FileManager.default.fileExists(atPath: "\($0)/openssl/sha.h") }
  return isThere ? .libCrypto : .swiftCrypto
  #else
  return .cryptoKit
  #endif
}()

let modules: [Module] = [
  Module(0, "CodingSupport", foundation: true),
  Module(0, "PropertyEngine"),
  Module(0, "Schedules", foundation: true),
  Module(0, "SystemCalls", foundation: true),
  Module(0, "Texts"),
  Module(1, "DocumentModel", ["PropertyEngine", "Texts"]),
  Module(1, "FileSystems", foundation: true),
  Module(1, "FuzzSessions", foundation: true, ["PropertyEngine", "SystemCalls", "Texts"]),
  Module(
    1,
    "JSONOracle",
    foundation: true,
    ["Texts"],
    products: [.target(name: "CJSONC", condition: .when(traits: ["JSONCOracle"]))]
  ),
  Module(1, "ModelGeneration", foundation: true, ["CodingSupport", "PropertyEngine", "Texts"]),
  Module(1, "Programs", foundation: true, ["SystemCalls"]),
  Module(1, "RecordModel", foundation: true, ["Texts"]),
  Module(1, "PastRuns", ["Texts"]),
  Module(2, "CaseFiles", foundation: true, ["FileSystems", "PropertyEngine"]),
  Module(2, "FaultInjection", foundation: true, ["FileSystems", "PropertyEngine"]),
  Module(2, "LocalStore", foundation: true, ["CZlib", "FileSystems", "Texts"]),
  Module(
    2,
    "MergeEngine",
    foundation: true,
    ["CLibCrypto", "CZlib"],
    // Of libcrypto and swift-crypto one at most: see `HashLibrary`.
    products: [
      .product(name: "Crypto", package: "swift-crypto"),
      .target(name: "CLibDeflate", condition: .when(traits: ["LibDeflate"])),
    ]
  ),
  Module(
    2,
    "TightEngine",
    foundation: true,
    ["CLibCrypto", "CZlib"],
    products: [
      .product(name: "Crypto", package: "swift-crypto"),
      .target(name: "CLibDeflate", condition: .when(traits: ["LibDeflate"])),
    ]
  ),
  Module(2, "ModelZoo", foundation: true, ["ModelGeneration"]),
  Module(2, "NaiveModel", ["DocumentModel", "Texts"]),
  Module(2, "RecordCoding", foundation: true, ["CodingSupport", "RecordModel", "Texts"]),
  Module(2, "Histories", ["DocumentModel", "PropertyEngine", "Texts"]),
  Module(2, "RecordServer", foundation: true, ["RecordModel"]),
  Module(2, "Reporting", ["PastRuns", "PropertyEngine", "Texts"]),
  Module(3, "RecordCloudKit", foundation: true, ["RecordCoding", "RecordModel"]),
  Module(3, "AutomergeBytes", foundation: true, ["MergeEngine"]),
  Module(
    3,
    "AutomergeDocument",
    foundation: true,
    ["MergeEngine", "Texts"],
    products: [.product(name: "Logging", package: "swift-log")]
  ),
  Module(
    3,
    "CodingLaws",
    foundation: true,
    ["CodingSupport", "JSONOracle", "ModelGeneration", "ModelZoo", "PropertyEngine", "Texts"]
  ),
  Module(3, "RunHistories", foundation: true, ["CaseFiles", "LocalStore", "PastRuns", "Programs"]),
  Module(3, "DocumentLaws", ["DocumentModel", "Histories", "PropertyEngine", "Texts"]),
  Module(
    3,
    "StoreLaws",
    foundation: true,
    ["FaultInjection", "FileSystems", "PropertyEngine", "Schedules", "Texts"]
  ),
  Module(
    3,
    "ForeignSubjects",
    foundation: true,
    ["DocumentModel", "Histories", "Programs", "PropertyEngine", "SystemCalls", "Texts"]
  ),
  Module(
    3,
    "ModelLaws",
    foundation: true,
    ["CodingSupport", "ModelGeneration", "PropertyEngine", "Texts"]
  ),
  Module(
    3,
    "RecordLaws",
    foundation: true,
    ["CodingSupport", "ModelGeneration", "ModelZoo", "PropertyEngine", "RecordModel", "Texts"]
  ),
  Module(
    5,
    "StoreSubjects",
    foundation: true,
    [
      "AutomergeDocument", "DocumentStorage", "FileSystems", "LocalStore", "Schedules", "StoreLaws",
      "Texts",
    ]
  ),
  Module(
    4,
    "DocumentCoding",
    foundation: true,
    ["AutomergeDocument", "CodingSupport", "MergeEngine"]
  ),
  Module(
    4,
    "DocumentStorage",
    foundation: true,
    ["AutomergeDocument", "FileSystems", "LocalStore"]
  ),
  Module(4, "FoundationCoders", foundation: true, ["CodingLaws", "ModelGeneration"]),
  Module(
    4,
    "Inspection",
    foundation: true,
    ["DocumentModel", "Histories", "MergeEngine", "Texts"]
  ),
  Module(
    4,
    "NaiveCoder",
    foundation: true,
    ["CodingLaws", "CodingSupport", "DocumentModel", "ModelGeneration", "NaiveModel"]
  ),
  Module(
    4,
    "RecordSubjects",
    foundation: true,
    ["RecordCoding", "RecordLaws", "RecordModel", "RecordServer", "Schedules"]
  ),
  Module(
    5,
    "CoderSubjects",
    foundation: true,
    [
      "AutomergeDocument", "CodingLaws", "CodingSupport", "DocumentCoding", "MergeEngine",
      "ModelGeneration", "ModelZoo", "RecordCoding",
    ],
    products: [.product(name: "Logging", package: "swift-log")]
  ),
  Module(
    5,
    "ReferenceAutomerge",
    foundation: true,
    ["AutomergeDocument", "DocumentCoding"]
  ),
  Module(
    5,
    "Mutants",
    foundation: true,
    [
      "CodingLaws", "DocumentModel", "FoundationCoders", "ModelGeneration", "NaiveCoder",
      "NaiveModel", "RecordCoding", "RecordLaws", "RecordModel", "RecordServer", "RecordSubjects",
      "Texts",
    ]
  ),
  Module(
    5,
    "Subjects",
    foundation: true,
    [
      "AutomergeDocument", "DocumentLaws", "DocumentModel", "Histories", "MergeEngine",
      "NaiveModel", "PropertyEngine", "Texts",
    ],
    products: [.product(name: "Logging", package: "swift-log")]
  ),
  Module(
    5,
    "TightSubjects",
    foundation: true,
    ["DocumentLaws", "DocumentModel", "Histories", "Texts", "TightEngine"]
  ),
  Module(
    5,
    "TouchstoneAdapters",
    foundation: true,
    ["CodingLaws", "CodingSupport", "ModelGeneration"]
  ),
  Module(
    6,
    "Campaigns",
    foundation: true,
    [
      "CaseFiles", "CoderSubjects", "CodingLaws", "CodingSupport", "DocumentLaws", "DocumentModel",
      "FileSystems", "ForeignSubjects", "FoundationCoders", "Histories", "ModelGeneration",
      "ModelLaws", "ModelZoo", "Mutants", "NaiveCoder",
      "PastRuns", "PropertyEngine", "RecordLaws", "RecordSubjects", "Reporting", "StoreLaws",
      "StoreSubjects", "Subjects", "SystemCalls", "Texts",
    ]
  ),
  Module(
    7,
    "FuzzEntryPoints",
    foundation: true,
    [
      "AutomergeDocument", "Campaigns", "CaseFiles", "CoderSubjects", "CodingLaws",
      "DocumentCoding", "DocumentLaws", "DocumentModel", "FileSystems", "ForeignSubjects",
      "FuzzSessions", "Histories", "Inspection", "JSONOracle", "LocalStore", "MergeEngine",
      "ModelGeneration", "PropertyEngine", "Reporting", "Subjects", "Texts",
    ]
  ),
  Module(
    7,
    "SelfTests",
    foundation: true,
    [
      "Campaigns", "CaseFiles", "CoderSubjects", "CodingLaws", "DocumentLaws", "Histories",
      "Mutants", "Programs", "PropertyEngine", "RecordSubjects", "Reporting", "StoreSubjects",
      "Subjects", "SystemCalls", "Texts", "TightSubjects",
    ]
  ),
  Module(
    8,
    "TouchstoneCommand",
    foundation: true,
    [
      "Campaigns", "CaseFiles", "CodingLaws", "DocumentLaws", "DocumentModel", "FileSystems",
      "ForeignSubjects", "FuzzEntryPoints", "FuzzSessions", "Histories", "Inspection",
      "LocalStore", "MergeEngine", "Mutants", "PastRuns", "Programs", "PropertyEngine", "Reporting",
      "RunHistories", "SelfTests", "Subjects", "SystemCalls", "Texts", "TightSubjects",
    ],
    products: [.product(name: "ArgumentParser", package: "swift-argument-parser")],
    kind: .executable
  ),
  Module(
    6,
    "Touchstone",
    foundation: true,
    [
      "CaseFiles", "CoderSubjects", "CodingLaws", "FoundationCoders", "FuzzSessions",
      "ModelGeneration", "ModelLaws", "PastRuns", "PropertyEngine", "RunHistories", "Texts",
    ]
  ),
  Module(
    8,
    "TouchstoneEngines",
    foundation: true,
    [
      "Campaigns", "CodingLaws", "DocumentLaws", "Histories", "Inspection", "PastRuns",
      "PropertyEngine", "Reporting", "StoreLaws", "Texts", "Touchstone",
    ]
  ),
]

/// Libraries of the system: tier 0, no Swift code of ours.
let systemLibraries: [Target] = [
  .systemLibrary(
    name: "CZlib",
    pkgConfig: "zlib",
    providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
  ),
  // Looked up with the trait `JSONCOracle` only.
  .systemLibrary(
    name: "CJSONC",
    pkgConfig: "json-c",
    providers: [.apt(["libjson-c-dev"]), .brew(["json-c"])]
  ),
  // Looked up with the trait `LibDeflate` only.
  .systemLibrary(
    name: "CLibDeflate",
    pkgConfig: "libdeflate",
    providers: [.apt(["libdeflate-dev"]), .brew(["libdeflate"])]
  ),
  // Used on Linux, where its header is installed.
  .systemLibrary(name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
]

/// Test targets and what they import.
let tests: [(name: String, dependencies: [String])] = [
  ("AutomergeBytesTests", ["AutomergeBytes"]),
  (
    "AutomergeDocumentTests", ["AutomergeDocument", "MergeEngine", "PropertyEngine", "TestSupport"]
  ),
  (
    "CampaignsTests",
    [
      "Campaigns", "CaseFiles", "CodingLaws", "DocumentLaws", "DocumentModel", "FaultInjection",
      "FileSystems", "ForeignSubjects", "Histories", "ModelGeneration", "Mutants", "PastRuns",
      "PropertyEngine", "Reporting", "Subjects", "TestSupport", "Texts",
    ]
  ),
  (
    "CodingLawsTests",
    [
      "CodingLaws", "CodingSupport", "FoundationCoders", "JSONOracle", "ModelGeneration",
      "ModelZoo", "Mutants", "NaiveCoder", "PropertyEngine", "TestSupport",
    ]
  ),
  ("CodingSupportTests", ["CodingSupport"]),
  (
    "CorpusTests",
    [
      "Campaigns", "DocumentLaws", "FuzzEntryPoints", "Histories", "PropertyEngine", "TestSupport",
    ]
  ),
  (
    "DocumentationTests",
    [
      "Campaigns", "CodingLaws", "FoundationCoders", "Histories", "ModelLaws", "Mutants",
      "PropertyEngine", "StoreSubjects", "Subjects", "TestSupport", "Texts",
    ]
  ),
  (
    "DocumentCodingTests",
    ["AutomergeDocument", "DocumentCoding", "MergeEngine", "PropertyEngine", "TestSupport"]
  ),
  (
    "DocumentLawsTests",
    [
      "DocumentLaws", "DocumentModel", "Histories", "MergeEngine", "PropertyEngine", "Subjects",
      "TestSupport",
    ]
  ),
  (
    "DocumentStorageTests",
    [
      "AutomergeDocument", "DocumentStorage", "FaultInjection", "FileSystems", "LocalStore",
      "PropertyEngine",
    ]
  ),
  ("DocumentModelTests", ["DocumentModel", "PropertyEngine", "Texts"]),
  ("FaultInjectionTests", ["FaultInjection", "FileSystems", "PropertyEngine"]),
  ("FileSystemsTests", ["FileSystems", "PropertyEngine"]),
  (
    "ForeignSubjectsTests",
    [
      "DocumentLaws", "DocumentModel", "ForeignSubjects", "Histories", "PropertyEngine", "Subjects",
      "TestSupport", "Texts",
    ]
  ),
  (
    "FuzzEntryPointsTests",
    [
      "AutomergeDocument", "CodingLaws", "DocumentLaws", "ForeignSubjects", "FuzzEntryPoints",
      "FuzzSessions", "Histories", "LocalStore", "MergeEngine", "PropertyEngine", "Reporting",
      "TestSupport", "Texts",
    ]
  ),
  ("FuzzSessionsTests", ["FuzzSessions", "PropertyEngine", "TestSupport"]),
  (
    "HistoriesTests",
    [
      "DocumentModel", "Histories", "NaiveModel", "PropertyEngine", "Subjects", "TestSupport",
      "Texts",
    ]
  ),
  (
    "InspectionTests",
    ["Histories", "Inspection", "JSONOracle", "MergeEngine", "PropertyEngine", "Texts"]
  ),
  ("JSONOracleTests", ["JSONOracle", "Texts"]),
  ("LocalStoreTests", ["FaultInjection", "FileSystems", "LocalStore", "PropertyEngine"]),
  ("MergeEngineTests", ["MergeEngine", "TestSupport"]),
  ("MutantsTests", ["DocumentModel", "Mutants", "NaiveModel", "PropertyEngine"]),
  (
    "ModelGenerationTests",
    ["CodingSupport", "ModelGeneration", "ModelZoo", "PropertyEngine", "TestSupport"]
  ),
  (
    "ModelLawsTests",
    ["ModelGeneration", "ModelLaws", "ModelZoo", "PropertyEngine", "TestSupport"]
  ),
  ("NaiveModelTests", ["DocumentModel", "NaiveModel", "PropertyEngine"]),
  ("PastRunsTests", ["PastRuns"]),
  ("ProgramsTests", ["Programs"]),
  ("PropertyEngineTests", ["PropertyEngine", "TestSupport"]),
  ("RecordCloudKitTests", ["CloudKitStandIn", "RecordCoding", "RecordModel"]),
  ("RecordCodingTests", ["RecordCoding", "TestSupport"]),
  (
    "RecordLawsTests",
    [
      "CoderSubjects", "CodingLaws", "ModelGeneration", "ModelZoo", "Mutants", "PropertyEngine",
      "RecordLaws", "RecordSubjects", "TestSupport",
    ]
  ),
  ("RecordModelTests", ["RecordModel"]),
  ("RecordServerTests", ["RecordModel", "RecordServer"]),
  ("ReferenceAutomergeTests", ["ReferenceAutomerge"]),
  ("ReportingTests", ["PastRuns", "PropertyEngine", "Reporting", "TestSupport", "Texts"]),
  ("RepositoryTests", ["TestSupport"]),
  ("RunHistoriesTests", ["CaseFiles", "PastRuns", "RunHistories", "TestSupport"]),
  ("SchedulesTests", ["Schedules"]),
  (
    "SelfTestsTests",
    [
      "Campaigns", "CaseFiles", "Mutants", "PropertyEngine", "Reporting", "SelfTests",
      "TestSupport",
    ]
  ),
  (
    "StoreLawsTests",
    [
      "FaultInjection", "FileSystems", "PropertyEngine", "Schedules", "StoreLaws",
      "StoreSubjects", "TestSupport",
    ]
  ),
  (
    "SubjectsTests",
    [
      "AutomergeDocument", "CoderSubjects", "CodingLaws", "DocumentLaws", "DocumentModel",
      "Histories", "PropertyEngine", "Subjects", "TestSupport", "Texts",
    ]
  ),
  ("TestSupportTests", ["PropertyEngine", "TestSupport", "Texts"]),
  ("TextsTests", ["PropertyEngine", "Texts"]),
  (
    "TouchstoneAdaptersTests",
    ["CodingLaws", "TestSupport", "Touchstone", "TouchstoneAdapters"]
  ),
  ("PropertyFaceTests", ["TestSupport", "Touchstone"]),
  ("TouchstoneEnginesTests", ["TouchstoneEngines"]),
  (
    "TouchstoneTests",
    [
      "CodingLaws", "FuzzSessions", "ModelGeneration", "ModelLaws", "ModelZoo", "PastRuns",
      "PropertyEngine", "RecordCoding", "ReferenceAutomerge", "RunHistories", "TestSupport",
      "Touchstone", "TouchstoneEngines",
    ]
  ),
  (
    "TouchstoneCommandTests",
    [
      "Campaigns", "ForeignSubjects", "FuzzEntryPoints", "Mutants", "PropertyEngine", "Reporting",
      "TestSupport", "TouchstoneCommand",
    ]
  ),
]

/// Products of other packages that test targets import themselves.
let testProducts: [String: [Target.Dependency]] = [
  "AutomergeDocumentTests": [.product(name: "Logging", package: "swift-log")],
  "DocumentCodingTests": [.product(name: "Logging", package: "swift-log")],
]

/// What `make bench` builds, and nothing else does: it must be part of this package to reach the
/// engine, and no user of the package should build it.
let benchmarks: [(name: String, dependencies: [String])] = [
  ("CodingBenchmark", ["ReferenceAutomerge"]),
  ("EngineBenchmark", ["AutomergeDocument", "MergeEngine"]),
  (
    "StoreBenchmark",
    [
      "CSQLite", "FaultInjection", "FileSystems", "LocalStore", "PropertyEngine", "StoreLaws",
      "StoreSubjects",
    ]
  ),
  ("RecordBenchmark", ["PropertyEngine", "RecordCoding", "RecordLaws", "RecordSubjects"]),
]

/// What is built: everything, unless `TOUCHSTONE_ONLY` names modules and test targets.
///
/// Then it is those and what they use, so that work on one corner of the package need not compile
/// the rest: `TOUCHSTONE_ONLY=NaiveModelTests swift test`.
let wanted: Set<String>? = Context.environment["TOUCHSTONE_ONLY"].map { names in
  // `TestSupport` is built always, and uses these two.
  var open = names.split(separator: " ").map(String.init) + ["PropertyEngine", "Texts"]
  var closed: Set<String> = []
  while let name = open.popLast() {
    guard closed.insert(name).inserted else { continue }
    open += modules.first { $0.name == name }?.dependencies ?? []
    open += tests.first { $0.name == name }?.dependencies ?? []
    open += benchmarks.first { $0.name == name }?.dependencies ?? []
  }
  return closed
}

func isWanted(_ name: String) -> Bool { wanted?.contains(name) ?? true }

let settings: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + (sha256 == .swiftCrypto ? [.define("TOUCHSTONE_SWIFT_CRYPTO")] : [])

/// Compiles without optimisation where everything else is optimised.
///
/// Without optimisation the compiler would check each module's types twice at the same time, so that others can
/// begin sooner; they wait for the object files all the same. Once takes a quarter less processor time.
let unoptimised = SwiftSetting.unsafeFlags(
  ["-Onone", "-no-emit-module-separately-wmo"],
  .when(configuration: .release)
)

/// Modules that a quick build compiles without optimisation, as the tests' own code always is.
///
/// Half of the time of an optimised build would go into code of tests that runs for seconds. No other package
/// can see the flag: tests are no part of any product.
///
/// `TOUCHSTONE_QUICK_BUILD`, which the gate sets, adds modules that run once for a whole campaign and not
/// for each of its cases, and laws whose subjects take most of a case's time.
let quickModules: Set =
  Context.environment["TOUCHSTONE_QUICK_BUILD", default: ""].isEmpty
  ? []
  : [
    "Campaigns", "ForeignSubjects", "FuzzEntryPoints", "FuzzSessions", "Inspection", "Mutants",
    "PastRuns", "Programs", "RecordLaws", "Reporting", "SelfTests", "StoreLaws", "StoreSubjects",
    "TouchstoneCommand",
  ]

/// How a debug build compiles the modules: each as a whole, once, and for a backtrace's lines instead of a debugger.
///
/// SwiftPM would compile a module in batches of files; each batch looks up the types of all others, and debug
/// information describes every variable. A user's first build waits for that, and users seldom step through this
/// package. `TOUCHSTONE_DEBUGGER=yes` keeps its variables for a debugger. Xcode takes no such flags from a package that it fetches, so they are not for macOS.
let wholeModules: [SwiftSetting] = {
  #if os(Linux)
  guard Context.environment["TOUCHSTONE_DEBUGGER", default: ""].isEmpty else { return [] }
  // With a number of threads every file still has an object file of its own, as SwiftPM expects.
  let flags = ["-whole-module-optimization", "-num-threads", "1", "-gline-tables-only"]
  return [.unsafeFlags(flags, .when(configuration: .debug))]
  #else
  return []
  #endif
}()

/// Modules made of another's sources, by symbolic links, with the smallest possible sizes.
let tightModules: Set = ["TightEngine", "TightSubjects"]

/// Modules in which a fuzzer counts the edges that an input takes: what fuzz targets judge.
///
/// Laws and most generators are left out: what an input does there says nothing of the judged code, and takes
/// a fuzzer's time (`Fuzz/README.md`). The generator of histories is in one module with their text, and choices in
/// one with case files, which are judged.
let judgedModules: Set = [
  "AutomergeDocument", "CaseFiles", "CodingSupport", "DocumentCoding", "DocumentModel",
  "DocumentStorage", "FileSystems", "ForeignSubjects", "Histories", "Inspection", "JSONOracle",
  "LocalStore", "MergeEngine", "NaiveCoder", "NaiveModel", "PastRuns", "PropertyEngine",
  "RecordCoding", "RecordModel", "RecordServer", "Reporting", "Texts",
]

/// What a build with libFuzzer adds to a module; `TOUCHSTONE_FUZZER` asks for one, and names the sanitizer
/// that is built in as well: `address`, `thread` or `none`.
///
/// Edges alone: to record comparisons as well, as libFuzzer does by default, costs more inputs than it finds.
func fuzzing(_ module: Module) -> [SwiftSetting] {
  let sanitizer = Context.environment["TOUCHSTONE_FUZZER", default: ""]
  guard !sanitizer.isEmpty else { return [] }
  if module.name == "FuzzSessions" { return [.define("TOUCHSTONE_FUZZ")] }
  guard judgedModules.contains(module.name) else { return [] }
  let sanitizers = sanitizer == "none" ? "fuzzer" : "fuzzer,\(sanitizer)"
  return [
    .unsafeFlags([
      "-Xfrontend", "-sanitize=\(sanitizers)", "-Xfrontend", "-sanitize-coverage=edge",
      "-Xllvm", "-sanitizer-coverage-inline-8bit-counters",
      "-Xllvm", "-sanitizer-coverage-pc-table",
    ])
  ]
}

func settings(of module: Module) -> [SwiftSetting] {
  settings + (tightModules.contains(module.name) ? [.define("TOUCHSTONE_TIGHT_SIZES")] : [])
    + (quickModules.contains(module.name) ? [unoptimised] : []) + wholeModules + fuzzing(module)
}

let package = Package(
  name: "touchstone",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Touchstone", targets: ["Touchstone"]),
    .library(name: "TouchstoneEngines", targets: ["TouchstoneEngines"]),
    .executable(name: "touchstone", targets: ["TouchstoneCommand"]),
    .library(name: "TouchstoneAdapters", targets: ["TouchstoneAdapters"]),
    .library(name: "AutomergeBytes", targets: ["AutomergeBytes"]),
    .library(name: "DocumentStorage", targets: ["DocumentStorage"]),
    .library(name: "LocalStore", targets: ["LocalStore"]),
    .library(name: "RecordCloudKit", targets: ["RecordCloudKit"]),
    .library(name: "RecordCoding", targets: ["RecordCoding"]),
    .library(name: "RecordServer", targets: ["RecordServer"]),
    .library(name: "ReferenceAutomerge", targets: ["ReferenceAutomerge"]),
    // For the nested package `Fuzz/` alone: unstable, and of no use to others.
    .library(name: "FuzzEntryPoints", targets: ["FuzzEntryPoints"]),
  ].filter { isWanted($0.name == "touchstone" ? "TouchstoneCommand" : $0.name) },
  traits: [
    .trait(
      name: "JSONCOracle",
      description:
        "Tests and a law compare JSON with json-c, a library of the system; `make test` turns it on."
    ),
    .trait(
      name: "LibDeflate",
      description:
        "The engine deflates by libdeflate, a library of the system, and not by zlib: faster, other bytes."
    ),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
  ] + sha256.dependencies,
  targets: systemLibraries
    + modules.filter { isWanted($0.name) }.map { module in
      let dependencies = sha256.dependencies(of: module)
      switch module.kind {
      case .library:
        return Target.target(
          name: module.name,
          dependencies: dependencies,
          exclude: ["README.md"] + (module.name == "TightEngine" ? ["MergeEngine/README.md"] : []),
          swiftSettings: settings(of: module)
        )
      case .executable:
        return Target.executableTarget(
          name: module.name,
          dependencies: dependencies,
          exclude: ["README.md"],
          // The template of an adapter: bytes within the program, and no bundle beside it.
          resources: ["adapter", "toy"].map { .embedInCode("Tools/Python/\($0).py") },
          swiftSettings: settings(of: module)
        )
      }
    }
    + tests.filter { isWanted($0.name) }.map { test in
      Target.testTarget(
        name: test.name,
        dependencies: test.dependencies.map { .target(name: $0) }
          + testProducts[test.name, default: []],
        exclude: ["README.md"] + (test.name == "RecordCloudKitTests" ? ["Adapter/README.md"] : []),
        swiftSettings: settings + [unoptimised]
          + (test.name == "RecordCloudKitTests" ? [.define("CLOUDKIT_STAND_IN")] : [])
      )
    }
    // Beside which the store is measured.
    + (wanted?.contains("StoreBenchmark") == true
      ? [.systemLibrary(name: "CSQLite", path: "Benchmarks/Sources/CSQLite", pkgConfig: "sqlite3")]
      : [])
    + benchmarks.filter { wanted?.contains($0.name) ?? false }.map { benchmark in
      Target.executableTarget(
        name: benchmark.name,
        dependencies: benchmark.dependencies.map { .target(name: $0) },
        path: "Benchmarks/Sources/\(benchmark.name)",
        swiftSettings: settings
      )
    }
    + [
      // What several test targets use: no row of a table, as no module may import it.
      Target.target(
        name: "TestSupport",
        dependencies: ["PropertyEngine", "Texts"],
        path: "Tests/Support",
        exclude: ["README.md"],
        swiftSettings: settings
      ),
      // What the adapter for CloudKit is compiled against where there is no CloudKit.
      Target.target(
        name: "CloudKitStandIn",
        path: "Tests/CloudKitStandIn",
        exclude: ["README.md"],
        swiftSettings: settings
      ),
    ]
)
