"""What every peer's workloads share: the generator, the traces, timing, and the report."""
import gzip
import hashlib
import json
import os
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MASK = (1 << 64) - 1


class SplitMix:
    """SplitMix64, the generator of the workloads."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def below(self, bound):
        return self.next() % bound

    def letter(self):
        return chr(97 + self.below(26))


class Report:
    """Milliseconds and facts of one process, printed as one JSON object."""

    def __init__(self, subject):
        self.subject, self.times, self.facts = subject, {}, {}

    def timed(self, name, times=1):
        return Timed(self, name, times)

    def show(self):
        print(json.dumps({"subject": self.subject, "times": self.times, "facts": self.facts}))


class Timed:
    """CPU time of the process around a block, divided by how often the block did the work."""

    def __init__(self, report, name, times):
        self.report, self.name, self.times = report, name, times

    def __enter__(self):
        self.start = time.process_time()

    def __exit__(self, kind, *_):
        if kind is None:
            spent = (time.process_time() - self.start) * 1000
            self.report.times[self.name] = spent / self.times


def fixture(*parts):
    with open(os.path.join(ROOT, "fixtures", *parts), "rb") as file:
        return file.read()


def trace(name):
    return json.loads(gzip.decompress(fixture("traces", name + ".json.gz")))


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def status_kilobytes(name):
    """A line of /proc/self/status in kilobytes; None where there is no such file."""
    try:
        with open("/proc/self/status") as file:
            for line in file:
                if line.startswith(name + ":"):
                    return int(line.split()[1])
    except OSError:
        pass
    return None


def peak_of(work):
    """By how many kilobytes the process grew at most while `work` ran; None where unknown."""
    before = status_kilobytes("VmRSS")
    if before is None:
        work()
        return None
    try:
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
    except OSError:
        return None
    kept = work()
    peak = status_kilobytes("VmHWM") - before
    del kept
    return peak


def mutate(random, data):
    """The mutators of W7, on a bytearray."""
    for _ in range(1 + random.below(4)):
        size = len(data)
        if size <= 1:
            return
        kind = random.below(5)
        if kind == 0:
            at = random.below(size)
            data[at] ^= 1 << random.below(8)
        elif kind == 1:
            at = random.below(size)
            data[at] = random.below(256)
        elif kind == 2:
            del data[random.below(size)]
        elif kind == 3:
            at = random.below(size)
            data.insert(at, random.below(256))
        elif random.below(8) == 0:
            del data[random.below(size):]
        else:
            to = random.below(size)
            data[to] = data[random.below(size)]


def repaired(random, file):
    """A one-chunk Automerge file with a damaged body, and length and checksum to match."""
    start = 9
    while file[start] & 0x80:
        start += 1
    body = bytearray(file[start + 1:])
    mutate(random, body)
    hashed, length = bytearray(file[8:9]), len(body)
    while length >= 128:
        hashed.append(length & 127 | 128)
        length >>= 7
    hashed.append(length)
    hashed += body
    return bytes(file[:4]) + hashlib.sha256(hashed).digest()[:4] + bytes(hashed)
