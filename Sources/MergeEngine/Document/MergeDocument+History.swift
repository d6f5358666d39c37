/// One change, as its metadata.
package struct ChangeInfo: Hashable, Sendable {
  package let hash: ChangeHash
  package let actor: ActorID
  /// Number of the actor's changes up to this one.
  package let seq: UInt64
  /// Counter of the first operation.
  package let startOp: UInt64
  package let opCount: Int
  /// Whatever its writer put there; by custom seconds since 1970.
  package let time: Int64
  package let message: String?
  /// Ascending.
  package let dependencies: [ChangeHash]

  /// Counter of the last operation; one below `startOp` for an empty change.
  package var maxOp: UInt64 { startOp + UInt64(opCount) - 1 }
}

/// The change graph. All calls commit what is open, but for those that count what waits and was
/// dropped.
///
///     a <- b <- d      changes()                  a b c d, as they were applied here
///     a <- c           changes(since: [b])        c d: neither b nor an ancestor of it
///                      changes(since: [b, c])     d
///                      changes(since: [unknown])  a b c d
///
/// Cost: a look at each change, unless `heads` are those of the document; the chunk of a change
/// that came with a document is rebuilt at the first call for the bytes of any such change, all of
/// them at once.
extension MergeDocument {
  /// All changes that are not `heads` or their ancestors, in the order of application.
  package func changes(since heads: [ChangeHash] = []) -> [ChangeInfo] {
    core.commit()
    return core.changes(since: heads).map { info($0) }
  }

  /// The hashes of the changes that are not `heads` or their ancestors.
  package func changeHashes(since heads: [ChangeHash] = []) -> [ChangeHash] {
    core.commit()
    return core.changes(since: heads).map { core.history.hashes[$0] }
  }

  package var changeCount: Int {
    core.commit()
    return core.history.count
  }

  /// A change by hash; `nil` if it is not applied here.
  package func change(_ hash: ChangeHash) -> ChangeInfo? {
    core.commit()
    return core.history.find(hash).map { info($0) }
  }

  /// The plain chunk of a change; `compressed`: deflated if it has more than 256 bytes.
  package func changeBytes(_ hash: ChangeHash, compressed: Bool = false) -> [UInt8]? {
    core.commit()
    guard let change = core.history.find(hash) else { return nil }
    return bytes(change, compressed: compressed)
  }

  /// The chunks of the changes that are not `heads` or their ancestors.
  package func changeBytes(
    since heads: [ChangeHash] = [],
    compressed: Bool = false
  ) -> [[UInt8]] {
    core.commit()
    return core.changes(since: heads).map { bytes($0, compressed: compressed) }
  }

  /// Hashes that waiting changes depend on and that are neither applied nor waiting, ascending.
  ///
  /// Cost: a step for each waiting change and each of its dependencies.
  package func missingDependencies() -> [ChangeHash] {
    core.commit()
    let waiting = Set(core.history.waiting.map(\.hash))
    var missing: Set<ChangeHash> = []
    for hash in core.history.waiting.flatMap(\.dependencies)
    where core.history.find(hash) == nil && !waiting.contains(hash) {
      missing.insert(hash)
    }
    return missing.sorted()
  }

  /// Changes that wait for their dependencies.
  package var waitingCount: Int { core.history.waiting.count }

  /// Changes that wait for their dependencies, as plain chunks, in the order of the queue.
  package var waitingChanges: [(hash: ChangeHash, bytes: [UInt8])] {
    core.history.waiting.map { ($0.hash, $0.bytes) }
  }

  /// Changes that waited and were refused when their dependencies came: the last ones, oldest first.
  package var droppedChanges: [DroppedChange] { core.history.dropped }

  /// How many waiting changes were refused in all.
  package var droppedChangeCount: Int { core.history.droppedCount }

  private func info(_ change: ChangeHandle) -> ChangeInfo {
    let record = core.history.records[change]
    let message = core.history.text.view(
      from: Int(record.messageStart),
      length: Int(record.messageLength)
    )
    return ChangeInfo(
      hash: core.history.hashes[change],
      actor: core.actors.ids[Int(record.actor)],
      seq: UInt64(record.seq),
      startOp: UInt64(record.startOp),
      opCount: Int(record.opCount),
      time: record.time,
      message: message.count == 0 ? nil : message.string,
      dependencies: record.dependencies.map {
        core.history.hashes[core.history.dependencies[$0]]
      }
    )
  }

  /// Changes longer than this, header included, are deflated.
  private static var plainChangeByteLimit: Int { Sizes.plainChangeByteLimit }

  /// Rebuilds chunks of a loaded document on the first call; later ones copy.
  private func bytes(_ change: ChangeHandle, compressed: Bool) -> [UInt8] {
    if core.history.records[change].chunkLength == 0 { core.materializeChunks() }
    let record = core.history.records[change]
    let plain = core.history.chunks.view(
      from: record.chunkStart,
      length: Int(record.chunkLength)
    )
    guard compressed, plain.count > Self.plainChangeByteLimit else { return plain.array }
    return compress(plain)
  }

  /// The same change as a compressed chunk: its checksum stays that of the plain one.
  ///
  ///      plain      magic | checksum | 01 | length | content
  ///      result     magic | checksum | 02 | length | deflated content        9 bytes before the length
  private func compress(_ plain: ByteView) -> [UInt8] {
    let start = ChunkFrame.contentStart(of: plain)
    var packed = Arena<UInt8>()
    Deflate.compress(plain.part(from: start, length: plain.count - start), into: &packed)
    var output = Arena<UInt8>()
    output.append(plain.part(from: 0, length: ChunkFrame.typeOffset))
    output.append(ChunkFrame.compressed)
    output.appendULEB(UInt64(packed.count))
    output.append(contentsOf: packed)
    return output.view.array
  }
}
