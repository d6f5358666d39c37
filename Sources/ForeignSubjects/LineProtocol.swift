package import DocumentModel
package import Histories
import Texts

/// The protocol between the harness and an adapter: one JSON object a line, both ways.
///
///     harness  {"n":1,"start":{"protocol":1}}
///     adapter  {"n":1,"started":{"protocol":1,"id":"automerge","version":"0.5.7",...}}
///     harness  {"n":2,"run":[["create",0,"01010101"],["edit",0,["put",0,"k",["int","5"]]]]}
///     adapter  {"n":2,"ran":[["done"],["edited"]]}
///     harness  {"n":3,"stop":{}}
///
/// Every request has a number, which its answer repeats, so that an adapter that answers twice is
/// found out. `Documentation/LineProtocol.md` describes it to the authors of adapters.
package enum LineProtocol {
  /// The version that this harness speaks.
  package static let version = 1

  /// What the harness asks.
  package enum Request: Hashable, Sendable {
    /// Asks which subject this is: the first request, and the only one an adapter may be slow to
    /// answer.
    case start
    /// Carry out a program from nothing.
    case run(Program)
    /// Are you there?
    case ping
    /// Exit. There is no answer.
    case stop
  }

  /// What an adapter says of itself.
  package struct Introduction: Hashable, Sendable {
    package let id: String
    package let version: String
    package let capabilities: Capabilities
  }

  /// The request as a line, the newline at its end included.
  package static func line(_ request: Request, number: Int) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.key("n")
      writer.number(number)
      switch request {
      case .start:
        writer.key("start")
        writer.object {
          $0.key("protocol")
          $0.number(version)
        }
      case .run(let program):
        writer.key("run")
        writer.array { writer in
          for instruction in program.instructions { writer.write(instruction) }
        }
      case .ping:
        writer.key("ping")
        writer.object { _ in }
      case .stop:
        writer.key("stop")
        writer.object { _ in }
      }
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  // MARK: - Answers

  /// An adapter's answer that it cannot answer, in its own words.
  package struct Complaint: Error {
    package let explanation: String
  }

  /// An answer to another request than the last one.
  package struct OtherRequest: Error, CustomStringConvertible {
    let due: Int
    let found: Int

    package var description: String {
      "expected the answer to request \(due), found one to request \(found)"
    }
  }

  /// Another version of the protocol than this harness speaks.
  package struct VersionMismatch: Error {
    package let found: Int
  }

  /// Reads the answer to `start`.
  ///
  /// - Throws: ``AnswerError``, ``OtherRequest``, ``Complaint``, ``VersionMismatch``.
  package static func introduction(_ line: [UInt8], number: Int) throws -> Introduction {
    let answer = try answer("started", in: line, number: number)
    let due = "the answer to start"
    let version = try answer.member("protocol", of: due).number("a version", in: 0...1_000_000)
    guard version == Self.version else { throw VersionMismatch(found: version) }
    return Introduction(
      id: try answer.member("id", of: due).parsed("a short id", shortID),
      // Shown wherever the adapter is named.
      version: VisibleText(scalarLimit: 100)(
        try answer.member("version", of: due).string("a version")
      ),
      capabilities: try Capabilities(answer.member("capabilities", of: due))
    )
  }

  /// Reads the answer to `run`: one outcome for each of `count` instructions.
  ///
  /// - Throws: ``AnswerError``, ``OtherRequest``, ``Complaint``.
  package static func transcript(_ line: [UInt8], number: Int, count: Int) throws -> Transcript {
    let outcomes = try answer("ran", in: line, number: number).array("an array of outcomes")
    guard outcomes.count == count else {
      throw AnswerError(expected: "\(count) outcomes", found: "\(outcomes.count)")
    }
    var result: [Outcome] = []
    result.reserveCapacity(count)
    for (index, outcome) in outcomes.enumerated() {
      result.append(try at("outcome \(index)") { () throws(AnswerError) in try Outcome(outcome) })
    }
    return Transcript(outcomes: result)
  }

  /// Reads the answer to `ping`.
  ///
  /// - Throws: ``AnswerError``, ``OtherRequest``, ``Complaint``.
  static func pong(_ line: [UInt8], number: Int) throws {
    _ = try answer("pong", in: line, number: number)
  }

  private static func answer(
    _ name: String,
    in line: [UInt8],
    number: Int
  ) throws -> JSONValue {
    let answer = try JSONValue(object: line)
    let due = "an answer"
    let found = try answer.member("n", of: due).number("a request's number", in: 0...Int.max)
    guard found == number else {
      throw OtherRequest(due: number, found: found)
    }
    if let complaint = answer["error"] {
      throw Complaint(explanation: try complaint.string("the error in words"))
    }
    return try answer.member(name, of: due)
  }

  /// An id as the command line and reports spell it: small letters, digits and hyphens.
  static func shortID(_ text: String) -> String? {
    let isShort = (1...32).contains(text.utf8.count)
    let isPlain = text.utf8.allSatisfy { byte in
      (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2d
    }
    return isShort && isPlain ? text : nil
  }
}
