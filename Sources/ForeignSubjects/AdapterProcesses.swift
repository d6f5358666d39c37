import Foundation

/// Resident bytes of all processes of a group; 0 when none is left or nothing can be learnt.
///
/// A child that an adapter starts counts with it. Cost: one pass over the process table.
func residentByteCount(ofGroup group: pid_t) -> Int {
  #if os(Linux)
  let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
  let pageCount = names.reduce(0) { sum, name in
    guard let first = name.utf8.first, (0x30...0x39).contains(first),
      let stat = FileManager.default.contents(atPath: "/proc/\(name)/stat")
    else { return sum }
    return sum + residentPageCount(stat: stat, ofGroup: group)
  }
  return pageCount * Int(sysconf(Int32(_SC_PAGESIZE)))
  #else
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/bin/ps")
  process.arguments = ["-ax", "-o", "pgid=,rss="]
  let output = Pipe()
  process.standardOutput = output
  process.standardError = FileHandle.nullDevice
  guard (try? process.run()) != nil else { return 0 }
  let table = output.fileHandleForReading.readDataToEndOfFile()
  return String(decoding: table, as: UTF8.self).split(separator: "\n").reduce(0) { sum, line in
    let fields = line.split(separator: " ").compactMap { Int($0) }
    guard fields.count == 2, fields[0] == Int(group) else { return sum }
    return sum + fields[1] * 1024
  }
  #endif
}

/// Pages of one process, read off a line such as `7 (python) S 1 7 7 ...`, if it is of the group.
///
/// The name in parentheses may hold spaces and parentheses; what follows its last one is fixed. The
/// group is the third field there, the resident pages the 22nd. Source: proc(5).
func residentPageCount(stat: Data, ofGroup group: pid_t) -> Int {
  guard let end = stat.lastIndex(of: UInt8(ascii: ")")) else { return 0 }
  let fields = stat[(end + 1)...].split(separator: UInt8(ascii: " "))
  guard fields.count > 21, Int(String(decoding: fields[2], as: UTF8.self)) == Int(group),
    let pages = Int(String(decoding: fields[21], as: UTF8.self)), pages > 0
  else { return 0 }
  return pages
}
