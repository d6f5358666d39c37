#if JSONCOracle
import CJSONC
import Texts

/// The calls of json-c. Memory is unsafe here, and nowhere else in the module.
extension JSONOracle {
  static func parse(
    _ bytes: [UInt8],
    depthLimit: Int
  ) throws(JSONOracleError) -> JSONValue {
    guard let tokener = unsafe json_tokener_new_ex(Int32(depthLimit)) else {
      throw JSONOracleError(reason: .outOfMemory, offset: 0)
    }
    defer { unsafe json_tokener_free(tokener) }
    unsafe json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8)
    // The zero behind the text says that a number or a word has ended.
    let text = bytes.map { CChar(bitPattern: $0) } + [0]
    let root = unsafe text.withUnsafeBufferPointer { buffer in
      unsafe json_tokener_parse_ex(tokener, buffer.baseAddress, Int32(buffer.count))
    }
    // A null pointer stands for JSON's null, too, and putting it back does nothing.
    defer { unsafe json_object_put(root) }
    let error = unsafe json_tokener_get_error(tokener)
    let end = min(Int(unsafe json_tokener_get_parse_end(tokener)), bytes.count)
    guard error == json_tokener_success else {
      if error == json_tokener_error_depth {
        throw JSONOracleError(reason: .tooDeep(limit: depthLimit), offset: end)
      }
      let words = unsafe json_tokener_error_desc(error).map { unsafe String(cString: $0) }
      throw JSONOracleError(reason: .malformed(words ?? "refused"), offset: end)
    }
    let space: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    if let place = bytes[end...].firstIndex(where: { !space.contains($0) }) {
      throw JSONOracleError(reason: .leftover, offset: place)
    }
    return unsafe value(of: root)
  }

  /// A copy of what json-c holds; it is never deeper than the limit it was read with.
  @unsafe
  private static func value(of object: OpaquePointer?) -> JSONValue {
    guard let object = unsafe object else { return .null }
    switch unsafe json_object_get_type(object) {
    case json_type_boolean: return .boolean(unsafe json_object_get_boolean(object) != 0)
    case json_type_double: return .double(unsafe json_object_get_double(object))
    case json_type_int:
      // Above the signed range the signed call answers with its greatest number.
      let signed = unsafe json_object_get_int64(object)
      let unsigned = unsafe json_object_get_uint64(object)
      return signed == .max && unsigned > UInt64(Int64.max) ? .uint(unsigned) : .int(signed)
    case json_type_string:
      guard let start = unsafe json_object_get_string(object) else { return .string("") }
      let count = Int(unsafe json_object_get_string_len(object))
      let characters = unsafe UnsafeBufferPointer(start: start, count: count)
      // json-c was asked to refuse what is not UTF-8.
      let bytes = unsafe characters.map { UInt8(bitPattern: $0) }
      return .string(String(decoding: bytes, as: UTF8.self))
    case json_type_array:
      let count = Int(unsafe json_object_array_length(object))
      return .array(
        (0..<count).map { index in
          unsafe value(of: json_object_array_get_idx(object, index))
        }
      )
    case json_type_object: return unsafe .object(members(of: object))
    default: return .null
    }
  }

  @unsafe
  private static func members(of object: OpaquePointer) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    var place = unsafe json_object_iter_begin(object)
    var end = unsafe json_object_iter_end(object)
    while unsafe json_object_iter_equal(&place, &end) == 0 {
      let name = unsafe json_object_iter_peek_name(&place).map { unsafe String(cString: $0) }
      members.append(
        JSONValue.Member(name ?? "", unsafe value(of: json_object_iter_peek_value(&place)))
      )
      unsafe json_object_iter_next(&place)
    }
    return members
  }

  static func render(_ value: JSONValue) throws(JSONOracleError) -> [UInt8] {
    let root = unsafe try object(of: value, depth: 0)
    defer { unsafe json_object_put(root) }
    var count = 0
    let flags = JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE
    guard let start = unsafe json_object_to_json_string_length(root, flags, &count) else {
      throw JSONOracleError(reason: .outOfMemory, offset: 0)
    }
    return unsafe UnsafeBufferPointer(start: start, count: count).map { UInt8(bitPattern: $0) }
  }

  /// A new object of json-c, which the caller puts back; `nil` stands for null.
  @unsafe
  private static func object(
    of value: JSONValue,
    depth: Int
  ) throws(JSONOracleError) -> OpaquePointer? {
    guard depth <= greatestDepth else {
      throw JSONOracleError(reason: .tooDeep(limit: greatestDepth), offset: 0)
    }
    switch value {
    case .null: return nil
    case .boolean(let value): return unsafe json_object_new_boolean(value ? 1 : 0)
    case .int(let value): return unsafe json_object_new_int64(value)
    case .uint(let value): return unsafe json_object_new_uint64(value)
    case .double(let value): return unsafe json_object_new_double(value)
    case .decimal: return unsafe json_object_new_double(value.number ?? .nan)
    case .string(let string):
      let text = string.utf8.map { CChar(bitPattern: $0) }
      guard text.count <= byteLimit else { throw JSONOracleError(reason: .tooLong, offset: 0) }
      return unsafe json_object_new_string_len(text + [0], Int32(text.count))
    case .array(let values):
      let array = unsafe json_object_new_array()
      for element in values {
        do throws(JSONOracleError) {
          let child = unsafe try object(of: element, depth: depth + 1)
          unsafe json_object_array_add(array, child)
        } catch {
          unsafe json_object_put(array)
          throw error
        }
      }
      return unsafe array
    case .object(let members):
      let result = unsafe json_object_new_object()
      for member in members {
        do throws(JSONOracleError) {
          guard !member.key.utf8.contains(0) else {
            throw JSONOracleError(reason: .zeroInKey, offset: 0)
          }
          let child = unsafe try object(of: member.value, depth: depth + 1)
          let key = member.key.utf8.map { CChar(bitPattern: $0) } + [0]
          unsafe json_object_object_add(result, key, child)
        } catch {
          unsafe json_object_put(result)
          throw error
        }
      }
      return unsafe result
    }
  }
}
#endif
