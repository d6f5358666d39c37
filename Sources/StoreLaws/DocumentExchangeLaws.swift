import FileSystems
import PropertyEngine

// Stores of documents that merge (feature `documents`): what a document has to do with others while
// it is saved. `DocumentRun` does the steps of a sample to a store and to its model.

extension StoreLaw {
  /// Catches a store that leaves out what waits in a document when it saves, makes a new snapshot or loads.
  ///
  /// After each step two numbers of the sample hand a change each to a copy (`DocumentRun.handing`).
  /// In the end one writer gets what is missing, and what waited must come with it.
  ///
  /// Worked example: writer 0 adds "1" and "2", and writer 1, who has neither, is handed the change
  /// that added "2" and saves.
  ///
  ///     stored                   nothing that shows; "2" waits
  ///     writer 2 is handed "1"   and saves: "1 2" must be stored
  ///     `store-drops-waiting`    has "1" alone
  static let documentsWaiting = StoreLaw(
    "documents.waiting",
    "What waits in a document is stored.",
    "A change that came to a copy before those that it builds on is stored when the copy is saved, and shows as soon "
      + "as those are stored, also after reopening.",
    source: documents,
    needs: [.documents],
    shape: .init {
      $0.steps = 2...10
      $0.numberCount = 20
    },
    check: { trial in
      let files = MemoryFiles(StoreTrial.emptyDisk)
      var run = DocumentRun(trial, files)
      for (index, step) in trial.sample.steps.enumerated() {
        try await run.carryOut(step)
        for number in [trial.sample.number(2 * index), trial.sample.number(2 * index + 1)] {
          if let handing = run.handing(number) { try await run.carryOut(handing) }
        }
        if let difference = try await run.difference("waiting.stored") { return difference }
      }
      try await run.saveAll()
      try await run.reopen(on: files)
      if let difference = try await run.difference("waiting.reopened") { return difference }
      try await run.handAllThatIsMissing()
      return try await run.difference("waiting.lost")
    }
  )

  /// Catches a save that uses the document's own mark of what was sent.
  ///
  /// Worked example: writer 0 adds "1" and saves. Its app then asks the document for what is new, to
  /// send it to others: the change must be there (`store-saves-count-as-sent` has nothing to send).
  static let documentsUnsent = StoreLaw(
    "documents.unsent",
    "To save is not to send.",
    "What a copy has to send to others next is the same before and after it is saved in the store; a copy just loaded "
      + "has nothing to send, and one with a new word has.",
    source: documents,
    needs: [.documents],
    shape: .init { $0.steps = 1...8 },
    check: { trial in
      var run = DocumentRun(trial, MemoryFiles(StoreTrial.emptyDisk))
      for step in trial.sample.steps {
        for action in run.actions(step) {
          let (id, writer) = action.copy
          let before = try await run.unsent(id, by: writer)
          try await run.carryOut(action)
          let after = try await run.unsent(id, by: writer)
          if let difference = unsent(after, behind: action, before) { return difference }
        }
        if step == .reopen || step == .restart { try await run.carryOut(step) }
      }
      return nil
    }
  )

  /// Where a copy has other things to send behind an action than it should.
  private static func unsent(
    _ after: [UInt8],
    behind action: DocumentRun.Action,
    _ before: [UInt8]
  ) -> Difference? {
    let (isRight, words, expected) =
      switch action {
      case .add: (!after.isEmpty, "a copy with a new word", "more than 0 bytes")
      case .reload: (after.isEmpty, "a copy that was loaded", "0 bytes")
      case .save: (after == before, "a copy that was saved", "\(before.count) bytes, as before")
      case .delete, .hand: (true, "", "")
      }
    if isRight { return nil }
    return Difference(
      kind: "unsent.changed",
      summary: "\(words) has other changes to send than it should",
      expected: expected,
      actual: "\(after.count) bytes"
    )
  }
}
