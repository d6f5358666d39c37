package import AutomergeDocument
import DocumentModel
package import Histories
import NaiveModel

/// `Document` with texts that count other units than scalars, each with what it is compared with.
package let otherUnitSubjects: [(subject: any DocumentSubject, oracle: any DocumentSubject)] = [
  TextEncoding.utf8, .utf16, .graphemeCluster,
].map { (documentSubject($0), naiveSubject($0)) }

/// The specification for documents whose texts count `encoding`: two rules are others.
///
/// Two rules: the width of an element, and, for clusters, how text is split into elements.
package func naiveSubject(_ encoding: TextEncoding) -> any DocumentSubject {
  switch encoding {
  case .unicodeScalar: naiveSubject
  case .utf8: subject(NaiveModel<UTF8Rules>.self, id: "naive-utf8")
  case .utf16: subject(NaiveModel<UTF16Rules>.self, id: "naive-utf16")
  case .graphemeCluster: subject(NaiveModel<GraphemeRules>.self, id: "naive-grapheme")
  }
}

/// Each oracle is `naive` with other rules of width, and of how text is split into elements.
private func subject<R: Replica>(_ type: R.Type, id: String) -> any DocumentSubject {
  var capabilities = Capabilities.all
  // Patches count scalars.
  capabilities.features.subtract([.patches, .conflictPatches])
  return ReplicaSubject(type, id: id, capabilities: capabilities)
}

/// Source: Specification/Semantics.md, "Width".
private enum UTF8Rules: Rules {
  static func width(of winner: NaiveOp.Action, in kind: ObjectKind) -> Int {
    kind == .text ? piece(of: winner).utf8.count : 1
  }
}

private enum UTF16Rules: Rules {
  static func width(of winner: NaiveOp.Action, in kind: ObjectKind) -> Int {
    kind == .text ? piece(of: winner).utf16.count : 1
  }
}

/// Text is split into its characters here.
private enum GraphemeRules: Rules {
  static func width(of winner: NaiveOp.Action, in kind: ObjectKind) -> Int {
    kind == .text ? piece(of: winner).count : 1
  }

  static func elements(of text: String) -> [String] {
    text.map { String($0) }
  }
}
