import Foundation

/// Why a call of a file system was refused.
package struct FileError: Error, Hashable, Sendable {
  /// The call that was refused.
  package enum Call: String, Hashable, Sendable, CaseIterable {
    case openFolder, open, read, write, truncate, synchronize, synchronizeFolder
    case size, names, status, rename, remove, lock
  }

  /// What the system said, in classes that a caller can act on.
  package enum Cause: Hashable, Sendable {
    /// No room on the disk, or in the quota, or the file would be too large: room may come back.
    case noSpace, quotaExceeded, fileTooLarge
    /// The medium failed: what it holds is not known.
    case inputOutput
    /// A signal came before anything was done: the call may be made again.
    case interrupted
    case accessDenied, readOnly
    case tooManyOpen
    case notFound, alreadyExists
    /// A symbolic link, a folder or something else stands where a file or a folder was expected.
    case wrongKind
    /// The process ended here, as far as a simulation is concerned: every later call says so, too.
    case crashed
    /// Another number of the operating system.
    case other(Int32)
  }

  package let call: Call
  /// Name of the file or folder, as it was given; empty if only a descriptor was.
  package let name: String
  package let cause: Cause

  package init(_ call: Call, _ name: String = "", _ cause: Cause) {
    self.call = call
    self.name = name
    self.cause = cause
  }

  /// The error with the name of what the call was about, where the call knew a descriptor alone.
  package func named(_ name: String) -> FileError {
    self.name.isEmpty ? FileError(call, name, cause) : self
  }
}

extension FileError.Cause {
  /// The cause that a number of the operating system stands for.
  package init(errno code: Int32) {
    switch code {
    case ENOSPC: self = .noSpace
    case EDQUOT: self = .quotaExceeded
    case EFBIG: self = .fileTooLarge
    case EIO: self = .inputOutput
    case EINTR: self = .interrupted
    case EACCES, EPERM: self = .accessDenied
    case EROFS: self = .readOnly
    case EMFILE, ENFILE: self = .tooManyOpen
    case ENOENT: self = .notFound
    case EEXIST: self = .alreadyExists
    case ELOOP, ENOTDIR, EISDIR: self = .wrongKind
    default: self = .other(code)
    }
  }

  /// Whether the disk had no room.
  package var isLackOfSpace: Bool {
    self == .noSpace || self == .quotaExceeded || self == .fileTooLarge
  }

  /// The cause in a few words.
  package var summary: String {
    switch self {
    case .noSpace: "the disk is full"
    case .quotaExceeded: "the disk quota is used up"
    case .fileTooLarge: "the file would be larger than this process may write"
    case .inputOutput: "the disk does not work"
    case .interrupted: "a signal interrupted it"
    case .accessDenied: "permission denied"
    case .readOnly: "the disk is read-only"
    case .tooManyOpen: "too many files are open"
    case .notFound: "there is no such file"
    case .alreadyExists: "the file is there already"
    case .wrongKind: "something else stands in its place"
    case .crashed: "the process ended"
    case .other(let code): Self.systemWords(for: code)
    }
  }

  /// The operating system's own words for one of its numbers, which need no capital within a sentence.
  private static func systemWords(for code: Int32) -> String {
    let words = NSError(domain: NSPOSIXErrorDomain, code: Int(code)).localizedFailureReason
    guard let words, let first = words.first else { return "error \(code) of the operating system" }
    return first.lowercased() + words.dropFirst()
  }
}

extension FileError: CustomStringConvertible {
  package var description: String {
    "\(call.rawValue)\(name.isEmpty ? "" : " of \(name)"): \(cause.summary)"
  }
}
