/// Calls repeated until all is done: short counts go on where they stopped, interruptions try again.
///
/// `Data.write` of Foundation 6.3.1 starts a short write again from its first byte, and reports success;
/// nothing here is written through it.
extension FileSystem {
  /// Writes all bytes at an offset.
  package func writeAll(
    _ bytes: [UInt8],
    to file: Descriptor,
    at offset: Int
  ) throws(FileError) {
    var done = 0
    while done < bytes.count {
      let count: Int
      do {
        count = try write(bytes[done...], to: file, at: offset + done)
      } catch  where error.cause == .interrupted {
        continue
      }
      // A system that takes nothing and says nothing would keep the loop for ever.
      guard count > 0 else { throw FileError(.write, "", .noSpace) }
      done += count
    }
  }

  /// Reads a whole file.
  package func readAll(_ file: Descriptor) throws(FileError) -> [UInt8] {
    let size = try size(of: file)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    while bytes.count < size {
      do {
        let piece = try read(file, at: bytes.count, upTo: size - bytes.count)
        guard !piece.isEmpty else { break }
        bytes += piece
      } catch  where error.cause == .interrupted {
        continue
      }
    }
    return bytes
  }

  /// Repeats a call while it is interrupted.
  package func uninterrupted<Result>(
    _ call: () throws(FileError) -> Result
  ) throws(FileError) -> Result {
    while true {
      do {
        return try call()
      } catch  where error.cause == .interrupted {
        continue
      }
    }
  }

  /// Synchronises a file, however often it is interrupted.
  package func settle(_ file: Descriptor, _ depth: SyncDepth) throws(FileError) {
    try uninterrupted { () throws(FileError) in try synchronize(file, depth) }
  }

  /// Synchronises a folder, however often it is interrupted.
  package func settle(folder: Descriptor) throws(FileError) {
    try uninterrupted { () throws(FileError) in try synchronizeFolder(folder) }
  }

  /// Cuts a file off, however often it is interrupted.
  package func cut(_ file: Descriptor, to size: Int) throws(FileError) {
    try uninterrupted { () throws(FileError) in try truncate(file, to: size) }
  }

  /// Opens a file, however often it is interrupted.
  package func opened(
    _ name: String,
    in folder: Descriptor,
    _ access: FileAccess
  ) throws(FileError) -> Descriptor {
    try uninterrupted { () throws(FileError) in try open(name, in: folder, access) }
  }

  /// The bytes of a file by its name; `nil` if there is none.
  package func contents(of name: String, in folder: Descriptor) throws(FileError) -> [UInt8]? {
    let file: Descriptor
    do {
      file = try opened(name, in: folder, .read)
    } catch  where error.cause == .notFound {
      return nil
    }
    defer { close(file) }
    do {
      return try readAll(file)
    } catch {
      throw error.named(name)
    }
  }

  /// Makes a file of these bytes and synchronises it; the name is sure only when the folder is
  /// synchronised as well.
  package func make(
    _ name: String,
    in folder: Descriptor,
    mode: UInt16,
    _ bytes: [UInt8],
    _ depth: SyncDepth
  ) throws(FileError) {
    let file = try opened(name, in: folder, .create(mode: mode))
    defer { close(file) }
    do {
      try cut(file, to: 0)
      try writeAll(bytes, to: file, at: 0)
      try settle(file, depth)
    } catch {
      throw error.named(name)
    }
  }
}
