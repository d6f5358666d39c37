import Foundation
import Synchronization

/// The process groups that this process has started and not yet seen the end of.
///
/// They are killed when this process exits, so that an adapter in an endless loop is not left over.
/// A lock guards the set, and not an actor, because the exit handler cannot wait for one. A process
/// that is killed itself can do nothing; then an adapter finds the end of its standard input.
enum LivingProcesses {
  private static let groups = Mutex<Set<pid_t>>([])

  /// Evaluated once, as all static properties are.
  private static let killsAtExit: Void = {
    // A write to a process that is gone must be an error, not the end of ours.
    _ = signal(SIGPIPE, SIG_IGN)
    atexit { LivingProcesses.killAll() }
  }()

  static func prepare() {
    _ = killsAtExit
  }

  static func add(_ group: pid_t) {
    groups.withLock { _ = $0.insert(group) }
  }

  static func remove(_ group: pid_t) {
    groups.withLock { _ = $0.remove(group) }
  }

  static func killAll() {
    groups.withLock { groups in
      for group in groups { kill(-group, SIGKILL) }
      groups.removeAll()
    }
  }
}
