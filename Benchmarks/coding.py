#!/usr/bin/env python3
"""Runs W10, the models of the Codable layer: our coder beside Foundation's JSON coders.

usage: coding.py [--rounds 5] [--keep-page]

Each figure is CPU time of the process around the measured part: the runner takes its parts in
turns within one process and gives the median, and this takes the median over processes of their
own. The runner ends with an error if encoding an unchanged model changes the document.

Writes `results/coding.json` beside this file and, unless it is to be kept, the table of coders in
`Documentation/Benchmarks.md`. `Scripts/bench.sh` builds what this needs and calls it.
"""
import json
import os
import statistics
import subprocess
import sys

import bench
import tables

RUNNER = os.path.join(bench.ROOT, ".build", "release", "CodingBenchmark")
MODELS = [
    ("records", "10,000 records"),
    ("fields", "1,000 structs of 50 fields"),
    ("nested", "200 trees, 21 deep"),
]
# Turns within one process.
TURNS = 5
# Title, figure, and the figure that it is told as a multiple of.
ROWS = [
    ("`JSONEncoder`", "json_encode", None),
    ("first encode, beside it", "encode_first", "json_encode"),
    ("`JSONDecoder`", "json_decode", None),
    ("decode, beside it", "decode", "json_decode"),
    ("encode again, unchanged, beside the first", "encode_unchanged", "encode_first"),
    ("encode again, one field changed, beside the first", "encode_one_change", "encode_first"),
    ("the same change through `Document`", "core_one_change", None),
    ("one struct: 1,000 times 1 field of 50 changed through `Document`",
     "single_core_1000_changes", None),
    ("the same by encoding it again, beside that", "single_encode_1000_changes",
     "single_core_1000_changes"),
    ("memory of the model in MB", "model_megabytes", None),
    ("peak of its first encode, document included, beside that", "encode_peak_megabytes",
     "model_megabytes"),
]


def figures(*arguments):
    """What one process of the runner reports, all its lines together."""
    result = subprocess.run([RUNNER, *arguments], capture_output=True, text=True,
                            timeout=bench.DEADLINE)
    if result.returncode:
        sys.exit("bench: %s failed: %s" % (" ".join(arguments), result.stderr[-2000:]))
    found = {}
    for line in result.stdout.splitlines():
        found.update(json.loads(line))
    return found


def measure(rounds):
    """The median of every figure, by model."""
    samples = {name: {} for name, _ in MODELS}
    for number in range(rounds):
        for name, _ in MODELS:
            found = figures(name, str(TURNS))
            memory = figures("memory", name)
            for figure in ("model", "encode_peak"):
                found[figure + "_megabytes"] = memory[figure + "_kilobytes"] / 1024
            # A pair of empty closures is no change through the document.
            if name == "nested":
                del found["core_one_change"]
            for figure, value in found.items():
                samples[name].setdefault(figure, []).append(value)
            bench.say("coders, round %d of %d: %s" % (number + 1, rounds, name))
    return {name: {figure: statistics.median(values) for figure, values in by.items()}
            for name, by in samples.items()}


def cell(by, figure, base):
    if figure not in by:
        return "-"
    if base is None:
        return tables.number(by[figure])
    return "%s (%.2fx)" % (tables.number(by[figure]), by[figure] / max(by[base], 1e-9))


def table(medians):
    lines = ["| CPU time in ms | " + " | ".join(title for _, title in MODELS) + " | aim |",
             "|---|" + "--:|" * (len(MODELS) + 1)]
    for title, figure, base in ROWS:
        columns = [medians[name] for name, _ in MODELS]
        cells = [cell(by, figure, base) for by in columns]
        cells.append(tables.aim("coders", figure, *columns))
        lines.append("| %s | %s |" % (title, " | ".join(cells)))
    return "\n".join(lines)


def main():
    parser = bench.page_arguments(__doc__)
    options = parser.parse_args()
    if not os.path.exists(RUNNER):
        sys.exit("bench: CodingBenchmark is missing; Scripts/bench.sh builds it")
    medians = measure(options.rounds)
    bench.keep("coding", {"rounds": options.rounds, "medians": medians})
    bench.tell(table(medians), "coders", options)


if __name__ == "__main__":
    main()
