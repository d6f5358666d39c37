package import FileSystems
package import PropertyEngine

/// What goes wrong with the calls of a run; nothing by default.
package struct FaultPlan: Hashable, Sendable {
  /// A refusal of some calls in a row, or of some calls of one kind.
  ///
  ///     call    0 write  1 sync   2 write  3 sync   4 write  5 sync   6 write  7 sync
  ///     call 2, count 3           x        x        x
  ///     the same of sync alone             x                 x                 x
  package struct Refusal: Hashable, Sendable {
    /// Number of the call from which on calls are refused, from 0: calls of every kind count.
    package var call: Int
    /// Number of calls in a row; with ``only`` the number of calls of that kind, whatever lies between them.
    package var count: Int
    package var cause: FileError.Cause
    /// Whether only calls are refused that need room on the disk or change it.
    package var isOfWrites: Bool
    /// The only kind of call that is refused, and that counts for ``count``; `nil` for all.
    package var only: FileError.Call?
    /// Whether calls that change something are carried out, and refused only then.
    package var isLate: Bool

    package init(
      call: Int,
      count: Int = 1,
      cause: FileError.Cause,
      isOfWrites: Bool = false,
      only: FileError.Call? = nil,
      isLate: Bool = false
    ) {
      self.call = call
      self.count = count
      self.cause = cause
      self.isOfWrites = isOfWrites
      self.only = only
      self.isLate = isLate
    }
  }

  package var refusal: Refusal?
  /// Bytes that one read or write moves at most; `nil` if as many as asked.
  package var transferLimit: Int?
  /// One call in each period of this length is interrupted before it does anything; `nil` if none
  /// is.
  package var interruptionPeriod: Int?
  /// Number of the call before which the process is gone, from 0; `nil` if it lives.
  package var crashCall: Int?
  /// Names that no folder lists although they stand for something, as where reading the folder ended early.
  package var unlisted: Set<String> = []

  package init() {}

  /// Causes that a system may give for any call, as the laws try them.
  package static let causes: [FileError.Cause] = [
    .noSpace, .quotaExceeded, .inputOutput, .accessDenied, .readOnly, .tooManyOpen, .fileTooLarge,
    .interrupted,
  ]
}

/// Which parts of what was not synchronised a loss of power takes.
package struct PowerLoss: Hashable, Sendable {
  package var model: CrashModel
  /// Parts that are lost, counted from the last one; each modulo the number of parts.
  package var lost: [Int]
  /// Takes about half of all parts, another half for each number; 0 takes none.
  package var pattern: Int

  package init(_ model: CrashModel = .process, lost: [Int] = [], pattern: Int = 0) {
    self.model = model
    self.lost = lost
    self.pattern = pattern
  }

  /// The disk after it.
  package func applied(to disk: MemoryDisk) -> MemoryDisk {
    let count = disk.pieceCount
    guard count > 0 else { return disk.crashed(model) { _ in false } }
    let lost = Set(lost.map { count - 1 - $0 % count })
    return disk.crashed(model) { index in
      lost.contains(index) || pattern != 0 && Self.bit(index, pattern)
    }
  }

  /// A coin for each part, the same in every run.
  private static func bit(_ index: Int, _ pattern: Int) -> Bool {
    var word = UInt64(truncatingIfNeeded: index) &* 0x9e37_79b9_7f4a_7c15
    word ^= UInt64(truncatingIfNeeded: pattern) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 31)) &* 0x94d0_49bb_1331_11eb
    return (word >> 40) & 1 == 1
  }
}

extension PowerLoss {
  /// Losses of every model; the simplest is the end of the process, which loses nothing.
  package static var any: Generator<PowerLoss> {
    Generator { choices in
      let model = choices.element(of: CrashModel.allCases)
      var lost: [Int] = []
      choices.repeated(upTo: 4, averaging: 1, "lost part") { lost.append($0.number(in: 0...40)) }
      return PowerLoss(model, lost: lost, pattern: choices.number(in: 0...255, bias: .percent(40)))
    }
  }
}

/// Damage to bytes that were sure.
package enum Damage: Hashable, Sendable {
  case flip(bit: Int)
  case zero(sector: Int)
  /// Removes this many bytes at the end.
  case cut(Int)
  /// Swaps two stretches of this many bytes at multiples of it.
  case swap(Int, Int, length: Int)
  case replace(at: Int, with: UInt8)
  /// Adds bytes at the end.
  case append([UInt8])

  /// Whether it changes one byte at most.
  package var isOfOneByte: Bool {
    switch self {
    case .flip, .replace: true
    case .zero, .cut, .swap, .append: false
    }
  }

  /// Changes the bytes; positions count modulo their number.
  package func apply(to bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return }
    switch self {
    case .flip(let bit):
      let position = bit % (bytes.count * 8)
      bytes[position / 8] ^= 1 << UInt8(position % 8)
    case .zero(let sector):
      let size = MemoryDisk.sectorSize
      let start = sector % ((bytes.count + size - 1) / size) * size
      for index in start..<min(bytes.count, start + size) { bytes[index] = 0 }
    case .cut(let count): bytes.removeLast(1 + count % bytes.count)
    case .swap(let first, let second, let length):
      let slots = bytes.count / max(1, length)
      guard slots > 1 else { return }
      let (left, right) = (first % slots * length, second % slots * length)
      guard left != right else { return }
      for offset in 0..<length { bytes.swapAt(left + offset, right + offset) }
    case .replace(let offset, let byte): bytes[offset % bytes.count] = byte
    case .append(let more): bytes += more
    }
  }

  /// Damage of some kinds, of all unless they are given; the simplest flips the first bit.
  package static func any(of kinds: [Kind] = Kind.allCases) -> Generator<Damage> {
    Generator { choices in
      switch kinds[choices.index(below: kinds.count)] {
      case .flip: .flip(bit: choices.number(in: 0...65_535))
      case .zero: .zero(sector: choices.number(in: 0...63))
      case .cut: .cut(choices.number(in: 0...255))
      case .swap:
        .swap(
          choices.number(in: 0...63),
          choices.number(in: 0...63),
          length: choices.element(of: [8, 48, 64, 512])
        )
      case .replace:
        .replace(at: choices.number(in: 0...8191), with: UInt8(choices.number(in: 0...255)))
      case .append:
        // An append that failed leaves zeros, which hold nothing.
        .append((0...choices.index(below: 9)).map { _ in UInt8(choices.number(in: 1...255)) })
      }
    }
  }
}

extension Damage {
  /// What is done to the bytes, without where.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case flip, zero, cut, swap, replace, append
  }

  package var kind: Kind {
    switch self {
    case .flip: .flip
    case .zero: .zero
    case .cut: .cut
    case .swap: .swap
    case .replace: .replace
    case .append: .append
    }
  }

  /// Places, counts and bytes, in the order in which the case names them.
  package var numbers: [Int] {
    switch self {
    case .flip(let number), .zero(let number), .cut(let number): [number]
    case .swap(let first, let second, let length): [first, second, length]
    case .replace(let offset, let byte): [offset, Int(byte)]
    case .append(let bytes): bytes.map { Int($0) }
    }
  }

  /// The damage of a kind with its ``numbers``; `nil` where they are not such.
  package init?(_ kind: Kind, _ numbers: [Int]) {
    switch (kind, numbers.count) {
    case (.flip, 1): self = .flip(bit: numbers[0])
    case (.zero, 1): self = .zero(sector: numbers[0])
    case (.cut, 1): self = .cut(numbers[0])
    case (.swap, 3): self = .swap(numbers[0], numbers[1], length: numbers[2])
    case (.replace, 2):
      guard let byte = UInt8(exactly: numbers[1]) else { return nil }
      self = .replace(at: numbers[0], with: byte)
    case (.append, 1...):
      let bytes = numbers.compactMap { UInt8(exactly: $0) }
      guard bytes.count == numbers.count else { return nil }
      self = .append(bytes)
    default: return nil
    }
  }
}
