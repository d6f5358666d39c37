import FileSystems
import PropertyEngine

// What stands in the files of a store: what no program of this version writes, and bytes that stand for nothing. What
// both are for a store only its subject knows (`StoreSubject.forgeries`, `StoreSubject.unused`).

extension StoreLaw {
  /// What stands in the files of a store.
  static let formLaws: [StoreLaw] = [forgedRefused, unusedZeros]

  /// Catches a store that takes what a later version wrote for damage, and salvages it without its items.
  ///
  /// Also one that looks at checksums alone, and serves a mixture of two files.
  ///
  /// No accident makes such files: a program of another version does, a backup that was put together of two, or an
  /// attacker. Numbers: 0 whether the store was closed, 1 the forgery, 2 what is done with damage, which is not asked of
  /// damage itself.
  ///
  /// Worked example: version 2 of the store writes frames that this one does not know. The header says so. Opened with
  /// `salvage`, a store that reads on finds damage, and writes new files without the items.
  static let forgedRefused = StoreLaw(
    "damage.forged-refused",
    "A forged file is refused as such.",
    "A store one of whose files says, with right checksums, what no program of this version writes is refused: as of a "
      + "later version where the file says so, whatever is to be done with damage, and as damaged otherwise; its files "
      + "stay as they are.",
    source: contract,
    shape: .init {
      $0.levels = [.data, .process]
      $0.numberCount = 3
    },
    check: { trial in
      var disk = try await trial.record(closing: trial.sample.number(0) % 2 == 0).end.disk
      let all = disk.paths.flatMap { path in
        trial.subject.forgeries(of: disk.bytes(at: path) ?? []).map { (path, $0) }
      }
      guard !all.isEmpty else { throw Skipped("the store knows of no forged file") }
      let (path, forgery) = all[trial.sample.number(1) % all.count]
      let words = "\(path.last ?? "") with \(forgery.name)"
      disk.damage(path) { $0 = forgery.bytes }
      let policies: [StoreSettings.Damage] = [.refuse, .readOnly, .salvage]
      // Damage is for the policy to decide; what a later version wrote is not.
      let choice = forgery.kind == .damaged ? 0 : trial.sample.number(2) % policies.count
      let files = MemoryFiles(disk)
      do {
        let store = try trial.open(on: files) { $0.onDamage = policies[choice] }
        return Difference(
          kind: "forged.taken",
          summary: "a store was opened over \(words)",
          expected: forgery.kind.rawValue,
          actual: store.opening.state.rawValue
        )
      } catch let complaint as StoreComplaint {
        guard complaint.kind == forgery.kind else {
          return Difference(
            kind: "forged.kind",
            summary: "a store over \(words) is refused as something else: \(complaint)",
            expected: forgery.kind.rawValue,
            actual: complaint.kind.rawValue
          )
        }
      }
      return disk.firstFile(changedOn: files.disk).map {
        Difference(
          kind: "forged.changed",
          summary: "the refusal of \(words) changed \($0.last ?? "")"
        )
      }
    }
  )

  /// Catches room in a form that is filled with whatever was in memory: no later version can tell what it meant.
  ///
  /// Looked at are the files at the end of a run, and before the call that number 1 picks.
  static let unusedZeros = StoreLaw(
    "store.unused-zeros",
    "Bytes without a meaning are zeros.",
    "Each byte of a store's files that stands for nothing yet is zero, so that a later version can give it a meaning.",
    source: contract,
    shape: .init {
      $0.levels = [.data, .process, .memory]
      $0.numberCount = 2
    },
    check: { trial in
      let recording = try await trial.record(closing: trial.sample.number(0) % 2 == 0)
      let images = recording.images
      var hasRoom = false
      for image in [recording.end, images[trial.sample.number(1) % images.count]] {
        for path in image.disk.paths {
          let bytes = image.disk.bytes(at: path) ?? []
          let places = trial.subject.unused(in: bytes)
          hasRoom = hasRoom || !places.isEmpty
          guard let place = places.joined().first(where: { bytes[$0] != 0 }) else { continue }
          return Difference(
            kind: "unused.byte",
            summary: "byte \(place) of \(path.last ?? "") stands for nothing",
            expected: "0",
            actual: "\(bytes[place])"
          )
        }
      }
      guard hasRoom else { throw Skipped("the store has no such bytes") }
      return nil
    }
  )

  /// Catches a store that looks at each piece of a file and not at what goes before it: a disk that brings back an older
  /// sector, or a copy that is put together of two, is served as a state that never was.
  ///
  /// Each piece is whole, and its checksum right. Number 1 chooses the file, number 2 the piece.
  ///
  ///     number 3 % 5     the piece
  ///     0                is gone
  ///     1                stands there twice
  ///     2                changes places with the next
  ///     3                has one of another file in front of it, with the checksums made right again
  ///     4                is that of another run, with other texts, at the same place
  ///
  /// Worked example: changes 2 and 3 are one piece each, and piece 2 is that of another run. Its number is right, and
  /// only that it names another piece before it tells that it is not this store's.
  static let piecesInOrder = StoreLaw(
    "damage.pieces-in-order",
    "Pieces of files belong together.",
    "A store one of whose files lacks a piece, has one twice, elsewhere, or of another file or store is refused as "
      + "damaged, or shows a state that it had; if that is not the newest, opening says that something is missing.",
    source: contract,
    needs: [.missingFiles],
    shape: .init {
      $0.levels = [.data, .process]
      $0.numberCount = 5
    },
    check: { trial in
      let recording = try await trial.record(closing: trial.sample.number(0) % 2 == 0)
      var disk = recording.end.disk
      let path = try file(trial.sample.number(1), of: disk) {
        trial.subject.pieces(in: $0).count > 1
      }
      let bytes = disk.bytes(at: path) ?? []
      let changed = try await misplaced(bytes, at: path, of: disk, trial)
      guard changed != bytes else { throw Skipped("no byte is changed") }
      disk.damage(path) { $0 = changed }
      let store: any OpenedStore
      do {
        store = try trial.open(on: MemoryFiles(disk))
      } catch let complaint as StoreComplaint where complaint.kind == .damaged {
        return nil
      }
      let rows = await store.snapshot().rows
      let states = recording.model.states
      guard states.contains(rows) else {
        return difference(
          rows,
          from: recording.model.rows,
          "pieces.served",
          "with a piece of \(path.last ?? "") in another place the store shows a state that it never had"
        )
      }
      let state = store.opening.state
      // A journal without its last piece may end with the mark of an earlier closing.
      let isEarlierEnd =
        state == .closed
        && recording.images.contains { states[$0.promises.closed] == rows }
      guard rows != recording.model.rows, !isEarlierEnd,
        ![.torn, .damaged, .interrupted].contains(state)
      else { return nil }
      return Difference(
        kind: "pieces.silent",
        summary:
          "with a piece of \(path.last ?? "") in another place changes are missing, and opening "
          + "does not say so",
        expected: "torn, damaged or interrupted",
        actual: state.rawValue
      )
    }
  )

  /// A file with one piece where it does not belong, or without it.
  ///
  /// - Throws: ``Skipped`` where no piece is to be had that differs.
  private static func misplaced(
    _ bytes: [UInt8],
    at path: [String],
    of disk: MemoryDisk,
    _ trial: StoreTrial
  ) async throws -> [UInt8] {
    let pieces = trial.subject.pieces(in: bytes)
    let number = trial.sample.number(2)
    let piece = pieces[number % pieces.count]
    var changed = bytes
    switch trial.sample.number(3) % 5 {
    case 0: changed.removeSubrange(piece)
    case 1: changed.insert(contentsOf: bytes[piece], at: piece.upperBound)
    case 2:
      let index = number % (pieces.count - 1)
      let (first, second) = (pieces[index], pieces[index + 1])
      let swapped = bytes[second] + bytes[first]
      changed.replaceSubrange(first.lowerBound..<second.upperBound, with: swapped)
    case 3:
      let others = disk.paths.filter { $0 != path }.flatMap { path -> [ArraySlice<UInt8>] in
        let other = disk.bytes(at: path) ?? []
        return trial.subject.pieces(in: other).map { other[$0] }
      }
      guard !others.isEmpty else { throw Skipped("no other file has pieces") }
      let other = others[trial.sample.number(4) % others.count]
      changed.insert(contentsOf: other, at: piece.lowerBound)
      changed = trial.subject.resealed(changed)
    default:
      var sample = trial.sample
      sample.steps = sample.steps.map { step in
        guard case .change(let saved, let deleted) = step else { return step }
        return .change(
          saved: saved.map { StoreSample.Text(item: $0.item, number: $0.number + 1) },
          deleted: deleted
        )
      }
      let other = StoreTrial(trial.subject, sample, trial.schedule)
      let isClosed = sample.number(0) % 2 == 0
      let theirs = try await other.record(closing: isClosed).end.disk.bytes(at: path) ?? []
      let ranges = trial.subject.pieces(in: theirs)
      let index = number % pieces.count
      // What goes before it differs: else it is a piece of this store as well.
      guard index < ranges.count,
        theirs[..<ranges[index].lowerBound] != bytes[..<piece.lowerBound]
      else { throw Skipped("the other run has no other piece there") }
      changed.replaceSubrange(piece, with: theirs[ranges[index]])
    }
    return changed
  }
}
