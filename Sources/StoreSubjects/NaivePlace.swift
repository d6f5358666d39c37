package import FileSystems
import Foundation
package import Schedules
package import StoreLaws
import Synchronization
import Texts

/// The files of a naive store.
///
///     items.json             the seed's file; once taken over it is quarantine/seed
///     items.json.store/
///       LOCK                 locked while the store is open
///       data                 eight digits of checksum, then JSON: the whole state
///       data.tmp             a change on its way; what a crash leaves of it the next opening removes
///       quarantine/          bytes that did not read, named by their checksum
// `@unchecked`: only the actor that owns it calls it, one call at a time, after it was made.
final class NaivePlace: @unchecked Sendable {
  /// A rename whose folder could not be synchronised: the change may be there.
  struct UnconfirmedRename: Error { let error: FileError }

  struct Opened {
    var document: NaiveStore.Document
    var opening: StoreOpening
    var isReadOnly = false
  }

  private let files: any FileSystem
  private let settings: StoreSettings
  private let defect: StoreDefect?
  private var directory: Descriptor?
  private var folder: Descriptor?
  private var lock: Descriptor?
  /// Of a wrong store: whether something was written and not synchronised.
  private var isUnsure = false
  private static let moments = Mutex(0)

  init(_ files: any FileSystem, _ settings: StoreSettings, _ defect: StoreDefect?) {
    self.files = files
    self.settings = settings
    self.defect = defect
  }

  deinit { close(keepsLock: false) }

  func close(keepsLock: Bool) {
    for descriptor in [keepsLock ? nil : lock, folder, directory].compactMap(\.self) {
      files.close(descriptor)
    }
    (lock, folder, directory) = (keepsLock ? lock : nil, nil, nil)
  }

  func kind(_ error: FileError) -> StoreComplaint.Kind {
    switch error.cause {
    case .noSpace, .quotaExceeded, .fileTooLarge: .noSpace
    case .readOnly, .accessDenied: .readOnly
    case .wrongKind: .badPlace
    default: .fileSystem
    }
  }

  private func complaint(_ kind: StoreComplaint.Kind, _ words: String) -> StoreComplaint {
    StoreComplaint(kind, phase: "open", words)
  }

  // MARK: - Opening

  func open() throws -> Opened {
    do {
      return try opened()
    } catch let error as FileError {
      throw complaint(kind(error), "\(error)")
    } catch let unsure as UnconfirmedRename {
      throw complaint(.fileSystem, "\(unsure.error)")
    }
  }

  private func checkName() throws {
    let name = settings.name
    if defect == .anyName { return }
    let isGood =
      settings.directory.hasPrefix("/") && (1...200).contains(name.utf8.count)
      && !name.hasPrefix(".") && !name.contains("/")
      && !name.utf8.contains { $0 < 32 }
    guard isGood else { throw complaint(.badPlace, "not a name") }
  }

  private func opened() throws -> Opened {
    try checkName()
    let directory = try files.openFolder(path: settings.directory, makingMode: nil)
    self.directory = directory
    let name = "\(settings.name).store"
    let isThere = try files.status(of: name, in: directory) != nil
    folder = try files.openFolder(name, in: directory, makingMode: isThere ? nil : 0o700)
    guard let folder else { throw complaint(.fileSystem, "no folder") }
    var isReadOnly = false
    do {
      let lock = try files.opened("LOCK", in: folder, .create(mode: settings.fileMode))
      self.lock = lock
      if defect != .noLock,
        try !files.uninterrupted({ () throws(FileError) in try files.lock(lock) })
      {
        throw complaint(.alreadyOpen, "open elsewhere")
      }
    } catch let error as FileError where error.cause == .readOnly && defect != .mustWrite {
      isReadOnly = true
    }
    let believesPartial = defect == .adoptsPartialFile || defect == .adoptsLate
    if !isReadOnly, believesPartial { try adopt(folder) }
    // Nothing can be made where nothing can be written.
    let isNothing = try isReadOnly && files.status(of: "data", in: folder) == nil
    var opened =
      try isNothing
      ? Opened(document: empty, opening: StoreOpening(.new)) : read(folder, directory)
    let isWritable = !isReadOnly && !opened.isReadOnly
    // Only now: a refusal leaves every file as it is.
    if isWritable, !believesPartial { try adopt(folder) }
    if isWritable, opened.document.schema < settings.schema { try migrate(&opened) }
    if isWritable, defect != .noFolderSync, defect != .trustsFoundNames {
      // Another process may have ended before its names were sure.
      try files.settle(folder: directory)
      try files.settle(folder: folder)
    }
    opened.opening.sequence = opened.document.sequence
    opened.opening.itemCount = opened.document.items.count
    opened.isReadOnly = !isWritable
    if isReadOnly { opened.opening.state = .readOnly }
    return opened
  }

  /// Removes what a crash left of a change.
  ///
  /// Two defects keep a partial file that is whole instead: one copies it over the state, one
  /// adopts it at the second opening.
  private func adopt(_ folder: Descriptor) throws {
    guard let partial = try files.contents(of: "data.tmp", in: folder) else { return }
    switch defect {
    case .adoptsPartialFile where Self.document(partial, isChecked: true) != nil:
      try files.remove("data.tmp", in: folder)
      try files.settle(folder: folder)
      try files.make("data", in: folder, mode: 0o600, partial, .data)
    case .adoptsLate where Self.document(partial, isChecked: true) != nil:
      // Known from the first opening by a mark that it leaves.
      if try files.status(of: "seen.tmp", in: folder) != nil {
        try files.remove("seen.tmp", in: folder)
        try files.rename("data.tmp", in: folder, to: "data", in: folder)
      } else {
        try files.make("seen.tmp", in: folder, mode: 0o600, [], .data)
      }
    default: try files.remove("data.tmp", in: folder)
    }
  }

  private func read(_ folder: Descriptor, _ directory: Descriptor) throws -> Opened {
    let result = Result { () throws(FileError) in try files.contents(of: "data", in: folder) }
    var bytes: [UInt8]?
    switch result {
    case .success(let found): bytes = found
    case .failure(let error):
      guard error.cause == .wrongKind, defect == .replacesLinks else { throw error }
    }
    guard let bytes else { return try begin(folder, directory) }
    guard var document = Self.document(bytes, isChecked: defect != .noChecksum) else {
      return try damaged(bytes, name: "data", in: folder) { self.empty }
    }
    guard document.schema <= settings.schema || defect == .noVersion else {
      throw complaint(.laterVersion, "schema \(document.schema)")
    }
    var (seed, isForeign) = ([UInt8]?.none, false)
    do {
      // What has another size is not read: it may be very large.
      let size = try files.status(of: settings.name, in: directory)?.size
      if size != document.seedSize, defect != .takesForeign {
        isForeign = size != nil
      } else {
        seed = try seedBytes(directory)
        isForeign = seed.map { Self.checksum($0) != document.seed } ?? false
      }
    } catch let error as FileError where error.cause == .accessDenied {
      // What may not be read is another program's.
      isForeign = true
    }
    if let seed, !isForeign || defect == .takesForeign { try putAside(seed, folder, directory) }
    if defect == .forgetsVersions {
      for index in document.items.indices { document.items[index].version = UInt64(index) + 1 }
    }
    var opening = StoreOpening(
      document.isClosed || defect == .reportsClosed ? .closed : .interrupted
    )
    opening.undecodable = undecodable(document)
    opening.hasForeignFile = isForeign
    if defect == .dropsUndecodable {
      document.items.removeAll { opening.undecodable.contains($0.id) }
    }
    return Opened(document: document, opening: opening)
  }

  private var empty: NaiveStore.Document { NaiveStore.Document(schema: settings.schema) }

  private func undecodable(_ document: NaiveStore.Document) -> [String] {
    document.items.filter { StoreCoderOfLaws.row(of: $0, settings.undecodablePrefix) == nil }
      .map(\.id)
  }

  private func damaged(
    _ bytes: [UInt8],
    name: String,
    in folder: Descriptor,
    _ instead: () -> NaiveStore.Document
  ) throws -> Opened {
    if defect == .unreadableIsEmpty {
      try write(instead())
      return Opened(document: instead(), opening: StoreOpening(.interrupted))
    }
    if defect == .damageIsTorn || defect == .largeDamageIsTorn && bytes.count > 256 {
      return Opened(document: instead(), opening: StoreOpening(.torn))
    }
    if defect == .opensByMood {
      let moment = Self.moments.withLock {
        $0 += 1
        return $0
      }
      throw complaint(.damaged, "attempt \(moment)")
    }
    if settings.onDamage == .readOnly, defect != .mendsWhatIsRead {
      return Opened(document: instead(), opening: StoreOpening(.damaged), isReadOnly: true)
    }
    guard settings.onDamage != .refuse else { throw complaint(.damaged, "\(name) is damaged") }
    if defect != .discardsDamaged, defect != .discardsZeroEnded || bytes.last != 0 {
      do {
        try keep(bytes, as: "\(name).\(Self.checksum(bytes))", in: folder)
      } catch {
        guard defect == .salvagesWithoutCopy else { throw error }
      }
    }
    try write(instead())
    let isReadOnly = settings.onDamage == .readOnly
    return Opened(
      document: instead(),
      opening: StoreOpening(.damaged),
      isReadOnly: isReadOnly
    )
  }

  /// Puts damaged bytes into the quarantine.
  private func keep(_ bytes: [UInt8], as name: String, in folder: Descriptor) throws {
    let shelf = try files.openFolder("quarantine", in: folder, makingMode: 0o700)
    defer { files.close(shelf) }
    try files.make(name, in: shelf, mode: settings.fileMode, bytes, .data)
    try files.settle(folder: shelf)
    try files.settle(folder: folder)
  }

  // MARK: - The seed's file

  private func seedBytes(_ directory: Descriptor) throws -> [UInt8]? {
    try files.contents(of: settings.name, in: directory)
  }

  private func begin(_ folder: Descriptor, _ directory: Descriptor) throws -> Opened {
    guard let bytes = try seedBytes(directory) else {
      if defect != .mustWrite { try write(empty) }
      return Opened(document: empty, opening: StoreOpening(.new))
    }
    guard let elements = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [[String: Any]]
    else { return try damaged(bytes, name: settings.name, in: folder) { self.empty } }
    var document = empty
    // What the file says no schema of is of the first: a higher one brings it over as any other.
    document.schema = min(1, settings.schema)
    document.sequence = 1
    document.seed = Self.checksum(bytes)
    document.seedSize = bytes.count
    var isBad = false
    for element in elements {
      guard let id = element["id"] as? String else { continue }
      let payload = try JSONSerialization.data(withJSONObject: element, options: .sortedKeys)
      let item = NaiveStore.Item(id: id, version: 1, payload: payload)
      isBad = isBad || (try? StoreCoderOfLaws.decode(payload, settings.undecodablePrefix)) == nil
      guard let index = document.items.firstIndex(where: { $0.id.utf8.elementsEqual(id.utf8) })
      else {
        document.items.append(item)
        continue
      }
      if defect == .duplicatesEndIt { throw complaint(.unexplained, "fatal: duplicate keys") }
      if settings.onDuplicates == .fail { throw complaint(.duplicates, id) }
      if settings.onDuplicates == .keepLast { document.items[index] = item }
    }
    if isBad, defect == .oneBadItemHidesAll { document.items = [] }
    try write(document)
    try putAside(bytes, folder, directory)
    var opening = StoreOpening(.taken)
    opening.undecodable = undecodable(document)
    return Opened(document: document, opening: opening)
  }

  private func putAside(_ bytes: [UInt8], _ folder: Descriptor, _ directory: Descriptor) throws {
    let shelf = try files.openFolder("quarantine", in: folder, makingMode: 0o700)
    defer { files.close(shelf) }
    try files.settle(folder: folder)
    // The name of the store's own folder: a crash may take it, and not the move.
    try files.settle(folder: directory)
    try files.rename(settings.name, in: directory, to: "seed", in: shelf)
    try files.settle(folder: shelf)
    try files.settle(folder: directory)
  }

  private func migrate(_ opened: inout Opened) throws {
    if settings.migration == .none, defect == .keepsOldSchema { return }
    for index in opened.document.items.indices where settings.migration != .none {
      let item = opened.document.items[index]
      do {
        opened.document.items[index].payload = Data(
          try settings.migration.migrate(item.id, [UInt8](item.payload))
        )
      } catch {
        if defect == .migratesSome { continue }
        throw complaint(.migration, "\(error)")
      }
    }
    if settings.migration != .none { opened.opening.migratedFrom = opened.document.schema }
    opened.document.schema = settings.schema
    try write(opened.document)
    opened.opening.undecodable = undecodable(opened.document)
  }

  // MARK: - Writing

  /// The order is what survives a crash: fill and synchronise the partial file, rename it,
  /// synchronise the folder.
  ///
  /// Before the rename the old state stands, behind it the new one.
  ///
  /// - Throws: `FileError` if the old state stands for sure; `UnconfirmedRename` if either may.
  func write(_ document: NaiveStore.Document) throws {
    guard let folder else { throw FileError(.open, "data", .notFound) }
    var document = document
    if defect == .storesMoment {
      document.moment = Self.moments.withLock {
        $0 += 1
        return $0
      }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let body = [UInt8](try encoder.encode(document))
    let bytes = Array(Self.checksum(body).utf8) + body
    let mode: UInt16 = defect == .openModes ? 0o644 : settings.fileMode
    if defect == .overwritesInPlace {
      try files.make("data", in: folder, mode: mode, bytes, .data)
      return try files.settle(folder: folder)
    }
    // As the repository before, which names each partial file otherwise.
    let isOwn = defect == .leavesPartialFiles
    let partial = isOwn ? "data.\(Self.checksum(bytes)).tmp" : "data.tmp"
    do {
      try fill(partial, in: folder, mode: mode, with: bytes)
    } catch {
      try? files.remove(partial, in: folder)
      throw error
    }
    do {
      try files.rename(partial, in: folder, to: "data", in: folder)
    } catch {
      // It may have come about all the same: then there is no partial file any more.
      let isThere = (try? files.status(of: partial, in: folder)) != nil
      if isThere { throw error } else { throw UnconfirmedRename(error: error) }
    }
    if defect == .noFolderSync { return }
    if waitsForFlush {
      isUnsure = true
      return
    }
    do {
      try files.settle(folder: folder)
    } catch {
      throw UnconfirmedRename(error: error)
    }
  }

  /// Whether a change is left to a flush to synchronise; the right store always does it at once.
  private var waitsForFlush: Bool { defect == .sureOfWhatItFound && settings.level == .process }

  /// Synchronises what was written since the opening.
  func makeSure() throws {
    guard isUnsure, let folder else { return }
    let file = try files.opened("data", in: folder, .create(mode: settings.fileMode))
    defer { files.close(file) }
    try files.settle(file, .data)
    try files.settle(folder: folder)
    isUnsure = false
  }

  private func fill(
    _ name: String,
    in folder: Descriptor,
    mode: UInt16,
    with bytes: [UInt8]
  ) throws {
    let file = try files.opened(name, in: folder, .create(mode: mode))
    defer { files.close(file) }
    try files.cut(file, to: 0)
    if defect == .restartsShortWrites {
      var offset = 0
      while offset < bytes.count {
        offset += try files.uninterrupted { () throws(FileError) in
          // The rest's length, and the beginning's bytes.
          try files.write(bytes[..<(bytes.count - offset)], to: file, at: offset)
        }
      }
    } else {
      try files.writeAll(bytes, to: file, at: 0)
    }
    if defect == .renamesFirst || waitsForFlush { return }
    do {
      try files.settle(file, .data)
    } catch {
      guard defect == .retriesSync else { throw error }
      var count = 0
      while (try? files.settle(file, .data)) == nil, count < 8 { count += 1 }
    }
  }

  /// Eight hexadecimal digits.
  ///
  /// FNV-1a of 32 bits: one changed byte always changes it, as each step is invertible. It stands
  /// in front of the JSON in the file, and names bytes in quarantine. Its digits are written here and not by
  /// `Texts`, which `LocalStore` uses: a specification shares no code with what it judges.
  static func checksum(_ bytes: [UInt8]) -> String {
    var hash: UInt32 = 0x811c_9dc5
    for byte in bytes { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  static func document(_ bytes: [UInt8], isChecked: Bool) -> NaiveStore.Document? {
    guard bytes.count > 8 else { return nil }
    let body = Array(bytes[8...])
    if isChecked, Array(checksum(body).utf8) != Array(bytes[..<8]) { return nil }
    return try? JSONDecoder().decode(NaiveStore.Document.self, from: Data(body))
  }
}

/// The naive store, correct or with a defect, as a subject.
package struct NaiveStoreSubject: StoreSubject {
  private let defect: StoreDefect?

  package init(_ defect: StoreDefect? = nil) {
    self.defect = defect
  }

  package var id: String { defect.map { MutantID($0.rawValue).subjectID } ?? "naive-store" }
  package var version: String { "1" }

  package var features: Set<StoreFeature> {
    switch defect {
    case .rewritesAll: [.amortised]
    case .syncsEach, .tiresOfChanges: [.groupCommit]
    case .syncsAlways: [.levels]
    case .missesFiles: [.missingFiles]
    case .salvagesNone: [.salvage]
    case .rewritesDocuments: [.documents, .amortised]
    case nil, .forksReplace, .notesFirst, .savesLate, .savesAgain, .interleaves, .growsForEver,
      .listsDeleted, .dropsWaiting, .savingIsSending:
      [.documents]
    default: []
    }
  }

  package func resealed(_ bytes: [UInt8]) -> [UInt8] {
    bytes.count > 8 ? Array(NaivePlace.checksum(Array(bytes[8...])).utf8) + bytes[8...] : bytes
  }

  package var defaultDirectory: String? { defect == .noDefaultDirectory ? nil : "/" }

  package func open(
    _ settings: StoreSettings,
    on files: any FileSystem,
    _ schedule: Schedule
  ) throws -> any OpenedStore {
    try NaiveStore(settings, on: files, schedule, defect: defect)
  }

  package func openDocuments(
    _ settings: StoreSettings,
    on files: any FileSystem,
    _ schedule: Schedule,
    number: Int
  ) throws -> any OpenedDocuments {
    try NaiveDocuments(settings, on: files, schedule, defect: defect)
  }
}
