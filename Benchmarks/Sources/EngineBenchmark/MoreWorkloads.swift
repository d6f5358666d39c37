import MergeEngine

extension Workloads {
  mutating func w7() throws {
    let corpus = try Source.corpus()
    let count = 100_000 * scale
    try report.time("w7_valid") {
      for number in 0..<20_000 * scale {
        _ = try MergeDocument(loading: corpus[number % 32], actor: actor(1))
      }
    }
    var random = SplitMix(42)
    var damaged = (0..<count).map { _ in
      var bytes = corpus[random.below(32)]
      Damage.mutate(&bytes, &random)
      return bytes
    }
    var accepted = 0
    report.time("w7_raw") {
      for bytes in damaged where (try? MergeDocument(loading: bytes, actor: actor(1))) != nil {
        accepted += 1
      }
    }
    report.fact("w7_raw_accepted", "\(accepted)")
    random = SplitMix(43)
    damaged = (0..<count).map { _ in
      Damage.repaired(corpus[random.below(32)], &random)
    }
    accepted = 0
    report.time("w7_repaired") {
      for bytes in damaged where (try? MergeDocument(loading: bytes, actor: actor(1))) != nil {
        accepted += 1
      }
    }
    report.fact("w7_repaired_accepted", "\(accepted)")
    // What is accepted must save and load again with the same heads.
    var broken = 0
    for bytes in damaged {
      guard let document = try? MergeDocument(loading: bytes, actor: actor(1)) else { continue }
      let again = try? MergeDocument(loading: document.save(), actor: actor(2))
      if again?.heads != document.heads { broken += 1 }
    }
    report.fact("w7_broken", "\(broken)")
    try damagedChanges(count / 100)
  }

  /// Damaged changes on top of good ones: refused, they must leave the document as it was.
  private mutating func damagedChanges(_ count: Int) throws {
    var random = SplitMix(44)
    var refused = 0
    var broken = 0
    for round in 0..<count {
      let whole = try Self.tiny(UInt64(round % 500 + 1))[0]
      let chunks = whole.changeBytes()
      for _ in 0..<20 {
        let known = random.below(chunks.count)
        let document = MergeDocument(actor: actor(7))
        try document.applyChanges(Array(chunks.prefix(known)))
        let before = document.save(compressed: false)
        let good = chunks[known...].prefix(random.below(4))
        let damaged = Damage.repaired(chunks[random.below(chunks.count)], &random)
        do {
          try document.applyChanges(Array(good) + [damaged])
        } catch {
          refused += 1
          if document.save(compressed: false) != before { broken += 1 }
          try document.applyChanges(Array(chunks[known...]))
          if document.heads != whole.heads { broken += 1 }
        }
      }
    }
    report.fact("w7_changes_refused", "\(refused)")
    report.fact("w7_changes_broken", "\(broken)")
  }

  mutating func w8() throws {
    let seeds = UInt64(1)...UInt64(500 / scale)
    var first = ""
    var savedBytes = 0
    let start = cpuMilliseconds()
    for seed in seeds {
      let replicas = try Self.tiny(seed, steps: 50 * scale)
      let heads = replicas[0].heads
      if seed <= 3 { first += headString(replicas[0]) + " " }
      for replica in replicas {
        let saved = replica.save()
        savedBytes += saved.count
        let loaded = try MergeDocument(loading: saved, actor: actor(9))
        if loaded.heads != heads || loaded.save() != saved {
          throw Source.Failure.malformed("tiny history \(seed)")
        }
      }
    }
    report.measure("w8_history", (cpuMilliseconds() - start) / Double(seeds.count))
    report.fact("w8_heads", first)
    report.fact("w8_bytes", "\(savedBytes)")
  }

  /// A tiny history; `w8` at a greater scale takes longer ones, and fewer.
  private static func tiny(_ seed: UInt64, steps: Int = 50) throws -> [MergeDocument] {
    var random = SplitMix(seed)
    let first = MergeDocument(actor: actor(1))
    let text = try first.putObject(.root, .key("t"), .text)
    let list = try first.putObject(.root, .key("l"), .list)
    let map = try first.putObject(.root, .key("m"), .map)
    first.commit()
    let replicas = [first, first.fork(actor: actor(2)), first.fork(actor: actor(3))]
    for step in 0..<steps {
      let replica = replicas[random.below(3)]
      switch random.below(4) {
      case 0:
        let key = "k\(random.below(5))"
        try replica.put(map, .key(key), .int(Int64(random.below(1000))))
      case 1:
        let place = random.below(try replica.length(text) + 1)
        try replica.spliceText(text, at: place, delete: 0, insert: random.letter())
      case 2:
        let length = try replica.length(text)
        if length > 0 { try replica.spliceText(text, at: random.below(length), delete: 1) }
      default:
        let place = random.below(try replica.length(list) + 1)
        try replica.insert(list, at: place, .int(Int64(random.below(1000))))
      }
      replica.commit()
      if step % 5 == 4 {
        let left = random.below(3)
        try replicas[left].merge(replicas[(left + 1 + random.below(2)) % 3])
      }
    }
    for (left, right) in [(0, 1), (0, 2), (1, 0), (2, 0)] {
      try replicas[left].merge(replicas[right])
    }
    return replicas
  }

  mutating func w9(_ name: String) throws {
    let transactions = try Self.copies(of: Source.trace(name), scale)
    let base = MergeDocument(actor: actor(0xFF))
    let text = try base.putObject(.root, .key("text"), .text)
    base.commit()
    var chunks: [[UInt8]] = []
    try report.time("w9_\(name)_build") {
      chunks = try Self.replay(transactions, base, text)
    }
    report.fact("w9_\(name)_changes", "\(chunks.count + 1)")
    let all = base.changeBytes() + chunks
    var batch = MergeDocument(actor: actor(9))
    try report.time("w9_\(name)_batch") {
      batch = MergeDocument(actor: actor(9))
      try batch.applyChanges(all)
    }
    report.fact("w9_\(name)_heads", headString(batch))
    report.fact(
      "w9_\(name)_text_sha256",
      ChangeHash(sha256Of: try batch.text(text)).description
    )
    try report.time("w9_\(name)_single_first5001") {
      let empty = MergeDocument(actor: actor(9))
      for chunk in all.prefix(5_001) { try empty.applyChanges([chunk]) }
    }
    try report.time("w9_\(name)_single") {
      let empty = MergeDocument(actor: actor(9))
      for chunk in all { try empty.applyChanges([chunk]) }
    }
    var saved: [UInt8] = []
    report.time("w9_\(name)_save", times: 5) { saved = batch.save() }
    report.fact("w9_\(name)_bytes", "\(saved.count)")
    try report.time("w9_\(name)_load", times: 5) {
      _ = try MergeDocument(loading: saved, actor: actor(9))
    }
    try report.time("w9_\(name)_view_and_text", times: 5) { _ = try SavedView(saved).text(text) }
    report.fact(
      "w9_\(name)_view_text_sha256",
      ChangeHash(sha256Of: try SavedView(saved).text(text)).description
    )
  }

  /// The trace, once for each unit of scale: each copy goes on where the one before ended.
  private static func copies(
    of trace: (transactions: [Source.Transaction], end: String),
    _ scale: Int
  ) -> [Source.Transaction] {
    let once = trace.transactions
    var isParent = [Bool](repeating: false, count: once.count)
    for parent in once.flatMap(\.parents) { isParent[parent] = true }
    let ends = once.indices.filter { !isParent[$0] }
    return (0..<max(scale, 1)).flatMap { copy in
      let first = copy * once.count
      let shift = copy * trace.end.unicodeScalars.count
      return once.map { transaction in
        let parents = transaction.parents.map { $0 + first }
        return Source.Transaction(
          agent: transaction.agent,
          parents: parents.isEmpty && copy > 0 ? ends.map { $0 + first - once.count } : parents,
          edits: transaction.edits.map {
            Source.Edit(
              position: $0.position + shift,
              deleted: $0.deleted,
              inserted: $0.inserted
            )
          }
        )
      }
    }
  }

  /// One document an agent; before each transaction it is brought to the parents' state.
  private static func replay(
    _ transactions: [Source.Transaction],
    _ base: MergeDocument,
    _ text: ObjectID
  ) throws -> [[UInt8]] {
    var documents: [MergeDocument] = []
    var applied: [[Bool]] = []
    var chunks: [[UInt8]] = []
    for (number, transaction) in transactions.enumerated() {
      let agent = transaction.agent
      while documents.count <= agent {
        documents.append(base.fork(actor: actor(UInt8(documents.count + 1))))
        applied.append([Bool](repeating: false, count: transactions.count))
      }
      let document = documents[agent]
      var missing: [Int] = []
      var stack = transaction.parents
      while let parent = stack.popLast() {
        if applied[agent][parent] { continue }
        applied[agent][parent] = true
        missing.append(parent)
        stack += transactions[parent].parents
      }
      if !missing.isEmpty {
        try document.applyChanges(missing.sorted().map { chunks[$0] })
      }
      for edit in transaction.edits {
        try document.spliceText(
          text,
          at: edit.position,
          delete: edit.deleted,
          insert: edit.inserted
        )
      }
      let hash = document.commit()
      chunks.append(hash.flatMap { document.changeBytes($0) } ?? [])
      applied[agent][number] = true
    }
    return chunks
  }
}

/// The mutators of W7.
enum Damage {
  static func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix) {
    for _ in 0..<1 + random.below(4) {
      let size = bytes.count
      if size <= 1 { return }
      switch random.below(5) {
      case 0:
        let at = random.below(size)
        bytes[at] ^= 1 << UInt8(random.below(8))
      case 1:
        let at = random.below(size)
        bytes[at] = UInt8(random.below(256))
      case 2: bytes.remove(at: random.below(size))
      case 3:
        let at = random.below(size)
        bytes.insert(UInt8(random.below(256)), at: at)
      default:
        if random.below(8) == 0 {
          bytes.removeLast(size - random.below(size))
        } else {
          let to = random.below(size)
          bytes[to] = bytes[random.below(size)]
        }
      }
    }
  }

  /// Damages the body of a one-chunk file and repairs length and checksum.
  static func repaired(_ file: [UInt8], _ random: inout SplitMix) -> [UInt8] {
    var start = 9
    while file[start] & 0x80 != 0 { start += 1 }
    var body = Array(file[(start + 1)...])
    mutate(&body, &random)
    var hashed: [UInt8] = [file[8]]
    var length = body.count
    while length >= 128 {
      hashed.append(UInt8(length & 127) | 128)
      length >>= 7
    }
    hashed.append(UInt8(length))
    hashed += body
    return Array(file[0..<4]) + ChangeHash(sha256Of: hashed).bytes.prefix(4) + hashed
  }
}
