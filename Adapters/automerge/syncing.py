"""Sync sessions of the real Automerge: two documents, or one whose peer is elsewhere."""
import sys
from automerge.core import ROOT, Document, Message, SyncState

ROUND_LIMIT = 9


def session(docs, fates):
    """Syncs two documents whose first messages suffer the fates; gives both, and the rounds."""
    docs = list(docs)
    stored = [doc.fork() for doc in docs]
    states, late = [SyncState(), SyncState()], [None, None]

    def receive(side, data):
        docs[side].receive_sync_message(states[side], Message.decode(data))

    def speak(side, fate="deliver"):
        message, other = docs[side].generate_sync_message(states[side]), 1 - side
        if fate == "restart":
            docs[other], states[other], late[other] = stored[other].fork(), SyncState(), None
            return True
        if message is None:
            return False
        data = message.encode()
        if fate == "late":
            late[other] = data
        elif fate != "lose":
            for arriving in [data] * (2 if fate == "double" else 1) + [late[other]]:
                if arriving is not None:
                    receive(other, arriving)
            late[other] = None
        return True

    for turn, fate in enumerate(fates):
        speak(turn % 2, fate)
    # A new channel, on which nothing arrives from the old one. The binding stores no states: nothing is
    # taken for shared.
    states[:], late[:] = (SyncState(), SyncState()), (None, None)
    for rounds in range(ROUND_LIMIT + 1):
        if not any([speak(0), speak(1)]):
            return docs, rounds
    raise RuntimeError(f"the sync does not end within {ROUND_LIMIT} rounds")


def hears(doc, data, state=None):
    doc.receive_sync_message(state or SyncState(), Message.decode(data))
    return "done"


def answers(doc, data):
    state = SyncState()
    hears(doc, data, state)
    return str(next((n for n in range(50) if doc.generate_sync_message(state) is None), 50))


def reloads(doc, _):
    Document.load(doc.save())
    return "done"


def peer(lines):
    """One side of sessions with a peer elsewhere: lines of a word and hexadecimal bytes, each answered.

    load BYTES      a document, and a new state for its peer      done
    say             the next message                              BYTES, or nothing
    hear BYTES      takes in a message                            done
    heads           the heads, joined                             BYTES
    stranger BYTES  takes in a message of a peer of whom nothing is known      done, or refused
    answers BYTES   the same, and how many messages follow, at most 50         a number
    reload          saves and loads                                            done, or refused
    marks           those of the text at key t                    a line's text: start-end name=value ...
    """
    doc = state = None
    for line in lines:
        word, _, rest = line.strip().partition(" ")
        data, answer = bytes.fromhex(rest), "done"
        if word == "load":
            doc, state = Document.load(data) if data else Document(), SyncState()
        elif word == "say":
            message = doc.generate_sync_message(state)
            answer = "" if message is None else message.encode().hex()
        elif word == "hear":
            doc.receive_sync_message(state, Message.decode(data))
        elif word == "heads":
            answer = b"".join(sorted(doc.get_heads())).hex()
        elif word == "marks":
            text = doc.get(ROOT, "t")[1]
            answer = " ".join(sorted(
                f"{mark.start}-{mark.end} {mark.name}={mark.value[1]}" for mark in doc.marks(text)))
        elif word in ("stranger", "answers", "reload"):
            try:
                answer = {"stranger": hears, "answers": answers, "reload": reloads}[word](doc, data)
            except BaseException:  # A panic of the core is none of Python's exceptions.
                answer = "refused"
        else:
            answer = "unknown"
        print(answer, flush=True)


if __name__ == "__main__":
    peer(sys.stdin)
