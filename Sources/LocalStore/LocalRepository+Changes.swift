extension LocalRepository {
  /// What an id stands for, with the changes of this round that come before.
  struct View {
    var rows: OrderedTable<Row>
    /// Rows of this round; an inner `nil` for an item that one of its changes deletes.
    var overlay: [ItemID: Row?] = [:]

    subscript(id: ItemID) -> Row? { overlay[id] ?? rows[id] }
  }

  /// One thing that a change does, with the item that reads are to show.
  struct Step: Sendable {
    var operation: StoreOperation
    var item: Item?
  }

  typealias Plan = @Sendable (borrowing View) throws(StoreError) -> [Step]

  /// A caller whose change waits for its turn.
  struct Waiter {
    let plan: Plan
    let continuation: CheckedContinuation<Turn, Never>
  }

  /// The answer to a waiting caller.
  enum Turn: Sendable {
    case done(Result<StoreCommit, StoreError>)
    /// It carries the next round out itself.
    case lead
  }

  /// Changes that are carried out in one round at most.
  private static var roundLimit: Int { 1024 }

  // MARK: - Changing

  /// Saves an item: a new one goes to the end, one with a known id replaces it in its place.
  ///
  ///     stored           ifVersion nil    ifVersion 0         ifVersion 7
  ///     nothing          new              new                 versionConflict
  ///     of change 7      replaced         versionConflict     replaced
  ///     of change 9      replaced         versionConflict     versionConflict
  ///
  /// `version`: The change that the caller knows as the item's latest, 0 for none; the item is
  ///   saved only if that is so.
  @discardableResult
  public func save(
    _ item: Item,
    ifVersion version: UInt64? = nil
  ) async throws(StoreError) -> StoreCommit {
    let step = try put(item)
    return try await submit { view throws(StoreError) in
      try Self.require(version, of: step.operation.id, in: view)
      return [step]
    }
  }

  /// Saves items as one change: all of them are stored, or none.
  @discardableResult
  public func save(_ items: some Sequence<Item>) async throws(StoreError) -> StoreCommit {
    var steps: [Step] = []
    for item in items { steps.append(try put(item)) }
    return try await submit { [steps] _ in steps }
  }

  /// Deletes an item; one that is not there is deleted already.
  @discardableResult
  public func delete(
    _ id: String,
    ifVersion version: UInt64? = nil
  ) async throws(StoreError) -> StoreCommit {
    let id = ItemID(id)
    return try await submit { view throws(StoreError) in
      try Self.require(version, of: id, in: view)
      return view[id] == nil ? [] : [Step(operation: StoreOperation(.delete, id))]
    }
  }

  /// Saves some items and deletes others, as one change; what is in both is deleted.
  @discardableResult
  public func apply(
    saving items: [Item],
    deleting ids: [String]
  ) async throws(StoreError) -> StoreCommit {
    var known: Set<ItemID> = []
    let deleted = ids.map { ItemID($0) }.filter { known.insert($0).inserted }
    var steps: [Step] = []
    for item in items {
      let step = try put(item)
      if !known.contains(step.operation.id) { steps.append(step) }
    }
    return try await submit { [steps] view in
      steps
        + deleted.filter { view[$0] != nil }.map { Step(operation: StoreOperation(.delete, $0)) }
    }
  }

  /// Makes an item out of what is stored: no other change comes between reading and writing.
  ///
  /// An item that does not decode is refused, and `body` does not run: as `nil` it would be deleted or replaced by a
  /// version of the app that cannot read it. ``save(_:ifVersion:)`` and ``delete(_:ifVersion:)`` of its id do that.
  ///
  /// `body`: Gets the item, `nil` if there is none, and returns the new one, `nil` to delete it.
  ///   It runs once at most.
  @discardableResult
  public func update(
    _ id: String,
    _ body: @escaping @Sendable (Item?) throws -> Item?
  ) async throws(StoreError) -> StoreCommit {
    let coder = coder
    let key = ItemID(id)
    return try await submit { view throws(StoreError) in
      func refused(_ words: String) -> StoreError {
        StoreError(.updateRefused(id: id, explanation: words), .evaluate)
      }
      if let row = view[key], row.item == nil { throw refused("its bytes do not decode") }
      let new: Item?
      do {
        new = try body(view[key]?.item)
      } catch {
        throw refused("\(error)")
      }
      guard let new else {
        return view[key] == nil ? [] : [Step(operation: StoreOperation(.delete, key))]
      }
      guard ItemID(new.id) == key else { throw refused("its id became '\(new.id)'") }
      return [try Self.put(new, coder)]
    }
  }

  private static func require(
    _ version: UInt64?,
    of id: ItemID,
    in view: borrowing View
  ) throws(StoreError) {
    guard let version else { return }
    let actual = view[id]?.version
    guard actual ?? 0 == version else {
      let expected = version == 0 ? nil : version
      throw StoreError(
        .versionConflict(id: id.text, expected: expected, actual: actual),
        .evaluate
      )
    }
  }

  private func put(_ item: Item) throws(StoreError) -> Step { try Self.put(item, coder) }

  /// Encodes an item, before anything changes: one that cannot be encoded concerns its own call alone.
  private static func put(_ item: Item, _ coder: StoreCoder<Item>) throws(StoreError) -> Step {
    do {
      let payload = try coder.encode(item)
      return Step(operation: StoreOperation(.put, ItemID(item.id), payload), item: item)
    } catch {
      throw StoreError(.encodingFailed(id: item.id, explanation: "\(error)"), .encode)
    }
  }

  // MARK: - Rounds

  /// Carries a change out, together with those that came while others were being written.
  ///
  /// One caller at a time leads: it takes all that wait, has them appended and synchronised in one
  /// go, and hands the lead on. Between planning and the result no other caller plans, so that each
  /// change is made of what is stored then.
  ///
  ///     A comes       leads, writes 1                B and C come meanwhile, and wait
  ///     A is done     B becomes the leader           C still waits
  ///     B             writes 2 and 3, its own and C's, in one go
  ///     B is done     C gets its result; no caller waits or leads
  ///
  /// Cost for many callers at once: one synchronisation for up to 1,025 of them.
  func submit(_ plan: @escaping Plan) async throws(StoreError) -> StoreCommit {
    if Task.isCancelled { throw StoreError(.cancelled, .evaluate) }
    return try await takeTurn(plan)
  }

  /// As ``submit(_:)``, also for a task that was cancelled.
  func takeTurn(_ plan: @escaping Plan) async throws(StoreError) -> StoreCommit {
    let writer = try openWriter(.append)
    if isLed {
      let turn = await withCheckedContinuation { continuation in
        waiting.append(Waiter(plan: plan, continuation: continuation))
      }
      if case .done(let result) = turn { return try result.get() }
    }
    isLed = true
    let followers = Array(waiting.prefix(Self.roundLimit))
    waiting.removeFirst(followers.count)
    let results = await round([plan] + followers.map { $0.plan }, writer)
    for (follower, result) in zip(followers, results.dropFirst()) {
      follower.continuation.resume(returning: .done(result))
    }
    if waiting.isEmpty {
      isLed = false
    } else {
      waiting.removeFirst().continuation.resume(returning: .lead)
    }
    return try results[0].get()
  }

  /// Plans changes one after the other and has them written together.
  ///
  ///     plans        save a      delete b    update a to a'     delete c, which is not there
  ///     view         a           a, no b     a', no b           as before
  ///     sequences    8           9           10                 none
  ///     written      8, 9, 10 in one append; what is refused is refused to all three
  ///
  /// A plan that throws concerns its own caller alone, and sees the changes of the plans before it.
  /// Rows change when the writer has answered: while it writes, reads show what was stored.
  ///
  /// Closures and no key paths: in a generic type one is made again with each call, which took a fifth of a change.
  private func round(
    _ plans: [Plan],
    _ writer: StoreWriter
  ) async -> [Result<StoreCommit, StoreError>] {
    var view = View(rows: rows)
    var planned: [Result<[Step], StoreError>] = []
    var next = sequence
    for plan in plans {
      let steps = Result { () throws(StoreError) in
        let steps = try plan(view)
        // Before anything is written: what is too large concerns its own call alone.
        try options.check(steps.map { $0.operation })
        return steps
      }
      planned.append(steps)
      guard case .success(let steps) = steps, !steps.isEmpty else { continue }
      next += 1
      for step in steps {
        let isDelete = step.operation.kind == .delete
        view.overlay[step.operation.id] =
          isDelete ? .some(nil) : Row(version: next, item: step.item)
      }
    }
    // Not to be kept while the rows change.
    view.rows = OrderedTable()
    let changes = planned.compactMap { try? $0.get() }.filter { !$0.isEmpty }
    var written: Result<UInt64, StoreError> = .success(sequence + 1)
    if changes.isEmpty {
      if case .closed = health { written = .failure(StoreError(.closed, .append)) }
    } else {
      let operations = changes.map { $0.map { $0.operation } }
      let (result, health) = await writer.commit(operations, options.durability)
      written = result
      note(health)
    }
    switch written {
    case .failure(let error):
      return planned.map { steps in
        if case .failure(let own) = steps { .failure(own) } else { .failure(error) }
      }
    case .success:
      return planned.map { $0.map { commit($0) } }
    }
  }

  /// Shows a change that was written, and tells the observers.
  ///
  /// The numbers are those that the engine has given: both count each change that is not empty, in
  /// one order.
  private func commit(_ steps: [Step]) -> StoreCommit {
    guard !steps.isEmpty else {
      return StoreCommit(sequence: sequence, durability: options.durability, isChange: false)
    }
    sequence += 1
    var mutations: [StoreMutation<Item>] = []
    for step in steps {
      let id = step.operation.id
      let old = rows[id]
      guard step.operation.kind != .delete, let item = step.item else {
        rows.remove(id)
        mutations.append(.deleted(id: id.text))
        continue
      }
      rows.put(id, Row(version: sequence, item: item))
      mutations.append(
        old.map { .updated(id: id.text, item, previousVersion: $0.version) }
          ?? .inserted(id: id.text, item)
      )
    }
    if !observers.isEmpty {
      observers.removeAll { $0.buffer == nil }
      for observer in observers {
        observer.buffer?.publish(sequence, .commit(sequence: sequence, mutations))
      }
    }
    return StoreCommit(sequence: sequence, durability: options.durability, isChange: true)
  }
}
