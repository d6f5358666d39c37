"""The tables that a benchmark run prints, and those that it writes into the page of benchmarks."""
import collections

# The page, from the root of the repository.
PAGE = "Documentation/Benchmarks.md"
NAMES = {
    "engine": "`engine`", "automerge": "Automerge (Rust, wheel {})", "loro": "loro {}",
    "pycrdt": "yrs (pycrdt {})",
}
# Between such lines the page's tables stand: of the engine beside its peers, and of its growth.
BEGIN = "<!-- Written by `make bench`: %s. -->"
END = "<!-- End of %s. -->"

# The rows of the page: what was done, and the figure's name.
ROWS = [
    ("W1: an essay typed, 259,778 edits, one commit", "w1_replay"),
    ("save it", "w1_save"),
    ("zlib alone, for the same columns", "w1_deflate_alone"),
    ("save it uncompressed", "w1_save_nocompress"),
    ("load it", "w1_load"),
    ("load it and read its text", "w1_load_and_text"),
    ("read its text without loading it", "w1_view_and_text"),
    ("read its text", "w1_text"),
    ("W2: the same, a commit for each edit", "w2_replay"),
    ("load its 259,778 changes", "w2_load"),
    ("load them and read the text", "w2_load_and_text"),
    ("W3: merge 10 replicas of 5,000 edits each, one after the other", "w3_merge_seq"),
    ("the same in pairs", "w3_merge_tree"),
    ("W4: 100,000 puts to 1,000 keys, one commit", "w4_puts"),
    ("W5: push 100,000 numbers to a list", "w5_push"),
    ("insert 100,000 at random places", "w5_random"),
    ("W6: sync of two sides with 1,000 changes each", "w6_sync"),
    ("W7: load 20,000 small documents", "w7_valid"),
    ("load 100,000 damaged ones whose checksum was repaired", "w7_repaired"),
    ("W8: one history: 3 replicas, 50 edits, merge, save, load", "w8_history"),
    ("W9: *friendsforever*, two writers, 26,079 changes replayed", "w9_friendsforever_build"),
    ("apply the changes of *friendsforever* at once", "w9_friendsforever_batch"),
    ("apply them one by one", "w9_friendsforever_single"),
    ("W9: *clownschool*, three writers, 23,137 changes replayed", "w9_clownschool_build"),
    ("W11: 10,000 marks on a text of 100,000 letters", "w11_mark"),
    ("read its marks", "w11_marks"),
    ("W12: 100,000 patches of a text, every other letter deleted", "w12_text"),
    ("the same backward", "w12_text_back"),
    ("100,000 patches of a map, keys written", "w12_map"),
    ("W13: a text of 100,000 characters as a whole, by scalars", "w13_text_scalar"),
    ("the same by UTF-8", "w13_text_utf8"),
    ("the same by UTF-16", "w13_text_utf16"),
    ("the same by graphemes", "w13_text_grapheme"),
    ("read at 10,000 places, by scalars", "w13_places_scalar"),
    ("the same by UTF-8", "w13_places_utf8"),
    ("the same by UTF-16", "w13_places_utf16"),
    ("the same by graphemes", "w13_places_grapheme"),
    ("peak memory in MB, load W1", "w1_load_peak_mb"),
    ("peak memory in MB, load W2", "w2_load_peak_mb"),
]
# What `Document` is measured on: figures of the engine and of the face of that work.
FACE_ROWS = [
    ("W1: an essay typed, 259,778 edits, one commit", "face_w1_replay"),
    ("W4: 100,000 puts to 1,000 keys, one commit", "face_w4_puts"),
    ("W5: push 100,000 numbers to a list", "face_w5_push"),
    ("insert 100,000 at random places", "face_w5_random"),
]
# The most that a figure should be, or with `least` the least: a number of the row's unit or, with
# `of`, a multiple of another figure. `unit` is what the table says behind the number.
Aim = collections.namedtuple("Aim", "limit of least unit", defaults=[None, False, ""])
# The aims by table and figure, on a quiet core. They stand here alone: every table takes its column
# from here, with whether the aim is met. A figure without one is not in here.
AIMS = {
    "peers": {
        "w1_replay": Aim(10),
        "w1_save": Aim(1.15, of="w1_deflate_alone", unit="x zlib"),
        "w1_load": Aim(5),
        "w1_load_and_text": Aim(3),
        "w1_view_and_text": Aim(3),
        "w2_replay": Aim(110),
        "w2_load": Aim(70),
        "w3_merge_seq": Aim(10),
        "w3_merge_tree": Aim(20),
        "w4_puts": Aim(15),
        "w5_push": Aim(8),
        "w5_random": Aim(22),
        # 0.75 microseconds for each of the 2,000 changes.
        "w6_sync": Aim(1.5),
        "w8_history": Aim(0.1),
        "w9_friendsforever_build": Aim(40),
        "w9_clownschool_build": Aim(40),
        "w1_load_peak_mb": Aim(6),
        "w2_load_peak_mb": Aim(40),
    },
    "face": {"overhead": Aim(10, unit=" %")},
    "growth": {"exponent": Aim(1.1)},
    "coders": {
        "encode_first": Aim(0.5, of="json_encode", unit="x"),
        "decode": Aim(0.5, of="json_decode", unit="x"),
        "encode_unchanged": Aim(0.15, of="encode_first", unit="x"),
        "encode_peak_megabytes": Aim(3, of="model_megabytes", unit="x"),
    },
    "harness": {
        "engine": Aim(5000, least=True),
        "shrink_median": Aim(1),
        "shrink_largest": Aim(10),
    },
    "build": {"nothing": Aim(90), "edited": Aim(5), "laws": Aim(0.3)},
}


def aim(part, name, *columns):
    """A figure's aim in a table and whether it is met; each column is its figures by name."""
    if name not in AIMS[part]:
        return "-"
    limit, of, least, unit = AIMS[part][name]
    met = []
    for by in columns:
        if name in by and (of is None or by.get(of)):
            # Judged is what the table shows.
            shown = float(number(by[name] / (by[of] if of else 1)).replace(",", ""))
            met.append(shown >= limit if least else shown <= limit)
    said = "{:,g}{}".format(limit, unit)
    if not met:
        return said
    if all(met):
        return said + ": met"
    return said + ": missed" + (" by %d of %d" % (met.count(False), len(met)) if len(met) > 1 else "")


def ratios(medians):
    """For each figure and peer, how many times the engine's it is."""
    return {
        name: {peer: value / by["engine"] for peer, value in by.items() if peer != "engine"}
        for name, by in medians.items() if by.get("engine")
    }


def number(value):
    """Three significant digits, with separators."""
    if value >= 1000:
        digits = max(0, len("%d" % value) - 3)
        return "{:,d}".format(int(round(value, -digits)))
    return "%.0f" % value if value >= 100 else "%.1f" % value if value >= 10 else "%.2f" % value


def cell(by, subject):
    if subject not in by:
        return "-"
    text = number(by[subject])
    if subject == "engine" or not by.get("engine"):
        return text
    ratio = by[subject] / by["engine"]
    digits = 0 if ratio >= 10 else 1 if ratio >= 0.95 else 2 if ratio >= 0.1 else 3
    return "%s (%.*fx)" % (text, digits, ratio)


def table(rows, medians, peers):
    subjects = ["engine"] + [name for name in NAMES if name in peers]
    titles = [NAMES[name].format(peers.get(name, "")) for name in subjects]
    titles.insert(1, "aim")
    lines = ["| CPU time in ms | " + " | ".join(titles) + " |",
             "|---|" + "--:|" * len(titles)]
    ours = {name: by["engine"] for name, by in medians.items() if "engine" in by}
    for title, name in rows:
        if name in medians:
            cells = [cell(medians[name], subject) for subject in subjects]
            cells.insert(1, aim("peers", name, ours))
            lines.append("| %s | %s |" % (title, " | ".join(cells)))
    return "\n".join(lines)


def growth_table(rows, result):
    grown = result["growth"]
    lines = ["| CPU time in ms | %s | exponent | aim |"
             % " | ".join("%dx" % scale for scale in result["scales"]),
             "|---|" + "--:|" * (len(result["scales"]) + 2)]
    for title, name in rows:
        if name in grown:
            cells = [number(value) for value in grown[name]["times"]]
            lines.append("| %s | %s | %.2f | %s |"
                         % (title, " | ".join(cells), grown[name]["exponent"],
                            aim("growth", "exponent", grown[name])))
    return "\n".join(lines)


def face_table(medians):
    lines = ["| CPU time in ms | engine | `Document` | overhead | aim |", "|---|--:|--:|--:|--:|"]
    for title, name in FACE_ROWS:
        engine, face = medians[name + "_engine"]["engine"], medians[name + "_face"]["engine"]
        overhead = round(100 * (face / engine - 1))
        lines.append("| %s | %s | %s | %d %% | %s |"
                     % (title, number(engine), number(face), overhead,
                        aim("face", "overhead", {"overhead": overhead})))
    return "\n".join(lines)


def whole(result):
    """Every figure of a run."""
    text = table([(name, name) for name in result["medians"]], result["medians"], result["peers"])
    if "face_w1_replay_face" in result["medians"]:
        text += "\n\n" + face_table(result["medians"])
    if result["growth"]:
        text += "\n\n" + growth_table([(name, name) for name in result["growth"]], result)
    return text + "\n"


def taken(rounds):
    return "One process each" if rounds == 1 else "Medians of %d processes each" % rounds


def where(rounds, machine):
    """How and on what figures were taken, in a sentence."""
    return "%s, %s (%s cores)." % (taken(rounds), machine["processor"], machine["cores"])


def write_page(path, result):
    """Puts the tables of the engine between the marks of a file; says which."""
    place = where(result["rounds"], result["machine"])
    parts = {"peers": table(ROWS, result["medians"], result["peers"]) + "\n\n" + place}
    parts["face"] = face_table(result["medians"])
    if result["growth"]:
        grown = [(title, name) for title, name in ROWS
                 if not name.endswith(("_mb", "_alone", "_build"))]
        parts["growth"] = growth_table(grown, result)
    put(path, parts)
    return " and ".join(parts)


def put(path, parts):
    """Puts texts between the marks of their names in a file."""
    with open(path) as file:
        text = file.read()
    for name, part in parts.items():
        head, mark, rest = text.partition(BEGIN % name)
        _, end, tail = rest.partition(END % name)
        if not mark or not end:
            raise SystemExit("bench: %s lacks the lines around its table of %s" % (path, name))
        text = head + mark + "\n\n" + part + "\n\n" + end + tail
    with open(path, "w") as file:
        file.write(text)
