package import MergeEngine

/// The changes of a document as a graph in text: a line a change, the last first, with a column for each
/// branch.
///
///     ●    9c1d02aa  0b  3  merged
///     ├─╮
///     ●    71ee4f10  0a  2  "second"
///     │ ●  5b20c6d1  0b  2
///     ├─╯
///     ●    03aa91be  0a  1  "first"
///
/// A change's line has the first digits of its hash and of its writer, its number and its message. A column
/// that goes on below the last line leads to earlier changes.
package struct HistoryGraph {
  /// The change that each column leads to.
  private var columns: [ChangeHash] = []
  private var lines: [String] = []

  /// The graph of the last `last` changes, one line each.
  package static func lines(of document: MergeDocument, last: Int = .max) -> [String] {
    let changes = document.changes()
    var graph = HistoryGraph()
    for change in changes.suffix(last).reversed() { graph.add(change) }
    if !graph.columns.isEmpty { graph.lines.append(graph.row { _ in "┆" }) }
    return graph.lines
  }

  private init() {}

  private mutating func add(_ change: ChangeInfo) {
    let waiting = columns.indices.filter { columns[$0] == change.hash }
    let own = waiting.first ?? columns.count
    if waiting.isEmpty { columns.append(change.hash) }
    let ended = waiting.dropFirst()
    if !ended.isEmpty {
      lines.append(connection(from: own, to: Set(ended), end: "╯", through: "┴"))
      for column in ended.reversed() { columns.remove(at: column) }
    }
    let message = change.message.map { "  \(SafeText.quoted($0, limit: 60))" } ?? ""
    let hash = change.hash.description.prefix(8)
    let actor = change.actor.description.prefix(8)
    lines.append(
      row { $0 == own ? "●" : "│" } + "  \(hash)  \(actor)  \(change.seq)\(message)"
    )
    guard let first = change.dependencies.first else {
      columns.remove(at: own)
      return
    }
    columns[own] = first
    let others = change.dependencies.dropFirst()
    guard !others.isEmpty else { return }
    let begun = Set(columns.count..<columns.count + others.count)
    columns += others
    lines.append(connection(from: own, to: begun, end: "╮", through: "┬"))
  }

  /// A row with a sign for each column.
  private func row(_ sign: (Int) -> Character) -> String {
    columns.indices.map { String(sign($0)) }.joined(separator: " ")
  }

  /// A row in which a column is joined with others to the right of it.
  private func connection(
    from own: Int,
    to others: Set<Int>,
    end: Character,
    through: Character
  ) -> String {
    let last = others.max() ?? own
    var text = ""
    for column in columns.indices {
      let isInside = column > own && column < last
      if column > 0 { text += column > own && column <= last ? "─" : " " }
      switch column {
      case own: text.append("├")
      case last: text.append(end)
      case _ where others.contains(column): text.append(through)
      default: text.append(isInside ? "┼" : "│")
      }
    }
    return text
  }
}
