/// A limit that a call would pass: a property of ``DocumentLimits`` or ``Limits``.
package enum LimitName: String, Hashable, Sendable, CaseIterable {
  case actorLimit
  case bloomProbeLimit
  case changeLimit
  case columnLimit
  case dependencyLimit
  case emptyElementLimit
  case haveLimit
  case inflatedByteLimit
  case linkLimit
  case memoryPerByteLimit
  case operationGapLimit
  case recoveryBytesPerByteLimit
  case receivedActorLimit
  case rowLimit
  case totalValueByteLimit
  case valueByteLimit
  case waitingByteLimit
  case waitingChangeLimit
  case waitingChangePerActorLimit
  case workPerByteLimit
}

extension LimitName: CustomStringConvertible {
  /// What is too much, and the property that says how much may be: a clause without a full stop.
  package var description: String { "\(excess) (limit: \(rawValue))" }

  private var excess: String {
    switch self {
    case .actorLimit: "the document would have too many actors"
    case .bloomProbeLimit: "a filter of a sync message asks for too many probes"
    case .changeLimit: "a chunk has too many changes"
    case .columnLimit: "a chunk has too many columns"
    case .dependencyLimit: "a chunk has too many dependencies"
    case .emptyElementLimit: "the document would have too many elements with a value of no bytes"
    case .haveLimit: "a sync message says too often what its sender has"
    case .inflatedByteLimit: "compressed bytes inflate to too many"
    case .linkLimit: "a chunk has too many successors or predecessors"
    case .memoryPerByteLimit: "the bytes would take too much memory for their number"
    case .operationGapLimit:
      "the operations of a change are numbered too far beyond those that it builds on"
    case .recoveryBytesPerByteLimit:
      "too much would be read again while intact changes are looked for"
    case .receivedActorLimit: "the change would bring an actor too many"
    case .rowLimit: "a chunk has too many op rows"
    case .totalValueByteLimit: "the keys and values of the document would have too many bytes"
    case .valueByteLimit: "a value has too many bytes"
    case .waitingByteLimit: "the changes that wait for others would have too many bytes"
    case .waitingChangeLimit: "too many changes would wait for others"
    case .waitingChangePerActorLimit: "too many changes of one actor would wait for others"
    case .workPerByteLimit: "the bytes take too much work for their number"
    }
  }
}
