extension Report {
  /// One column of a table of figures that every rendering shows.
  struct Column<Row>: Sendable {
    let head: String
    /// Whether it holds numbers, which stand at the right.
    let isFigure: Bool
    /// The place among the columns that go, from 1, where the table is too wide; `nil` for one that stays.
    ///
    /// Figures that others tell go first.
    let dropRank: Int?
    let cell: @Sendable (Row) -> String

    /// A column of words.
    static func name(
      _ head: String,
      dropRank: Int? = nil,
      _ cell: @escaping @Sendable (Row) -> String
    ) -> Self {
      Self(head: head, isFigure: false, dropRank: dropRank, cell: cell)
    }

    /// A column of numbers.
    static func figure(
      _ head: String,
      dropRank: Int? = nil,
      _ cell: @escaping @Sendable (Row) -> String
    ) -> Self {
      Self(head: head, isFigure: true, dropRank: dropRank, cell: cell)
    }
  }

  /// Rows of such a table that a rendering shows.
  static let rowLimit = 40
}
