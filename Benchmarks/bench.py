#!/usr/bin/env python3
"""Runs the workloads of the engine and of the peers that are installed, interleaved.

    python3 Benchmarks/bench.py [--rounds 5] [--only w1,w4] [--scale] [--peer-python PATH]

Heads and hashes are checked first; a wrong one ends the run. Writes results/latest.json and
results/table.md beside this file. `--scale` runs the engine at 1, 2, 4 and 8 times the size and
prints the exponent of its growth: 1 is linear.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
ENGINE = os.path.join(ROOT, ".build", "release", "EngineBenchmark")
WORKLOADS = ["w1", "w2", "w3", "w4", "w5", "w7", "w8", "w9-friendsforever", "w9-clownschool"]
SCALED = ["w1", "w2", "w3", "w4", "w5"]
PEERS = ["automerge", "loro", "pycrdt"]

FACTS = {
    "w1_heads": "f25b78ecec49a138bfd66ca5f38d54dbce4c9626bae16d842251cc2e8c0d853b",
    "w1_load_heads": "f25b78ecec49a138bfd66ca5f38d54dbce4c9626bae16d842251cc2e8c0d853b",
    "w1_text_sha256": "a489e9022976c14e46627aea174d07797edcb3fd17df42605956d4cf01bf9039",
    "w1_nocompress_bytes": "292734",
    "w2_heads": "3428168ab73d2628f629c0583bcad907315a4dc0a935302af07dc46f31547216",
    "w2_apply_heads": "3428168ab73d2628f629c0583bcad907315a4dc0a935302af07dc46f31547216",
    "w2_load_heads": "3428168ab73d2628f629c0583bcad907315a4dc0a935302af07dc46f31547216",
    "w2_chunk_bytes": "28210351",
    "w3_heads_sha256": "5e644b848bbcfae4e2c2b2fa7798ceb1297d9a39b0e159ac8d256accb890a8e3",
    "w3_seq_heads_sha256": "5e644b848bbcfae4e2c2b2fa7798ceb1297d9a39b0e159ac8d256accb890a8e3",
    "w3_text_sha256": "bdea25704c2baa86699d31bbd17e655141924460e32977ed38092bd892708a45",
    "w3_runs_text_sha256": "e4d36c769a04be4b85c99a4e6ca251a7ef1b802c108076ace9dba8b1a9542e03",
    "w4_heads": "813ef1cd283bc67f9a8453c894370c41f6cb86c6a10dca5bc4e4732720bc5fc1",
    "w4_batched_heads": "5bf26661ece164b8d81d6e122b806d16635ce0ded0b6699533a97f3859b80b94",
    "w5_push_heads": "23412de0b5b94a00debd87fc8d156a6498d1123707199a2dbf2c6601e3e0bf8d",
    "w5_random_heads": "b905d5dbb266cf24f549861391d686fe2e8473239bb0af48f6909387de2b11be",
    "w5_sum": "4999950000",
    "w7_broken": "0",
    "w7_changes_broken": "0",
    "w9_friendsforever_heads": "cf679739fa2eb9c7f1292b90f39ca575da71792cf759832c88eab102744c0074",
    "w9_clownschool_heads": "7cc72131151fd65b82a77228e4ca5f923bc67c1568a718ae3982292001481edf",
}


def run(command):
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if result.returncode:
        sys.exit("%s failed: %s" % (" ".join(command), result.stderr[-2000:]))
    return json.loads(result.stdout)


def check(report, subject):
    for name, value in report["facts"].items():
        if name in FACTS and value != FACTS[name]:
            sys.exit("%s: %s is %s, not %s" % (subject, name, value, FACTS[name]))


def peers_installed(python):
    found = []
    for peer in PEERS:
        probe = subprocess.run([python, "-c", "import " + peer], capture_output=True)
        if probe.returncode == 0:
            found.append(peer)
    return found


def measure(workloads, rounds, python):
    subjects = {"engine": [ENGINE]}
    script = os.path.join(HERE, "peers", "run.py")
    for peer in peers_installed(python):
        subjects[peer] = [python, script, peer]
    samples = {}
    facts = {}
    for _ in range(rounds):
        for workload in workloads:
            for subject, command in subjects.items():
                report = run(command + [workload])
                check(report, subject)
                facts.setdefault(subject, {}).update(report["facts"])
                for name, value in report["times"].items():
                    samples.setdefault(name, {}).setdefault(subject, []).append(value)
    medians = {n: {s: statistics.median(v) for s, v in by.items()} for n, by in samples.items()}
    return medians, facts


def table(medians):
    subjects = ["engine"] + [p for p in PEERS if any(p in by for by in medians.values())]
    lines = ["| work, CPU ms | " + " | ".join(subjects) + " |", "|---|" + "---:|" * len(subjects)]
    for name, by in medians.items():
        cells = []
        for subject in subjects:
            if subject not in by:
                cells.append("-")
            elif subject == "engine":
                cells.append("%.2f" % by[subject])
            else:
                cells.append("%.2f (%.1fx)" % (by[subject], by[subject] / max(by["engine"], 1e-9)))
        lines.append("| %s | %s |" % (name, " | ".join(cells)))
    return "\n".join(lines) + "\n"


def growth(workloads):
    scales = [1, 2, 4, 8]
    series = {}
    for workload in workloads:
        for scale in scales:
            for name, value in run([ENGINE, workload, str(scale)])["times"].items():
                series.setdefault(name, []).append(value)
    exponents = {}
    for name, values in series.items():
        xs = [math.log(s) for s in scales]
        ys = [math.log(max(v, 1e-6)) for v in values]
        mean_x, mean_y = statistics.mean(xs), statistics.mean(ys)
        slope = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys))
        exponents[name] = slope / sum((x - mean_x) ** 2 for x in xs)
        print("%-28s %s  exponent %.2f" % (name, ["%.2f" % v for v in values], exponents[name]))
    return {"scales": scales, "times": series, "exponents": exponents}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="")
    parser.add_argument("--scale", action="store_true")
    parser.add_argument("--peer-python", default=sys.executable)
    options = parser.parse_args()
    build = ["swift", "build", "-c", "release", "--product", "EngineBenchmark"]
    build += ["--scratch-path", ".build"]
    subprocess.run(build, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    chosen = [w for w in options.only.split(",") if w] or WORKLOADS
    folder = os.path.join(HERE, "results")
    os.makedirs(folder, exist_ok=True)
    if options.scale:
        result = growth([w for w in chosen if w in SCALED])
        with open(os.path.join(folder, "growth.json"), "w") as file:
            json.dump(result, file, indent=2, sort_keys=True)
        return
    medians, facts = measure(chosen, options.rounds, options.peer_python)
    with open(os.path.join(folder, "latest.json"), "w") as file:
        json.dump({"medians": medians, "facts": facts}, file, indent=2, sort_keys=True)
    text = table(medians)
    with open(os.path.join(folder, "table.md"), "w") as file:
        file.write(text)
    print(text)


if __name__ == "__main__":
    main()
