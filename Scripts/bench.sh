#!/usr/bin/env bash
# Measures the engine, and beside it what is installed of the real Automerge, loro and yrs; the coder
# beside Foundation's (w10); the harness (harness); the coder of records beside Foundation's (records); the
# local store beside a whole-file rewrite and SQLite (store); and what a user's first build costs (build).
#
# Read from the environment; an empty variable counts as unset:
#   ROUNDS   processes for each median, 5 by default; builds are 3 at most
#   ONLY     workloads: ONLY='w1 w8', ONLY=w10, ONLY='harness build'; all by default, and only then the
#            page's tables of the engine are rewritten; the others always write their own
#   GROWTH   no: leave out how cost grows with size
#   PEERS    no: the engine alone
#   SWIFT_BUILD_FLAGS   passed on to `swift build`
#
# exit: 0 measured, 1 a head or hash is wrong or a subject failed, 2 nothing could be built, and
# that of `bench.py` for a setting it does not understand.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "${PEERS:-}" = no ]; then Scripts/setup.sh; else Scripts/setup.sh all; fi
python=.build/python/bin/python3
[ -x "$python" ] || python=python3
command -v "$python" >/dev/null || {
  echo 'bench: no Python: it starts the processes and takes the medians' >&2
  exit 2
}

# What is no workload of the engine is measured by runners of its own: all of it, or what is asked for.
build=yes coders=yes engine=yes harness=yes records=yes store=yes only=''
if [ -n "${ONLY:-}" ]; then
  build=no coders=no engine=no harness=no records=no store=no
  for workload in ${ONLY//,/ }; do
    case "$workload" in
    build) build=yes ;;
    w10) coders=yes ;;
    harness) harness=yes ;;
    records) records=yes ;;
    store) store=yes ;;
    *) engine=yes only="$only $workload" ;;
    esac
  done
fi
if [ "$store" = yes ] && ! printf '#include <sqlite3.h>\n' | cc -E -x c - >/dev/null 2>&1; then
  echo 'bench: no header of SQLite, beside which the store is measured: apt-get install libsqlite3-dev' >&2
  store=no
fi

# The runners are targets of this package only when they are asked for by name.
TOUCHSTONE_ONLY=''
[ "$engine" = no ] || TOUCHSTONE_ONLY="$TOUCHSTONE_ONLY EngineBenchmark"
[ "$coders" = no ] || TOUCHSTONE_ONLY="$TOUCHSTONE_ONLY CodingBenchmark"
[ "$records" = no ] || TOUCHSTONE_ONLY="$TOUCHSTONE_ONLY RecordBenchmark"
[ "$store" = no ] || TOUCHSTONE_ONLY="$TOUCHSTONE_ONLY StoreBenchmark"
products=$TOUCHSTONE_ONLY
[ "$harness" = no ] || TOUCHSTONE_ONLY="$TOUCHSTONE_ONLY TouchstoneCommand" products="$products touchstone"
[ -n "$products" ] || [ "$build" = yes ] || exit 2
export TOUCHSTONE_ONLY
[ -z "$products" ] || echo 'bench: building in release mode (the first time takes minutes)'
for product in $products; do
  # shellcheck disable=SC2086 # a list of flags
  swift build -c release --product "$product" ${SWIFT_BUILD_FLAGS:-} </dev/null || {
    echo 'bench: the build failed' >&2
    exit 2
  }
done

if [ "$engine" = yes ]; then
  arguments=(--rounds "${ROUNDS:-5}")
  if [ -n "$only" ]; then arguments+=(--only "$only"); fi
  if [ "${GROWTH:-}" = no ]; then arguments+=(--no-growth); fi
  if [ "${PEERS:-}" = no ]; then arguments+=(--no-peers); fi
  "$python" Benchmarks/bench.py "${arguments[@]}"
fi
if [ "$coders" = yes ]; then
  "$python" Benchmarks/coding.py --rounds "${ROUNDS:-5}"
fi
if [ "$harness" = yes ]; then
  "$python" Benchmarks/harness.py --rounds "${ROUNDS:-5}"
fi
for what in records store; do
  if [ "${!what}" = yes ]; then
    "$python" Benchmarks/storage.py "$what" --rounds "${ROUNDS:-5}"
  fi
done
if [ "$build" = yes ]; then
  rounds=${ROUNDS:-3}
  "$python" Benchmarks/build.py --rounds "$((rounds > 3 ? 3 : rounds))"
fi
