/// What an interruption may leave, by how much is promised of the file system below.
///
/// Source: Pillai et al., All File Systems Are Not Created Equal, 2014.
package enum CrashModel: String, Hashable, Sendable, CaseIterable {
  /// The process ends; everything that was done stays, and what was not synchronised is no surer for it.
  case process
  /// The power goes; what stays is a beginning of what was done, in its order.
  case ordered
  /// As common journalling file systems behave: names change in order, the bytes of each file arrive in
  /// order, and bytes may come later than a name.
  case journalling
  /// Any part of what was not synchronised stays, by sectors and names; a rename is whole.
  case adversarial
}

extension MemoryDisk {
  /// Bytes that reach the disk together.
  package static let sectorSize = 512

  /// A part of what is not sure: effects of bytes are cut into sectors.
  private struct Piece {
    var effect: Effect
    /// Pieces of one line arrive in order under ``CrashModel/journalling``: a file, or the names.
    var line: Node?
  }

  private var pieces: [Piece] {
    pending.array.flatMap { effect -> [Piece] in
      switch effect {
      case .data(let node, let offset, let bytes):
        var pieces: [Piece] = []
        var start = 0
        while start < bytes.count {
          let end = min(
            bytes.count,
            (offset + start) / Self.sectorSize * Self.sectorSize + Self.sectorSize - offset
          )
          let piece = Effect.data(node, offset: offset + start, Array(bytes[start..<end]))
          pieces.append(Piece(effect: piece, line: node))
          start = end
        }
        return pieces
      case .size(let node, _): return [Piece(effect: effect, line: node)]
      case .entry, .move: return [Piece(effect: effect, line: nil)]
      }
    }
  }

  /// The number of parts that a crash may keep or lose.
  package var pieceCount: Int { pieces.count }

  /// The disk after a crash: with nothing pending, unless only the process ended.
  ///
  /// What a process has not synchronised stays pending when it ends: a later loss of power may still take it.
  ///
  /// `isLost` is asked of each part, by its number, whether it is lost; what the model does not allow to be
  /// kept without it is lost with it.
  package func crashed(_ model: CrashModel, isLost: (Int) -> Bool) -> MemoryDisk {
    guard model != .process else { return self }
    var disk = self
    disk.pending = PagedArray()
    var broken: Set<Node> = []
    var areNamesBroken = false
    var isAllBroken = false
    for (index, piece) in pieces.enumerated() {
      let isBroken =
        switch model {
        case .process, .adversarial: false
        case .ordered: isAllBroken
        case .journalling: piece.line.map { broken.contains($0) } ?? areNamesBroken
        }
      guard !isBroken, !isLost(index) else {
        isAllBroken = true
        if let line = piece.line { broken.insert(line) } else { areNamesBroken = true }
        continue
      }
      disk.durable.apply(piece.effect)
    }
    disk.seen = disk.durable
    return disk
  }

  // MARK: - Looking and damaging

  /// The bytes of a file below the root, by the names that lead to it; `nil` if there is none.
  package func bytes(at path: [String]) -> [UInt8]? {
    node(at: path).flatMap { seen.files[$0]?.bytes.array }
  }

  /// Replaces the bytes of a file as a defect of the disk does; nothing is pending by it.
  package mutating func damage(_ path: [String], _ change: (inout [UInt8]) -> Void) {
    guard let node = node(at: path), var file = seen.files[node] else { return }
    var bytes = file.bytes.array
    change(&bytes)
    file.bytes = PagedArray(bytes)
    seen.files[node] = file
    durable.files[node] = file
  }

  /// Removes a file as a person does; nothing is pending by it.
  package mutating func remove(_ path: [String]) {
    guard let name = path.last, let folder = node(at: path.dropLast()) else { return }
    seen.folders[folder]?[Array(name.utf8)] = nil
    durable.folders[folder]?[Array(name.utf8)] = nil
  }

  /// The paths of all files, sorted.
  package var paths: [[String]] {
    func walk(_ folder: Node, _ path: [String]) -> [[String]] {
      (seen.folders[folder] ?? [:]).flatMap { name, node -> [[String]] in
        let path = path + [String(decoding: name, as: UTF8.self)]
        return seen.folders[node] == nil ? [path] : walk(node, path)
      }
    }
    return walk(0, []).sorted { $0.joined(separator: "/") < $1.joined(separator: "/") }
  }

  /// Bytes of all files that have a name or are open.
  func usedBytes(besides open: some Sequence<Node>) -> Int {
    let named = seen.folders.values.flatMap(\.values)
    return Set(named).union(open).reduce(0) { $0 + (seen.files[$1]?.bytes.count ?? 0) }
  }

  /// The mode of a file; `nil` if there is none.
  package func mode(at path: [String]) -> UInt16? {
    node(at: path).flatMap { seen.files[$0]?.mode ?? seen.folderModes[$0] }
  }

  /// Adds a file that has been there for long, with the folders above it.
  package mutating func add(_ path: [String], _ bytes: [UInt8], mode: UInt16 = 0o644) {
    guard let folder = makeFolders(path.dropLast()), let name = path.last else { return }
    let node = newFile(mode: mode)
    seen.files[node]?.bytes = PagedArray(bytes)
    durable.files[node]?.bytes = PagedArray(bytes)
    seen.folders[folder]?[Array(name.utf8)] = node
    durable.folders[folder]?[Array(name.utf8)] = node
  }

  /// Adds a symbolic link that has been there for long.
  package mutating func addLink(_ path: [String], to target: String) {
    add(path, [])
    guard let node = node(at: path) else { return }
    seen.files[node]?.target = target
    durable.files[node]?.target = target
  }

  @discardableResult
  package mutating func makeFolders(_ path: some Sequence<String>) -> Int? {
    var folder = 0
    for name in path {
      let key = Array(name.utf8)
      if let next = seen.folders[folder]?[key] {
        guard seen.folders[next] != nil else { return nil }
        folder = next
      } else {
        let next = newFolder(mode: 0o755)
        seen.folders[folder]?[key] = next
        durable.folders[folder]?[key] = next
        folder = next
      }
    }
    return folder
  }

  func node(at path: some Sequence<String>) -> Node? {
    var node = 0
    for name in path {
      guard let next = seen.folders[node]?[Array(name.utf8)] else { return nil }
      node = next
    }
    return node
  }
}

extension MemoryDisk {
  /// Whether a path leads to a symbolic link.
  package func isLink(_ path: [String]) -> Bool {
    node(at: path).flatMap { seen.files[$0]?.target } != nil
  }
}
