package import MergeEngine

/// Opening documents, and joining several.
package enum DocumentFile {
  /// Opens a document; `name` is what errors call it.
  package static func open(
    _ bytes: [UInt8],
    name: String
  ) throws(InspectionError) -> MergeDocument {
    do throws(ChunkError) {
      return try MergeDocument(loading: bytes, actor: ActorID([]))
    } catch {
      throw InspectionError(error, file: name)
    }
  }

  /// The document with the changes of all files, whatever their order; those whose dependencies are
  /// in none of them wait in it.
  package static func merge(
    _ files: [(name: String, bytes: [UInt8])]
  ) throws(InspectionError) -> MergeDocument {
    let result = MergeDocument(actor: ActorID([]))
    for file in files {
      do throws(ChunkError) {
        try result.applyChanges([file.bytes])
      } catch {
        let alone = MergeDocument(actor: ActorID([]))
        let isSound: Void? = try? alone.applyChanges([file.bytes])
        guard isSound != nil else { throw InspectionError(error, file: file.name) }
        throw .contradicting(file: file.name, reason: "\(error.reason)")
      }
    }
    return result
  }
}
