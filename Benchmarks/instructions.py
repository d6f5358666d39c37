#!/usr/bin/env python3
"""Counts the instructions of some cases and workloads, and fails when one grew by more than 5 %.

    python3 Benchmarks/instructions.py [--program PATH] [--write] [NAME...]

Valgrind counts what the program executes, so that a busy machine changes nothing. Hashing is made
deterministic. From each count that of the same program without cases is taken off, so that its start
does not hide what a case costs. Counts of another toolchain or C library are not comparable:
`instructions.json` says whose they are, and `--write` records them again. The program is the one that
`make instructions` builds, with the flags of the gate.

exit: 0 none grew; 1 some did; 2 nothing was compared.
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


def count(command, text=""):
    """The instructions that a command executes in its own process."""
    with tempfile.TemporaryDirectory() as folder:
        tool = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out"]
        environment = dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1", TZ="UTC", LC_ALL="C")
        done = subprocess.run(
            tool + command, input=text, capture_output=True, text=True, env=environment
        )
    found = re.search(r"Collected\s*:\s*(\d+)|I\s+refs:\s+([\d,]+)", done.stderr)
    if done.returncode != 0 or not found or '"refused"' in done.stdout:
        sys.exit(f"{' '.join(command)}\n{done.stdout[:400]}\n{done.stderr[-800:]}")
    return int((found.group(1) or found.group(2)).replace(",", ""))


def worker(program, ids, key, cases):
    """A worker's command, and what it is asked: the first cases of a lane."""
    request = {
        "lane": {"ids": ids, "key": key},
        "seed": {"value": 1},
        "task": {"judge": {"lower": 0, "upper": cases}},
    }
    command = [program, "check", "--worker", "--subject", ids[0], "--case-time", "10000s"]
    return command, json.dumps(request) + "\n"


def judge(program, name, cases):
    ids, key, _, arguments = CASES[name]
    command, text = worker(program, ids, key, cases)
    return count(command + arguments, text)


def measure(program, name):
    """Instructions a case, or those of a whole workload."""
    if name in WORKLOADS:
        return count([program] + WORKLOADS[name])
    cases = CASES[name][2]
    return (judge(program, name, cases) - judge(program, name, 0)) // cases


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
    grown = []
    for name in names:
        now = measure(options.program, name)
        before = kept["counts"].get(name)
        change = f"{now / before - 1:+8.1%}" if before else "     new"
        print(f"{name:20} {now:15,} {change}", flush=True)
        if before is None or now > before * (1 + GROWTH_LIMIT):
            grown.append(name)
        if options.write:
            kept["counts"][name] = now
            kept["toolchain"] = toolchain()
            with open(KEPT, "w") as file:
                json.dump(kept, file, indent=2, sort_keys=True)
                file.write("\n")
    if options.write:
        return 0
    if grown:
        print(f"\nMore than {GROWTH_LIMIT:.0%} more instructions, or never counted: {', '.join(grown)}.")
        print("Find out why; if it has to be, record it: Benchmarks/instructions.py --write NAME")
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main())
