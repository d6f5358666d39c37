extension AdapterTemplate {
  static let javascriptAdapter = ##"""
    // A template for adapters: a toy CRDT behind the line protocol, in Node.js without packages.
    //
    // What you change is marked with "YOURS". The rest reads requests and writes answers, and may stay.
    'use strict';

    // YOURS: the implementation to judge. This toy is a map of scalars in which the last writer of a key
    // wins. A replica keeps a log of writes; each has a clock, greater than any that its writer has seen,
    // and the writer's name. Logs are sets, so to merge is to unite.
    class Document {
      constructor(writer) {
        this.writer = writer;
        this.clock = 0;
        this.log = new Map(); // from "clock writer" to the write
      }

      write(key, value) {
        this.clock += 1;
        this.log.set(`${this.clock} ${this.writer}`, { clock: this.clock, writer: this.writer, key, value });
      }

      /** The keys and their values; a key whose greatest write is null was deleted. */
      show() {
        const shown = new Map();
        const writes = [...this.log.values()].sort(
          (a, b) => a.clock - b.clock || (a.writer < b.writer ? -1 : a.writer > b.writer ? 1 : 0));
        for (const { key, value } of writes) shown.set(key, value);
        return new Map([...shown].filter(([, value]) => value !== null));
      }

      /** Takes in writes of others, in any order and any number of times. */
      take(log) {
        for (const [stamp, write] of log) {
          this.log.set(stamp, write);
          this.clock = Math.max(this.clock, write.clock);
        }
      }

      fork(writer) {
        const copy = new Document(writer);
        copy.take(this.log);
        return copy;
      }

      save() {
        return JSON.stringify([...this.log]);
      }

      static load(saved, writer) {
        const document = new Document(writer);
        document.take(new Map(JSON.parse(saved)));
        return document;
      }
    }

    // YOURS: what it can do. A law that needs more is skipped for it, and the report says so.
    const CAPABILITIES = {
      edits: ['put', 'delete'],
      objects: [],
      scalars: ['null', 'boolean', 'int', 'uint', 'float', 'string', 'bytes', 'timestamp'],
      transports: ['merge', 'document'],
      features: ['save', 'fork'],
    };
    const INTRODUCTION = { protocol: 1, id: 'template', version: '1', capabilities: CAPABILITIES };

    /** The document does not accept an edit; it is as it was. */
    class Refusal extends Error {}

    /** Runs one program: one method for each instruction. A method returns its outcome, or nothing for
     *  `["done"]`. One that throws becomes `["failed", why]`, and the next instruction is carried out. */
    class Session {
      constructor() {
        this.documents = new Map(); // by the numbers that the harness gives out
        this.messages = new Map();
        this.slots = new Map();
      }

      at(number) {
        if (!this.documents.has(number)) throw new Error(`there is no document ${number}`);
        return this.documents.get(number);
      }

      create(number, actor) {
        this.documents.set(number, new Document(actor));
      }

      // YOURS: the edits. The toy has only the root, object 0.
      edit(number, [name, target, slot, value]) {
        const document = this.at(number);
        try {
          if (target !== 0 || typeof slot !== 'string') throw new Refusal('there is only the root');
          if (name === 'put') document.write(slot, value); // A scalar is kept as it comes: ["int", "5"].
          else if (name !== 'delete') throw new Refusal(`there is no edit ${name}`);
          else if (document.show().has(slot)) document.write(slot, null);
        } catch (error) {
          if (error instanceof Refusal) return ['refused', error.message];
          throw error;
        }
        return ['edited'];
      }

      // YOURS: close what your implementation calls a transaction. The toy has none.
      commit(number) {
        this.at(number);
      }

      fork(number, origin, actor) {
        this.documents.set(number, this.at(origin).fork(actor));
      }

      merge(number, origin) {
        this.at(number).take(this.at(origin).log);
      }

      send(message, origin, to, transport) {
        // Kept as it is now: the document may go on before the message arrives.
        const document = this.at(origin);
        this.messages.set(message, transport === 'document' ? document.save() : document.fork('courier'));
        return ['sent', 1];
      }

      deliver(message, number) {
        const kept = this.messages.get(message);
        const other = typeof kept === 'string' ? Document.load(kept, 'courier') : kept;
        this.at(number).take(other.log);
      }

      save(number, slot) {
        this.slots.set(slot, this.at(number).save());
        return ['saved'];
      }

      load(number, slot, actor) {
        if (!this.slots.has(slot)) throw new Error(`nothing was saved to ${slot}`);
        this.documents.set(number, Document.load(this.slots.get(slot), actor));
      }

      // YOURS: everything that the document shows. A value is [id or null, kind, text].
      observe(number) {
        // By their UTF-8 bytes: JavaScript would compare UTF-16 units.
        const keys = [...this.at(number).show()].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
        return ['observed', { root: { map: keys.map(([key, value]) => [key, [null, ...value]]) } }];
      }

      outcome([name, ...parameters]) {
        const methods = ['create', 'edit', 'commit', 'fork', 'merge', 'send', 'deliver', 'save', 'load', 'observe'];
        try {
          if (!methods.includes(name)) throw new Error(`there is no instruction ${name}`);
          return this[name](...parameters) || ['done'];
        } catch (error) {
          return ['failed', String(error)];
        }
      }
    }

    function answer(request) {
      if (request.start) return { started: INTRODUCTION };
      if (request.run) {
        const session = new Session(); // Nothing is kept from one program to the next.
        return { ran: request.run.map((instruction) => session.outcome(instruction)) };
      }
      if (request.ping) return { pong: {} };
      return { error: 'there is no such request' };
    }

    // Lines are cut at line feeds alone: `readline` would also cut at U+2028, which a string may hold.
    let rest = Buffer.alloc(0);
    process.stdin.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        const request = JSON.parse(rest.subarray(0, end).toString());
        rest = rest.subarray(end + 1);
        if (request.stop) process.exit(0);
        process.stdout.write(JSON.stringify({ n: request.n, ...answer(request) }) + '\n');
      }
    });

    """##
}
