/// One operation, as a change stores it.
///
/// The change in which the actor abcd sets "k" to 5, column by column, and its one operation:
///
///     startOp 01            id             1@abcd: ids are counted from the change's first
///     (no object columns)   object         the root
///     15   7f 01 6b         place          the key "k"
///     34   01               isInsert       false
///     42   7f 01            action         1: set
///     56   7f 14            ... its value  1 << 4 | 4: an int of one byte
///     57   05               ... its value  5
///     70   7f 00            predecessors   none
///
/// This is the form that people look at, `touchstone doc` among them; the engine itself works on
/// ``OpRun``; one run may stand for thousands of these.
package struct StoredOperation: Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    case key(String)
    /// An element of a list or text, by the operation that inserted it; `nil` is the place before all of them.
    case element(OpID?)
  }

  package enum Action: Hashable, Sendable {
    case make(ObjectKind)
    case set(Scalar)
    case delete
    case increment(Scalar)
    /// The begin of a mark; its end has no name.
    case mark(name: String?, Scalar, expands: Bool)
  }

  package let id: OpID
  package let object: ObjectID
  /// Where it stands; of an insertion, the element behind which it goes.
  package let place: Place
  package let isInsert: Bool
  package let action: Action
  /// The operations whose values it replaces, increments or deletes.
  package let predecessors: [OpID]
}

extension MergeDocument {
  /// The operations of a change in their order; `nil` if it is not applied here.
  ///
  /// Cost: decoding the change.
  package func operations(of hash: ChangeHash) -> [StoredOperation]? {
    guard let chunk = changeBytes(hash), let change = core.history.find(hash) else { return nil }
    let author = core.history.records[change].actor
    return withView(of: chunk) { core.operations($0, by: author) }
  }
}

extension Core {
  /// The operations of a chunk that was applied.
  ///
  /// Its values are read behind those of the document, and are taken back at the end: a ``Scalar`` holds
  /// bytes of its own.
  fileprivate mutating func operations(_ chunk: ByteView, by author: UInt16) -> [StoredOperation] {
    var decoded = DecodedChange()
    let valueCount = values.count
    defer { values.truncate(to: valueCount) }
    decodeAgain(chunk, by: author, into: &decoded)
    var operations: [StoredOperation] = []
    for entry in 0..<decoded.runs.count {
      let run = decoded.runs[entry]
      for offset in 0..<run.count { operations.append(operation(run, offset, decoded.preds)) }
    }
    return operations
  }

  /// Operation `offset` of a run, by the rules of ``OpRun``.
  ///
  /// A plain deletion has no entry in `preds`: its element's insertion is its predecessor.
  private func operation(
    _ run: OpRun,
    _ offset: UInt32,
    _ preds: borrowing Arena<PackedID>
  ) -> StoredOperation {
    let element = run.element(of: offset)
    let value = scalar(meta: run.meta, value: run.value &+ offset &* run.byteCount)
    let action: StoredOperation.Action =
      switch run.action {
      case .makeMap: .make(.map)
      case .makeList: .make(.list)
      case .makeText: .make(.text)
      case .makeTable: .make(.table)
      case .set: .set(value)
      case .delete: .delete
      case .increment: .increment(value)
      case .mark:
        .mark(
          name: run.name == .none ? nil : keys.string(run.name),
          value,
          expands: run.expands
        )
      }
    let predecessors =
      run.isPlainDelete
      ? [publicID(element)]
      : run.preds.map { publicID(preds[$0]) }
    let isRoot = run.objectCounter == 0
    return StoredOperation(
      id: publicID(run.id(of: offset)),
      object: isRoot ? .root : ObjectID(publicID(run.object)),
      place: run.key == .none
        ? .element(element.counter == 0 ? nil : publicID(element)) : .key(keys.string(run.key)),
      isInsert: run.isInsert,
      action: action,
      predecessors: predecessors
    )
  }
}
