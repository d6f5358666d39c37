import ArgumentParser
import Campaigns
import Foundation

/// `touchstone doctor`: what is installed, what is not, and what that costs.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Says what is installed here, what is missing, what that costs, and how to get it.",
    discussion: """
      Marks: ✓ is ready, ○ is missing, · is missing and optional (it serves the tests of Touchstone itself, makes a build \
      faster, or is a subject that is judged only if it is named), ✕ is broken.
      Exit status: 0 nothing is missing, 1 something is (the rest works), 2 the harness itself does \
      not work here.
      """
  )

  @OptionGroup var adapterFolder: AdapterFolderOptions

  @Flag(help: "Print an array of JSON objects instead of words.")
  var json = false

  func run() throws {
    let checks = Doctor(
      adapters: URL(fileURLWithPath: adapterFolder.adapters),
      searchPath: ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      folder: URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    ).checks()
    if json {
      try printJSON(checks)
    } else {
      let width = checks.map(\.name.count).max() ?? 0
      for check in checks { show(check, width: width) }
    }
    throw ExitCode(Self.exitStatus(checks.map(\.state)))
  }

  /// How the command ends, by the gravest of what was found.
  static func exitStatus(_ states: [Doctor.Check.State]) -> Int32 {
    states.contains(.broken) ? 2 : states.contains(.missing) ? 1 : 0
  }

  private func show(_ check: Doctor.Check, width: Int) {
    let mark =
      switch check.state {
      case .ready: "✓"
      case .missing: "○"
      case .unneeded: "·"
      case .broken: "✕"
      }
    let gap = String(repeating: " ", count: width - check.name.count + 2)
    print("\(mark) \(check.name)\(gap)\(check.explanation)")
    let margin = String(repeating: " ", count: width + 4)
    if let cost = check.cost { print("\(margin)without it: \(cost)") }
    if let cure = check.cure { print("\(margin)to get it:  \(cure)") }
  }
}
