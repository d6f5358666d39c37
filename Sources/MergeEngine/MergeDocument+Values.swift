/// Winners without the ids of their operations: what coders read, field by field.
extension MergeDocument {
  /// How a place compares with a scalar.
  package enum Comparison: Hashable, Sendable {
    /// Nothing is visible there.
    case absent
    /// The winner is the scalar, of the same type and with the same bytes.
    case equal
    case different
  }

  /// The winner under a key of a map; nil if nothing is visible there.
  package func value(_ object: ObjectID, key: String) throws(EditError) -> Value? {
    let number = try core.resolve(object)
    guard let register = try core.register(number, named: key), let row = core.winner(register)
    else { return nil }
    return core.value(row, in: register)
  }

  /// Compares the winner under a key of a map with a scalar, which makes no value of what is stored.
  package func compare(
    _ object: ObjectID,
    key: String,
    _ scalar: Scalar
  ) throws(EditError) -> Comparison {
    let number = try core.resolve(object)
    guard let register = try core.register(number, named: key), let row = core.winner(register)
    else { return .absent }
    let record = core.rows[row]
    guard record.action == Action.set, record.meta & 15 != TypeCode.counter else {
      return .different
    }
    return core.isStored(scalar, meta: record.meta, value: record.value) ? .equal : .different
  }

  /// Whether the winners of a list are these scalars, of the same types and with the same bytes.
  ///
  /// `scalar` gives the one for each index, `count` in all; nil for what is none, which ends the
  /// comparison.
  package func isList(
    _ object: ObjectID,
    of count: Int,
    _ scalar: (Int) -> Scalar?
  ) throws(EditError) -> Bool {
    let number = try core.resolve(object)
    guard core.objects[number].kind == .list, Int(core.objects[number].length) == count else {
      return false
    }
    var index = 0
    var isEqual = true
    core.forEachStretch(number, at: nil) { stretch in
      switch stretch {
      case .simple(let run, let from, let to):
        for offset in from..<to where isEqual {
          isEqual =
            run.action == Action.set && run.meta & 15 != TypeCode.counter
            && scalar(index).map {
              core.isStored($0, meta: run.meta, value: run.value &+ offset &* run.byteCount)
            } ?? false
          index += 1
        }
      case .complex(_, _, let row):
        let record = core.rows[row]
        isEqual =
          record.action == Action.set && record.meta & 15 != TypeCode.counter
          && scalar(index).map { core.isStored($0, meta: record.meta, value: record.value) }
            ?? false
        index += 1
      }
      return isEqual
    }
    return isEqual
  }

  /// The winners of a list's elements.
  package func listValues(_ object: ObjectID) throws(EditError) -> [Value] {
    let number = try core.resolve(object)
    var result: [Value] = []
    result.reserveCapacity(Int(core.objects[number].length))
    core.forEachStretch(number, at: nil) { stretch in
      switch stretch {
      case .simple(let run, let from, let to):
        for offset in from..<to { result.append(core.value(run, offset)) }
      case .complex(_, let register, let row): result.append(core.value(row, in: register))
      }
      return true
    }
    return result
  }
}

extension Core {
  /// The register of a key; nil if nothing ever named it.
  ///
  /// Models are read in the order in which they were written, and so were their registers made: the
  /// one behind the last is tried first, which finds most fields without a hash.
  mutating func register(
    _ object: UInt32,
    named key: String
  ) throws(EditError) -> UInt32? {
    let kind = objects[object].kind
    guard !kind.isSequence else { throw .invalidOperation(kind: kind) }
    let guess = nextRegister
    var key = key
    let found = key.withUTF8 { utf8 -> UInt32? in
      let view: ByteView
      if let base = utf8.baseAddress {
        view = unsafe ByteView(base: base, count: utf8.count)
      } else {
        view = values.view(from: 0, length: 0)
      }
      if Int(guess) < registers.count, registers[guess].object == object,
        keys.view(registers[guess].key).matches(view)
      {
        return guess
      }
      return keys.find(view).flatMap { register(object, $0) }
    }
    if let found { nextRegister = found &+ 1 }
    return found
  }

  /// A row's value.
  func value(_ row: UInt32, in register: UInt32) -> Value {
    let record = rows[row]
    if let kind = Action.made(record.action) { return .object(objectID(record.id), kind) }
    let scalar = scalar(meta: record.meta, value: record.value)
    guard case .counter(let start) = scalar else { return .scalar(scalar) }
    return .scalar(.counter(counterValue(row, in: register, start: start)))
  }

  /// The value of element `offset` of a simple run.
  func value(_ run: ElementRun, _ offset: UInt32) -> Value {
    if let kind = Action.made(run.action) {
      return .object(objectID(PackedID(run.counter &+ offset, run.actor)), kind)
    }
    return .scalar(scalar(meta: run.meta, value: run.value &+ offset &* run.byteCount))
  }

  private func objectID(_ id: PackedID) -> ObjectID {
    ObjectID(
      counter: id.counter,
      actor: actors.ids[Int(id.actor)],
      hint: objectNumber(id) ?? .max
    )
  }

  /// Whether stored bytes are those of a scalar; numbers of a different type are not.
  func isStored(_ scalar: Scalar, meta: UInt32, value: UInt32) -> Bool {
    let view = values.view(from: Int(value), length: Int(meta >> 4))
    switch scalar {
    case .null: return meta & 15 == TypeCode.null
    case .bool(let truth): return meta & 15 == (truth ? TypeCode.yes : TypeCode.no)
    case .string(var text):
      guard meta & 15 == TypeCode.string, text.utf8.count == view.count else { return false }
      return text.withUTF8 { utf8 in
        guard let base = utf8.baseAddress else { return true }
        return unsafe view.matches(ByteView(base: base, count: utf8.count))
      }
    case .bytes(let bytes):
      return meta & 15 == TypeCode.bytes && view.count == bytes.count && view.array == bytes
    case .int, .uint, .double, .timestamp:
      return self.scalar(meta: meta, value: value) == scalar
    case .counter, .unknown: return false
    }
  }
}
