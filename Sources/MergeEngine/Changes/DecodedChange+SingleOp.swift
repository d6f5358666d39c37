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
  /// The columns of a change of one op, taken one by one in the order of their specs.
  ///
  ///     06                                     six columns
  ///     15 07  34 01  42 02  56 02  57 05  70 02     name and length of each
  ///     7f 05 68 65 6c 6c 6f  01  7f 01  7f 56  77 6f 72 6c 64  7f 00     the columns
  ///
  /// A column that is not there is `nil`, and so is one of another form, which makes all of it unsound: a null
  /// within a column is no missing column, since changes are written without it.
  private struct SingleColumns {
    private let bytes: ByteView
    /// Offset of the next column's name and length, a byte each, and where these end.
    private var name: Int
    private let nameEnd: Int
    /// Offset of the next column's bytes.
    private(set) var at: Int
    private let end: Int
    private var hasForm = true

    /// Nil if there is no room for the names.
    init?(_ cursor: ByteCursor) {
      guard cursor.remaining > 1 else { return nil }
      bytes = cursor.bytes
      end = cursor.end
      name = cursor.offset + 1
      nameEnd = name + 2 * Int(bytes[cursor.offset])
      guard nameEnd <= end else { return nil }
      at = nameEnd
    }

    /// Whether all columns were taken, and each had its form.
    ///
    /// One that is unknown, out of order, empty or long is never taken, nor those behind it.
    var isSound: Bool { hasForm && name == nameEnd }

    /// The bytes of a column.
    ///
    /// Inlined, as are the four below, so that each call has its column as a constant. With columns in a switch
    /// and in optionals of a struct W8's changes took 1,548 instructions each here, and take 1,103.
    @inline(__always)
    mutating func take(_ column: OpColumn) -> ByteView? {
      guard name < nameEnd, UInt32(bytes[name]) == column.rawValue else { return nil }
      let length = Int(bytes[name + 1])
      guard length > 0, length < 0x80, length <= end - at else { return nil }
      defer {
        name += 2
        at += length
      }
      return bytes.part(from: at, length: length)
    }

    /// The number of a column of one literal number.
    @inline(__always)
    mutating func number(_ column: OpColumn) -> UInt64? {
      guard let bytes = take(column) else { return nil }
      let number = DecodedChange.literal(bytes)
      if number == nil { hasForm = false }
      return number
    }

    /// The same of a signed number, which must not be negative.
    @inline(__always)
    mutating func signedNumber(_ column: OpColumn) -> UInt64? {
      guard let bytes = take(column) else { return nil }
      let number = DecodedChange.signedLiteral(bytes)
      if number == nil { hasForm = false }
      return number
    }

    /// The text of a column of one literal text.
    @inline(__always)
    mutating func text(_ column: OpColumn) -> ByteView? {
      guard let bytes = take(column) else { return nil }
      let text = DecodedChange.literalText(bytes)
      if text == nil { hasForm = false }
      return text
    }

    /// Whether a column of one flag has it: `01` is one false, `00 01` no false and one true.
    @inline(__always)
    mutating func flag(_ column: OpColumn) -> Bool? {
      guard let bytes = take(column) else { return nil }
      if bytes.count == 1 && bytes[0] == 1 { return false }
      if bytes.count == 2 && bytes[0] == 0 && bytes[1] == 1 { return true }
      hasForm = false
      return nil
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
    guard var columns = SingleColumns(cursor) else { return false }
    // In the order of the specs.
    let (objectActor, objectCounter) = (
      columns.number(.objectActor), columns.number(.objectCounter)
    )
    let (keyActor, keyCounter) = (columns.number(.keyActor), columns.signedNumber(.keyCounter))
    let text = columns.text(.keyString)
    let insert = columns.flag(.insert)
    let (code, number) = (columns.number(.action), columns.number(.valueMetadata))
    let value = columns.take(.value) ?? cursor.bytes.part(from: cursor.offset, length: 0)
    let predecessorCount = columns.number(.predecessorCount)
    let (predecessorActor, predecessorCounter) = (
      columns.number(.predecessorActor), columns.signedNumber(.predecessorCounter)
    )
    guard columns.isSound, let code, let action = Action(code: code), action != .mark,
      let meta = number, let inserts = insert
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
    if objectActor != nil || objectCounter != nil {
      guard let id = id(objectCounter, objectActor) else { return false }
      run.objectCounter = id.counter
      run.objectActor = id.actor
    }
    if text != nil {
      guard keyActor == nil, keyCounter == nil else { return false }
    } else if keyCounter == 0 {
      guard keyActor == nil else { return false }
    } else {
      guard let id = id(keyCounter, keyActor) else { return false }
      run.elementCounter = id.counter
      run.elementActor = id.actor
    }
    guard let checked = try? OpRowReader.checkValue(meta, value, at: 0),
      Int(checked.byteCount) == value.count,
      values.count + value.count <= Limits.totalValueByteLimit
    else { return false }
    if run.action == .increment {
      guard checked.type == TypeCode.int else { return false }
    }
    var pred: PackedID?
    switch predecessorCount {
    case 0: guard predecessorActor == nil, predecessorCounter == nil else { return false }
    case 1:
      pred = id(predecessorCounter, predecessorActor)
      if pred == nil { return false }
    default: return false
    }
    // Nothing can be refused from here on, but by a table that is full.
    if let text {
      guard isUTF8(text), let key = keys.intern(text) else { return false }
      run.key = key
    }
    if run.action.keepsValue(hasName: false) {
      run.meta = checked
      if checked.byteCount > 0 { run.value = UInt32(values.count) }
    }
    values.append(value)
    if let pred {
      if run.action == .delete && run.key.isNone && !run.isInsert && pred == run.element {
        run.flags.insert(.plainDelete)
      } else {
        preds.append(pred)
        run.predecessorCount = 1
      }
    }
    runs.append(run)
    let namesOther = objectActor == 1 || keyActor == 1 || predecessorActor == 1
    isCanonical =
      UInt64(run.action.rawValue) == code && UInt64(run.meta.rawValue) == meta
      && Int(run.meta.byteCount) == value.count
      && hasOthersInForm(header.otherActorCount, namesOther)
    opCount = 1
    singleCount = 1
    extraStart = columns.at
    cursor.offset = columns.at
    return true
  }

  /// Whether the op names each of the change's other actors; false as well where there are several, whose
  /// order is not looked at here.
  private func hasOthersInForm(_ count: Int, _ namesOther: Bool) -> Bool {
    switch count {
    case 0: true
    case 1: namesOther && actors[1] != actors[0]
    default: false
    }
  }

  /// An id of two columns; `nil` unless both are there and name an actor and a counter.
  private func id(_ counter: UInt64?, _ actor: UInt64?) -> PackedID? {
    guard let counter, let actor, counter > 0, counter <= UInt64(UInt32.max),
      actor < UInt64(actors.count)
    else { return nil }
    return PackedID(UInt32(counter), actors[Int(actor)])
  }

  /// The number of a column of one literal number, of at most five bytes.
  ///
  /// `nil` for more, for a number that does not end with the column, and for an overlong one.
  @inline(__always)
  fileprivate static func literal(_ column: ByteView) -> UInt64? {
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
  fileprivate static func signedLiteral(_ column: ByteView) -> UInt64? {
    let last = column[column.count - 1]
    if last & 0x40 != 0 { return nil }
    if column.count > 2 && last == 0 && column[column.count - 2] & 0x40 == 0 { return nil }
    return number(column)
  }

  /// The text of a column of one literal text.
  @inline(__always)
  fileprivate static func literalText(_ column: ByteView) -> ByteView? {
    guard column.count >= 2, column[0] == 0x7F, Int(column[1]) == column.count - 2 else {
      return nil
    }
    return column.part(from: 2, length: column.count - 2)
  }
}
