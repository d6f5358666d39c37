import Foundation
import PropertyEngine
import RecordModel

/// What samples of records hold: what a report counts as the coverage of values.
package enum RecordCoverage {
  /// What holds the values that are counted: those that a law draws before it asks anything.
  package static let samples = "samples of records"
  /// What holds the steps that are counted.
  package static let stories = "stories of devices"

  /// Every kind of value, with every trait that values of the kind can have.
  package static let kinds: [(name: String, traits: [String])] = [
    ("nil", []), ("boolean", ["false", "true"]), ("string", ValueTraits.ofTexts),
    ("int64", ValueTraits.ofIntegers(isSigned: true)), ("double", ValueTraits.ofFloats),
    ("bytes", ValueTraits.ofLengths), ("timestamp", moments), ("location", ValueTraits.ofFloats),
    ("reference", RecordReference.Action.allCases.map { "\($0)" }),
    ("asset", ["with a file", "without its file"]), ("list", ofLists), ("nested", counts),
  ]

  /// Every kind of step, with what may befall it; `steps` counts the samples, by how many steps each has.
  package static let steps: [(name: String, traits: [String])] = [
    ("edit", NoteField.allCases.map(\.rawValue) + [toNil]), ("link", ["to another", "to itself"]),
    ("save", faults), ("save-whole", faults), ("force", []), ("delete", faults), ("pull", []),
    ("peek", []), ("expire", []), ("renew", []), ("steps", ValueTraits.ofCounts),
  ]

  fileprivate static let toNil = "to nil"
  /// No list of a sample has more elements.
  private static let counts = Array(ValueTraits.ofCounts.prefix(3))
  private static let ofLists =
    counts + RecordKind.allCases.map { "of kind \($0)" } + ["of no kind"]
  private static let faults = RecordRequest.Fault.allCases.map(\.rawValue)
  private static let moments = ["before 1970", "whole milliseconds", "between milliseconds"]

  fileprivate static func traits(of date: Date) -> [String] {
    let milliseconds = date.timeIntervalSince1970 * 1000
    return (milliseconds < 0 ? [moments[0]] : [])
      + [milliseconds == milliseconds.rounded() ? moments[1] : moments[2]]
  }

  static func tally(of steps: [RecordStep]) -> ValueTally {
    var tally = ValueTally()
    for step in steps { step.add(to: &tally) }
    tally.add("steps", [ValueTraits.of(count: steps.count)], usedBy: "all devices")
    return tally
  }
}

/// What a law draws before it asks anything, so that its values can be counted.
protocol CountedValue: Sendable {
  func add(to tally: inout ValueTally)
}

extension RecordValue: CountedValue {
  func add(to tally: inout ValueTally) { add(to: &tally, usedBy: "single values") }

  func add(to tally: inout ValueTally, usedBy use: String) {
    switch self {
    case .string(let text): tally.add("string", ValueTraits.of(text), usedBy: use)
    case .int64(let number): tally.add("int64", ValueTraits.of(number), usedBy: use)
    case .double(let number): tally.add("double", ValueTraits.of(number), usedBy: use)
    case .bytes(let bytes):
      tally.add("bytes", [ValueTraits.of(length: bytes.count)], usedBy: use)
    case .timestamp(let date): tally.add("timestamp", RecordCoverage.traits(of: date), usedBy: use)
    case .location(let place):
      let traits = ValueTraits.of(place.latitude) + ValueTraits.of(place.longitude)
      tally.add("location", Array(Set(traits)), usedBy: use)
    case .reference(let reference): tally.add("reference", ["\(reference.action)"], usedBy: use)
    case .asset(let asset):
      tally.add("asset", [asset.fileURL == nil ? "without its file" : "with a file"], usedBy: use)
    case .list(let list):
      let kind = list.kind.map { "of kind \($0)" } ?? "of no kind"
      tally.add("list", [ValueTraits.of(count: list.elements.count), kind], usedBy: use)
      for element in list.elements { element.add(to: &tally, usedBy: "elements") }
    }
  }
}

extension Record: CountedValue {
  func add(to tally: inout ValueTally) {
    for value in fields.values { value.add(to: &tally, usedBy: "fields") }
    for value in encryptedFields.values { value.add(to: &tally, usedBy: "encrypted fields") }
  }
}

extension Date: CountedValue {
  func add(to tally: inout ValueTally) { RecordValue.timestamp(self).add(to: &tally) }
}

extension NewNote: CountedValue {
  func add(to tally: inout ValueTally) {
    let fields: [RecordValue?] = [
      title.map(RecordValue.string), count.map { .int64(Int64($0)) },
      tags.map { .list(.strings($0)) }, at.map(RecordValue.timestamp),
      mood.map { .string($0.rawValue) },
    ]
    for field in fields.compactMap(\.self) { field.add(to: &tally, usedBy: Self.use) }
    if let isPinned { tally.add("boolean", ["\(isPinned)"], usedBy: Self.use) }
    if let links { tally.add("nested", [ValueTraits.of(count: links.count)], usedBy: Self.use) }
    let nilCount = fields.count { $0 == nil } + (isPinned == nil ? 1 : 0) + (links == nil ? 1 : 0)
    for _ in 0..<nilCount { tally.add("nil", [], usedBy: Self.use) }
  }

  private static let use = "properties"
}

extension Array: CountedValue where Element: CountedValue {
  func add(to tally: inout ValueTally) {
    for element in self { element.add(to: &tally) }
  }
}

extension RecordStep {
  fileprivate func add(to tally: inout ValueTally) {
    func count(_ kind: String, _ traits: [String] = [], on device: Int? = nil) {
      let place = device.map { RecordSample.isNew($0) ? "newer version" : "older version" }
      tally.add(kind, traits, usedBy: place ?? "server")
    }
    switch self {
    case .edit(let device, _, let field, let number):
      count("edit", [field.rawValue] + (number == 0 ? [RecordCoverage.toNil] : []), on: device)
    case .link(let device, let note, let target):
      count("link", [note == target ? "to itself" : "to another"], on: device)
    case .save(let device, let fault): count("save", [fault.rawValue], on: device)
    case .atomic(let device, let fault): count("save-whole", [fault.rawValue], on: device)
    case .force(let device): count("force", on: device)
    case .delete(let device, _, let fault): count("delete", [fault.rawValue], on: device)
    case .pull(let device): count("pull", on: device)
    case .peek(let device): count("peek", on: device)
    case .expire: count("expire")
    case .renew: count("renew")
    }
  }
}
