extension AdapterTemplate {
  static let pythonAdapter = ##"""
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

  static let pythonToy = ##"""
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
}
