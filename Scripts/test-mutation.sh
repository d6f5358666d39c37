#!/usr/bin/env bash
# Builds and runs the tests of the nested package `Mutation/`, which writes mutants of the sources.
#
# usage: Scripts/test-mutation.sh
#
# Everything is below `.build/mutation`; the first run builds swift-syntax there, which takes minutes.
#
# SWIFT_BUILD_FLAGS is passed on to `swift test`.
# exit: that of `swift test`.
set -euo pipefail
cd "$(dirname "$0")/.."
unset TOUCHSTONE_ONLY

# shellcheck disable=SC2086 # a list of flags
exec swift test --package-path Mutation --scratch-path .build/mutation --disable-xctest -c release \
  ${SWIFT_BUILD_FLAGS:-} </dev/null
