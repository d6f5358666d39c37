#!/usr/bin/env bash
# Runs the tests of threads under the thread sanitizer, in a build folder of their own.
#
# usage: Scripts/sanitize.sh [FILTER]
#
# FILTER: which tests (ThreadTests unless given). The first run compiles everything that they use.
#
# exit: 0 they pass and no race was seen; otherwise what `swift test` says.
set -euo pipefail
cd "$(dirname "$0")/.."
export TOUCHSTONE_ONLY=AutomergeDocumentTests
export TSAN_OPTIONS="halt_on_error=1 ${TSAN_OPTIONS:-}"
exec swift test --disable-xctest --sanitize=thread --scratch-path .build/thread-sanitizer \
  --filter "${1:-ThreadTests}"
