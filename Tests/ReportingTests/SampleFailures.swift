import PropertyEngine
import Reporting

/// Failures with histories as shrinking leaves them.
enum SampleFailures {
  static let all = [agreement, commutes, counter, saved, flaky]

  /// Two replicas, messages, one lost, a cut.
  static var agreement: Report.Failure {
    let steps = [
      step(
        .edit,
        #"r0 put root "title" string "draft""#,
        [0],
        [#""title": string "draft" (1@a1)"#]
      ),
      step(
        .send,
        "r0 -> r1 send m1 changes",
        [0, 1],
        [],
        message: 1
      ),
      step(.cut, "cut r1", [1], [], essential: false),
      step(
        .edit,
        #"r1 put root "title" string "final""#,
        [1],
        [#""title": string "final" (1@a2)"#]
      ),
      step(
        .send,
        "r1 -> r0 send m2 changes",
        [1, 0],
        [],
        message: 2,
        essential: false
      ),
      step(.drop, "m2 drop cut", [1, 0], [], message: 2, essential: false),
      step(.mend, "mend", [], [], essential: false),
      step(.commit, "r1 commit", [1], [], essential: false),
      step(
        .deliver,
        "m1 deliver",
        [0, 1],
        [#""title": string "draft" (1@a1)"#, #""title" (conflict): string "final" (1@a2)"#],
        message: 1,
        oracle: [#""title": string "final" (1@a2)"#, #""title" (conflict): string "draft" (1@a1)"#]
      ),
      step(
        .edit,
        #"r1 delete root "title""#,
        [1],
        [#""title": string "final" (1@a2)"#],
        oracle: ["(an empty map)"]
      ),
    ]
    var failure = failure(
      "agreement.states",
      "automerge",
      oracle: "naive",
      kind: .violated,
      differenceKind: "winner",
      summary: "the operation of the value differs at /\"title\"",
      expected: #"string "final" (1@a2)"#,
      actual: #"string "draft" (1@a1)"#,
      caseIndex: 17,
      caseCount: 41,
      shrinkEnding: "stopped by the clock after 20 s",
      steps
    )
    failure.expectedSide = Report.Failure.Side(
      name: "naive, r0 after step 9",
      party: .oracle,
      state: steps[8].oracleState ?? []
    )
    failure.actualSide = Report.Failure.Side(
      name: "automerge, r0 after step 9",
      party: .subject,
      state: steps[8].state
    )
    return failure
  }

  /// Three replicas, exchanges only.
  static var commutes: Report.Failure {
    let steps = [
      step(.edit, #"r0 type text1 0 delete 0 insert "ab""#, [0], [#""ab" (2 units)"#]),
      step(.exchange, "r0 -> r1 merge", [0, 1], [#""ab" (2 units)"#]),
      step(.exchange, "r0 -> r2 merge", [0, 2], [#""ab" (2 units)"#]),
      step(.edit, #"r1 type text1 1 delete 0 insert "x""#, [1], [#""axb" (3 units)"#]),
      step(.edit, #"r2 type text1 1 delete 1 insert "y""#, [2], [#""ay" (2 units)"#]),
      step(
        .exchange,
        "r1 -> r2 merge",
        [1, 2],
        [#""ayx" (3 units)"#],
        oracle: [#""axy" (3 units)"#]
      ),
      step(
        .heal,
        "heal",
        [0, 1, 2],
        [#""ayx" (3 units)"#],
        oracle: [#""axy" (3 units)"#],
        essential: false
      ),
    ]
    var failure = failure(
      "merge.commutes",
      "loro",
      oracle: nil,
      kind: .violated,
      differenceKind: "text",
      summary: "the text differs at /\"text1\"",
      expected: #""axy""#,
      actual: #""ayx""#,
      caseIndex: 203,
      caseCount: 3,
      steps
    )
    failure.expectedSide = Report.Failure.Side(
      name: "r1 after merging r2",
      party: .subject,
      state: [#""axy" (3 units)"#]
    )
    failure.actualSide = Report.Failure.Side(
      name: "r2 after merging r1",
      party: .subject,
      state: [#""ayx" (3 units)"#]
    )
    failure.isOfPeers = true
    return failure
  }

  /// Four replicas; a fork, a save, a restart, a clog, a message that never arrives.
  static var counter: Report.Failure {
    let steps = [
      step(.edit, #"r0 put root "n" counter 0"#, [0], [#""n": counter 0"#]),
      step(.fork, "r0 fork r3 actor 3", [0, 3], [#""n": counter 0"#]),
      step(.exchange, "r0 -> r1 document", [0, 1], [#""n": counter 0"#]),
      step(.save, "r1 save s1", [1], []),
      step(.edit, #"r1 increment root "n" 5"#, [1], [#""n": counter 5"#]),
      step(.clog, "clog r1 -> r2", [1, 2], [], essential: false),
      step(
        .send,
        "r1 -> r2 send m4 changes",
        [1, 2],
        [],
        message: 4,
        essential: false
      ),
      step(.send, "r1 -> r0 send m5 changes", [1, 0], [], message: 5),
      step(.restart, "r1 restart s1 actor 4", [1], [#""n": counter 0"#]),
      step(.edit, #"r3 increment root "n" 2"#, [3], [#""n": counter 2"#], essential: false),
      step(.deliver, "m5 deliver", [1, 0], [#""n": counter 5"#], message: 5),
      step(
        .exchange,
        "r0 -> r1 merge",
        [0, 1],
        [#""n": counter 10"#],
        oracle: [#""n": counter 5"#]
      ),
    ]
    return failure(
      "counter.increments-add",
      "loro",
      oracle: nil,
      kind: .violated,
      differenceKind: "value",
      summary: "the value differs at /\"n\"",
      expected: "counter 5",
      actual: "counter 10",
      caseIndex: 88,
      caseCount: 12,
      steps
    )
  }

  /// A program that died.
  static var saved: Report.Failure {
    let steps = [
      step(.edit, "r0 insert list1 0 int 1", [0], ["0: int 1"]),
      step(.save, "r0 save s1", [0], []),
      step(.restart, "r0 restart s1 actor 2", [0], []),
    ]
    return failure(
      "save.goes-on",
      "yrs",
      oracle: nil,
      kind: .errored,
      differenceKind: "program ended",
      summary: "the program ended with signal 6 while it loaded a document of 48 bytes",
      expected: nil,
      actual: nil,
      caseIndex: 1004,
      caseCount: 1,
      steps
    )
  }

  /// Held when it was tried again.
  static var flaky: Report.Failure {
    failure(
      "reads.agree",
      "yrs",
      oracle: nil,
      kind: .flaky,
      differenceKind: "length",
      summary: "the case was violated once and held twice",
      expected: "3",
      actual: "2",
      caseIndex: 640,
      caseCount: 1,
      [step(.edit, "r0 insert list1 0 int 1", [0], ["0: int 1"])]
    )
  }

  static func step(
    _ kind: Report.TimelineStep.Kind,
    _ text: String,
    _ replicas: [Int],
    _ state: [String],
    message: Int? = nil,
    oracle: [String]? = nil,
    essential: Bool = true
  ) -> Report.TimelineStep {
    var step = Report.TimelineStep(
      kind: kind,
      text: text,
      replicas: replicas,
      state: state,
      oracleState: oracle
    )
    step.message = message
    step.isEssential = essential
    if kind == .heal { step.namesReplicas = false }
    return step
  }

  static func failure(
    _ law: String,
    _ subject: String,
    oracle: String?,
    kind: Report.Failure.Kind,
    differenceKind: String,
    summary: String,
    expected: String?,
    actual: String?,
    caseIndex: Int,
    caseCount: Int,
    shrinkEnding: String = "nothing smaller that was tried fails",
    _ steps: [Report.TimelineStep]
  ) -> Report.Failure {
    let replicas = (steps.flatMap(\.replicas).max() ?? 0) + 1
    let words = law.map { $0 == "." ? "-" : $0 }
    let id =
      "\(String(words))-\(subject)-\(differenceKind.split(separator: " ").joined(separator: "-"))"
    let size = steps.count { [.edit, .exchange, .deliver].contains($0.kind) }
    let head = ["history 1", "base objects", "replicas \(replicas)", "healing merge"]
    var failure = Report.Failure(
      id: id,
      law: law,
      subject: subject,
      kind: kind,
      differenceKind: differenceKind,
      summary: summary
    )
    failure.oracle = oracle
    failure.expected = expected
    failure.actual = actual
    failure.caseIndex = caseIndex
    failure.caseCount = caseCount
    failure.file = "cases/\(id).case"
    failure.replayCommand = "touchstone replay .build/report/cases/\(id).case"
    failure.size = size
    failure.measure = "\(size) steps"
    failure.replicas = replicas
    failure.shrinkSteps = 212
    failure.shrinkEnding = shrinkEnding
    failure.history = head + steps.filter { $0.kind != .heal }.map(\.text)
    failure.timeline = steps
    failure.firstSeen = law == "merge.commutes" ? "2025-02-27" : nil
    failure.start = [#""list1": list"#, #""text1": text"#, #"  "" (0 units)"#]
    failure.reproducer = kind == .violated ? "reproducers/\(id).swift" : nil
    return failure
  }
}
