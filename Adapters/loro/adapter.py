"""Loro as an adapter of the line protocol, through its Python binding `loro`."""
import json, os, struct, sys
os.environ["RUST_BACKTRACE"] = "0"  # A backtrace of each panic would take long.
from loro import (LORO_VERSION, ContainerType, CounterSpan, ExportMode, ID, IdSpan,  # noqa: E402
                  LoroCounter, LoroDoc, LoroMap, LoroMovableList, LoroText, ValueOrContainer)
OBJECTS = {"map": LoroMap, "list": LoroMovableList, "text": LoroText}
NUMBERS = range(-2**63, 2**63)
SCALARS = {
    "null": lambda: None, "boolean": lambda text: text == "true", "int": int, "string": str,
    "float": lambda text: struct.unpack(">d", bytes.fromhex(text))[0], "bytes": bytes.fromhex,
}
INTRODUCTION = {"protocol": 1, "id": "loro", "version": LORO_VERSION, "capabilities": {
    "edits": "put putObject insert insertObject delete increment splice spliceText".split(),
    "objects": list(OBJECTS), "scalars": [*SCALARS, "counter"],
    "transports": ["merge", "document", "changes"],
    "features": ["heads", "history", "save", "fork", "contiguousRuns"]}}

class Refusal(Exception):
    """The edit does not fit what is there."""

def shown(container):
    """An object; Loro's own ids are not Automerge's, and it shows no conflicts."""
    if isinstance(container, LoroMap):
        keys = sorted(container.keys(), key=lambda key: key.encode())
        return {"map": [[key, register(container.get(key))] for key in keys]}
    if isinstance(container, LoroMovableList):
        return {"list": [register(container.get(i)) for i in range(len(container))]}
    return {"text": container.to_string(), "length": container.len_unicode}

def register(found):
    value = inner(found)
    if isinstance(value, LoroCounter):  # A float: one out of range is no counter of the harness.
        exact = int(value.value)
        return [None, "counter", str(exact)] if exact in NUMBERS else scalar(value.value)
    return [None, "object", shown(value)] if holds_container(found) else scalar(value)

def scalar(value):
    if value is None:
        return [None, "null"]
    if isinstance(value, bool):
        return [None, "boolean", str(value).lower()]
    kind = {int: "int", float: "float", str: "string"}.get(type(value), "bytes")
    text = {"float": lambda: struct.pack(">d", value).hex(), "bytes": lambda: bytes(value).hex()}
    return [None, kind, text.get(kind, lambda: str(value))()]

def holds_container(found):
    return ValueOrContainer.is_container(found)

def inner(found):
    return found.container if holds_container(found) else found.value

def write(container, slot, value, inserts):
    """Writes a scalar, or a new container, which is returned."""
    kind, *text = value
    is_map = isinstance(container, LoroMap)
    if isinstance(container, LoroText):
        if kind != "string":
            raise Refusal(f"a text holds no {kind}")
        if not inserts:
            container.delete(slot, 1)
        return container.insert(slot, text[0])
    made = LoroCounter() if kind == "counter" else OBJECTS[kind]() if kind in OBJECTS else None
    if made is None:
        call = container.insert if is_map or inserts else container.set
        return call(slot, SCALARS[kind](*text))
    call = container.insert_container if is_map or inserts else container.set_container
    made = call(slot, made)
    if kind == "counter":
        made.increment(float(text[0]))
    return made

class Session:
    """Runs one program: a method an instruction, which returns an outcome or something else."""
    def __init__(self):
        self.docs, self.objects, self.slots, self.marks = {}, {}, {}, {}
        # All changes, each as `(generation, actor, peer, end, update)`, by which parts are ordered.
        self.changes, self.actors, self.ends, self.lives = [], {}, {}, {}
        self.messages, self.sent = {}, {}
    def keep(self, number, doc, actor):
        """A peer of its own for each life of a writer, as Loro asks for: see README.md."""
        life = self.lives[actor] = self.lives.get(actor, -1) + 1
        doc.peer_id = (int(actor[:4], 16) << 20) + life
        doc.set_change_merge_interval(0)
        self.docs[number], self.actors[number] = doc, actor
    def commit(self, number):
        doc = self.docs[number]
        doc.commit()
        peer, last = doc.peer_id, doc.oplog_vv.get_last(doc.peer_id)
        start, end = self.ends.get(peer, 0), 0 if last is None else last + 1
        if end > start:
            self.ends[peer] = end
            update = doc.export(
                ExportMode.UpdatesInRange([IdSpan(peer, CounterSpan(start, end))]))
            known = doc.oplog_vv
            generation = 1 + max((c[0] for c in self.changes if includes(known, c)), default=0)
            self.changes.append((generation, self.actors[number], peer, end, update))
        return doc
    def create(self, number, actor):
        self.keep(number, LoroDoc(), actor)
    def base(self, number, base):
        self.create(number, base["actor"])
        for edit in base["edits"]:
            self.edit(number, *edit)
        self.commit(number)
    def fork(self, number, origin, actor):
        self.keep(number, self.commit(origin).fork(), actor)
    def container(self, number, name):
        doc = self.docs[number]
        if name == 0:
            return doc.get_map("root")
        found = doc.get_container(self.objects[name]) if name in self.objects else None
        if found is None:
            raise Refusal(f"there is no object {name}")
        return found
    def edit(self, number, edit, makes=None):
        name, target, slot, *rest = edit
        try:
            made = self.carry_out(name, self.container(number, target), slot, rest)
        except BaseException as refusal:  # Loro's own errors are none of Python's exceptions.
            return "refused", str(refusal)
        if makes is not None:
            self.objects[makes] = made.id
        return ("edited",)
    def carry_out(self, name, container, slot, rest):
        if isinstance(container, LoroMap) != isinstance(slot, str):
            raise Refusal("a map has keys, all else has positions")
        if name in ("putObject", "insertObject"):
            return write(container, slot, rest, name == "insertObject")
        if name in ("put", "insert"):
            return write(container, slot, rest[0], name == "insert") and None
        if name == "delete":
            return container.delete(*([slot] if isinstance(slot, str) else [slot, 1]))
        if name == "increment":
            found = None if isinstance(container, LoroText) else container.get(slot)
            if not found or not isinstance(inner(found), LoroCounter):
                raise Refusal("there is no counter")
            return inner(found).increment(float(rest[0]))
        if isinstance(container, LoroText) != (name == "spliceText"):
            raise Refusal(f"{name} does not fit")
        size = container.len_unicode if name == "spliceText" else len(container)
        if slot + rest[0] > size:
            raise Refusal(f"there are only {size} elements")
        if rest[0]:
            container.delete(slot, rest[0])
        if name == "spliceText":
            return container.insert(slot, rest[1])
        for index, value in enumerate(rest[1]):
            write(container, slot + index, value, True)
    def merge(self, number, origin):
        doc, other = self.commit(number), self.commit(origin)
        doc.import_(other.export(ExportMode.Updates(doc.oplog_vv)))
    def send(self, message, origin, to, transport, scope):
        doc = self.commit(origin)
        if transport != "changes":
            mode = ExportMode.Snapshot() if transport == "document" else None
            self.messages[message] = [doc.export(mode or ExportMode.Updates(LoroDoc().oplog_vv))]
            return "sent", 1
        sent = self.sent.setdefault((origin, to), set())
        known, missing = doc.oplog_vv, self.commit(to).oplog_vv
        own = sorted(change for change in self.changes if includes(known, change))
        parts = [change for change in own if change not in sent] if scope == "unsent" else [
            change for change in own if not includes(missing, change)]
        sent.update(own)
        self.messages[message] = [update for *_, update in parts]
        return "sent", len(parts)
    def deliver(self, message, number, part=None):
        kept = self.messages[message]
        for update in kept if part is None else kept[part:part + 1]:
            self.commit(number).import_(update)
    def deliverReversed(self, message, number):
        for update in reversed(self.messages[message]):
            self.commit(number).import_(update)
    def save(self, number, slot):
        self.slots[slot] = self.commit(number).export(ExportMode.Snapshot())
        return "saved",
    def load(self, number, slot, actor):
        doc = LoroDoc()
        doc.import_(self.slots[slot])
        self.keep(number, doc, actor)
    def observe(self, number, mark=None):
        root = shown(self.docs[number].get_map("root"))
        self.marks[mark] = self.commit(number).oplog_frontiers
        return "observed", {"root": root, "heads": ["loro", *heads_of(self.docs[number])]}
    remember = observe
    def recall(self, number, mark):
        doc = self.commit(number)
        doc.checkout(self.marks[mark])
        try:
            return "observed", {"root": shown(doc.get_map("root"))}
        finally:
            doc.checkout_to_latest()
    def outcome(self, name, *arguments):
        try:
            outcome = getattr(self, name)(*arguments)
        except BaseException as error:  # A panic of the core is none of Python's exceptions.
            outcome = "failed", f"{type(error).__name__}: {error}"
        return outcome if isinstance(outcome, tuple) else ("done",)

def heads_of(doc):
    """The ids in the encoded frontiers: their number, then peer and counter of each, in LEB128."""
    numbers, number, shift = [], 0, 0
    for byte in doc.oplog_frontiers.encode():
        number, shift = number | (byte & 127) << shift, shift + 7
        if byte < 128:
            numbers, number, shift = [*numbers, number], 0, 0
    return sorted(f"{end // 2}@{peer:x}" for peer, end in zip(numbers[1::2], numbers[2::2]))

def includes(version, change):
    *_, peer, end, _ = change
    return version.includes_id(ID(peer, end - 1))

for line in sys.stdin.buffer:
    if "stop" in (request := json.loads(line)): break
    answer = {"error": "there is no such request"}
    if "run" in request:
        session = Session()
        answer = {"ran": [session.outcome(*instruction) for instruction in request["run"]]}
    elif "start" in request or "ping" in request:
        answer = {"started" if "start" in request else "pong": INTRODUCTION}
    print(json.dumps({"n": request["n"], **answer}, separators=(",", ":")), flush=True)
