package import Histories

/// The engine as a subject.
package let engineSubject = ReplicaSubject(
  EngineReplica.self,
  id: "engine",
  version: "1",
  capabilities: EngineReplica.capabilities,
  readsStatesCheaply: true
)
