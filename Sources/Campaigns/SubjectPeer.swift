package import CodingLaws
import CodingSupport
import DocumentModel
package import Histories
package import ModelGeneration
import NaiveCoder

/// A subject of documents as the peer of a coder: the real Automerge, which reads what our coder
/// saved and writes what our coder reads.
package final class SubjectPeer: DocumentPeer {
  package let name: String
  private let subject: any DocumentSubject
  private let sessions: SessionPool

  package init(_ subject: any DocumentSubject) {
    self.subject = subject
    sessions = SessionPool(subject)
    name = "\(subject.id) \(subject.version)"
  }

  /// The adapter's timestamps have the years 1 to 9999 only, but for the first day (`NotableValues.dated`).
  private static let milliseconds = Int64(-62_135_510_400_000)...253_402_300_799_999

  package func obstacle(toReading tree: Tree) -> String? {
    let isShown = tree.paths.allSatisfy { path in
      switch tree[path] {
      case .timestamp(let value)?: Self.milliseconds.contains(value)
      case .unknown?: subject.capabilities.scalars.contains(.unknown)
      // The binding panics where a list holds a counter.
      case .list(let elements)?:
        subject.capabilities.scalars.contains(.counter)
          || !elements.contains { $0.kind == .counter }
      default: true
      }
    }
    return isShown ? nil : "\(name) cannot show what the document holds"
  }

  package func obstacle(toWriting tree: Tree) -> String? {
    if let reason = obstacle(toReading: tree) { return reason }
    let isWritten = tree.paths.allSatisfy { path in
      // 0.5.7 refuses local writes under the empty key.
      if case .key("")? = path.last { return false }
      guard let scalar = tree[path]?.scalar else { return true }
      return subject.capabilities.scalars.contains(scalar.kind)
    }
    return isWritten ? nil : "\(name) cannot write what the document is to hold"
  }

  package func read(_ saved: SavedDocument) throws -> PeerReading {
    let outcomes = try run([try Self.open(saved), .observe(document: 0)])
    guard case .observed(let seen)? = outcomes.last else {
      throw PeerFailure("\(name) showed nothing")
    }
    var hidden: Set<Tree.Kind> = []
    seen.root.collectHidden(&hidden)
    return PeerReading(tree: Tree(observed: seen.root), hidden: hidden, heads: seen.heads?.ids)
  }

  package func write(_ entries: [Tree.Entry], over saved: SavedDocument) throws -> SavedDocument {
    var writer = ProgramWriter(instructions: [try Self.open(saved)])
    for entry in entries { writer.put(entry.value, .root, .key(ExactString(entry.key))) }
    let outcomes = try run(writer.instructions + [.save(document: 0, slot: 0)])
    guard case .saved(let bytes?)? = outcomes.last else {
      throw PeerFailure("\(name) saved nothing")
    }
    return .bytes(bytes)
  }

  private static func open(_ saved: SavedDocument) throws -> Instruction {
    guard case .bytes(let bytes) = saved else { throw UnsupportedByCoder(feature: .documents) }
    return .open(document: 0, bytes, ActorID(repeating: 0xee))
  }

  /// The outcomes of instructions; all instructions worked.
  private func run(_ instructions: [Instruction]) throws -> [Outcome] {
    var program = Program()
    program.instructions = instructions
    let transcript: Transcript
    do {
      transcript = try sessions.run(program)
    } catch let failure as SubjectFailure {
      throw PeerFailure("\(name): \(failure)")
    }
    for outcome in transcript.outcomes {
      switch outcome {
      case .refused(let words), .failed(let words):
        throw PeerRefusal(peer: name, explanation: words)
      case .done, .edited, .sent, .observed, .saved, .synced, .heard, .cursor, .position,
        .patches:
        break
      }
    }
    return transcript.outcomes
  }
}

/// Edits that write trees, with a name for each object that they make.
private struct ProgramWriter {
  var instructions: [Instruction]
  private var lastName = 0

  init(instructions: [Instruction]) {
    self.instructions = instructions
  }

  mutating func put(_ tree: Tree, _ object: ObjectName, _ slot: Slot) {
    if let scalar = tree.scalar { return edit(.put(object, slot, scalar)) }
    let name = nextName()
    edit(.putObject(object, slot, tree.objectKind), makes: name)
    fill(name, tree)
  }

  private mutating func insert(_ tree: Tree, _ list: ObjectName, _ index: Int) {
    if let scalar = tree.scalar { return edit(.insert(list, index: index, scalar)) }
    let name = nextName()
    edit(.insertObject(list, index: index, tree.objectKind), makes: name)
    fill(name, tree)
  }

  private mutating func fill(_ object: ObjectName, _ tree: Tree) {
    switch tree {
    case .map(let entries):
      for entry in entries { put(entry.value, object, .key(ExactString(entry.key))) }
    case .list(let elements):
      for (index, element) in elements.enumerated() { insert(element, object, index) }
    case .text(let text) where !text.isEmpty:
      edit(.spliceText(object, index: 0, deleting: 0, inserting: ExactString(text)))
    default: break
    }
  }

  private mutating func nextName() -> ObjectName {
    lastName += 1
    return ObjectName(lastName)
  }

  private mutating func edit(_ edit: Edit<ObjectName>, makes name: ObjectName? = nil) {
    instructions.append(.edit(document: 0, edit, makes: name))
  }
}

extension Tree {
  fileprivate var objectKind: ObjectKind {
    switch self {
    case .text: .text
    case .list: .list
    default: .map
    }
  }
}

extension ObservedObject {
  /// Adds the kinds of all scalars whose values are not shown.
  fileprivate func collectHidden(_ kinds: inout Set<Tree.Kind>) {
    let registers: [ObservedRegister] =
      switch content {
      case .map(let entries): entries.map(\.register)
      case .list(let registers): registers
      case .text: []
      }
    for register in registers {
      switch register.values.last?.content {
      case .object(let object)?: object.collectHidden(&kinds)
      case .hidden(let kind)?:
        if let kind = Tree.Kind(rawValue: kind.rawValue) { kinds.insert(kind) }
      case .scalar?, nil: break
      }
    }
  }
}
