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
