package import MergeEngine

/// What a document takes in from outside, and what one call may cost for it.
///
/// Passing a limit refuses the call; ``LoadError/limit`` has the property's name. The defaults are for
/// bytes that strangers send. A file whose writer is known can be loaded with ``greatest`` ones:
///
/// ```swift
/// let mine = try Document(bytes, limits: .greatest)
/// ```
public struct DocumentLimits: Hashable, Sendable {
  var engine: MergeEngine.DocumentLimits

  /// The defaults.
  public init() { engine = MergeEngine.DocumentLimits() }

  package init(engine: MergeEngine.DocumentLimits) { self.engine = engine }

  /// The greatest that a document can hold: for files whose writer is known.
  public static var greatest: DocumentLimits { DocumentLimits(engine: .greatest) }

  /// Bytes that the compressed parts of one call's input may inflate to, all together: 256 MiB, at most
  /// 1 GiB.
  ///
  /// Checked while inflating: a byte of input makes 1,032 at most.
  public var inflatedByteLimit: Int {
    get { engine.inflatedByteLimit }
    set { engine.inflatedByteLimit = newValue }
  }

  /// Bytes of memory that one call may add to the document, whatever its input's length: 256 MiB.
  public var freeMemoryByteLimit: Int {
    get { engine.freeMemoryByteLimit }
    set { engine.freeMemoryByteLimit = newValue }
  }

  /// Bytes of memory that one call may add beyond them for each byte of its input: 512.
  public var memoryPerByteLimit: Int {
    get { engine.memoryPerByteLimit }
    set { engine.memoryPerByteLimit = newValue }
  }

  /// Steps of work that one call may spend on bytes from outside, whatever their number: 268,435,456,
  /// about a quarter of a second.
  ///
  /// Bytes that say the same again and again can stand for much work: 500 bytes for 650,000 changes, each of
  /// which counts a counter up; a document that is not empty takes 550,000 of them from such a file. A file of more
  /// such changes is loaded with a greater limit.
  public var freeWorkLimit: Int {
    get { engine.freeWorkLimit }
    set { engine.freeWorkLimit = newValue }
  }

  /// Steps of work that one call may spend beyond them for each byte of its input: 4,096.
  public var workPerByteLimit: Int {
    get { engine.workPerByteLimit }
    set { engine.workPerByteLimit = newValue }
  }

  /// Elements of all lists and texts with a value of no bytes (null, true, false, an empty string, a
  /// new object): 4,194,304.
  ///
  /// They alone are stored in runs of any length: 174 bytes can say 67 million nulls. Local edits keep
  /// to it, too, so that what is saved can be loaded.
  public var emptyElementLimit: Int {
    get { engine.emptyElementLimit }
    set { engine.emptyElementLimit = newValue }
  }

  /// Changes that wait for others: 524,288.
  public var waitingChangeLimit: Int {
    get { engine.waitingChangeLimit }
    set { engine.waitingChangeLimit = newValue }
  }

  /// Changes of one actor that wait for others: 262,144.
  public var waitingChangePerActorLimit: Int {
    get { engine.waitingChangePerActorLimit }
    set { engine.waitingChangePerActorLimit = newValue }
  }

  /// Bytes of the changes that wait for others, inflated: 128 MiB.
  public var waitingByteLimit: Int {
    get { engine.waitingByteLimit }
    set { engine.waitingByteLimit = newValue }
  }

  /// Actors that the document may know for changes of others to bring another one: 64,511.
  ///
  /// A document can know 65,535; the rest is left to the app, which can always edit. A file may have
  /// all of them: it can be read and exported, but no new actor can edit it.
  public var receivedActorLimit: Int {
    get { engine.receivedActorLimit }
    set { engine.receivedActorLimit = newValue }
  }

  /// How far the numbers of a change's operations may lie beyond the operations it builds on:
  /// 16,777,216.
  ///
  /// Operations are numbered up to 4,294,967,295 for the whole document. Honest writers go on from what
  /// they know; one change that began near the end would leave no number to other writers.
  public var operationGapLimit: Int {
    get { engine.operationGapLimit }
    set { engine.operationGapLimit = newValue }
  }
}
