import TightEngine

// The engine's names that others bear as well, so that `EngineReplica` reads the same for either build
// of the engine: `Sources/Subjects` has the other list.

typealias EngineActorID = TightEngine.ActorID
typealias EngineChangeHash = TightEngine.ChangeHash
typealias EngineEntry = TightEngine.Entry
typealias EngineMark = TightEngine.Mark
typealias EngineMarkExpansion = TightEngine.MarkExpansion
typealias EngineObjectID = TightEngine.ObjectID
typealias EngineObjectKind = TightEngine.ObjectKind
typealias EngineOpID = TightEngine.OpID
typealias EngineScalar = TightEngine.Scalar
typealias EngineValue = TightEngine.Value
