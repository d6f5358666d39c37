/// The fast way through changes of one op.
///
/// The columns of a change that puts the integer 5 under "k" in the root, and replaces nothing:
///
///     15   7f 01 6b    keys: one literal of one byte, "k"
///     34   01          insert: one false
///     42   7f 01       actions: one literal, 1 for put
///     56   7f 14       metadata of values: one literal, one byte of kind int
///     57   05          values
///     70   7f 00       counts of predecessors: one literal, none
extension DecodedChange {
  /// The columns of a change of one op, as far as they were met.
  ///
  /// Nil for a column that is not there; a null within a column has another form, and is not read
  /// here.
  private struct SingleOp {
    var objectActor: UInt64?
    var objectCounter: UInt64?
    var keyActor: UInt64?
    var keyCounter: UInt64?
    var key: ByteView?
    var inserts: Bool?
    var action: UInt64?
    var meta: UInt64?
    var value: ByteView
    var predecessorCount: UInt64?
    var predecessorActor: UInt64?
    var predecessorCounter: UInt64?

    /// Whether the op names each of the change's other actors; false as well where there are several, whose
    /// order is not looked at here.
    func namesOthers(_ count: Int, of actors: borrowing Arena<UInt16>) -> Bool {
      switch count {
      case 0: true
      case 1:
        (objectActor == 1 || keyActor == 1 || predecessorActor == 1) && actors[1] != actors[0]
      default: false
      }
    }
  }

  /// Reads a change of one op whose columns are written as `ChangeEncoder.addOnly` writes them.
  ///
  /// Everything else, damage included, is left to the general way, which knows all forms and names
  /// what is wrong: then this returns false, and neither the cursor nor a table has changed. A
  /// quarter of the general way's cost, which has a cursor for each column.
  ///
  /// What reads here has one form but for two parts, which ``isCanonical`` tells apart: a value on an action that
  /// keeps none, and other actors that the op does not name.
  ///
  /// In this order: take the columns apart, check each, and only then enter the key and the value:
  /// what is entered before a refusal would stay.
  mutating func readSingle(
    _ header: ChangeHeader,
    from cursor: inout ByteCursor,
    author: UInt16,
    keys: inout KeyTable,
    values: inout Arena<UInt8>
  ) -> Bool {
    guard let (op, end) = Self.singleOp(cursor) else { return false }
    guard let action = op.action.flatMap(Action.init(code:)), action != .mark, let meta = op.meta,
      let inserts = op.inserts
    else { return false }
    var run = OpRun(
      objectCounter: 0,
      objectActor: 0,
      actor: author,
      counter: header.startOp,
      key: .none,
      action: action
    )
    if inserts { run.flags.insert(.insert) }
    if op.objectActor != nil || op.objectCounter != nil {
      guard let id = id(op.objectCounter, op.objectActor) else { return false }
      run.objectCounter = id.counter
      run.objectActor = id.actor
    }
    if op.key != nil {
      guard op.keyActor == nil, op.keyCounter == nil else { return false }
    } else if op.keyCounter == 0 {
      guard op.keyActor == nil else { return false }
    } else {
      guard let id = id(op.keyCounter, op.keyActor) else { return false }
      run.elementCounter = id.counter
      run.elementActor = id.actor
    }
    guard let checked = try? OpRowReader.checkValue(meta, op.value, at: 0),
      Int(checked.byteCount) == op.value.count,
      values.count + op.value.count <= Limits.totalValueByteLimit
    else { return false }
    if run.action == .increment {
      guard checked.type == TypeCode.int else { return false }
    }
    var pred: PackedID?
    switch op.predecessorCount {
    case 0: guard op.predecessorActor == nil, op.predecessorCounter == nil else { return false }
    case 1:
      pred = id(op.predecessorCounter, op.predecessorActor)
      if pred == nil { return false }
    default: return false
    }
    // Nothing can be refused from here on, but by a table that is full.
    if let text = op.key {
      guard isUTF8(text), let key = keys.intern(text) else { return false }
      run.key = key
    }
    if run.action.keepsValue(hasName: false) {
      run.meta = checked
      if checked.byteCount > 0 { run.value = UInt32(values.count) }
    }
    values.append(op.value)
    if let pred {
      if run.action == .delete && run.key.isNone && !run.isInsert && pred == run.element {
        run.flags.insert(.plainDelete)
      } else {
        preds.append(pred)
        run.predecessorCount = 1
      }
    }
    runs.append(run)
    isCanonical =
      UInt64(run.action.rawValue) == op.action && UInt64(run.meta.rawValue) == meta
      && Int(run.meta.byteCount) == op.value.count
      && op.namesOthers(header.otherActorCount, of: actors)
    opCount = 1
    extraStart = end
    cursor.offset = end
    return true
  }

  /// An id of two columns; nil unless both are there and name an actor and a counter.
  private func id(_ counter: UInt64?, _ actor: UInt64?) -> PackedID? {
    guard let counter, let actor, counter > 0, counter <= UInt64(UInt32.max),
      actor < UInt64(actors.count)
    else { return nil }
    return PackedID(UInt32(counter), actors[Int(actor)])
  }

  /// Takes the columns apart, and says where they end; nil if they have another form.
  ///
  ///     06                                     six columns
  ///     15 07  34 01  42 02  56 02  57 05  70 02     name and length of each
  ///     7f 05 68 65 6c 6c 6f  01  7f 01  7f 56  77 6f 72 6c 64  7f 00     the columns
  ///
  /// Names above a byte, deflated columns and long ones have another form, and go the general way.
  private static func singleOp(_ cursor: ByteCursor) -> (SingleOp, end: Int)? {
    let bytes = cursor.bytes
    guard cursor.remaining > 1 else { return nil }
    let count = Int(bytes[cursor.offset])
    // Each column: its name and its length, a byte each.
    let names = cursor.offset + 1
    guard count <= 12, cursor.end - names >= 2 * count else { return nil }
    var at = names + 2 * count
    var op = SingleOp(value: bytes.part(from: at, length: 0))
    var last: UInt8 = 0
    for index in 0..<count {
      let name = bytes[names + 2 * index]
      let length = Int(bytes[names + 2 * index + 1])
      guard name > last, length > 0, length < 0x80, length <= cursor.end - at else { return nil }
      last = name
      let column = bytes.part(from: at, length: length)
      at += length
      // By the numbers: to make a name of each first takes a second jump, which costs W8 408,000 wrong
      // guesses of the processor, a fifth of all of indirect jumps.
      switch UInt32(name) {
      case OpColumn.objectActor.rawValue: op.objectActor = literal(column)
      case OpColumn.objectCounter.rawValue: op.objectCounter = literal(column)
      case OpColumn.keyActor.rawValue: op.keyActor = literal(column)
      case OpColumn.keyCounter.rawValue: op.keyCounter = signedLiteral(column)
      case OpColumn.keyString.rawValue: op.key = literalText(column)
      case OpColumn.insert.rawValue:
        guard column[length - 1] == 1, length == 1 || length == 2 && column[0] == 0 else {
          return nil
        }
        op.inserts = length == 2
      case OpColumn.action.rawValue: op.action = literal(column)
      case OpColumn.valueMetadata.rawValue: op.meta = literal(column)
      case OpColumn.value.rawValue: op.value = column
      case OpColumn.predecessorCount.rawValue: op.predecessorCount = literal(column)
      case OpColumn.predecessorActor.rawValue: op.predecessorActor = literal(column)
      case OpColumn.predecessorCounter.rawValue: op.predecessorCounter = signedLiteral(column)
      default: return nil
      }
    }
    return (op, at)
  }

  /// The number of a column of one literal number, of at most five bytes.
  ///
  /// nil for more, for a number that does not end with the column, and for an overlong one.
  @inline(__always)
  private static func literal(_ column: ByteView) -> UInt64? {
    // A last byte of seven zeros adds nothing to those before it.
    column.count > 2 && column[column.count - 1] == 0 ? nil : number(column)
  }

  /// The same, be it overlong or not.
  @inline(__always)
  private static func number(_ column: ByteView) -> UInt64? {
    guard column[0] == 0x7F, column.count >= 2, column.count <= 6 else { return nil }
    var value: UInt64 = 0
    for at in 1..<column.count {
      let byte = column[at]
      guard byte & 0x80 != 0 || at == column.count - 1 else { return nil }
      value |= UInt64(byte & 0x7F) << (7 * UInt64(at - 1))
    }
    return column[column.count - 1] & 0x80 == 0 ? value : nil
  }

  /// The same for a signed number, which must not be negative.
  ///
  /// Bit 6 of the last byte is the sign of a LEB128 number. A delta column of one row holds that
  /// row's value, since it counts from 0.
  ///
  ///     7f c0 00     64: without its last byte it would be negative
  ///     7f bf 00     63, overlong
  @inline(__always)
  private static func signedLiteral(_ column: ByteView) -> UInt64? {
    let last = column[column.count - 1]
    if last & 0x40 != 0 { return nil }
    if column.count > 2 && last == 0 && column[column.count - 2] & 0x40 == 0 { return nil }
    return number(column)
  }

  /// The text of a column of one literal text.
  @inline(__always)
  private static func literalText(_ column: ByteView) -> ByteView? {
    guard column.count >= 2, column[0] == 0x7F, Int(column[1]) == column.count - 2 else {
      return nil
    }
    return column.part(from: 2, length: column.count - 2)
  }
}
