import CaseFiles
import Foundation
import RunHistories
import Texts

/// The workflow that `touchstone init` writes: it runs the tests of laws on each push and, deeper, every night.
///
/// A manifest that names Touchstone by a path looks for it outside of what a workflow checks out. Such a workflow
/// checks out both repositories, one to the other as the manifest says.
struct StarterWorkflow {
  static let path = ".github/workflows/laws.yml"

  /// The way from the package to Touchstone; `nil` where the manifest names a URL, or Touchstone holds the package.
  private let way: String?
  /// `owner/name` on GitHub; `nil` if it is not known.
  private let repository: String?
  /// Where the package is checked out; `nil` for the workspace itself, in which Touchstone is found then.
  private let packagePlace: String?
  /// Where Touchstone is checked out, from the same workspace.
  private let touchstonePlace: String

  /// - Parameters:
  ///   - package: The folder of the package.
  ///   - clone: That of Touchstone, if the manifest names it by a path.
  init(of package: URL, touchstone clone: URL?) {
    let way = clone.map { relativePath(from: package, to: $0) }
    let parts = way?.split(separator: "/") ?? []
    let above = parts.prefix { $0 == ".." }.count
    let isHolder = above == parts.count
    self.way = isHolder ? nil : way
    repository = isHolder ? nil : clone.flatMap(Self.repository(of:))
    touchstonePlace = parts.dropFirst(above).joined(separator: "/")
    // A checkout lies in the workspace, so that the folders above the package are made there. Their number
    // decides; their names are of one machine.
    let folders = Array(repeating: "work", count: max(0, above - 1)) + [Self.plain(package)]
    packagePlace = isHolder || above == 0 ? nil : folders.joined(separator: "/")
  }

  /// What has to be known or done for the first run to pass; `nil` for nothing.
  var note: String? {
    guard let way else { return nil }
    guard packagePlace != nil else {
      return
        "\(Self.path) checks out this repository: \(way) has to be in it, or be a submodule of it."
    }
    guard let repository else {
      return """
        To be done before the first push: name the repository of Touchstone in \(Self.path), where a step is
        a comment. The line above leads to a folder of this machine, and without that step the workflow fails.
        """
    }
    return "\(Self.path) checks out \(repository) as well, where the line above looks for it."
  }

  /// The repository of a clone on GitHub; `nil` if it has none, or none there.
  private static func repository(of clone: URL) -> String? {
    let git = { gitOutput(["-C", clone.path] + $0) }
    // A copy within another repository has that one's remote.
    guard git(["rev-parse", "--show-prefix"])?.isEmpty == true else { return nil }
    // As it is written: `git remote get-url` tells what this machine replaces it by.
    return git(["config", "--get", "remote.origin.url"]).flatMap(gitHubRepository)
  }

  /// `owner/name` of a remote on GitHub; `nil` for one elsewhere.
  static func gitHubRepository(_ remote: String) -> String? {
    let form =
      #/(?:https://(?:[^@/]+@)?|ssh://git@|git@)github\.com[:/]([\w.-]+/[\w.-]+?)(?:\.git)?/?/#
    return remote.wholeMatch(of: form).map { String($0.output.1) }
  }

  /// The name of a folder, with what YAML or a shell would read otherwise replaced.
  private static func plain(_ folder: URL) -> String {
    let name = folder.standardizedFileURL.resolvingSymlinksInPath().lastPathComponent
    let plain = slug(name, keeping: "_").replacing(".", with: "-")
    return plain.allSatisfy { $0 == "-" } ? "package" : plain
  }

  /// A text as YAML takes it whatever it is.
  private static func quoted(_ text: String) -> String {
    text.wholeMatch(of: /[A-Za-z0-9_.\/-]+/) == nil
      ? "'\(text.replacing("'", with: "''"))'" : text
  }

  /// What the job says before its steps.
  private var defaults: String {
    guard let packagePlace else { return "" }
    return """

          defaults:
            run:
              working-directory: \(packagePlace)
      """
  }

  /// What is said to the step that checks out the package.
  private var packageOptions: String {
    if let packagePlace { return "\n          path: \(packagePlace)" }
    return way == nil ? "" : "\n          submodules: true"
  }

  /// The step that checks out Touchstone; a comment where its repository is not known.
  private var touchstoneStep: String {
    guard let way, packagePlace != nil else { return "" }
    let step = """
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
        with:
          repository: \(repository ?? "<owner>/<name>")
          path: \(Self.quoted(touchstonePlace))
          persist-credentials: false
      """
    let advice =
      repository == nil
      ? "Name its repository in these lines, and take the marks of a comment away."
      : "A private repository needs a `token:` as well."
    let lines = step.split(separator: "\n").map { repository == nil ? "# \($0)" : String($0) }
    return (["# Package.swift looks for Touchstone in \(way). \(advice)"] + lines)
      .map { "\n      \($0)" }.joined()
  }

  var text: String {
    let place = packagePlace.map { "\($0)/" } ?? ""
    return """
      name: Laws
      on:
        push:
        pull_request:
        schedule:
          # Every night, deeper, and from another seed.
          - cron: "17 2 * * *"
      permissions:
        contents: read
      jobs:
        laws:
          runs-on: ubuntu-latest
          container: swift:6.3\(defaults)
          steps:
            - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
              with:\(packageOptions)
                persist-credentials: false\(touchstoneStep)
            - name: Install what the engine is built with
              run: apt-get update && apt-get install --yes --no-install-recommends zlib1g-dev libssl-dev
            # What was built is kept until the manifest, its pins or the sources change.
            - uses: actions/cache@5a3ec84eff668545956fd18022155c47e93e2684 # v4.2.3
              with:
                path: \(place).build
                key: laws-${{ hashFiles('\(place)Package.swift', '\(place)Package.resolved', '**/*.swift') }}
                restore-keys: laws-
            - name: Hold the subjects to the laws
              # Swift Testing writes attachments into a folder that is there, and refuses any other.
              run: mkdir -p .build/attachments && swift test --filter \(Starter.target) --attachments-path .build/attachments
              env:
                TOUCHSTONE_CASES: ${{ github.event_name == 'schedule' && '20000' || '' }}
                TOUCHSTONE_SEED: ${{ github.event_name == 'schedule' && github.run_number || '' }}
            - name: Keep the case files of failures
              if: failure()
              uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2
              with:
                name: failures
                path: \(place).build/attachments

      """
  }
}
