#!/usr/bin/env python3
"""Measures the harness: cases a second of each lane of `check`, and the time that shrinking takes.

usage: harness.py [--rounds 5] [--program PATH] [--remark TEXT] [--keep-page]

Every figure is processor time, user and system, of a process and its children, on one core. A lane's
process is a worker of `touchstone check`, which judges the first cases of seed 1; from its time that
of a worker without cases is taken off. The lanes take turns, and each figure is the median over
processes of their own. A worker that does not judge all of its cases, or finds a law broken, ends
the run. The lanes are those of `check --subject usual` that need no other program.

Shrinking is measured for each wrong subject of `touchstone selftest` that a law kills soon, in two
processes: one that ends with the case that the law fails on, which it shrinks, and one that ends before
that case. The difference is what the case and its shrinking take; of a subject that lives long it
would be the noise of two long runs. What takes more than a second is measured in as many pairs as the
lanes, and the median counts; the rest once.

Writes `results/harness.json` beside this file and, unless it is to be kept, the table of the harness
in `Documentation/Benchmarks.md`. `Scripts/bench.sh` builds what this needs and calls it.
"""
import json
import os
import statistics
import sys

import bench
import instructions
import tables

PROGRAM = os.path.join(bench.ROOT, ".build", "release", "touchstone")
# Lanes that `instructions.py` counts, by their names there, and two more: what is judged, and cases
# enough for a second or more.
LANES = [
    ("naive", "`naive`, alone", 300),
    ("engine", "`engine`, compared with the specification", 600),
    ("stored bytes", "`engine`, its stored bytes", 600),
    ("engine-tight", "`engine-tight`, compared with the specification", 300),
    ("document", "`document`, each call held against the engine", 150),
    ("document-coder", "`document-coder`", 600),
    ("record-coder", "`record-coder`", 600),
    ("foundation-json", "`foundation-json`", 600),
    ("foundation-property-list", "`foundation-property-list`", 600),
    ("record-sync", "`record-sync`", 2000),
    ("local-store", "`local-store`", 2000),
]

# Cases within which a wrong subject has to die for its shrinking to be measured.
SOON = 300
# Seconds of shrinking above which one pair of processes is not enough.
SLOW = 1


def lane(name):
    """The ids of the shelf and the key with which a worker is asked for a lane."""
    if name in instructions.CASES:
        return instructions.CASES[name][:2]
    return [name], name + " - coding 1"


def judge(program, name, cases):
    """Processor seconds of a worker that judges the first cases of a lane."""
    command, text = instructions.worker(program, *lane(name), cases)
    status, output, _, seconds = bench.spent(command, text)
    if status or '"refused"' in output:
        sys.exit("bench: a worker of %s failed: %s" % (name, output[-2000:]))
    totals = json.loads(output.splitlines()[-1])["totals"]["_0"]
    if totals["caseCount"] != cases or totals["sightings"]:
        sys.exit("bench: a worker of %s did not judge %d right cases: %s"
                 % (name, cases, output[-2000:]))
    return seconds


def measure(program, rounds):
    """Cases a second of each lane."""
    samples = {name: ([], []) for name, _, _ in LANES}
    for number in range(rounds):
        for name, _, cases in LANES:
            whole, start = samples[name]
            whole.append(judge(program, name, cases))
            start.append(judge(program, name, 0))
        bench.say("harness, round %d of %d" % (number + 1, rounds))
    return {name: cases / (statistics.median(samples[name][0]) - statistics.median(samples[name][1]))
            for name, _, cases in LANES}


def selftest(program, *arguments):
    """The wrong subjects of a self-test, each with the cases that it lived, and processor seconds."""
    command = [program, "selftest", "--seed", "1", "--jobs", "1", "--json", *arguments]
    status, output, _, seconds = bench.spent(command)
    if status not in (0, 1):
        sys.exit("bench: %s failed: %s" % (" ".join(command), output[-2000:]))
    return json.loads(output)["selfTest"]["mutants"], seconds


def shrunk(program, name, start):
    """Processor seconds that it takes to judge and to shrink the case that kills a wrong subject;
    None if it lives long. `start` is what a process takes that does nothing."""
    (mutant,), seconds = selftest(program, "--mutant", name, "--cases", str(SOON))
    if "killedBy" not in mutant:
        return None
    if mutant["cases"] == 1:
        return seconds - start
    (alive,), before = selftest(program, "--mutant", name, "--cases", str(mutant["cases"] - 1))
    if "killedBy" in alive:
        sys.exit("bench: %s dies before its case" % name)
    return seconds - before


def shrinking(program, rounds):
    """Processor seconds of shrinking, for each wrong subject that dies soon."""
    _, _, _, start = bench.spent([program, "--version"])
    ids = [mutant["id"] for mutant in selftest(program, "--cases", "1")[0]]
    found = {}
    for number, name in enumerate(ids, 1):
        if number % 50 == 0:
            bench.say("shrinking, %d of %d wrong subjects" % (number, len(ids)))
        samples = [shrunk(program, name, start)]
        if samples[0] is None:
            continue
        if samples[0] > SLOW:
            samples += [shrunk(program, name, start) for _ in range(rounds - 1)]
        found[name] = max(statistics.median(samples), 0)
    return found


def lane_table(speeds, counts):
    text = ["| lane | cases a second | aim | million instructions a case |", "|---|--:|--:|--:|"]
    for name, title, _ in LANES:
        count = "%.1f" % (counts[name] / 1e6) if name in counts else "-"
        text.append("| %s | %s | %s | %s |" % (title, tables.number(speeds[name]),
                                               tables.aim("harness", name, speeds), count))
    return "\n".join(text)


def shrink_table(found):
    figures = {"shrink_median": statistics.median(found.values()),
               "shrink_largest": max(found.values())}
    text = ["| shrinking, CPU time in s | %d wrong subjects | aim |" % len(found), "|---|--:|--:|"]
    for title, name in (("median", "shrink_median"), ("largest", "shrink_largest")):
        text.append("| %s | %s | %s |" % (title, tables.number(figures[name]),
                                          tables.aim("harness", name, figures)))
    return "\n".join(text)


def main():
    parser = bench.page_arguments(__doc__)
    parser.add_argument("--program", default=PROGRAM, help="the program touchstone")
    parser.add_argument("--remark", default="", help="a sentence that the table ends with")
    options = parser.parse_args()
    if not os.path.exists(options.program):
        sys.exit("bench: there is no %s; Scripts/bench.sh builds it" % options.program)
    program = os.path.abspath(options.program)
    speeds = measure(program, options.rounds)
    found = shrinking(program, options.rounds)
    with open(instructions.KEPT) as file:
        counts = json.load(file)["counts"]
    bench.keep("harness", {"rounds": options.rounds, "cases_per_second": speeds,
                           "shrink_seconds": found})
    text = lane_table(speeds, counts) + "\n\n" + shrink_table(found)
    bench.tell(text, "harness", options, options.remark)


if __name__ == "__main__":
    main()
