import FileSystems
import Texts

extension StoreEngine {
  /// Decides what becomes of a damaged store; `names` are the files concerned.
  ///
  ///     refuse      copies, if they can be made; the opening throws
  ///     readOnly    copies, if they can be made; what is intact is served
  ///     salvage     copies, or the opening throws: what is intact is rewritten
  ///
  /// - Throws: The damage, unless the policy goes on with it.
  func judge(_ damage: StoreDamage, _ names: [String]) throws(StoreError) {
    report.damage.append(damage)
    report.state = .damaged
    let failure = copyToQuarantine(names)
    switch options.onDamage {
    case .refuse: throw StoreError(.corrupted(damage), .open)
    case .readOnly: health = .readOnly("\(damage)")
    case .salvage:
      // What is given up must be kept elsewhere first.
      if let failure { throw failure }
    }
  }

  private func copyToQuarantine(_ names: [String]) -> StoreError? {
    do {
      for name in names { try quarantine(name) }
      return nil
    } catch {
      return error
    }
  }

  /// Keeps a copy of a file of the store; nothing where nothing may be written.
  func quarantine(_ name: String) throws(StoreError) {
    guard case .ok = health else { return }
    let bytes = try contents(name)
    if !bytes.isEmpty { try quarantine(bytes, name) }
  }

  /// Keeps bytes under a name that says what they are; the same bytes once.
  ///
  /// The name has the checksum of the bytes, so that each opening of one damaged store writes the same copy. It is
  /// written again even if it is there: the opening that made it may have ended before it was synchronised, and the
  /// damaged bytes are removed only after that. The new copy takes the place of the old one as a whole.
  func quarantine(_ bytes: [UInt8], _ name: String) throws(StoreError) {
    guard let folder else { return }
    let target = "\(name).\(Self.label(bytes))"
    try opening { () throws(FileError) in
      let shelf = try files.openFolder(StoreFile.quarantine, in: folder, makingMode: 0o700)
      defer { files.close(shelf) }
      let fresh = "\(target).new"
      try files.make(fresh, in: shelf, mode: options.fileMode, bytes, depth)
      try files.rename(fresh, in: shelf, to: target, in: shelf)
      try files.settle(folder: shelf)
      try files.settle(folder: folder)
    }
    report.quarantined.append(target)
  }

  /// Eight hexadecimal digits of the bytes' checksum.
  static func label(_ bytes: [UInt8]) -> String {
    hexString(crc32(of: bytes, in: bytes.indices))
  }

  // MARK: - The seed's file

  /// The schema of the items in the seed's file, which says none.
  ///
  /// It is that of an app's first version with a store, which takes the file's items as they are: an app that is
  /// updated past that version finds what it would have found if it had run in between.
  private static let legacySchema: UInt32 = 1

  /// Reads the seed's file into a new store.
  ///
  /// Its items become change 1, in the order of the file, brought over from ``legacySchema`` if the store is of a
  /// higher one. The file stays where it is until the new store is sure (``settleLegacy()``): an interruption in
  /// between takes it over once more.
  func takeOver(
    _ readLegacy: (([UInt8]) throws(StoreError) -> LegacyContents)?
  ) throws(StoreError) {
    guard let readLegacy, let bytes = try legacyBytes() else { return }
    let contents: LegacyContents
    do {
      contents = try readLegacy(bytes)
    } catch {
      guard case .corrupted(let damage) = error.reason else { throw error }
      report.damage.append(damage)
      report.state = .damaged
      switch options.onDamage {
      case .refuse: throw error
      case .readOnly: health = .readOnly("\(damage)")
      case .salvage: remember(bytes)
      }
      return
    }
    for item in contents.items {
      table.put(item.id, StoredItem(version: 1, payload: item.payload))
    }
    _ = try migrate(from: Self.legacySchema)
    sequence = 1
    report.unreadableElements = contents.unreadable
    report.state = .imported
    remember(bytes)
  }

  /// Notes by what the seed's file is known again; the snapshot's header keeps it.
  private func remember(_ bytes: [UInt8]) {
    legacy = (UInt64(bytes.count), crc32(of: bytes, in: bytes.indices))
  }

  /// Moves the seed's file that the store was made of out of its place, now that the store is sure.
  ///
  /// The snapshot's header has its size and checksum, by which it is known again at every opening:
  /// a file of other bytes is not the store's own, and stays.
  func settleLegacy() throws(StoreError) {
    guard let directory, let folder else { return }
    let status = try opening { () throws(FileError) in
      try files.status(of: place.filename, in: directory)
    }
    guard let status else { return }
    // What the store was not made of is left alone, and not read: it may be a link, a folder, very large, or another's.
    guard status.kind == .file, legacy.count > 0, legacy.count == UInt64(status.size),
      let bytes = try readableLegacyBytes(),
      legacy.count == bytes.count, legacy.checksum == crc32(of: bytes, in: bytes.indices)
    else {
      report.hasForeignFile = true
      return
    }
    let target = "\(place.filename).\(Self.label(bytes))"
    try opening { () throws(FileError) in
      let shelf = try files.openFolder(StoreFile.quarantine, in: folder, makingMode: 0o700)
      defer { files.close(shelf) }
      try files.settle(folder: folder)
      try files.uninterrupted { () throws(FileError) in
        try files.rename(place.filename, in: directory, to: target, in: shelf)
      }
      try files.settle(folder: shelf)
      try files.settle(folder: directory)
    }
    report.quarantined.append(target)
  }

  /// As ``legacyBytes()``, but nothing where it may not be read: a file that is not ours to read is
  /// foreign.
  private func readableLegacyBytes() throws(StoreError) -> [UInt8]? {
    do {
      return try legacyBytes()
    } catch {
      if case .readOnly = error.reason { return nil }
      throw error
    }
  }

  /// The seed's file as it stands beside the store's folder; `nil` if none does.
  func legacyBytes() throws(StoreError) -> [UInt8]? {
    guard let directory else { return nil }
    return try opening { () throws(FileError) in
      try files.contents(of: place.filename, in: directory)
    }
  }
}

/// What the seed's file holds.
package struct LegacyContents: Hashable, Sendable {
  package struct Item: Hashable, Sendable {
    package var id: ItemID
    package var payload: [UInt8]
  }

  package var items: [Item]
  /// Elements without an id, from 0.
  package var unreadable: [Int]
}
