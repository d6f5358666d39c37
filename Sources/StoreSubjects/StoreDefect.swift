package import StoreLaws

/// One way in which a store is wrong; the first twenty are what a store does that was written without these laws.
///
/// Such a store has one more, items that need not be `Sendable`: no store here can be that wrong, since laws would not
/// compile with it. The test of row AS-33 (Documentation/Rows.md) does not compile without the requirement.
package enum StoreDefect: String, CaseIterable, Sendable {
  // What a store does that was written without these laws.
  case noDefaultDirectory = "store-no-default-directory"
  case unreadableIsEmpty = "store-unreadable-is-empty"
  case oneBadItemHidesAll = "store-one-bad-item-hides-all"
  case duplicatesEndIt = "store-duplicates-end-it"
  case memoryFirst = "store-memory-first"
  case poisoned = "store-poisoned"
  case rewritesAll = "store-rewrites-all"
  case noLock = "store-no-lock"
  case anyName = "store-any-name"
  case noOrder = "store-no-order"
  case openModes = "store-open-modes"
  case replacesLinks = "store-replaces-links"
  case noFolderSync = "store-no-folder-sync"
  case leavesPartialFiles = "store-leaves-partial-files"
  case equatesSpellings = "store-equates-spellings"
  case blocksPool = "store-blocks-the-pool"
  case noVersion = "store-no-version"
  case errorsWithoutPhase = "store-errors-without-phase"
  case tearsBatches = "store-tears-batches"
  case restartsShortWrites = "store-restarts-short-writes"
  // What others do, and what repairs of the above tend to do.
  case losesNews = "store-loses-news"
  case dropsSilently = "store-drops-silently"
  case closesHalf = "store-closes-half"
  case forgetsVersions = "store-forgets-versions"
  case compactionReorders = "store-compaction-reorders"
  case storesMoment = "store-stores-the-moment"
  case adoptsPartialFile = "store-adopts-partial-file"
  case dropsUndecodable = "store-drops-undecodable"
  case adoptsLate = "store-adopts-late"
  case fullDiskIsFinal = "store-full-disk-is-final"
  case retriesSync = "store-retries-sync"
  case mustWrite = "store-must-write"
  case discardsDamaged = "store-discards-damaged"
  case discardsZeroEnded = "store-discards-zero-ended"
  case doubtsNoLonger = "store-doubts-no-longer"
  case noChecksum = "store-no-checksum"
  case opensByMood = "store-opens-by-mood"
  case suspendsBetween = "store-suspends-between"
  case checksEarly = "store-checks-early"
  case syncsEach = "store-syncs-each"
  case countsIdleCalls = "store-counts-idle-calls"
  case migratesSome = "store-migrates-some"
  case keepsOldSchema = "store-keeps-old-schema"
  case renamesFirst = "store-renames-first"
  case overwritesInPlace = "store-overwrites-in-place"
  case damageIsTorn = "store-damage-is-torn"
  case reportsClosed = "store-reports-closed"
  case forgetsMany = "store-forgets-many"
  case ignoresVersions = "store-ignores-versions"
  case limitIsOff = "store-limit-is-off"
  case spoilsNext = "store-spoils-the-next"
  case updatesLate = "store-updates-late"
  case tellsTwice = "store-tells-twice"
  case sureOfNames = "store-sure-of-names"
  case missesFiles = "store-misses-files"
  case keepsReplaced = "store-keeps-replaced"
  case mendsWhatIsRead = "store-mends-what-is-read"
  case takesForeign = "store-takes-foreign-file"
  case salvagesNone = "store-salvages-none"
  case saysChanged = "store-says-changed"
  case syncsAlways = "store-syncs-always"
  case endsAnother = "store-ends-another-reader"
  case forgetsOldObservers = "store-forgets-old-observers"
  case sureOfWhatItFound = "store-sure-of-what-it-found"
  case trustsFoundNames = "store-trusts-found-names"
  case salvagesWithoutCopy = "store-salvages-without-a-copy"
  case writesEverySecond = "store-writes-every-second"
  case largeDamageIsTorn = "store-large-damage-is-torn"
  case tiresOfChanges = "store-tires-of-changes"
  // Stores of documents.
  case forksReplace = "store-forks-replace"
  case notesFirst = "store-notes-first"
  case savesLate = "store-saves-late"
  case savesAgain = "store-saves-again"
  case rewritesDocuments = "store-rewrites-documents"
  case interleaves = "store-documents-interleave"
  case growsForEver = "store-documents-grow-for-ever"
  case listsDeleted = "store-lists-deleted-documents"
  case dropsWaiting = "store-drops-waiting"
  case savingIsSending = "store-saves-count-as-sent"

  /// What is wrong, in one sentence, and the law that catches it when no other is asked.
  private var facts: (String, String) {
    switch self {
    case .noDefaultDirectory:
      ("There is no directory by default on this system.", "place.by-default")
    case .unreadableIsEmpty:
      ("A file that cannot be read counts as empty, and is overwritten.", "seed.damaged-kept")
    case .oneBadItemHidesAll: ("An item that does not decode hides all.", "seed.taken-over")
    case .duplicatesEndIt:
      ("Items of one id end the opening without a reason.", "seed.duplicates-decided")
    case .memoryFirst: ("Memory changes before the file does.", "fault.changes-nothing")
    case .poisoned:
      ("An item that cannot be encoded stays and fails all.", "store.unencodable-alone")
    case .rewritesAll: ("Each change writes all items.", "store.cost-amortised")
    case .noLock: ("Two instances may have one file.", "place.one-opener")
    case .sureOfWhatItFound:
      ("What opening found counts as synchronised.", "crash.found-is-made-sure")
    case .trustsFoundNames:
      ("Names that another process could not synchronise count as sure.", "crash.refused-elsewhere")
    case .salvagesWithoutCopy:
      ("A salvage goes on without a copy of the damaged bytes.", "damage.kept-when-refused")
    case .writesEverySecond:
      ("A change of an even number is written with the next one.", "callers.heard-stays")
    case .largeDamageIsTorn:
      (
        "Damage to more than 256 bytes is taken for a change that was not completely written.",
        "callers.damage-noticed"
      )
    case .tiresOfChanges:
      ("After 64 changes each is refused.", "callers.all-answered")
    case .anyName: ("Any name is taken for a file's.", "place.contained")
    case .noOrder: ("Items are in no order of their own.", "store.model")
    case .openModes: ("The new file can be read by all.", "place.files-private")
    case .replacesLinks: ("A link is replaced by a file.", "place.links-refused")
    case .noFolderSync: ("The folder is not synchronised.", "crash.acknowledged-stays")
    case .leavesPartialFiles: ("Partial files of a crash stay.", "crash.no-litter")
    case .equatesSpellings: ("Ids that Swift takes for equal are one.", "store.ids-exact")
    case .blocksPool: ("Files are waited for in the pool.", "place.off-the-pool")
    case .noVersion: ("The file says no version.", "version.later-refused")
    case .errorsWithoutPhase: ("Errors do not say what was done.", "fault.explained")
    case .tearsBatches: ("A batch is written item by item.", "crash.one-state")
    case .restartsShortWrites:
      ("A short write starts again at the first byte.", "fault.short-transfers")
    case .losesNews: ("Deletions are not told.", "callers.news-complete")
    case .dropsSilently:
      ("A slow observer is not told what it missed.", "callers.slow-observer-told")
    case .closesHalf: ("Closing keeps the lock.", "callers.close-ends")
    case .forgetsVersions: ("Versions are not stored.", "store.reopens")
    case .compactionReorders: ("Compaction sorts the items.", "store.compaction-hidden")
    case .storesMoment: ("The file holds a number that differs each time.", "store.bytes-repeat")
    case .adoptsPartialFile:
      (
        "Opening copies a partial file over the whole one, and removes it first.",
        "crash.recovery-repeats"
      )
    case .dropsUndecodable: ("An item that does not decode is dropped.", "damage.undecodable-kept")
    case .adoptsLate:
      (
        "A partial file is left alone, and adopted by a later opening.",
        "crash.dropped-stays-dropped"
      )
    case .fullDiskIsFinal: ("After a full disk nothing is carried out.", "fault.space-returns")
    case .retriesSync: ("A failed synchronisation is tried again.", "fault.sync-not-trusted")
    case .mustWrite: ("Opening writes.", "fault.read-only-medium")
    case .discardsDamaged: ("Damaged bytes are thrown away.", "damage.kept-aside")
    case .discardsZeroEnded:
      ("Damaged bytes that end in a zero are thrown away.", "damage.kept-aside")
    case .doubtsNoLonger:
      ("A compaction that fails makes a store sure of what is on the disk.", "fault.explained")
    case .noChecksum: ("The checksum is not looked at.", "damage.noticed")
    case .opensByMood: ("Damage is described otherwise each time.", "damage.any-bytes")
    case .suspendsBetween:
      ("It suspends between deciding on a change and carrying it out.", "callers.linearizable")
    case .checksEarly: ("A version is checked before a suspension.", "callers.one-winner")
    case .syncsEach: ("Each caller synchronises alone.", "callers.share-synchronisation")
    case .countsIdleCalls:
      (
        "A condition that is looked at while a change without effect is under way is compared with one more.",
        "callers.numbers"
      )
    case .migratesSome: ("A migration passes over an item that throws.", "version.migrates-whole")
    case .keepsOldSchema:
      ("A schema that rises without a migration is not noted.", "version.rises-once")
    case .renamesFirst:
      ("The file gets its name before it is synchronised.", "crash.acknowledged-stays")
    case .overwritesInPlace: ("The file is overwritten in its place.", "crash.one-state")
    case .damageIsTorn:
      ("Damage is taken for a change that was not completely written.", "damage.noticed")
    case .reportsClosed: ("Opening says of any store that it was closed.", "crash.one-state")
    case .forgetsMany: ("The first of more than 24 items is forgotten.", "store.many-items")
    case .ignoresVersions:
      ("A conditional deletion does not look at the version.", "store.conditional")
    case .limitIsOff: ("An item of just the allowed size is refused.", "store.limits-exact")
    case .spoilsNext:
      ("After an item that is too large the next one is refused as well.", "callers.refusal-alone")
    case .updatesLate:
      ("An update suspends between reading and writing.", "callers.updates-atomic")
    case .tellsTwice:
      ("An observer that waits is told a change twice.", "callers.observer-waits")
    case .sureOfNames:
      ("A change whose renaming is not sure counts as refused.", "crash.after-refusal")
    case .missesFiles: ("A store without its file counts as new.", "damage.missing-noticed")
    case .keepsReplaced: ("What is replaced stays in the file.", "store.space-bounded")
    case .mendsWhatIsRead:
      ("A damaged store that is only to be read is rewritten.", "damage.read-only")
    case .salvagesNone:
      ("A state with a wrong byte is given up as a whole.", "damage.rest-served")
    case .saysChanged:
      ("It says of each call that it changed something.", "store.says-what-it-did")
    case .syncsAlways: ("Every level synchronises.", "store.levels-cost")
    case .endsAnother:
      ("A cancelled reader ends the one that waits longest.", "callers.observer-waits")
    case .forgetsOldObservers:
      ("An observer is told nothing once another one came.", "callers.news-complete")
    case .takesForeign:
      ("A file that the store was not made of is put aside.", "seed.foreign-left")
    case .forksReplace: ("Saving a copy of a document replaces what is stored.", "documents.merge")
    case .notesFirst:
      ("What is about to be stored counts as stored.", "documents.saved-again")
    case .savesLate:
      ("A saved document is written with the next one.", "documents.survive")
    case .savesAgain:
      ("A document is written again that has nothing new.", "documents.nothing-new")
    case .interleaves:
      ("A save does not wait for one that is being carried out.", "documents.together")
    case .growsForEver: ("A document may be of any size.", "documents.limited")
    case .listsDeleted:
      ("A deleted document is listed, and one of before the opening is not.", "documents.merge")
    case .dropsWaiting:
      ("What waits in a document for other changes is not stored.", "documents.waiting")
    case .savingIsSending:
      ("What was saved counts as sent to others.", "documents.unsent")
    case .rewritesDocuments: ("Each save writes the whole document.", "documents.cost")
    }
  }

  package var sentence: String { facts.0 }
  package var law: String { facts.1 }

  /// The store with this defect, as a subject.
  package var subject: any StoreSubject { NaiveStoreSubject(self) }
}
