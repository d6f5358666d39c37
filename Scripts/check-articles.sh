#!/usr/bin/env bash
# Makes the documentation of the library Touchstone, with every link to a symbol or an article.
#
# usage: Scripts/check-articles.sh SCRATCH BIN-PATH
#
# SCRATCH is a folder for this script alone, where the archive is left. BIN-PATH is where a build has
# left the modules (`swift build --show-bin-path`).
#
# exit: 0 it is made, or there is no docc here; 1 docc warns; 64 usage.
set -euo pipefail
[ $# = 2 ] || { echo 'usage: Scripts/check-articles.sh SCRATCH BIN-PATH' >&2 && exit 64; }
mkdir -p "$1"
scratch=$(cd "$1" && pwd) bin=$2
cd "$(dirname "$0")/.."
command -v docc >/dev/null || { echo 'articles: there is no docc; links are not checked' && exit 0; }

rm -rf "$scratch/symbols" "$scratch/Touchstone.doccarchive"
mkdir -p "$scratch/symbols"
target=$(swiftc -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p')
swift symbolgraph-extract -module-name Touchstone -minimum-access-level public -target "$target" \
  -I "$bin/Modules" -I "$bin" -Xcc "-fmodule-map-file=$PWD/Sources/CZlib/module.modulemap" \
  -Xcc "-fmodule-map-file=$PWD/Sources/CLibCrypto/module.modulemap" \
  -output-dir "$scratch/symbols"
docc convert Sources/Touchstone/Touchstone.docc --warnings-as-errors \
  --additional-symbol-graph-dir "$scratch/symbols" \
  --output-path "$scratch/Touchstone.doccarchive" \
  --fallback-display-name Touchstone --fallback-bundle-identifier touchstone || exit 1
