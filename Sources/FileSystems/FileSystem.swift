/// A file or folder that is open.
///
/// Numbers of different file systems have nothing to do with each other.
package struct Descriptor: Hashable, Sendable {
  package let number: Int32

  package init(_ number: Int32) {
    self.number = number
  }
}

/// How a file is opened.
package enum FileAccess: Hashable, Sendable {
  /// The file must exist.
  case read
  /// The file must exist; it is read and written.
  case update
  /// The file is made with this mode if it does not exist; it is read and written.
  case create(mode: UInt16)
  /// The file must not exist; it is made with this mode.
  case createNew(mode: UInt16)
}

/// What a name in a folder stands for.
package struct FileStatus: Hashable, Sendable {
  package enum Kind: Hashable, Sendable { case file, folder, link, other }

  package let kind: Kind
  /// Bytes.
  package let size: Int
  /// Permission bits, such as `0o600`.
  package let mode: UInt16

  package init(kind: Kind, size: Int, mode: UInt16) {
    self.kind = kind
    self.size = size
    self.mode = mode
  }
}

/// How far written bytes are pushed.
package enum SyncDepth: Hashable, Sendable {
  /// The file's bytes and its size.
  case data
  /// As `data`, and the drive's own cache where the system has a call for that.
  case drive
}

/// The calls of a file system, one to one, so that each can be counted, failed, and crashed at.
///
/// A call that throws may still have taken effect if it writes, truncates, synchronises, renames or
/// removes; only `interrupted` says that it has not. Network file systems do so when a reply is
/// lost.
///
/// Names are single path components, opened relative to a folder's descriptor; a symbolic link is never
/// followed. A call may be interrupted, and a read or write may move fewer bytes than asked: callers
/// use the loops of `FileSystem+Loops.swift`.
///
/// **What survives.** When the *process* ends, everything that a call has done stays. When the *machine*
/// loses power, only this is sure:
///
/// | what | survives from |
/// |---|---|
/// | bytes and size of a file | a `synchronize` of that file that returned |
/// | that a name stands for a file or no longer does | a `synchronizeFolder` that returned, of each folder concerned |
///
/// Everything else may survive or not, piece by piece and in any order, with two exceptions: a rename is
/// whole (the new name stands for the old file or for the new one), and what was synchronised stays as it
/// was until it is written again. A `synchronize` that fails leaves all of its file's unsynchronised bytes
/// unknown for ever: a second one that succeeds proves nothing about them.
///
/// Source: LocalStore.md, "What survives what".
package protocol FileSystem: Sendable {
  /// Opens a folder by an absolute path; with a mode, makes it if it does not exist.
  func openFolder(path: String, makingMode: UInt16?) throws(FileError) -> Descriptor
  /// Opens a folder within another.
  func openFolder(
    _ name: String,
    in folder: Descriptor,
    makingMode: UInt16?
  ) throws(FileError) -> Descriptor
  func open(
    _ name: String,
    in folder: Descriptor,
    _ access: FileAccess
  ) throws(FileError) -> Descriptor
  /// Closes a file or folder, which gives up its lock.
  func close(_ descriptor: Descriptor)

  /// Reads at most `count` bytes; none at the end of the file only.
  func read(_ file: Descriptor, at offset: Int, upTo count: Int) throws(FileError) -> [UInt8]
  /// Writes at least one byte of `bytes`, and says how many.
  func write(
    _ bytes: ArraySlice<UInt8>,
    to file: Descriptor,
    at offset: Int
  ) throws(FileError) -> Int
  func truncate(_ file: Descriptor, to size: Int) throws(FileError)
  func size(of file: Descriptor) throws(FileError) -> Int
  func synchronize(_ file: Descriptor, _ depth: SyncDepth) throws(FileError)
  func synchronizeFolder(_ folder: Descriptor) throws(FileError)

  /// All names in a folder, sorted; an error if it cannot be read to its end.
  func names(in folder: Descriptor) throws(FileError) -> [String]
  /// What a name stands for, itself and not what it links to; `nil` if nothing has it.
  func status(of name: String, in folder: Descriptor) throws(FileError) -> FileStatus?
  /// Renames a file within a folder or into another, replacing what has the new name.
  func rename(
    _ name: String,
    in folder: Descriptor,
    to newName: String,
    in newFolder: Descriptor
  ) throws(FileError)
  func remove(_ name: String, in folder: Descriptor) throws(FileError)

  /// Takes the file's only lock, without waiting; false if another descriptor has it.
  ///
  /// The lock belongs to the descriptor: another one of the same process is refused as well, and the
  /// end of the process gives it up.
  func lock(_ file: Descriptor) throws(FileError) -> Bool
}
