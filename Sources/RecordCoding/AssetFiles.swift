import Foundation
import RecordModel

/// Files that are written for asset values.
///
/// Each has a folder of its own, so that two encodes never share one, whatever name the value gives; and a
/// name has no part that leads elsewhere.
///
///     record-assets/0F8C.../photo.json       directory / folder of one file, named by a UUID / safe name
struct AssetFiles {
  private let directory: URL
  /// Folders that were made.
  ///
  /// They are deleted if the encode throws; after a record was given out they are its own.
  private var folders: [URL] = []

  init(_ directory: URL) {
    self.directory = directory
  }

  /// Writes a file whole or not at all.
  ///
  /// - Throws: What Foundation throws, for a directory that cannot be made or written.
  mutating func write(_ bytes: Data, named name: String) throws -> URL {
    let folder = directory.appendingPathComponent(UUID().uuidString, isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    folders.append(folder)
    let file = folder.appendingPathComponent(Self.safe(name), isDirectory: false)
    try bytes.write(to: file, options: .atomic)
    return file
  }

  /// Files that were written.
  var count: Int { folders.count }

  /// Deletes all that was written behind the first files.
  mutating func removeAll(behind count: Int = 0) {
    for folder in folders[count...] { try? FileManager.default.removeItem(at: folder) }
    folders.removeSubrange(count...)
  }

  /// Deletes the files of a record that lie in the directory.
  ///
  /// Only a folder that lies in the directory and is named by a UUID was made here; all else is the
  /// user's. What cannot be deleted stays, without a word: the record is saved in any case.
  func remove(of record: Record) {
    let root = directory.standardizedFileURL.path
    for value in record.fields.values {
      for asset in value.assets {
        guard let folder = asset.fileURL?.standardizedFileURL.deletingLastPathComponent(),
          folder.deletingLastPathComponent().path == root,
          UUID(uuidString: folder.lastPathComponent) != nil
        else { continue }
        try? FileManager.default.removeItem(at: folder)
      }
    }
  }

  /// Bytes of a name at most: what file systems take.
  private static let nameByteLimit = 200

  /// The name with a hyphen for each character that leads elsewhere.
  ///
  /// Worked example: `"../../up"` is `"..-..-up"`; a name of dots alone, or none, is `"asset"`.
  static func safe(_ name: String) -> String {
    var safe = ""
    for scalar in name.unicodeScalars where safe.utf8.count < nameByteLimit {
      let isPlain =
        scalar.value >= 0x20 && scalar.value != 0x7F && !"/\\:".unicodeScalars.contains(scalar)
      safe.unicodeScalars.append(isPlain ? scalar : "-")
    }
    return safe.isEmpty || safe.allSatisfy { $0 == "." } ? "asset" : safe
  }
}
