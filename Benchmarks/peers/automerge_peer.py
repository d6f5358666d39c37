"""The real Automerge: the Rust core 0.5.7, by the Python wheel automerge 1.0.0rc1."""
from automerge.core import ROOT, Document, ExpandMark, ObjType, ScalarType, SyncState

INT, STRING = ScalarType.Int, ScalarType.Str


class Replica:
    """One document with at most a text, a list and a map, and its open transaction."""

    automerge_bytes = True

    def __init__(self, actor=None, doc=None):
        self.doc = doc or Document()
        if actor is not None:
            self.doc.set_actor(bytes([actor]) * 16)
        self.transaction = None
        self.text = self.list = self.map = None

    def open(self):
        self.transaction = self.doc.transaction().__enter__()

    def commit(self):
        self.transaction.__exit__(None, None, None)
        self.transaction = None

    def make_text(self, name):
        self.text = self.transaction.put_object(ROOT, name, ObjType.Text)

    def make_list(self, name):
        self.list = self.transaction.put_object(ROOT, name, ObjType.List)

    def make_map(self, name):
        """A map of that name; without one, the root."""
        self.map = self.transaction.put_object(ROOT, name, ObjType.Map) if name else ROOT

    def insert(self, at, string):
        for offset, letter in enumerate(string):
            self.transaction.insert(self.text, at + offset, STRING, letter)

    def delete(self, at, count):
        for _ in range(count):
            self.transaction.delete(self.text, at)

    def list_insert(self, at, number):
        self.transaction.insert(self.list, at, INT, number)

    def put(self, key, number):
        self.transaction.put(self.map, key, INT, number)

    def get(self, key):
        return self.doc.get(self.map, key)[0][1]

    def content(self):
        return self.doc.text(self.text)

    def length(self):
        return self.doc.length(self.text)

    def list_length(self):
        return self.doc.length(self.list)

    def list_values(self):
        return [value[1] for value, _ in self.doc.values(self.list)]

    def fork(self, actor):
        copy = Replica(actor, self.doc.fork())
        copy.text, copy.list, copy.map = self.text, self.list, self.map
        return copy

    def merge(self, other):
        self.doc.merge(other.doc)

    def heads(self):
        return "+".join(sorted(head.hex() for head in self.doc.get_heads()))

    def save(self):
        return self.doc.save()

    def load(self, saved):
        """A new replica from saved bytes, with the same objects."""
        loaded = Replica(doc=Document.load(saved))
        loaded.text, loaded.list, loaded.map = self.text, self.list, self.map
        return loaded

    def sync(self, other):
        states = SyncState(), SyncState()
        while True:
            spoke = False
            for side, peer in ((0, 1), (1, 0)):
                docs = self.doc, other.doc
                message = docs[side].generate_sync_message(states[side])
                if message is not None:
                    docs[peer].receive_sync_message(states[peer], message)
                    spoke = True
            if not spoke:
                return

    def mark(self, start, end, name, expands):
        expand = ExpandMark.Both if expands else ExpandMark.Neither
        self.transaction.mark(self.text, start, end, name, ScalarType.Boolean, True, expand)

    def marks(self):
        return len(self.doc.marks(self.text))

    def raw_heads(self):
        return self.doc.get_heads()

    def patch_count(self, before, after):
        return len(self.doc.diff(before, after))

    def change_bytes(self):
        return [change.raw_bytes for change in self.doc.get_changes([])]
