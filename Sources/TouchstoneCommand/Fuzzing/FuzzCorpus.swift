import Foundation

/// The inputs of one target that are kept from run to run, whole at any time: a run that is killed has
/// lost nothing but its last seconds.
struct FuzzCorpus {
  /// The name of the folder.
  let id: String
  /// The folder of all corpora.
  let parent: URL

  var folder: URL { parent.appendingPathComponent(id) }

  var count: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path).count) ?? 0
  }

  /// Where the corpus lies while a smaller one takes its place.
  private var larger: URL { parent.appendingPathComponent(".\(id)-larger") }

  /// Puts back what a killed run had moved away.
  ///
  /// - Throws: What the file system says.
  func restore() throws {
    guard FileManager.default.fileExists(atPath: larger.path) else { return }
    if FileManager.default.fileExists(atPath: folder.path) {
      try FileManager.default.removeItem(at: larger)
    } else {
      try FileManager.default.moveItem(at: larger, to: folder)
    }
  }

  /// Puts fewer inputs in the place of all that reach the same.
  ///
  /// `merge` copies them into a folder, and says whether it came to its end; if not, all is as it was.
  ///
  /// - Throws: What the file system says, or `merge`.
  func minimise(_ merge: (_ smaller: URL) throws -> Bool) throws {
    let manager = FileManager.default
    let smaller = parent.appendingPathComponent(".\(id)-smaller")
    if manager.fileExists(atPath: smaller.path) { try manager.removeItem(at: smaller) }
    try manager.createDirectory(at: smaller, withIntermediateDirectories: true)
    let isWhole = try merge(smaller)
    guard isWhole, try !manager.contentsOfDirectory(atPath: smaller.path).isEmpty else {
      try manager.removeItem(at: smaller)
      return
    }
    try manager.moveItem(at: folder, to: larger)
    try manager.moveItem(at: smaller, to: folder)
    try manager.removeItem(at: larger)
  }
}
