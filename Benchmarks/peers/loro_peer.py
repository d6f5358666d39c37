"""Loro, by its Python package."""
from loro import ExportMode, LoroDoc


class Replica:
    """One document with a text, a list and a map at its root."""

    automerge_bytes = False

    def __init__(self, actor=None, doc=None):
        self.doc = doc or LoroDoc()
        if actor is not None:
            self.doc.peer_id = actor
        self.commit = self.doc.commit
        text, self.list, self.map = (
            self.doc.get_text("text"), self.doc.get_list("list"), self.doc.get_map("map"))
        self.text, self.insert, self.delete = text, text.insert, text.delete
        self.list_insert, self.put = self.list.insert, self.map.insert

    def open(self):
        pass

    def make_text(self, name):
        pass

    make_list = make_map = make_text

    def get(self, key):
        return self.map.get(key).value

    def content(self):
        return self.text.to_string()

    def length(self):
        return self.text.len_unicode

    def list_length(self):
        return len(self.list)

    def list_values(self):
        return self.list.get_value()

    def fork(self, actor):
        return Replica(actor, self.doc.fork())

    def merge(self, other):
        self.doc.import_(other.doc.export(ExportMode.Updates(self.doc.oplog_vv)))

    def version(self):
        return self.doc.oplog_vv

    def update_since(self, version):
        return self.doc.export(ExportMode.Updates(version))

    def apply(self, updates):
        self.doc.import_batch(updates) if len(updates) > 1 else self.doc.import_(updates[0])

    def save(self):
        return self.doc.export(ExportMode.Snapshot())

    def load(self, saved):
        doc = LoroDoc()
        doc.import_(saved)
        return Replica(doc=doc)
