import Foundation
import Histories

/// The conversation with one process, from its introduction to its end.
final class Dialogue {
  let introduction: LineProtocol.Introduction

  private let child: ChildProcess
  private let limits: AdapterLimits
  private var requestCount = 1

  /// Starts a process and lets it introduce itself, the same way as before if `expected` says so.
  ///
  /// - Throws: ``AdapterFailure``; no process is left.
  init(
    _ command: AdapterCommand,
    adapter: String,
    limits: AdapterLimits,
    expecting expected: LineProtocol.Introduction? = nil
  ) throws(AdapterFailure) {
    self.limits = limits
    child = try ChildProcess(command, adapter: adapter, limits: limits)
    introduction = try child.answer(
      to: LineProtocol.line(.start, number: 1),
      within: limits.startTimeoutMilliseconds,
      as: AdapterFailure.start
    ) { try LineProtocol.introduction($0, number: 1) }
    let due = expected?.id ?? adapter
    guard introduction.id == due else {
      throw child.failure(
        .garbage("it calls itself \(introduction.id) instead of \(due)"),
        AdapterFailure.start
      )
    }
    guard expected == nil || introduction == expected else {
      throw child.failure(
        .garbage("it introduced itself otherwise than before"),
        "when it was started again"
      )
    }
  }

  func run(_ program: Program) throws(AdapterFailure) -> Transcript {
    let count = program.instructions.count
    return try ask(
      .run(program),
      within: limits.answerTimeoutMilliseconds,
      as: "when it was given a program of \(count) instructions"
    ) { try LineProtocol.transcript($0, number: $1, count: count) }
  }

  func ping() throws(AdapterFailure) {
    try ask(.ping, within: limits.answerTimeoutMilliseconds, as: "when it was asked for a sign") {
      try LineProtocol.pong($0, number: $1)
    }
  }

  /// Asks the process to exit, and sees to it that it does.
  func stop() {
    requestCount += 1
    child.stop(LineProtocol.line(.stop, number: requestCount))
  }

  private func ask<Answer>(
    _ request: LineProtocol.Request,
    within milliseconds: Int,
    as words: String,
    _ read: ([UInt8], Int) throws -> Answer
  ) throws(AdapterFailure) -> Answer {
    requestCount += 1
    let number = requestCount
    let line = LineProtocol.line(request, number: number)
    return try child.answer(to: line, within: milliseconds, as: words) { try read($0, number) }
  }
}

extension ChildProcess {
  /// Sends a line and reads the line that answers it.
  ///
  /// - Throws: ``AdapterFailure``, also for a complaint and for an answer that cannot be read.
  func answer<Answer>(
    to line: [UInt8],
    within milliseconds: Int,
    as request: String,
    _ read: ([UInt8]) throws -> Answer
  ) throws(AdapterFailure) -> Answer {
    let answer = try exchange(line, within: milliseconds, as: request)
    do {
      return try read(answer)
    } catch let complaint as LineProtocol.Complaint {
      throw failure(.complained(complaint.explanation), request)
    } catch let mismatch as LineProtocol.VersionMismatch {
      throw failure(.otherProtocol(version: mismatch.found), request)
    } catch let other as LineProtocol.OtherRequest {
      throw failure(.misnumbered("\(other)"), request)
    } catch {
      // Most likely something that the adapter prints besides.
      guard answer.first == UInt8(ascii: "{") else {
        let line = String(decoding: answer.prefix(80), as: UTF8.self)
        throw failure(.chatter("\(error); it wrote: \(line)"), request)
      }
      var failure = failure(.garbage("\(error)"), request)
      failure.remedy = (error as? AnswerError)?.advice
      throw failure
    }
  }
}
