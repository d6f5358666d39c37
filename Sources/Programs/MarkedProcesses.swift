package import Foundation

#if os(Linux) || os(macOS)
/// The processes of one adapter: its group, and what has left the group and still carries its mark.
///
/// A child leaves the group by `setsid`, and its parents by outliving them. What it keeps, unless it
/// takes pains, is the environment that it was started with; so each adapter gets a variable of its
/// own there, by which its descendants are found. Only Linux shows it; elsewhere the group is all.
///
/// One thread uses an instance.
package final class MarkedProcesses {
  /// The name of the variable.
  package static let variable = "TOUCHSTONE_ADAPTER"
  /// What the values of all adapters of this process begin with.
  static let runMark = UUID().uuidString

  /// The value of the variable; ends with a dot, so that none is the beginning of another.
  package let mark: String
  /// The process group; 0 before the adapter is started.
  package var group: pid_t = 0
  /// Whether a process outside the group is the adapter's, by its number and when it was started.
  private var known: [ProcessStatus.Identity: Bool] = [:]

  /// The processes of the adapter that is started as the `number`-th.
  init(number: Int) {
    mark = "\(Self.runMark)-\(number)."
  }

  /// Resident bytes of all of them; 0 when none is left or nothing can be learnt.
  ///
  /// Cost: one pass over the process table.
  package var residentByteCount: Int {
    #if os(Linux)
    let pageCount = members().reduce(0) { $0 + $1.residentPageCount }
    return pageCount * Int(sysconf(Int32(_SC_PAGESIZE)))
    #else
    residentByteCount(ofGroup: group)
    #endif
  }

  /// Kills all of them at once.
  package func kill() {
    signal(-group)
    // One that forks while it is looked for leaves a child that the next look finds.
    for _ in 0..<Self.killRoundLimit {
      let strays = members().filter { $0.group != Int(group) }
      guard !strays.isEmpty else { return }
      for stray in strays { signal(pid_t(stray.identity.number)) }
    }
  }

  private static let killRoundLimit = 50

  /// Kills whatever carries the mark of an adapter of this process.
  static func killAllMarked() {
    for status in ProcessStatus.all() where carries("\(runMark)-", status.identity.number) {
      signal(pid_t(status.identity.number))
    }
  }

  private func members() -> [ProcessStatus] {
    let all = ProcessStatus.all()
    let start = all.first { $0.identity.number == Int(group) }?.identity.startTicks ?? 0
    return all.filter { status in
      if status.group == Int(group) { return true }
      guard status.identity.startTicks >= start else { return false }
      if let isOurs = known[status.identity] { return isOurs }
      let isOurs = Self.carries(mark, status.identity.number)
      known[status.identity] = isOurs
      return isOurs
    }
  }

  /// Whether the environment that a process was started with has the variable with such a value.
  private static func carries(_ mark: String, _ number: Int) -> Bool {
    guard let environment = FileManager.default.contents(atPath: "/proc/\(number)/environ") else {
      return false
    }
    return environment.range(of: Data("\(variable)=\(mark)".utf8)) != nil
  }
}

private func signal(_ process: pid_t) {
  // 0 and -1 would name this process's own group, and every process there is.
  guard process != 0, process != -1 else { return }
  #if canImport(Darwin)
  _ = Darwin.kill(process, SIGKILL)
  #else
  _ = Glibc.kill(process, SIGKILL)
  #endif
}

/// One row of the system's table of processes.
struct ProcessStatus: Hashable {
  /// A process, told from later ones of the same number.
  struct Identity: Hashable {
    let number: Int
    /// Clock ticks from the system's start.
    let startTicks: Int
  }

  let identity: Identity
  /// The number of the process that started it, or of the one that took its place.
  let parent: Int
  let group: Int
  let residentPageCount: Int

  /// All processes; none where the system does not show them as files.
  static func all() -> [ProcessStatus] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { name in
      guard let first = name.utf8.first, (0x30...0x39).contains(first),
        let stat = FileManager.default.contents(atPath: "/proc/\(name)/stat")
      else { return nil }
      return ProcessStatus(stat: stat)
    }
  }

  /// Reads a line such as `7 (python) S 1 7 7 ...`.
  ///
  /// The name in parentheses may hold spaces and parentheses; what follows its last one is fixed. The
  /// parent is the second field there, the group the third, the start the 20th, the resident pages the 22nd. One that has
  /// ended and waits for its parent counts as gone. Source: proc(5).
  init?(stat: Data) {
    guard let end = stat.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = stat[(end + 1)...].split(separator: UInt8(ascii: " "))
    func number(_ field: Data.SubSequence?) -> Int? {
      field.flatMap { Int(String(decoding: $0, as: UTF8.self)) }
    }
    guard fields.count > 21, fields[0] != Data("Z".utf8),
      let process = number(stat.split(separator: UInt8(ascii: " ")).first),
      let parent = number(fields[1]), let group = number(fields[2]), let start = number(fields[19]),
      let pages = number(fields[21])
    else { return nil }
    identity = Identity(number: process, startTicks: start)
    self.parent = parent
    self.group = group
    residentPageCount = max(0, pages)
  }
}

#if !os(Linux)
/// Resident bytes of a group, from `ps`.
private func residentByteCount(ofGroup group: pid_t) -> Int {
  let ps = URL(fileURLWithPath: "/bin/ps")
  guard let table = Subprogram.output(of: ps, ["-ax", "-o", "pgid=,rss="], seconds: 10) else {
    return 0
  }
  return String(decoding: table, as: UTF8.self).split(separator: "\n").reduce(0) { sum, line in
    let fields = line.split(separator: " ").compactMap { Int($0) }
    guard fields.count == 2, fields[0] == Int(group) else { return sum }
    return sum + fields[1] * 1024
  }
}
#endif
#endif
