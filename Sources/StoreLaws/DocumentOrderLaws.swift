import FileSystems
import PropertyEngine

// A document whose changes come to its copies in any order, while it is saved, rewritten, and its store opened again.

extension StoreLaw {
  /// A document whose changes come in any order.
  static let documentOrderLaws: [StoreLaw] = [documentsAnyOrder]

  /// Catches a store that no longer knows what waits in it, or up to where it has everything, once it has rewritten a
  /// document, or was opened again.
  ///
  /// Other laws of documents save most words as they are added, and hand few of them on out of order. Here one document's
  /// words are added without saving, and their changes handed to copies that lack others. Each number is a step.
  ///
  ///     number % 8     what happens; the writer is the remainder of its quotient by 3
  ///     0, 1           the writer adds a word
  ///     2, 3, 4        the writer is handed one of the last three words, and saves
  ///     5              the writer saves
  ///     6              the writer loads what is stored, or the store is opened again
  ///     7              a writer adds a word of 5000 letters and saves, so that the document is rewritten
  ///
  /// Worked example: writer 0 adds "1" and "2". Writer 1 is handed "2" and saves: it waits. The store is opened again, and
  /// writer 2 is handed "1" and saves: stored are "1 2". A store that takes its heads for those of writer 2's copy
  /// appends "2" once more with the next copy.
  static let documentsAnyOrder = StoreLaw(
    "documents.any-order",
    "Changes in any order are stored once.",
    "In whatever order the changes of a document come to its copies, what is stored is the merge of all that was saved, and "
      + "what waits shows as soon as it can, also when the document was rewritten and the store opened again; a copy that "
      + "has nothing new, shown or waiting, is saved without a byte being written.",
    source: documents,
    needs: [.documents],
    costs: 2,
    shape: .init {
      $0.steps = 0...0
      $0.numberCount = 32
    },
    check: { trial in
      let written = Shared(0)
      let files = MemoryFiles(StoreTrial.emptyDisk)
      var run = DocumentRun(trial, files.countingWrites(in: written))
      // Now, since making the store writes.
      try await run.open()
      func save(_ writer: Int) async throws -> Difference? {
        let hasNews = run.model.hasNews("a", by: writer)
        let before = written.value
        try await run.carryOut(.save(id: "a", writer: writer))
        let bytes = written.value - before
        guard !hasNews, bytes > 0 else { return nil }
        return Difference(
          kind: "order.again",
          summary: "saving a copy that has nothing new wrote \(bytes) bytes",
          expected: "0",
          actual: "\(bytes)"
        )
      }
      for number in trial.sample.numbers {
        let (writer, rest) = (number / 8 % 3, number / 24)
        var found: Difference?
        switch number % 8 {
        case 0, 1: try await run.addWord(to: "a", by: writer)
        case 2, 3, 4:
          // Document a, the writer, and one of the last three words.
          if let handing = run.handing(2 * writer + 6 * (rest % 3)) {
            try await run.carryOut(handing)
          }
          found = try await save(writer)
        case 5: found = try await save(writer)
        case 6:
          // To ask what is stored loads it: asked before, so that the next save finds nothing known.
          found = try await run.difference("order.stored")
          if rest % 2 == 0 {
            try await run.reopenKeepingCopies()
          } else {
            try await run.carryOut(.reload(id: "a", writer: writer))
          }
        default:
          for action in run.actions(.compact) { try await run.carryOut(action) }
        }
        if let found { return found }
      }
      for writer in 0..<3 {
        if let found = try await save(writer) { return found }
      }
      try await run.reopenKeepingCopies()
      // All that the copies have is stored.
      for writer in 0..<3 {
        if let found = try await save(writer) { return found }
      }
      if let found = try await run.difference("order.saved") { return found }
      try await run.reopen(on: files)
      try await run.handAllThatIsMissing()
      return try await run.difference("order.lost")
    }
  )
}
