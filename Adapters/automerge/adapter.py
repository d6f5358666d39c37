"""The real Automerge as an adapter of the line protocol: Rust core 0.5.7, wheel 1.0.0rc1."""
import functools, json, os, struct, sys, time
from datetime import datetime, timedelta, timezone
# The binding gives timestamps in local time; a backtrace of each panic would take long.
os.environ.update(TZ="UTC", RUST_BACKTRACE="0")
time.tzset()
from automerge.core import ROOT, Document, ExpandMark, ObjType, ScalarType as Type  # noqa: E402
import patches, syncing  # noqa: E402
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
EXPANSIONS = {"before": ExpandMark.Before, "after": ExpandMark.After, "both": ExpandMark.Both,
              "none": ExpandMark.Neither}
OBJECTS = {"map": ObjType.Map, "list": ObjType.List, "text": ObjType.Text}
# For each kind: the binding's type, the value of a text, the text of a value. The binding adds a
# few microseconds to a timestamp, which rounding takes away; it has the years 1 to 9999 only.
SCALARS = {
    "null": (Type.Null, lambda text: None, None),
    "boolean": (Type.Boolean, lambda text: text == "true", lambda value: str(value).lower()),
    "int": (Type.Int, int, str),
    "uint": (Type.Uint, int, str),
    "float": (Type.F64, lambda text: struct.unpack(">d", bytes.fromhex(text))[0],
              lambda value: struct.pack(">d", value).hex()),
    "string": (Type.Str, str, str),
    "bytes": (Type.Bytes, bytes.fromhex, lambda value: bytes(value).hex()),
    "timestamp": (Type.Timestamp, lambda text: EPOCH + timedelta(milliseconds=int(text)), 
                  lambda value: str(round(value.replace(tzinfo=timezone.utc).timestamp() * 1000))),
}
READERS = {str(native): (kind, text) for kind, (native, _, text) in SCALARS.items()}
INTRODUCTION = {"protocol": 1, "id": "automerge", "version": "0.5.7", "capabilities": {
    "edits": "put putObject insert insertObject delete increment splice spliceText mark".split(),
    "objects": list(OBJECTS), "scalars": list(SCALARS), "transports": ["merge", "document"],
    "features": ["heads", "operationIDs", "history", "save", "fork", "contiguousRuns",
                 "automergeSemantics", "counterBase", "sync", "patches", "conflictPatches"]}}

@functools.lru_cache(maxsize=4096)
def op_id(native):
    """The bytes `10 length actor index counter`, the last two in LEB128, as `counter@actor`."""
    actor, rest = native[2:2 + native[1]], native[2 + native[1]:]
    counter = rest[next(i for i, byte in enumerate(rest) if byte < 128) + 1:]
    return f"{sum((byte & 127) << 7 * i for i, byte in enumerate(counter))}@{actor.hex()}"

def shown(doc, native, heads=None):
    """An object; of a conflict only the winner, which is all that the binding shows."""
    kind, head = doc.object_type(native), {"id": "_root" if native == ROOT else op_id(native)}
    if kind == ObjType.Map:
        head["map"] = [[key, entry(doc, native, key, heads)] for key in doc.keys(native, heads)]
    else:
        head["list"] = [register(doc, *found, heads) for found in doc.values(native, heads)]
        marks = sorted(doc.marks(native, heads), key=lambda mark: (mark.name.encode(), mark.start))
        head["marks"] = [[mark.start, mark.end, mark.name, *scalar(mark.value)] for mark in marks]
    if kind == ObjType.Text:
        head.update(elements=head.pop("list"), text=doc.text(native, heads),
                    length=doc.length(native, heads))
    return head

def entry(doc, native, key, heads):
    try:
        found = doc.get(native, key, heads)
    except BaseException as panic:  # Reading a counter panics; the document is as good as before.
        if str(panic) != "not yet implemented":
            raise
        return [None, "hidden", "counter"]
    return register(doc, *found, heads)

def register(doc, value, native, heads):
    if not isinstance(value, tuple):
        return [op_id(native), "object", shown(doc, native, heads)]
    return [op_id(native), *scalar(value)]

def scalar(value):
    kind, text = READERS[str(value[0])]
    return [kind, text(value[1])] if text else [kind]

def calls(name, slot, rest, kind):
    """The binding's calls that make an edit; it has no splice: deletes and inserts make one."""
    if name in ("putObject", "insertObject"):
        return [(name.replace("O", "_o"), slot, OBJECTS[rest[0]])]
    if name in ("delete", "increment"):
        return [(name, slot, *map(int, rest))]
    if name in ("put", "insert"):
        return [(name, slot, SCALARS[rest[0][0]][0], SCALARS[rest[0][0]][1](rest[0][-1]))]
    if name == "mark":
        end, label, value, expand = rest
        native, read, _ = SCALARS[value[0]]
        return [(name, slot, end, label, native, read(value[-1]), EXPANSIONS[expand])]
    if kind != OBJECTS["text" if name == "spliceText" else "list"]:
        raise ValueError(f"{name} does not fit {kind}")
    values = rest[1] if name == "splice" else [("string", letter) for letter in rest[1]]
    return [("delete", slot)] * rest[0] + [
        calls("insert", slot + i, [value], kind)[0] for i, value in enumerate(values)]

class Session:
    """Runs one program: a method an instruction, which returns an outcome or something else."""
    def __init__(self):
        self.docs, self.open, self.objects = {}, {}, {0: ROOT}
        self.messages, self.slots, self.marks = {}, {}, {}
    def keep(self, number, doc, actor):
        doc.set_actor(bytes.fromhex(actor))
        self.commit(number)  # The core crashes if a transaction outlives its document.
        self.docs[number] = doc
    def commit(self, number):
        if number in self.open:
            self.open.pop(number).__exit__(None, None, None)
        return self.docs.get(number)
    def create(self, number, actor):
        self.keep(number, Document(), actor)
    def base(self, number, base):
        saved = bytes.fromhex(base.get("saved", ""))
        self.keep(number, Document.load(saved) if saved else Document(), base["actor"])
        for edit in base["edits"] if not saved else []:
            self.edit(number, *edit)
        self.commit(number)
    def fork(self, number, origin, actor):
        self.keep(number, self.commit(origin).fork(), actor)
    def edit(self, number, edit, makes=None):
        (name, target, slot, *rest), done, made = edit, 0, None
        if target not in self.objects: return "refused", f"there is no object {target}"
        native, doc = self.objects[target], self.docs[number]
        writer = self.open[number] = self.open.get(number) or doc.transaction().__enter__()
        try:
            for call, *arguments in calls(name, slot, rest, doc.object_type(native)):
                made = getattr(writer, call)(native, *arguments)
                done += 1
        except Exception as refusal:  # A splice that stops half-way is no refusal.
            return "failed" if done else "refused", str(refusal)
        self.objects[makes] = made
        return ("edited", op_id(made)) if made else ("edited",)
    def merge(self, number, origin):
        self.commit(number).merge(self.commit(origin).fork())  # A copy: both may be one document.
    def send(self, message, origin, _to, transport, _scope):
        doc = self.commit(origin)
        self.messages[message] = {"merge": doc.fork, "document": doc.save}[transport]()
        return "sent", 1
    def deliver(self, message, number, _part=None):
        kept = self.messages[message]
        self.commit(number).merge(Document.load(kept) if isinstance(kept, bytes) else kept)
    def save(self, number, slot):
        self.slots[slot] = self.commit(number).save()
        return "saved", self.slots[slot].hex()
    def load(self, number, slot, actor):
        self.keep(number, Document.load(self.slots[slot]), actor)
    def observe(self, number, mark=None):
        heads = self.marks[mark] = self.commit(number).get_heads()
        hashes = ["automerge", *(head.hex() for head in heads)]
        return "observed", {"root": shown(self.docs[number], ROOT), "heads": hashes}
    remember = observe
    def recall(self, number, mark):
        return "observed", {"root": shown(self.docs[number], ROOT, self.marks[mark])}
    def difference(self, number, before, after):
        heads = self.marks[before], self.marks[after]
        return "patches", patches.difference(self.commit(number), *heads)
    def sync(self, left, right, fates):
        both = [self.commit(left), self.commit(right)]
        (self.docs[left], self.docs[right]), rounds = syncing.session(both, fates)
        return "synced", rounds
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
        for number in list(session.open): session.commit(number)
    elif "start" in request or "ping" in request:
        answer = {"started" if "start" in request else "pong": INTRODUCTION}
    print(json.dumps({"n": request["n"], **answer}, separators=(",", ":")), flush=True)
