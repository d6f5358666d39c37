/// Places of the op store beside nodes of a draft.
///
///     draft        map { title, due }           keys of the draft: 0 "title", 1 "due"
///     document     registers of the object      5: key 12 "title"     6: key 13 "due"
///     title        guess 5 fits, guess is 6     no look-up
///     due          guess 6 fits, guess is 7     no look-up: both were made in the order of the struct
extension Core {
  /// The register of a draft's key; `nil` if the object never had it.
  ///
  /// `guess` is the register that is tried first, and then the one behind that which was found.
  @inline(__always)
  func register(
    _ object: ObjectHandle,
    _ key: DraftKeyHandle,
    of draft: Draft,
    _ guess: inout RegisterHandle
  ) -> RegisterHandle? {
    guard let stored = draft.store.keys.stored(key, in: keys) else { return nil }
    if registers.contains(guess), registers[guess].object == object,
      registers[guess].key == stored
    {
      defer { guess = guess.next }
      return guess
    }
    guard let found = register(object, stored) else { return nil }
    guess = found.next
    return found
  }

  /// Whether stored bytes are those of a draft's value; numbers of a different type are not.
  ///
  /// Doubles are compared by their bits: a NaN is equal to itself here, and 0 is not -0.
  @inline(__always)
  func isStored(_ node: DraftNode, of draft: Draft, _ meta: ValueMeta, _ value: UInt32) -> Bool {
    let type = meta.type
    switch node.kind {
    case .null: return type == TypeCode.null
    case .bool: return type == (node.bits == 0 ? TypeCode.no : TypeCode.yes)
    case .int: return type == TypeCode.int && isStored(signed: node.bits, meta, value)
    case .timestamp: return type == TypeCode.timestamp && isStored(signed: node.bits, meta, value)
    case .uint:
      return type == TypeCode.uint && view(meta, value).storedULEB == node.bits
    case .double:
      return type == TypeCode.double
        && view(meta, value).bigEndianWord(at: 0).byteSwapped == node.bits
    case .string:
      return type == TypeCode.string
        && draft.store.isString(Int(node.bits), view(meta, value))
    case .bytes:
      return type == TypeCode.bytes
        && withView(of: draft.store.blobs[Int(node.bits)]) { $0.matches(view(meta, value)) }
    case .open, .absent, .map, .list, .foreign: return false
    }
  }

  /// Compares numbers and not their bytes.
  @inline(__always)
  private func isStored(signed bits: UInt64, _ meta: ValueMeta, _ value: UInt32) -> Bool {
    view(meta, value).storedSLEB == Int64(bitPattern: bits)
  }

  /// The bytes of a stored value, borrowed: valid until the document next changes.
  @inline(__always)
  private func view(_ meta: ValueMeta, _ value: UInt32) -> ByteView {
    values.view(from: Int(value), length: Int(meta.byteCount))
  }
}

extension DraftStore {
  /// Whether bytes are those of one of the strings.
  ///
  /// Strings of Swift have their bytes at hand; those bridged from elsewhere may not, and are
  /// compared one by one.
  @inline(__always)
  func isString(_ number: Int, _ view: ByteView) -> Bool {
    let matches = unsafe strings[number].utf8.withContiguousStorageIfAvailable { utf8 in
      guard utf8.count == view.count else { return false }
      return unsafe withView(of: utf8) { $0.matches(view) }
    }
    return matches ?? strings[number].utf8.elementsEqual(view.array)
  }
}
