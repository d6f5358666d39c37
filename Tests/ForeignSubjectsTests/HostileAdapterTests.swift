import DocumentModel
import Foundation
import Histories
import Testing

@testable import ForeignSubjects

/// A script that misbehaves at its first program of two instructions, and what must come of it.
///
/// Each process of it that starts after a failure behaves: the file `sick` decides, and is gone after
/// the first time.
struct Hostility: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let kind: String
  let script: String
  let words: String

  init(_ name: String, _ kind: String, words: String, _ script: String) {
    testDescription = name
    self.kind = kind
    self.words = words
    self.script = script
  }

  static let all = [
    Hostility("a crash", "crash", words: "signal 6", "kill -ABRT $$"),
    Hostility("an exit", "exit", words: "status 3", "echo last words >&2; exit 3"),
    Hostility(
      "an exit that says why, and more",
      "exit",
      words: "of 2 instructions; the last error that it wrote: KeyError: 'k'.",
      "printf \"Traceback\\n  KeyError: 'k'\\nbye\\n\" >&2; exit 3"
    ),
    Hostility(
      "an exit while a child holds the pipe",
      "exit",
      words: "status 3",
      "sleep 60 & exit 3"
    ),
    Hostility("a hang", "timeout", words: "1.5 s", "while :; do sleep 60; done"),
    Hostility(
      "a hang that ignores SIGTERM, with a child that holds the pipe",
      "timeout",
      words: "1.5 s",
      "trap '' TERM; (trap '' TERM; sh -c 'echo $$ >> pids; exec sleep 60') & wait; sleep 60"
    ),
    Hostility("a line that is no JSON", "garbage", words: "a JSON object", "echo hello"),
    Hostility(
      "a line that it prints besides",
      "garbage",
      words: "it wrote: debug 1",
      "echo debug 1"
    ),
    Hostility("an empty line", "garbage", words: "a JSON object", "echo"),
    Hostility("a line of bytes", "garbage", words: "a JSON object", "printf '\\377\\000\\n'"),
    Hostility("two lines", "garbage", words: "more than one line", "printf '{}\\n{}\\n'"),
    Hostility("a closed output", "garbage", words: "closed its", "exec >&-; sleep 60"),
    Hostility(
      "one outcome too few",
      "garbage",
      words: "2 outcomes",
      "answer '\"ran\":[[\"done\"]]'"
    ),
    Hostility(
      "the answer to another request",
      "garbage",
      words: "request 2",
      "n=7; answer '\"ran\":[[\"done\"],[\"done\"]]'"
    ),
    Hostility(
      "a nested answer",
      "garbage",
      words: "deeper than 500",
      "printf '{\"n\":2,\"ran\":'; head -c 100000 /dev/zero | tr '\\0' '['; echo"
    ),
    Hostility(
      "100 MB without a newline",
      "flood",
      words: "more than 4 MiB",
      "head -c 104857600 /dev/zero | tr '\\0' x"
    ),
    Hostility(
      "a memory eater",
      "memory",
      words: "more than 200 MiB",
      "s=$(head -c 50000000 /dev/zero | tr '\\0' x); t=$s$s$s$s$s$s; sleep 60; echo $t"
    ),
    Hostility(
      "a memory eater that left the group",
      "memory",
      words: "more than 200 MiB",
      """
      setsid sh -c 'echo $$ >> pids
        s=$(head -c 50000000 /dev/zero | tr "\\0" x); t=$s$s$s$s$s$s; sleep 60; echo $t' &
      sleep 60
      """
    ),
    Hostility(
      "a crash that leaves a child in a session of its own",
      "crash",
      words: "signal 6",
      "setsid sh -c 'echo $$ >> pids; exec sleep 300' & sleep 0.5; kill -ABRT $$"
    ),
    Hostility("an error", "error", words: "no such thing", "answer '\"error\":\"no such thing\"'"),
  ]

  var whole: String {
    """
    start
    while turn; do
      if [ -e sick ]; then
        rm sick
        \(script)
      else
        answer '"ran":[["done"],["saved","00ff"]]'
      fi
    done
    """
  }
}

@Suite("Hostile adapters", .serialized)
struct HostileAdapterTests {
  private static let program = Program([
    .create(document: 0, ActorID(repeating: 1)), .save(document: 0, slot: 0),
  ])

  @Test(
    "Each way to fail has its kind and words, leaves no process, and the next program is answered",
    arguments: Hostility.all
  )
  func fails(_ hostility: Hostility) throws {
    let folder = try AdapterFolder(hostility.whole)
    var limits = AdapterLimits.patient
    if hostility.kind == "timeout" { limits.answerTimeoutMilliseconds = 1_500 }
    let session = try folder.subject(limits).session()
    try Data().write(to: folder.url.appendingPathComponent("sick"))

    let failure = #expect(throws: SubjectFailure.self) { try session.run(Self.program) }
    #expect(failure?.kind == hostility.kind)
    let words = try #require(failure?.description)
    #expect(words.contains(hostility.words), "\(words)")
    #expect(words.contains("fake"))
    if hostility.kind != "error" { #expect(try folder.leftProcesses() == []) }

    let transcript = try session.run(Self.program)
    #expect(transcript.outcomes == [.done, .saved([0, 255])])
    // The first was started by the subject's initialiser.
    let processCount = Set(try folder.numbers(in: "pids")).count
    #expect(hostility.kind == "error" ? processCount == 2 : processCount >= 3)
  }

  @Test("What an adapter wrote to standard error last is told")
  func tellsWhatItWroteLast() throws {
    let folder = try AdapterFolder(
      "start; turn; i=0; while [ $i -lt 3000 ]; do i=$((i+1)); echo line $i >&2; done; exit 1"
    )
    let session = try folder.subject().session()
    let failure = #expect(throws: SubjectFailure.self) { try session.run(Self.program) }
    let words = try #require(failure?.description)
    #expect(words.contains("line 2995\n  line 2996\n"))
    #expect(words.contains("line 3000"))
    #expect(!words.contains("line 2994\n"))
  }

  @Test("A slow answer in small pieces is a good answer")
  func waits() throws {
    let folder = try AdapterFolder(
      """
      start; turn; printf '{"n":2,"ran":'; sleep 0.3; printf '[["done"],'; sleep 0.3
      printf '["sent",3]]}'; sleep 0.2; echo; turn
      """
    )
    let session = try folder.subject().session()
    #expect(try session.run(Self.program).outcomes == [.done, .sent(parts: 3)])
  }

  @Test("A request larger than all pipes, and an answer as large, do not block each other")
  func exchangesLargeLines() throws {
    let folder = try AdapterFolder(
      """
      start; turn; printf '{"n":2,"ran":[["refused","'; printf '%s' "$request" | tr -d '"\\\\'
      printf '"]]}\\n'; turn
      """
    )
    let session = try folder.subject().session()
    let text = ExactString(String(repeating: "x", count: 1 << 20))
    let edit = Edit<ObjectName>.put(.root, .key("k"), .string(text))
    let transcript = try session.run(Program([.edit(document: 0, edit, makes: nil)]))
    // Not compared within the expectation, which would print a megabyte.
    let echoesAll =
      transcript.outcomes == [
        .refused("{n:2,run:[[edit,0,[put,0,k,[string,\(text)]]]]}")
      ]
    #expect(echoesAll)
  }

  @Test(
    "An adapter that does not start right is refused with its kind",
    arguments: [
      ("exit 7", "exit", "status 7"),
      ("kill -SEGV $$", "crash", "signal 11"),
      (
        #"turn; answer '"started":{"protocol":2,"id":"fake","version":"1","capabilities":{}}'; turn"#,
        "protocol", "version 2"
      ),
      (
        #"turn; answer '"started":{"protocol":1,"id":"other","version":"1","capabilities":{}}'; turn"#,
        "garbage", "calls itself other"
      ),
      (
        #"turn; answer '"started":{"protocol":1,"id":"fake","version":"1","capabilities":{"edits":["fly"]}}'"#,
        "garbage", #"one of the edits, found "fly""#
      ),
      (#"turn; answer '"pong":{}'; turn"#, "garbage", #"a member "started""#),
    ]
  )
  func refusesToStart(_ script: String, _ kind: String, _ words: String) throws {
    let folder = try AdapterFolder(script)
    let failure = #expect(throws: SubjectFailure.self) { try folder.subject() }
    #expect(failure?.kind == kind)
    let description = try #require(failure?.description)
    #expect(description.contains(words), "\(description)")
    #expect(try folder.leftProcesses() == [])
  }

  @Test(
    "A program that is not there is named",
    arguments: ["no-such-program-anywhere", "./no-such-file", "/etc"]
  )
  func namesMissingProgram(_ program: String) throws {
    let folder = try AdapterFolder("", manifest: #"{"id":"fake","command":["\#(program)"]}"#)
    let failure = #expect(throws: SubjectFailure.self) { try folder.subject() }
    #expect(failure?.kind == "start")
    #expect(failure?.description.contains("there is no program \(program)") == true)
  }

  @Test("A process that comes back as another implementation is refused")
  func refusesAnotherIntroduction() throws {
    let folder = try AdapterFolder(
      """
      turn; version=$(wc -l < pids | tr -d ' ')
      answer '"started":{"protocol":1,"id":"fake","version":"'$version'","capabilities":{}}'; turn
      """
    )
    let session = try folder.subject().session()
    let failure = #expect(throws: SubjectFailure.self) { try session.run(Self.program) }
    #expect(failure?.kind == "garbage")
    #expect(failure?.description.contains("otherwise than before") == true)
  }

  @Test("A session that ends takes its process with it, polite or not")
  func endsProcesses() throws {
    for goodbye in ["turn", "trap '' HUP TERM; while :; do sleep 1; done"] {
      let folder = try AdapterFolder(
        """
        start; turn; case $request in *run*) ;; *) exit ;; esac
        setsid sh -c 'echo $$ >> pids; exec sleep 300' &
        while [ $(wc -l < pids) -lt 3 ]; do sleep 0.05; done
        answer '"ran":[["done"],["done"]]'; \(goodbye)
        """
      )
      var session: (any SubjectSession)? = try folder.subject().session()
      _ = try session?.run(Self.program)
      // The adapter, and its child in a session of its own.
      #expect(try folder.livingProcesses().count == 2)
      session = nil
      #expect(try folder.leftProcesses() == [])
    }
  }

  @Test("Two sessions at a time do not hold each other's pipes")
  func keepsPipesApart() throws {
    let folder = try AdapterFolder(
      """
      start; echo $$ >> order
      while turn; do answer '"ran":[["done"],["done"]]'; done; echo $$ >> ended
      """
    )
    var limits = AdapterLimits.patient
    limits.stopTimeoutMilliseconds = 60_000
    let subject = try folder.subject(limits)
    var first: (any SubjectSession)? = subject.session()
    let second = subject.session()
    _ = try first?.run(Self.program)
    _ = try second.run(Self.program)
    first = nil
    // The first was not killed: it found the end of its input while the second still ran.
    #expect(try folder.numbers(in: "ended").count == 2)
    #expect(try folder.livingProcesses().count == 1)
    _ = try second.run(Self.program)
  }

  @Test("When this process exits, an adapter in an endless loop is not left over")
  func leavesNothingAtExit() async throws {
    let result = await #expect(
      processExitsWith: .exitCode(9),
      observing: [\.standardOutputContent]
    ) {
      let folder = try AdapterFolder("start; turn; while :; do :; done")
      var limits = AdapterLimits.patient
      limits.answerTimeoutMilliseconds = 300_000
      let subject = try folder.subject(limits)
      let thread = Thread {
        let session = subject.session()
        _ = try? session.run(Program([.commit(document: 0)]))
      }
      thread.start()
      while try folder.numbers(in: "pids").count < 2 { usleep(10_000) }
      usleep(300_000)
      let pids = try folder.livingProcesses()
      FileHandle.standardOutput.write(
        Data("pids \(pids.map(String.init).joined(separator: " "))\n".utf8)
      )
      exit(9)
    }
    let output = String(decoding: try #require(result?.standardOutputContent), as: UTF8.self)
    let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("pids ") })
    let pids = line.split(separator: " ").dropFirst().compactMap { Int($0) }
    #expect(pids.count == 1)
    usleep(200_000)
    for pid in pids { #expect(!AdapterFolder.isLiving(pid)) }
  }

  /// Starts an adapter that does not stop, with a child in a session of its own, prints their
  /// numbers, and ends this process by a signal.
  private static func startAndEnd(by number: Int32) throws {
    let folder = try AdapterFolder(
      """
      start; turn; case $request in *run*) ;; *) exit ;; esac
      setsid sh -c 'echo $$ >> pids; exec sleep 300' &
      while :; do sleep 1; done
      """
    )
    let subject = try folder.subject()
    Thread { _ = try? subject.session().run(Program([.commit(document: 0)])) }.start()
    while try folder.numbers(in: "pids").count < 3 { usleep(10_000) }
    let pids = try folder.livingProcesses()
    FileHandle.standardOutput.write(
      Data("pids \(pids.map(String.init).joined(separator: " "))\n".utf8)
    )
    signal(number, SIG_DFL)
    kill(getpid(), number)
    while true { usleep(10_000) }
  }

  private func expectNothingLeft(_ output: [UInt8]?) throws {
    let text = String(decoding: try #require(output), as: UTF8.self)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("pids ") })
    let pids = line.split(separator: " ").dropFirst().compactMap { Int($0) }
    #expect(pids.count == 2)
    for _ in 0..<1_000 where pids.contains(where: AdapterFolder.isLiving) { usleep(20_000) }
    for pid in pids { #expect(!AdapterFolder.isLiving(pid)) }
  }

  @Test("Killed, this process leaves no adapter and no child of one")
  func killed() async throws {
    let result = await #expect(
      processExitsWith: .signal(SIGKILL),
      observing: [\.standardOutputContent]
    ) { try HostileAdapterTests.startAndEnd(by: SIGKILL) }
    try expectNothingLeft(result?.standardOutputContent)
  }

  @Test("When its terminal closes, this process leaves no adapter and no child of one")
  func hungUp() async throws {
    let result = await #expect(
      processExitsWith: .signal(SIGHUP),
      observing: [\.standardOutputContent]
    ) { try HostileAdapterTests.startAndEnd(by: SIGHUP) }
    try expectNothingLeft(result?.standardOutputContent)
  }

  @Test("Interrupted by force, this process leaves no adapter and no child of one")
  func interrupted() async throws {
    let result = await #expect(
      processExitsWith: .signal(SIGINT),
      observing: [\.standardOutputContent]
    ) { try HostileAdapterTests.startAndEnd(by: SIGINT) }
    try expectNothingLeft(result?.standardOutputContent)
  }

  @Test("Trapped, this process leaves no adapter and no child of one")
  func trapped() async throws {
    let result = await #expect(
      processExitsWith: .signal(SIGABRT),
      observing: [\.standardOutputContent]
    ) { try HostileAdapterTests.startAndEnd(by: SIGABRT) }
    try expectNothingLeft(result?.standardOutputContent)
  }

  @Test("What an adapter says is shown, not printed, and not at any length")
  func showsWords() throws {
    let hostile = #"\u001b]0;x\u0007\u202e"# + String(repeating: "x", count: 100_000)
    let folder = try AdapterFolder(
      """
      turn; answer '"started":{"protocol":1,"id":"fake","version":"1\\u001b[2J","capabilities":{}}'
      turn; printf '\\033[31mred\\n' >&2; answer '"error":"\(hostile)"'; turn
      """
    )
    let subject = try folder.subject()
    #expect(subject.version == #"1\u{1B}[2J"#)
    let failure = #expect(throws: SubjectFailure.self) {
      try subject.session().run(Self.program)
    }
    let words = try #require(failure?.description)
    #expect(words.contains(#"\u{1B}]0;x\u{7}\u{202E}xxx"#))
    #expect(words.contains(#"\u{1B}[31mred"#))
    #expect(words.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x0A || $0 > 0x7F })
    #expect(words.utf8.count < 2_000)
  }
}
