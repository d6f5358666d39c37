package import FileSystems
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

  /// An error of any kind, for a person: one of Foundation's with the file and the reason, others as they stand.
  package static func sentence(of error: any Error) -> String {
    guard let path = (error as? CocoaError)?.filePath else { return "\(error)" }
    return "\(path): \(reason(of: error))"
  }

  /// Why a call on a file failed, for a person.
  package static func reason(of error: any Error) -> String {
    // Its description names the file once more.
    if let failure = error as? FileFailure { return failure.reason }
    if let error = error as? FileError { return error.reason }
    guard let error = error as? CocoaError else { return "\(error)" }
    if let reason = error.reason { return reason }
    guard let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError,
      cause.domain == NSPOSIXErrorDomain
    else { return error.localizedDescription }
    return explanation(of: CInt(truncatingIfNeeded: cause.code))
  }

  /// Why a pipe without a reader takes nothing.
  package static let readerEnded = "its reader has ended"

  /// What the operating system's number means to a person who waits for a report.
  private static func explanation(of code: CInt) -> String {
    switch code {
    case ENOENT: "there is no such folder"
    case ENOTDIR: "a file is in the place of a folder"
    case EISDIR: "a folder is in the place of the file"
    case EPIPE: readerEnded
    case EBADF: "it is closed"
    default: FileError.Cause(errno: code).summary
    }
  }
}

extension FileError {
  /// What was wrong, in the words of one who writes a file.
  fileprivate var reason: String {
    switch (cause, call) {
    case (.wrongKind, .openFolder): "a file is in the place of a folder"
    case (.wrongKind, _): "a folder is in the place of the file"
    case (.notFound, .openFolder): "there is no such folder"
    default: cause.summary
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
    throw FileFailure("cannot read \(url.relativePath)", reason: reason)
  }
}

/// What is in the place of a file: of that, Foundation's errors say nothing, or that permission is denied.
private func reasonNotToRead(_ url: URL) -> String? {
  switch fileType(url) {
  case .typeDirectory?: return "a folder is in the place of the file"
  case .typeRegular?: return nil
  case nil:
    let isBelowFile = standsBelowFile(url.deletingLastPathComponent())
    return isBelowFile ? "a file is in the place of a folder" : nil
  default: return "it is no regular file"
  }
}

/// What stands at a path, behind symbolic links; `nil` for nothing.
package func fileType(_ url: URL) -> FileAttributeType? {
  let path = url.resolvingSymlinksInPath().path
  return try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
}

/// Makes a folder and those above it, unless they are there.
///
/// - Throws: ``FileFailure``.
package func makeFolder(_ url: URL) throws {
  do {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  } catch {
    let reason = standsBelowFile(url) ? "a file is in the place of a folder" : nil
    throw FileFailure(
      "cannot make the folder \(url.relativePath)",
      reason: reason ?? FileFailure.reason(of: error)
    )
  }
}

/// Whether a folder is not there, and cannot be made, since it, or one above it, is a file or a device: of that,
/// Foundation's errors say nothing.
func standsBelowFile(_ folder: URL) -> Bool {
  var place = folder.standardizedFileURL
  while place.path != "/" {
    if let type = fileType(place) { return type != .typeDirectory }
    place.deleteLastPathComponent()
  }
  return false
}

extension URL {
  /// Whether a folder stands here, or behind a link that does; `nil` if nothing can be seen here.
  package var isFolder: Bool? {
    try? resolvingSymlinksInPath().resourceValues(forKeys: [.isDirectoryKey]).isDirectory
  }
}

/// Sees that files can be written into a folder, which is made if it is not there: now rather than after a
/// minute's work.
///
/// - Throws: ``FileFailure``, which names the folder.
package func tryWriting(into folder: URL, in files: any FileSystem = SystemFiles()) throws {
  // Named as what is not whole: one that a killed run leaves is taken away by the next.
  let probe = folder.appendingPathComponent(".probe\(partialSuffix)")
  do {
    // Not empty: a full disk still makes files without content.
    try writeFile(Data(repeating: 0x20, count: 4096), to: probe, in: files)
  } catch {
    throw FileFailure("cannot write into the folder \(folder.relativePath)", error)
  }
  try? removeFile(probe, in: files)
}

/// Ends the names of files that are not yet whole; what a killed run leaves behind has it, too.
package let partialSuffix = ".touchstone-partial"

/// Numbers the files of this process that are being written, so that no two are one.
private let partialCount = Atomic<Int>(0)

/// Writes a file whole or not at all, making the folders above it.
///
/// The bytes go into a file beside it that takes the name once it is whole and on the disk:
/// a killed process, or a disk that is taken away, leaves the old file or the new one. The new file has
/// the permissions of the old one.
///
/// - Throws: ``FileFailure``.
package func writeFile(
  _ data: Data,
  to url: URL,
  in files: any FileSystem = SystemFiles()
) throws {
  let words = "cannot write \(url.relativePath)"
  let parent = url.deletingLastPathComponent()
  do {
    try makeFolder(parent)
    let folder = try files.openFolder(path: parent.path, makingMode: nil)
    defer { files.close(folder) }
    let number = partialCount.add(1, ordering: .relaxed).newValue
    let name = url.lastPathComponent
    // Without the file's own name, which may be as long as a file system allows.
    let partial = ".\(getpid()).\(number)\(partialSuffix)"
    let old = try files.status(of: name, in: folder)
    let mode = old.flatMap { $0.kind == .file ? $0.mode : nil } ?? 0o644
    do {
      try files.makeStored(partial, in: folder, [UInt8](data), mode: mode)
      try files.rename(partial, in: folder, to: name, in: folder)
    } catch {
      try? files.remove(partial, in: folder)
      throw error
    }
  } catch {
    throw FileFailure(words, error)
  }
}

/// Removes a file, if it is there.
///
/// - Throws: ``FileFailure``.
package func removeFile(_ url: URL, in files: any FileSystem = SystemFiles()) throws {
  do {
    let folder = try files.openFolder(
      path: url.deletingLastPathComponent().path,
      makingMode: nil
    )
    defer { files.close(folder) }
    try files.remove(url.lastPathComponent, in: folder)
  } catch  where error.cause == .notFound {
    return
  } catch {
    throw FileFailure("cannot remove \(url.relativePath)", error)
  }
}

extension FileSystem {
  /// Makes a file of these bytes, and has it stored where the file system can do that.
  fileprivate func makeStored(
    _ name: String,
    in folder: Descriptor,
    _ bytes: [UInt8],
    mode: UInt16
  ) throws(FileError) {
    let file = try opened(name, in: folder, .create(mode: mode))
    defer { close(file) }
    try cut(file, to: 0)
    try writeAll(bytes, to: file, at: 0)
    do {
      // Some file systems say that the disk is full only here.
      try settle(file, .data)
    } catch  where error.cause == .other(EINVAL) {
      // A few files cannot be stored so.
    }
  }
}
