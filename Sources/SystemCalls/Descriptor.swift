#if os(Linux) || os(macOS)
package import Foundation

/// An open file, pipe or terminal of this process, by the number that the system knows it by.
///
/// It owns nothing: the code that opened it closes it.
package struct Descriptor: Hashable, Sendable {
  package let number: CInt

  package init(_ number: CInt) { self.number = number }
  package init(_ handle: FileHandle) { number = handle.fileDescriptor }

  package static let standardOutput = Descriptor(STDOUT_FILENO)
  package static let standardError = Descriptor(STDERR_FILENO)

  /// Whether anything is open by this number.
  package var isOpen: Bool { fcntl(number, F_GETFD) != -1 }

  /// Sees to it that no program that this one starts has it open, too.
  package func keepFromPrograms() { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }

  /// From now on ``read(into:)`` and ``write(_:)`` do what can be done at once.
  package func stopWaiting() { _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) }

  /// Whether another program is at its other end: it is a pipe or a socket.
  package var isPipe: Bool {
    var facts = stat()
    guard unsafe fstat(number, &facts) == 0 else { return false }
    return [S_IFIFO, S_IFSOCK].contains(facts.st_mode & S_IFMT)
  }

  /// Whether the program at the other end has ended, or has closed it; nothing is written to find out.
  package var hasLostReader: Bool {
    var state = pollfd(fd: number, events: 0, revents: 0)
    guard unsafe poll(&state, 1, 0) > 0 else { return false }
    return state.revents & Int16(POLLERR | POLLHUP) != 0
  }

  /// Columns of the terminal that it is; `nil` for anything else.
  package var terminalWidth: Int? {
    var size = winsize()
    guard unsafe ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}

// MARK: - Reading and writing without waiting

extension Descriptor {
  /// What one read came to.
  package enum Read: Hashable, Sendable {
    /// Bytes now at the start of the buffer; 1 or more.
    case bytes(Int)
    /// None at the moment.
    case nothingYet
    /// None any more, or it cannot be read.
    case end
  }

  /// Reads what is there, as much as the buffer holds; the buffer's length stays.
  package func read(into buffer: inout [UInt8]) -> Read {
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      #if canImport(Darwin)
      unsafe Darwin.read(number, bytes.baseAddress, bytes.count)
      #else
      unsafe Glibc.read(number, bytes.baseAddress, bytes.count)
      #endif
    }
    if count > 0 { return .bytes(count) }
    return count < 0 && Self.isToBeRepeated ? .nothingYet : .end
  }

  /// Writes as much as goes at once.
  ///
  /// - Returns: How many bytes, which may be 0; `nil` if it can take none any more.
  package func write(_ bytes: ArraySlice<UInt8>) -> Int? {
    let count = unsafe bytes.withUnsafeBytes { bytes in
      #if canImport(Darwin)
      unsafe Darwin.write(number, bytes.baseAddress, bytes.count)
      #else
      unsafe Glibc.write(number, bytes.baseAddress, bytes.count)
      #endif
    }
    if count >= 0 { return count }
    return Self.isToBeRepeated ? 0 : nil
  }

  /// Whether the call that just failed may succeed later.
  private static var isToBeRepeated: Bool { errno == EAGAIN || errno == EINTR }

  /// Writes one byte, if it goes at once; the handler of a signal may call it, as it allocates nothing.
  package func ring() {
    let before = errno
    defer { errno = before }
    var byte: UInt8 = 0
    #if canImport(Darwin)
    _ = unsafe Darwin.write(number, &byte, 1)
    #else
    _ = unsafe Glibc.write(number, &byte, 1)
    #endif
  }

  /// What is waited for.
  package enum Wish: Sendable {
    case toRead
    case toWrite
  }

  /// Waits until one of several is ready, has ended or is broken, or the time is over.
  ///
  /// - Parameters:
  ///   - wishes: `nil` in a place is passed over, and never ready.
  ///   - milliseconds: 0 not to wait; negative to wait for ever.
  /// - Returns: For each place whether it is ready.
  package static func wait(
    for wishes: [(descriptor: Descriptor, wish: Wish)?],
    milliseconds: Int
  ) -> [Bool] {
    // A negative descriptor is passed over.
    var states = wishes.map { wish in
      pollfd(
        fd: wish?.descriptor.number ?? -1,
        events: Int16(wish?.wish == .toWrite ? POLLOUT : POLLIN),
        revents: 0
      )
    }
    let count = unsafe poll(&states, nfds_t(states.count), CInt(milliseconds))
    return states.map { count > 0 && $0.revents != 0 }
  }
}
#endif
