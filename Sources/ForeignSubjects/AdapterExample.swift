import DocumentModel
import Histories

extension AdapterCheckup {
  /// The speaker of a line of a conversation.
  package enum Speaker: String, Sendable {
    case harness, adapter
  }

  /// Has one short conversation with the program: two replicas write one key, and exchange their states
  /// if the program can.
  ///
  /// - Parameter show: Told each line as it is said, without the newline.
  /// - Throws: ``SubjectFailure`` if the program cannot be started at all; ``AdapterFailure`` if it does not answer. An
  ///   answer that is wrong is shown all the same, and so is what comes after it: the first such is thrown at the end.
  package func converse(_ show: (Speaker, String) -> Void) throws {
    let child: ChildProcess
    do {
      child = try ChildProcess(command, adapter: name, limits: limits)
    } catch {
      throw error.subjectFailure
    }
    defer { child.kill() }
    var flaw: AdapterFailure?
    func ask<Answer>(
      _ request: LineProtocol.Request,
      _ number: Int,
      within milliseconds: Int,
      as words: String = "in the conversation",
      _ read: ([UInt8]) throws -> Answer
    ) throws(AdapterFailure) -> Answer? {
      let line = LineProtocol.line(request, number: number)
      show(.harness, String(decoding: line.dropLast(), as: UTF8.self))
      var isAnswered = false
      do throws(AdapterFailure) {
        return try child.answer(to: line, within: milliseconds, as: words) {
          isAnswered = true
          show(.adapter, String(decoding: $0, as: UTF8.self))
          return try read($0)
        }
      } catch {
        guard isAnswered else { throw error }
        flaw = flaw ?? error
        return nil
      }
    }
    let start = try ask(
      .start,
      1,
      within: limits.startTimeoutMilliseconds,
      as: AdapterFailure.start
    ) {
      try LineProtocol.introduction($0, number: 1)
    }
    var program = Program()
    program.instructions = Self.example(for: start?.capabilities)
    let count = program.instructions.count
    _ = try ask(.run(program), 2, within: limits.answerTimeoutMilliseconds) {
      try LineProtocol.transcript($0, number: 2, count: count)
    }
    _ = try ask(.ping, 3, within: limits.answerTimeoutMilliseconds) {
      try LineProtocol.pong($0, number: 3)
    }
    show(.harness, String(decoding: LineProtocol.line(.stop, number: 4).dropLast(), as: UTF8.self))
    _ = child.exits(
      asked: LineProtocol.line(.stop, number: 4),
      within: limits.stopTimeoutMilliseconds
    )
    if let flaw { throw flaw }
  }

  /// A program within what the adapter says that it can do; without an introduction, the simplest.
  private static func example(for able: Capabilities?) -> [Instruction] {
    let scalar: [Scalar] = [.string("Milk"), .int(5), .boolean(true), .null]
    let other: [Scalar] = [.string("Bread"), .int(6), .boolean(false), .null]
    func write(_ document: Int, _ scalars: [Scalar]) -> [Instruction] {
      let value = scalars.first { able?.scalars.contains($0.kind) ?? true }
      guard able?.edits.contains(.put) ?? true, let value else { return [] }
      return [
        .edit(document: document, .put(.root, .key("title"), value), makes: nil),
        .commit(document: document),
      ]
    }
    var program: [Instruction] = [.create(document: 0, ActorID(repeating: 1))]
    program += write(0, scalar)
    program.append(.create(document: 1, ActorID(repeating: 2)))
    program += write(1, other)
    if able?.transports.contains(.merge) ?? true { program.append(.merge(document: 0, from: 1)) }
    return program + [.observe(document: 0)]
  }
}
