/// What the runtime's metadata says of an enumeration, read only where its layout is a stable ABI.
///
/// A payload enumeration decodes by the keys of a private type. Where that type lists its cases, or
/// where all of its values can be made safely, they are known; nothing is guessed.
///
/// What it earns: without it every enumeration with payloads has to be listed by its author (`words`),
/// since its synthesised keys are private: ten models of the zoo have no values then. Cases are asked for
/// once a type, whether keys are cases once a container: two loads from metadata. What holds it:
/// `DerivationTests`, "Every model of the zoo derives, and its values survive their recorded tree", and
/// four more of its tests that fail without it; under stress, `TypeFactsTests`.
///
/// Source: Swift ABI, "Type Metadata": an enumeration's metadata is its kind, 0x201, and a pointer to
/// its descriptor of `[flags, parent, name, access, fields, payload cases, empty cases]`, 4 bytes each.
enum TypeFacts {
  private static let enumMetadataKind: UInt = 0x201
  private static let enumDescriptorKind: UInt32 = 18

  /// Whether the type is an enumeration other than `Optional`.
  static func isEnumeration(_ type: Any.Type) -> Bool {
    unsafe descriptor(type) != nil
  }

  /// The descriptor of an enumeration; `nil` for any other type and on platforms that sign pointers.
  private static func descriptor(_ type: Any.Type) -> UnsafeRawPointer? {
    #if _pointerBitWidth(_64) && !_ptrauth(_arm64e)
    // Metadata lives as long as the process, and each kind starts with one word.
    let metadata = unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
    guard unsafe metadata.load(as: UInt.self) == enumMetadataKind else { return nil }
    let descriptor = unsafe metadata.load(fromByteOffset: 8, as: UnsafeRawPointer.self)
    let flags = unsafe descriptor.load(as: UInt32.self)
    return flags & 0x1f == enumDescriptorKind ? unsafe descriptor : nil
    #else
    return nil
    #endif
  }

  /// All values of an enumeration without payloads, in the order of their declaration; `nil` if they
  /// cannot all be made safely.
  static func allValues<T>(_ type: T.Type) -> [T]? {
    if let type = type as? any CaseIterable.Type { return listed(type) as? [T] }
    guard let descriptor = unsafe descriptor(type) else { return nil }
    let payloadCases = unsafe descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0xff_ffff
    let count = Int(unsafe descriptor.load(fromByteOffset: 24, as: UInt32.self))
    guard payloadCases == 0, count > 0, isPlain(type, count: count) else { return nil }
    return (0..<count).map { value in
      unsafe withUnsafeBytes(of: UInt16(value).littleEndian) { unsafe $0.load(as: T.self) }
    }
  }

  private static func listed<T: CaseIterable>(_ type: T.Type) -> [T] { Array(type.allCases) }

  /// Whether the values are the numbers `0..<count` and no other bits.
  ///
  /// Two independent counts must agree: that of the descriptor, and what is left of the type's size.
  private static func isPlain<T>(_ type: T.Type, count: Int) -> Bool {
    switch MemoryLayout<T>.size {
    case 0: count == 1
    case 1: count <= 256 && 256 - count == spareValues(type, upTo: 256)
    case 2: count > 256 && count < 65_536
    default: false
    }
  }

  /// How often `Optional` can wrap the type before it needs another byte.
  private static func spareValues<T>(_ type: T.Type, upTo limit: Int) -> Int {
    guard limit > 0, MemoryLayout<T?>.size == MemoryLayout<T>.size else { return 0 }
    return 1 + spareValues(T?.self, upTo: limit - 1)
  }

  /// The declared names of an enumeration's cases; none where they were left out of the program.
  static func caseNames(_ type: Any.Type) -> [String] {
    guard let descriptor = unsafe descriptor(type),
      let fields = unsafe relative(descriptor + 16)
    else { return [] }
    let size = Int(unsafe fields.load(fromByteOffset: 10, as: UInt16.self))
    let count = Int(unsafe fields.load(fromByteOffset: 12, as: UInt32.self))
    guard size >= 12, count < 65_536 else { return [] }
    return (0..<count).compactMap { index in
      guard let name = unsafe relative(fields + 16 + index * size + 8) else { return nil }
      return unsafe String(cString: name.assumingMemoryBound(to: CChar.self))
    }
  }

  /// Where a relative pointer of 32 bits leads; `nil` if it is null.
  private static func relative(_ pointer: UnsafeRawPointer) -> UnsafeRawPointer? {
    let offset = unsafe pointer.load(as: Int32.self)
    return offset == 0 ? nil : unsafe pointer + Int(offset)
  }

  /// The strings of all keys of a type of coding keys; `nil` if they are not known.
  static func keys<Key: CodingKey>(_ type: Key.Type) -> [Key]? {
    guard let keys = allValues(type) else { return nil }
    let names = keys.map(\.stringValue)
    guard Set(names).count == names.count,
      names.allSatisfy({ Key(stringValue: $0)?.stringValue == $0 })
    else { return nil }
    return keys
  }

  /// The raw values of all cases of a raw-value enumeration; `nil` if they are not known.
  static func rawValues(_ type: Any.Type) -> [Any]? {
    func open<R: RawRepresentable>(_ type: R.Type) -> [Any]? {
      allValues(type)?.map { $0.rawValue }
    }
    guard isEnumeration(type), let type = type as? any RawRepresentable.Type else { return nil }
    return open(type)
  }
}
