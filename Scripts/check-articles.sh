#!/usr/bin/env bash
# Makes the documentation of libraries, with every link to a symbol or an article.
#
# usage: Scripts/check-articles.sh SCRATCH BIN-PATH MODULE...
#
# SCRATCH is a folder for this script alone, where an archive of each module is left. BIN-PATH is where
# a build has left the modules (`swift build --show-bin-path`). A module's articles are those of its
# folder's `.docc`, if it has one.
#
# exit: 0 they are made, or there is no docc here; 1 docc warns; 64 usage.
set -euo pipefail
[ $# -gt 2 ] || { echo 'usage: Scripts/check-articles.sh SCRATCH BIN-PATH MODULE...' >&2 && exit 64; }
mkdir -p "$1"
scratch=$(cd "$1" && pwd) bin=$(cd "$2" && pwd)
shift 2
cd "$(dirname "$0")/.."
command -v docc >/dev/null || { echo 'articles: there is no docc; links are not checked' && exit 0; }

# Maps of all C modules: which of them a build uses depends on its traits and on the system.
maps=()
for map in Sources/*/module.modulemap; do maps+=(-Xcc "-fmodule-map-file=$PWD/$map"); done
target=$(swiftc -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p')
failed=0
for module in "$@"; do
  rm -rf "$scratch/$module" "$scratch/$module.doccarchive"
  mkdir -p "$scratch/$module"
  swift symbolgraph-extract -module-name "$module" -minimum-access-level public -target "$target" \
    -I "$bin/Modules" -I "$bin" "${maps[@]}" -output-dir "$scratch/$module"
  articles=()
  if [ -d "Sources/$module/$module.docc" ]; then articles=("Sources/$module/$module.docc"); fi
  docc convert ${articles[@]+"${articles[@]}"} --warnings-as-errors \
    --additional-symbol-graph-dir "$scratch/$module" \
    --output-path "$scratch/$module.doccarchive" \
    --fallback-display-name "$module" --fallback-bundle-identifier "$module" || failed=1
done
exit "$failed"
