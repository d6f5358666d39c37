#!/usr/bin/env python3
"""Runs what apps keep: the coder of records beside Foundation's JSON coders, and the local store
beside a whole-file rewrite and SQLite.

usage: storage.py records|store [--rounds 5] [--keep-page]

Each figure is the median over processes of their own. Each process takes its parts in turns and
gives the median of those: processor time of the coders, time by the clock of the store, which waits
for disks and threads. A value that comes back as another ends the run.

Writes `results/records.json` or `results/store.json` beside this file and, unless it is to be kept,
the table of that name in `Documentation/Benchmarks.md`. `Scripts/bench.sh` builds what this needs and
calls it.
"""
import json
import math
import os
import statistics
import subprocess
import sys

import bench
import tables

COUNTS = [10_000, 100_000]
# Title, figure, and the figure that it is told as a multiple of.
RECORD_ROWS = [
    ("`JSONEncoder`", "json_encode", None),
    ("encode as records, beside it", "encode", "json_encode"),
    ("`JSONDecoder`", "json_decode", None),
    ("decode records, beside it", "decode", "json_decode"),
]
STORE_ROWS = [
    ("save, `memory`", "ours_memory_save", None),
    ("save, `process`, beside SQLite with `synchronous = OFF`", "ours_process_save",
     "sqlite_off_save"),
    ("save, `data`, beside SQLite with `synchronous = FULL`", "ours_data_save",
     "sqlite_full_save"),
    ("the same, beside the whole-file rewrite", "ours_data_save", "rewrite_save"),
    ("save, `full`", "ours_full_save", None),
    ("save, `data`, 512 callers at once", "ours_data_save_together", None),
    ("whole-file rewrite, synchronised", "rewrite_save", None),
    ("SQLite, `synchronous = OFF`", "sqlite_off_save", None),
    ("SQLite, `synchronous = FULL`", "sqlite_full_save", None),
    ("open, decoding all, beside SQLite's scan that decodes all", "ours_process_open",
     "sqlite_off_scan"),
    ("whole file, decoding all", "rewrite_open", None),
    ("SQLite, scanning and decoding all", "sqlite_off_scan", None),
]


def figures(runner, *arguments):
    """What one process reports, a dictionary for each of its lines."""
    path = os.path.join(bench.ROOT, ".build", "release", runner)
    if not os.path.exists(path):
        sys.exit("bench: %s is missing; Scripts/bench.sh builds it" % runner)
    result = subprocess.run([path, *arguments], capture_output=True, text=True,
                            timeout=bench.DEADLINE)
    if result.returncode:
        sys.exit("bench: %s failed: %s" % (runner, (result.stdout + result.stderr)[-2000:]))
    return [json.loads(line) for line in result.stdout.splitlines()]


def medians(rounds, runner, *arguments):
    """The median of every figure, for each line that the runner prints."""
    runs = []
    for number in range(rounds):
        runs.append(figures(runner, *arguments))
        bench.say("%s, round %d of %d" % (runner, number + 1, rounds))
    return [{name: statistics.median(run[line][name] for run in runs) for name in first}
            for line, first in enumerate(runs[0])]


def ratio(by, figure, base):
    return "" if base is None else " (%.2gx)" % (by[figure] / max(by[base], 1e-9))


def record_table(lines):
    by = lines[0]
    text = ["| CPU time in ms | 10,000 persons |", "|---|--:|"]
    for title, figure, base in RECORD_ROWS:
        text.append("| %s | %s%s |" % (title, tables.number(by[figure]), ratio(by, figure, base)))
    return "\n".join(text)


def store_table(lines):
    small, large = lines
    scale = math.log(COUNTS[1] / COUNTS[0])
    text = ["| time in µs | {:,d} items | {:,d} items | exponent |".format(*COUNTS),
            "|---|--:|--:|--:|"]
    for title, figure, base in STORE_ROWS:
        cells = [tables.number(by[figure]) + ratio(by, figure, base) for by in lines]
        exponent = math.log(large[figure] / small[figure]) / scale
        text.append("| %s | %s | %.2f |" % (title, " | ".join(cells), exponent))
    return "\n".join(text)


def main():
    parser = bench.page_arguments(__doc__)
    parser.add_argument("what", choices=["records", "store"])
    options = parser.parse_args()
    if options.what == "records":
        lines = medians(options.rounds, "RecordBenchmark")
        text = record_table(lines)
    else:
        lines = medians(options.rounds, "StoreBenchmark", "speed", *map(str, COUNTS))
        text = store_table(lines)
    bench.keep(options.what, {"rounds": options.rounds, "medians": lines})
    bench.tell(text, options.what, options)


if __name__ == "__main__":
    main()
