package import StoreLaws

// Files of our store as laws change them on purpose: with right checksums, and with contents that no program of this
// version writes. Where each number stands, `Frame`, `StoreOperation` and `StoreHeader` of `LocalStore` say.

extension LocalStoreSubject {
  /// Kinds of frames, as their bytes say.
  private enum Kind {
    static let journal: UInt8 = 1
    static let change: UInt8 = 2
    static let snapshot: UInt8 = 5
    static let item: UInt8 = 6
    static let footer: UInt8 = 7
    /// Of a later version.
    static let unknown: UInt8 = 9
  }

  /// What is forged, and what it must be refused as.
  ///
  ///     a snapshot    of format 2, with frames of unknown kinds      a later version
  ///                   that announces or counts one item more         damaged
  ///                   one of whose items is a deletion               damaged
  ///     a journal     of another generation, or behind another change, than its snapshot       damaged
  ///                   whose first change appends to an item that is not there                  damaged
  ///                   at whose end everything looks like a frame                               damaged
  ///     either        with a number beyond those that are given      damaged
  package func forgeries(of bytes: [UInt8]) -> [StoreForgery] {
    let frames = Self.frames(of: bytes)
    guard let first = frames.first else { return [] }
    let header = first.lowerBound + Self.frameHeaderSize
    func forged(
      _ name: String,
      _ kind: StoreComplaint.Kind = .damaged,
      _ change: (inout [UInt8]) -> Void
    ) -> StoreForgery {
      var bytes = bytes
      change(&bytes)
      return StoreForgery(name, resealed(bytes), kind)
    }
    let numbers = ["generation": header + 16, "sequence": header + 24].sorted { $0.key < $1.key }
    var found = numbers.map { name, place in
      forged("a \(name) beyond those that are given") { $0[place + 7] = 0x40 }
    }
    switch bytes[first.lowerBound + 8] {
    case Kind.journal:
      found += numbers.map { name, place in
        forged("a \(name) that is not its snapshot's") { $0[place] ^= 1 }
      }
      if let changed = appendsToNothing(bytes, frames) {
        found.append(forged("an append to an item that is not there") { $0 = changed })
      }
      found.append(StoreForgery("an end that looks like frames everywhere", Self.crowded(bytes)))
    case Kind.snapshot:
      found.append(
        forged("a later format", .laterVersion) { bytes in
          (bytes[header], bytes[header + 4]) = (2, 2)
          for frame in frames.dropFirst() { bytes[frame.lowerBound + 8] = Kind.unknown }
        }
      )
      found.append(forged("an item more than there are") { $0[header + 32] &+= 1 })
      if let footer = frames.last, bytes[footer.lowerBound + 8] == Kind.footer {
        let count = footer.lowerBound + Self.frameHeaderSize
        found.append(forged("a count of one item more") { $0[count] &+= 1 })
      }
      if let item = frames.first(where: { bytes[$0.lowerBound + 8] == Kind.item }) {
        let kind = item.lowerBound + Self.frameHeaderSize
        found.append(forged("a deletion among its items") { $0[kind] = 2 })
      }
    default: return []
    }
    return found
  }

  /// The journal with its first change an append to an item that no law saves; `nil` where the first change saves nothing
  /// under one letter.
  private func appendsToNothing(_ bytes: [UInt8], _ frames: [Range<Int>]) -> [UInt8]? {
    guard let change = frames.first(where: { bytes[$0.lowerBound + 8] == Kind.change }) else {
      return nil
    }
    let start = change.lowerBound + Self.frameHeaderSize
    guard bytes[start] == 1, Self.number(bytes, at: start + 4) == 1 else { return nil }
    var bytes = bytes
    bytes[start] = 3
    bytes[start + 20] = UInt8(ascii: "~")
    return bytes
  }

  /// The file with 32 KiB behind it in which a frame of 4 KiB seems to begin at every other place.
  ///
  /// No write that was cut short leaves that. To compute each one's checksum would take time in the square of the size.
  private static func crowded(_ bytes: [UInt8]) -> [UInt8] {
    let padding = [UInt8](repeating: 0, count: (8 - bytes.count % 8) % 8)
    let begun: [UInt8] = Array("TSF1".utf8) + [0, 0, 0, 0, Kind.change, 0, 0, 0, 0, 16, 0, 0]
    return bytes + padding + (0..<2048).flatMap { _ in begun }
  }

  /// Of each frame three bytes behind its kind, four behind the checksum of the one before, and those that fill it up; of a
  /// header two numbers, and of an operation three bytes and, in a journal, its version.
  package func unused(in bytes: [UInt8]) -> [Range<Int>] {
    Self.frames(of: bytes).flatMap { frame -> [Range<Int>] in
      let kind = bytes[frame.lowerBound + 8]
      let start = frame.lowerBound + Self.frameHeaderSize
      let end = start + Self.number(bytes, at: frame.lowerBound + 12)
      func place(_ offset: Int, _ count: Int) -> Range<Int> { offset..<(offset + count) }
      var found = [
        place(frame.lowerBound + 9, 3), place(frame.lowerBound + 20, 4), end..<frame.upperBound,
      ]
      switch kind {
      case Kind.journal, Kind.snapshot: found += [place(start + 12, 4), place(start + 52, 4)]
      case Kind.change, Kind.item:
        var offset = start
        while end - offset >= 20 {
          found.append(place(offset + 1, 3))
          if kind == Kind.change { found.append(place(offset + 12, 8)) }
          offset +=
            20 + Self.number(bytes, at: offset + 4) + Self.number(bytes, at: offset + 8)
        }
      default: break
      }
      return found
    }
  }
}
