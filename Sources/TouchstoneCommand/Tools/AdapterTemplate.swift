// long: it holds the templates of adapters, each as the text of its files.

/// What `touchstone adapter new` writes: an adapter of a toy CRDT in a language, ready to be checked.
///
/// The one in Python is the adapter in `Adapters/template`; a test compares the two.
enum AdapterTemplate: String, CaseIterable {
  case python, javascript, rust, go

  /// What stands in the texts for the adapter's id.
  static let placeholder = "template"

  /// The program and its arguments, for `adapter.json`.
  var command: [String] {
    switch self {
    case .python: ["python", "adapter.py"]
    case .javascript: ["node", "adapter.js"]
    case .rust: ["cargo", "run", "--quiet", "--release"]
    case .go: ["go", "run", "."]
    }
  }

  /// The files beside `adapter.json`, for an adapter of this id.
  func files(id: String) -> [(path: String, text: String)] {
    files.map { path, text in
      (
        path,
        text.replacing("\"\(Self.placeholder)\"", with: "\"\(id)\"")
          .replacing("'\(Self.placeholder)'", with: "'\(id)'")
      )
    }
  }

  private var files: [(path: String, text: String)] {
    switch self {
    case .python: [("adapter.py", Self.pythonAdapter), ("toy.py", Self.pythonToy)]
    case .javascript: [("adapter.js", Self.javascriptAdapter)]
    case .rust:
      [
        ("Cargo.toml", Self.rustManifest), ("src/main.rs", Self.rustMain),
        ("src/json.rs", Self.rustJSON), (".gitignore", "target/\n"),
      ]
    case .go: [("go.mod", Self.goManifest), ("main.go", Self.goMain)]
    }
  }

  private static let rustManifest = """
    [package]
    name = "template"
    version = "0.1.0"
    edition = "2021"

    """

  private static let goManifest = """
    module adapter

    go 1.21

    """
}

extension AdapterTemplate {
  private static let pythonAdapter = ##"""
    """A template for adapters: the toy CRDT of `toy.py` behind the line protocol.

    What you change is marked with "YOURS". The rest reads requests and writes answers, and may stay.
    """
    import json
    import sys

    from toy import Document  # YOURS: the implementation to judge.

    # YOURS: what it can do. A law that needs more is skipped for it, and the report says so.
    CAPABILITIES = {
        "edits": ["put", "delete"],
        "objects": [],
        "scalars": ["null", "boolean", "int", "uint", "float", "string", "bytes", "timestamp"],
        "transports": ["merge", "document"],
        "features": ["save", "fork"],
    }
    INTRODUCTION = {"protocol": 1, "id": "template", "version": "1", "capabilities": CAPABILITIES}


    class Refusal(Exception):
        """The document does not accept an edit; it is as it was."""


    class Session:
        """Runs one program: one method for each instruction.

        A method returns its outcome as a list, or nothing for `["done"]`. One that raises becomes
        `["failed", why]`, and the next instruction is carried out all the same.
        """

        def __init__(self):
            self.documents = {}  # by the numbers that the harness gives out
            self.messages = {}
            self.slots = {}

        def create(self, number, actor):
            self.documents[number] = Document(actor)

        # YOURS: the edits. The toy has only the root, object 0.
        def edit(self, number, edit, makes=None):
            document = self.documents[number]
            try:
                self.carry_out(document, *edit)
            except Refusal as refusal:
                return ["refused", str(refusal)]
            return ["edited"]

        def carry_out(self, document, name, target, slot, value=None):
            if target != 0 or not isinstance(slot, str):
                raise Refusal("there is only the root, and it has keys")
            if name == "put":
                document.write(slot, value)  # A scalar is kept as it comes: ["int", "5"].
            elif name == "delete":
                if slot in document.show():
                    document.write(slot, None)
            else:
                raise Refusal(f"there is no edit {name}")

        # YOURS: close what your implementation calls a transaction. The toy has none.
        def commit(self, number):
            self.documents[number]

        def fork(self, number, origin, actor):
            self.documents[number] = self.documents[origin].fork(actor)

        def merge(self, number, origin):
            self.documents[number].take(self.documents[origin].log)

        def send(self, message, origin, to, transport, scope):
            # Kept as it is now: the document may go on before the message arrives.
            document = self.documents[origin]
            if transport == "document":
                self.messages[message] = document.save()
            else:
                self.messages[message] = document.fork("courier")
            return ["sent", 1]

        def deliver(self, message, number, part=None):
            kept = self.messages[message]
            other = Document.load(kept, "courier") if isinstance(kept, bytes) else kept
            self.documents[number].take(other.log)

        def save(self, number, slot):
            self.slots[slot] = self.documents[number].save()
            return ["saved"]

        def load(self, number, slot, actor):
            self.documents[number] = Document.load(self.slots[slot], actor)

        # YOURS: everything that the document shows. A value is [id or null, kind, text].
        def observe(self, number):
            shown = self.documents[number].show()
            keys = sorted(shown, key=lambda key: key.encode())  # by their UTF-8 bytes
            return ["observed", {"root": {"map": [[key, [None, *shown[key]]] for key in keys]}}]

        def outcome(self, name, *arguments):
            try:
                return getattr(self, name)(*arguments) or ["done"]
            except Exception as error:
                return ["failed", f"{type(error).__name__}: {error}"]


    def answer(request):
        if "start" in request:
            return {"started": INTRODUCTION}
        if "run" in request:
            session = Session()  # Nothing is kept from one program to the next.
            return {"ran": [session.outcome(*instruction) for instruction in request["run"]]}
        if "ping" in request:
            return {"pong": {}}
        return {"error": "there is no such request"}


    for line in sys.stdin.buffer:
        request = json.loads(line)
        if "stop" in request:
            break
        print(json.dumps({"n": request["n"], **answer(request)}), flush=True)

    """##

  private static let pythonToy = ##"""
    """A toy CRDT to learn on: a map of scalars in which the last writer of a key wins.

    A replica keeps a log of writes. Each has a clock, which is greater than any that its writer has
    seen, and the writer's name: together they are unique and totally ordered. A key shows what the
    greatest of its writes says. Logs are sets, so to merge is to unite.

    Replace this file by what you want to judge.
    """
    import json

    class Document:
        def __init__(self, writer):
            self.writer, self.clock, self.log = writer, 0, {}

        def write(self, key, value):
            """Writes a value, or deletes the key where the value is None."""
            self.clock += 1
            self.log[self.clock, self.writer] = (key, value)

        def show(self):
            """The keys and their values."""
            shown = {}
            for stamp in sorted(self.log):
                key, value = self.log[stamp]
                shown[key] = value
            return {key: value for key, value in shown.items() if value is not None}

        def take(self, log):
            """Takes in writes of others, in any order and any number of times."""
            self.log.update(log)
            self.clock = max([self.clock, *(clock for clock, _ in log)])

        def fork(self, writer):
            copy = Document(writer)
            copy.take(self.log)
            return copy

        def save(self):
            rows = [[clock, writer, key, value] for (clock, writer), (key, value) in
                    sorted(self.log.items())]
            return json.dumps(rows).encode()

        @staticmethod
        def load(saved, writer):
            document = Document(writer)
            rows = json.loads(saved)
            document.take({(clock, name): (key, value) for clock, name, key, value in rows})
            return document

    """##

  private static let javascriptAdapter = ##"""
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

  private static let rustMain = ##"""
    //! A template for adapters: a toy CRDT behind the line protocol, in Rust without crates.
    //!
    //! What you change is marked with "YOURS". The rest reads requests and writes answers, and may stay.

    mod json;

    use json::Json;
    use std::collections::{BTreeMap, HashMap};
    use std::io::{self, BufRead, Write};

    /// YOURS: the implementation to judge. This toy is a map of scalars in which the last writer of a key
    /// wins. A replica keeps a log of writes; each has a clock, greater than any that its writer has seen,
    /// and the writer's name. Logs are sets, so to merge is to unite.
    #[derive(Clone)]
    struct Document {
        writer: String,
        clock: u64,
        /// From clock and writer to the key and its value; none deletes the key.
        log: BTreeMap<(u64, String), (String, Option<Json>)>,
    }

    impl Document {
        fn new(writer: &str) -> Self {
            Document { writer: writer.to_string(), clock: 0, log: BTreeMap::new() }
        }

        fn write(&mut self, key: &str, value: Option<Json>) {
            self.clock += 1;
            self.log.insert((self.clock, self.writer.clone()), (key.to_string(), value));
        }

        /// The keys and their values, by the bytes of the keys.
        fn show(&self) -> BTreeMap<&str, &Json> {
            let mut shown = BTreeMap::new();
            for (key, value) in self.log.values() {
                match value {
                    Some(value) => shown.insert(key.as_str(), value),
                    None => shown.remove(key.as_str()),
                };
            }
            shown
        }

        /// Takes in writes of others, in any order and any number of times.
        fn take(&mut self, other: &Document) {
            self.log.extend(other.log.clone());
            self.clock = self.log.keys().map(|(clock, _)| *clock).fold(self.clock, u64::max);
        }

        fn fork(&self, writer: &str) -> Self {
            Document { writer: writer.to_string(), ..self.clone() }
        }
    }

    /// YOURS: what it can do. A law that needs more is skipped for it, and the report says so.
    const INTRODUCTION: &str = r#"{"protocol":1,"id":"template","version":"1","capabilities":{"edits":["put","delete"],"objects":[],"scalars":["null","boolean","int","uint","float","string","bytes","timestamp"],"transports":["merge","document"],"features":["save","fork"]}}"#;

    /// Runs one program: documents, messages and slots by the numbers that the harness gives out.
    #[derive(Default)]
    struct Session {
        documents: HashMap<i64, Document>,
        messages: HashMap<i64, Document>,
        slots: HashMap<i64, Document>,
    }

    type Outcome = Result<Vec<Json>, String>;

    impl Session {
        fn at(&mut self, number: &Json) -> Result<&mut Document, String> {
            let number = number.number()?;
            self.documents.get_mut(&number).ok_or(format!("there is no document {number}"))
        }

        fn run(&mut self, instruction: &Json) -> Outcome {
            let parts = instruction.array()?;
            let name = parts.first().ok_or("an empty instruction")?.string()?;
            let get = |index: usize| parts.get(index).ok_or(format!("{name} lacks a part"));
            let done = Ok(vec![Json::text("done")]);
            match name {
                "create" => {
                    self.documents.insert(get(1)?.number()?, Document::new(get(2)?.string()?));
                    done
                }
                "edit" => {
                    let document = self.at(get(1)?)?;
                    Ok(match edit(document, get(2)?.array()?) {
                        Ok(()) => vec![Json::text("edited")],
                        Err(why) => vec![Json::text("refused"), Json::text(&why)],
                    })
                }
                // YOURS: close what your implementation calls a transaction. The toy has none.
                "commit" => self.at(get(1)?).and(done),
                "fork" => {
                    let copy = self.at(get(2)?)?.fork(get(3)?.string()?);
                    self.documents.insert(get(1)?.number()?, copy);
                    done
                }
                "merge" => {
                    let other = self.at(get(2)?)?.clone();
                    self.at(get(1)?)?.take(&other);
                    done
                }
                // Kept as it is now: the document may go on before the message arrives.
                // YOURS: with the transport "document", the saved bytes.
                "send" => {
                    let copy = self.at(get(2)?)?.clone();
                    self.messages.insert(get(1)?.number()?, copy);
                    Ok(vec![Json::text("sent"), Json::Number(1)])
                }
                "deliver" => {
                    let kept = self.messages.get(&get(1)?.number()?).ok_or("no such message")?.clone();
                    self.at(get(2)?)?.take(&kept);
                    done
                }
                // YOURS: the saved bytes.
                "save" => {
                    let copy = self.at(get(1)?)?.clone();
                    self.slots.insert(get(2)?.number()?, copy);
                    Ok(vec![Json::text("saved")])
                }
                "load" => {
                    let kept = self.slots.get(&get(2)?.number()?).ok_or("nothing was saved there")?;
                    let loaded = kept.fork(get(3)?.string()?);
                    self.documents.insert(get(1)?.number()?, loaded);
                    done
                }
                // YOURS: everything that the document shows. A value is [id or null, kind, text].
                "observe" => {
                    let mut map = Vec::new();
                    for (key, value) in self.at(get(1)?)?.show() {
                        let mut shown = vec![Json::Null];
                        shown.extend(value.array()?.iter().cloned());
                        map.push(Json::Array(vec![Json::text(key), Json::Array(shown)]));
                    }
                    let root = Json::object("map", Json::Array(map));
                    Ok(vec![Json::text("observed"), Json::object("root", root)])
                }
                _ => Err(format!("there is no instruction {name}")),
            }
        }
    }

    /// YOURS: the edits; an error is the reason why the document does not accept one. The toy has only the
    /// root, object 0.
    fn edit(document: &mut Document, parts: &[Json]) -> Result<(), String> {
        let (name, target, slot) = match parts {
            [name, target, slot, ..] => (name.string()?, target.number()?, slot.string()),
            _ => return Err("an edit has a name, an object and a slot".to_string()),
        };
        let key = slot.ok().filter(|_| target == 0).ok_or("there is only the root, and it has keys")?;
        match (name, parts.get(3)) {
            // A scalar is kept as it comes: ["int", "5"].
            ("put", Some(value)) => document.write(key, Some(value.clone())),
            ("delete", _) if document.show().contains_key(key) => document.write(key, None),
            ("delete", _) => (),
            _ => return Err(format!("there is no edit {name}")),
        }
        Ok(())
    }

    /// The answer's members after its number.
    fn answer(request: &Json) -> String {
        if request.get("start").is_some() {
            return format!("\"started\":{INTRODUCTION}");
        }
        if let Some(Json::Array(program)) = request.get("run") {
            let mut session = Session::default(); // Nothing is kept from one program to the next.
            let outcomes = program.iter().map(|instruction| {
                let failed = |why: String| vec![Json::text("failed"), Json::text(&why)];
                Json::Array(session.run(instruction).unwrap_or_else(failed))
            });
            return format!("\"ran\":{}", Json::Array(outcomes.collect()));
        }
        if request.get("ping").is_some() {
            return "\"pong\":{}".to_string();
        }
        "\"error\":\"there is no such request\"".to_string()
    }

    fn main() -> Result<(), Box<dyn std::error::Error>> {
        for line in io::stdin().lock().split(b'\n') {
            let line = String::from_utf8(line?)?;
            // A line that is no request ends the program.
            let request = json::parse(&line)?;
            if request.get("stop").is_some() {
                break;
            }
            let number = request.get("n").ok_or("a request has a number")?.number()?;
            let mut output = io::stdout().lock();
            writeln!(output, "{{\"n\":{number},{}}}", answer(&request))?;
            output.flush()?;
        }
        Ok(())
    }

    """##

  private static let rustJSON = ##"""
    //! As much of JSON as the line protocol needs: no fractions. Take `serde_json` instead if you like.

    use std::fmt;

    #[derive(Clone, Debug)]
    pub enum Json {
        Null,
        Bool(bool),
        Number(i64),
        String(String),
        Array(Vec<Json>),
        Object(Vec<(String, Json)>),
    }

    impl Json {
        pub fn text(text: &str) -> Json {
            Json::String(text.to_string())
        }

        pub fn object(name: &str, value: Json) -> Json {
            Json::Object(vec![(name.to_string(), value)])
        }

        pub fn number(&self) -> Result<i64, String> {
            if let Json::Number(number) = self { Ok(*number) } else { Err(format!("no number: {self}")) }
        }

        pub fn string(&self) -> Result<&str, String> {
            if let Json::String(text) = self { Ok(text) } else { Err(format!("no string: {self}")) }
        }

        pub fn array(&self) -> Result<&[Json], String> {
            if let Json::Array(values) = self { Ok(values) } else { Err(format!("no array: {self}")) }
        }

        pub fn get(&self, name: &str) -> Option<&Json> {
            let Json::Object(members) = self else { return None };
            members.iter().find(|(key, _)| key == name).map(|(_, value)| value)
        }
    }

    impl fmt::Display for Json {
        fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
            match self {
                Json::Null => out.write_str("null"),
                Json::Bool(value) => write!(out, "{value}"),
                Json::Number(value) => write!(out, "{value}"),
                Json::String(text) => quote(text, out),
                Json::Array(values) => {
                    out.write_str("[")?;
                    for (index, value) in values.iter().enumerate() {
                        write!(out, "{}{value}", if index > 0 { "," } else { "" })?;
                    }
                    out.write_str("]")
                }
                Json::Object(members) => {
                    out.write_str("{")?;
                    for (index, (name, value)) in members.iter().enumerate() {
                        out.write_str(if index > 0 { "," } else { "" })?;
                        quote(name, out)?;
                        write!(out, ":{value}")?;
                    }
                    out.write_str("}")
                }
            }
        }
    }

    fn quote(text: &str, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str("\"")?;
        for scalar in text.chars() {
            match scalar {
                '"' => out.write_str("\\\"")?,
                '\\' => out.write_str("\\\\")?,
                scalar if scalar < ' ' => write!(out, "\\u{:04x}", scalar as u32)?,
                scalar => write!(out, "{scalar}")?,
            }
        }
        out.write_str("\"")
    }

    pub fn parse(text: &str) -> Result<Json, String> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(0)?;
        reader.skip();
        if reader.at < text.len() { Err(reader.wrong("the end")) } else { Ok(value) }
    }

    struct Reader<'a> {
        text: &'a str,
        at: usize,
    }

    impl Reader<'_> {
        fn wrong(&self, expected: &str) -> String {
            format!("expected {expected} at byte {}", self.at)
        }

        fn peek(&self) -> Option<char> {
            self.text[self.at..].chars().next()
        }

        fn skip(&mut self) {
            while matches!(self.peek(), Some(' ' | '\t' | '\n' | '\r')) {
                self.at += 1;
            }
        }

        fn takes(&mut self, word: &str) -> bool {
            let found = self.text[self.at..].starts_with(word);
            if found { self.at += word.len() }
            found
        }

        fn need(&mut self, word: &str) -> Result<(), String> {
            self.skip();
            if self.takes(word) { Ok(()) } else { Err(self.wrong(word)) }
        }

        fn value(&mut self, depth: usize) -> Result<Json, String> {
            if depth > 500 { return Err("nested too deeply".to_string()) }
            self.skip();
            for (word, value) in [("null", Json::Null), ("true", Json::Bool(true)), ("false", Json::Bool(false))] {
                if self.takes(word) { return Ok(value) }
            }
            match self.peek() {
                Some('"') => Ok(Json::String(self.string()?)),
                Some('[') => {
                    self.at += 1;
                    let mut values = Vec::new();
                    self.skip();
                    if self.takes("]") { return Ok(Json::Array(values)) }
                    loop {
                        values.push(self.value(depth + 1)?);
                        self.skip();
                        if self.takes("]") { return Ok(Json::Array(values)) }
                        self.need(",")?;
                    }
                }
                Some('{') => {
                    self.at += 1;
                    let mut members = Vec::new();
                    self.skip();
                    if self.takes("}") { return Ok(Json::Object(members)) }
                    loop {
                        self.skip();
                        let name = self.string()?;
                        self.need(":")?;
                        members.push((name, self.value(depth + 1)?));
                        self.skip();
                        if self.takes("}") { return Ok(Json::Object(members)) }
                        self.need(",")?;
                    }
                }
                _ => {
                    let rest = &self.text[self.at..];
                    let count = rest.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'-').count();
                    let number = rest[..count].parse().map_err(|_| self.wrong("a value"))?;
                    self.at += count;
                    Ok(Json::Number(number))
                }
            }
        }

        fn string(&mut self) -> Result<String, String> {
            if !self.takes("\"") { return Err(self.wrong("a string")) }
            let mut text = String::new();
            loop {
                let scalar = self.peek().ok_or_else(|| self.wrong("the string's end"))?;
                self.at += scalar.len_utf8();
                match scalar {
                    '"' => return Ok(text),
                    '\\' => text.push(self.escape()?),
                    scalar => text.push(scalar),
                }
            }
        }

        fn escape(&mut self) -> Result<char, String> {
            let sign = self.peek().ok_or_else(|| self.wrong("an escape"))?;
            self.at += sign.len_utf8();
            Ok(match sign {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                'b' => '\u{8}',
                'f' => '\u{c}',
                'u' => {
                    let mut unit = self.unit()?;
                    if (0xd800..0xdc00).contains(&unit) && self.takes("\\u") {
                        unit = 0x10000 + ((unit - 0xd800) << 10) + (self.unit()?.wrapping_sub(0xdc00) & 0x3ff);
                    }
                    char::from_u32(unit).ok_or_else(|| self.wrong("a scalar"))?
                }
                sign => sign,
            })
        }

        fn unit(&mut self) -> Result<u32, String> {
            let digits = self.text.get(self.at..self.at + 4).ok_or_else(|| self.wrong("four digits"))?;
            self.at += 4;
            u32::from_str_radix(digits, 16).map_err(|_| self.wrong("four digits"))
        }
    }

    """##

  private static let goMain = ##"""
    // A template for adapters: a toy CRDT behind the line protocol, in Go without modules.
    //
    // What you change is marked with "YOURS". The rest reads requests and writes answers, and may stay.
    package main

    import (
    	"bufio"
    	"encoding/json"
    	"errors"
    	"fmt"
    	"io"
    	"os"
    	"sort"
    )

    // Stamp is unique and totally ordered: a clock greater than any that its writer has seen, and the writer.
    type Stamp struct {
    	Clock  int
    	Writer string
    }

    // Write sets a key; a nil value deletes it.
    type Write struct {
    	Key   string
    	Value []string
    }

    // Document is YOURS: the implementation to judge. This toy is a map of scalars in which the last writer
    // of a key wins. A replica keeps a log of writes. Logs are sets, so to merge is to unite.
    type Document struct {
    	writer string
    	clock  int
    	log    map[Stamp]Write
    }

    func newDocument(writer string) *Document {
    	return &Document{writer: writer, log: map[Stamp]Write{}}
    }

    func (d *Document) write(key string, value []string) {
    	d.clock++
    	d.log[Stamp{d.clock, d.writer}] = Write{key, value}
    }

    func (d *Document) show() map[string][]string {
    	stamps := make([]Stamp, 0, len(d.log))
    	for stamp := range d.log {
    		stamps = append(stamps, stamp)
    	}
    	sort.Slice(stamps, func(i, j int) bool {
    		a, b := stamps[i], stamps[j]
    		return a.Clock < b.Clock || a.Clock == b.Clock && a.Writer < b.Writer
    	})
    	shown := map[string][]string{}
    	for _, stamp := range stamps {
    		if write := d.log[stamp]; write.Value == nil {
    			delete(shown, write.Key)
    		} else {
    			shown[write.Key] = write.Value
    		}
    	}
    	return shown
    }

    func (d *Document) take(log map[Stamp]Write) {
    	for stamp, write := range log {
    		d.log[stamp] = write
    		if stamp.Clock > d.clock {
    			d.clock = stamp.Clock
    		}
    	}
    }

    func (d *Document) fork(writer string) *Document {
    	copy := newDocument(writer)
    	copy.take(d.log)
    	return copy
    }

    // YOURS: what it can do. A law that needs more is skipped for it, and the report says so.
    const introduction = `{"protocol":1,"id":"template","version":"1","capabilities":{"edits":["put","delete"],"objects":[],"scalars":["null","boolean","int","uint","float","string","bytes","timestamp"],"transports":["merge","document"],"features":["save","fork"]}}`

    // Session runs one program: documents, messages and slots by the numbers that the harness gives out.
    type Session struct {
    	documents, messages, slots map[int]*Document
    }

    // Instruction is an array whose parts are read as what they should be.
    type Instruction []json.RawMessage

    func (in Instruction) read(index int, into any) error {
    	if index >= len(in) {
    		return errors.New("the instruction lacks a part")
    	}
    	return json.Unmarshal(in[index], into)
    }

    func (in Instruction) number(index int) (number int, err error) {
    	err = in.read(index, &number)
    	return
    }

    func (in Instruction) text(index int) (text string, err error) {
    	err = in.read(index, &text)
    	return
    }

    func (s *Session) at(in Instruction, index int) (*Document, error) {
    	number, err := in.number(index)
    	if err != nil {
    		return nil, err
    	}
    	if document := s.documents[number]; document != nil {
    		return document, nil
    	}
    	return nil, fmt.Errorf("there is no document %d", number)
    }

    func kept(store map[int]*Document, in Instruction, index int) (*Document, error) {
    	number, err := in.number(index)
    	if err == nil && store[number] == nil {
    		err = fmt.Errorf("nothing was kept under %d", number)
    	}
    	return store[number], err
    }

    func (s *Session) run(in Instruction) ([]any, error) {
    	done := []any{"done"}
    	name, err := in.text(0)
    	if err != nil {
    		return nil, err
    	}
    	switch name {
    	case "create", "fork", "load":
    		number, err := in.number(1)
    		if err != nil {
    			return nil, err
    		}
    		source, last := newDocument(""), 2
    		if name == "fork" {
    			source, err = s.at(in, 2)
    			last = 3
    		} else if name == "load" {
    			source, err = kept(s.slots, in, 2)
    			last = 3
    		}
    		if err != nil {
    			return nil, err
    		}
    		actor, err := in.text(last)
    		if err != nil {
    			return nil, err
    		}
    		s.documents[number] = source.fork(actor)
    		return done, nil
    	case "edit":
    		document, err := s.at(in, 1)
    		if err != nil {
    			return nil, err
    		}
    		var edit Instruction
    		if err := in.read(2, &edit); err != nil {
    			return nil, err
    		}
    		if err := carryOut(document, edit); err != nil {
    			return []any{"refused", err.Error()}, nil
    		}
    		return []any{"edited"}, nil
    	case "commit": // YOURS: close what your implementation calls a transaction. The toy has none.
    		_, err := s.at(in, 1)
    		return done, err
    	case "merge":
    		document, err := s.at(in, 1)
    		if err != nil {
    			return nil, err
    		}
    		other, err := s.at(in, 2)
    		if err != nil {
    			return nil, err
    		}
    		document.take(other.log)
    		return done, nil
    	case "send": // Kept as it is now. YOURS: with the transport "document", the saved bytes.
    		document, err := s.at(in, 2)
    		if err != nil {
    			return nil, err
    		}
    		number, err := in.number(1)
    		s.messages[number] = document.fork("courier")
    		return []any{"sent", 1}, err
    	case "deliver":
    		message, err := kept(s.messages, in, 1)
    		if err != nil {
    			return nil, err
    		}
    		document, err := s.at(in, 2)
    		if err != nil {
    			return nil, err
    		}
    		document.take(message.log)
    		return done, nil
    	case "save": // YOURS: the saved bytes.
    		document, err := s.at(in, 1)
    		if err != nil {
    			return nil, err
    		}
    		number, err := in.number(2)
    		s.slots[number] = document.fork("courier")
    		return []any{"saved"}, err
    	case "observe":
    		document, err := s.at(in, 1)
    		if err != nil {
    			return nil, err
    		}
    		return []any{"observed", observation(document)}, nil
    	}
    	return nil, fmt.Errorf("there is no instruction %s", name)
    }

    // YOURS: the edits; an error is the reason why the document does not accept one. The toy has only the
    // root, object 0.
    func carryOut(document *Document, edit Instruction) error {
    	name, _ := edit.text(0)
    	target, err := edit.number(1)
    	key, notKey := edit.text(2)
    	if err != nil || notKey != nil || target != 0 {
    		return errors.New("there is only the root, and it has keys")
    	}
    	switch name {
    	case "put": // A scalar is kept as it comes: ["int", "5"].
    		var value []string
    		if err := edit.read(3, &value); err != nil {
    			return err
    		}
    		document.write(key, value)
    	case "delete":
    		if _, isThere := document.show()[key]; isThere {
    			document.write(key, nil)
    		}
    	default:
    		return fmt.Errorf("there is no edit %s", name)
    	}
    	return nil
    }

    // YOURS: everything that the document shows. A value is [id or null, kind, text].
    func observation(document *Document) any {
    	shown := document.show()
    	keys := make([]string, 0, len(shown))
    	for key := range shown {
    		keys = append(keys, key)
    	}
    	sort.Strings(keys) // by their UTF-8 bytes
    	rows := []any{}
    	for _, key := range keys {
    		value := []any{nil}
    		for _, part := range shown[key] {
    			value = append(value, part)
    		}
    		rows = append(rows, []any{key, value})
    	}
    	return map[string]any{"root": map[string]any{"map": rows}}
    }

    func answer(request map[string]json.RawMessage) map[string]any {
    	answer := map[string]any{"n": request["n"]}
    	var program []Instruction
    	if request["start"] != nil {
    		answer["started"] = json.RawMessage(introduction)
    	} else if run := request["run"]; run != nil && json.Unmarshal(run, &program) == nil {
    		// Nothing is kept from one program to the next.
    		session := Session{map[int]*Document{}, map[int]*Document{}, map[int]*Document{}}
    		outcomes := []any{}
    		for _, instruction := range program {
    			outcome, err := session.run(instruction)
    			if err != nil {
    				outcome = []any{"failed", err.Error()}
    			}
    			outcomes = append(outcomes, outcome)
    		}
    		answer["ran"] = outcomes
    	} else if request["ping"] != nil {
    		answer["pong"] = map[string]any{}
    	} else {
    		answer["error"] = "there is no such request"
    	}
    	return answer
    }

    func main() {
    	input := bufio.NewReader(os.Stdin)
    	for {
    		line, err := input.ReadBytes('\n')
    		if err == io.EOF {
    			return
    		}
    		var request map[string]json.RawMessage
    		if err != nil || json.Unmarshal(line, &request) != nil {
    			os.Exit(1)
    		}
    		if request["stop"] != nil {
    			return
    		}
    		text, err := json.Marshal(answer(request))
    		if err != nil {
    			os.Exit(1)
    		}
    		os.Stdout.Write(append(text, '\n'))
    	}
    }

    """##
}
