import Campaigns
import Reporting
import Texts

/// Where a campaign stands, as text: some lines that are drawn over and over on a terminal, or one
/// line for a log.
struct LiveView {
  private let progress: CampaignProgress
  private let visible = VisibleText()
  /// Rows that are drawn at most.
  private static let rowLimit = 8

  init(_ progress: CampaignProgress) {
    self.progress = progress
  }

  /// The lines for a terminal of this width; none is wider.
  ///
  ///     ▕█████████▌          ▏ 48 %  31 s left  2,084 cases  402/s  2 failures
  ///       naive      1,204 cases  402/s  no law violated
  ///     ▸ engine       880 cases  310/s  1 of 22 laws violated
  ///       shrinking merge.commutes on engine: 34 of 120 choices left
  func lines(columns: Int) -> [String] {
    let rows = shownRows
    let width = max(0, rows.map { name($0.row).unicodeScalars.count }.max() ?? 0)
    let countWidth = max(0, rows.map { figure($0.row).count }.max() ?? 0)
    var lines = [head(columns: columns)]
    for (index, row) in rows {
      let name = name(row)
      let count = figure(row)
      let gap = String(repeating: " ", count: width - name.unicodeScalars.count + 2)
      let margin = String(repeating: " ", count: countWidth - count.count)
      let mark = index == progress.active ? "▸" : " "
      lines.append("\(mark) \(name)\(gap)\(margin)\(count)  \(facts(row))")
    }
    if progress.rows.count > rows.count {
      lines.append("  and \(counted(progress.rows.count - rows.count, "more subject"))")
    }
    if let shrinking { lines.append("  \(shrinking)") }
    return lines.map { Self.clipped($0, max(1, columns - 1)) }
  }

  /// Failures that are small, and the one that is being made small.
  private var failureCount: Int { progress.failures + (progress.shrinking == nil ? 0 : 1) }

  /// One line for a log.
  var line: String {
    var parts = [
      "\(Int(progress.fraction * 100)) %", counted(progress.cases, "case"),
      "\(rate(progress.cases, progress.seconds))/s",
    ]
    if let active = progress.active, progress.rows.indices.contains(active) {
      parts.append(name(progress.rows[active]))
    }
    parts.append(counted(failureCount, "failure"))
    if let shrinking { parts.append(shrinking) }
    if let left { parts.append(left) }
    return parts.joined(separator: "  ")
  }

  /// The row at work and those about it, where there are too many.
  private var shownRows: [(index: Int, row: CampaignProgress.Row)] {
    let all = progress.rows.enumerated().map { (index: $0.offset, row: $0.element) }
    guard all.count > Self.rowLimit else { return all }
    let middle = (progress.active ?? 0) - Self.rowLimit / 2
    let start = min(max(0, middle), all.count - Self.rowLimit)
    return Array(all[start..<(start + Self.rowLimit)])
  }

  private func head(columns: Int) -> String {
    let width = min(24, max(8, columns / 4))
    let eighths = Int((min(max(progress.fraction, 0), 1) * Double(width * 8)).rounded(.down))
    let parts = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    var bar = String(repeating: "█", count: eighths / 8)
    if eighths / 8 < width { bar += parts[eighths % 8] }
    bar += String(repeating: " ", count: max(0, width - eighths / 8 - 1))
    var words = ["▕\(bar)▏ \(Int(progress.fraction * 100)) %"]
    if let left { words.append(left) }
    words.append(counted(progress.cases, "case"))
    words.append("\(rate(progress.cases, progress.seconds))/s")
    words.append(counted(failureCount, "failure"))
    return words.joined(separator: "  ")
  }

  /// The cases of a row; one ends a place early, so that all figures end below one another.
  private func figure(_ row: CampaignProgress.Row) -> String {
    counted(row.cases, "case") + (row.cases == 1 ? " " : "")
  }

  private func facts(_ row: CampaignProgress.Row) -> String {
    guard row.cases > 0 else { return "waits" }
    // Laws that no case was for yet do not hold: what can be said of all is what was not seen.
    let laws =
      row.violatedLaws > 0
      ? "\(row.violatedLaws) of \(counted(row.laws, "law")) violated" : "no law violated"
    return "\(rate(row.cases, row.seconds))/s  \(laws)"
  }

  private func name(_ row: CampaignProgress.Row) -> String {
    visible(row.subject + (row.oracle.map { " against \($0)" } ?? ""))
  }

  private var shrinking: String? {
    progress.shrinking.map { shrinking in
      "shrinking \(visible(shrinking.law)) on \(visible(shrinking.subject)): "
        + "\(grouped(shrinking.choices)) of \(counted(shrinking.of, "choice")) left"
    }
  }

  private func rate(_ cases: Int, _ seconds: Double) -> String {
    seconds > 0 ? decimal(Double(cases) / seconds, digits: 0) : "–"
  }

  /// The time that is left, once there is something to tell it by.
  private var left: String? {
    guard progress.fraction > 0.01, progress.fraction < 1, progress.seconds > 0 else { return nil }
    let seconds = (progress.seconds / progress.fraction - progress.seconds).rounded(.up)
    guard seconds >= 1, seconds < 1e9 else { return nil }
    let whole = Int(seconds)
    if whole < 120 { return "\(whole) s left" }
    return whole < 7200 ? "\(whole / 60) min left" : "\(whole / 3600) h left"
  }

  private static func clipped(_ line: String, _ columns: Int) -> String {
    guard line.unicodeScalars.count > columns else { return line }
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: line.unicodeScalars.prefix(columns - 1))
    return String(scalars) + "…"
  }
}
