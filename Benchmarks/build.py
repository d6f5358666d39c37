#!/usr/bin/env python3
"""Measures what a user of the library waits for: the build of a package with one test, and its laws.

usage: build.py [--rounds 3] [--remark TEXT] [--keep-page]

The package is the one of the README's first door: it depends on this clone by path, and its test is
that of `Examples/FirstSteps`. It stands in a temporary folder. What it depends on is fetched before,
outside of the measured part. Then `swift build --build-tests` runs from nothing, once more with
nothing changed, and once more after a test was added to its file. `swift test` says how long the test
of the laws took; its processor time is what the command takes more than for the added test. Each
figure is the median over packages of their own. The aims are those of seconds by the clock: other
work on the machine makes them larger.

Writes `results/build.json` beside this file and, unless it is to be kept, the table of builds in
`Documentation/Benchmarks.md`.
"""
import os
import re
import shutil
import statistics
import sys
import tempfile

import bench
import tables

EXAMPLE = os.path.join(bench.ROOT, "Examples", "FirstSteps", "Tests", "NoteTests")
MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "user",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "touchstone", path: "../touchstone")],
  targets: [
    .testTarget(
      name: "NoteTests",
      dependencies: [.product(name: "Touchstone", package: "touchstone")],
      exclude: ["__Touchstone__"]
    )
  ]
)
"""
EDIT = """
@Test func wasEdited() {
  #expect(Note(title: "Milk", due: nil, tags: []).tags.isEmpty)
}
"""
ROWS = [
    ("`swift build --build-tests`, from nothing", "nothing"),
    ("again, nothing changed", "unchanged"),
    ("again, one test file edited", "edited"),
    ("`expectLaws(of:)` in that test, with its defaults", "laws"),
]


def swift(user, *arguments):
    """Runs SwiftPM on the package: what it prints, seconds by the clock, and of processor time."""
    # A user has none of the variables that a developer of this package may have set.
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("TOUCHSTONE_")}
    status, output, seconds, processor = bench.spent(["swift", *arguments], folder=user,
                                                     environment=environment)
    if status:
        sys.exit("bench: swift %s ended with %d: %s"
                 % (" ".join(arguments), status, output[-2000:]))
    return output, seconds, processor


def tested(user, name):
    """Runs one test: the seconds that it says it took, and the whole command's processor time."""
    output, _, processor = swift(user, "test", "--skip-build", "--disable-xctest", "--filter", name)
    passed = dict(re.findall(r"Test (\w+)\(\) passed after ([0-9.]+) seconds", output))
    if set(passed) != {name}:
        sys.exit("bench: %s did not pass, or not alone: %s" % (name, output[-2000:]))
    return float(passed[name]), processor


def figures():
    """The seconds of one package, from nothing: by the clock, and of processor time."""
    clock, processor = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        user = os.path.join(folder, "user")
        tests = os.path.join(user, "Tests", "NoteTests")
        # Under this name, whatever the folder of the clone is called.
        os.symlink(bench.ROOT, os.path.join(folder, "touchstone"))
        shutil.copytree(EXAMPLE, tests)
        with open(os.path.join(user, "Package.swift"), "w") as file:
            file.write(MANIFEST)
        swift(user, "package", "resolve")
        for name in ("nothing", "unchanged", "edited"):
            if name == "edited":
                with open(os.path.join(tests, "NoteTests.swift"), "a") as file:
                    file.write(EDIT)
            _, clock[name], processor[name] = swift(user, "build", "--build-tests")
        clock["laws"], laws = tested(user, "noteIsSafe")
        processor["laws"] = max(laws - tested(user, "wasEdited")[1], 0)
    return clock, processor


def medians(samples):
    return {name: statistics.median(by[name] for by in samples) for name in samples[0]}


def table(clock, processor):
    text = ["| time in s | by the clock | aim | CPU |", "|---|--:|--:|--:|"]
    for title, name in ROWS:
        text.append("| %s | %s | %s | %s |" % (title, tables.number(clock[name]),
                                               tables.aim("build", name, clock),
                                               tables.number(processor[name])))
    return "\n".join(text)


def main():
    parser = bench.page_arguments(__doc__, rounds=3, of="packages")
    parser.add_argument("--remark", default="", help="a sentence that the table ends with")
    options = parser.parse_args()
    runs = []
    for number in range(options.rounds):
        runs.append(figures())
        bench.say("build, round %d of %d" % (number + 1, options.rounds))
    clock, processor = (medians(samples) for samples in zip(*runs))
    bench.keep("build", {"rounds": options.rounds, "clock": clock, "processor": processor})
    bench.tell(table(clock, processor), "build", options, options.remark)


if __name__ == "__main__":
    main()
