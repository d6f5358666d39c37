import Foundation

@testable import ForeignSubjects

/// A temporary folder with an `adapter.json` and a shell script as the adapter.
///
/// The script runs with the shell functions `start` (answers the first request), `answer` (answers
/// the request `$n`) and `turn` (reads one request and counts it). It may write `pid` files into its
/// folder for ``livingProcesses()`` to look at.
final class AdapterFolder {
  let url: URL

  init(id: String = "fake", _ script: String, manifest: String? = nil) throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("touchstone-\(UUID().uuidString)")
    self.url = url
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try write(Self.prelude(id) + script + "\n", to: "adapter.sh")
    let manifest = manifest ?? #"{"id":"\#(id)","command":["/bin/sh","adapter.sh"]}"#
    try write(manifest, to: AdapterManifest.fileName)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  private static func prelude(_ id: String) -> String {
    """
    echo $$ >> pids
    n=0
    turn() { IFS= read -r request && n=$((n + 1)); }
    answer() { printf '{"n":%d,%s}\\n' "$n" "$1"; }
    start() { turn && answer '"started":{"protocol":1,"id":"\(id)","version":"1","capabilities":{}}'; }

    """
  }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: url.appendingPathComponent(name))
  }

  /// Numbers that the script wrote, in order.
  func numbers(in name: String) throws -> [Int] {
    let text = try String(contentsOf: url.appendingPathComponent(name), encoding: .utf8)
    return text.split(separator: "\n").compactMap { Int($0) }
  }

  /// The processes of the folder's `pids` that still run.
  func livingProcesses() throws -> [Int] {
    try numbers(in: "pids").filter(Self.isLiving)
  }

  /// The processes that still run when all should have been killed.
  ///
  /// One that was killed gives back its memory first, which takes its time on a machine under load.
  func leftProcesses() throws -> [Int] {
    for _ in 0..<1000 where try !livingProcesses().isEmpty { Thread.sleep(forTimeInterval: 0.01) }
    return try livingProcesses()
  }

  /// Whether the process runs; one that has ended and whose parent has not noticed does not.
  ///
  /// An orphan's new parent may never do so in a container.
  static func isLiving(_ pid: Int) -> Bool {
    guard kill(pid_t(pid), 0) == 0 else { return false }
    guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
      let end = stat.lastIndex(of: ")")
    else { return true }
    return stat[end...].dropFirst(2).first != "Z"
  }

  func subject(_ limits: AdapterLimits = .patient) throws -> ForeignSubject {
    try ForeignSubject(folder: url, limits: limits)
  }
}

extension AdapterLimits {
  /// For tests: little room, and time enough for a machine under load.
  static let patient = AdapterLimits(
    startTimeoutMilliseconds: 60_000,
    answerTimeoutMilliseconds: 60_000,
    stopTimeoutMilliseconds: 2_000,
    answerByteLimit: 4 << 20,
    memoryByteLimit: 200 << 20
  )
}
