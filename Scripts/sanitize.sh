#!/usr/bin/env bash
# Runs the tests of threads, and those of Examples/MeetingNotes, under the thread sanitizer, in build
# folders of their own.
#
# usage: Scripts/sanitize.sh [FILTER]
#
# FILTER: only these tests of `Document`, and not the example. The first run compiles everything that they
# use, which takes about ten minutes of a processor for each of the two.
#
# exit: 0 they pass and no race was seen; otherwise what `swift test` says.
set -euo pipefail
cd "$(dirname "$0")/.."
export TSAN_OPTIONS="halt_on_error=1 ${TSAN_OPTIONS:-}"
TOUCHSTONE_ONLY=AutomergeDocumentTests swift test --disable-xctest --sanitize=thread \
  --scratch-path .build/thread-sanitizer --filter "${1:-ThreadTests}"
[ $# = 0 ] || exit 0
# As a user would have it: another package, which uses this one, and judges several models at once.
env -u TOUCHSTONE_ONLY -u TOUCHSTONE_CASES -u TOUCHSTONE_PROFILE -u TOUCHSTONE_REPLAY \
  swift test --package-path Examples/MeetingNotes --disable-xctest --sanitize=thread \
  --scratch-path .build/thread-sanitizer-example --filter MeetingNotesTests
