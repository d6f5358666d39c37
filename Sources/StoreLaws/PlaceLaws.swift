import FaultInjection
import FileSystems
import PropertyEngine
import Schedules

// Where a store lies and who may have it: one opener, names, links, modes of files, the default
// place, and threads.

extension StoreLaw {
  /// Where a store lies and who may have it.
  static let placeLaws: [StoreLaw] = [
    oneOpener, contained, linksRefused, modes, byDefault, offPool,
  ]

  /// Catches stores without a lock, and locks that outlive their process, after which nothing opens
  /// the store any more.
  ///
  /// Worked example: an app and its extension both open the store. Without a lock each has a
  /// dictionary of its own, and the one that saves last undoes what the other saved.
  ///
  ///     first instance      open         save a          its process ends     or: close
  ///     second instance         refused          refused          opens: a            opens: a
  static let oneOpener = StoreLaw(
    "place.one-opener",
    "One instance has the files.",
    "A second opening is refused at once, without changing anything, and succeeds "
      + "when the first is closed or its process has ended.",
    source: contract,
    shape: .init { $0.hasReopening = false },
    check: { trial in
      let files = MemoryFiles(StoreTrial.emptyDisk)
      let store = try trial.open(on: files)
      var model = StoreModel()
      for (saved, deleted) in trial.changes {
        do {
          // A second instance of the same process: a lock that a system grants to a process again
          // would let it in.
          let second = try trial.open(on: files)
          _ = try await second.apply(saving: [StoreRow("y", "second")], deleting: [])
          return Difference(kind: "lock.missing", summary: "two instances have the store open")
        } catch let complaint as StoreComplaint where complaint.kind == .alreadyOpen {}
        _ = try await store.apply(saving: saved, deleting: deleted)
        model.applyIfChange(saving: saved, deleting: deleted)
      }
      // The disk of a process that has ended without closing: its locks are gone with it.
      let other = MemoryFiles(files.disk)
      let rows = try await trial.open(on: other).snapshot().rows
      if let difference = difference(rows, from: model.rows, "lock.rows", "items differ") {
        return difference
      }
      try await store.close()
      let next = try trial.open(on: files)
      return difference(await next.snapshot().rows, from: model.rows, "lock.rows", "items differ")
    }
  )

  /// Names that a store must not take.
  ///
  /// Ways out, a path, an absolute one, nothing, the folder itself and the one above, a hidden
  /// file, a byte that ends names in C, a line feed, and more bytes than the 255 that file systems
  /// take.
  private static let badNames = [
    "../outside", "a/b", "/absolute", "", ".", "..", ".hidden", "nul\u{0}byte", "line\nfeed",
    String(repeating: "n", count: 300),
  ]

  /// Catches names that are put together to paths without a look: an id from a server becomes a
  /// file elsewhere.
  ///
  /// Worked example: `name: "../outside"` of a store in `/stores` would make `/outside`.
  ///
  /// `store-any-name` looks at none of these names. Due is `badPlace`, also where a disk refuses by
  /// itself, as most do for 300 letters: its error does not say that the name is at fault.
  static let contained = StoreLaw(
    "place.contained",
    "A store stays in its directory.",
    "A name that leads elsewhere, is hidden or cannot be a file's, and a directory that is no absolute path, are refused, "
      + "and nothing is made; no id of an item becomes a name.",
    source: contract,
    shape: .init {
      $0.steps = 0...2
      $0.numberCount = 1
    },
    check: { trial in
      let files = MemoryFiles(StoreTrial.emptyDisk)
      let name = badNames[trial.sample.number(0) % badNames.count]
      let before = files.disk.paths
      // Where such a directory lies depends on where the program was started.
      let isRelative = trial.sample.number(0) / badNames.count % 4 == 3
      do {
        let store = try trial.open(on: files) { settings in
          if isRelative { settings.directory = "stores" } else { settings.name = name }
        }
        _ = try? await store.apply(saving: [StoreRow("a", "text")], deleting: [])
        return Difference(
          kind: "name.taken",
          summary: isRelative
            ? "a directory that is no absolute path was taken"
            : "the name \(name.debugDescription) was taken for a store"
        )
      } catch let complaint as StoreComplaint where complaint.kind == .badPlace {}
      guard files.disk.paths == before else {
        return Difference(kind: "name.files", summary: "a refused name left files behind")
      }
      let store = try trial.open(on: files)
      // Ids are content: no store may make a name of one, or of a part of one.
      let row = StoreRow("../../escaped", "text")
      _ = try await store.apply(saving: [row], deleting: [])
      try await store.close()
      let outside = files.disk.paths.filter { path in
        path.first != "stores" || path.contains { $0.contains("escaped") }
      }
      return outside.isEmpty
        ? nil
        : Difference(kind: "id.file", summary: "an id became a file: \(outside)")
    }
  )

  /// Catches the classic attack on shared folders: a link in the place of a file lets the program
  /// write over another one.
  ///
  /// Worked example: on a folder that others may write, another user puts a link to the owner's
  /// mail in the place of the journal. A store that appends through it spoils the mail; one that
  /// renames over it (`store-replaces-links`) destroys what the link was there for.
  ///
  ///     before     the store's file         bytes
  ///     then       the store's file     ->  /elsewhere/target, with the same bytes
  ///
  /// Reading through the link is refused as well: who can make the link can let it lead, a moment
  /// later, to a file of other bytes. One time in four the link stands in the place of the store's folder, and leads to it.
  ///
  /// Misses a file system that follows links: that of the law does not. Tests ask the system's.
  static let linksRefused = StoreLaw(
    "place.links-refused",
    "Links are not followed.",
    "A symbolic link in the place of the store or of one of its files is refused, and "
      + "neither it nor what it leads to is changed.",
    source: contract,
    shape: .init {
      $0.steps = 1...3
      $0.hasReopening = false
      $0.numberCount = 2
    },
    check: { trial in
      let end = try await trial.record(closing: true).end.disk
      var path = try file(trial.sample.number(0), of: end)
      // What it leads to has the right bytes, so that nothing but the link is wrong.
      var disk = end
      if trial.sample.number(1) % 4 == 3, path.count > 2 {
        path = Array(path.prefix(2))
        disk = MemoryDisk()
        for name in end.paths {
          let moved = name.starts(with: path) ? ["elsewhere"] + name.dropFirst(2) : name
          disk.add(moved, end.bytes(at: name) ?? [], mode: end.mode(at: name) ?? 0o600)
        }
        disk.addLink(path, to: "/elsewhere")
      } else {
        disk.add(["elsewhere", "target"], end.bytes(at: path) ?? [])
        disk.addLink(path, to: "/elsewhere/target")
      }
      let files = MemoryFiles(disk)
      do {
        let store = try trial.open(on: files)
        _ = try? await store.apply(saving: [StoreRow("z", "later")], deleting: [])
        try? await store.close()
      } catch let complaint as StoreComplaint where complaint.kind == .badPlace {
        return files.disk.isLink(path)
          ? nil : Difference(kind: "link.changed", summary: "the link was replaced")
      }
      return Difference(
        kind: "link.followed",
        summary: "a link in the place of \(path.last ?? "") was taken for the file"
      )
    }
  )

  /// At each call and not in the end: a file that is made for all users and closed to others
  /// afterwards was open for a moment.
  ///
  /// Catches a mode that is left to the process's mask, and one that a rewritten file does not
  /// inherit.
  ///
  ///     600     read and written by the owner      right
  ///     644     read by all                        `store-open-modes`
  ///     660     read and written by the group      wrong: 060 is in the mask 077
  static let modes = StoreLaw(
    "place.files-private",
    "Only the owner can read the files.",
    "At every call each file and folder of the store, rewritten files and what is put aside of damage included, can be "
      + "read and written by its owner alone.",
    source: contract,
    shape: .init { $0.hasDamage = true },
    check: { trial in
      let recording = try await trial.record(closing: true)
      for image in recording.images {
        if let found = openMode(on: image.disk) { return found }
      }
      var disk = recording.end.disk
      let path = try file(trial.sample.file, of: disk) { !$0.isEmpty }
      disk.damage(path) { trial.sample.damage.apply(to: &$0) }
      let files = MemoryFiles(disk)
      try await trial.open(on: files) { $0.onDamage = .salvage }.close()
      return openMode(on: files.disk)
    }
  )

  /// Catches a file that is made with other bits than the caller asked for: a group that shares a store cannot read what a
  /// compaction has written.
  ///
  /// Folders are for who may list names, and stay the owner's.
  ///
  ///     number % 3     asked for
  ///     0              640: a group may read
  ///     1              660: and write
  ///     2              600
  static let modesAsAsked = StoreLaw(
    "place.modes-as-asked",
    "Files have the mode asked for.",
    "At the end of a run each file of a store has the permission bits that its opener asked for, rewritten files included.",
    source: contract,
    shape: .init {
      $0.hasReopening = false
      $0.numberCount = 1
    },
    check: { trial in
      let mode = [UInt16(0o640), 0o660, 0o600][trial.sample.number(0) % 3]
      let files = MemoryFiles(StoreTrial.emptyDisk)
      let store = try trial.open(on: files) { $0.fileMode = mode }
      var model = StoreModel()
      for step in trial.sample.steps {
        try await StoreTrial.carryOut(step, on: store, &model).unlessRefused()
      }
      try await store.close()
      let disk = files.disk
      for path in disk.paths {
        guard let found = disk.mode(at: path), found != mode else { continue }
        return Difference(
          kind: "mode.asked",
          summary: "\(path.last ?? "") has another mode than was asked for",
          expected: String(mode, radix: 8),
          actual: String(found, radix: 8)
        )
      }
      return nil
    }
  )

  /// A file below the directory of stores, or a folder there, that is not its owner's alone.
  private static func openMode(on disk: MemoryDisk) -> Difference? {
    for path in disk.paths {
      for count in 2...max(2, path.count) {
        let mode = disk.mode(at: Array(path.prefix(count))) ?? 0
        guard mode & 0o077 != 0 else { continue }
        return Difference(
          kind: "mode",
          summary: "others may read or write \(path.prefix(count).last ?? "")",
          expected: count < path.count ? "700" : "600",
          actual: String(mode, radix: 8)
        )
      }
    }
    return nil
  }

  /// Catches folders that exist on some systems alone.
  ///
  /// Worked example: `FileManager` has no documents folder on some systems, and `.first!` of an
  /// empty list ends the app.
  ///
  /// A path that is not absolute depends on where the program was started: two starts have two
  /// stores.
  static let byDefault = StoreLaw(
    "place.by-default",
    "A store has a default place.",
    "Without a directory a store lies in one that every system has, by an "
      + "absolute path.",
    source: contract,
    shape: .init { $0.steps = 0...0 },
    check: { trial in
      let place = trial.subject.defaultDirectory
      return place?.hasPrefix("/") == true
        ? nil
        : Difference(
          kind: "default",
          summary: "no directory by default",
          expected: "an absolute path",
          actual: place ?? "none"
        )
    }
  )

  /// Catches file calls on threads of the pool: a few slow disks stop all tasks of the program.
  ///
  /// The schedule knows for each job on which side it runs. Opening is left out: its caller waits
  /// for it in any case.
  ///
  /// Worked example: a pool of four threads, and four stores whose disks take a second. With
  /// `store-blocks-the-pool` no other task of the program runs for that second.
  static let offPool = StoreLaw(
    "place.off-the-pool",
    "Files are not waited for in the pool.",
    "After opening, no call of the file system is made on the threads that "
      + "all tasks share.",
    source: contract,
    shape: .init { $0.hasReopening = false },
    check: { trial in
      let schedule = trial.schedule
      let found = Shared<FileError.Call?>(nil)
      let isOpen = Shared(false)
      let files = FaultyFiles(MemoryFiles(StoreTrial.emptyDisk)) { call in
        guard isOpen.value, schedule.running == .tasks else { return }
        found.change { $0 = $0 ?? call.call }
      }
      let store = try trial.open(on: files)
      isOpen.change { $0 = true }
      for step in trial.sample.steps {
        switch step {
        case .flush: try await store.flush()
        case .compact: try await store.compact()
        default:
          guard let (saved, deleted) = StoreTrial.change(step) else { continue }
          _ = try await store.apply(saving: saved, deleting: deleted)
        }
      }
      try await store.close()
      return found.value.map {
        Difference(
          kind: "pool",
          summary: "the call \($0.rawValue) was made on a thread of the pool"
        )
      }
    }
  )

  /// Catches a store that starts from nothing where its files cannot be had: the next save would replace them.
  ///
  /// An app may open its store without looking whether that was refused. Reads find nothing then, and a change tells
  /// what opening had told.
  ///
  ///     the files are damaged          a save throws `damaged`
  ///     another instance has them      a save throws `alreadyOpen`
  static let refusedAnswers = StoreLaw(
    "place.refused-answers",
    "A refused store tells why.",
    "A store whose opening was refused shows nothing, refuses each change, flush and compaction for the same reason, is "
      + "closed without an error, and leaves every file as it is.",
    source: contract,
    shape: damaging,
    check: { trial in
      let isDamaged = trial.sample.number(0) % 3 > 0
      var files = MemoryFiles(try await trial.record(closing: true).end.disk)
      var owner: (any OpenedStore)?
      if isDamaged { files = MemoryFiles(try await damaged(trial).disk) }
      if !isDamaged { owner = try trial.open(on: files) }
      let before = files.disk
      var reason: StoreComplaint.Kind?
      do {
        try await trial.open(on: files).close()
      } catch let complaint as StoreComplaint {
        reason = complaint.kind
      }
      guard let reason else { throw Skipped("opening is not refused") }
      let refused = trial.subject.openAnyway(trial.settings, on: files, trial.schedule)
      guard let refused else { throw Skipped("a store that is refused has no calls") }
      let (shown, count) = (await refused.snapshot().rows, await refused.count())
      guard shown.isEmpty, count == 0, await refused.find("a") == nil else {
        return Difference(
          kind: "refused.shown",
          summary: "a store whose opening was refused shows items"
        )
      }
      let calls: [(name: String, call: () async throws -> Void)] = [
        ("a save", { _ = try await refused.apply(saving: [StoreRow("z", "new")], deleting: []) }),
        ("a deletion", { _ = try await refused.apply(saving: [], deleting: ["a"]) }),
        ("a flush", { try await refused.flush() }),
        ("a compaction", { try await refused.compact() }),
      ]
      for (name, call) in calls {
        do {
          try await call()
          return Difference(kind: "refused.done", summary: "a refused store carried out \(name)")
        } catch let complaint as StoreComplaint {
          guard complaint.kind != reason else { continue }
          return Difference(
            kind: "refused.reason",
            summary:
              "a refused store refuses \(name) for another reason than its opening: \(complaint)",
            expected: reason.rawValue,
            actual: complaint.kind.rawValue
          )
        }
      }
      let observer = await refused.observe(limit: 8)
      guard case .snapshot(0, let rows)? = await observer.next(), rows.isEmpty,
        await observer.next() == nil
      else {
        return Difference(
          kind: "refused.told",
          summary: "an observer of a refused store does not end"
        )
      }
      try await refused.close()
      if let changed = before.firstFile(changedOn: files.disk) {
        return Difference(
          kind: "refused.changed",
          summary: "calls of a refused store changed \(changed.last ?? "")"
        )
      }
      try await owner?.close()
      return nil
    }
  )
}
