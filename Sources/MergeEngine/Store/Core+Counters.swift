/// Values of counters: what was put, and the increments that name it.
extension Core {
  /// A counter's value: its start and all increments that name it.
  ///
  /// Cost: the rows of the register, and the row's successors.
  func counterValue(_ row: RowHandle, in register: RegisterHandle, start: Int64) -> Int64 {
    guard rows[row].successor != 0 else { return start }
    return counterValue(row, increments(of: register), start: start)
  }

  /// The increments of a register with what each adds, ascending by id.
  ///
  /// Cost: its rows.
  func increments(of register: RegisterHandle) -> [(id: PackedID, by: Int64)] {
    var increments: [(id: PackedID, by: Int64)] = []
    var stepCount = 0
    var scan = registers[register].first
    while !scan.isNone {
      if rows[scan].action == .increment {
        increments.append((rows[scan].id, incrementAmount(rows[scan])))
      }
      scan = rows[scan].next
      stepCount += 1
    }
    meter.add(stepCount)
    return increments
  }

  /// A counter's value by the increments of its register.
  ///
  /// Sums wrap, as in the real core. Cost: a search for each of the row's successors among the increments,
  /// from the one before on, as both ascend.
  func counterValue(
    _ row: RowHandle,
    _ increments: [(id: PackedID, by: Int64)],
    start: Int64
  ) -> Int64 {
    guard rows[row].successor != 0 else { return start }
    var total = start
    var at = 0
    forEachSuccessor(row) { id in
      at = place(of: id, in: increments, from: at)
      if at < increments.count && increments[at].id == id { total &+= increments[at].by }
    }
    return total
  }

  /// The first place from `start` on whose increment does not precede `id`.
  ///
  /// Cost: logarithmic in the distance, so that neighbours are found at once.
  ///
  ///     place      0  1  2  3  4  5  6  7        looked at from 0 on: 0, 2, 6, which precede 9;
  ///     id         1  2  3  4  5  6  7  9        then by halves between 7 and the end
  private func place(
    of id: PackedID,
    in increments: [(id: PackedID, by: Int64)],
    from start: Int
  ) -> Int {
    var (low, step) = (start, 1)
    while low + step <= increments.count && precedes(increments[low + step - 1].id, id) {
      low += step
      step *= 2
      meter.add(1)
    }
    var high = min(low + step, increments.count)
    while low < high {
      let middle = (low + high) / 2
      if precedes(increments[middle].id, id) { low = middle + 1 } else { high = middle }
      meter.add(1)
    }
    return low
  }

  /// What an increment adds.
  ///
  /// Readers refuse increments by anything but an int, so that 0 is never met in a document.
  func incrementAmount(_ row: Row) -> Int64 {
    guard case .int(let amount) = scalar(meta: row.meta, value: row.value) else { return 0 }
    return amount
  }
}
