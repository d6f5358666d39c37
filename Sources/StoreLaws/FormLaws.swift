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
}
