#!/usr/bin/env bash
# Writes the parts of the documentation that code knows: the table of modules from the manifest, the
# tables and numbers of laws and mutants from the catalogues, the tables of the seeds of boundaries. They stand
# between the lines `<!-- generated: NAME -->` and `<!-- end -->`; tests compare them. Files of the fuzz targets'
# options and dictionaries are written as a whole.
#
# usage: Scripts/generate.sh [--check]
#
# --check writes nothing, and says which parts are stale.
# The build is that of `make test`; SWIFT_BUILD_FLAGS holds other flags for `swift build` and `swift test`.
# exit: 0 all is as the code says, 1 something is stale or could not be built, 64 usage.
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1:-}" in
'') export TOUCHSTONE_GENERATE=yes ;;
--check) unset TOUCHSTONE_GENERATE ;;
*) echo 'usage: Scripts/generate.sh [--check]' >&2 && exit 64 ;;
esac

. Scripts/build-flags.sh
# The test targets that know, and what they use.
export TOUCHSTONE_ONLY='CorpusTests DocumentationTests FuzzEntryPointsTests RepositoryTests'
# shellcheck disable=SC2086 # a list of flags
swift build --build-tests $SWIFT_BUILD_FLAGS </dev/null
# shellcheck disable=SC2086
swift test --skip-build --disable-xctest $SWIFT_BUILD_FLAGS \
  --filter 'BoundaryCorpusTests|CoderCorpusTests|FuzzOptionsTests|HistoriesCorpusTests|DocumentationTests|ModuleTableTests' </dev/null
