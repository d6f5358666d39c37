package import Histories

/// The engine with every size as small as can be, as a subject: what it does at the boundaries of nodes,
/// tables and pages shows within a few edits.
package let tightEngineSubject: any DocumentSubject = ReplicaSubject(
  EngineReplica.self,
  id: "engine-tight",
  capabilities: EngineReplica.capabilities,
  readsStatesCheaply: true
)
