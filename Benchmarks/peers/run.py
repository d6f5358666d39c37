"""Runs one workload with one peer: python3 run.py automerge|loro|pycrdt WORKLOAD.

Prints one JSON object: CPU milliseconds of the measured parts, and facts to check.
"""
import importlib
import os
import sys

os.environ.setdefault("RUST_BACKTRACE", "0")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    from common import Report
    from workloads import WORKLOADS

    peer, workload = sys.argv[1:]
    report = Report(peer)
    WORKLOADS[workload](report, importlib.import_module(peer + "_peer").Replica)
    report.show()


if __name__ == "__main__":
    main()
