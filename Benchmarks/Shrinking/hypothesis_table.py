#!/usr/bin/env python3
"""Runs the shrinking challenges with Hypothesis and prints a table of what it ends at.

usage: python3 -m venv V && V/bin/pip install hypothesis && V/bin/python hypothesis_table.py

An evaluation is one call of a property from its first failure on. The claims and recipes are those of
Tests/PropertyFaceTests/ShrinkingChallenges.swift, as near as the two libraries allow.
"""

import statistics

import hypothesis
from hypothesis import HealthCheck, Phase, assume, settings
from hypothesis import strategies as st

SEEDS = range(1, 6)


def wrap16(number):
    return (number + 32768) % 65536 - 32768


def sum16(numbers):
    return wrap16(sum(numbers))


small_lists = st.lists(st.integers(-32768, 32767), max_size=10).filter(lambda x: sum16(x) < 256)
positives = st.tuples(st.integers(1, 1000), st.integers(1, 1000))
numbers = st.integers(-(2**63), 2**63 - 1)


def coupled(values):
    assume(all(value < len(values) for value in values))
    return all(value == index or values[value] != index for index, value in enumerate(values))


@st.composite
def chosen(draw):
    values = draw(st.lists(numbers, min_size=1, max_size=16))
    return values, draw(st.sampled_from(values))


def deleted(pair):
    rest, element = list(pair[0]), pair[1]
    rest.remove(element)
    return element not in rest


@st.composite
def counted(draw):
    count = draw(st.integers(1, 100))
    return draw(st.lists(st.integers(0, 1000), min_size=count, max_size=count))


terms = st.deferred(
    lambda: numbers | st.tuples(st.just("+"), terms, terms) | st.tuples(st.just("/"), terms, terms)
)


def is_plain(term):
    if isinstance(term, int):
        return True
    return term[1:] and not (term[0] == "/" and term[2] == 0) and all(map(is_plain, term[1:]))


def value_of(term):
    if isinstance(term, int):
        return term
    left, right = map(value_of, term[1:])
    return left + right if term[0] == "+" else left // right


def has_value(term):
    assume(is_plain(term))
    try:
        value_of(term)
        return True
    except ZeroDivisionError:
        return False


@st.composite
def heaps(draw, least=0, depth=6):
    if depth == 0 or not draw(st.booleans()):
        return None
    head = draw(st.integers(least, max(least, 1000)))
    return head, draw(heaps(head, depth - 1)), draw(heaps(head, depth - 1))


def flat(heap):
    return [] if heap is None else [heap[0]] + flat(heap[1]) + flat(heap[2])


def merged(one, other):
    if one is None or other is None:
        return other if one is None else one
    if one[0] <= other[0]:
        return one[0], merged(one[2], other), one[1]
    return other[0], merged(other[2], one), other[1]


def sorts(heap):
    found = [] if heap is None else [heap[0]] + flat(merged(heap[1], heap[2]))
    return found == sorted(flat(heap))


CHALLENGES = [
    ("bound5", st.tuples(*[small_lists] * 5), lambda x: sum16(sum(x, [])) < 5 * 256),
    ("large union list", st.lists(st.lists(numbers)), lambda x: len(set().union(*x)) <= 4),
    ("reverse", st.lists(numbers), lambda x: x == x[::-1]),
    ("calculator", terms, has_value),
    ("length list", counted(), lambda x: max(x) < 900),
    ("difference must not be zero", positives, lambda x: x[0] < 10 or x[0] != x[1]),
    ("difference must not be small", positives,
     lambda x: x[0] < 10 or not 1 <= abs(x[0] - x[1]) <= 4),
    ("difference must not be one", positives, lambda x: x[0] < 10 or abs(x[0] - x[1]) != 1),
    ("binary heap", heaps(), sorts),
    ("coupling", st.lists(st.integers(0, 10)), coupled),
    ("deletion", chosen(), deleted),
    ("distinct", st.lists(numbers), lambda x: len(set(x)) < 3),
    ("nested lists", st.lists(st.lists(numbers)), lambda x: sum(map(len, x)) <= 10),
]


def run(strategy, holds, seed):
    """The smallest value and the evaluations from the first failure on; None if nothing failed."""
    calls = {"count": 0, "first": None, "last": None}

    @hypothesis.seed(seed)
    @settings(
        max_examples=20_000,
        database=None,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @hypothesis.given(strategy)
    def judge(value):
        calls["count"] += 1
        if not holds(value):
            calls["first"] = calls["first"] or calls["count"]
            calls["last"] = value
            raise AssertionError

    try:
        judge()
    except AssertionError:
        return repr(calls["last"]), calls["count"] - calls["first"]
    return None


print(f"Hypothesis {hypothesis.__version__}\n")
print("| challenge | evaluations | results |\n|---|---|---|")
for name, strategy, holds in CHALLENGES:
    found = [run(strategy, holds, seed) for seed in SEEDS]
    results = [one[0] if one else "nothing found" for one in found]
    shown = "; ".join(
        (f"`{value}`" if results.count(value) == len(results) else f"{results.count(value)}: `{value}`")
        for value in sorted(set(results), key=lambda value: (-results.count(value), value))
    )
    counts = [one[1] for one in found if one]
    print(f"| {name} | {int(statistics.median(counts)) if counts else ''} | {shown} |")
