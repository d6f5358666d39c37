package import PropertyEngine
import Texts

// What laws of records are held against: bytes for laws of values, steps of three devices for laws
// of synchronisation, and their text form `record 1`:
//
//     0 edits 1 title 2          device 0, which has the older version, sets the title of note r1
//     0 saves lost-reply         it saves; the server has it, and the device does not know
//     2 pulls
//     expire                     the server forgets its marks
//
// Three devices and three notes: the smallest number in which two devices conflict while a third
// hears of neither.

/// One thing that happens to devices and their server.
///
/// A step that has nothing to do does nothing, so that the shrinker may leave out any other.
package enum RecordStep: Hashable, Sendable {
  /// A device sets a property of a note, which it makes if it has none of that name; 0 is `nil`.
  case edit(device: Int, note: Int, NoteField, number: Int)
  /// A device lets a note refer to another, to be deleted with it.
  case link(device: Int, note: Int, to: Int)
  /// A device saves all that it has changed.
  case save(device: Int, RecordRequest.Fault)
  /// As ``save(device:_:)``, all or nothing.
  case atomic(device: Int, RecordRequest.Fault)
  /// A device saves all that it has changed whatever the server has.
  case force(device: Int)
  case delete(device: Int, note: Int, RecordRequest.Fault)
  /// A device takes in what happened.
  case pull(device: Int)
  /// A device takes in one page of it, and goes on later.
  case peek(device: Int)
  /// The server forgets which changes its marks stand for.
  case expire
  /// The zone is deleted with all its records, and made again.
  case renew
}

/// What a law of records is held against: numbers, or a story of devices.
///
/// Example of the text form: `numbers 3 1`, then a line for each step, such as `0 edits 1 title 2`,
/// `0 saves lost-reply`, `expire` or `renew`.
package struct RecordSample: Hashable, Sendable {
  /// Bytes of choices, in the law's own order; what is drawn behind their end is the simplest.
  package var numbers = DrawnNumbers()
  package var steps: [RecordStep] = []

  package init() {}
}

extension RecordSample {
  /// Devices and notes of a story.
  package static let deviceCount = 3
  package static let noteCount = 3

  /// Whether a device has the newer version of the app.
  ///
  /// The first device has the older one, the others the newer.
  ///
  /// So each story with device 0 asks whether fields that its version does not know survive.
  package static func isNew(_ device: Int) -> Bool { device != 0 }

  /// A story of up to `limit` steps.
  package static func story(_ limit: Int, _ choices: inout Choices) -> RecordSample {
    var sample = RecordSample()
    choices.repeated(upTo: limit, averaging: limit / 2, "step") { choices in
      sample.steps.append(step(&choices))
    }
    return sample
  }

  /// Draws `count` decisions.
  package static func numbers(_ count: Int, _ choices: inout Choices) -> RecordSample {
    var sample = RecordSample()
    sample.numbers = DrawnNumbers(count, &choices)
    return sample
  }

  /// Edits and saves are most frequent; references are frequent enough to make circles among three
  /// notes.
  ///
  /// Weights are parts of 102, in the order of `kind`: edit, save, pull, link, atomic, delete,
  /// force, expire, renew, peek.
  private static func step(_ choices: inout Choices) -> RecordStep {
    let kind = choices.pick(weights: [30, 22, 12, 14, 6, 6, 4, 2, 2, 4])
    let device = choices.index(below: deviceCount)
    func note(_ choices: inout Choices) -> Int { choices.index(below: noteCount) }
    func fault(_ choices: inout Choices) -> RecordRequest.Fault {
      // A lost reply is the fault that devices get wrong most easily, and comes in one of five
      // saves.
      RecordRequest.Fault.allCases[choices.pick(weights: [60, 8, 20, 8, 4])]
    }
    switch kind {
    case 0:
      let note = note(&choices)
      let field = choices.element(of: isNew(device) ? NoteField.allCases : NoteField.old)
      return .edit(device: device, note: note, field, number: choices.number(in: 0...5))
    case 1: return .save(device: device, fault(&choices))
    case 2: return .pull(device: device)
    case 3:
      let from = note(&choices)
      return .link(device: device, note: from, to: note(&choices))
    case 4: return .atomic(device: device, fault(&choices))
    case 5:
      let note = note(&choices)
      return .delete(device: device, note: note, fault(&choices))
    case 6: return .force(device: device)
    case 7: return .expire
    case 8: return .renew
    default: return .peek(device: device)
    }
  }
}

// MARK: - The text form

extension RecordStep {
  package var text: String {
    switch self {
    case .edit(let device, let note, let field, let number):
      "\(device) edits \(note) \(field.rawValue) \(number)"
    case .link(let device, let note, let target): "\(device) links \(note) \(target)"
    case .save(let device, let fault): "\(device) saves \(fault.rawValue)"
    case .atomic(let device, let fault): "\(device) saves-whole \(fault.rawValue)"
    case .force(let device): "\(device) forces"
    case .delete(let device, let note, let fault): "\(device) deletes \(note) \(fault.rawValue)"
    case .pull(let device): "\(device) pulls"
    case .peek(let device): "\(device) peeks"
    case .expire: "expire"
    case .renew: "renew"
    }
  }

  /// Refuses what no generator draws, such as a field that the device's version lacks.
  ///
  ///     1 edits 0 pinned 2     read
  ///     0 edits 0 pinned 2     refused: device 0 has the older version
  ///     3 pulls                refused: devices are 0, 1 and 2
  ///     1 saves                refused: the fault is missing, `none` included
  fileprivate init?(_ line: Substring) {
    let words = line.split(separator: " ").map(String.init)
    if words == ["expire"] || words == ["renew"] {
      self = words == ["expire"] ? .expire : .renew
      return
    }
    func index(_ position: Int, below limit: Int) -> Int? {
      guard words.indices.contains(position), let number = Int(words[position]) else { return nil }
      return (0..<limit).contains(number) ? number : nil
    }
    let faults = RecordRequest.Fault.self
    guard words.count >= 2, let device = index(0, below: RecordSample.deviceCount) else {
      return nil
    }
    let note = index(2, below: RecordSample.noteCount)
    switch (words[1], words.count) {
    case ("edits", 5):
      // Any byte is taken for a number, though 0 to 5 are drawn: `set` has a value for each.
      guard let note, let field = NoteField(rawValue: words[3]), let number = index(4, below: 256)
      else { return nil }
      guard RecordSample.isNew(device) || NoteField.old.contains(field) else { return nil }
      self = .edit(device: device, note: note, field, number: number)
    case ("links", 4):
      guard let note, let target = index(3, below: RecordSample.noteCount) else { return nil }
      self = .link(device: device, note: note, to: target)
    case ("saves", 3):
      guard let fault = faults.init(rawValue: words[2]) else { return nil }
      self = .save(device: device, fault)
    case ("saves-whole", 3):
      guard let fault = faults.init(rawValue: words[2]) else { return nil }
      self = .atomic(device: device, fault)
    case ("forces", 2): self = .force(device: device)
    case ("deletes", 4):
      guard let note, let fault = faults.init(rawValue: words[3]) else { return nil }
      self = .delete(device: device, note: note, fault)
    case ("pulls", 2): self = .pull(device: device)
    case ("peeks", 2): self = .peek(device: device)
    default: return nil
    }
  }
}

extension RecordSample {
  fileprivate static let formName = FormName("record", version: 1)

  package var lines: [String] {
    (numbers.isEmpty ? [] : [numbers.line]) + steps.map(\.text)
  }

  /// Reads the text form.
  ///
  /// - Throws: `UnreadableLine` with the first line that is neither numbers nor a step.
  package init(text: String) throws(UnreadableLine) {
    var isFirst = true
    try readLines(of: text, as: Self.formName) { line in
      defer { isFirst = false }
      if isFirst, let read = DrawnNumbers(line) {
        numbers = read
        return true
      }
      guard let step = RecordStep(line) else { return false }
      steps.append(step)
      return true
    }
  }
}

extension SampleForm<RecordSample> {
  /// Samples of records: `record 1`.
  package static let record = SampleForm(
    name: RecordSample.formName,
    plural: "samples of records",
    render: { $0.lines.map { "\($0)\n" }.joined() },
    parse: { try RecordSample(text: $0) },
    size: { $0.steps.count + $0.numbers.count },
    measure: { sample in
      sample.steps.isEmpty
        ? counted(sample.numbers.count, "number") : counted(sample.steps.count, "step")
    },
    parts: SampleParts(of: \.steps)
  )
}
