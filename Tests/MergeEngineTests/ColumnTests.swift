import Testing

@testable import MergeEngine

@Suite("Column codecs")
struct ColumnTests {
  private func encode(_ rows: [UInt64?]) -> [UInt8] {
    var encoder = RunEncoder()
    for row in rows {
      if let row { encoder.run(row, 1) } else { encoder.null(1) }
    }
    encoder.finish()
    return encoder.bytes.view.array
  }

  @Test(
    "Runs are written canonically",
    arguments: [
      ([0, 0, 0, nil, nil, 1, 2, 3], [3, 0, 0, 2, 0x7D, 1, 2, 3]),
      ([5], [0x7F, 5]), ([1, 1, 2, 2], [2, 1, 2, 2]), ([1, 2, 2, 3], [0x7F, 1, 2, 2, 0x7F, 3]),
      ([nil, nil], []), ([nil, 7], [0, 1, 0x7F, 7]), ([7, nil], [0x7F, 7, 0, 1]), ([], []),
    ] as [([UInt64?], [UInt8])]
  )
  func runs(_ rows: [UInt64?], _ bytes: [UInt8]) throws {
    #expect(encode(rows) == bytes)
    try withView(of: bytes) { (view) throws(Fault) in
      var cursor = RunCursor(view, .unsigned, .action)
      for row in rows {
        let read = try cursor.next()
        #expect(read == row)
      }
      #expect(cursor.isExhausted)
    }
  }

  @Test("Literal runs longer than one count byte holds are read back")
  func longLiterals() throws {
    for count in [63, 64, 65, 8_192, 8_193] {
      let rows = (0..<count).map { UInt64($0) }
      try withView(of: encode(rows)) { (view) throws(Fault) in
        var cursor = RunCursor(view, .unsigned, .action)
        for row in rows {
          let read = try cursor.next()
          #expect(read == row)
        }
        let end = try cursor.next()
        #expect(end == nil)
      }
    }
  }

  @Test("The worked examples of columns are the bytes that are written")
  func workedExamples() {
    /// The first values and the steps of 1 behind them.
    func deltas(_ values: [Int64], _ steps: UInt64, by step: Int64 = 1) -> [UInt8] {
      var encoder = DeltaEncoder()
      for value in values { encoder.value(value) }
      encoder.steps(step, steps)
      encoder.finish()
      return encoder.bytes.view.array
    }
    func run(_ value: UInt64, _ times: UInt64, _ next: UInt64 = 0, _ rest: UInt64 = 0) -> [UInt8] {
      var encoder = RunEncoder()
      encoder.run(value, times)
      encoder.run(next, rest)
      encoder.finish()
      return encoder.bytes.view.array
    }
    var inserts = FlagEncoder()
    inserts.run(true, 5)
    inserts.finish()
    // As at the head of `DocumentEncoder`, then of `RowStore`, then at `ChangeEncoder.add`.
    #expect(deltas([7], 4) == [0x7F, 7, 4, 1])
    #expect(deltas([3, 7], 3) == [0x7E, 3, 4, 3, 1])
    let flags = inserts.bytes.view.array
    #expect(flags == [0, 5])
    #expect(run(0x16, 5) == [5, 0x16])
    #expect(deltas([7, 8], 98) == [0x7F, 7, 0xE3, 0, 1])
    #expect(deltas([3, 7], 98) == [0x7E, 3, 4, 0xE2, 0, 1])
    #expect(run(1, 100) == [0xE4, 0, 1])
    #expect(run(0x16, 60, 0x26, 40) == [0x3C, 0x16, 0x28, 0x26])
    #expect(deltas([8, 9], 1) == [0x7F, 8, 2, 1])
    #expect(deltas([11, 10], 0) == [0x7E, 0x0B, 0x7F])
  }

  @Test("Differences are written and summed")
  func deltas() throws {
    var encoder = DeltaEncoder()
    for value: Int64 in [3, 4, 5, 6, 9, 7, 8] { encoder.value(value) }
    encoder.finish()
    #expect(encoder.bytes.view.array == [0x7F, 3, 3, 1, 0x7D, 3, 0x7E, 1])
    var stepped = DeltaEncoder()
    stepped.value(3)
    stepped.steps(1, 3)
    stepped.value(9)
    stepped.value(7)
    stepped.steps(1, 1)
    stepped.finish()
    #expect(stepped.bytes.view.array == encoder.bytes.view.array)
  }

  @Test(
    "Numbers are strict or lax about their length",
    arguments: [
      ([0x80, 0x00], true, ChunkError.Reason.overlongInteger), ([0x80], true, .truncated),
      ([0x80], false, .truncated),
      ([UInt8](repeating: 0xFF, count: 9) + [2], true, .integerTooLarge),
      ([UInt8](repeating: 0xFF, count: 11), false, .integerTooLarge),
    ] as [([UInt8], Bool, ChunkError.Reason)]
  )
  func numbers(_ bytes: [UInt8], _ strict: Bool, _ reason: ChunkError.Reason) {
    let fault = #expect(throws: Fault.self) {
      _ = try withView(of: bytes) { (view) throws(Fault) in
        var cursor = ByteCursor(view)
        return try cursor.readULEB(strict: strict, .seq)
      }
    }
    #expect(fault?.reason == reason)
  }

  @Test("Signed numbers survive at every width")
  func signedNumbers() throws {
    var numbers: [Int64] = [0, .max, .min]
    for bit in 0..<63 {
      let edge = Int64(1) << Int64(bit)
      numbers += [edge, edge - 1, -edge, -edge - 1]
    }
    for number in numbers {
      var output = Arena<UInt8>()
      output.appendSLEB(number)
      var cursor = ByteCursor(output.view)
      #expect(try cursor.readSLEB(strict: true, .time) == number)
      #expect(cursor.isAtEnd)
    }
  }
}
