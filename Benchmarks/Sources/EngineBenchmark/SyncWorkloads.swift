import MergeEngine

/// Sync, marks, patches, and text by each unit.
extension Workloads {
  /// Two sides that each made changes on a common start, and exchange messages until both are silent.
  mutating func w6() throws {
    let start = MergeDocument(actor: actor(1))
    try start.put(.root, .key("k"), .int(0))
    start.commit()
    var sides: [MergeDocument] = []
    for number in 0..<2 {
      let side = start.fork(actor: actor(UInt8(2 + number)))
      var random = SplitMix(UInt64(60 + number))
      for count in 0..<1_000 * scale {
        try side.put(.root, .key("k\(random.below(1_000))"), .int(Int64(count)))
        side.commit()
      }
      sides.append(side)
    }
    let times = max(2, 32 / scale)
    let pairs = (0..<times).map { _ in
      (sides[0].fork(actor: actor(8)), sides[1].fork(actor: actor(9)))
    }
    var next = 0
    try report.time("w6_sync", times: times) {
      try Self.sync(pairs[next].0, pairs[next].1)
      next += 1
    }
    report.fact("w6_heads", headString(pairs[0].0))
    guard pairs.allSatisfy({ $0.0.heads == $0.1.heads }) else {
      throw Source.Failure.malformed("a sync that left two sides apart")
    }
    // The first message to an unknown peer, and the silence between equals.
    try report.time("w6_nothing_new", times: times) {
      for pair in pairs.prefix(1) { try Self.sync(pair.0, pair.1) }
    }
  }

  private static func sync(_ left: MergeDocument, _ right: MergeDocument) throws {
    var (leftState, rightState) = (PeerState(), PeerState())
    var isSilent = false
    while !isSilent {
      isSilent = true
      if let message = left.syncMessage(for: &leftState) {
        try right.receive(syncMessage: message, &rightState)
        isSilent = false
      }
      if let message = right.syncMessage(for: &rightState) {
        try left.receive(syncMessage: message, &leftState)
        isSilent = false
      }
    }
  }

  /// 10,000 marks over a text of 100,000 letters, in one commit.
  mutating func w11() throws {
    let document = MergeDocument(actor: actor(1))
    let text = try document.putObject(.root, .key("text"), .text)
    var random = SplitMix(11)
    var letters = ""
    for _ in 0..<100_000 * scale { letters += random.letter() }
    try document.spliceText(text, at: 0, delete: 0, insert: letters)
    document.commit()
    let length = letters.utf8.count
    try report.time("w11_mark") {
      for _ in 0..<10_000 * scale {
        let start = random.below(length - 10)
        let end = start + 1 + random.below(10)
        let name = random.below(3)
        try document.mark(
          text,
          start..<end,
          expand: random.below(2) == 0 ? .both : .none,
          name: ["b", "i", "u"][name],
          value: .bool(true)
        )
      }
      document.commit()
    }
    var count = 0
    try report.time("w11_marks", times: 5) { count = try document.marks(text).count }
    report.fact("w11_count", "\(count)")
    report.fact("w11_heads", headString(document))
    let saved = document.save()
    try report.time("w11_load", times: 3) {
      _ = try MergeDocument(loading: saved, actor: actor(9))
    }
  }

  /// Differences of 100,000 patches: keys written, and every other letter of a text deleted.
  mutating func w12() throws {
    let document = MergeDocument(actor: actor(1))
    let count = 100_000 * scale
    let text = try document.putObject(.root, .key("text"), .text)
    var random = SplitMix(12)
    var letters = ""
    for _ in 0..<2 * count { letters += random.letter() }
    try document.spliceText(text, at: 0, delete: 0, insert: letters)
    document.commit()
    let before = document.heads
    for place in stride(from: 2 * count - 2, through: 0, by: -2) {
      try document.spliceText(text, at: place, delete: 1)
    }
    document.commit()
    let between = document.heads
    for number in 0..<count {
      try document.put(.root, .key("k\(number)"), .int(Int64(number)))
    }
    document.commit()
    var found: [Int] = []
    report.time("w12_text") {
      found.append(document.patches(from: before, to: between).count)
    }
    report.time("w12_text_back") {
      found.append(document.patches(from: between, to: before).count)
    }
    report.time("w12_map") {
      found.append(document.patches(from: between, to: document.heads).count)
    }
    report.fact("w12_patches", found.map(String.init).joined(separator: " "))
    report.fact("w12_heads", headString(document))
  }

  /// A text of 100,000 letters, accented letters, emoji and flags, loaded and read in each unit: as a
  /// whole with its length, and at 10,000 places.
  mutating func w13() throws {
    let document = MergeDocument(actor: actor(1))
    let text = try document.putObject(.root, .key("text"), .text)
    var random = SplitMix(13)
    let others = ["e\u{301}", "\u{1F600}", "\u{1F1E8}\u{1F1ED}", "\u{4E2D}"]
    var letters = ""
    for _ in 0..<100_000 * scale {
      letters += random.below(4) > 0 ? random.letter() : others[random.below(others.count)]
    }
    try document.spliceText(text, at: 0, delete: 0, insert: letters)
    document.commit()
    let saved = document.save()
    let units: [(String, TextUnit)] = [
      ("scalar", .scalar), ("utf8", .utf8), ("utf16", .utf16), ("grapheme", .grapheme),
    ]
    var lengths: [Int] = []
    for (name, unit) in units {
      let loaded = try MergeDocument(loading: saved, actor: actor(2), unit: unit)
      var length = 0
      try report.time("w13_text_\(name)", times: 10) {
        length = try loaded.length(text)
        guard try loaded.text(text) == letters else {
          throw Source.Failure.malformed("a text that reads otherwise in \(name)")
        }
      }
      var places = SplitMix(14)
      var found = 0
      try report.time("w13_places_\(name)", times: 3) {
        for _ in 0..<10_000 * scale {
          if try loaded.get(text, .index(places.below(length))) != nil { found += 1 }
        }
      }
      guard found == 30_000 * scale else {
        throw Source.Failure.malformed("places without an element in \(name)")
      }
      lengths.append(length)
    }
    report.fact("w13_lengths", lengths.map(String.init).joined(separator: " "))
    report.fact("w13_heads", headString(document))
  }
}
