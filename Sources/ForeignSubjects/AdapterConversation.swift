import Histories
import Texts

/// A conversation with one process in which any line may be sent, right or wrong.
///
/// ``Dialogue`` is for subjects and keeps to the protocol; this is for finding out who does not.
final class AdapterConversation {
  private let child: ChildProcess
  private let limits: AdapterLimits
  private var number = 0

  /// Starts a process, which has been asked nothing yet.
  init(
    _ command: AdapterCommand,
    name: String,
    _ limits: AdapterLimits
  ) throws(AdapterFailure) {
    self.limits = limits
    child = try ChildProcess(command, adapter: name, limits: limits)
  }

  deinit {
    child.kill()
  }

  // MARK: - Right requests

  func introduce() throws -> LineProtocol.Introduction {
    try ask(
      .start,
      within: limits.startTimeoutMilliseconds,
      AdapterFailure.start
    ) { try LineProtocol.introduction($0, number: $1) }
  }

  /// Asks for a sign, under a number of the caller's choice or the next.
  func ping(number wish: Int? = nil) throws {
    if let wish { number = wish - 1 }
    try ask(.ping, within: limits.answerTimeoutMilliseconds, "when it was asked for a sign") {
      try LineProtocol.pong($0, number: $1)
    }
  }

  func run(_ instructions: [Instruction]) throws -> [Outcome] {
    var program = Program()
    program.instructions = instructions
    return try ask(
      .run(program),
      within: limits.answerTimeoutMilliseconds,
      "when it was given a program of \(instructions.count) instructions"
    ) {
      try LineProtocol.transcript($0, number: $1, count: instructions.count).outcomes
    }
  }

  private func ask<Answer>(
    _ request: LineProtocol.Request,
    within milliseconds: Int,
    _ words: String,
    _ read: ([UInt8], Int) throws -> Answer
  ) throws -> Answer {
    number += 1
    let line = LineProtocol.line(request, number: number)
    return try child.answer(to: line, within: milliseconds, as: words) { try read($0, number) }
  }

  // MARK: - Other lines

  /// Sends `body` as the members of a request after its number, and reads outcomes of a program.
  func run(raw body: String, count: Int) throws -> [Outcome] {
    number += 1
    return try child.answer(
      to: Array(#"{"n":\#(number),\#(body)}"#.utf8) + [UInt8(ascii: "\n")],
      within: limits.answerTimeoutMilliseconds,
      as: "when it was asked for \(body)"
    ) { try LineProtocol.transcript($0, number: number, count: count).outcomes }
  }

  /// How a process reacts to a line that it can make nothing of.
  enum Reaction {
    /// It said so, and goes on.
    case complaint
    /// It exited with this status.
    case exit(Int)
    /// It did something else, in words.
    case other(String)
  }

  /// Sends a request of a kind that there is not.
  func reaction(toRequest name: String) -> Reaction {
    number += 1
    return reaction(to: Array(#"{"n":\#(number),"\#(name)":{}}"#.utf8), number: number)
  }

  /// Sends a line of any bytes; the newline is added.
  func reaction(to line: [UInt8], number: Int? = nil) -> Reaction {
    do {
      let answer = try child.exchange(
        line + [UInt8(ascii: "\n")],
        within: limits.answerTimeoutMilliseconds,
        as: "on that line"
      )
      let json = try JSONValue(object: answer)
      guard let complaint = json["error"] else {
        return .other("it answered as if that were a request")
      }
      _ = try complaint.string("the error in words")
      if let number {
        guard try json.member("n", of: "an answer").number("a number", in: 0...Int.max) == number
        else { return .other("its error names another request") }
      }
      return .complaint
    } catch let failure as AdapterFailure {
      if case .exited(let status) = failure.reason { return .exit(status) }
      return .other("it \(failure.happening)")
    } catch {
      return .other("it answered with something else: \(error)")
    }
  }

  // MARK: - Ends

  /// Whether it exits when it is asked to, while its input stays open.
  func exitsWhenAsked() -> Bool {
    number += 1
    return child.exits(
      asked: LineProtocol.line(.stop, number: number),
      within: limits.stopTimeoutMilliseconds
    )
  }

  /// Whether it exits when its input ends after these bytes.
  func exitsAtEndOfInput(after last: String = "") -> Bool {
    child.exits(after: Array(last.utf8), within: limits.stopTimeoutMilliseconds)
  }
}
