// Reads the text form of histories. `HistoryReader` goes from line to line, `LineReader` from word
// to word; each method of the latter reads one thing of the grammar (`Documentation/Histories.md`)
// and throws where it is not there.
//
// Texts come from anywhere, so that numbers have bounds: a count repeats what it stands behind
// 100,000 times at most, and a text that is repeated has 1,024 bytes at most. Which objects and
// replicas there are is not checked here but by the normaliser.

import DocumentModel
import Texts

extension History {
  /// Reads the text form; the inverse of ``text``.
  ///
  /// A history that was written by hand need not be valid: the normaliser makes it so.
  ///
  /// Cost: linear in the text and in what its counts make.
  ///
  /// - Throws: ``HistoryTextError`` with the line and what was expected there.
  package init(text: String) throws(HistoryTextError) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var reader = HistoryReader(lines: lines)
    self = try reader.history()
  }
}

private struct HistoryReader {
  private let lines: [String]
  private var number = 0
  /// Bytes of values that `times` has made so far.
  private var repeatedBytes = 0

  init(lines: [String]) {
    self.lines = lines
  }

  mutating func history() throws(HistoryTextError) -> History {
    var head = try next("the line \"history \(History.textVersion)\"")
    try head.keyword("history")
    let version = try head.word("a version")
    guard version == "\(History.textVersion)" else { throw error(.unknownVersion(version)) }
    try head.end()
    var baseLine = try next("the base")
    try baseLine.keyword("base")
    let base = try baseLine.choice(Base.self, "a base")
    try baseLine.end()
    var countLine = try next("the number of replicas")
    try countLine.keyword("replicas")
    // More than a history can have: the normaliser takes ``History/replicaLimit`` of them.
    let count = try countLine.number("a number of replicas", in: 1...64)
    try countLine.end()
    var healingLine = try next("the transports of healing")
    try healingLine.keyword("healing")
    var healing: [Transport] = []
    while !healingLine.isAtEnd {
      healing.append(try healingLine.choice(Transport.self, "a transport"))
    }

    var history = History(base: base, replicaCount: count, healing: healing, steps: [])
    while number < lines.count {
      guard !lines[number].isEmpty else {
        number += 1
        continue
      }
      var line = try next("a step")
      line.repeatedBytes = repeatedBytes
      // Two more lines of the head, which most histories do without.
      if line.skip("writers") {
        history.writers = try line.choice(Writers.self, "how the writers are called")
      } else if line.skip("grow") {
        history.growth.append(try line.burst())
      } else {
        history.steps.append(try line.step())
      }
      try line.end()
      repeatedBytes = line.repeatedBytes
    }
    return history
  }

  private mutating func next(_ due: String) throws(HistoryTextError) -> LineReader {
    guard number < lines.count else {
      number += 1
      throw error(.missingLine(due))
    }
    number += 1
    return try LineReader(lines[number - 1], number: number)
  }

  private func error(_ reason: HistoryTextError.Reason) -> HistoryTextError {
    HistoryTextError(reason: reason, line: number)
  }
}

/// Reads one line word by word.
///
///     r1 put root "a b" int 5      r1 | put | root | "a b" | int | 5
///
/// A string in quotes is one token, told from words, so that the key "root" is not the root.
private struct LineReader {
  private enum Token: Hashable {
    case word(String)
    case string(String)

    var text: String {
      switch self {
      case .word(let word): word
      case .string(let string): quoted(string)
      }
    }
  }

  /// Bytes of values that `times` has made, in this line and those before it.
  var repeatedBytes = 0
  /// The most of them in a history: a file of kilobytes must not make gigabytes.
  private static let repeatedLimit = 1 << 26

  /// The tokens that are not read yet.
  private var tokens: ArraySlice<Token> = []
  private let number: Int

  init(_ line: String, number: Int) throws(HistoryTextError) {
    self.number = number
    var rest = Substring(line).unicodeScalars
    while let first = rest.first {
      if first == " " {
        rest.removeFirst()
      } else if first == "\"" {
        rest.removeFirst()
        tokens.append(.string(try Self.string(&rest, line: number)))
      } else {
        let word = rest.prefix { $0 != " " && $0 != "\"" }
        tokens.append(.word(String(word)))
        rest.removeFirst(word.count)
      }
    }
  }

  /// Reads up to the closing quote; the opening one is gone.
  ///
  /// Escapes are read by `Texts.takeEscape(from:)`, as `Texts.quoted` writes them.
  private static func string(
    _ rest: inout Substring.UnicodeScalarView,
    line: Int
  ) throws(HistoryTextError) -> String {
    let failure = HistoryTextError(reason: .badString, line: line)
    var result = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"": return String(result)
      case "\\":
        guard let escaped = takeEscape(from: &rest) else { throw failure }
        result.append(escaped)
      default: result.append(scalar)
      }
    }
    throw failure
  }

  // MARK: - Tokens

  var isAtEnd: Bool { tokens.isEmpty }

  private func expected(_ due: String) -> HistoryTextError {
    HistoryTextError(
      reason: .expected(due, found: tokens.first?.text ?? "the end of the line"),
      line: number
    )
  }

  mutating func word(_ due: String) throws(HistoryTextError) -> String {
    guard case .word(let word) = tokens.first else { throw expected(due) }
    tokens.removeFirst()
    return word
  }

  mutating func keyword(_ keyword: String) throws(HistoryTextError) {
    guard tokens.first == .word(keyword) else { throw expected("\"\(keyword)\"") }
    tokens.removeFirst()
  }

  /// Whether the next word is the keyword, which is then read.
  ///
  /// Nothing is thrown: the caller tries another.
  mutating func skip(_ keyword: String) -> Bool {
    guard tokens.first == .word(keyword) else { return false }
    tokens.removeFirst()
    return true
  }

  mutating func choice<Choice: RawRepresentable<String>>(
    _ type: Choice.Type,
    _ due: String
  ) throws(HistoryTextError) -> Choice {
    guard case .word(let word) = tokens.first, let choice = Choice(rawValue: word) else {
      throw expected(due)
    }
    tokens.removeFirst()
    return choice
  }

  /// `due` says in an error what was expected.
  mutating func number(
    _ due: String,
    in range: ClosedRange<Int> = 0...1_000_000_000
  ) throws(HistoryTextError) -> Int {
    try numbered("", due, in: range)
  }

  /// A number behind a prefix: `r2`, `m1`.
  private mutating func numbered(
    _ prefix: String,
    _ due: String,
    in range: ClosedRange<Int> = 0...1_000_000_000
  ) throws(HistoryTextError) -> Int {
    guard case .word(let word) = tokens.first, word.hasPrefix(prefix),
      let number = Int(word.dropFirst(prefix.count)), range.contains(number)
    else { throw expected(due) }
    tokens.removeFirst()
    return number
  }

  private mutating func integer<Integer: FixedWidthInteger>(
    _ type: Integer.Type
  ) throws(HistoryTextError) -> Integer {
    guard case .word(let word) = tokens.first, let value = Integer(word) else {
      throw expected("a number that \(type) holds")
    }
    tokens.removeFirst()
    return value
  }

  private mutating func string(_ due: String) throws(HistoryTextError) -> ExactString {
    guard case .string(let string) = tokens.first else { throw expected(due) }
    tokens.removeFirst()
    return ExactString(string)
  }

  /// Every line must be read to its end, so that a misspelt addition is not lost in silence.
  func end() throws(HistoryTextError) {
    guard let surplus = tokens.first else { return }
    throw HistoryTextError(reason: .surplus(surplus.text), line: number)
  }

  // MARK: - Steps

  /// The first word tells what kind of step it is: a word of the network, `m` and a number, or `r`
  /// and a number.
  ///
  /// No replica's step begins with `m`, so that a first letter is enough.
  mutating func step() throws(HistoryTextError) -> Step {
    guard case .word(let first) = tokens.first else { throw expected("a step") }
    switch first {
    case "cut", "cut-outgoing":
      tokens.removeFirst()
      var side: [Int] = []
      while !isAtEnd { side.append(try replica()) }
      return .cut(side: side, bothWays: first == "cut")
    case "mend":
      tokens.removeFirst()
      return .mend
    case "clog", "unclog":
      tokens.removeFirst()
      let from = try replica()
      try keyword("->")
      let to = try replica()
      return first == "clog" ? .clog(from: from, to: to) : .unclog(from: from, to: to)
    default:
      return first.hasPrefix("m") ? try messageStep() : try replicaStep()
    }
  }

  private mutating func replica() throws(HistoryTextError) -> Int {
    try numbered("r", "a replica such as r0", in: 0...1000)
  }

  /// Reads what becomes of a message.
  ///
  ///     m1 deliver               m1 drop noise
  ///     m1 deliver part 0        m1 drop cut
  private mutating func messageStep() throws(HistoryTextError) -> Step {
    let message = try numbered("m", "a message such as m1")
    if skip("drop") { return .drop(message: message, try choice(Loss.self, "a cause of loss")) }
    try keyword("deliver")
    guard skip("part") else { return .deliver(message: message, part: nil) }
    return .deliver(message: message, part: try number("the number of a part"))
  }

  /// Keywords are tried in turn; what begins with none of them is an edit.
  private mutating func replicaStep() throws(HistoryTextError) -> Step {
    let replica = try replica()
    if skip("commit") {
      guard tokens.first == .word("message") || tokens.first == .word("time") else {
        return .commit(replica: replica)
      }
      let message = skip("message") ? try string("a message in quotes") : nil
      try keyword("time")
      return .call(replica: replica, .commit(message: message, time: try integer(Int64.self)))
    }
    if skip("try") { return .call(replica: replica, .attempt(try edit(isRefused: true))) }
    if skip("rollback") { return .call(replica: replica, .rollback) }
    if skip("cursor") {
      let object = try object()
      let index = try number("an index")
      try keyword("moving")
      let move = try choice(CursorMove.self, "before or after")
      return .call(replica: replica, .cursor(object, index: index, move))
    }
    if skip("syncs") {
      let other = try self.replica()
      var fates: [SyncFate] = []
      while !isAtEnd { fates.append(try choice(SyncFate.self, "what becomes of a message")) }
      return .call(replica: replica, .sync(with: other, fates))
    }
    if skip("hears") {
      let kind = try choice(Attack.Kind.self, "what a hostile peer does")
      try keyword("knowing")
      let informant = try self.replica()
      try keyword("pick")
      let pick = try number("the number of a choice", in: 0...Attack.pickLimit)
      return .call(replica: replica, .hear(Attack(kind, knowing: informant, pick: pick)))
    }
    if skip("read") { return .call(replica: replica, .read) }
    if skip("append") {
      return .call(replica: replica, .append(slot: try numbered("s", "a slot such as s0")))
    }
    if tokens.first == .word("burst") { return .call(replica: replica, .burst(try burst())) }
    if skip("fork") {
      _ = try self.replica()
      if skip("at") {
        let slot = try numbered("s", "a slot such as s0")
        try keyword("actor")
        let actor = try number("the number of a writer")
        return .branch(replica: replica, slot: slot, actor: actor)
      }
      try keyword("actor")
      return .fork(replica: replica, actor: try number("the number of a writer"))
    }
    if skip("save") { return .save(replica: replica, slot: try numbered("s", "a slot such as s0")) }
    if skip("restart") {
      let slot = try numbered("s", "a slot such as s0")
      try keyword("actor")
      return .restart(replica: replica, slot: slot, actor: try number("the number of a writer"))
    }
    if skip("->") {
      let to = try self.replica()
      guard skip("send") else {
        return .exchange(from: replica, to: to, try choice(Transport.self, "a transport"))
      }
      let message = try numbered("m", "a message such as m1")
      let transport = try choice(Transport.self, "a transport")
      return .send(message: message, from: replica, to: to, transport)
    }
    return .edit(replica: replica, try edit())
  }

  /// Reads `burst 65 forward committing` and an edit, or an edit alone.
  mutating func burst() throws(HistoryTextError) -> Burst {
    guard skip("burst") else { return Burst(try edit(), count: 1) }
    let count = try number("how many edits", in: 1...Burst.countLimit)
    let walk = try choice(Burst.Walk.self, "same, forward or backward")
    let commits = skip("committing")
    return Burst(try edit(), count: count, walk: walk, commits: commits)
  }

  // MARK: - Edits

  /// All that a replica may do.
  private static let actions = [
    "put", "insert", "delete", "increment", "splice", "type", "mark", "commit", "try", "rollback",
    "cursor", "syncs", "hears", "read", "append", "burst", "fork", "save", "restart",
  ]

  /// Reads one edit.
  ///
  ///     put root "k" int 5                     increment root "n" 1
  ///     put map3 "k" new list as list4         splice list1 0 delete 2 insert int 7 times 4 counting
  ///     insert list1 0 string "x"              type text2 0 delete 1 insert "xy"
  ///     delete list1 0                         mark text2 0 to 2 "b" boolean true expand after
  private mutating func edit(
    isRefused: Bool = false
  ) throws(HistoryTextError) -> Edit<ObjectName> {
    switch try word("what the replica does") {
    case "put":
      let object = try object()
      let slot = try slot()
      if let kind = try newObject(isNamed: !isRefused) { return .putObject(object, slot, kind) }
      return .put(object, slot, try scalar())
    case "insert":
      let object = try object()
      let index = try number("an index")
      if let kind = try newObject(isNamed: !isRefused) {
        return .insertObject(object, index: index, kind)
      }
      return .insert(object, index: index, try scalar())
    case "delete":
      return .delete(try object(), try slot())
    case "increment":
      return .increment(try object(), try slot(), by: try integer(Int64.self))
    case "splice":
      let object = try object()
      let index = try number("an index")
      try keyword("delete")
      let deleting = try number("how many to delete", in: Self.deletions)
      var values: [Scalar] = []
      while skip("insert") {
        let value = try scalar()
        let count = try times(bytesEach: MemoryLayout<Scalar>.size)
        guard count > 1 else {
          values.append(value)
          continue
        }
        let counts = skip("counting")
        for number in 0..<count { values.append(counts ? value.counted(by: number) : value) }
      }
      return .splice(object, index: index, deleting: deleting, inserting: values)
    case "type":
      let object = try object()
      let index = try number("an index")
      try keyword("delete")
      let deleting = try number("how many to delete", in: Self.deletions)
      try keyword("insert")
      let text = try repeated(try string("the text to insert"))
      return .spliceText(object, index: index, deleting: deleting, inserting: text)
    case "mark":
      let object = try object()
      let start = try number("an index")
      try keyword("to")
      let end = try number("the index behind the mark")
      let name = try string("a name in quotes")
      let value = try scalar()
      try keyword("expand")
      let expand = try choice(MarkExpansion.self, "before, after, both or none")
      return .mark(object, Marking(start, to: end, name, value, expand: expand))
    case let other:
      throw HistoryTextError(
        reason: .expected("put, insert, delete, increment, splice, type or mark", found: other),
        line: number,
        guess: suggestion(for: other, among: Self.actions)
      )
    }
  }

  /// Reads `root`, or a kind and a number such as `list1`: only the number counts.
  private mutating func object() throws(HistoryTextError) -> ObjectName {
    if skip("root") { return .root }
    guard case .word(let word) = tokens.first else { throw expected("an object such as list1") }
    let digits = word.drop { !$0.isNumber }
    guard let number = Int(digits), (1...1_000_000_000).contains(number) else {
      throw expected("an object such as list1")
    }
    tokens.removeFirst()
    return ObjectName(number)
  }

  /// `"k"` is a key, `3` an index.
  private mutating func slot() throws(HistoryTextError) -> Slot {
    if case .string(let key) = tokens.first {
      tokens.removeFirst()
      return .key(ExactString(key))
    }
    return .index(try number("a key in quotes or an index"))
  }

  /// `new list as list4`: the name is read and dropped, as names count edits.
  ///
  /// What a refused call did not make has no name.
  private mutating func newObject(isNamed: Bool) throws(HistoryTextError) -> ObjectKind? {
    guard skip("new") else { return nil }
    let kind = try choice(ObjectKind.self, "a kind of object")
    guard isNamed else { return kind }
    try keyword("as")
    _ = try word("the object's name")
    return kind
  }

  /// The type stands before the value (`int 5`, `float nan`, `bytes 0x00ff`), since values of two
  /// types may look alike.
  private mutating func scalar() throws(HistoryTextError) -> Scalar {
    switch try choice(ScalarKind.self, "the type of a value") {
    case .null: return .null
    case .boolean:
      if skip("true") { return .boolean(true) }
      try keyword("false")
      return .boolean(false)
    case .int: return .int(try integer(Int64.self))
    case .uint: return .uint(try integer(UInt64.self))
    case .counter: return .counter(try integer(Int64.self))
    case .timestamp: return .timestamp(try integer(Int64.self))
    case .float: return .float(try float())
    case .string: return .string(try repeated(try string("a string in quotes")))
    case .bytes:
      let bytes = try bytes()
      // One byte may stand for many.
      guard bytes.count == 1 else { return .bytes(bytes) }
      return .bytes(Array(repeating: bytes[0], count: try times(bytesEach: 1)))
    case .unknown: return .unknown(typeCode: try integer(UInt8.self), bytes: try bytes())
    }
  }

  /// Below 0 it deletes before the index.
  private static let deletions = -1_000_000_000...1_000_000_000

  /// Reads `times 300`, of a value of `size` bytes; 1 if it is absent.
  private mutating func times(bytesEach size: Int) throws(HistoryTextError) -> Int {
    guard skip("times") else { return 1 }
    let count = try number("how often", in: 1...Burst.countLimit)
    let (bytes, overflows) = size.multipliedReportingOverflow(by: count)
    guard !overflows, bytes <= Self.repeatedLimit - repeatedBytes else {
      throw expected("less: values with `times` make more than \(Self.repeatedLimit >> 20) MB")
    }
    repeatedBytes += bytes
    return count
  }

  private mutating func repeated(_ text: ExactString) throws(HistoryTextError) -> ExactString {
    let count = try times(bytesEach: text.string.utf8.count)
    guard count > 1 else { return text }
    return ExactString(String(repeating: text.string, count: count))
  }

  private mutating func float() throws(HistoryTextError) -> Double {
    guard case .word(let word) = tokens.first else { throw expected("a float") }
    let value =
      word.hasPrefix("bits:")
      ? UInt64(word.dropFirst(5), radix: 16).map { Double(bitPattern: $0) } : Double(word)
    guard let value else { throw expected("a float") }
    tokens.removeFirst()
    return value
  }

  private mutating func bytes() throws(HistoryTextError) -> [UInt8] {
    guard case .word(let word) = tokens.first, word.hasPrefix("0x"),
      let bytes = hexBytes(word.dropFirst(2))
    else { throw expected("bytes such as 0x00ff") }
    tokens.removeFirst()
    return bytes
  }
}

extension Scalar {
  /// An int that is so much more; any other value as it is.
  fileprivate func counted(by number: Int) -> Scalar {
    if case .int(let value) = self { .int(value &+ Int64(number)) } else { self }
  }
}
