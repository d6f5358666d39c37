package import Foundation

/// Where a store lies: a folder of its own, `<filename>.store`, in a directory.
///
/// Beside it may stand `<filename>`, the JSON file of the repository that this one replaces.
package struct StorePlace: Hashable, Sendable {
  /// Absolute path of the directory, which must exist.
  package let directory: String
  package let filename: String

  /// Bytes of a name at most, so that a file system takes the folder's name as well.
  static let nameLimit = 200

  package init(directory: String, filename: String) throws(StoreError) {
    func refusal(_ words: String) -> StoreError {
      StoreError(.invalidLocation(explanation: words), .open)
    }
    guard directory.hasPrefix("/") else { throw refusal("the directory is not absolute") }
    guard (1...Self.nameLimit).contains(filename.utf8.count) else {
      throw refusal("a name has 1 to \(Self.nameLimit) bytes, and this one \(filename.utf8.count)")
    }
    guard !filename.utf8.contains(0x2f) else { throw refusal("a name has no slash") }
    guard filename.utf8.first != 0x2e else { throw refusal("a name does not start with a dot") }
    guard filename.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
      throw refusal("a name has no control characters")
    }
    self.directory = directory
    self.filename = filename
  }

  /// The path of a directory; what is no file's URL has none, and is refused.
  package static func path(of directory: URL) -> String {
    directory.isFileURL ? directory.path : directory.absoluteString
  }

  package var folder: String { "\(filename).store" }
}

/// The names within the folder of a store.
///
///     LOCK               no bytes; who has it locked has the store
///     snapshot.3         the state at which generation 3 began
///     journal.3          the changes since
///     snapshot.4.tmp     a compaction that has not come about
///     quarantine/        copies of what was damaged, torn or replaced; never read here
///
/// Others are left alone.
enum StoreFile: Hashable {
  case snapshot(UInt64)
  case journal(UInt64)
  /// A snapshot that was being written.
  case partial(UInt64)

  static let lock = "LOCK"
  static let quarantine = "quarantine"

  init?(_ name: String) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 2, let generation = UInt64(parts[1]), String(generation) == parts[1],
      generation < StoreHeader.numberLimit
    else { return nil }
    switch (parts[0], parts.count) {
    case ("snapshot", 2): self = .snapshot(generation)
    case ("journal", 2): self = .journal(generation)
    case ("snapshot", 3) where parts[2] == "tmp": self = .partial(generation)
    default: return nil
    }
  }

  var name: String {
    switch self {
    case .snapshot(let generation): "snapshot.\(generation)"
    case .journal(let generation): "journal.\(generation)"
    case .partial(let generation): "snapshot.\(generation).tmp"
    }
  }

  var generation: UInt64 {
    switch self {
    case .snapshot(let generation), .journal(let generation), .partial(let generation): generation
    }
  }
}
