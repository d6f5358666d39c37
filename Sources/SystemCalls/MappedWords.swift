#if os(Linux) || os(macOS)
import Foundation

/// The first words of a file, mapped into this process's memory.
///
/// A word costs one store, and outlives the process: another one reads it in the file.
///
/// Not checked by the compiler: code that shares an instance sees to it that one thread at a time uses it.
@safe package final class MappedWords: @unchecked Sendable {
  private let words: UnsafeMutablePointer<UInt64>
  package let count: Int

  /// Maps a file, which becomes exactly that long; `nil` if that cannot be.
  package init?(path: String, count: Int) {
    let descriptor = unsafe open(path, O_RDWR)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let byteCount = count * MemoryLayout<UInt64>.stride
    guard count > 0, ftruncate(descriptor, off_t(byteCount)) == 0 else { return nil }
    // The mapping is never undone: it lives as long as the process.
    let address = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let address = unsafe address, unsafe address != MAP_FAILED else { return nil }
    unsafe words = address.bindMemory(to: UInt64.self, capacity: count)
    self.count = count
  }

  package subscript(index: Int) -> UInt64 {
    get {
      precondition((0..<count).contains(index), "word \(index) of \(count) is not mapped")
      return unsafe words[index]
    }
    set {
      precondition((0..<count).contains(index), "word \(index) of \(count) is not mapped")
      unsafe words[index] = newValue
    }
  }
}
#endif
