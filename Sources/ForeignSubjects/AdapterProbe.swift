import DocumentModel
import Foundation
import Histories

/// What the checks of an adapter work with: the program, and what it said of itself.
struct AdapterProbe: Sendable {
  /// A statement, what to do when it does not hold, and how to find out.
  struct Check: Sendable {
    let name: String
    let sentence: String
    let advice: String
    /// Throws ``AdapterFlaw``, ``AdapterSkip`` or ``AdapterFailure``.
    let body: @Sendable (AdapterProbe) throws -> Void

    init(
      _ name: String,
      _ sentence: String,
      advice: String,
      _ body: @escaping @Sendable (AdapterProbe) throws -> Void
    ) {
      self.name = name
      self.sentence = sentence
      self.advice = advice
      self.body = body
    }
  }

  let command: AdapterCommand
  /// What it is called in messages.
  let name: String
  let limits: AdapterLimits
  let introduction: LineProtocol.Introduction
  let manifest: AdapterManifest?
  /// ``AdapterCheckup/checkDivergences``.
  let checkDivergences: @Sendable ([AdapterDivergence]) throws -> Void

  /// What is asked of it: what it states, less what its `adapter.json` takes away.
  var able: Capabilities {
    introduction.capabilities.subtracting(manifest?.withheld ?? .none)
  }

  /// A fresh process that has been asked nothing yet.
  private func silentConversation() throws -> AdapterConversation {
    try AdapterConversation(command, name: name, limits)
  }

  /// A fresh process that has introduced itself.
  func conversation() throws -> AdapterConversation {
    let conversation = try silentConversation()
    let again = try conversation.introduce()
    guard again == introduction else {
      throw AdapterFlaw("a second process introduced itself otherwise than the first")
    }
    return conversation
  }

  /// Runs instructions in a fresh process.
  func run(_ instructions: [Instruction]) throws -> [Outcome] {
    try conversation().run(instructions)
  }

  /// Made before all others; its body is the checkup's own.
  static let handshake = Check(
    "handshake",
    "Introduces itself: version of the protocol, id, version, capabilities.",
    advice: """
      Answer {"n":1,"start":{"protocol":1}} with {"n":1,"started":{"protocol":1,"id":...,\
      "version":...,"capabilities":{...}}} on one line, flush, and print nothing before it.
      """
  ) { _ in }

  /// What comes first where the program said nothing in time: one of Rust or Go builds itself at its first start.
  static let adviceOnLateStarts = """
    If its command builds it first, run the command once by hand until it waits for a line, and check again; or allow \
    more time: --timeout 120s. Else: 
    """

  /// All others, in the order in which they are made.
  static let all: [Check] = conversationChecks + documentChecks + endChecks

  // MARK: - Conversation

  private static let conversationChecks: [Check] = [
    Check(
      "handshake.repeats",
      "Introduces itself the same way each time it is started.",
      advice: "State constants: what a campaign asks for is decided by the first introduction."
    ) { _ = try $0.conversation() },
    Check(
      "capabilities.usable",
      "States nothing that it could never be asked for.",
      advice: "State what the capability needs as well, or leave it out of \"capabilities\"."
    ) { try $0.checkCapabilities() },
    Check(
      "ping",
      "Answers a ping under the number that it came with, once.",
      advice: "Answer {\"n\":3,\"ping\":{}} with {\"n\":3,\"pong\":{}}: the same n, one line."
    ) { probe in
      let conversation = try probe.conversation()
      try conversation.ping()
      // The largest whole number that every JSON library keeps.
      try conversation.ping(number: 9_007_199_254_740_991)
      try conversation.ping(number: 7)
    },
    Check(
      "run.empty",
      "Answers a program of no instructions with no outcomes.",
      advice: "Answer {\"n\":2,\"run\":[]} with {\"n\":2,\"ran\":[]}."
    ) { probe in
      let conversation = try probe.conversation()
      _ = try conversation.run([])
      _ = try conversation.run([])
    },
    Check(
      "request.unknown",
      "Complains of a request that it does not know, and goes on.",
      advice: "Answer anything but start, run, ping and stop with {\"n\":...,\"error\":\"why\"}."
    ) { probe in
      let conversation = try probe.conversation()
      switch conversation.reaction(toRequest: "sing") {
      case .complaint: try conversation.ping()
      case .exit(let status): throw AdapterFlaw("it exited with status \(status)")
      case .other(let words): throw AdapterFlaw(words)
      }
    },
    Check(
      "request.malformed",
      "Complains of a line that is no request, or exits; it never answers as if it were one.",
      advice: """
        Answer with an object that has a member "error", or let the exception end the program; \
        a crash by a signal, silence and a made-up answer are all worse.
        """
    ) { try $0.checkMalformedLines() },
    Check(
      "instruction.unknown",
      "Fails an instruction that it does not know, and carries out the next.",
      advice: "Let an instruction that goes wrong be [\"failed\",\"why\"], whatever went wrong."
    ) { try $0.checkUnknownInstructions() },
  ]

  private func checkCapabilities() throws {
    let able = introduction.capabilities
    var flaws: [String] = []
    func demand(_ holds: Bool, _ words: String) {
      if !holds { flaws.append(words) }
    }
    let sequences: Set<ObjectKind> = [.list, .text]
    demand(!able.edits.isEmpty, "there are no edits: every history is empty")
    for kind in able.edits.sorted(by: { $0.rawValue < $1.rawValue }) {
      switch kind {
      case .put, .delete: break
      case .putObject:
        demand(!able.objects.isEmpty, "putObject without any objects")
      case .insert, .insertObject:
        demand(!able.objects.isDisjoint(with: sequences), "\(kind) without list or text")
      case .splice: demand(able.objects.contains(.list), "splice without list")
      case .spliceText: demand(able.objects.contains(.text), "spliceText without text")
      case .mark: demand(able.objects.contains(.text), "mark without text")
      case .increment:
        let hasCounter = able.scalars.contains(.counter) || able.features.contains(.counterBase)
        demand(hasCounter, "increment without the scalar counter or the feature counterBase")
      }
    }
    if !able.edits.isDisjoint(with: [.put, .insert, .splice]) {
      demand(!able.scalars.isEmpty, "put, insert or splice without any scalars")
    }
    let makes: Set<EditKind> = [.putObject, .insertObject]
    let needsObjects = able.objects.isEmpty || !able.edits.isDisjoint(with: makes)
    demand(needsObjects, "objects without putObject or insertObject to make them")
    if able.features.contains(.history) {
      demand(able.features.contains(.heads), "history without heads: laws of the past need both")
    }
    guard flaws.isEmpty else { throw AdapterFlaw(flaws.joined(separator: "; ")) }
  }

  /// Lines that are no requests: each goes to a fresh process.
  private static let malformedLines: [(words: String, bytes: [UInt8])] = [
    ("hello", Array("hello".utf8)),
    ("an empty line", []),
    ("half an object", Array(#"{"n":2,"run":[["create",0"#.utf8)),
    ("an array", Array("[]".utf8)),
    ("an object without members", Array("{}".utf8)),
    ("a program that is no array", Array(#"{"n":2,"run":7}"#.utf8)),
    ("bytes that are no UTF-8", [0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
    ("100000 opening brackets", Array(repeating: UInt8(ascii: "["), count: 100_000)),
  ]

  private func checkMalformedLines() throws {
    for (words, bytes) in Self.malformedLines {
      let conversation = try conversation()
      switch conversation.reaction(to: bytes) {
      case .complaint:
        do {
          try conversation.ping()
        } catch {
          throw AdapterFlaw("after it complained of \(words), it answered no ping: \(error)")
        }
      case .exit: break
      case .other(let found):
        throw AdapterFlaw("to \(words): \(found)")
      }
    }
  }

  private func checkUnknownInstructions() throws {
    let conversation = try conversation()
    let outcomes = try conversation.run(
      raw: """
        "run":[["create",0,"01"],["dance",0],["edit",0],["edit",0,["hop",0,"k"]],["observe",0]]
        """,
      count: 5
    )
    let names = outcomes.map(\.name)
    guard names[0] == "done", names[4] == "observed" else {
      throw AdapterFlaw("around them, create and observe gave \(names[0]) and \(names[4])")
    }
    let asked = ["dance", "an edit of nothing", "an unknown edit"]
    for (words, name) in zip(asked, names[1...3]) where name != "failed" && name != "refused" {
      throw AdapterFlaw("\(words) gave \(name) instead of failed or refused")
    }
    try conversation.ping()
  }

  // MARK: - Ends

  private static let endChecks: [Check] = [
    Check(
      "divergences.listed",
      "Lists known divergences of laws that there are, with conditions that hold for their case files.",
      advice: "Correct adapter.json; WritingAnAdapter.md lists what conditions are made of."
    ) { probe in
      guard let manifest = probe.manifest else {
        throw AdapterSkip(reason: "there is no adapter.json")
      }
      do throws(AdapterManifestError) {
        try manifest.checkConditions()
      } catch {
        throw AdapterFlaw("\(error)")
      }
      for listed in manifest.knownDivergences
      where !FileManager.default.isReadableFile(atPath: listed.caseFile.path) {
        throw AdapterFlaw("\(listed.error(in: "case", "there is no such case file"))")
      }
      do {
        try probe.checkDivergences(manifest.knownDivergences)
      } catch {
        throw AdapterFlaw("\(error)")
      }
    },
    Check(
      "stop",
      "Exits when it is asked to stop.",
      advice: "Leave the loop at a request with the member \"stop\"; it gets no answer."
    ) { probe in
      guard try probe.conversation().exitsWhenAsked() else {
        throw AdapterFlaw(probe.stillRunning)
      }
    },
    Check(
      "end-of-input",
      "Exits when its input ends: at once, after a program, or in the middle of a line.",
      advice: "Leave the loop at the end of standard input, so that nothing is left if we die. "
        + "If it only starts slowly on this machine, allow more time: --timeout 60s."
    ) { probe in
      guard try probe.silentConversation().exitsAtEndOfInput() else {
        throw AdapterFlaw("without any request, \(probe.stillRunning)")
      }
      let worked = try probe.conversation()
      _ = try worked.run([.create(document: 0, actor)])
      guard worked.exitsAtEndOfInput() else {
        throw AdapterFlaw("after a program, \(probe.stillRunning)")
      }
      guard try probe.conversation().exitsAtEndOfInput(after: #"{"n":2,"ru"#) else {
        throw AdapterFlaw("in the middle of a line, \(probe.stillRunning)")
      }
    },
  ]

  private var stillRunning: String {
    "it was still running \(seconds(ofMilliseconds: limits.stopTimeoutMilliseconds)) later"
  }

  /// The writer of all programs of checks.
  static var actor: ActorID { ActorID(repeating: 1) }
}

extension Outcome {
  /// The outcome's name, as the protocol spells it.
  var name: String {
    switch self {
    case .done: "done"
    case .edited: "edited"
    case .refused: "refused"
    case .sent: "sent"
    case .observed: "observed"
    case .saved: "saved"
    case .synced: "synced"
    case .heard: "heard"
    case .cursor: "cursor"
    case .position: "position"
    case .patches: "patches"
    case .failed: "failed"
    }
  }

  /// The name, and the words if there are any.
  var nameAndWords: String {
    switch self {
    case .refused(let words), .failed(let words): "\(name): \(words.prefix(200))"
    default: name
    }
  }
}
