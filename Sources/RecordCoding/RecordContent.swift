import RecordModel

// What a record holds while a value is encoded as it. A value of its own, so that the writing that holds it
// changes all of it by one access for each field.

/// Fields and marks of a record that is written, onto a base or onto none.
///
///     base     title "a", later 7          put title "b", clear count
///     fields   title "b", later 7          marked title; not count, which the base has not, nor later
struct RecordContent {
  private let hasBase: Bool
  private var fields: [String: RecordValue]
  /// Keys of both sides are disjoint after each `put` and `clear`.
  private var encrypted: [String: RecordValue]
  /// Keys that are marked; with no base only those that were cleared, as all others are.
  private var changed: Set<String>
  /// Keys that the value named; `nil` where no option asks for them.
  private var named: Set<String>?
  /// Bytes of the base and of all that was put, what was replaced or cleared included: the record
  /// takes no more.
  private(set) var byteBound: Int

  init(onto base: Record?, _ unknownKeys: RecordEncodingOptions.UnknownKeys) {
    guard let base else {
      hasBase = false
      // Room for many records, without growing step by step.
      fields = Dictionary(minimumCapacity: 6)
      encrypted = [:]
      changed = []
      byteBound = 0
      return
    }
    hasBase = true
    fields = base.fields
    encrypted = base.encryptedFields
    // What the base has changed and no save has sent is still to be saved.
    changed = base.changedKeySet
    byteBound = base.byteCount
    if unknownKeys == .remove { named = [] }
  }

  /// Sets a field; one that the base has as it is stays unmarked.
  ///
  /// Compared by `==` of values, an encrypted one with the encrypted one before.
  mutating func put(_ value: RecordValue, _ key: String, isEncrypted: Bool) {
    byteBound += key.utf8.count + value.byteCount
    named?.insert(key)
    let old: RecordValue?
    if isEncrypted {
      fields[key] = nil
      old = encrypted.updateValue(value, forKey: key)
    } else {
      // It stands on one side: what was encrypted once and is not any more is one field.
      if !encrypted.isEmpty { encrypted[key] = nil }
      old = fields.updateValue(value, forKey: key)
    }
    if hasBase, old != value { changed.insert(key) }
  }

  /// Clears a field; without a base it is marked, since the server may have it.
  ///
  /// By `.omit` it names the key and does nothing else: neither is the field removed as an unknown
  /// one.
  mutating func clear(_ key: String, _ handling: RecordEncodingOptions.NilHandling) {
    named?.insert(key)
    guard handling == .clearKey else { return }
    let had = fields.removeValue(forKey: key) != nil
    let hadEncrypted = encrypted.removeValue(forKey: key) != nil
    if !hasBase || had || hadEncrypted { changed.insert(key) }
  }

  /// The record of all that was put and cleared, without fields that were to be named and were not.
  consuming func record(_ systemFields: RecordSystemFields) -> Record {
    if let named {
      for key in Set(fields.keys).union(encrypted.keys).subtracting(named) {
        fields[key] = nil
        encrypted[key] = nil
        changed.insert(key)
      }
    }
    // The way of most records: all that is set is marked, and no set of marks need be made.
    if !hasBase, changed.isEmpty {
      return Record(new: systemFields, fields: fields, encryptedFields: encrypted)
    }
    return Record(
      systemFields: systemFields,
      fields: fields,
      encryptedFields: encrypted,
      changedKeys: hasBase ? changed : changed.union(fields.keys).union(encrypted.keys)
    )
  }
}
