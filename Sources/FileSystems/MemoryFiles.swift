import Synchronization

/// Files in memory: the same calls as the system's, on a ``MemoryDisk``.
// A lock and no actor: the calls are synchronous. It guards the disk and the table of descriptors.
package final class MemoryFiles: FileSystem {
  private struct State {
    var disk: MemoryDisk
    var open: [Int32: Int] = [:]
    var next: Int32 = 3
    /// The descriptor that has each node's lock.
    var locks: [Int: Int32] = [:]
  }

  private let state: Mutex<State>

  /// Bytes that all files may hold together; a write beyond them finds the disk full.
  private let capacity: Mutex<Int>

  package init(_ disk: MemoryDisk = MemoryDisk(), capacity: Int = .max) {
    state = Mutex(State(disk: disk))
    self.capacity = Mutex(capacity)
  }

  /// The disk as it is now.
  package var disk: MemoryDisk { state.withLock { $0.disk } }

  /// Changes how much fits.
  package func setCapacity(_ bytes: Int) { capacity.withLock { $0 = bytes } }

  /// Bytes of all files that have a name or are open, which ``setCapacity(_:)`` limits.
  package var usedByteCount: Int {
    state.withLock { $0.disk.usedBytes(besides: $0.open.values) }
  }

  /// The number of descriptors that are open.
  package var openCount: Int { state.withLock { $0.open.count } }

  // MARK: - Names

  package func openFolder(path: String, makingMode: UInt16?) throws(FileError) -> Descriptor {
    let names = path.split(separator: "/").map(String.init)
    let mode = makingMode
    return try run(.openFolder, path) { state, fail in
      var node = 0
      for (index, name) in names.enumerated() {
        let key = Array(name.utf8)
        if let next = state.disk.seen.folders[node]?[key] {
          guard state.disk.seen.folders[next] != nil else { return fail(.wrongKind) }
          node = next
        } else if let mode, index == names.count - 1 {
          let made = state.disk.newFolder(mode: mode)
          state.disk.setEntry(node, key, made)
          node = made
        } else {
          return fail(.notFound)
        }
      }
      return .success(Self.opened(node, &state))
    }
  }

  package func openFolder(
    _ name: String,
    in folder: Descriptor,
    makingMode: UInt16?
  ) throws(FileError) -> Descriptor {
    try run(.openFolder, name) { state, fail in
      guard let parent = state.open[folder.number] else { return fail(.other(9)) }
      let key = Array(name.utf8)
      if let node = state.disk.seen.folders[parent]?[key] {
        guard state.disk.seen.folders[node] != nil else { return fail(.wrongKind) }
        return .success(Self.opened(node, &state))
      }
      guard let makingMode else { return fail(.notFound) }
      let node = state.disk.newFolder(mode: makingMode)
      state.disk.setEntry(parent, key, node)
      return .success(Self.opened(node, &state))
    }
  }

  package func open(
    _ name: String,
    in folder: Descriptor,
    _ access: FileAccess
  ) throws(FileError) -> Descriptor {
    try run(.open, name) { state, fail in
      guard let parent = state.open[folder.number] else { return fail(.other(9)) }
      let key = Array(name.utf8)
      if let node = state.disk.seen.folders[parent]?[key] {
        if case .createNew = access { return fail(.alreadyExists) }
        guard let file = state.disk.seen.files[node], file.target == nil else {
          return fail(.wrongKind)
        }
        return .success(Self.opened(node, &state))
      }
      switch access {
      case .read, .update: return fail(.notFound)
      case .create(let mode), .createNew(let mode):
        let node = state.disk.newFile(mode: mode)
        state.disk.setEntry(parent, key, node)
        return .success(Self.opened(node, &state))
      }
    }
  }

  private static func opened(_ node: Int, _ state: inout State) -> Descriptor {
    defer { state.next += 1 }
    state.open[state.next] = node
    return Descriptor(state.next)
  }

  package func close(_ descriptor: Descriptor) {
    state.withLock { state in
      guard let node = state.open.removeValue(forKey: descriptor.number) else { return }
      if state.locks[node] == descriptor.number { state.locks[node] = nil }
    }
  }

  package func names(in folder: Descriptor) throws(FileError) -> [String] {
    try run(.names) { state, fail in
      guard let node = state.open[folder.number], let names = state.disk.seen.folders[node] else {
        return fail(.wrongKind)
      }
      let sorted = names.keys.sorted { $0.lexicographicallyPrecedes($1) }
      return .success(sorted.map { String(decoding: $0, as: UTF8.self) })
    }
  }

  package func status(
    of name: String,
    in folder: Descriptor
  ) throws(FileError) -> FileStatus? {
    try run(.status, name) { state, fail in
      guard let parent = state.open[folder.number] else { return fail(.other(9)) }
      guard let node = state.disk.seen.folders[parent]?[Array(name.utf8)] else {
        return .success(nil)
      }
      if let file = state.disk.seen.files[node] {
        let kind: FileStatus.Kind = file.target == nil ? .file : .link
        return .success(FileStatus(kind: kind, size: file.bytes.count, mode: file.mode))
      }
      let mode = state.disk.seen.folderModes[node] ?? 0
      return .success(FileStatus(kind: .folder, size: 0, mode: mode))
    }
  }

  package func rename(
    _ name: String,
    in folder: Descriptor,
    to newName: String,
    in newFolder: Descriptor
  ) throws(FileError) {
    try run(.rename, name) { state, fail -> Result<Void, FileError> in
      guard let from = state.open[folder.number], let to = state.open[newFolder.number] else {
        return fail(.other(9))
      }
      guard state.disk.seen.folders[from]?[Array(name.utf8)] != nil else { return fail(.notFound) }
      state.disk.move(Array(name.utf8), in: from, to: Array(newName.utf8), in: to)
      return .success(())
    }
  }

  package func remove(_ name: String, in folder: Descriptor) throws(FileError) {
    try run(.remove, name) { state, fail -> Result<Void, FileError> in
      guard let parent = state.open[folder.number] else { return fail(.other(9)) }
      guard let node = state.disk.seen.folders[parent]?[Array(name.utf8)] else {
        return fail(.notFound)
      }
      guard state.disk.seen.folders[node] == nil else { return fail(.wrongKind) }
      state.disk.setEntry(parent, Array(name.utf8), nil)
      return .success(())
    }
  }

  // MARK: - Bytes

  package func read(
    _ file: Descriptor,
    at offset: Int,
    upTo count: Int
  ) throws(FileError) -> [UInt8] {
    try run(.read) { state, fail in
      guard let node = state.open[file.number], let found = state.disk.seen.files[node] else {
        return fail(.other(9))
      }
      let start = min(max(0, offset), found.bytes.count)
      let end = min(found.bytes.count, start + max(0, count))
      return .success(found.bytes[start..<end])
    }
  }

  package func write(
    _ bytes: ArraySlice<UInt8>,
    to file: Descriptor,
    at offset: Int
  ) throws(FileError) -> Int {
    let limit = capacity.withLock { $0 }
    return try run(.write) { state, fail in
      guard let node = state.open[file.number], let found = state.disk.seen.files[node] else {
        return fail(.other(9))
      }
      var count = bytes.count
      if limit != .max {
        let used = state.disk.usedBytes(besides: state.open.values)
        let room = found.bytes.count - offset + max(0, limit - used)
        count = min(count, room)
        guard count > 0 || bytes.isEmpty else { return fail(.noSpace) }
      }
      state.disk.write(bytes.prefix(count), to: node, at: offset)
      return .success(count)
    }
  }

  package func truncate(_ file: Descriptor, to size: Int) throws(FileError) {
    try run(.truncate) { state, fail -> Result<Void, FileError> in
      guard let node = state.open[file.number] else { return fail(.other(9)) }
      state.disk.resize(node, to: size)
      return .success(())
    }
  }

  package func size(of file: Descriptor) throws(FileError) -> Int {
    try run(.size) { state, fail in
      guard let node = state.open[file.number], let found = state.disk.seen.files[node] else {
        return fail(.other(9))
      }
      return .success(found.bytes.count)
    }
  }

  package func synchronize(_ file: Descriptor, _ depth: SyncDepth) throws(FileError) {
    try run(.synchronize) { state, fail -> Result<Void, FileError> in
      guard let node = state.open[file.number] else { return fail(.other(9)) }
      state.disk.synchronizeFile(node)
      return .success(())
    }
  }

  /// Has what is not synchronised of a file never become so, as a failed synchronisation does.
  package func forgetUnsynchronised(_ file: Descriptor) {
    state.withLock { state in
      if let node = state.open[file.number] { state.disk.forgetUnsynchronised(node) }
    }
  }

  package func synchronizeFolder(_ folder: Descriptor) throws(FileError) {
    try run(.synchronizeFolder) { state, fail -> Result<Void, FileError> in
      guard let node = state.open[folder.number] else { return fail(.other(9)) }
      state.disk.synchronizeFolder(node)
      return .success(())
    }
  }

  package func lock(_ file: Descriptor) throws(FileError) -> Bool {
    try run(.lock) { state, fail in
      guard let node = state.open[file.number] else { return fail(.other(9)) }
      if let owner = state.locks[node], owner != file.number { return .success(false) }
      state.locks[node] = file.number
      return .success(true)
    }
  }

  private func run<Value: Sendable>(
    _ call: FileError.Call,
    _ name: String = "",
    _ body: (inout State, (FileError.Cause) -> Result<Value, FileError>) -> Result<Value, FileError>
  ) throws(FileError) -> Value {
    let result = state.withLock { state in
      body(&state) { .failure(FileError(call, name, $0)) }
    }
    return try result.get()
  }
}
