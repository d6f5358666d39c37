// long: the files of an adapter, each as one text.

extension AdapterTemplate {
  static let rustManifest = """
    [package]
    name = "template"
    version = "0.1.0"
    edition = "2021"

    """

  static let rustMain = ##"""
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

  static let rustJSON = ##"""
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
}
