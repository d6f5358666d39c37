// Histories as text, written here and read in `History+Parsing.swift`. The grammar is in
// `Documentation/Histories.md`. Case files, the corpus and failures hold this form, so that it
// stays readable by every later version: what is added must leave the old lines as they are.
//
// A history writes one text only, and reading that gives an equal history. By hand more is allowed:
// other spaces, empty lines between steps, an object's number under any word.

import DocumentModel
import Texts

extension History {
  /// The version of the text form that ``text`` writes.
  ///
  /// A reader refuses every other version.
  package static let textVersion = 1

  /// The history as text, a head of four lines and then one line a step.
  ///
  ///     history 1
  ///     base objects
  ///     replicas 2
  ///     healing merge
  ///     r0 put root "k" int 5
  ///     r1 type text2 0 delete 1 insert "xy"
  ///     r0 -> r1 merge
  ///
  /// ``init(text:)`` reads it back.
  ///
  /// Ends with a line feed.
  package var text: String {
    lines.joined(separator: "\n") + "\n"
  }

  /// The lines of ``text``.
  package var lines: [String] {
    [
      "history \(Self.textVersion)",
      "base \(base.rawValue)",
      "replicas \(replicaCount)",
      "healing \(healing.map(\.rawValue).joined(separator: " "))",
    ] + worldLines + stepLines
  }

  /// Lines of the head that only a history has which needs them.
  ///
  /// A history without them is written as before there were large worlds.
  private var worldLines: [String] {
    var wording = Wording(self)
    return (writers == .plain ? [] : ["writers \(writers.rawValue)"])
      + growth.map { "grow \(wording.text(of: $0))" }
  }

  /// One line for each step.
  package var stepLines: [String] { written(by: Wording(self)) }

  /// One line for each step, to stand beside a column for each replica: an edit, a commit, a save
  /// and a restart are written without the replica in front.
  package var columnLines: [String] { written(by: Wording(self, namesActors: false)) }

  private func written(by wording: Wording) -> [String] {
    var wording = wording
    return steps.map { wording.line($0) }
  }
}

/// Writes steps as text; keeps count of the objects made so far, since their names show their kinds.
///
/// Steps must be written in their order, each once. An edit of the growth makes no object, so that
/// counting starts with the base's.
private struct Wording {
  private var names = ["root"]
  private var replicaCount: Int
  /// Whether a step that one replica does by itself begins with that replica.
  private let namesActors: Bool

  init(_ history: History, namesActors: Bool = true) {
    replicaCount = history.replicaCount
    self.namesActors = namesActors
    for kind in history.base.objectKinds { name(kind) }
  }

  @discardableResult
  private mutating func name(_ kind: ObjectKind) -> String {
    names.append("\(kind)\(names.count)")
    return names[names.count - 1]
  }

  /// Of a history that is not normalised an object may have no kind: its name is then `object7`,
  /// which reads as number 7, too.
  private func name(_ object: ObjectName) -> String {
    names.indices.contains(object.number) ? names[object.number] : "object\(object.number)"
  }

  private func by(_ replica: Int) -> String { namesActors ? "r\(replica) " : "" }

  mutating func line(_ step: Step) -> String {
    switch step {
    case .edit(let replica, let edit): return by(replica) + text(of: edit)
    case .commit(let replica): return by(replica) + "commit"
    case .fork(let replica, let actor):
      replicaCount += 1
      return "r\(replica) fork r\(replicaCount - 1) actor \(actor)"
    case .exchange(let from, let to, let transport): return "r\(from) -> r\(to) \(transport)"
    case .send(let message, let from, let to, let transport):
      return "r\(from) -> r\(to) send m\(message) \(transport)"
    case .deliver(let message, nil): return "m\(message) deliver"
    case .deliver(let message, let part?): return "m\(message) deliver part \(part)"
    case .drop(let message, let loss): return "m\(message) drop \(loss.rawValue)"
    case .cut(let side, let bothWays):
      let side = side.map { "r\($0)" }.joined(separator: " ")
      return "\(bothWays ? "cut" : "cut-outgoing") \(side)"
    case .mend: return "mend"
    case .clog(let from, let to): return "clog r\(from) -> r\(to)"
    case .unclog(let from, let to): return "unclog r\(from) -> r\(to)"
    case .save(let replica, let slot): return by(replica) + "save s\(slot)"
    case .restart(let replica, let slot, let actor):
      return by(replica) + "restart s\(slot) actor \(actor)"
    case .branch(let replica, let slot, let actor):
      replicaCount += 1
      return "r\(replica) fork r\(replicaCount - 1) at s\(slot) actor \(actor)"
    case .call(let replica, let call): return "r\(replica) \(text(of: call))"
    }
  }

  private mutating func text(of call: ReplicaCall) -> String {
    switch call {
    case .burst(let burst): return text(of: burst)
    case .attempt(let edit): return "try \(text(of: edit, isRefused: true))"
    case .rollback: return "rollback"
    case .read: return "read"
    case .append(let slot): return "append s\(slot)"
    case .commit(let message, let time):
      return "commit" + (message.map { " message \(quoted($0.string))" } ?? "") + " time \(time)"
    case .cursor(let object, let index, let move):
      return "cursor \(name(object)) \(index) moving \(move)"
    case .sync(let other, let fates):
      return (["syncs r\(other)"] + fates.map(\.rawValue)).joined(separator: " ")
    case .hear(let attack):
      return "hears \(attack.kind.rawValue) knowing r\(attack.informant) pick \(attack.pick)"
    }
  }

  mutating func text(of burst: Burst) -> String {
    let commits = burst.commits ? " committing" : ""
    return "burst \(burst.count) \(burst.walk.rawValue)\(commits) \(text(of: burst.edit))"
  }

  /// An object that is not made has no name.
  private mutating func text(of edit: Edit<ObjectName>, isRefused: Bool = false) -> String {
    let object = name(edit.object)
    func made(_ kind: ObjectKind) -> String {
      "new \(kind)" + (isRefused ? "" : " as \(name(kind))")
    }
    switch edit {
    case .put(_, let slot, let value):
      return "put \(object) \(slot) \(Repetition.text(of: value))"
    case .putObject(_, let slot, let kind):
      return "put \(object) \(slot) \(made(kind))"
    case .insert(_, let index, let value):
      return "insert \(object) \(index) \(Repetition.text(of: value))"
    case .insertObject(_, let index, let kind):
      return "insert \(object) \(index) \(made(kind))"
    case .delete(_, let slot): return "delete \(object) \(slot)"
    case .increment(_, let slot, let amount): return "increment \(object) \(slot) \(amount)"
    case .splice(_, let index, let deleting, let values):
      let inserted = Repetition.groups(of: values).map { " insert \($0)" }.joined()
      return "splice \(object) \(index) delete \(deleting)\(inserted)"
    case .spliceText(_, let index, let deleting, let text):
      return "type \(object) \(index) delete \(deleting) insert \(Repetition.quoted(text))"
    case .mark(_, let marking):
      return "mark \(object) \(marking.start) to \(marking.end) \(quoted(marking.name.string)) "
        + "\(Repetition.text(of: marking.value)) expand \(marking.expand)"
    }
  }
}
