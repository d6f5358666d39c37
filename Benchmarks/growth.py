#!/usr/bin/env python3
"""Counts the instructions of workloads at 1 to 16 times their size, and fits an exponent.

    python3 Benchmarks/growth.py [--program PATH] [WORKLOAD...]

Time grows faster than instructions once the data no longer fit the caches. Callgrind counts what the
engine's runner executes in each measured part, so that a busy machine changes nothing. For n log n,
what `n log n` in the last column says is the exponent that such work has over the same sizes.
"""

import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile

SCALES = [1, 2, 4, 8, 16]
TIMED = "*6ReportV4time*"
# A measured part is a closure that the compiler has made a copy of `Report.time` for: its number there.
CLOSURE = re.compile(r"6ReportV4time\S*?Workloads\S*?fU(\d*)_")


# Workloads each of whose measured parts is a closure of its own; of the others some are shared, and cannot be told apart.
COUNTED = ["w3", "w5", "w6", "w8", "w11", "w12"]

# Measures itself, in the middle of its loop: the whole process is counted, for each of its histories.
WHOLE = {"w8": 500}


def counted(program, workload, scale):
    """Instructions of each measured part, by its name."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out")
        toggle = [] if workload in WHOLE else [f"--toggle-collect={TIMED}"]
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", *toggle,
             f"--callgrind-out-file={out}", program, workload, str(scale)],
            capture_output=True, text=True, env=dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1"))
        if done.returncode != 0:
            sys.exit(f"growth: {workload} failed\n{done.stderr[-800:]}")
        if workload in WHOLE:
            count = int(re.search(r"Collected : (\d+)", done.stderr).group(1))
            return {workload: count // (WHOLE[workload] // scale)}
        lines = subprocess.run(
            ["callgrind_annotate", "--inclusive=yes", "--threshold=100", out],
            capture_output=True, text=True).stdout.splitlines()
    parts = {}
    for line in lines:
        found = CLOSURE.search(line)
        if found:
            number = int(found.group(1)) + 1 if found.group(1) else 0
            count = int(line.split("(")[0].replace(",", ""))
            parts[number] = max(parts.get(number, 0), count)
    repeats = json.loads(done.stdout.splitlines()[-1])["repeats"]
    if len(repeats) != len(parts):
        sys.exit(f"growth: {workload} has {len(repeats)} parts, but {len(parts)} were counted")
    return {name: parts[number] // times
            for (name, times), number in zip(repeats.items(), sorted(parts))}


def exponent(values):
    """The slope of the line through the logarithms of scale and value."""
    xs = [math.log(scale) for scale in SCALES]
    ys = [math.log(max(value, 1)) for value in values]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    return (sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys))
            / sum((x - mean_x) ** 2 for x in xs))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=".build/release/EngineBenchmark")
    parser.add_argument("workloads", nargs="*", default=COUNTED,
                        help=f"of {' '.join(COUNTED)}; all of them")
    options = parser.parse_args()
    for workload in options.workloads:
        if workload not in COUNTED:
            parser.error(f"the parts of '{workload}' cannot be counted one by one: {' '.join(COUNTED)} can")
    for size in (10_000, 100_000):
        grown = exponent([scale * math.log(scale * size) for scale in SCALES])
        print(f"n log n from n = {size:,}: {grown:.2f}")
    print(f"| instructions in millions | {' | '.join(f'{scale}x' for scale in SCALES)} | exponent |")
    print("|---|" + "--:|" * (len(SCALES) + 1))
    for workload in options.workloads:
        runs = [counted(options.program, workload, scale) for scale in SCALES]
        for name in runs[0]:
            values = [run[name] for run in runs]
            if min(values) < 1000:
                # What it does stands in another function, which is not counted.
                print(f"| {name} | not counted: the compiler has inlined it |" + " |" * len(SCALES), flush=True)
                continue
            shown = " | ".join(f"{value / 1e6:,.1f}" for value in values)
            print(f"| {name} | {shown} | {exponent(values):.2f} |", flush=True)


if __name__ == "__main__":
    main()
