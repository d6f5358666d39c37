/// A disk as a value: what programs see, what would survive the loss of power, and what lies between.
///
/// Copies share their bytes until one is changed, so that an image can be kept for each call of a run.
package struct MemoryDisk: Sendable {
  typealias Node = Int

  /// A file's bytes.
  struct File: Sendable, Hashable {
    var bytes = PagedArray<UInt8>()
    var mode: UInt16
    /// Where a symbolic link leads; `nil` for a file.
    var target: String?
  }

  /// Names and bytes of all files.
  struct Contents: Sendable, Hashable {
    var files: [Node: File] = [:]
    /// Folders by node; names by their UTF-8, so that two spellings of a letter are two names.
    var folders: [Node: [[UInt8]: Node]] = [0: [:]]
    var folderModes: [Node: UInt16] = [0: 0o755]
  }

  /// Something that was done and that no synchronisation has made sure.
  enum Effect: Sendable, Hashable {
    /// Whether it is about the bytes of a file.
    func isOf(_ node: Node) -> Bool {
      switch self {
      case .data(node, _, _), .size(node, _): true
      default: false
      }
    }

    /// Bytes within the file's size.
    case data(Node, offset: Int, [UInt8])
    case size(Node, Int)
    /// A name stands for a node, or for nothing.
    case entry(folder: Node, name: [UInt8], Node?)
    /// What is left of it once a later change of a name is sure.
    ///
    ///     a is moved to another folder as b     not sure: the folder of a is not synchronised
    ///     b is removed there                    sure: of the move, that a is gone is left
    ///     or another a is made                  sure: of the move, that b is there is left
    func replaced(at folder: Node, _ name: [UInt8]) -> Effect {
      switch self {
      case .move(let from, let oldName, folder, name, _, _):
        .entry(folder: from, name: oldName, nil)
      case .move(folder, name, let newFolder, let newName, let node, _):
        .entry(folder: newFolder, name: newName, node)
      default: self
      }
    }

    /// A name is replaced, and the old one gone, in one.
    case move(folder: Node, name: [UInt8], newFolder: Node, newName: [UInt8], Node, open: Set<Node>)
  }

  /// What programs see.
  var seen = Contents()
  /// What survives the loss of power if nothing of ``pending`` does.
  var durable = Contents()
  /// In the order in which they were done.
  var pending = PagedArray<Effect>()
  var nextNode = 1

  package init() {}

  // MARK: - Doing

  mutating func newFile(mode: UInt16) -> Node {
    defer { nextNode += 1 }
    seen.files[nextNode] = File(mode: mode)
    // The bytes become durable by themselves; the name leads to them only when its folder is.
    durable.files[nextNode] = File(mode: mode)
    return nextNode
  }

  mutating func newFolder(mode: UInt16) -> Node {
    defer { nextNode += 1 }
    seen.folders[nextNode] = [:]
    seen.folderModes[nextNode] = mode
    durable.folders[nextNode] = [:]
    durable.folderModes[nextNode] = mode
    return nextNode
  }

  mutating func setEntry(_ folder: Node, _ name: [UInt8], _ node: Node?) {
    seen.folders[folder]?[name] = node
    pending.append(.entry(folder: folder, name: name, node))
  }

  mutating func move(
    _ name: [UInt8],
    in folder: Node,
    to newName: [UInt8],
    in newFolder: Node
  ) {
    guard let node = seen.folders[folder]?[name] else { return }
    seen.folders[folder]?[name] = nil
    seen.folders[newFolder]?[newName] = node
    pending.append(
      .move(
        folder: folder,
        name: name,
        newFolder: newFolder,
        newName: newName,
        node,
        open: [folder, newFolder]
      )
    )
  }

  mutating func write(_ bytes: ArraySlice<UInt8>, to node: Node, at offset: Int) {
    // Nothing, written behind the end, does not make a file longer.
    guard !bytes.isEmpty else { return }
    let end = offset + bytes.count
    if end > seen.files[node]?.bytes.count ?? 0 {
      resize(node, to: end)
    } else if end > sizeToCome(of: node) {
      // The file became so long by bytes that were given up; what is written again is within its size again.
      pending.append(.size(node, end))
    }
    seen.files[node]?.bytes.write(bytes, at: offset)
    pending.append(.data(node, offset: offset, Array(bytes)))
  }

  /// The size that a file has once all of ``pending`` is sure.
  private func sizeToCome(of node: Node) -> Int {
    for case .size(node, let size) in pending.array.reversed() { return size }
    return durable.files[node]?.bytes.count ?? 0
  }

  mutating func resize(_ node: Node, to size: Int) {
    seen.files[node]?.bytes.resize(to: size, with: 0)
    pending.append(.size(node, size))
  }

  // MARK: - Making sure

  mutating func synchronizeFile(_ node: Node) {
    for effect in pending.array where effect.isOf(node) { durable.apply(effect) }
    forgetUnsynchronised(node)
  }

  mutating func forgetUnsynchronised(_ node: Node) {
    pending = PagedArray(pending.array.filter { !$0.isOf(node) })
  }

  mutating func synchronizeFolder(_ folder: Node) {
    var rest: [Effect] = []
    for effect in pending.array {
      switch effect {
      case .entry(folder, let name, _):
        durable.apply(effect)
        rest = rest.map { $0.replaced(at: folder, name) }
      case .move(let from, let name, let to, let newName, let node, var open):
        open.remove(folder)
        if open.isEmpty {
          durable.apply(effect)
          rest = rest.map { $0.replaced(at: from, name).replaced(at: to, newName) }
        } else {
          rest.append(
            .move(folder: from, name: name, newFolder: to, newName: newName, node, open: open)
          )
        }
      default: rest.append(effect)
      }
    }
    pending = PagedArray(rest)
  }
}

extension MemoryDisk.Contents {
  /// Carries an effect out; bytes beyond the file's size, which did not get there, are lost.
  mutating func apply(_ effect: MemoryDisk.Effect) {
    switch effect {
    case .data(let node, let offset, let bytes):
      let size = files[node]?.bytes.count ?? 0
      let end = min(offset + bytes.count, size)
      guard offset < end else { return }
      files[node]?.bytes.write(bytes[..<(end - offset)], at: offset)
    case .size(let node, let size): files[node]?.bytes.resize(to: size, with: 0)
    case .entry(let folder, let name, let node): folders[folder]?[name] = node
    case .move(let folder, let name, let newFolder, let newName, let node, _):
      folders[folder]?[name] = nil
      folders[newFolder]?[newName] = node
    }
  }
}
