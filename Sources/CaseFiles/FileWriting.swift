package import Foundation
import Synchronization

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A file that could not be read or written, in one line for a person.
package struct FileFailure: Error, CustomStringConvertible {
  package let description: String
  /// Why, without the file's path; the whole line where that says all.
  package let reason: String

  package init(_ words: String, reason: String) {
    description = "\(words): \(reason)"
    self.reason = reason
  }

  package init(_ words: String, _ cause: any Error) {
    self.init(words, reason: Self.reason(of: cause))
  }

  package init(_ words: String) {
    (description, reason) = (words, words)
  }

  package init(_ words: String, code: CInt) {
    self.init(words, reason: Self.explanation(of: code))
  }

  /// Why a call on a file failed, for a person.
  package static func reason(of error: any Error) -> String {
    guard let error = error as? CocoaError else { return "\(error)" }
    if let reason = error.reason { return reason }
    guard let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError,
      cause.domain == NSPOSIXErrorDomain
    else { return error.localizedDescription }
    return explanation(of: CInt(truncatingIfNeeded: cause.code))
  }

  /// What the operating system's number means to a person who waits for a report.
  private static func explanation(of code: CInt) -> String {
    switch code {
    case ENOSPC: "the disk is full"
    case EDQUOT: "the disk quota is used up"
    case EFBIG: "the file would be larger than this process may write"
    case EROFS: "the disk is read-only"
    case EACCES, EPERM: "permission denied"
    case ENOENT: "there is no such folder"
    case ENOTDIR: "a file is in the place of a folder"
    case EISDIR: "a folder is in the place of the file"
    case EIO: "the disk does not work"
    case EMFILE, ENFILE: "too many files are open"
    case EPIPE: "its reader has ended"
    case EBADF: "it is closed"
    default: "error \(code) of the operating system"
    }
  }
}

extension CocoaError {
  /// The operating system's words for what went wrong.
  fileprivate var reason: String? {
    switch code {
    case .fileNoSuchFile, .fileReadNoSuchFile: return "there is no such file"
    case .fileReadNoPermission, .fileWriteNoPermission: return "permission denied"
    case .fileWriteOutOfSpace: return "the disk is full"
    case .fileWriteVolumeReadOnly: return "the disk is read-only"
    case .fileWriteFileExists: return "a file is in the place of a folder"
    default: return nil
    }
  }
}

/// Reads a file.
///
/// - Throws: ``FileFailure``, which also says where a folder or a device is in its place.
package func readFile(_ url: URL) throws -> Data {
  do {
    return try Data(contentsOf: url)
  } catch {
    let reason = reasonNotToRead(url) ?? FileFailure.reason(of: error)
    throw FileFailure("cannot read \(url.path)", reason: reason)
  }
}

/// What is in the place of a file: of that, Foundation's errors say nothing, or that permission is denied.
private func reasonNotToRead(_ url: URL) -> String? {
  func type(_ url: URL) -> FileAttributeType? {
    let path = url.resolvingSymlinksInPath().path
    return try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
  }
  switch type(url) {
  case .typeDirectory?: return "a folder is in the place of the file"
  case .typeRegular?: return nil
  case nil:
    let parent = type(url.deletingLastPathComponent())
    return parent == .typeRegular ? "a file is in the place of a folder" : nil
  default: return "it is no regular file"
  }
}

/// Ends the names of files that are not yet whole; what a killed run leaves behind has it, too.
package let partialSuffix = ".touchstone-partial"

/// Numbers the files of this process that are being written, so that no two are one.
private let partialCount = Atomic<Int>(0)

/// Writes a file whole or not at all, making the folders above it.
///
/// The bytes go into a file beside it that takes the name once it is whole and on the disk:
/// a killed process, or a disk that is taken away, leaves the old file or the new one.
///
/// - Throws: ``FileFailure``.
package func writeFile(_ data: Data, to url: URL) throws {
  let words = "cannot write \(url.path)"
  let folder = url.deletingLastPathComponent()
  do {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  } catch {
    throw FileFailure(words, error)
  }
  let number = partialCount.add(1, ordering: .relaxed).newValue
  let name = ".\(url.lastPathComponent).\(getpid()).\(number)\(partialSuffix)"
  let partial = folder.appendingPathComponent(name)
  var code = writeBytes(data, to: partial.path)
  // Both paths are of this function alone, and live while it runs.
  if code == 0, unsafe rename(partial.path, url.path) != 0 { code = errno }
  guard code == 0 else {
    unsafe unlink(partial.path)
    throw FileFailure(words, code: code)
  }
}

/// Writes a new file and has it stored.
///
/// - Returns: 0, or the operating system's number for what went wrong.
private func writeBytes(_ data: Data, to path: String) -> CInt {
  let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
  guard file >= 0 else { return errno }
  defer { close(file) }
  // The bytes are read only while `data` is held.
  let code = unsafe data.withUnsafeBytes { bytes -> CInt in
    var sentCount = 0
    while sentCount < bytes.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[sentCount...])
      let count = unsafe write(file, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count < 0 ? errno : ENOSPC }
      sentCount += count
    }
    return 0
  }
  guard code == 0 else { return code }
  // Some file systems say that the disk is full only here; a few files cannot be stored so.
  return fsync(file) == 0 || errno == EINVAL ? 0 : errno
}
