import Foundation

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The operating system's files.
///
/// Every descriptor is closed on `exec`, no symbolic link is followed, and locks are those of `flock`, which
/// belong to the open file: POSIX record locks vanish when any descriptor of the file is closed.
package struct SystemFiles: FileSystem {
  package init() {}

  package func openFolder(path: String, makingMode: UInt16?) throws(FileError) -> Descriptor {
    if let makingMode, unsafe mkdir(path, mode_t(makingMode)) != 0, errno != EEXIST {
      throw FileError(.openFolder, path, .init(errno: errno))
    }
    // The caller's own path may lead through links: only what is opened within it may not.
    let opened = Self.openAt(AT_FDCWD, path, flags: O_RDONLY | O_DIRECTORY)
    return try descriptor(opened, .openFolder, path)
  }

  package func openFolder(
    _ name: String,
    in folder: Descriptor,
    makingMode: UInt16?
  ) throws(FileError) -> Descriptor {
    if let makingMode, unsafe mkdirat(folder.number, name, mode_t(makingMode)) != 0, errno != EEXIST
    {
      throw FileError(.openFolder, name, .init(errno: errno))
    }
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
    return try descriptor(Self.openAt(folder.number, name, flags: flags), .openFolder, name)
  }

  package func open(
    _ name: String,
    in folder: Descriptor,
    _ access: FileAccess
  ) throws(FileError) -> Descriptor {
    let (flags, mode): (Int32, UInt16) =
      switch access {
      case .read: (O_RDONLY, 0)
      case .update: (O_RDWR, 0)
      case .create(let mode): (O_RDWR | O_CREAT, mode)
      case .createNew(let mode): (O_RDWR | O_CREAT | O_EXCL, mode)
      }
    let opened = Self.openAt(
      folder.number,
      name,
      flags: flags | O_NOFOLLOW | O_NONBLOCK,
      mode: mode
    )
    return try descriptor(opened, .open, name)
  }

  private static func openAt(
    _ folder: Int32,
    _ name: String,
    flags: Int32,
    mode: UInt16 = 0
  ) -> Int32 {
    unsafe openat(folder, name, flags | O_CLOEXEC, mode_t(mode))
  }

  private func descriptor(
    _ number: Int32,
    _ call: FileError.Call,
    _ name: String
  ) throws(FileError) -> Descriptor {
    guard number >= 0 else { throw FileError(call, name, .init(errno: errno)) }
    return Descriptor(number)
  }

  package func close(_ descriptor: Descriptor) {
    // A lock lives as long as any copy of its descriptor, and a child process that is being started
    // has one until it calls `exec`: without this the next opener may be refused for that moment.
    _ = flock(descriptor.number, LOCK_UN)
    #if canImport(Darwin)
    _ = Darwin.close(descriptor.number)
    #else
    _ = Glibc.close(descriptor.number)
    #endif
  }

  package func read(
    _ file: Descriptor,
    at offset: Int,
    upTo count: Int
  ) throws(FileError) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
      let got = unsafe pread(file.number, buffer.baseAddress, buffer.count, off_t(offset))
      if got < 0 { failure = errno }
      filled = max(0, got)
    }
    guard failure == 0 else { throw FileError(.read, "", .init(errno: failure)) }
    return bytes
  }

  package func write(
    _ bytes: ArraySlice<UInt8>,
    to file: Descriptor,
    at offset: Int
  ) throws(FileError) -> Int {
    var failure: Int32 = 0
    // The bytes are read only while the slice is held.
    let count = unsafe bytes.withUnsafeBytes { buffer in
      let sent = unsafe pwrite(file.number, buffer.baseAddress, buffer.count, off_t(offset))
      if sent < 0 { failure = errno }
      return sent
    }
    guard failure == 0 else { throw FileError(.write, "", .init(errno: failure)) }
    return count
  }

  package func truncate(_ file: Descriptor, to size: Int) throws(FileError) {
    try check(ftruncate(file.number, off_t(size)), .truncate)
  }

  package func size(of file: Descriptor) throws(FileError) -> Int {
    var status = stat()
    try check(unsafe fstat(file.number, &status), .size)
    return Int(status.st_size)
  }

  package func synchronize(_ file: Descriptor, _ depth: SyncDepth) throws(FileError) {
    #if canImport(Darwin)
    // `fsync` there leaves bytes in the drive's cache.
    let status = depth == .drive ? fcntl(file.number, F_FULLFSYNC) : fsync(file.number)
    #else
    let status = fdatasync(file.number)
    #endif
    try check(status, .synchronize)
  }

  package func synchronizeFolder(_ folder: Descriptor) throws(FileError) {
    try check(fsync(folder.number), .synchronizeFolder)
  }

  package func names(in folder: Descriptor) throws(FileError) -> [String] {
    // A descriptor of its own: reading moves the position, and closing the stream closes it.
    let copy = try descriptor(
      Self.openAt(folder.number, ".", flags: O_RDONLY | O_DIRECTORY),
      .names,
      ""
    )
    guard let stream = unsafe fdopendir(copy.number) else {
      let error = FileError(.names, "", .init(errno: errno))
      close(copy)
      throw error
    }
    defer { unsafe closedir(stream) }
    let names = try Self.names {
      guard let entry = unsafe readdir(stream) else { return nil }
      return unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The names that `next` gives until it gives none, which `readdir` does at the end and where it fails.
  ///
  /// `errno` alone tells the two apart: a folder that cannot be read is not an empty one.
  static func names(from next: () -> String?) throws(FileError) -> [String] {
    var names: [String] = []
    while true {
      // A call that succeeds leaves what an earlier one has set.
      errno = 0
      guard let name = next() else { break }
      if name != ".", name != ".." { names.append(name) }
    }
    guard errno == 0 else { throw FileError(.names, "", .init(errno: errno)) }
    return names
  }

  package func status(
    of name: String,
    in folder: Descriptor
  ) throws(FileError) -> FileStatus? {
    var status = stat()
    guard unsafe fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      if errno == ENOENT { return nil }
      throw FileError(.status, name, .init(errno: errno))
    }
    let kind: FileStatus.Kind =
      switch status.st_mode & mode_t(S_IFMT) {
      case mode_t(S_IFREG): .file
      case mode_t(S_IFDIR): .folder
      case mode_t(S_IFLNK): .link
      default: .other
      }
    return FileStatus(kind: kind, size: Int(status.st_size), mode: UInt16(status.st_mode & 0o7777))
  }

  package func rename(
    _ name: String,
    in folder: Descriptor,
    to newName: String,
    in newFolder: Descriptor
  ) throws(FileError) {
    try check(unsafe renameat(folder.number, name, newFolder.number, newName), .rename, name)
  }

  package func remove(_ name: String, in folder: Descriptor) throws(FileError) {
    try check(unsafe unlinkat(folder.number, name, 0), .remove, name)
  }

  package func lock(_ file: Descriptor) throws(FileError) -> Bool {
    if flock(file.number, LOCK_EX | LOCK_NB) == 0 { return true }
    if errno == EWOULDBLOCK { return false }
    throw FileError(.lock, "", .init(errno: errno))
  }

  private func check(
    _ status: Int32,
    _ call: FileError.Call,
    _ name: String = ""
  ) throws(FileError) {
    guard status == 0 else { throw FileError(call, name, .init(errno: errno)) }
  }
}
