/// What the harness looks at inside a document.
extension MergeDocument {
  /// Steps that bytes from outside have cost this document, those that were refused included.
  package var workDone: Int { core.meter.steps }

  /// Bytes of all that the document holds, waiting changes included, without spare room.
  package var heldByteCount: Int { core.byteCount + core.history.waiting.byteCount }

  /// What does not hold of the op store, in words; `nil` if all holds.
  ///
  /// Cost: a pass over everything.
  package var brokenInvariant: String? {
    do throws(InvariantBreach) {
      try core.checkInvariants()
      return nil
    } catch {
      return error.description
    }
  }

  /// Reads a saved file into this document, which must be empty; refused, it stays empty.
  package func loadWhole(_ bytes: [UInt8]) throws(ChunkError) {
    precondition(
      core.history.count == 0 && core.history.waiting.isEmpty && core.maxOp == 0,
      "a file is loaded into a document that has \(core.history.count) changes"
    )
    var fresh = core.emptied()
    let meter = fresh.meter
    do throws(ChunkError) {
      try withView(of: bytes) { (view) throws(ChunkError) in try fresh.load(view) }
    } catch {
      core.meter.add(meter.steps)
      throw error
    }
    replaceCore(by: fresh)
  }
}
