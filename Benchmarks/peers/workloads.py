"""The workloads, once for all peers: each is given a report to fill and a peer's `Replica`.

A peer that cannot do a part by its Python interface leaves it out, and so does one for which it
would take minutes.
"""
import os

from common import SplitMix, fixture, mutate, peak_of, repaired, sha256, trace

# What takes minutes: yrs walks over the pieces of a list or text that one transaction made.
SKIPS = {"pycrdt": {"w1_replay", "w5_push", "w5_random"}}


def edits():
    return [tuple(patch) for txn in trace("automerge-paper")["txns"] for patch in txn]


def keep(subject, name, saved):
    """Leaves a saved document for the measurement of memory, which is a process of its own."""
    folder = os.environ.get("BENCH_SAVED")
    if folder:
        with open(os.path.join(folder, "%s-%s.saved" % (subject, name)), "wb") as file:
            file.write(saved)


def w1(report, Replica):
    replica, work = Replica(1), edits()
    if "w1_replay" in SKIPS.get(report.subject, ()):
        commit_each(replica, work)
    else:
        insert, delete = replica.insert, replica.delete
        with report.timed("w1_replay"):
            replica.open()
            replica.make_text("text")
            for at, deleted, inserted in work:
                if deleted:
                    delete(at, deleted)
                if inserted:
                    insert(at, inserted)
            replica.commit()
    if Replica.automerge_bytes:
        report.facts["w1_heads"] = replica.heads()
    with report.timed("w1_save", 3):
        for _ in range(3):
            saved = replica.save()
    with report.timed("w1_text", 5):
        for _ in range(5):
            content = replica.content()
    report.facts["w1_text_sha256"] = sha256(content)
    report.facts["w1_bytes"] = str(len(saved))
    with report.timed("w1_fork", 3):
        for _ in range(3):
            replica.fork(2)
    with report.timed("w1_load", 3):
        for _ in range(3):
            replica.load(saved)
    with report.timed("w1_load_and_text", 3):
        for _ in range(3):
            replica.load(saved).content()
    keep(report.subject, "w1", saved)


def commit_each(replica, work):
    insert, delete = replica.insert, replica.delete
    replica.open()
    replica.make_text("text")
    is_open = True
    for at, deleted, inserted in work:
        if not is_open:
            replica.open()
        if deleted:
            delete(at, deleted)
        if inserted:
            insert(at, inserted)
        replica.commit()
        is_open = False


def w2(report, Replica):
    replica, work = Replica(1), edits()
    with report.timed("w2_replay"):
        commit_each(replica, work)
    if Replica.automerge_bytes:
        report.facts["w2_heads"] = replica.heads()
    with report.timed("w2_save", 1):
        saved = replica.save()
    report.facts["w2_text_sha256"] = sha256(replica.content())
    report.facts["w2_bytes"] = str(len(saved))
    with report.timed("w2_load", 1):
        loaded = replica.load(saved)
    with report.timed("w2_load_and_text", 1):
        replica.load(saved).content()
    if Replica.automerge_bytes:
        report.facts["w2_load_heads"] = loaded.heads()
        joined = b"".join(replica.change_bytes())
        report.facts["w2_chunk_bytes"] = str(len(joined))
        with report.timed("w2_load_incremental"):
            replica.load(joined)
    keep(report.subject, "w2", saved)


def memory(name):
    def run(report, Replica):
        folder = os.environ.get("BENCH_SAVED", "")
        with open(os.path.join(folder, "%s-%s.saved" % (report.subject, name)), "rb") as file:
            saved = file.read()
        empty = Replica(1)
        peak = peak_of(lambda: empty.load(saved))
        if peak is not None:
            report.times["%s_load_peak_mb" % name] = peak / 1024
    return run


def forks(Replica, runs):
    base = Replica(255)
    base.open()
    base.make_text("text")
    random = SplitMix(0xBA5E)
    base.insert(0, "".join(random.letter() for _ in range(10_000)))
    base.commit()
    found = []
    for number in range(10):
        fork = base.fork(number + 1)
        random, length = SplitMix((2000 if runs else 1000) + number), 10_000
        for count in range(50 if runs else 5_000):
            if runs:
                place = random.below(length + 1)
                for letter in range(100):
                    if letter % 10 == 0:
                        fork.open()
                    fork.insert(place + letter, random.letter())
                    if letter % 10 == 9:
                        fork.commit()
                length += 100
                continue
            if count % 10 == 0:
                fork.open()
            if random.below(4) == 0 and length > 0:
                fork.delete(random.below(length), 1)
                length -= 1
            else:
                place = random.below(length + 1)
                fork.insert(place, random.letter())
                length += 1
            if count % 10 == 9:
                fork.commit()
        found.append(fork)
    return found


def merge_tree(replicas):
    for stride in (1, 2, 4, 8):
        for left in range(0, 10 - stride, 2 * stride):
            replicas[left].merge(replicas[left + stride])


def w3(report, Replica):
    with report.timed("w3_build"):
        replicas = forks(Replica, False)
    copies = [replica.fork(100 + number) for number, replica in enumerate(replicas)]
    with report.timed("w3_merge_tree"):
        merge_tree(replicas)
    with report.timed("w3_merge_seq"):
        for copy in copies[1:]:
            copies[0].merge(copy)
    report.facts["w3_length"] = str(replicas[0].length())
    if Replica.automerge_bytes:
        report.facts["w3_heads_sha256"] = sha256(replicas[0].heads())
        report.facts["w3_seq_heads_sha256"] = sha256(copies[0].heads())
        report.facts["w3_text_sha256"] = sha256(replicas[0].content())
    with report.timed("w3_save"):
        saved = copies[0].save()
    report.facts["w3_bytes"] = str(len(saved))
    with report.timed("w3_load"):
        copies[0].load(saved)
    typed = forks(Replica, True)
    with report.timed("w3_merge_tree_runs"):
        merge_tree(typed)
    report.facts["w3_runs_length"] = str(typed[0].length())
    if Replica.automerge_bytes:
        report.facts["w3_runs_text_sha256"] = sha256(typed[0].content())


def w4(report, Replica):
    replica, random = Replica(1), SplitMix(7)
    work = [("k%d" % random.below(1000), number) for number in range(100_000)]
    put = replica.put
    with report.timed("w4_puts"):
        replica.open()
        replica.make_map(None)
        for key, number in work:
            put(key, number)
        replica.commit()
    if Replica.automerge_bytes:
        report.facts["w4_heads"] = replica.heads()
    with report.timed("w4_save"):
        saved = replica.save()
    report.facts["w4_bytes"] = str(len(saved))
    with report.timed("w4_load"):
        replica.load(saved)
    replica = Replica(1)
    with report.timed("w4_batched"):
        for start in range(0, 100_000, 100):
            replica.open()
            replica.make_map(None)
            for key, number in work[start:start + 100]:
                replica.put(key, number)
            replica.commit()
    if Replica.automerge_bytes:
        report.facts["w4_batched_heads"] = replica.heads()
    with report.timed("w4_get"):
        for key in range(1000):
            replica.get("k%d" % key)


def w5(report, Replica):
    for name, seed in (("push", None), ("random", 9)):
        if "w5_" + name in SKIPS.get(report.subject, ()):
            continue
        replica, random = Replica(1), SplitMix(seed or 0)
        places = [n if seed is None else random.below(n + 1) for n in range(100_000)]
        insert = replica.list_insert
        with report.timed("w5_" + name):
            replica.open()
            replica.make_list("list")
            for number, place in enumerate(places):
                insert(place, number)
            replica.commit()
        if Replica.automerge_bytes:
            report.facts["w5_%s_heads" % name] = replica.heads()
        if name == "push":
            saved = replica.save()
            with report.timed("w5_push_load"):
                replica.load(saved)
        with report.timed("w5_%s_read" % name):
            total = sum(int(value) for value in replica.list_values())
        report.facts["w5_sum"] = str(total)


def w6(report, Replica):
    if not hasattr(Replica, "sync"):
        return
    start = Replica(1)
    start.open()
    start.make_map(None)
    start.put("k", 0)
    start.commit()
    sides = []
    for number in range(2):
        side, random = start.fork(2 + number), SplitMix(60 + number)
        for count in range(1000):
            side.open()
            side.put("k%d" % random.below(1000), count)
            side.commit()
        sides.append(side)
    pairs = [(sides[0].fork(8), sides[1].fork(9)) for _ in range(5)]
    with report.timed("w6_sync", len(pairs)):
        for left, right in pairs:
            left.sync(right)
    report.facts["w6_heads"] = pairs[0][0].heads()


def w11(report, Replica):
    if not hasattr(Replica, "mark"):
        return
    replica, random = Replica(1), SplitMix(11)
    replica.open()
    replica.make_text("text")
    replica.insert(0, "".join(random.letter() for _ in range(100_000)))
    replica.commit()
    with report.timed("w11_mark"):
        replica.open()
        for _ in range(10_000):
            start = random.below(100_000 - 10)
            end = start + 1 + random.below(10)
            name = "biu"[random.below(3)]
            replica.mark(start, end, name, random.below(2) == 0)
        replica.commit()
    with report.timed("w11_marks"):
        report.facts["w11_count"] = str(replica.marks())
    report.facts["w11_heads"] = replica.heads()
    saved = replica.save()
    with report.timed("w11_load"):
        replica.load(saved)


def w12(report, Replica):
    if not hasattr(Replica, "patch_count"):
        return
    replica, random = Replica(1), SplitMix(12)
    replica.open()
    replica.make_text("text")
    replica.insert(0, "".join(random.letter() for _ in range(200_000)))
    replica.commit()
    before = replica.raw_heads()
    replica.open()
    for place in range(199_998, -1, -2):
        replica.delete(place, 1)
    replica.commit()
    between = replica.raw_heads()
    replica.open()
    replica.make_map(None)
    for number in range(100_000):
        replica.put("k%d" % number, number)
    replica.commit()
    found = []
    with report.timed("w12_text"):
        found.append(replica.patch_count(before, between))
    with report.timed("w12_text_back"):
        found.append(replica.patch_count(between, before))
    with report.timed("w12_map"):
        found.append(replica.patch_count(between, replica.raw_heads()))
    report.facts["w12_heads"] = replica.heads()


def w7(report, Replica):
    """Saved documents of this peer, damaged; a checksum is repaired for Automerge's format only."""
    if Replica.automerge_bytes:
        import json
        corpus = [bytes.fromhex(text) for text in
                  json.loads(fixture("documents", "tiny-corpus.json"))["documents_hex"]]
    else:
        corpus = [tiny_document(Replica, number) for number in range(32)]
    empty = Replica(1)
    with report.timed("w7_valid"):
        for number in range(20_000):
            empty.load(corpus[number % 32])
    if not Replica.automerge_bytes:
        return
    for name, seed in (("raw", 42), ("repaired", 43)):
        random, damaged = SplitMix(seed), []
        for _ in range(100_000):
            document = corpus[random.below(32)]
            if name == "repaired":
                damaged.append(repaired(random, document))
            else:
                changed = bytearray(document)
                mutate(random, changed)
                damaged.append(bytes(changed))
        accepted = panics = 0
        with report.timed("w7_" + name):
            for document in damaged:
                try:
                    empty.load(document)
                    accepted += 1
                except Exception:
                    pass
                except BaseException:  # what the binding makes of a panic
                    panics += 1
        report.facts["w7_%s_accepted" % name] = str(accepted)
        report.facts["w7_%s_panics" % name] = str(panics)


def tiny_document(Replica, number):
    random, first = SplitMix(0x5EED + number), Replica(1)
    first.open()
    for at in range(8):
        first.insert(at, random.letter())
    for at in range(4):
        first.list_insert(at, random.below(1000))
    first.commit()
    second = first.fork(2)
    second.open()
    second.put("k", random.below(1000))
    second.commit()
    first.open()
    first.put("k", "v")
    first.delete(2, 1)
    first.commit()
    first.merge(second)
    return first.save()


def tiny(Replica, seed):
    random, first = SplitMix(seed), Replica(1)
    first.open()
    first.make_text("t")
    first.make_list("l")
    first.make_map("m")
    first.commit()
    replicas = [first, first.fork(2), first.fork(3)]
    for step in range(50):
        replica = replicas[random.below(3)]
        kind = random.below(4)
        if kind == 0:
            key = "k%d" % random.below(5)
            number = random.below(1000)
            replica.open()
            replica.put(key, number)
            replica.commit()
        elif kind == 1:
            place = random.below(replica.length() + 1)
            replica.open()
            replica.insert(place, random.letter())
            replica.commit()
        elif kind == 2:
            length = replica.length()
            if length > 0:
                replica.open()
                replica.delete(random.below(length), 1)
                replica.commit()
        else:
            place = random.below(replica.list_length() + 1)
            replica.open()
            replica.list_insert(place, random.below(1000))
            replica.commit()
        if step % 5 == 4:
            left = random.below(3)
            replicas[left].merge(replicas[(left + 1 + random.below(2)) % 3])
    for left, right in ((0, 1), (0, 2), (1, 0), (2, 0)):
        replicas[left].merge(replicas[right])
    return replicas


def w8(report, Replica):
    first, saved_bytes = "", 0
    with report.timed("w8_history", 500):
        for seed in range(1, 501):
            replicas = tiny(Replica, seed)
            if seed <= 3 and Replica.automerge_bytes:
                first += replicas[0].heads() + " "
            content = replicas[0].content()
            for replica in replicas:
                saved = replica.save()
                saved_bytes += len(saved)
                loaded = replica.load(saved)
                again = loaded.save()
                if loaded.content() != content or Replica.automerge_bytes and (
                        again != saved or loaded.heads() != replicas[0].heads()):
                    raise SystemExit("tiny history %d differs" % seed)
    if Replica.automerge_bytes:
        report.facts["w8_heads"] = first
    report.facts["w8_bytes"] = str(saved_bytes)


def w9(name):
    def run(report, Replica):
        prefix, data = "w9_%s_" % name, trace(name)
        if Replica.automerge_bytes:
            # The binding cannot apply a chosen change: no replay, no change by change.
            whole = Replica(doc=Replica(1).load(fixture("documents", name + ".automerge")).doc)
            joined, empty = b"".join(whole.change_bytes()), Replica(9)
            with report.timed(prefix + "batch"):
                batch = empty.load(joined)
            report.facts[prefix + "heads"] = batch.heads()
        else:
            updates = replay(report, Replica, prefix, data)
            with report.timed(prefix + "batch"):
                batch = Replica(99)
                batch.apply(updates)
            with report.timed(prefix + "single"):
                single = Replica(99)
                for update in updates:
                    single.apply([update])
            report.facts[prefix + "length"] = str(single.length())
        with report.timed(prefix + "save"):
            saved = batch.save()
        with report.timed(prefix + "load"):
            batch.load(saved)
        report.facts[prefix + "bytes"] = str(len(saved))
    return run


def replay(report, Replica, prefix, data):
    """One replica an agent, each brought to a transaction's parents first; gives the updates."""
    transactions = data["txns"]
    replicas, applied, updates = [], [], []
    base = Replica(200)
    with report.timed(prefix + "build"):
        for number, (agent, parents, patches) in enumerate(transactions):
            while len(replicas) <= agent:
                replicas.append(base.fork(len(replicas) + 1))
                applied.append([False] * len(transactions))
            replica, known = replicas[agent], applied[agent]
            missing, stack = [], list(parents)
            while stack:
                parent = stack.pop()
                if not known[parent]:
                    known[parent] = True
                    missing.append(parent)
                    stack += transactions[parent][1]
            if missing:
                replica.apply([updates[parent] for parent in sorted(missing)])
            before = replica.version()
            replica.open()
            for at, deleted, inserted in patches:
                if deleted:
                    replica.delete(at, deleted)
                if inserted:
                    replica.insert(at, inserted)
            replica.commit()
            updates.append(replica.update_since(before))
            known[number] = True
    return updates


WORKLOADS = {
    "w1": w1, "w2": w2, "w3": w3, "w4": w4, "w5": w5, "w6": w6, "w7": w7, "w8": w8,
    "w11": w11, "w12": w12,
    "w9-friendsforever": w9("friendsforever"), "w9-clownschool": w9("clownschool"),
    "w1-memory": memory("w1"), "w2-memory": memory("w2"),
}
