/// Figures of the project's README that are no longer those of the page of benchmarks.
///
/// `make bench` writes the page's tables. A figure of the README may be a tenth off, as figures of two runs are.
enum ReadmeFigures {
  static let readme = "README.md"
  static let page = "Documentation/Benchmarks.md"

  /// A figure: where it stands in the README, and in which row and column of the page; columns count from 1.
  private struct Figure {
    let said: Regex<(Substring, Substring)>
    let row: String
    let column: Int
    /// What is taken of the cell: the number, or the ratio in brackets behind it.
    var isRatio = false
  }

  private static var figures: [Figure] {
    let essay = "W1: an essay typed, 259,778 edits, one commit"
    return [
      Figure(said: /replays in ([0-9.]+) ms of processor time/, row: essay, column: 1),
      Figure(said: /takes ([0-9.]+) times as long/, row: essay, column: 3, isRatio: true),
      Figure(
        said: /takes \[some ([0-9]+) seconds\]/,
        row: "`swift build --build-tests`, from nothing",
        column: 1
      ),
    ]
  }

  static func breaches(in repository: Repository) throws -> [Breach] {
    let text = try repository.text(at: readme)
    let rows = try repository.text(at: page).split(separator: "\n")
    return figures.compactMap { figure in
      guard let said = text.firstMatch(of: figure.said).flatMap({ Double($0.output.1) }) else {
        return Breach(readme, "the figure of \(figure.row) is missing")
      }
      // The first table that has the row is the one of the engine beside its peers.
      guard let row = rows.first(where: { $0.hasPrefix("| \(figure.row) |") }),
        let measured = number(in: row, figure)
      else { return Breach(page, "the row \(figure.row) has no figure") }
      guard abs(said - measured) > measured / 10 else { return nil }
      return Breach(readme, "\(figure.row): \(said), where \(page) has \(measured)")
    }
  }

  private static func number(in row: Substring, _ figure: Figure) -> Double? {
    let cells = row.split(separator: "|").map { $0.filter { $0 != "," && $0 != " " } }
    guard figure.column < cells.count else { return nil }
    let cell = cells[figure.column]
    if figure.isRatio {
      return cell.firstMatch(of: /\(([0-9.]+)x\)/).flatMap { Double($0.output.1) }
    }
    return cell.prefixMatch(of: /[0-9.]+/).flatMap { Double($0.output) }
  }
}
