/// Giving back the memory that refused changes took.
///
/// Undoing takes operations out of the store one by one, and unlinks what they added; the memory
/// of rows, registers, leaves and keys is not reused. So after a refusal the store is rebuilt from
/// what it holds, if it has grown to more than twice its size since that was last done:
///
///     after n refused calls     memory <= max(2 x what the document holds, refusalByteLimit)
///
/// A rebuild costs as much as a save and a load, and the growth paid for it before.
///
///     rows       [ 3 | x | 5 | x | x | 9 ]      x: unlinked by undoing, named by nothing
///     rebuilt    [ 3 | 5 | 9 ]                  and so registers, leaves, keys, values
///
/// Two measures of memory: `byteCapacity` is what is reserved, and decides about rebuilding;
/// `byteCount` is what is in use, and is held to the ceiling of a call.
extension Core {
  /// Bytes of memory in all tables and buffers, used or not; the waiting changes are left out.
  ///
  /// The indexes that are made of the standard library's tables are left out, too: ``RowIndex``,
  /// and the actors' ids as values.
  var byteCapacity: Int {
    let vocabulary = actors.byteCapacity + keys.byteCapacity + values.byteCapacity
    let maps =
      objects.byteCapacity + objectNumbers.byteCapacity + registers.byteCapacity
      + registerNumbers.byteCapacity + rows.byteCapacity + chains.byteCapacity
      + chainNodes.byteCapacity
    let sequences =
      runs.byteCapacity + widths.byteCapacity + leaves.byteCapacity + children.byteCapacity
      + childWidths.byteCapacity + childMinima.byteCapacity + inners.byteCapacity
      + index.byteCapacity
    return vocabulary + maps + sequences + history.byteCapacity + transaction.byteCapacity
      + encoder.byteCapacity + inbox.byteCapacity
  }

  /// Bytes of all that the document holds, without spare room and without the waiting changes.
  ///
  /// Tables that find things by number or text are left out: they grow with what is counted.
  var byteCount: Int {
    let maps =
      objects.byteCount + registers.byteCount + rows.byteCount + chains.byteCount
      + chainNodes.byteCount
    let sequences =
      runs.byteCount + widths.byteCount + leaves.byteCount + children.byteCount
      + childWidths.byteCount + childMinima.byteCount + inners.byteCount
    return maps + sequences + values.byteCount + keys.byteCount + history.byteCount
  }

  /// Refuses the call at hand if it has added more memory than its bytes may, `extra` bytes of
  /// buffers included.
  ///
  /// Asked once in many rows, and not for each: what is added between two questions is small beside
  /// what a call may add in any case (``DocumentLimits/freeMemoryByteLimit``).
  @inline(__always)
  func checkMemory(extra: Int = 0, in part: Fault.Part) throws(Fault) {
    guard memoryCeiling < .max else { return }
    guard byteCount.addingClamped(extra) <= memoryCeiling else {
      throw Fault(.limitExceeded(.memoryPerByteLimit), 0, part)
    }
  }

  /// Rebuilds the store if refused changes may have left more behind than they may.
  ///
  /// Called where nothing is open: by ``receive(_:)``, after it has committed and undone what it
  /// had to.
  mutating func giveBackMemory() {
    guard byteCapacity > max(2 * settledByteCapacity, Limits.refusalByteLimit) else { return }
    compact()
    settledByteCapacity = byteCapacity
  }

  /// Rebuilds the store from its own saved form; there must be no open transaction.
  ///
  /// Handles of before name nothing any more. A document that is beyond what a load may cost stays
  /// as it is.
  mutating func compact() {
    precondition(transaction.log.isEmpty, "\(pendingCount) operations are open")
    // What is here was let in once.
    var fresh = Core(actor: actor, unit: unit, limits: .greatest)
    if history.count > 0 {
      // The queue is carried over as it is. Saved and loaded with the rest, its changes would be
      // checked, counted and renumbered.
      let bytes = documentChunk(deflates: false)
      do throws(ChunkError) { try fresh.load(bytes.view) } catch { return }
    }
    fresh.history.takeNotes(of: history)
    fresh.meter.add(meter.steps)
    fresh.compactions = compactions + 1
    fresh.limits = limits
    self = fresh
  }
}
