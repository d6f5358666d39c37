import DocumentModel
import Histories
import Texts

// An instruction is an array: its name, then what `Instruction` holds, in the same order. Documents,
// messages, slots of saved states, marks and objects are numbers; what may be absent stands last.
//
//     ["create", document, actor]
//     ["base", document, {"name", "actor", "edits": [[edit, makes?], ...], "saved"?}]
//     ["fork", document, from, actor]
//     ["edit", document, edit, makes?]
//     ["send", message, from, to, transport, scope]
//     ["deliver", message, document, part?]
//     ["deliverReversed", message, document]
//     ["sync", document, with, [fate, ...]]
//     ["forkAt", document, from, slot, actor]
//     ["attempt", document, edit]
//     ["cursor", document, cursor, object, index, move]
//     ["position", document, cursor]
//     ["cursorAt", document, cursor, index, mark]
//     ["positionAt", document, cursor, mark]
//     ["difference", document, from, to]
//     ["commitWith", document, seconds, message?]
//
// An edit is one, too: ["put", object, slot, scalar]. A slot is a key (a string) or a position (a
// number). A scalar is its kind and its text: ["int", "5"], ["float", "3ff8000000000000"].

extension JSONWriter {
  mutating func write(_ instruction: Instruction) {
    array { writer in
      writer.string(instruction.name)
      switch instruction {
      case .create(let document, let actor):
        writer.number(document)
        writer.string(actor.description)
      case .base(let document, let base):
        writer.number(document)
        writer.write(base, base.actor, saved: base.savedBytes)
      case .open(let document, let bytes, let actor):
        writer.number(document)
        writer.write(.empty, actor, saved: bytes)
      case .fork(let document, let number, let actor), .load(let document, let number, let actor):
        writer.numbers(document, number)
        writer.string(actor.description)
      case .edit(let document, let edit, let made):
        writer.number(document)
        writer.write(edit)
        if let made { writer.number(made.number) }
      case .commit(let document), .observe(let document):
        writer.number(document)
      case .merge(let first, let second), .deliverReversed(let first, let second),
        .save(let first, let second), .remember(let first, let second),
        .recall(let first, let second):
        writer.numbers(first, second)
      case .send(let message, let from, let to, let transport, let scope):
        writer.numbers(message, from, to)
        writer.strings([transport.rawValue, scope.rawValue])
      case .deliver(let message, let document, let part):
        writer.numbers(message, document)
        if let part { writer.number(part) }
      case .sync(let document, let other, let fates):
        writer.numbers(document, other)
        writer.array { $0.strings(fates.map(\.rawValue)) }
      case .forkAt(let document, let from, let slot, let actor):
        writer.numbers(document, from, slot)
        writer.string(actor.description)
      case .call(let document, let call):
        writer.number(document)
        writer.write(call)
      }
    }
  }

  private mutating func write(_ call: Instruction.Call) {
    switch call {
    case .attempt(let edit): write(edit)
    case .rollback, .read: break
    case .append(let slot): number(slot)
    case .commit(let message, let time):
      string("\(time)")
      if let message { string(message.string) }
    case .cursor(let cursor, let object, let index, let move):
      numbers(cursor, object.number, index)
      string(move.rawValue)
    case .position(let cursor): number(cursor)
    case .cursorAt(let cursor, let index, let mark): numbers(cursor, index, mark)
    case .positionAt(let cursor, let mark): numbers(cursor, mark)
    case .difference(let from, let to): numbers(from, to)
    case .hear(let attack):
      string(attack.kind.rawValue)
      numbers(attack.informant, attack.pick)
    }
  }

  /// A base as its edits, and as bytes for a subject that cannot make it by edits.
  private mutating func write(_ base: Base, _ actor: ActorID, saved: [UInt8]?) {
    object { writer in
      writer.member("name", base.rawValue)
      writer.member("actor", actor.description)
      writer.key("edits")
      writer.array { writer in
        var made = 0
        for edit in base.edits {
          writer.array { writer in
            writer.write(edit)
            guard edit.madeKind != nil else { return }
            made += 1
            writer.number(made)
          }
        }
      }
      if let saved { writer.member("saved", hexString(saved)) }
    }
  }

  private mutating func write(_ edit: Edit<ObjectName>) {
    array { writer in
      writer.string(edit.kind.rawValue)
      writer.number(edit.object.number)
      switch edit {
      case .put(_, let slot, let value):
        writer.write(slot)
        writer.write(value)
      case .putObject(_, let slot, let kind):
        writer.write(slot)
        writer.string(kind.rawValue)
      case .insert(_, let index, let value):
        writer.number(index)
        writer.write(value)
      case .insertObject(_, let index, let kind):
        writer.number(index)
        writer.string(kind.rawValue)
      case .delete(_, let slot):
        writer.write(slot)
      case .increment(_, let slot, let amount):
        writer.write(slot)
        writer.string("\(amount)")
      case .splice(_, let index, let deleting, let inserting):
        writer.numbers(index, deleting)
        writer.array { for value in inserting { $0.write(value) } }
      case .spliceText(_, let index, let deleting, let inserting):
        writer.numbers(index, deleting)
        writer.string(inserting.string)
      case .mark(_, let marking):
        writer.numbers(marking.start, marking.end)
        writer.string(marking.name.string)
        writer.write(marking.value)
        writer.string(marking.expand.rawValue)
      }
    }
  }

  mutating func write(_ slot: Slot) {
    switch slot {
    case .key(let key): string(key.string)
    case .index(let index): number(index)
    }
  }

  private mutating func write(_ scalar: Scalar) {
    array { $0.strings(scalar.tokens) }
  }
}
