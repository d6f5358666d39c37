"""Yjs in Rust (yrs), by the Python package pycrdt."""
from pycrdt import Array, Doc, Map, Text


class Replica:
    """One document with a text, a list and a map at its root, and its open transaction."""

    automerge_bytes = False

    def __init__(self, actor=None):
        self.doc = Doc(client_id=actor) if actor is not None else Doc()
        self.text = self.doc.get("text", type=Text)
        self.list = self.doc.get("list", type=Array)
        self.map = self.doc.get("map", type=Map)
        self.transaction = None
        self.insert, self.list_insert = self.text.insert, self.list.insert

    def open(self):
        self.transaction = self.doc.transaction()
        self.transaction.__enter__()

    def commit(self):
        self.transaction.__exit__(None, None, None)
        self.transaction = None

    def make_text(self, name):
        pass

    make_list = make_map = make_text

    def delete(self, at, count):
        del self.text[at:at + count]

    def put(self, key, number):
        self.map[key] = number

    def get(self, key):
        return self.map[key]

    def content(self):
        return str(self.text)

    def length(self):
        return len(self.text)

    def list_length(self):
        return len(self.list)

    def list_values(self):
        return self.list.to_py()

    def fork(self, actor):
        copy = Replica(actor)
        copy.doc.apply_update(self.doc.get_update())
        return copy

    def merge(self, other):
        self.doc.apply_update(other.doc.get_update(self.doc.get_state()))

    def version(self):
        return self.doc.get_state()

    def update_since(self, version):
        return self.doc.get_update(version)

    def apply(self, updates):
        with self.doc.transaction():
            for update in updates:
                self.doc.apply_update(update)

    def save(self):
        return self.doc.get_update()

    def load(self, saved):
        loaded = Replica()
        loaded.doc.apply_update(saved)
        return loaded
