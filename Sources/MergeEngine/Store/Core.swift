/// A document: everything it holds, in flat arenas.
///
/// Move-only, so that no copy is made by accident and no reference count is touched on an edit;
/// `MergeDocument` owns one. Links between records are handles of 32 bits (``Handle``).
///
/// Its parts: the actors; keys and values as bytes; maps and complex list elements as
/// *registers* of *rows*; lists and texts as B+-trees whose leaves hold *element runs*; the
/// change graph; the open transaction.
///
///     map       object 4 --firstRegister--> register 9 --next--> register 7 ...      registerNumbers
///                                             |                                     (4, key) -> 9
///                                           rows 30 <-> 41 <-> 44                   by id
///
///     list      object 5 --root--> inner 2 --children--> leaves 8 <-> 11             index: id -> leaf
///                                                          |
///                                                        runs: [hello] [x: register 12] [--]
///                                                                         |
///                                                                       rows 33 <-> 50
struct Core: ~Copyable {
  var actors = ActorTable()
  var keys = KeyTable()
  /// Values of all rows and runs, never moved, only appended.
  ///
  /// At most ``Limits/totalValueByteLimit`` bytes, so that an offset fits 32 bits. What a refused
  /// call has appended is cut off again; bytes of operations that were rolled back stay until the
  /// store is rebuilt.
  var values = Arena<UInt8>()

  /// In the order in which they were met; the root is first.
  var objects = Arena<ObjectRecord>()
  /// From packed id to place in `objects`.
  var objectNumbers = NumberTable()

  /// Of maps and of complex elements.
  var registers = Arena<Register>()
  /// From `object << 32 | key` to place in `registers`.
  var registerNumbers = NumberTable()
  /// Of all registers, in the order of arrival; a register links its own.
  var rows = Arena<Row>()
  var chains = Arena<SuccessorChain>()
  var chainNodes = Arena<SuccessorNode>()

  /// Slot `s` of leaf `l` stands at `at(l, s)` of `runs` and `widths`.
  var runs = Arena<ElementRun>()
  var widths = Arena<UInt32>()
  var leaves = Arena<LeafRecord>()
  /// Child `c` of inner node `n` stands at `at(n, c)` of these three.
  var children = Arena<NodeHandle>()
  var childWidths = Arena<UInt32>()
  var childMinima = Arena<PackedID>()
  var inners = Arena<InnerRecord>()

  /// The register after the one that was read last: where the next field of a model often stands.
  var nextRegister = RegisterHandle.none

  /// From an element's id to its leaf; empty, and told nothing, until ``isIndexed``.
  var index = IDIndex()
  /// Set by the first look-up by id, and never back.
  var isIndexed = false

  /// The greatest op counter in the document, open transaction included; 0 if there is none.
  var maxOp: UInt32 = 0
  /// What widths count; never changed, since every stored width counts it.
  var unit: TextUnit
  /// The actor of local edits.
  var actor: ActorID
  var history = History()
  var transaction = Transaction()
  /// One for commits, for the check of received changes, and for rebuilding: each begins it again.
  var encoder = ChangeEncoder()
  /// The registers with many rows.
  let rowIndex = RowIndex()
  let clockMemo = ClockMemo()
  /// What bytes from outside have cost.
  let meter = WorkMeter()
  /// Buffers for reading changes.
  var inbox = DecodedChange()

  /// Elements that were inserted with a value of no bytes, hidden ones included: see
  /// ``DocumentLimits/emptyElementLimit``.
  var emptyElementCount = 0
  /// What is taken in from outside.
  var limits: DocumentLimits
  /// Bytes of memory (``byteCount``) at which the call at hand is refused; `.max` outside of calls
  /// that take bytes in.
  var memoryCeiling = Int.max
  /// What `byteCapacity` was when memory was last given back, and what chunks have added that were rebuilt since.
  var settledByteCapacity = 0
  /// How often the store was rebuilt or replaced, and all handles with it.
  var compactions: UInt32 = 0

  /// Always `nil`.
  ///
  /// An existential makes the type address-only, so that methods which only read borrow it by
  /// address. Without it the compiler (6.3.1) takes the hundred fields apart at each use in each
  /// of them: building the module took 80 s.
  private let byAddress: (any Sendable)? = nil

  init(
    actor: ActorID,
    unit: TextUnit,
    limits: DocumentLimits = DocumentLimits()
  ) {
    self.actor = actor
    self.unit = unit
    self.limits = limits
    objects.append(
      ObjectRecord(
        counter: 0,
        actor: 0,
        kind: .map,
        parent: .none,
        key: .none,
        element: .none
      )
    )
  }

  /// An empty core with the same writer, unit and limits.
  func emptied() -> Core {
    Core(actor: actor, unit: unit, limits: limits)
  }

  /// A copy of everything, the open transaction included.
  ///
  /// Buffers, counters of work, and what is filled on demand (`rowIndex`, `clockMemo`, the
  /// history's index) start empty in the copy.
  borrowing func copy() -> Core {
    var copy = Core(actor: actor, unit: unit, limits: limits)
    copy.objects.truncate(to: 0)
    copy.actors = actors.copy()
    copy.keys = keys.copy()
    copy.values = values.copy()
    copy.objects.append(contentsOf: objects)
    copy.objectNumbers = objectNumbers.copy()
    copy.registers = registers.copy()
    copy.registerNumbers = registerNumbers.copy()
    copy.rows = rows.copy()
    copy.chains = chains.copy()
    copy.chainNodes = chainNodes.copy()
    copy.runs = runs.copy()
    copy.widths = widths.copy()
    copy.leaves = leaves.copy()
    copy.children = children.copy()
    copy.childWidths = childWidths.copy()
    copy.childMinima = childMinima.copy()
    copy.inners = inners.copy()
    copy.index = index.copy()
    copy.isIndexed = isIndexed
    copy.maxOp = maxOp
    copy.history = history.copy()
    copy.transaction = transaction.copy()
    copy.emptyElementCount = emptyElementCount
    copy.settledByteCapacity = settledByteCapacity
    copy.compactions = compactions
    return copy
  }

  /// Order of ids across all replicas: by counter, then by the actors' bytes.
  ///
  /// None (counter 0) comes before every id, and not before itself.
  @inline(__always)
  func precedes(_ left: PackedID, _ right: PackedID) -> Bool {
    let (first, second) = (left.raw >> 16, right.raw >> 16)
    if first != second { return first < second }
    if left.actor == right.actor || first == 0 { return false }
    return actors.ranks.precedes(left.actor, right.actor)
  }

  /// The id as callers see it.
  ///
  /// The id must be some operation's: of none the actor has no meaning.
  func publicID(_ id: PackedID) -> OpID {
    OpID(counter: id.counter, actor: actors.ids[Int(id.actor)])
  }

  func publicID(ofObject number: ObjectHandle) -> ObjectID {
    if number == .root { return .root }
    let record = objects[number]
    return ObjectID(
      counter: record.counter,
      actor: actors.ids[Int(record.actor)],
      hint: number
    )
  }

  /// The object of a packed id; the root for counter 0.
  func objectHandle(_ id: PackedID) -> ObjectHandle? {
    if id.isNone { return .root }
    return objectNumbers.find(id.raw).map { ObjectHandle(place: $0) }
  }

  /// The object that a caller names.
  ///
  /// - Throws: `unknownObject` if no operation here made it: the id is another document's, or its
  ///   operation was undone.
  @inline(__always)
  func resolve(_ id: ObjectID) throws(EditError) -> ObjectHandle {
    if id.counter == 0 { return .root }
    if objects.contains(id.hint) {
      let record = objects[id.hint]
      if record.counter == id.counter && actors.ids[Int(record.actor)] == id.actor {
        return id.hint
      }
    }
    guard let actor = actors.find(id.actor),
      let number = objectHandle(PackedID(id.counter, actor))
    else { throw .unknownObject(id) }
    return number
  }

  /// Adds an object made by operation `id`.
  ///
  /// Whether the place that shows it wins or is hidden does not matter: an object exists from its
  /// operation on.
  mutating func addObject(
    _ id: PackedID,
    _ kind: ObjectKind,
    parent: ObjectHandle,
    key: KeyHandle,
    element: PackedID
  ) {
    objectNumbers.set(id.raw, objects.nextHandle.place)
    objects.append(
      ObjectRecord(
        counter: id.counter,
        actor: id.actor,
        kind: kind,
        parent: parent,
        key: key,
        element: element
      )
    )
  }
}
