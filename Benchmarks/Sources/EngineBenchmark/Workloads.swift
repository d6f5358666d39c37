import MergeEngine

/// The workloads, as `Benchmarks/README.md` lists them.
struct Workloads {
  var report = Report()
  /// Multiplies the size of a workload, where that makes sense.
  let scale: Int

  /// W1 and W2 edits: the trace, once for each unit of scale, one copy behind the other.
  private func traceEdits() throws -> [Source.Edit] {
    let trace = try Source.trace("automerge-paper")
    let edits = trace.transactions.flatMap(\.edits)
    var all = edits
    for copy in 1..<max(scale, 1) {
      let shift = copy * trace.end.utf8.count
      all += edits.map {
        Source.Edit(
          position: $0.position + shift,
          deleted: $0.deleted,
          inserted: $0.inserted
        )
      }
    }
    return all
  }

  mutating func w1() throws {
    let edits = try traceEdits()
    let document = MergeDocument(actor: actor(1))
    var text = ObjectID.root
    try report.time("w1_replay") {
      // A constant: the variable outside would be retained and released for each edit.
      let made = try document.putObject(.root, .key("text"), .text)
      text = made
      for edit in edits {
        try document.spliceText(
          made,
          at: edit.position,
          delete: edit.deleted,
          insert: edit.inserted
        )
      }
      document.commit()
    }
    report.fact("w1_heads", headString(document))
    var saved: [UInt8] = []
    report.time("w1_save", times: 10) { saved = document.save() }
    report.time("w1_save_nocompress", times: 10) { _ = document.save(compressed: false) }
    report.fact("w1_nocompress_bytes", "\(document.save(compressed: false).count)")
    report.fact("w1_bytes", "\(saved.count)")
    try report.time("w1_text", times: 100) { _ = try document.text(text) }
    report.fact("w1_text_sha256", ChangeHash(sha256Of: try document.text(text)).description)
    report.time("w1_fork", times: 20) { _ = document.fork(actor: actor(2)) }
    try report.time("w1_load", times: 10) {
      _ = try MergeDocument(loading: saved, actor: actor(2))
    }
    try report.time("w1_load_and_text", times: 10) {
      _ = try MergeDocument(loading: saved, actor: actor(2)).text(text)
    }
    try report.time("w1_view_and_text", times: 10) { _ = try SavedView(saved).text(text) }
    report.fact(
      "w1_view_text_sha256",
      ChangeHash(sha256Of: try SavedView(saved).text(text)).description
    )
    report.fact("w1_load_heads", headString(try MergeDocument(loading: saved, actor: actor(2))))
    // What zlib alone takes for the columns that a save deflates.
    let columns = try SavedColumns.of(document.save(compressed: false)).filter {
      $0.count >= SavedColumns.deflateThreshold
    }
    var size = 0
    report.time("w1_deflate_alone", times: 10) {
      size = columns.reduce(0) { $0 + Deflate.compressedSize(of: $1) }
    }
    report.fact("w1_deflate_bytes", "\(size)")
  }

  /// The greatest growth of a fresh process while it loads a document.
  mutating func memory(_ name: String, _ file: String) throws {
    let saved = try Source.bytes("documents/\(file)")
    resetPeakMemory()
    let before = EngineBenchmark.memory("VmRSS")
    let loaded = try MergeDocument(loading: saved, actor: actor(2))
    let peak = EngineBenchmark.memory("VmHWM") - before
    if before > 0 { report.measure("\(name)_load_peak_mb", Double(peak) / 1024) }
    report.fact("\(name)_load_heads", headString(loaded))
  }

  /// The replay of W1 alone, many times: for profilers.
  mutating func w1Profile() throws {
    let edits = try traceEdits()
    try report.time("w1_replay", times: 40) {
      let document = MergeDocument(actor: actor(1))
      let text = try document.putObject(.root, .key("text"), .text)
      for edit in edits {
        try document.spliceText(
          text,
          at: edit.position,
          delete: edit.deleted,
          insert: edit.inserted
        )
      }
      document.commit()
    }
  }

  mutating func w2() throws {
    let edits = try traceEdits()
    let document = MergeDocument(actor: actor(1))
    try report.time("w2_replay") {
      let text = try document.putObject(.root, .key("text"), .text)
      for edit in edits {
        try document.spliceText(
          text,
          at: edit.position,
          delete: edit.deleted,
          insert: edit.inserted
        )
        document.commit()
      }
    }
    report.fact("w2_heads", headString(document))
    var saved: [UInt8] = []
    report.time("w2_save", times: 3) { saved = document.save() }
    report.fact("w2_bytes", "\(saved.count)")
    let chunks = document.changeBytes()
    report.fact("w2_chunk_bytes", "\(chunks.reduce(0) { $0 + $1.count })")
    let batch = MergeDocument(actor: actor(2))
    try report.time("w2_apply_batch") { try batch.applyChanges(chunks) }
    report.fact("w2_apply_heads", headString(batch))
    try report.time("w2_apply_single_first3001") {
      let empty = MergeDocument(actor: actor(2))
      for chunk in chunks.prefix(3_001) { try empty.applyChanges([chunk]) }
    }
    let joined = Array(chunks.joined())
    try report.time("w2_load_incremental") {
      let empty = MergeDocument(actor: actor(2))
      try empty.loadIncremental(joined)
    }
    try report.time("w2_load", times: 3) {
      _ = try MergeDocument(loading: saved, actor: actor(2))
    }
    try report.time("w2_load_and_text", times: 3) {
      let loaded = try MergeDocument(loading: saved, actor: actor(2))
      if case .object(let text, _)? = try loaded.get(.root, .key("text"))?.value {
        _ = try loaded.text(text)
      }
    }
    report.fact("w2_load_heads", headString(try MergeDocument(loading: saved, actor: actor(2))))
  }

  private static func forks(
    runs: Bool,
    _ scale: Int
  ) throws -> ([MergeDocument], ObjectID) {
    let base = MergeDocument(actor: actor(0xFF))
    let text = try base.putObject(.root, .key("text"), .text)
    var letters = SplitMix(0xBA5E)
    let content = (0..<10_000).map { _ in letters.letter() }.joined()
    try base.spliceText(text, at: 0, delete: 0, insert: content)
    base.commit()
    let forks = try (0..<10).map { number in
      let fork = base.fork(actor: actor(UInt8(number + 1)))
      if runs {
        try typeRuns(fork, text: text, number: number, scale: scale)
      } else {
        try edit(fork, text: text, number: number, scale: scale)
      }
      return fork
    }
    return (forks, text)
  }

  private static func edit(
    _ fork: MergeDocument,
    text: ObjectID,
    number: Int,
    scale: Int
  ) throws {
    var random = SplitMix(1000 + UInt64(number))
    var length = 10_000
    for edit in 1...5_000 * scale {
      if random.below(4) == 0 && length > 0 {
        try fork.spliceText(text, at: random.below(length), delete: 1)
        length -= 1
      } else {
        let place = random.below(length + 1)
        try fork.spliceText(text, at: place, delete: 0, insert: random.letter())
        length += 1
      }
      if edit % 10 == 0 { fork.commit() }
    }
  }

  private static func typeRuns(
    _ fork: MergeDocument,
    text: ObjectID,
    number: Int,
    scale: Int
  ) throws {
    var random = SplitMix(2000 + UInt64(number))
    var length = 10_000
    for _ in 0..<50 * scale {
      let place = random.below(length + 1)
      for letter in 0..<100 {
        try fork.spliceText(text, at: place + letter, delete: 0, insert: random.letter())
        if letter % 10 == 9 { fork.commit() }
      }
      length += 100
    }
  }

  private static func mergeTree(_ forks: [MergeDocument]) throws {
    for stride in [1, 2, 4, 8] {
      for left in Swift.stride(from: 0, to: 10 - stride, by: 2 * stride) {
        try forks[left].merge(forks[left + stride])
      }
    }
  }

  mutating func w3() throws {
    var forks: [MergeDocument] = []
    var text = ObjectID.root
    try report.time("w3_build") { (forks, text) = try Self.forks(runs: false, scale) }
    let copies = forks.map { $0.fork(actor: $0.actor) }
    try report.time("w3_merge_tree") { try Self.mergeTree(forks) }
    report.fact("w3_heads_sha256", ChangeHash(sha256Of: headString(forks[0])).description)
    report.fact(
      "w3_text_sha256",
      ChangeHash(sha256Of: try forks[0].text(text)).description
    )
    try report.time("w3_merge_seq") {
      for fork in copies.dropFirst() { try copies[0].merge(fork) }
    }
    report.fact("w3_seq_heads_sha256", ChangeHash(sha256Of: headString(copies[0])).description)
    var saved: [UInt8] = []
    report.time("w3_save") { saved = copies[0].save() }
    report.fact("w3_bytes", "\(saved.count)")
    try report.time("w3_load", times: 5) {
      _ = try MergeDocument(loading: saved, actor: actor(99))
    }
    let (typed, _) = try Self.forks(runs: true, scale)
    try report.time("w3_merge_tree_runs") { try Self.mergeTree(typed) }
    report.fact(
      "w3_runs_text_sha256",
      ChangeHash(sha256Of: try typed[0].text(text)).description
    )
  }

  mutating func w4() throws {
    let document = MergeDocument(actor: actor(1))
    let count = 100_000 * scale
    try report.time("w4_puts") {
      var random = SplitMix(7)
      for number in 0..<count {
        try document.put(.root, .key("k\(random.below(1000))"), .int(Int64(number)))
      }
      document.commit()
    }
    report.fact("w4_heads", headString(document))
    var saved: [UInt8] = []
    report.time("w4_save") { saved = document.save() }
    report.fact("w4_bytes", "\(saved.count)")
    try report.time("w4_load", times: 5) {
      _ = try MergeDocument(loading: saved, actor: actor(2))
    }
    let batched = MergeDocument(actor: actor(1))
    try report.time("w4_batched") {
      var random = SplitMix(7)
      for number in 0..<count {
        try batched.put(.root, .key("k\(random.below(1000))"), .int(Int64(number)))
        if number % 100 == 99 { batched.commit() }
      }
    }
    report.fact("w4_batched_heads", headString(batched))
    try report.time("w4_get") {
      for key in 0..<1000 { _ = try batched.get(.root, .key("k\(key)")) }
    }
    try contended(count / 10)
  }

  /// One key and one counter that two writers change all the time: what was overwritten must not
  /// be gone through again.
  private mutating func contended(_ count: Int) throws {
    let base = MergeDocument(actor: actor(0xFF))
    try base.put(.root, .key("n"), .counter(0))
    base.commit()
    let replicas = [base.fork(actor: actor(1)), base.fork(actor: actor(2))]
    try report.time("w4_contended") {
      for number in 0..<count {
        for replica in replicas {
          try replica.put(.root, .key("k"), .int(Int64(number)))
          try replica.increment(.root, .key("n"), by: 1)
          if number % 3 == 2 { try replica.delete(.root, .key("k")) }
          if number % 10 == 9 { replica.commit() }
        }
      }
      try replicas[0].merge(replicas[1])
      try replicas[1].merge(replicas[0])
    }
    try report.time("w4_rollback") {
      for number in 0..<count {
        try replicas[0].put(.root, .key("k"), .int(Int64(number)))
        try replicas[0].increment(.root, .key("n"), by: 1)
      }
      replicas[0].rollback()
    }
    for replica in replicas {
      guard try replica.get(.root, .key("n"))?.value == .scalar(.counter(Int64(2 * count))) else {
        throw Source.Failure.malformed("a counter of two writers")
      }
    }
  }

  mutating func w5() throws {
    let count = 100_000 * scale
    let pushed = MergeDocument(actor: actor(1))
    try report.time("w5_push") {
      let list = try pushed.putObject(.root, .key("list"), .list)
      for number in 0..<count {
        try pushed.insert(list, at: number, .int(Int64(number)))
      }
      pushed.commit()
    }
    report.fact("w5_push_heads", headString(pushed))
    let saved = pushed.save()
    report.fact("w5_push_bytes", "\(saved.count)")
    try report.time("w5_push_load", times: 5) {
      _ = try MergeDocument(loading: saved, actor: actor(2))
    }
    let random = MergeDocument(actor: actor(1))
    var list = ObjectID.root
    try report.time("w5_random") {
      list = try random.putObject(.root, .key("list"), .list)
      var source = SplitMix(9)
      for number in 0..<count {
        try random.insert(list, at: source.below(number + 1), .int(Int64(number)))
      }
      random.commit()
    }
    report.fact("w5_random_heads", headString(random))
    var sum: Int64 = 0
    try report.time("w5_push_read") {
      for entry in try pushed.values(list) {
        if case .scalar(.int(let number)) = entry.value { sum += number }
      }
    }
    sum = 0
    try report.time("w5_random_read") {
      for entry in try random.values(list) {
        if case .scalar(.int(let number)) = entry.value { sum += number }
      }
    }
    report.fact("w5_sum", "\(sum)")
  }
}
