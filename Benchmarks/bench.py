#!/usr/bin/env python3
"""Runs the workloads of the engine, and of the peers that are installed, interleaved.

usage: bench.py [--rounds 5] [--only w1,w4] [--no-growth] [--no-peers]

Every figure is CPU time of the process around the measured part, the median over processes of
their own. A wrong head or hash ends the run. Then each workload of the engine runs at 1, 2, 4 and
8 times its size, for the exponent of its growth: 1 is linear.

Writes `results/latest.json` and `results/table.md` beside this file. A run of all workloads and
peers also writes the tables of `Documentation/Benchmarks.md`, between the lines that mark them.
`Scripts/bench.sh` builds what this needs and calls it.
"""
import argparse
import json
import math
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time

import tables

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
ENGINE = os.path.join(ROOT, ".build", "release", "EngineBenchmark")
WORKLOADS = ["w1", "w2", "w3", "w4", "w5", "w6", "w7", "w8", "w9-friendsforever",
             "w9-clownschool", "w11", "w12", "w13", "w1-memory", "w2-memory", "face"]
# What no peer has.
OWN = ["w13", "face"]
GROWING = [name for name in WORKLOADS if not name.endswith("-memory") and name not in OWN]
SCALES = [1, 2, 4, 8]
# The distribution whose version is told, for each peer.
PEERS = {"automerge": "automerge", "loro": "loro", "pycrdt": "pycrdt"}
# What takes a peer longer than this, in seconds of CPU, is run in the first round alone.
PATIENCE = 20
# What takes longer than this is given up.
DEADLINE = 600

HEADS = {
    "w1": "f25b78ecec49a138bfd66ca5f38d54dbce4c9626bae16d842251cc2e8c0d853b",
    "w2": "3428168ab73d2628f629c0583bcad907315a4dc0a935302af07dc46f31547216",
    "w3": "5e644b848bbcfae4e2c2b2fa7798ceb1297d9a39b0e159ac8d256accb890a8e3",
}
TRACE_TEXT = "a489e9022976c14e46627aea174d07797edcb3fd17df42605956d4cf01bf9039"
# What a fact must be, from any source.
FACTS = {
    "w1_heads": HEADS["w1"],
    "w1_load_heads": HEADS["w1"],
    "w1_text_sha256": TRACE_TEXT,
    "w1_view_text_sha256": TRACE_TEXT,
    "w1_nocompress_bytes": "292734",
    "w2_heads": HEADS["w2"],
    "w2_apply_heads": HEADS["w2"],
    "w2_load_heads": HEADS["w2"],
    "w2_text_sha256": TRACE_TEXT,
    "w2_chunk_bytes": "28210351",
    "w3_heads_sha256": HEADS["w3"],
    "w3_seq_heads_sha256": HEADS["w3"],
    "w3_text_sha256": "bdea25704c2baa86699d31bbd17e655141924460e32977ed38092bd892708a45",
    "w3_length": "38679",
    "w3_runs_text_sha256": "e4d36c769a04be4b85c99a4e6ca251a7ef1b802c108076ace9dba8b1a9542e03",
    "w3_runs_length": "60000",
    "w4_heads": "813ef1cd283bc67f9a8453c894370c41f6cb86c6a10dca5bc4e4732720bc5fc1",
    "w4_batched_heads": "5bf26661ece164b8d81d6e122b806d16635ce0ded0b6699533a97f3859b80b94",
    "w5_push_heads": "23412de0b5b94a00debd87fc8d156a6498d1123707199a2dbf2c6601e3e0bf8d",
    "w5_random_heads": "b905d5dbb266cf24f549861391d686fe2e8473239bb0af48f6909387de2b11be",
    "w5_sum": "4999950000",
    "w6_heads":
        "5a76a7dd4016478426242da505cdce4271ed1b8d9bf986d0a083079c1bf2e4fd+"
        "82975b82a8636357b66613ce6315cd8dccc8dd094535a4c995c5ec3394296399",
    "w7_broken": "0",
    "w7_changes_broken": "0",
    "w8_heads":
        "05c44168905b0f1845c2bbd4fc9197b91cf829ff3007944aa9d12e6db731d1c7+"
        "4d66594b47573d01656fb2ad7c1ec8fd4ea75b44a2d760e7dbbfcfdfa29087c3 "
        "dda239e0cd35e3054f81c09c881067c93fc55a6b8650372be30f6d17b412056e+"
        "e0d77ae94a89fcb8e9d84504ce24ac63421fdc99d910f83569cbda9cae8320ee+"
        "ef3fccde6af43adf37e40c40b136e0982f565dae4f6309900a7afd7397b88ff3 "
        "21da4892a2638caa340931d152eb29304e2d45f6d02c03c5e071fd46473759aa+"
        "5fd96c3911ed4e9c450eff0f8ddf6bb33a887f6635bc4c2c9a75b20d34c91b39+"
        "ad1bcd94c39a3dfcd36124d11be8e82da6813cc1e3664cd42bfb14f425757b6f ",
    "w9_friendsforever_changes": "26079",
    "w9_friendsforever_heads": "cf679739fa2eb9c7f1292b90f39ca575da71792cf759832c88eab102744c0074",
    "w9_friendsforever_text_sha256":
        "4720ec330c91e288c00b71cab318f7a1cdde689dfc401f269c353acfd6cb03f6",
    "w9_friendsforever_view_text_sha256":
        "4720ec330c91e288c00b71cab318f7a1cdde689dfc401f269c353acfd6cb03f6",
    "w9_clownschool_changes": "23137",
    "w9_clownschool_heads": "7cc72131151fd65b82a77228e4ca5f923bc67c1568a718ae3982292001481edf",
    "w9_clownschool_text_sha256":
        "d0812d3d6bfd59eab997e16187c9f1f575c65c84b4b539b033ab499c2edc79d5",
    "w9_clownschool_view_text_sha256":
        "d0812d3d6bfd59eab997e16187c9f1f575c65c84b4b539b033ab499c2edc79d5",
    "w11_heads": "530d308a4a213a7d0fe8b09d631b0502d63ef743a5046fc0bf1b77334245f082",
    "w11_count": "8220",
    "w12_heads": "7162db4533beffd8d0e0e3a19ff432c2d2b8e3dacc1de29738b7658ff5252a43",
    "w12_patches": "100000 100000 100000",
    "w13_heads": "556fb744981afb7990d84f01f168d9175ac8860999f37ebdf5cd31d3d7efec81",
    "w13_lengths": "112520 188095 131481 112520",
}
# Facts that the engine must state in each workload: a check left out is no check.
STATED = {
    "w1": [
        "w1_heads", "w1_load_heads", "w1_text_sha256", "w1_view_text_sha256", "w1_nocompress_bytes",
    ],
    "w2": ["w2_heads", "w2_apply_heads", "w2_load_heads", "w2_chunk_bytes"],
    "w3": ["w3_heads_sha256", "w3_seq_heads_sha256", "w3_text_sha256", "w3_runs_text_sha256"],
    "w4": ["w4_heads", "w4_batched_heads"],
    "w5": ["w5_push_heads", "w5_random_heads", "w5_sum"],
    "w6": ["w6_heads"],
    "w7": ["w7_broken", "w7_changes_broken"],
    "w8": ["w8_heads"],
    "w9-friendsforever": [
        "w9_friendsforever_heads", "w9_friendsforever_text_sha256",
        "w9_friendsforever_view_text_sha256",
    ],
    "w9-clownschool": [
        "w9_clownschool_heads", "w9_clownschool_text_sha256", "w9_clownschool_view_text_sha256",
    ],
    "w11": ["w11_heads", "w11_count"],
    "w12": ["w12_heads", "w12_patches"],
    "w13": ["w13_heads", "w13_lengths"],
    "w1-memory": ["w1_load_heads"],
    "w2-memory": ["w2_load_heads"],
}


def say(text):
    print("bench: " + text, file=sys.stderr, flush=True)


def run(command, saved):
    """What one process reports; None if it took too long."""
    environment = dict(os.environ, BENCH_SAVED=saved)
    try:
        result = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True,
                                text=True, timeout=DEADLINE)
    except subprocess.TimeoutExpired:
        return None
    if result.returncode:
        sys.exit("bench: %s failed: %s" % (" ".join(command), result.stderr[-2000:]))
    return json.loads(result.stdout)


def spent(command, text="", folder=ROOT, environment=None):
    """Runs a command; its exit status and output, its seconds by the clock, and those of processor
    time, user and system, that it and all its children took."""
    with tempfile.TemporaryFile("w+") as asked, tempfile.TemporaryFile("w+") as said:
        asked.write(text)
        asked.seek(0)
        start = time.monotonic()
        process = subprocess.Popen(command, cwd=folder, env=environment, stdin=asked, stdout=said,
                                   stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        return process.returncode, said.read(), seconds, usage.ru_utime + usage.ru_stime


def check(report, workload):
    subject, facts = report["subject"], report["facts"]
    for name, value in facts.items():
        if name in FACTS and value != FACTS[name]:
            sys.exit("bench: %s: %s is %s, not %s" % (subject, name, value, FACTS[name]))
    if subject == "engine" and workload in STATED:
        for name in STATED[workload]:
            if name not in facts:
                sys.exit("bench: %s does not state %s" % (workload, name))


def peers_installed():
    """The version of each peer that can be imported."""
    found = {}
    for peer, distribution in PEERS.items():
        probe = "import importlib.metadata, %s; print(importlib.metadata.version('%s'))"
        result = subprocess.run([sys.executable, "-c", probe % (peer, distribution)],
                                capture_output=True, text=True)
        if result.returncode == 0:
            found[peer] = result.stdout.strip()
        else:
            say("no %s: it is left out (Scripts/setup.sh all installs it)" % peer)
    return found


def measure(workloads, rounds, peers, saved):
    """Medians of every figure by subject, all samples, and the facts."""
    script = os.path.join(HERE, "peers", "run.py")
    subjects = {"engine": [ENGINE]}
    subjects.update({peer: [sys.executable, script, peer] for peer in peers})
    samples, facts, slow = {}, {subject: {} for subject in subjects}, set()
    for number in range(rounds):
        for workload in workloads:
            for subject, command in subjects.items():
                if (subject, workload) in slow or workload in OWN and subject != "engine":
                    continue
                if workload.endswith("-memory") and subject != "engine":
                    name = "%s-%s.saved" % (subject, workload.split("-")[0])
                    if not os.path.exists(os.path.join(saved, name)):
                        continue
                report = run(command + [workload], saved)
                if report is None:
                    say("%s took more than %d s for %s: left out" % (subject, DEADLINE, workload))
                    slow.add((subject, workload))
                    continue
                check(report, workload)
                facts[subject].update(report["facts"])
                for name, value in report["times"].items():
                    samples.setdefault(name, {}).setdefault(subject, []).append(value)
                if subject != "engine" and sum(report["times"].values()) > PATIENCE * 1000:
                    slow.add((subject, workload))
            say("round %d of %d: %s" % (number + 1, rounds, workload))
    medians = {name: {subject: statistics.median(values) for subject, values in by.items()}
               for name, by in samples.items()}
    return medians, samples, facts


def growth(workloads, rounds, saved):
    """Each figure of the engine at each scale, and the exponent fitted to them."""
    samples = {}
    for number in range(rounds):
        for workload in workloads:
            for scale in SCALES:
                report = run([ENGINE, workload, str(scale)], saved)
                if report is None:
                    sys.exit("bench: %s at %d times its size took too long" % (workload, scale))
                for name, value in report["times"].items():
                    samples.setdefault(name, {}).setdefault(scale, []).append(value)
            say("growth, round %d of %d: %s" % (number + 1, rounds, workload))
    result = {}
    for name, by_scale in samples.items():
        times = [statistics.median(by_scale[scale]) for scale in SCALES]
        result[name] = {"times": times, "exponent": exponent(times)}
    return result


def exponent(times):
    """The slope of the line through the logarithms of scale and time."""
    xs = [math.log(scale) for scale in SCALES]
    ys = [math.log(max(value, 1e-6)) for value in times]
    mean_x, mean_y = statistics.mean(xs), statistics.mean(ys)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys))
    return slope / sum((x - mean_x) ** 2 for x in xs)


def machine():
    """What the figures were taken on."""
    processor = platform.machine()
    try:
        with open("/proc/cpuinfo") as file:
            for line in file:
                if line.startswith("model name"):
                    processor = line.split(":", 1)[1].strip()
                    break
    except OSError:
        pass
    return {"system": platform.system(), "processor": processor, "cores": os.cpu_count()}


def arguments(description, rounds=5, of="processes"):
    """What each program that measures takes."""
    parser = argparse.ArgumentParser(description=description.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=rounds, help="%s for each median" % of)
    return parser


def page_arguments(description, **rounds):
    """What each program takes that writes one table of the page."""
    parser = arguments(description, **rounds)
    parser.add_argument("--keep-page", action="store_true", help="print the table alone")
    return parser


def keep(name, figures):
    """Writes figures to a file of this folder's results."""
    folder = os.path.join(HERE, "results")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name + ".json"), "w") as file:
        json.dump({"machine": machine(), **figures}, file, indent=2, sort_keys=True)


def tell(text, part, options, remark=""):
    """Prints a table and, unless the page is to be kept, puts it between the marks of its part."""
    print(text)
    if options.keep_page:
        return
    where = " ".join([tables.where(options.rounds, machine()), remark]).strip()
    tables.put(os.path.join(ROOT, tables.PAGE), {part: text + "\n\n" + where})
    say("%s: the table of %s is rewritten" % (tables.PAGE, part))


def main():
    parser = arguments(__doc__)
    parser.add_argument("--only", default="", help="workloads, with commas between")
    parser.add_argument("--no-growth", action="store_true", help="only the usual size")
    parser.add_argument("--no-peers", action="store_true", help="only the engine")
    options = parser.parse_args()
    chosen = [name for name in options.only.replace(" ", ",").split(",") if name]
    unknown = [name for name in chosen if name not in WORKLOADS]
    if unknown or options.rounds < 1:
        parser.error("no workload %s; there are: %s" % (unknown, " ".join(WORKLOADS)))
    if not os.path.exists(ENGINE):
        sys.exit("bench: %s is missing; Scripts/bench.sh builds it" % os.path.relpath(ENGINE, ROOT))
    peers = {} if options.no_peers else peers_installed()
    with tempfile.TemporaryDirectory() as saved:
        medians, samples, facts = measure(chosen or WORKLOADS, options.rounds, peers, saved)
        grown = {}
        if not options.no_growth:
            # Three processes are enough for a slope over a factor of eight.
            scaled = [name for name in chosen or GROWING if name in GROWING]
            grown = growth(scaled, min(options.rounds, 3), saved)
    result = {
        "machine": machine(), "peers": peers, "rounds": options.rounds, "medians": medians,
        "ratios": tables.ratios(medians), "samples": samples, "facts": facts,
        "scales": SCALES, "growth": grown,
    }
    keep("latest", result)
    text = tables.whole(result)
    with open(os.path.join(HERE, "results", "table.md"), "w") as file:
        file.write(text)
    print(text)
    if not chosen and len(peers) == len(PEERS):
        written = tables.write_page(os.path.join(ROOT, tables.PAGE), result)
        say("%s: the tables of %s are rewritten" % (tables.PAGE, written))
    else:
        say("%s is left alone: its tables show all workloads and peers" % tables.PAGE)


if __name__ == "__main__":
    main()
