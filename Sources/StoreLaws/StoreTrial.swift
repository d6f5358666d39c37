import FaultInjection
import FileSystems
import PropertyEngine
import Schedules
import Synchronization

// One sample on one store: the settings it opens with, steps on the store and its model
// (`carryOut`), and which states may be shown (`mismatch`). Every law of stores uses it; whole runs
// are in `StoreRecording.swift`.

/// The rows that one change saves, and the ids that it deletes.
typealias StoreChange = (saved: [StoreRow], deleted: [String])

/// One sample on one store.
///
/// Disks are values: a crash is a copy of one with parts of what was pending left out, so that a
/// hundred crash points of one run need no second run.
struct StoreTrial: Sendable {
  let subject: any StoreSubject
  let sample: StoreSample
  let schedule: Schedule

  init(_ subject: any StoreSubject, _ sample: StoreSample, _ schedule: Schedule) {
    self.subject = subject
    self.sample = sample
    self.schedule = schedule
  }

  /// A disk with the directory that stores lie in.
  static var emptyDisk: MemoryDisk {
    var disk = MemoryDisk()
    disk.makeFolders(["stores"])
    return disk
  }

  /// The defaults of laws, at the level of the sample.
  var settings: StoreSettings {
    var settings = StoreSettings()
    settings.level = sample.level
    return settings
  }

  /// Opens the store at its usual place, `/stores/items.json`.
  ///
  /// - Throws: ``StoreComplaint``.
  func open(
    on files: any FileSystem,
    _ change: (inout StoreSettings) -> Void = { _ in }
  ) throws -> any OpenedStore {
    var settings = settings
    change(&settings)
    return try subject.open(settings, on: files, schedule)
  }

  /// The rows that a step saves, and the ids that it deletes; `nil` for another kind of step.
  static func change(_ step: StoreStep) -> StoreChange? {
    guard case .change(let saved, let deleted) = step else { return nil }
    return (saved.map(StoreSample.row), deleted.map(StoreSample.id))
  }

  /// What each step that is a change saves and deletes.
  var changes: [StoreChange] { sample.steps.compactMap(Self.change) }

  // MARK: - Steps

  /// What came of a step that a store was asked to carry out.
  enum StepOutcome {
    /// The store was asked nothing: the step changes nothing, or is for the law, as opening again.
    case nothingToDo
    case done
    /// `candidate`: the rows with the refused change; `nil` if the step is no change.
    case refused(StoreComplaint, candidate: [StoreRow]?)

    /// The rows that may be stored although the change was refused.
    ///
    /// `nil` unless the store says that it does not know the outcome.
    var uncertain: [StoreRow]? {
      guard case .refused(let complaint, let candidate) = self else { return nil }
      return complaint.isUnknown ? candidate : nil
    }

    /// Whether the store carried anything out, where a refusal is not expected.
    ///
    /// - Throws: The store's complaint.
    @discardableResult
    func unlessRefused() throws(StoreComplaint) -> Bool {
      switch self {
      case .nothingToDo: false
      case .done: true
      case .refused(let complaint, _): throw complaint
      }
    }
  }

  /// Carries a step out on a store, and on its model unless the store refuses.
  ///
  /// Opening again is left to the law, which knows the files.
  ///
  /// - Throws: Any error that is not a ``StoreComplaint``.
  static func carryOut(
    _ step: StoreStep,
    on store: any OpenedStore,
    _ model: inout StoreModel
  ) async throws -> StepOutcome {
    do {
      switch step {
      case .change:
        guard let (saved, deleted) = change(step) else { return .nothingToDo }
        return try await carryOut(saving: saved, deleting: deleted, on: store, &model)
      case .flush: try await store.flush()
      case .compact: try await store.compact()
      case .reopen, .restart: return .nothingToDo
      }
      return .done
    } catch let complaint as StoreComplaint {
      return .refused(complaint, candidate: nil)
    }
  }

  /// Carries a change out on a store, and on its model unless the store refuses.
  static func carryOut(
    saving saved: [StoreRow],
    deleting deleted: [String],
    on store: any OpenedStore,
    _ model: inout StoreModel
  ) async throws -> StepOutcome {
    guard model.isChange(saving: saved, deleting: deleted) else { return .nothingToDo }
    do {
      _ = try await store.apply(saving: saved, deleting: deleted)
    } catch let complaint as StoreComplaint {
      return .refused(complaint, candidate: model.after(saving: saved, deleting: deleted))
    }
    model.apply(saving: saved, deleting: deleted)
    return .done
  }

  // MARK: - States

  /// Where rows are none of the model's states in a range.
  ///
  /// Kinds: `state.other` for a state of another moment (a lost or an early change), `state.none`
  /// for one that never was (two changes mixed, damage served): the causes differ.
  func mismatch(
    _ rows: [StoreRow],
    _ model: StoreModel,
    _ range: ClosedRange<Int>
  ) -> Difference? {
    if model.states[range].contains(rows) { return nil }
    let older = model.states.contains(rows)
    return Difference(
      kind: older ? "state.other" : "state.none",
      summary: older
        ? "the store shows a state that was not the one at this moment"
        : "the store shows a state that it never had",
      expected: model.states[range].map(rowsText).joined(separator: " or "),
      actual: rowsText(rows)
    )
  }
}

/// Rows on one line, with longer runs of one letter counted: `[c=994 x*300 y x*12 d=3]`.
///
/// The padding of a sample's texts is such a run.
func rowsText(_ rows: [StoreRow]) -> String {
  "[" + rows.map { "\($0.id)=\(runsCounted($0.text))" }.joined(separator: " ") + "]"
}

/// A text with runs of more than eight equal letters counted, each a word of its own.
private func runsCounted(_ text: String) -> String {
  var words: [String] = []
  var isRun = true
  var rest = text[...]
  while let letter = rest.first {
    let run = rest.prefix { $0 == letter }
    rest = rest.dropFirst(run.count)
    let wasRun = isRun
    isRun = run.count > 8
    if isRun {
      words.append("\(letter)*\(run.count)")
    } else if wasRun {
      words.append(String(run))
    } else {
      words[words.count - 1] += run
    }
  }
  return words.joined(separator: " ")
}

/// Where two lists of rows differ.
func difference(
  _ actual: [StoreRow],
  from expected: [StoreRow],
  _ kind: String,
  _ summary: String
) -> Difference? {
  guard actual != expected else { return nil }
  return Difference(
    kind: kind,
    summary: summary,
    expected: rowsText(expected),
    actual: rowsText(actual)
  )
}

extension MemoryDisk {
  /// The bytes of all files, pending or sure, those that are about to be renamed among them.
  var byteCount: Int { paths.reduce(0) { $0 + (bytes(at: $1)?.count ?? 0) } }

  /// The first file that has other bytes on a later disk, or is not on it.
  func firstFile(changedOn later: MemoryDisk) -> [String]? {
    paths.first { later.bytes(at: $0) != bytes(at: $0) }
  }
}

extension MemoryFiles {
  /// The same files; the bytes that each call is asked to write are added to `written`.
  ///
  /// So bytes count that are written and removed again, too.
  func countingWrites(in written: Shared<Int>) -> FaultyFiles {
    FaultyFiles(self) { call in
      if call.call == .write { written.change { $0 += call.byteCount } }
    }
  }
}

/// A value that several jobs of a case change.
// A lock and no actor: it must not be another point at which a caller waits. It guards the value.
final class Shared<Value: Sendable>: Sendable {
  private let state: Mutex<Value>

  init(_ value: Value) { state = Mutex(value) }

  var value: Value {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  func change(_ body: (inout Value) -> Void) { state.withLock { body(&$0) } }
}
