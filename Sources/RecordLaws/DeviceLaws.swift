import PropertyEngine
import RecordModel

// Laws of several devices and a server. Each tells a story (`RecordStory.swift`), heals it, and
// looks at what is left, at the requests on the way (`attempts`), or at what the story noted for
// it.
//
//     at the end         `converges`, `nothing-lost`, `retry-once`, all of `devices.*`
//     in each request    `old-tag-refused`, `tags-move`, `other-fields-stay`, `clears-arrive`, `batch-whole`,
//                        `no-dangling-owner`
//     while it happens   `changes-complete`, `expired-told`, `edit-alone`

extension RecordLaw {
  /// Laws of several devices and a server.
  static let syncLaws: [RecordLaw] = [
    converges, nothingLost, retryOnce, oldTagRefused, tagsMove, otherFieldsStay, clearsArrive,
    batchWhole, noDanglingOwner, changesComplete, expiredTold, editAlone,
  ]

  /// Catches a merge of fields that two devices decide differently, and marks that are never taken
  /// away: the device would save for ever.
  ///
  /// Worked example: a mark stays after its save. The device sends the field again with each save,
  /// and takes back what others set meanwhile.
  static let converges = story(
    "devices.converges",
    "Devices converge.",
    "After all have saved and fetched, each has the records of the server, and nothing "
      + "is left to save."
  ) { story in
    try story.heal()
    let zone = Dictionary(story.server.all().map { ($0.recordID, $0) }) { $1 }
    for (device, state) in story.devices.enumerated() {
      if let found = RecordStory.difference(state.notes, zone) {
        return .record(
          "devices.differ",
          "device \(device): \(found.summary)",
          expected: found.expected,
          actual: found.actual,
          between: "the server after all devices synced",
          "device \(device) after all devices synced"
        ).ofPeers()
      }
      let left = state.notes.values.filter { !$0.changedKeySet.isEmpty }
      if let left = left.map(\.recordID.recordName).min() {
        return .record("devices.unsaved", "device \(device) cannot save \(left)")
      }
    }
    return nil
  }

  /// Only fields with one writer: with two, one of them must lose.
  ///
  /// Catches a rebase that takes the server's record and forgets what was changed here, and a retry
  /// that believes a lost reply.
  /// Misses stories with deletions, in which an edit may rightly be gone.
  ///
  /// Worked example: device 1 sets the title, device 2 the count. 2 saves second, is told of a
  /// conflict, and takes the server's record as it is (`record-rebase-drops-own`): its count is
  /// gone.
  ///
  ///     edits of r0                              asked at the end
  ///     title by devices 1 and 2                 nothing: one of the two loses
  ///     count by device 2: 3, then nil, then 5   5
  static let nothingLost = story(
    "devices.nothing-lost",
    "No edit is lost.",
    "A field that one device alone edits ends with that device's last value, whatever "
      + "others save of other fields, and whichever requests and replies are lost."
  ) { story in
    guard !story.hasDeletion else { throw Skipped("a note was deleted") }
    try story.heal()
    for (id, fields) in story.edits.sorted(by: { $0.key.recordName < $1.key.recordName }) {
      for (field, edit) in fields.sorted(by: { $0.key.rawValue < $1.key.rawValue })
      where edit.devices.count == 1 {
        let isNew = edit.devices.allSatisfy(RecordSample.isNew)
        var wanted: any EditableNote =
          isNew ? NewNote(named: id.recordName) : OldNote(named: id.recordName)
        wanted.set(field, to: edit.number)
        let base = Record(recordType: "Note", recordID: id)
        // By an encode of a note with that property alone: what the field must be is the coder's
        // word, not the law's.
        let expected = try story.subject.encode(wanted, onto: base)[field.key]
        let actual = story.server.fetch(id)?[field.key]
        guard expected != actual else { continue }
        return .record(
          "edit.lost",
          "the last edit of '\(field.key)' of \(id) is not there",
          expected: expected.map { "\($0)" } ?? "nothing",
          actual: actual.map { "\($0)" } ?? "nothing",
          between: "the last edit",
          "the server after all devices synced"
        )
      }
    }
    return nil
  }

  /// Catches a coder that makes a new name for each save, and a device that keeps another record
  /// than the server has.
  ///
  /// Worked example: the server saves r0, and the reply is lost. The device sends r0 again without
  /// a tag; the answer must be a conflict with the record that it made itself, and no second record
  /// (`server-retry-doubles`).
  static let retryOnce = story(
    "devices.retry-once",
    "A repeated save is one save.",
    "After a lost reply and a retry there is one record of each name, and it "
      + "is what the device was told."
  ) { story in
    try story.heal()
    let names = Set((0..<RecordSample.noteCount).map { "r\($0)" })
    if let stray = story.server.all().map(\.recordID.recordName).filter({ !names.contains($0) })
      .min()
    {
      return .record("save.doubled", "no device made a record \(stray)")
    }
    return story.noted[.retryOnce]
  }

  /// Catches a server that compares no tags, or only those that are there: a record that was
  /// deleted and made again has none that the device knows.
  ///
  /// Worked example: the device has tag t1, the server t2. `server-tags-ignored` saves over t2,
  /// whose changes no device sees again.
  static let oldTagRefused = story(
    "devices.old-tag-refused",
    "An old tag never overwrites.",
    "A save that compares tags leaves a record alone whose tag is another, "
      + "and one that is there or gone without the device's knowledge."
  ) { story in
    try story.heal()
    for attempt in story.attempts where attempt.request.policy == .unchanged {
      for record in attempt.request.saving {
        let id = record.recordID
        let before = attempt.before[id]
        guard before?.recordChangeTag != record.recordChangeTag else { continue }
        guard attempt.after[id] == before else {
          return .record("tag.ignored", "a save with an old tag changed \(id)")
        }
      }
    }
    return nil
  }

  /// Catches tags that count saves of a record and not contents, or start again after a deletion.
  ///
  /// Worked example: `server-tags-stay`: a device with an old copy has the right tag, and its save
  /// is no conflict.
  ///
  /// A save that changes no field may move the tag or keep it. Wrong is only one tag with two
  /// contents: an answer "unchanged" to that tag would keep the older content on a device.
  ///
  /// A server lives longer than a story. So one note is saved often behind one story in four: a tag that counts changes in
  /// one byte comes again after 256 of them.
  static let tagsMove = story(
    "devices.tags-move",
    "Changed content gets a new tag.",
    "A record never has the tag of its earlier content."
  ) { story in
    try story.heal()
    var known: [RecordID: [String: Record]] = [:]
    for record in story.attempts.flatMap({ $0.after.values }) {
      guard let tag = record.recordChangeTag else {
        return .record("tag.missing", "a saved record has no tag")
      }
      if let old = known[record.recordID]?[tag], old.fields != record.fields {
        return .record("tag.stays", "two contents of \(record.recordID) have one tag")
      }
      known[record.recordID, default: [:]][tag] = record
    }
    guard story.attempts.count % 4 == 0 else { return nil }
    var note = Record(
      recordType: "Ticker",
      recordID: RecordID(recordName: "often saved", zoneID: recordZone)
    )
    var tags: Set<String> = []
    for number in 0..<300 {
      note["number"] = .int64(Int64(number))
      let answer = story.server.modify(RecordRequest(saving: [note], policy: .all))
      guard case .done(let saved?)? = answer.outcomes[note.recordID] else {
        return .record("tag.refused", "save \(number) of one record was refused")
      }
      guard let tag = saved.recordChangeTag, tags.insert(tag).inserted else {
        return .record("tag.repeats", "save \(number) of one record has the tag of an earlier one")
      }
    }
    return nil
  }

  /// Catches a coder that marks what it did not change, and a server that replaces whole records:
  /// an older version of the app would take the fields of a newer one away.
  ///
  /// Worked example: device 0 does not know `isPinned` and saves the title. `server-save-replaces`
  /// then has a note without it.
  static let otherFieldsStay = story(
    "devices.other-fields-stay",
    "Versions keep each other's fields.",
    "A save changes no field that it did not mark, such as one that the "
      + "saving version of the app does not know."
  ) { story in
    try story.heal()
    for attempt in story.attempts where attempt.request.policy != .all {
      for record in attempt.request.saving {
        guard let before = attempt.before[record.recordID],
          let after = attempt.after[record.recordID]
        else { continue }
        for key in before.allKeys() where !record.changedKeySet.contains(key) {
          guard before[key] != after[key] else { continue }
          return .record(
            "field.changed",
            "a save of \(record.recordID) changed '\(key)', which it did not mark",
            expected: before[key].map { "\($0)" },
            actual: after[key].map { "\($0)" } ?? "nothing",
            between: "the server before the save",
            "the server after the save"
          )
        }
      }
    }
    return nil
  }

  /// Catches a `nil` that is left out of the request.
  ///
  /// Worked example: the count becomes `nil`; `server-clears-ignored` keeps it, and the next fetch
  /// shows it again.
  static let clearsArrive = story(
    "devices.clears-arrive",
    "A cleared field is gone.",
    "After a save of a record that cleared a field the server does not have it."
  ) { story in
    try story.heal()
    for attempt in story.attempts {
      for record in attempt.request.saving {
        guard case .done? = attempt.answer.outcomes[record.recordID],
          let after = attempt.after[record.recordID]
        else { continue }
        for key in record.changedKeys() where record[key] == nil && after[key] != nil {
          return .record("field.stays", "'\(key)' of \(record.recordID) was cleared and is there")
        }
      }
    }
    return nil
  }

  /// A reply may be lost after everything was done: then the request failed for the device, and is
  /// whole on the server.
  ///
  /// Worked example: of r0 and r1 in one atomic request r1 has an old tag. r0 must not be saved
  /// either.
  ///
  ///     the answer            the zone
  ///     r1 was refused        as before the request
  ///     no reply at all       as before, or with every record saved
  ///
  /// The second line alone would not do for the first: a server may save all and then say that it
  /// refused.
  static let batchWhole = story(
    "devices.batch-whole",
    "A batch is all or nothing.",
    "An atomic request that fails for one record changes none."
  ) { story in
    try story.heal()
    for attempt in story.attempts where attempt.request.isAtomic && !attempt.answer.isDone {
      guard attempt.before != attempt.after else { continue }
      // Where the reply was lost the whole request may have been carried out.
      let isUnheard = attempt.answer.outcomes.values.contains(.network)
      let isWhole = attempt.request.saving.allSatisfy {
        attempt.after[$0.recordID] != attempt.before[$0.recordID]
      }
      guard !isUnheard || !isWhole else { continue }
      return .record("batch.parted", "an atomic request that failed changed records")
    }
    return nil
  }

  /// Catches cascades that stop after one level, and references that were saved while their target
  /// went.
  ///
  /// Worked example: r2 refers to r1, r1 to r0, and r0 is deleted. `server-cascade-one-step` takes
  /// r1 and leaves r2.
  static let noDanglingOwner = story(
    "devices.no-dangling-owner",
    "Deletions cascade.",
    "No record is left that was to be deleted with one that is gone."
  ) { story in
    try story.heal()
    for attempt in story.attempts {
      for record in attempt.after.values.sorted(by: {
        $0.recordID.recordName < $1.recordID.recordName
      }) {
        for reference in record.references where reference.action == .deleteSelf {
          guard attempt.after[reference.recordID] == nil else { continue }
          return .record(
            "reference.dangles",
            "\(record.recordID) was to be deleted with \(reference.recordID)"
          )
        }
      }
    }
    return nil
  }

  /// Catches news that leave out deletions, or a change that was made between two pages, such that
  /// start again once there were none, and a full page that announces more since it is full.
  ///
  /// Worked example: r1 is deleted, and the news never say so (`server-deletions-untold`): it stays
  /// in every other device.
  ///
  /// Misses deletions that are told twice between two changes: a record may be made and deleted
  /// unseen.
  static let changesComplete = story(
    "devices.changes-complete",
    "The changes hold everything once.",
    "A copy that is kept up to date by changes alone is the zone, deletions included; no state of a record comes "
      + "twice, no change comes where nothing has happened, and more comes where more is announced."
  ) { story in
    try story.heal()
    return story.noted[.changesComplete]
  }

  /// Catches the answer "nothing new" to a mark that the server no longer knows, or that is of a zone which
  /// was deleted since: a device would miss changes for ever.
  ///
  /// Worked example: the zone is deleted and made again while a device is away. Its mark is of the
  /// old zone; taken for one of the new zone it hides what was saved there before.
  static let expiredTold = story(
    "devices.expired-told",
    "An expired mark is refused.",
    "The server never answers an expired mark as if nothing had changed."
  ) { story in
    try story.heal()
    return story.noted[.expiredTold]
  }

  /// Catches properties that do not come back as they were, since each edit decodes and encodes all
  /// of them: a date that moves, a list whose kind depends on its content.
  ///
  /// Noted at each edit of the story, with the record before and after (`RecordStory.strayChange`).
  ///
  /// Worked example: device 1 edits the title. `record-all-marked` marks `count` as well, and the
  /// save sends the count that device 1 had fetched: what device 2 saved meanwhile is taken back.
  static let editAlone = story(
    "devices.edit-alone",
    "An edit touches its field.",
    "A value that is decoded, edited and encoded onto its record changes and "
      + "marks the field of the edit, and no other, in each version of the app.",
    source: .document("Records.md", "Values")
  ) { story in
    try story.heal()
    return story.noted[.editAlone]
  }
}
