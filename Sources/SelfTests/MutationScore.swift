import Foundation
import Mutants
import Texts

/// What the laws made of a sample of mutants that a program wrote.
package struct MutationScore: Codable, Hashable, Sendable {
  /// What became of one mutant.
  package enum End: String, Codable, Hashable, Sendable {
    /// A law found it wrong.
    case killed
    /// It ended its process.
    case trapped
    /// A case took more time than any may.
    case hung
    /// It ran, nothing was found wrong, and the changed place was come to.
    case unnoticed
    /// Nothing that runs within the time comes to the changed place.
    case unreached

    var isDead: Bool { self == .killed || self == .trapped || self == .hung }
  }

  package struct Row: Codable, Hashable, Sendable {
    package var id: String
    package var module: String
    package var `operator`: String
    package var sourceLine: String
    package var change: String
    package var end: End
    /// The law that found it wrong.
    package var law: String?
    /// What was found, in one line.
    package var summary: String?
    package var cases: Int
    /// Processor time until it was found wrong, in seconds; `nil` for one that lived.
    package var seconds: Double?
  }

  package var seed: String
  /// Processor time that each mutant had, in seconds.
  package var secondsLimit: Double
  /// Mutants of the sources by module, those that do not compile included, less the equivalent ones.
  package var candidates: [String: Int]
  /// Mutants of the sources that are listed as equivalent, and never drawn.
  package var equivalents: Int
  /// Drawn mutants that do not compile, and are not in the rows.
  package var uncompiled: Int
  package var rows: [Row]

  /// Limits of processor time for which the score is given, in seconds.
  var steps: [Double] { [1, 10, 60].filter { $0 < secondsLimit } + [secondsLimit] }

  /// How many of some rows were found wrong within a time.
  static func dead(_ rows: [Row], within seconds: Double) -> Int {
    rows.count { $0.end.isDead && ($0.seconds ?? 0) <= seconds }
  }

  /// The share that was found wrong within a time, in percent: that of each module with the weight of
  /// its mutants.
  package func percent(within seconds: Double) -> Double {
    let modules = Dictionary(grouping: rows, by: \.module).sorted { $0.key < $1.key }
    let weights = modules.map { Double(candidates[$0.key] ?? 0) }
    let sum = zip(modules, weights).reduce(0.0) { sum, pair in
      sum + pair.1 * Self.percent(pair.0.value, within: seconds)
    }
    let weight = weights.reduce(0, +)
    return weight == 0 ? 0 : sum / weight
  }

  private static func percent(_ rows: [Row], within seconds: Double) -> Double {
    100 * Double(dead(rows, within: seconds)) / Double(max(rows.count, 1))
  }

  /// The share of all mutants of the modules that the laws find, in percent, as the sample tells.
  package var percent: Double { percent(within: .infinity) }

  package var survivors: [Row] { rows.filter { !$0.end.isDead } }

  // MARK: - Words

  /// The score by module, then by operator, as a table of Markdown.
  package var table: String {
    // The last one holds what ended within the limit, and was noticed a moment later.
    let limits = steps.dropLast() + [.infinity]
    let heads =
      ["", "mutants"] + steps.map { "within \(seconds($0))" }
      + ["trapped", "hung", "not noticed", "not reached"]
    var lines = [
      "| \(heads.joined(separator: " | ")) |",
      "|:--|\(String(repeating: "--:|", count: heads.count - 1))",
    ]
    func add(_ name: String, _ rows: [Row], _ percent: (Double) -> Double) {
      let shares = limits.map { "\(decimal(percent($0))) %" }
      let ends = [End.trapped, .hung, .unnoticed, .unreached].map { end in
        "\(rows.count { $0.end == end })"
      }
      lines.append("| \(([name, "\(rows.count)"] + shares + ends).joined(separator: " | ")) |")
    }
    add("all, weighted by module", rows) { percent(within: $0) }
    for (module, rows) in Dictionary(grouping: rows, by: \.module).sorted(by: { $0.key < $1.key }) {
      add("`\(module)`", rows) { Self.percent(rows, within: $0) }
    }
    for (name, rows) in Dictionary(grouping: rows, by: \.operator).sorted(by: { $0.key < $1.key }) {
      add(name, rows) { Self.percent(rows, within: $0) }
    }
    return lines.joined(separator: "\n")
  }

  /// A line for each mutant that lived, by module and place.
  package var survivorLines: [String] {
    survivors.flatMap { row in
      [
        "\(row.id): \(row.end == .unreached ? "not reached" : "reached, not noticed")",
        "  \(row.sourceLine)", "  \(row.change)",
      ]
    }
  }

  /// Where the sample comes from.
  package var origin: String {
    "\(counted(rows.count, "mutant")), drawn with seed \(seed) of"
      + " \(grouped(candidates.values.reduce(0, +))), and \(grouped(equivalents)) more that are listed as"
      + " equivalent; \(grouped(uncompiled)) of the drawn ones do not compile; \(seconds(secondsLimit)) of processor time each"
  }

  private func seconds(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value)) s" : "\(decimal(value)) s"
  }
}
