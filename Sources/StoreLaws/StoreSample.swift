package import FaultInjection
package import FileSystems
package import PropertyEngine
import Texts

// What is done to a store and what goes wrong, as data: the type, how it is drawn for the shape
// that a law needs, and its text form `store 1`, line by line:
//
//     level data
//     change a=3 b=120 -c         item a gets the text of number 3, b that of 120, c is deleted
//     restart
//     crash 7 ordered 2 0         before call 7, pattern 2, and the last part lost as well
//     again 0 process 0
//     refuse 0 1 0                call, how many, index of the cause
//     damage 1 flip 12            a bit of the second file
//     numbers 4 15
//
// A law that crashes, refuses or damages nothing has none of these lines.
//
// Numbers that choose are taken modulo what there is to choose from, so that a sample without a
// step still means something: the shrinker may leave out steps without looking at the other lines.

/// One thing that is done to a store.
package enum StoreStep: Hashable, Sendable {
  /// Items, by their letters, get texts; others are deleted: one change.
  ///
  /// An item may stand in both lists, and then is deleted.
  case change(saved: [StoreSample.Text], deleted: [Int])
  /// Makes sure what was done by now, also at a level that does not wait.
  case flush
  /// Rewrites the state, without what was replaced.
  case compact
  /// Closed and opened again.
  case reopen
  /// Its process ends, and another one opens it.
  case restart
}

/// What is done to a store and what goes wrong.
package struct StoreSample: Hashable, Sendable {
  /// An item by its letter, and a number that makes its text.
  package struct Text: Hashable, Sendable {
    /// 0...25; only 0...5 are drawn.
    package var item: Int
    /// See ``StoreSample/text(_:)`` for the length; two texts of one number are equal.
    package var number: Int
  }

  /// Letters of items; small, so that they meet.
  package static let itemCount = 6

  /// The level of the whole run.
  package var level = StoreLevel.data
  package var steps: [StoreStep] = []
  /// Number of the call before which the machine stops, modulo the number of calls and one.
  ///
  /// "And one" is the end of the run, behind its last call.
  package var crash = 0
  /// What the crash takes of what was not synchronised.
  package var loss = PowerLoss()
  /// The same while the store is being opened again.
  ///
  /// For laws with ``Shape/hasSecondCrash``; others do not read it.
  package var crashAgain = 0
  package var lossAgain = PowerLoss()
  /// The call that is refused, modulo the number of calls; how many, and why.
  package var refused = 0
  package var refusedCount = 0
  /// Index in `FaultPlan.causes`, modulo their number.
  package var cause = 0
  /// The file that is damaged, modulo their number.
  package var file = 0
  /// What happens to that file; positions count modulo its bytes.
  package var damage = Damage.flip(bit: 0)
  /// Whatever else a law has to choose.
  package var numbers: [Int] = []
  /// What else the law asks for: its lines stand in the text also where each number is 0.
  private var faults: Faults = []

  private struct Faults: OptionSet, Hashable {
    let rawValue: UInt8
    static let crash = Faults(rawValue: 1)
    static let secondCrash = Faults(rawValue: 2)
    static let refusal = Faults(rawValue: 4)
    static let damage = Faults(rawValue: 8)
  }

  package init() {}

  /// A number of the law's own; 0, the simplest, if the sample has fewer.
  package func number(_ index: Int) -> Int { index < numbers.count ? numbers[index] : 0 }

  /// A letter from a to z.
  package static func id(_ item: Int) -> String {
    String(UnicodeScalar(UInt8(97 + item % 26)))
  }

  /// A text of a few bytes, and of sectors and more for large numbers.
  ///
  /// 16 bytes for each ten of the number: 0...9 take one byte, 320 more than a sector of 512, and
  /// 999, the greatest that is drawn, 1587.
  package static func text(_ number: Int) -> String {
    "\(number)" + String(repeating: "x", count: number / 10 * 16)
  }

  package static func row(_ text: Text) -> StoreRow {
    StoreRow(id(text.item), Self.text(text.number))
  }

  /// The cause of refused calls.
  package var refusalCause: FileError.Cause {
    FaultPlan.causes[cause % FaultPlan.causes.count]
  }
}

// MARK: - Drawing

extension StoreSample {
  /// What a law needs of its samples.
  ///
  /// A law that needs no crash has none in its samples: they stay short, and shrinking has less to
  /// do.
  package struct Shape: Sendable {
    /// Steps at least and at most; those above the least are optional, on average half of them.
    package var steps: ClosedRange<Int> = 1...12
    /// The first is the simplest.
    package var levels: [StoreLevel] = [.data]
    /// Whether `crash` and `loss` are drawn.
    package var hasCrash = false
    /// Whether `crashAgain` and `lossAgain` are drawn.
    package var hasSecondCrash = false
    /// Whether `refused`, `refusedCount` and `cause` are drawn.
    package var hasRefusal = false
    /// Whether `file` and `damage` are drawn.
    package var hasDamage = false
    package var damages = Damage.Kind.allCases
    /// Whether the store is opened again on the way.
    ///
    /// Without it the two kinds of reopening become a flush.
    package var hasReopening = true
    /// Numbers of the sample; all are drawn.
    package var numberCount = 0
    /// The greatest number; a stored sample with a greater one is no verdict.
    package var numberLimit = 255

    package init(_ change: (inout Shape) -> Void = { _ in }) { change(&self) }
  }

  /// Samples of a shape; the simplest saves one short text and loses nothing.
  package static func drawn(_ shape: Shape, _ choices: inout Choices) -> StoreSample {
    var sample = StoreSample()
    sample.level = choices.element(of: shape.levels)
    let spare = shape.steps.upperBound - shape.steps.lowerBound
    for _ in 0..<shape.steps.lowerBound {
      sample.steps.append(choices.span("step") { step(shape, &$0) })
    }
    choices.repeated(upTo: spare, averaging: spare / 2, "step") {
      sample.steps.append(step(shape, &$0))
    }
    if shape.hasCrash {
      sample.faults.insert(.crash)
      sample.crash = choices.number(in: 0...255)
      sample.loss = PowerLoss.any.draw(&choices)
    }
    if shape.hasSecondCrash {
      sample.faults.insert(.secondCrash)
      sample.crashAgain = choices.number(in: 0...63)
      sample.lossAgain = PowerLoss.any.draw(&choices)
    }
    if shape.hasRefusal {
      sample.faults.insert(.refusal)
      sample.refused = choices.number(in: 0...255)
      // Several in a row also refuse what a store does to take the first one back.
      sample.refusedCount = choices.number(in: 1...4, bias: .small)
      sample.cause = choices.index(below: FaultPlan.causes.count)
    }
    if shape.hasDamage {
      sample.faults.insert(.damage)
      sample.file = choices.number(in: 0...7)
      sample.damage = Damage.any(of: shape.damages).draw(&choices)
    }
    for _ in 0..<shape.numberCount {
      sample.numbers.append(choices.number(in: 0...shape.numberLimit))
    }
    return sample
  }

  /// Weights in parts of 100, or of 89 without reopening: most steps save one item, since a store's
  /// files grow by changes; 15 are batches, which also may be empty and change nothing.
  private static func step(_ shape: Shape, _ choices: inout Choices) -> StoreStep {
    let weights = [60, 15, 8, 6, shape.hasReopening ? 6 : 0, shape.hasReopening ? 5 : 0]
    switch choices.pick(weights: weights) {
    case 0: return .change(saved: [text(&choices)], deleted: [])
    case 1:
      var saved: [Text] = []
      var deleted: [Int] = []
      choices.repeated(upTo: 3, averaging: 1, "saved") { saved.append(text(&$0)) }
      choices.repeated(upTo: 2, averaging: 1, "deleted") {
        deleted.append($0.index(below: itemCount))
      }
      return .change(saved: saved, deleted: deleted)
    case 2: return .flush
    case 3: return .compact
    case 4: return shape.hasReopening ? .reopen : .flush
    default: return shape.hasReopening ? .restart : .flush
    }
  }

  /// A text for one of six items; one in sixteen has 1587 bytes.
  private static func text(_ choices: inout Choices) -> Text {
    Text(
      item: choices.index(below: itemCount),
      number: choices.number(in: 0...999, bias: .small)
    )
  }
}

// MARK: - Text

extension StoreSample {
  fileprivate static let formName = FormName("store", version: 1)

  /// The text form, line by line.
  package var lines: [String] {
    var lines = ["level \(level.rawValue)"]
    for step in steps {
      switch step {
      case .change(let saved, let deleted):
        let words =
          saved.map { "\(Self.id($0.item))=\($0.number)" } + deleted.map { "-\(Self.id($0))" }
        lines.append((["change"] + words).joined(separator: " "))
      case .flush: lines.append("flush")
      case .compact: lines.append("compact")
      case .reopen: lines.append("reopen")
      case .restart: lines.append("restart")
      }
    }
    func numbers(_ numbers: [Int]) -> String { numbers.map { " \($0)" }.joined() }
    func add(_ fault: Faults, _ line: String) {
      if faults.contains(fault) { lines.append(line) }
    }
    func description(of loss: PowerLoss) -> String {
      "\(loss.model.rawValue) \(loss.pattern)\(numbers(loss.lost))"
    }
    add(.crash, "crash \(crash) \(description(of: loss))")
    add(.secondCrash, "again \(crashAgain) \(description(of: lossAgain))")
    add(.refusal, "refuse \(refused) \(refusedCount) \(cause)")
    add(.damage, "damage \(file) \(damage.kind.rawValue)\(numbers(damage.numbers))")
    if !self.numbers.isEmpty { lines.append("numbers\(numbers(self.numbers))") }
    return lines
  }

  package var text: String { lines.map { "\($0)\n" }.joined() }

  /// Reads the text form.
  ///
  /// - Throws: `UnreadableLine` with the first line that is not one.
  package init(text: String) throws(UnreadableLine) {
    try readLines(of: text, as: Self.formName) { line in
      read(line.split(separator: " ").map(String.init))
    }
  }

  /// A word that is not of the form makes the line unreadable; nothing is guessed.
  ///
  ///     flush                read
  ///     flush now            not: one word too many
  ///     damage 0 append 256  not: no byte
  ///     change a==1          not
  private mutating func read(_ words: [String]) -> Bool {
    guard let first = words.first else { return false }
    let rest = Array(words.dropFirst())
    // Laws count with them without overflow.
    // Only numbers of 0 to 2^32 - 1 count; any other word makes the counts below differ, and the
    // line unreadable.
    let numbers = rest.compactMap { Int($0) }.filter { (0...Int(UInt32.max)).contains($0) }
    switch first {
    case "level":
      guard rest.count == 1, let level = StoreLevel(rawValue: rest[0]) else { return false }
      self.level = level
    case "change":
      var saved: [Text] = []
      var deleted: [Int] = []
      for word in rest {
        let parts = word.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        if word.hasPrefix("-"), let item = Self.item(String(word.dropFirst())) {
          deleted.append(item)
        } else if parts.count == 2, let item = Self.item(parts[0]), let number = Int(parts[1]),
          (0...999_999).contains(number)
        {
          saved.append(Text(item: item, number: number))
        } else {
          return false
        }
      }
      steps.append(.change(saved: saved, deleted: deleted))
    case "flush" where rest.isEmpty: steps.append(.flush)
    case "compact" where rest.isEmpty: steps.append(.compact)
    case "reopen" where rest.isEmpty: steps.append(.reopen)
    case "restart" where rest.isEmpty: steps.append(.restart)
    case "crash", "again":
      guard rest.count >= 3, let call = Int(rest[0]), let model = CrashModel(rawValue: rest[1]),
        numbers.count == rest.count - 1
      else { return false }
      let loss = PowerLoss(model, lost: Array(numbers.dropFirst(2)), pattern: numbers[1])
      if first == "crash" {
        (crash, self.loss) = (call, loss)
        faults.insert(.crash)
      } else {
        (crashAgain, lossAgain) = (call, loss)
        faults.insert(.secondCrash)
      }
    case "refuse":
      guard numbers.count == 3, rest.count == 3 else { return false }
      (refused, refusedCount, cause) = (numbers[0], numbers[1], numbers[2])
      faults.insert(.refusal)
    case "damage":
      guard rest.count >= 3, numbers.count == rest.count - 1,
        let kind = Damage.Kind(rawValue: rest[1]),
        let damage = Damage(kind, Array(numbers.dropFirst()))
      else { return false }
      (file, self.damage) = (numbers[0], damage)
      faults.insert(.damage)
    case "numbers":
      guard numbers.count == rest.count else { return false }
      self.numbers = numbers
    default: return false
    }
    return true
  }

  /// The number of a letter from a to z; `nil` for any other word.
  private static func item(_ word: String) -> Int? {
    guard word.utf8.count == 1, let byte = word.utf8.first, (97...122).contains(byte) else {
      return nil
    }
    return Int(byte) - 97
  }
}

extension SampleForm<StoreSample> {
  /// Samples of stores: `store 1`.
  package static let store = SampleForm(
    name: StoreSample.formName,
    plural: "runs of stores",
    render: { $0.text },
    parse: { try StoreSample(text: $0) },
    size: { $0.steps.count + $0.loss.lost.count + $0.numbers.count { $0 != 0 } },
    measure: { counted($0.steps.count, "step") },
    parts: SampleParts(of: \.steps)
  )
}
