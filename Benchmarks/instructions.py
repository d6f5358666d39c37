#!/usr/bin/env python3
"""Counts the instructions of some cases and workloads, and fails when one grew by more than 5 %, or
when a case spends more than 2 % (of the store 8 %) in looking up metadata of generic types.

    python3 Benchmarks/instructions.py [--program PATH] [--write] [NAME...]

Valgrind counts what the program executes, so that a busy machine changes nothing. Hashing is made
deterministic. From each count that of the same program without cases is taken off, so that its start
does not hide what a case costs. Metadata is looked up by generic code that was not specialised, such
as that which crosses modules: it once took 15 % of all time. Counts of another toolchain or C library
are not comparable: `instructions.json` says whose they are, and `--write` records them again. The program
is the one that `make instructions` builds, with the flags of the gate.

exit: 0 none grew; 1 some did, or spend too much in metadata; 2 nothing was compared.
"""

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
KEPT = os.path.join(HERE, "instructions.json")
GROWTH_LIMIT = 0.05
# Cases of documents spend up to 0.9 %, those of coders 1.2 %: the containers of Codable are generic.
METADATA_LIMIT = 0.02
# The store is generic over the items of an app, whose type is always another module's.
METADATA_LIMITS = {"local-store": 0.08}

# Each lane of `check`, as a worker is asked for it: ids of the shelf, the lane's key, number of cases,
# further arguments.
CASES = {
    "engine": (["engine", "naive"], "engine naive history 1", 100, []),
    "engine, 400 edits": (["engine", "naive"], "engine naive history 1", 2, ["--edits", "400"]),
    "engine-tight": (["engine-tight", "naive"], "engine-tight naive history 1", 30, []),
    "stored bytes": (["engine"], "engine - stored history 1", 60, []),
    "naive": (["naive"], "naive - history 1", 40, []),
    "document": (["document", "naive"], "document naive history 1", 20, []),
    "document-coder": (["document-coder"], "document-coder - coding 1", 200, []),
    "record-coder": (["record-coder"], "record-coder - coding 1", 100, []),
    "record-sync": (["record-sync"], "record-sync - record 1", 60, []),
    "local-store": (["local-store"], "local-store - store 1", 60, []),
}

# Whole commands.
WORKLOADS = {
    "pace": ["pace", "--count", "60", "--seed", "1"],
    "doc show": ["doc", "show", "fixtures/documents/clownschool.automerge"],
    "doc examine": ["doc", "examine", "fixtures/documents/clownschool.automerge"],
    "doc history": ["doc", "history", "fixtures/documents/clownschool.automerge"],
    "doc export": ["doc", "export", "fixtures/documents/automerge-paper-259778-changes.automerge"],
}


def count(command, text="", cases=None):
    """The instructions that a command executes in its own process, and how many of them
    `swift_getGenericMetadata` takes, with what it calls."""
    with tempfile.TemporaryDirectory() as folder:
        tool = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out"]
        environment = dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1", TZ="UTC", LC_ALL="C")
        done = subprocess.run(
            tool + command, input=text, capture_output=True, text=True, env=environment
        )
        metadata = inclusive(f"{folder}/out", "swift_getGenericMetadata")
    found = re.search(r"Collected\s*:\s*(\d+)|I\s+refs:\s+([\d,]+)", done.stderr)
    if done.returncode != 0 or not found or '"refused"' in done.stdout:
        sys.exit(f"{' '.join(command)}\n{done.stdout[:400]}\n{done.stderr[-800:]}")
    if cases is not None:
        totals = json.loads(done.stdout.splitlines()[-1])["totals"]["_0"]
        if totals["caseCount"] != cases:
            sys.exit(f"{' '.join(command)}\njudged {totals['caseCount']} cases and not {cases}")
    return int((found.group(1) or found.group(2)).replace(",", "")), metadata


def inclusive(path, function):
    """The cost of all calls of a function, with what it calls, in a file of callgrind.

    Such a call is three lines: cfn=(3174) swift_getGenericMetadata, calls=2 0, 0 8201. The name stands
    where its number is met first alone, and a call within a call has another one.
    """
    if not os.path.exists(path):
        return 0
    cost, number, callee, is_call = 0, None, None, False
    with open(path) as file:
        for line in file:
            if line.startswith(("fn=", "cfn=")):
                callee, _, name = line.rstrip().partition("=")[2].partition(" ")
                if name == function:
                    number = callee
            elif line.startswith("calls="):
                is_call = callee == number
            elif is_call:
                cost, is_call = cost + int(line.split()[1]), False
    return cost


def worker(program, ids, key, cases):
    """A worker's command, and what it is asked: the first cases of a lane."""
    request = {
        "lane": {"ids": ids, "key": key, "hasPeer": False},
        "seed": {"value": 1},
        "task": {"judge": {"lower": 0, "upper": cases}},
    }
    command = [program, "check", "--worker", "--subject", ids[0], "--case-time", "10000s"]
    return command, json.dumps(request) + "\n"


def judge(program, name, cases):
    ids, key, _, arguments = CASES[name]
    command, text = worker(program, ids, key, cases)
    return count(command + arguments, text, cases)


def measure(program, name):
    """Instructions a case, or those of a whole workload; the share that looks up metadata."""
    if name in WORKLOADS:
        return count([program] + WORKLOADS[name])[0], 0
    cases = CASES[name][2]
    (all_, all_metadata), (start, start_metadata) = judge(program, name, cases), judge(program, name, 0)
    return (all_ - start) // cases, (all_metadata - start_metadata) / (all_ - start)


def toolchain():
    swift = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout
    found = re.search(r"Swift version (\S+)", swift)
    libc = " ".join(platform.libc_ver())
    return f"Swift {found.group(1) if found else '?'}, {libc}, {platform.machine()}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=".build/release/touchstone")
    parser.add_argument("--write", action="store_true", help="record what is measured")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    names = options.names or list(CASES) + list(WORKLOADS)
    kept = {"toolchain": toolchain(), "counts": {}}
    if os.path.exists(KEPT):
        with open(KEPT) as file:
            kept = json.load(file)
    if not options.write and kept["toolchain"] != toolchain():
        print(f"! counts are those of {kept['toolchain']}, this is {toolchain()}: not compared")
        return 2
    grown, searching = [], []
    for name in names:
        now, metadata = measure(options.program, name)
        before = kept["counts"].get(name)
        change = f"{now / before - 1:+8.1%}" if before else "     new"
        shown = f"   metadata {metadata:.2%}" if name in CASES else ""
        print(f"{name:20} {now:15,} {change}{shown}", flush=True)
        if metadata > METADATA_LIMITS.get(name, METADATA_LIMIT):
            searching.append(name)
        if before is None or now > before * (1 + GROWTH_LIMIT):
            grown.append(name)
        if options.write:
            kept["counts"][name] = now
            kept["toolchain"] = toolchain()
            with open(KEPT, "w") as file:
                json.dump(kept, file, indent=2, sort_keys=True)
                file.write("\n")
    if searching:
        print(f"\nMore than its limit goes to metadata of generic types: {', '.join(searching)}.")
        print("Specialise what asks for it: callgrind_annotate --tree=caller names the callers.")
    if grown and not options.write:
        print(f"\nMore than {GROWTH_LIMIT:.0%} more instructions, or never counted: {', '.join(grown)}.")
        print("Find out why; if it has to be, record it: Benchmarks/instructions.py --write NAME")
    return 1 if searching or grown and not options.write else 0


if __name__ == "__main__":
    sys.exit(main())
