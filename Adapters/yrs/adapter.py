"""Yrs, the Rust port of Yjs, as an adapter of the line protocol, through its binding `pycrdt`."""
import importlib.metadata, json, os, struct, sys
os.environ["RUST_BACKTRACE"] = "0"  # A backtrace of each panic would take long.
from pycrdt import Array, Doc, Map, Text, merge_updates  # noqa: E402
OBJECTS = {"map": Map, "list": Array, "text": Text}
# Numbers are those of JavaScript: a whole one up to here is shown as an int, however it was written.
SAFE = range(-2**53 + 1, 2**53)
SCALARS = {
    "null": lambda: None, "boolean": lambda text: text == "true", "int": int, "string": str,
    "float": lambda text: struct.unpack(">d", bytes.fromhex(text))[0], "bytes": bytes.fromhex,
}
INTRODUCTION = {
    "protocol": 1, "id": "yrs", "version": f"pycrdt {importlib.metadata.version('pycrdt')}",
    "capabilities": {
        "edits": "put putObject insert insertObject delete splice spliceText".split(),
        "objects": list(OBJECTS), "scalars": list(SCALARS),
        "transports": ["merge", "document", "changes"],
        "features": ["save", "fork", "contiguousRuns"]}}

class Refusal(Exception):
    """The edit does not fit what is there."""

def shown(found):
    if isinstance(found, Map):
        keys = sorted(found.keys(), key=lambda key: key.encode())
        return {"map": [[key, register(found[key])] for key in keys]}
    if isinstance(found, Array):
        return {"list": [register(value) for value in found]}
    return {"text": str(found), "length": len(str(found))}

def register(value):
    """A value without an id; a map is the frame around an object: see `framed`."""
    if isinstance(value, Map):
        return [None, "object", shown(value["object"])]
    if value is None:
        return [None, "null"]
    if isinstance(value, bool):
        return [None, "boolean", str(value).lower()]
    if isinstance(value, int) or isinstance(value, float) and is_whole(value):
        return [None, "int", str(int(value))]
    if isinstance(value, float):
        return [None, "float", struct.pack(">d", value).hex()]
    if isinstance(value, str):
        return [None, "string", value]
    return [None, "bytes", bytes(value).hex()]

def is_whole(value):
    return value.is_integer() and int(value) in SAFE and str(value) != "-0.0"

def framed(name, kind):
    """An object as it is stored: in a map with its name, since Yrs tells no ids of objects."""
    return Map({"name": name, "object": OBJECTS[kind]()})

def find(place, name):
    """The object of a name, anywhere below `place`."""
    for value in place.values() if isinstance(place, Map) else place:
        if isinstance(value, Map):
            found = value["object"]
            if value["name"] != name:
                found = None if isinstance(found, Text) else find(found, name)
            if found is not None:
                return found

def units(text, start, count):
    """A range of Unicode scalars as Yrs counts it: in bytes of UTF-8."""
    first = len(text[:start].encode())
    return slice(first, first + len(text[start:start + count].encode()))

def splice(place, start, count, values):
    words = str(place) if isinstance(place, Text) else place
    if start + count > len(words):
        raise Refusal(f"there are only {len(words)} elements")
    if isinstance(place, Text):
        if not all(isinstance(value, str) for value in values):
            raise Refusal("a text holds only text")
        cut = units(words, start, count)
        if count:
            del place[cut]
        if "".join(values):
            place.insert(cut.start, "".join(values))
        return
    if count:
        del place[start:start + count]
    for offset, value in enumerate(values):
        place.insert(start + offset, value)

class Session:
    """Runs one program: a method an instruction, which returns an outcome or something else."""
    def __init__(self):
        self.docs, self.slots, self.messages, self.sent, self.lives = {}, {}, {}, {}, {}
        # All changes, each as `(generation, actor, update)`, by which parts are ordered.
        self.changes, self.actors, self.open, self.logs = [], {}, {}, {}
    def keep(self, number, actor, state=None, log=()):
        """A client id of its own for each life of a writer, as Yjs asks for: see README.md."""
        life = self.lives[actor] = self.lives.get(actor, -1) + 1
        doc = Doc(client_id=(int(actor[:4], 16) << 16) + life)
        doc.get("root", type=Map)
        if state:
            doc.apply_update(state)
        self.docs[number], self.actors[number] = doc, actor
        self.open[number], self.logs[number] = [], list(log)
    def commit(self, number):
        """Makes one change of the edits since the last; it is kept under its place in `changes`."""
        updates, self.open[number] = self.open[number], []
        if updates:
            log = self.logs[number]
            generation = 1 + max((self.changes[change][0] for change in log), default=0)
            log.append(len(self.changes))
            self.changes.append((generation, self.actors[number], merge_updates(*updates)))
        return self.docs[number]
    def create(self, number, actor):
        self.keep(number, actor)
    def base(self, number, base):
        self.keep(number, base["actor"])
        for edit in base["edits"]:
            self.edit(number, *edit)
        self.commit(number)
    def fork(self, number, origin, actor):
        self.keep(number, actor, self.commit(origin).get_update(), self.logs[origin])
    def edit(self, number, edit, makes=None):
        doc = self.docs[number]
        events = doc.observe(lambda event: self.open[number].append(event.update))
        try:
            with doc.transaction():
                self.carry_out(doc["root"], makes, *edit)
        except Exception as refusal:
            return "refused", str(refusal)
        finally:
            doc.unobserve(events)
        return ("edited",)
    def carry_out(self, root, makes, name, target, slot, *rest):
        place = find(root, target) if target else root
        if place is None:
            raise Refusal(f"there is no object {target}")
        if isinstance(place, Map) != isinstance(slot, str):
            raise Refusal("a map has keys, all else has positions")
        if name == "delete":
            return place.pop(slot, None) if isinstance(slot, str) else splice(place, slot, 1, [])
        if name == "spliceText":
            return splice(place, slot, rest[0], [rest[1]])
        if name == "splice":
            return splice(place, slot, rest[0], [SCALARS[kind](*text) for kind, *text in rest[1]])
        value = framed(makes, rest[0]) if name.endswith("Object") else SCALARS[rest[0][0]](
            *rest[0][1:])
        if isinstance(place, Map):
            place[slot] = value
        else:
            splice(place, slot, 1 if name.startswith("put") else 0, [value])
    def hear(self, number, log):
        self.logs[number] += [change for change in log if change not in self.logs[number]]
    def merge(self, number, origin):
        doc, other = self.commit(number), self.commit(origin)
        doc.apply_update(other.get_update(doc.get_state()))
        self.hear(number, list(self.logs[origin]))
    def send(self, message, origin, to, transport, scope):
        doc, log = self.commit(origin), list(self.logs[origin])
        if transport != "changes":
            self.messages[message] = [(doc.get_update(), log)]
            return "sent", 1
        self.commit(to)
        known = self.sent.setdefault((origin, to), set()) if scope == "unsent" else set(
            self.logs[to])
        parts = sorted((c for c in log if c not in known), key=lambda c: self.changes[c][:2])
        self.sent[origin, to] = set(log)
        self.messages[message] = [(self.changes[change][-1], [change]) for change in parts]
        return "sent", len(parts)
    def deliver(self, message, number, part=None):
        kept = self.messages[message]
        self.take(number, kept if part is None else kept[part:part + 1])
    def deliverReversed(self, message, number):
        self.take(number, reversed(self.messages[message]))
    def take(self, number, parts):
        for update, log in parts:
            self.commit(number).apply_update(update)
            self.hear(number, log)
    def save(self, number, slot):
        self.slots[slot] = self.commit(number).get_update(), list(self.logs[number])
        return "saved",
    def load(self, number, slot, actor):
        self.keep(number, actor, *self.slots[slot])
    def observe(self, number):
        root = shown(self.docs[number]["root"])
        self.commit(number)
        return "observed", {"root": root}
    def outcome(self, name, *arguments):
        try:
            outcome = getattr(self, name)(*arguments)
        except BaseException as error:  # A panic of the core is none of Python's exceptions.
            outcome = "failed", f"{type(error).__name__}: {error}"
        return outcome if isinstance(outcome, tuple) else ("done",)

for line in sys.stdin.buffer:
    if "stop" in (request := json.loads(line)): break
    answer = {"error": "there is no such request"}
    if "run" in request:
        session = Session()
        answer = {"ran": [session.outcome(*instruction) for instruction in request["run"]]}
    elif "start" in request or "ping" in request:
        answer = {"started" if "start" in request else "pong": INTRODUCTION}
    print(json.dumps({"n": request["n"], **answer}, separators=(",", ":")), flush=True)
