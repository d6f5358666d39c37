#!/usr/bin/env bash
# Builds and runs the Swift tests; says at the end how many ran.
#
# usage: Scripts/test.sh [ARGUMENT...]
#
# Arguments are those of `swift test`, such as `--filter PropertyEngineTests`.
#
# The build is optimised, with assertions on (`build-flags.sh`), unless SWIFT_BUILD_FLAGS holds other flags for
# `swift build` and `swift test`: `-c debug` runs the tests as `swift test` does, which takes several times as
# long. What was printed stays in `.build/test.log`.
# Without arguments `Scripts/test-packages.sh`, which builds and runs packages as users write them,
# runs beside the tests, which leave a core idle; what it says is printed after them.
# exit: 0 all passed, 1 a test failed or the build did, 2 nothing ran (which `swift test` itself
# calls a success).
set -euo pipefail
cd "$(dirname "$0")/.."

Scripts/setup.sh
if [ -d .build/python/bin ]; then PATH="$PWD/.build/python/bin:$PATH"; fi

. Scripts/build-flags.sh
flags=$SWIFT_BUILD_FLAGS
if ! grep -q . .build/traits; then
  echo 'test: without JSONCOracle: json-c is absent, and what needs it is skipped'
fi
echo "test: building with $flags"

log=.build/test.log
: >"$log"
# shellcheck disable=SC2086 # a list of flags
swift build --build-tests $flags </dev/null || {
  echo 'test: the build failed' >&2
  exit 1
}
# Packages of users: with everything, not with a few tests that were asked for.
packages='' packages_log=.build/packages.log
if [ $# = 0 ]; then
  # shellcheck disable=SC2086
  TOUCHSTONE="$(swift build --show-bin-path $flags)/touchstone" SWIFT_BUILD_FLAGS='' \
    Scripts/test-packages.sh >"$packages_log" 2>&1 </dev/null &
  packages=$!
fi
status=0
# What tests leave in the temporary folder goes with it.
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
# There are no XCTest tests, and XCTest's own leaks fail a run under the address sanitizer. In release
# mode, `swift test` would build all again with flags of its own.
# shellcheck disable=SC2086
TMPDIR="$temporary" swift test --skip-build --disable-xctest $flags "$@" </dev/null 2>&1 | tee "$log" || status=$?
if [ -n "$packages" ]; then
  wait "$packages" || status=$?
  cat "$packages_log"
fi
[ "$status" = 0 ] || exit 1

ran=$(sed -nE 's/.*Test run with ([0-9]+) tests?( in [0-9]+ suites?)? passed after .*/\1/p' \
  "$log" | tail -n 1)
if [ "${ran:-0}" = 0 ]; then
  echo 'test: no test ran' >&2
  exit 2
fi
echo "test: $ran tests passed"
