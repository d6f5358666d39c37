public import Testing

/// A type that merges: a CRDT of one's own.
///
/// ```swift
/// struct Votes: MergeType {
///   let replica: Int
///   var counts: [Int: Int] = [:]
///
///   init(replica: Int) { self.replica = replica }
///
///   mutating func edit(_ source: inout ValueSource) -> String {
///     counts[replica, default: 0] += 1
///     return "votes"
///   }
///
///   mutating func merge(_ other: Votes) { counts.merge(other.counts) { max($0, $1) } }
///
///   var content: Int { counts.values.reduce(0, +) }
/// }
/// ```
///
/// It must be a value: a copy is not changed by an edit of the original.
public protocol MergeType: SendableMetatype {
  /// What a reader sees, by which replicas are compared.
  associatedtype Content: Equatable & SendableMetatype

  /// What no merge may lose, as ``kept`` says; `Never` for a type that does not say.
  associatedtype Kept: Hashable = Never

  /// The state in which the replica with this number starts; all must show the same.
  init(replica: Int)

  /// Makes a random edit, out of nothing but the source, and says what it was, as in `adds 3`.
  mutating func edit(_ source: inout ValueSource) -> String

  /// Takes in another replica's state.
  mutating func merge(_ other: Self)

  var content: Content { get }

  /// The things in the state that no merge may lose, such as the ids of its items.
  ///
  /// A type that has it is also held to the law `merging.keeps`: when two states merge, what either
  /// holds is kept, unless an edit that the other made or heard of removed it. An edit removes what is
  /// kept before it and not after it. Where the last writer wins, a value is no such thing, as a merge
  /// drops one of two; nor is a key, where an edit may remove one that it has not seen.
  var kept: Set<Kept> { get }
}

extension MergeType where Kept == Never {
  public var kept: Set<Never> { [] }
}

/// Expects that replicas of a type converge, however their states travel.
///
/// Two or three replicas edit and hear of each other, late, twice, or out of order. The merge must be
/// idempotent, commutative and associative, must not be set back by an older state of oneself, and all
/// replicas must show the same in the end. What a type says that it keeps, no merge may lose, and an invariant
/// holds in every state. What breaks
/// a law is made small and recorded as an issue with the history, step by step; it is stored in
/// `__Touchstone__` and tried first at the next run.
///
/// - Parameters:
///   - type: The type that merges.
///   - invariant: Whether a state is valid, as in `{ $0.sold <= $0.seats }`; asked of every replica at its start, and
///     after each edit and merge. Nil if the law `merging.invariant` is not to be asked.
///   - cases: How many histories, ``LawSettings/defaultCases`` by default.
///   - seed: Where the choices start, 1 by default.
///   - time: When to stop early.
///   - sourceLocation: Where issues are recorded, and whose folder keeps the failures.
/// - Throws: ``JudgementError`` if nothing could be judged.
public func expectConverges<Merged: MergeType>(
  _ type: Merged.Type,
  invariant: (@Sendable (Merged) -> Bool)? = nil,
  cases: Int? = nil,
  seed: UInt64? = nil,
  time: Duration? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  try await recordFailures(at: sourceLocation) { folder in
    try await MergeRules(type, invariant: invariant).outcome(
      LawSettings(cases: cases, seed: seed, time: time),
      in: folder
    )
  }
}

/// The laws of merging that a type breaks, for tests of XCTest and other places.
///
/// - Throws: ``JudgementError`` if nothing could be judged.
public func convergenceFailures<Merged: MergeType>(
  of type: Merged.Type,
  invariant: (@Sendable (Merged) -> Bool)? = nil,
  cases: Int? = nil,
  seed: UInt64? = nil,
  time: Duration? = nil,
  file: String = #filePath,
  test: String = #function,
  onNote: (String) -> Void = { print($0) }
) async throws -> [ModelFailure] {
  try await MergeRules(type, invariant: invariant)
    .outcome(
      LawSettings(cases: cases, seed: seed, time: time),
      in: FailureFolder(besideFile: file, test: test)
    )
    .failures(onNote)
}

/// Expects that replicas converge whose rules are given as closures, with no type for them.
///
/// ```swift
/// try await expectConverges(
///   initial: { _ in Set<String>() },
///   edit: { state, source in
///     let element = source.element(of: ["x", "y"])
///     state.insert(element)
///     return "adds \(element)"
///   },
///   merge: { $0.formUnion($1) },
///   showing: { $0 },
///   keeping: { $0 }
/// )
/// ```
///
/// The laws are those of ``expectConverges(_:invariant:cases:seed:time:sourceLocation:)``.
///
/// - Parameters:
///   - name: What messages and files call it; the state's type by default. Two expectations of one
///     test file need two names.
///   - initial: The state in which the replica with this number starts; all must show the same.
///   - edit: Makes a random edit, out of nothing but the source, and says what it was.
///   - merge: Takes another replica's state into the first.
///   - content: What a reader sees, by which replicas are compared.
///   - kept: The things in a state that no merge may lose, as in ``MergeType``; `nil` if the law
///     `merging.keeps` is not to be asked.
///   - invariant: Whether a state is valid, at the start and after each edit and merge; `nil` if the law
///     `merging.invariant` is not to be asked.
///   - cases: How many histories, ``LawSettings/defaultCases`` by default.
///   - seed: Where the choices start, 1 by default.
///   - time: When to stop early.
///   - sourceLocation: Where issues are recorded, and whose folder keeps the failures.
/// - Throws: ``JudgementError`` if nothing could be judged.
public func expectConverges<State: SendableMetatype, Content: Equatable & SendableMetatype>(
  _ name: String? = nil,
  initial: @escaping @Sendable (_ replica: Int) -> State,
  edit: @escaping @Sendable (inout State, inout ValueSource) -> String,
  merge: @escaping @Sendable (inout State, State) -> Void,
  showing content: @escaping @Sendable (State) -> Content,
  keeping kept: (@Sendable (State) -> Set<AnyHashable>)? = nil,
  invariant: (@Sendable (State) -> Bool)? = nil,
  cases: Int? = nil,
  seed: UInt64? = nil,
  time: Duration? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  try await recordFailures(at: sourceLocation) { folder in
    try await MergeRules(
      name: name,
      initial: initial,
      edit: edit,
      merge: merge,
      content: content,
      kept: kept,
      invariant: invariant
    ).outcome(LawSettings(cases: cases, seed: seed, time: time), in: folder)
  }
}

/// Expects that replicas converge whose state is what a reader sees.
///
/// See ``expectConverges(_:initial:edit:merge:showing:keeping:invariant:cases:seed:time:sourceLocation:)``.
///
/// - Throws: ``JudgementError`` if nothing could be judged.
public func expectConverges<State: Equatable & SendableMetatype>(
  _ name: String? = nil,
  initial: @escaping @Sendable (_ replica: Int) -> State,
  edit: @escaping @Sendable (inout State, inout ValueSource) -> String,
  merge: @escaping @Sendable (inout State, State) -> Void,
  keeping kept: (@Sendable (State) -> Set<AnyHashable>)? = nil,
  invariant: (@Sendable (State) -> Bool)? = nil,
  cases: Int? = nil,
  seed: UInt64? = nil,
  time: Duration? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  try await expectConverges(
    name,
    initial: initial,
    edit: edit,
    merge: merge,
    showing: { $0 },
    keeping: kept,
    invariant: invariant,
    cases: cases,
    seed: seed,
    time: time,
    sourceLocation: sourceLocation
  )
}

/// The laws of merging that rules given as closures break, for tests of XCTest and other places.
///
/// - Throws: ``JudgementError`` if nothing could be judged.
public func convergenceFailures<State: SendableMetatype, Content: Equatable & SendableMetatype>(
  _ name: String? = nil,
  initial: @escaping @Sendable (_ replica: Int) -> State,
  edit: @escaping @Sendable (inout State, inout ValueSource) -> String,
  merge: @escaping @Sendable (inout State, State) -> Void,
  showing content: @escaping @Sendable (State) -> Content,
  keeping kept: (@Sendable (State) -> Set<AnyHashable>)? = nil,
  invariant: (@Sendable (State) -> Bool)? = nil,
  cases: Int? = nil,
  seed: UInt64? = nil,
  time: Duration? = nil,
  file: String = #filePath,
  test: String = #function,
  onNote: (String) -> Void = { print($0) }
) async throws -> [ModelFailure] {
  try await MergeRules(
    name: name,
    initial: initial,
    edit: edit,
    merge: merge,
    content: content,
    kept: kept,
    invariant: invariant
  ).outcome(
    LawSettings(cases: cases, seed: seed, time: time),
    in: FailureFolder(besideFile: file, test: test)
  ).failures(onNote)
}
