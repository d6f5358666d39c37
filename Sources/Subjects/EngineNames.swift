import MergeEngine

// The engine's names that others bear as well, so that `EngineReplica` reads the same for either build
// of the engine: `Sources/TightSubjects` has the other list.

typealias EngineActorID = MergeEngine.ActorID
typealias EngineChangeHash = MergeEngine.ChangeHash
typealias EngineEntry = MergeEngine.Entry
typealias EngineMark = MergeEngine.Mark
typealias EngineMarkExpansion = MergeEngine.MarkExpansion
typealias EngineObjectID = MergeEngine.ObjectID
typealias EngineObjectKind = MergeEngine.ObjectKind
typealias EngineOpID = MergeEngine.OpID
typealias EngineScalar = MergeEngine.Scalar
typealias EngineValue = MergeEngine.Value
