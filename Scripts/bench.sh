#!/usr/bin/env bash
# Measures the engine, and beside it what is installed of the real Automerge, loro and yrs; and the
# coder beside Foundation's (w10).
#
# Read from the environment; an empty variable counts as unset:
#   ROUNDS   processes for each median, 5 by default
#   ONLY     workloads: ONLY='w1 w8', ONLY=w10; all by default, and only then the page's tables of
#            the engine are written anew; w10 always writes its own
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

# Coders are measured by a runner of their own: all workloads, or w10 among those asked for.
coders=yes engine=yes only=''
if [ -n "${ONLY:-}" ]; then
  coders=no engine=no
  for workload in ${ONLY//,/ }; do
    if [ "$workload" = w10 ]; then coders=yes; else engine=yes only="$only $workload"; fi
  done
fi

# The runners are targets of this package only when they are asked for by name.
export TOUCHSTONE_ONLY='EngineBenchmark CodingBenchmark'
echo 'bench: building in release mode (the first time takes minutes)'
for product in $TOUCHSTONE_ONLY; do
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
