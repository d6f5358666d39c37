import Foundation
import MergeEngine

// What messages call the values of a document, which are not the names of Swift's types. Scalars
// have one word exactly if they are of one kind: that is what cautious writing compares. So a word that two
// kinds share would let one be written over the other.

extension ObjectKind {
  var word: String {
    switch self {
    case .map, .table: "object"
    case .list: "array"
    case .text: "text"
    }
  }
}

extension Scalar {
  var word: String {
    switch self {
    case .null: "null"
    case .bool: "bool"
    case .uint: "uint"
    case .int: "int"
    case .double: "double"
    case .string: "string"
    case .bytes: "bytes"
    case .counter: "counter"
    case .timestamp: "timestamp"
    case .unknown(let code, _): "unknown(\(code))"
    }
  }

  /// The Swift value that an error carries.
  var plain: Any {
    switch self {
    case .null: Int?.none as Any
    case .bool(let value): value
    case .uint(let value): value
    case .int(let value), .counter(let value), .timestamp(let value): value
    case .double(let value): value
    case .string(let value): value
    case .bytes(let value), .unknown(_, let value): Data(value)
    }
  }
}

extension StagedValue {
  /// The value as the model has it, for errors to carry; of an integer the widest of its kind.
  var callersValue: Any {
    switch self {
    case .float(let value): value
    case .date(let value, _): value
    case .url(let text): URL(string: text) ?? text as Any
    case .uuid(let value): value
    case .text(let text): text
    case .counter(let counter): counter
    case .absent, .keyedNil, .scalar, .map, .list, .kept: storedScalar.plain
    }
  }
}

extension MergeEngine.Value {
  var word: String {
    switch self {
    case .scalar(let scalar): scalar.word
    case .object(_, let kind): kind.word
    }
  }

  var isNull: Bool {
    if case .scalar(.null) = self { true } else { false }
  }

  var isCounter: Bool {
    if case .scalar(.counter) = self { true } else { false }
  }
}
