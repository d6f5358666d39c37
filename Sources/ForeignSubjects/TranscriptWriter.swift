import DocumentModel
package import Histories
import Texts

/// Writes answers as an adapter does: the inverse of what the harness reads.
package enum TranscriptWriter {
  /// The answer to the request of a number, as a line without its end.
  package static func line(_ transcript: Transcript, number: Int) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.key("n")
      writer.number(number)
      writer.key("ran")
      writer.array { writer in
        for outcome in transcript.outcomes { write(outcome, &writer) }
      }
    }
    return writer.bytes
  }

  private static func write(_ outcome: Outcome, _ writer: inout JSONWriter) {
    writer.array { writer in
      writer.string(outcome.name)
      switch outcome {
      // Adapters are not attacked, and hear nothing.
      case .done, .cursor(.end), .heard: break
      case .edited(let effect):
        guard effect != EditEffect() else { return }
        write(effect.made?.description, &writer)
        guard !effect.replaced.isEmpty || !effect.written.isEmpty else { return }
        for ids in [effect.replaced, effect.written] {
          writer.array { $0.strings(ids.map(\.description)) }
        }
      case .refused(let words), .failed(let words): writer.string(words)
      case .sent(let parts): writer.number(parts)
      case .observed(let observation): write(observation, &writer)
      case .saved(let bytes):
        if let bytes { writer.string(hexString(bytes)) }
      case .synced(let report):
        writer.number(report.rounds)
        if let repeats = report.repeats { writer.number(repeats) }
      case .cursor(.element(let id, let move)): writer.strings([id.description, move.rawValue])
      case .position(let position):
        if let position { writer.number(position) }
      case .patches(let patches):
        writer.array { for patch in patches { $0.write(patch) } }
      }
    }
  }

  private static func write(_ text: String?, _ writer: inout JSONWriter) {
    if let text { writer.string(text) } else { writer.null() }
  }

  private static func write(_ observation: Observation, _ writer: inout JSONWriter) {
    writer.object { writer in
      writer.key("root")
      write(observation.root, &writer)
      guard let heads = observation.heads else { return }
      writer.key("heads")
      writer.array { $0.strings([heads.scheme] + heads.ids) }
    }
  }

  private static func write(_ object: ObservedObject, _ writer: inout JSONWriter) {
    writer.object { writer in
      if let id = object.id { writer.member("id", id.description) }
      if !object.marks.isEmpty {
        writer.key("marks")
        writer.write(object.marks)
      }
      switch object.content {
      case .map(let entries):
        writer.key("map")
        writer.array { writer in
          for entry in entries {
            writer.array { writer in
              writer.string(entry.key.string)
              write(entry.register, &writer)
            }
          }
        }
      case .list(let registers):
        writer.key("list")
        writer.array { for register in registers { write(register, &$0) } }
      case .text(let text, let length, let elements):
        writer.member("text", text.string)
        writer.key("length")
        writer.number(length)
        guard let elements else { return }
        writer.key("elements")
        writer.array { for register in elements { write(register, &$0) } }
      }
    }
  }

  private static func write(_ register: ObservedRegister, _ writer: inout JSONWriter) {
    guard register.isComplete else {
      for winner in register.values.suffix(1) { write(winner, &writer) }
      return
    }
    writer.array { for value in register.values { write(value, &$0) } }
  }

  static func write(_ value: ObservedValue, _ writer: inout JSONWriter) {
    writer.array { writer in
      write(value.id?.description, &writer)
      switch value.content {
      case .object(let object):
        writer.string("object")
        write(object, &writer)
      case .hidden(let kind):
        writer.strings(["hidden", kind.rawValue])
      case .scalar(let scalar):
        writer.strings(scalar.tokens)
      }
    }
  }
}

extension Scalar {
  /// Kind and text, as the protocol has them.
  var tokens: [String] {
    switch self {
    case .null: ["null"]
    case .boolean(let value): ["boolean", "\(value)"]
    case .int(let value): ["int", "\(value)"]
    case .uint(let value): ["uint", "\(value)"]
    case .counter(let value): ["counter", "\(value)"]
    case .timestamp(let value): ["timestamp", "\(value)"]
    case .string(let value): ["string", value.string]
    case .bytes(let value): ["bytes", hexString(value)]
    case .unknown(let code, let value): ["unknown", "\(code)", hexString(value)]
    case .float(let value):
      [
        "float",
        hexString((0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (56 - 8 * $0)) }),
      ]
    }
  }
}
