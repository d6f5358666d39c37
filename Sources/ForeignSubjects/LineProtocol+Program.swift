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
        writer.write(base)
      case .open(let document, let bytes, let actor):
        writer.number(document)
        writer.object { writer in
          writer.key("name")
          writer.string(Base.empty.rawValue)
          writer.key("actor")
          writer.string(actor.description)
          writer.key("edits")
          writer.array { _ in }
          writer.key("saved")
          writer.string(hexString(bytes))
        }
      case .fork(let document, let from, let actor):
        writer.number(document)
        writer.number(from)
        writer.string(actor.description)
      case .edit(let document, let edit, let made):
        writer.number(document)
        writer.write(edit)
        if let made { writer.number(made.number) }
      case .commit(let document), .observe(let document):
        writer.number(document)
      case .merge(let document, let from):
        writer.number(document)
        writer.number(from)
      case .send(let message, let from, let to, let transport, let scope):
        writer.number(message)
        writer.number(from)
        writer.number(to)
        writer.string(transport.rawValue)
        writer.string(scope.rawValue)
      case .deliver(let message, let document, let part):
        writer.number(message)
        writer.number(document)
        if let part { writer.number(part) }
      case .deliverReversed(let message, let document):
        writer.number(message)
        writer.number(document)
      case .save(let document, let slot):
        writer.number(document)
        writer.number(slot)
      case .load(let document, let slot, let actor):
        writer.number(document)
        writer.number(slot)
        writer.string(actor.description)
      case .remember(let document, let mark), .recall(let document, let mark):
        writer.number(document)
        writer.number(mark)
      case .sync(let document, let other, let fates):
        writer.number(document)
        writer.number(other)
        writer.array { for fate in fates { $0.string(fate.rawValue) } }
      case .forkAt(let document, let from, let slot, let actor):
        writer.number(document)
        writer.number(from)
        writer.number(slot)
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
    case .cursor(let number, let object, let index, let move):
      self.number(number)
      self.number(object.number)
      self.number(index)
      string(move.rawValue)
    case .position(let number): self.number(number)
    case .cursorAt(let number, let index, let mark):
      self.number(number)
      self.number(index)
      self.number(mark)
    case .positionAt(let number, let mark):
      self.number(number)
      self.number(mark)
    case .difference(let from, let to):
      number(from)
      number(to)
    case .hear(let attack):
      string(attack.kind.rawValue)
      number(attack.informant)
      number(attack.pick)
    }
  }

  /// A base as its edits, and as bytes for who cannot make it by edits.
  private mutating func write(_ base: Base) {
    object { writer in
      writer.key("name")
      writer.string(base.rawValue)
      writer.key("actor")
      writer.string(base.actor.description)
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
      if let saved = base.savedBytes {
        writer.key("saved")
        writer.string(hexString(saved))
      }
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
        writer.number(index)
        writer.number(deleting)
        writer.array { for value in inserting { $0.write(value) } }
      case .spliceText(_, let index, let deleting, let inserting):
        writer.number(index)
        writer.number(deleting)
        writer.string(inserting.string)
      case .mark(_, let marking):
        writer.number(marking.start)
        writer.number(marking.end)
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
    array { writer in
      writer.string(scalar.kind.rawValue)
      switch scalar {
      case .null: break
      case .boolean(let value): writer.string("\(value)")
      case .int(let value), .counter(let value), .timestamp(let value): writer.string("\(value)")
      case .uint(let value): writer.string("\(value)")
      case .float(let value): writer.string(hexString(bigEndianBytes(value.bitPattern)))
      case .string(let value): writer.string(value.string)
      case .bytes(let value): writer.string(hexString(value))
      case .unknown(let typeCode, let value):
        writer.string("\(typeCode)")
        writer.string(hexString(value))
      }
    }
  }
}

private func bigEndianBytes(_ word: UInt64) -> [UInt8] {
  (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) }
}
