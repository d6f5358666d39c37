/// Winners without the ids of their operations: what coders read, field by field.
///
/// They see the open operations, and only the present: no clock is asked for.
extension MergeDocument {
  /// The winner under a key of a map; `nil` if nothing is visible there.
  ///
  /// Cost: constant, and for a counter the rows of its register.
  package func value(_ object: ObjectID, key: String) throws(EditError) -> Value? {
    let number = try core.resolve(object)
    guard let register = try core.register(number, named: key), let row = core.winner(register)
    else { return nil }
    return core.value(row, in: register)
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
  /// The register of a key; `nil` if nothing ever named it.
  ///
  /// Models are read in the order in which they were written, and so were their registers made: the
  /// one behind the last is tried first, which finds most fields without a hash.
  ///
  /// A guess is believed only if object and key are those asked for.
  ///
  ///     registers    7: (root, "title")  8: (root, "due")  9: (root, "tags")
  ///     asked        "title": found by hash, next guess 8; "due": 8 it is, next guess 9; ...
  mutating func register(
    _ object: ObjectHandle,
    named key: String
  ) throws(EditError) -> RegisterHandle? {
    let kind = objects[object].kind
    guard !kind.isSequence else { throw .invalidOperation(kind: kind) }
    let guess = nextRegister
    var key = key
    let found = key.withUTF8 { utf8 -> RegisterHandle? in
      let view: ByteView
      if let base = utf8.baseAddress {
        view = unsafe ByteView(base: base, count: utf8.count)
      } else {
        view = values.view(from: 0, length: 0)
      }
      if registers.contains(guess), registers[guess].object == object,
        keys.view(registers[guess].key).matches(view)
      {
        return guess
      }
      return keys.find(view).flatMap { register(object, $0) }
    }
    if let found { nextRegister = found.next }
    return found
  }

  /// A row's value.
  func value(_ row: RowHandle, in register: RegisterHandle) -> Value {
    let record = rows[row]
    if let kind = record.action.made { return .object(objectID(record.id), kind) }
    let scalar = scalar(meta: record.meta, value: record.value)
    guard case .counter(let start) = scalar else { return .scalar(scalar) }
    return .scalar(.counter(counterValue(row, in: register, start: start)))
  }

  /// The value of element `offset` of a simple run.
  func value(_ run: ElementRun, _ offset: UInt32) -> Value {
    if let kind = run.action.made {
      return .object(objectID(run.id(of: offset)), kind)
    }
    return .scalar(scalar(meta: run.meta, value: run.value(of: offset)))
  }

  /// The id as callers see it, with the object's place as hint.
  func objectID(_ id: PackedID) -> ObjectID {
    ObjectID(
      counter: id.counter,
      actor: actors.ids[Int(id.actor)],
      hint: objectHandle(id) ?? .none
    )
  }
}
