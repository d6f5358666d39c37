import Campaigns
import CaseFiles
import Dispatch
import ForeignSubjects
import Foundation
import Programs
import PropertyEngine
import Reporting
import Texts

/// Looks what is installed here, and says what it costs that something is not.
struct Doctor {
  /// One thing that was looked for.
  struct Check: Encodable, Sendable {
    enum State: String, Encodable, Sendable {
      case ready
      /// Not there, and wanted only by the tests of this repository, for a faster build, or by a user that names it.
      case unneeded
      /// Not there: something cannot be done.
      case missing
      /// There, and does not work: nothing that is said here can be believed.
      case broken
    }

    let name: String
    let state: State
    /// What was found, or what is wrong.
    let explanation: String
    /// What cannot be done without it.
    var cost: String?
    var cure: String?

    /// The members of the JSON output, which keep the names that readers know.
    enum CodingKeys: String, CodingKey {
      case name, state
      case explanation = "words"
      case cost, cure
    }
  }

  private let registry: SubjectRegistry
  private let adapters: URL
  private let searchPath: String
  private let folder: URL

  /// - Parameters:
  ///   - adapters: The folder of subjects in other languages.
  ///   - searchPath: Folders in which programs are looked for, with colons between them.
  ///   - folder: Where reports would be written.
  init(adapters: URL, searchPath: String, folder: URL) {
    registry = SubjectRegistry(adapters: adapters)
    self.adapters = adapters
    self.searchPath = searchPath
    self.folder = folder
  }

  /// Everything, in the order in which it matters.
  func checks() -> [Check] {
    [checkHarness(), checkDisk(), checkTemporaryFiles()] + checkSubjects() + [
      checkToolchain(), checkFuzzer(),
    ]
      + checkHeaders()
      + [
        program(
          ["python3"],
          "python3",
          cost: "subjects behind Python adapters (automerge, loro, yrs) do not start",
          cure: "apt-get install python3 python3-venv, or brew install python@3.12"
        ),
        program(
          ["chromium", "chromium-browser", "google-chrome", "chrome"],
          "chromium",
          absence: .unneeded,
          cost: "the tests of Touchstone itself do not look at the report's page in a browser",
          cure: "apt-get install chromium, or brew install --cask chromium"
        ),
        program(
          ["xmllint"],
          "xmllint",
          absence: .unneeded,
          cost: "the tests of Touchstone itself do not hold junit.xml to its published schema",
          cure: "apt-get install libxml2-utils; macOS has it"
        ),
      ]
  }

  /// The way from a case to a reported failure, gone once.
  private func checkHarness() -> Check {
    let canary = Canary.run(seed: Seed(value: 1))
    guard let law = canary.caughtBy else {
      return Check(
        name: "harness",
        state: .broken,
        explanation: "a wrong implementation (\(canary.mutant)) was not caught",
        cost: "no result of this program can be believed",
        cure: "rebuild it from a clean clone, and tell its makers if that does not help"
      )
    }
    return Check(
      name: "harness",
      state: .ready,
      explanation: "its canary is caught by \(law) in "
        + counted(canary.size, "edit or exchange", "edits and exchanges")
    )
  }

  /// Whether a report can be written here: writes a file and removes it.
  private func checkDisk() -> Check {
    let place = folder.appendingPathComponent("touchstone-doctor-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: place) }
    do {
      try writeFile(Data(repeating: 0x20, count: 2 << 20), to: place)
      return Check(name: "disk", state: .ready, explanation: "reports can be written here")
    } catch {
      return Check(
        name: "disk",
        state: .missing,
        explanation: "\(error)",
        cost: "no report and no case file can be written here",
        cure: "free some space, or choose another folder with --report"
      )
    }
  }

  /// Whether workers can note their places.
  private func checkTemporaryFiles() -> Check {
    let folder = FileManager.default.temporaryDirectory
    let place = folder.appendingPathComponent("touchstone-doctor-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: place) }
    guard FileManager.default.createFile(atPath: place.path, contents: Data(count: 16)) else {
      return Check(
        name: "temporary files",
        state: .missing,
        explanation: "none can be made in \(folder.path)",
        cost: "no worker starts, and nothing is judged",
        cure: "set TMPDIR to a folder that can be written"
      )
    }
    return Check(
      name: "temporary files",
      state: .ready,
      explanation: "can be made in \(folder.path)"
    )
  }

  /// Starts each subject.
  private func checkSubjects() -> [Check] {
    let entries = registry.entries(onStart: {
      Console(isQuiet: false).step("starting the adapter \($0)")
    })
    let onRequest = registry.adaptersOnRequest
    var checks = entries.map { entry in
      guard !entry.isReady else {
        // An adapter's says nothing but its version, and where it is.
        let version = "version \(entry.version)"
        return Check(
          name: entry.id,
          state: .ready,
          explanation: entry.explanation.hasPrefix(version)
            ? entry.explanation : "\(version), \(entry.explanation)"
        )
      }
      return Check(
        name: entry.id,
        state: onRequest.contains(entry.id) ? .unneeded : .missing,
        // What an adapter complained of may be long; its first line says what happened.
        explanation: String(entry.explanation.prefix { !$0.isNewline }),
        cost: onRequest.contains(entry.id)
          ? "it cannot be judged where it is named; it is not among the usual subjects"
          : "no law is judged on it, and no subject is compared with it",
        cure: cure(ofAdapter: entry.id)
      )
    }
    if entries.allSatisfy({ SubjectRegistry.builtInIDs.contains($0.id) }) {
      checks.append(
        Check(
          name: "adapters",
          state: .missing,
          explanation: "there are none in \(adapters.path)",
          cost: "only the subjects that are part of the program are judged, not the real Automerge",
          cure: "run this in a clone of Touchstone, or say where they are with --adapters"
        )
      )
    }
    return checks
  }

  /// What makes an adapter ready that is not.
  private func cure(ofAdapter id: String) -> String {
    let folder = adapters.appendingPathComponent(id)
    if let command = AdapterManifest.installCommand(for: folder) {
      return "\(command), in this clone of Touchstone, installs its library"
    }
    let check = "touchstone adapter check \(shellWord(folder.relativePath))"
    return "install what it needs, or correct its adapter.json: \(check) says more"
  }

  // MARK: - Programs

  /// The toolchain of the compiler in the search path.
  private var toolchain: Toolchain? { path(of: ["swiftc"]).flatMap { Toolchain(of: $0) } }

  private func checkToolchain() -> Check {
    guard let toolchain else {
      return Check(
        name: "swift",
        state: .missing,
        explanation: "no swiftc in the search path",
        cost: "failures cannot be run as Swift tests, and nothing can be built",
        cure: "https://www.swift.org/install, version 6.3 or later"
      )
    }
    return Check(
      name: "swift",
      state: .ready,
      explanation: toolchain.version ?? "version unknown"
    )
  }

  private func checkFuzzer() -> Check {
    guard let runtime = toolchain?.libFuzzer else {
      return Check(
        name: "libFuzzer",
        state: .missing,
        explanation: "the toolchain does not bring it along",
        cost: "laws cannot be fuzzed by coverage (touchstone fuzz)",
        cure: "a toolchain of https://www.swift.org/install: Xcode's own lacks it"
      )
    }
    return Check(name: "libFuzzer", state: .ready, explanation: runtime.lastPathComponent)
  }

  private func checkHeaders() -> [Check] {
    var checks = [
      header(
        "zlib.h",
        "zlib",
        cost: "nothing can be built: the engine reads and writes compressed documents with it",
        cure: "apt-get install zlib1g-dev; macOS has it"
      )
    ]
    #if os(Linux)
    checks.append(
      header(
        "openssl/sha.h",
        "libcrypto",
        absence: .unneeded,
        cost: "a first build takes two minutes longer: swift-crypto is built in its place",
        cure: "apt-get install libssl-dev"
      )
    )
    #endif
    checks.append(
      header(
        "json-c/json.h",
        "json-c",
        cost: "JSON is not compared with an independent parser",
        cure: "apt-get install libjson-c-dev, or brew install json-c"
      )
    )
    return checks
  }

  private func header(
    _ file: String,
    _ name: String,
    absence: Check.State = .missing,
    cost: String,
    cure: String
  ) -> Check {
    var place = CHeader.path(of: file)
    #if os(macOS)
    if place == nil, let xcrun = path(of: ["xcrun"]),
      let data = Subprogram.output(of: xcrun, ["--show-sdk-path"], seconds: 10)
    {
      let sdk = String(decoding: data, as: UTF8.self).split(separator: "\n").first ?? ""
      let inSDK = "\(sdk)/usr/include/\(file)"
      if FileManager.default.fileExists(atPath: inSDK) { place = inSDK }
    }
    #endif
    guard let place else {
      return Check(
        name: name,
        state: absence,
        explanation: "no \(file) in \(CHeader.folders.joined(separator: ", "))",
        cost: cost,
        cure: cure
      )
    }
    return Check(name: name, state: .ready, explanation: place)
  }

  private func program(
    _ names: [String],
    _ name: String,
    absence: Check.State = .missing,
    cost: String,
    cure: String
  ) -> Check {
    guard let place = path(of: names) else {
      return Check(
        name: name,
        state: absence,
        explanation: "not in the search path",
        cost: cost,
        cure: cure
      )
    }
    return Check(name: name, state: .ready, explanation: place.path)
  }

  private func path(of names: [String]) -> URL? {
    names.lazy.compactMap { Subprogram.find($0, along: searchPath) }.first
  }
}
