package import Histories

/// The engine as a subject.
package let engineSubject = ReplicaSubject(
  EngineReplica.self,
  id: "engine",
  capabilities: EngineReplica.capabilities,
  readsStatesCheaply: true
)
