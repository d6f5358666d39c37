package import FileSystems
package import Foundation

/// The files below a folder, in the order of their paths; none if the folder is not there.
///
/// Links are followed unless only the `own` files are meant, and a folder that several lead to is read once. The
/// paths are relative if the folder's is.
///
/// - Throws: ``FileFailure`` for the first folder that cannot be read: what stands in it would count as not there.
package func filesBelow(
  _ folder: URL,
  own isOwn: Bool = false,
  in files: any FileSystem = SystemFiles()
) throws -> [URL] {
  var found: [URL] = []
  var seen: Set<String> = []
  var open = [folder][...]
  while let next = open.popFirst() {
    guard seen.insert(next.resolvingSymlinksInPath().path).inserted else { continue }
    for (url, kind) in try entries(of: next, in: files) {
      let isLinked = !isOwn && kind == .link && fileType(url) == .typeDirectory
      if kind == .folder || isLinked { open.append(url) } else { found.append(url) }
    }
  }
  return found.sorted { $0.path < $1.path }
}

/// Sees that a folder can be read, if it is there: one that cannot be would look like an empty one.
///
/// - Throws: ``FileFailure``, which names the folder.
package func tryReading(_ folder: URL) throws {
  // Below a file there is none.
  if fileType(folder) == nil, standsBelowFile(folder) { return }
  _ = try entries(of: folder, in: SystemFiles())
}

/// What stands in a folder, each with its kind; nothing if the folder is not there.
private func entries(
  of folder: URL,
  in files: any FileSystem
) throws -> [(url: URL, kind: FileStatus.Kind?)] {
  do {
    let descriptor = try files.openFolder(path: folder.path, makingMode: nil)
    defer { files.close(descriptor) }
    return try files.names(in: descriptor).map { name in
      let url = folder.appending(path: name, directoryHint: .notDirectory)
      return (url, try files.status(of: name, in: descriptor)?.kind)
    }
  } catch let error as FileError where error.call == .openFolder && error.cause == .notFound {
    return []
  } catch {
    throw FileFailure("cannot read the folder \(folder.relativePath)", error)
  }
}
