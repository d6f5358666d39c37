package import DocumentModel
import Texts

/// What is visible in a document, one line for each value: `/t/0 = text 1@aa abc`.
///
/// The golden vectors tell it as JSON, a subject as an observation; both become the same lines.
/// Numbers, ids and bytes are words, so that nothing is rounded on the way.
///
///      = map _root                   the root, whose path is empty: kind and id
///     /k has 1@aa                    each operation that the register shows, losers of a conflict, too
///     /k = str world                 the winner
///     /t = text 2@aa abc             a text; its elements have no lines
///
/// Losers of a conflict are written by id alone. Floats are written by their bits, so that -0.0 and
/// NaN stay apart.
package enum GoldenLines {
  package static func of(_ observation: Observation) -> [String] {
    var lines: [String] = []
    add(observation.root, at: "", &lines)
    return lines.sorted()
  }

  private static func add(
    _ object: ObservedObject,
    at path: String,
    _ lines: inout [String]
  ) {
    let id = notation(object.id)
    switch object.content {
    case .map(let entries):
      lines.append("\(path) = map \(id)")
      for entry in entries { add(entry.register, at: "\(path)/\(entry.key.string)", &lines) }
    case .list(let elements):
      lines.append("\(path) = list \(id)")
      for (index, register) in elements.enumerated() {
        add(register, at: "\(path)/\(index)", &lines)
      }
    case .text(let text, _, _):
      lines.append("\(path) = text \(id) \(text.string)")
    }
  }

  private static func add(
    _ register: ObservedRegister,
    at path: String,
    _ lines: inout [String]
  ) {
    for value in register.values {
      if let id = value.id { lines.append("\(path) has \(id.counter)@\(id.actor)") }
    }
    switch register.values.last?.content {
    case .object(let object): add(object, at: path, &lines)
    case .scalar(let scalar): lines.append("\(path) = \(notation(scalar))")
    case .hidden, nil: break
    }
  }

  private static func notation(_ id: ObjectID?) -> String {
    switch id {
    case .made(let id): "\(id.counter)@\(id.actor)"
    case .root, nil: "_root"
    }
  }

  private static func notation(_ scalar: Scalar) -> String {
    switch scalar {
    case .null: "null"
    case .boolean(let value): "bool \(value)"
    case .int(let value): "int \(value)"
    case .uint(let value): "uint \(value)"
    case .float(let value): "f64 \(hexString(value.bitPattern))"
    case .string(let value): "str \(value.string)"
    case .bytes(let value): "bytes \(hexString(value))"
    case .counter(let value): "counter \(value)"
    case .timestamp(let value): "timestamp \(value)"
    case .unknown(let code, let value):
      "unknown \(code) \(hexString(value))"
    }
  }
}
