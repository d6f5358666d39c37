import DocumentModel
package import Histories

/// A history as a space-time diagram in text: a column for each replica, a line for each step.
///
///           r0  r1
///       1   ●   │   put root "k" int 1
///       2   ○──▶●   r0 -> r1 merge
///       3   ○╌╌╌│   r0 -> r1 send m1 changes
///
/// A dot is what a replica does; an arrow with a solid shaft is an exchange that arrives at once, one
/// with a dashed shaft a message that sets out or comes in.
package struct SpaceTimeDiagram {
  private let history: History
  private var replicaCount: Int
  private var messages: [Int: (from: Int, to: Int)] = [:]

  package init(_ history: History) {
    self.history = history
    replicaCount = history.replicaCount
  }

  package var lines: [String] {
    var diagram = self
    let width = history.finalReplicaCount
    let columns = (0..<width).map { $0 == width - 1 ? "r\($0)" : Self.padded("r\($0)") }
    let head = "      " + columns.joined()
    let steps = zip(history.steps, history.columnLines).enumerated().map { index, pair in
      diagram.line(pair.0, pair.1, number: index + 1, width: width)
    }
    return [head] + steps + [healing(width)]
  }

  private func healing(_ width: Int) -> String {
    let transports = Set(history.healing.map(\.rawValue)).sorted().joined(separator: ", ")
    let cells = (0..<width).map { $0 == width - 1 ? "●   " : "●═══" }.joined()
    let manner = transports.isEmpty ? "" : " by \(transports)"
    return "      \(cells)heal: every pair exchanges both ways\(manner)"
  }

  private mutating func line(_ step: Step, _ text: String, number: Int, width: Int) -> String {
    var cells = (0..<width).map { $0 < replicaCount ? "│   " : "    " }
    switch step {
    case .edit(let replica, _), .commit(let replica), .save(let replica, _),
      .call(let replica, _):
      mark(&cells, replica, "●")
    case .restart(let replica, _, _):
      mark(&cells, replica, "╳")
    case .fork(let replica, _), .branch(let replica, _, _):
      replicaCount += 1
      draw(&cells, from: replica, to: replicaCount - 1, shaft: "─", start: true, end: "●")
    case .exchange(let from, let to, _):
      draw(&cells, from: from, to: to, shaft: "─", start: true, end: "●")
    case .send(let message, let from, let to, _):
      messages[message] = (from, to)
      draw(&cells, from: from, to: to, shaft: "╌", start: true, end: nil)
    case .deliver(let message, _):
      if let (from, to) = messages[message] {
        draw(&cells, from: from, to: to, shaft: "╌", start: false, end: "●")
      }
    case .drop(let message, _):
      if let (from, to) = messages[message] {
        draw(&cells, from: from, to: to, shaft: "╌", start: false, end: "╳")
      }
    case .cut(let side, _):
      for replica in side { mark(&cells, replica, "┃") }
    case .mend: break
    case .clog(let from, let to), .unclog(let from, let to):
      draw(&cells, from: from, to: to, shaft: "·", start: false, end: nil)
    }
    return Self.number(number) + cells.joined() + text
  }

  /// Marks a replica's column; a history that is not valid may name one that is not there.
  private func mark(_ cells: inout [String], _ replica: Int, _ sign: Character) {
    guard cells.indices.contains(replica) else { return }
    cells[replica] = "\(sign)   "
  }

  /// Draws an arrow over the cells from one replica's column to another's.
  private func draw(
    _ cells: inout [String],
    from: Int,
    to: Int,
    shaft: Character,
    start: Bool,
    end: Character?
  ) {
    let low = min(from, to)
    let high = max(from, to)
    guard low < high, cells.indices.contains(high) else { return }
    let isRightward = from < to
    for column in low..<high {
      let mark = column == low ? mark(of: low, from: from, to: to, start: start, end: end) : "┼"
      var body = Array(String(repeating: shaft, count: 3))
      if end != nil {
        if isRightward, column == high - 1 { body[2] = "▶" }
        if !isRightward, column == low { body[0] = "◀" }
      }
      cells[column] = mark + String(body)
    }
    cells[high] = mark(of: high, from: from, to: to, start: start, end: end) + "   "
  }

  private func mark(
    of column: Int,
    from: Int,
    to: Int,
    start: Bool,
    end: Character?
  ) -> String {
    if column == from { return start ? "○" : "│" }
    return end.map(String.init) ?? "│"
  }

  private static func number(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: " ", count: max(0, 4 - digits.count)) + digits + "  "
  }

  private static func padded(_ text: String) -> String {
    text + String(repeating: " ", count: max(1, 4 - text.count))
  }
}
