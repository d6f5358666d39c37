"""Runs one workload with a peer: python3 run.py automerge|loro|pycrdt WORKLOAD.

Prints one JSON object: CPU milliseconds of the measured parts, and facts to check.
"""
import gzip
import hashlib
import json
import os
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MASK = (1 << 64) - 1
TIMES = {}
FACTS = {}


class SplitMix:
    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def below(self, n):
        return self.next() % n


class Timed:
    def __init__(self, name, times=1):
        self.name, self.times = name, times

    def __enter__(self):
        self.start = time.process_time()

    def __exit__(self, *error):
        TIMES[self.name] = (time.process_time() - self.start) * 1000 / self.times


def trace(name):
    with gzip.open(os.path.join(ROOT, "fixtures", "traces", name + ".json.gz")) as file:
        return json.load(file)


def edits():
    return [tuple(patch) for txn in trace("automerge-paper")["txns"] for patch in txn]


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


# ---------------------------------------------------------------- the Rust core, by its binding


def automerge(workload):
    import automerge.core as am
    root, kinds, scalar = am.ROOT, am.ObjType, am.ScalarType

    def heads(doc):
        return "+".join(sorted(h.hex() for h in doc.get_heads()))

    if workload == "w1":
        doc, list_of_edits = am.Document(bytes([1]) * 16), edits()
        with Timed("w1_replay"):
            with doc.transaction() as tx:
                text = tx.put_object(root, "text", kinds.Text)
                for at, deleted, inserted in list_of_edits:
                    for _ in range(deleted):
                        tx.delete(text, at)
                    for offset, letter in enumerate(inserted):
                        tx.insert(text, at + offset, scalar.Str, letter)
        FACTS["w1_heads"] = heads(doc)
        with Timed("w1_save", 3):
            for _ in range(3):
                saved = doc.save()
        with Timed("w1_text", 5):
            for _ in range(5):
                content = doc.text(text)
        FACTS["w1_text_sha256"] = sha256(content)
        with Timed("w1_load", 3):
            for _ in range(3):
                am.Document.load(saved)
    elif workload == "w4":
        doc, random = am.Document(bytes([1]) * 16), SplitMix(7)
        with Timed("w4_puts"):
            with doc.transaction() as tx:
                for number in range(100_000):
                    tx.put(root, "k%d" % random.below(1000), scalar.Int, number)
        FACTS["w4_heads"] = heads(doc)
        with Timed("w4_save"):
            saved = doc.save()
        with Timed("w4_load"):
            am.Document.load(saved)
    elif workload == "w5":
        for name, seed in (("push", None), ("random", 9)):
            doc, random = am.Document(bytes([1]) * 16), SplitMix(seed or 0)
            with Timed("w5_" + name):
                with doc.transaction() as tx:
                    target = tx.put_object(root, "list", kinds.List)
                    for number in range(100_000):
                        at = number if seed is None else random.below(number + 1)
                        tx.insert(target, at, scalar.Int, number)
            FACTS["w5_%s_heads" % name] = heads(doc)


# ---------------------------------------------------------------- loro


def loro(workload):
    import loro as library

    if workload == "w1":
        doc, list_of_edits = library.LoroDoc(), edits()
        with Timed("w1_replay"):
            text = doc.get_text("text")
            for at, deleted, inserted in list_of_edits:
                if deleted:
                    text.delete(at, deleted)
                if inserted:
                    text.insert(at, inserted)
            doc.commit()
        FACTS["w1_text_sha256"] = sha256(text.to_string())
        with Timed("w1_text", 5):
            for _ in range(5):
                text.to_string()
        with Timed("w1_save", 3):
            for _ in range(3):
                saved = doc.export(library.ExportMode.Snapshot())
        with Timed("w1_load", 3):
            for _ in range(3):
                library.LoroDoc().import_(saved)
    elif workload == "w4":
        doc, random = library.LoroDoc(), SplitMix(7)
        with Timed("w4_puts"):
            target = doc.get_map("map")
            for number in range(100_000):
                target.insert("k%d" % random.below(1000), number)
            doc.commit()
    elif workload == "w5":
        for name, seed in (("push", None), ("random", 9)):
            doc, random = library.LoroDoc(), SplitMix(seed or 0)
            with Timed("w5_" + name):
                target = doc.get_list("list")
                for number in range(100_000):
                    at = number if seed is None else random.below(number + 1)
                    target.insert(at, number)
                doc.commit()


# ---------------------------------------------------------------- yrs, by pycrdt


def pycrdt(workload):
    import pycrdt as library

    if workload == "w1":
        doc, list_of_edits = library.Doc(), edits()
        text = doc.get("text", type=library.Text)
        with Timed("w1_replay"):
            with doc.transaction():
                for at, deleted, inserted in list_of_edits:
                    if deleted:
                        del text[at:at + deleted]
                    if inserted:
                        text.insert(at, inserted)
        FACTS["w1_text_sha256"] = sha256(str(text))
        with Timed("w1_text", 5):
            for _ in range(5):
                str(text)
        with Timed("w1_save", 3):
            for _ in range(3):
                saved = doc.get_update()
        with Timed("w1_load", 3):
            for _ in range(3):
                library.Doc().apply_update(saved)
    elif workload == "w4":
        doc, random = library.Doc(), SplitMix(7)
        target = doc.get("map", type=library.Map)
        with Timed("w4_puts"):
            with doc.transaction():
                for number in range(100_000):
                    target["k%d" % random.below(1000)] = number


def main():
    {"automerge": automerge, "loro": loro, "pycrdt": pycrdt}[sys.argv[1]](sys.argv[2])
    print(json.dumps({"subject": sys.argv[1], "times": TIMES, "facts": FACTS}))


if __name__ == "__main__":
    main()
