/// Counts the steps that bytes from outside cost, and says when they have cost enough.
///
/// Run-length columns say in ten bytes what takes a million steps to do, and a search that is short
/// in any document of honest writers can be made long in one that was forged for it. So what a call
/// may cost is a stated multiple of the bytes that it reads (``DocumentLimits/workLimit(forByteCount:)``).
///
/// A step is about a nanosecond: one place looked at in a search. What costs more counts more.
///
///     outside of calls      limit .max: local edits and reads are counted, and never refused
///     begin(left: 9)        limit = steps + 9
///     spend, add, check     steps rise; beyond the limit the call is refused
///     end                   limit .max
///
/// Only ``add(_:)`` passes the limit, by as much as a loop counts between two questions. Copies of
/// a document, and cores that are read aside, have meters of their own: the caller adds up.
///
/// A class, so that searches which change nothing else can count.
final class WorkMeter {
  /// Steps since the document was made; never set back, so that limits are absolute numbers of
  /// steps.
  private(set) var steps = 0
  private var limit = Int.max
  /// The number of steps that no limit goes beyond: it bounds several calls together, and what each has apart.
  var ceiling = Int.max

  /// What one of these costs, in steps: an op row that is read by itself, one of a change that goes on like
  /// the row before, a predecessor, successor or dependency, a change, a byte that is hashed or inflated.
  static var row: Int { 32 }
  static var joinedRow: Int { 16 }
  static var link: Int { 8 }
  static var change: Int { 128 }
  static var hashedByte: Int { 1 }
  static var inflatedByte: Int { 1 }

  /// From now on as much as it takes.
  func end() { limit = .max }

  /// Runs `body` on a budget of its own: `own` steps, and beyond them what is in `pool`, which gets
  /// smaller by it.
  ///
  /// For changes that were received by earlier calls: neither do they spend what the call at hand
  /// may cost, nor can it be refused for their sake.
  func apart<Failure: Error>(
    own: Int,
    pool: inout Int,
    _ body: () throws(Failure) -> Void
  ) throws(Failure) {
    let (outer, before) = (limit, steps)
    begin(left: own.addingClamped(pool))
    // The outer call pays nothing for this: its limit moves up by what was spent here.
    defer {
      let spent = steps &- before
      pool -= min(pool, max(0, spent &- own))
      limit = min(outer.addingClamped(spent), ceiling)
    }
    try body()
  }

  /// What is left to spend.
  var left: Int { max(limit &- steps, 0) }

  /// From now on at most `count` steps more.
  func begin(left count: Int) {
    limit = min(steps.addingClamped(count), ceiling)
  }

  /// Counts steps before they are done; what goes beyond the limit is refused, and not done.
  func spend(_ count: Int, _ part: Fault.Part) throws(Fault) {
    guard count <= left else { throw Fault(.limitExceeded(.workPerByteLimit), 0, part) }
    steps &+= count
  }

  /// Counts steps that are done; the next ``check(_:)`` or ``spend(_:_:)`` refuses what is too much.
  @inline(__always)
  func add(_ count: Int) { steps &+= count }

  /// For loops that count with ``add(_:)``: cheaper than asking before each step, and late by one
  /// round of the loop at most.
  func check(_ part: Fault.Part) throws(Fault) {
    guard steps <= limit else { throw Fault(.limitExceeded(.workPerByteLimit), 0, part) }
  }
}
