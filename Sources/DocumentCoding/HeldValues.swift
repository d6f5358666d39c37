import AutomergeDocument
import MergeEngine

/// What the texts and counters of a model, bound to the document that is written, held before the first
/// write.
///
/// A bound instance reads its place. Where a model swaps two, the first one that is written stands where
/// the second is read:
///
///     document    a: text 1 "x"     b: text 2 "y"         model   a: bound to 2    b: bound to 1
///     write a     a: text 1 "y"                           what b held is "x", and no longer there
///
/// Cost: a look at each bound counter; a text is read before it is overwritten, and only if an instance is
/// bound to it.
struct HeldValues {
  private var counts: [CounterPlace: Int64] = [:]
  /// Of counters whose place holds none any more: another counter of the model may be written there.
  private var lostCounts: [ObjectIdentifier: Int64] = [:]
  private var texts: [ObjectID: String] = [:]
  /// Texts to which instances are bound.
  private var bound: Set<ObjectID> = []
  /// Whether the document itself is written, and no branch of it.
  private let isHome: Bool
  private let others: OtherDocumentsValues

  /// On a branch (`engine` is not that of `home`) nothing is held: what is bound is not written there.
  init(
    _ staged: StagedValue,
    in home: Document,
    _ engine: MergeDocument,
    others: OtherDocumentsValues
  ) {
    self.others = others
    isHome = home.reading { $0 === engine }
    guard let tree = staged.tree else { return }
    for reference in tree.references {
      switch reference {
      case .text(let text):
        if let object = text.object(in: home) { bound.insert(object) }
      case .counter(let counter):
        guard isHome, let place = counter.place(in: home) else { continue }
        if let count = engine.count(at: place) {
          counts[place] = count
        } else {
          lostCounts[ObjectIdentifier(counter)] = Int64(counter.value)
        }
      default: break
      }
    }
  }

  /// Whether an instance of the model is bound to a text.
  func hasInstance(of text: ObjectID) -> Bool { bound.contains(text) }

  /// To be called before a text is overwritten.
  mutating func keep(_ text: ObjectID, of engine: MergeDocument) {
    guard isHome, bound.contains(text), texts[text] == nil else { return }
    texts[text] = try? engine.text(text)
  }

  /// What a text held, whatever has been written since.
  func content(of text: AutomergeText, in home: Document) -> String {
    text.object(in: home).flatMap { texts[$0] } ?? others[text] ?? text.value
  }

  /// What a counter held, whatever has been written since.
  func count(of counter: Counter, in home: Document) -> Int64 {
    counter.place(in: home).flatMap { counts[$0] } ?? lostCounts[ObjectIdentifier(counter)]
      ?? others[counter] ?? Int64(counter.value)
  }
}

/// What the texts and counters of a model hold that are bound to other documents than the one that is
/// written.
///
/// Read before the written document's lock is taken. A writer that took another document's lock under it would
/// wait for ever, if that one is written with what is bound to this one:
///
///     thread 1     encodes into A     has A's lock     reads a text of B, and waits for B's lock
///     thread 2     encodes into B     has B's lock     reads a text of A, and waits for A's lock
struct OtherDocumentsValues {
  private var texts: [ObjectIdentifier: String] = [:]
  private var counts: [ObjectIdentifier: Int64] = [:]

  init(of references: [StagedValue], besides home: Document) {
    for reference in references {
      switch reference {
      case .text(let text):
        guard let binding = text.binding, binding.document !== home else { continue }
        texts[ObjectIdentifier(text)] = text.value
      case .counter(let counter):
        guard let binding = counter.binding, binding.document !== home else { continue }
        counts[ObjectIdentifier(counter)] = Int64(counter.value)
      default: break
      }
    }
  }

  subscript(text: AutomergeText) -> String? { texts[ObjectIdentifier(text)] }
  subscript(counter: Counter) -> Int64? { counts[ObjectIdentifier(counter)] }
}

extension StagedValue {
  /// The tree that a container belongs to.
  fileprivate var tree: StagedTree? {
    switch self {
    case .map(let map): map.tree
    case .list(let list): list.tree
    default: nil
    }
  }
}
