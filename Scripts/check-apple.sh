#!/usr/bin/env bash
# Type-checks code for Apple systems, on Linux, against the stand-ins in Scripts/AppleStubs.
#
# usage: Scripts/check-apple.sh SCRATCH BIN-PATH MODULE FILE...
#
# SCRATCH is a folder for stand-ins alone; what is up to date there is not made again. BIN-PATH is
# where an ordinary build has left the modules that MODULE imports (`swift build --show-bin-path`).
# With the stand-ins in sight, `canImport` holds, so that code in `#if canImport(Combine)` is not only
# parsed.
#
# exit: 0 it type-checks; 1 it does not, with the compiler's errors; 64 usage.
set -euo pipefail
if [ $# -lt 4 ]; then
  echo 'usage: Scripts/check-apple.sh SCRATCH BIN-PATH MODULE FILE...' >&2
  exit 64
fi
mkdir -p "$1"
scratch=$(cd "$1" && pwd) bin=$2 module=$3
shift 3
stubs=$(cd "$(dirname "$0")/AppleStubs" && pwd)
# SwiftPM names a package by its folder, and the modules that were built carry that name.
root=$(cd "$(dirname "$0")/.." && pwd)
package=$(basename "$root" | tr '[:upper:]' '[:lower:]' | tr -c 'a-z0-9\n' '_')

flags=(-swift-version 6 -strict-memory-safety
  -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
  -enable-upcoming-feature MemberImportVisibility)
# Tests of several modules may be at it at once.
exec 9>"$scratch/lock" && flock 9
# In the order in which they import each other. The stand-in of a package has its package's settings.
for stub in Combine UniformTypeIdentifiers CoreTransferable SwiftUI Automerge; do
  if [ "$scratch/$stub.swiftmodule" -nt "$stubs/$stub.swift" ]; then continue; fi
  swiftc -emit-module -parse-as-library -module-name "$stub" -o "$scratch/$stub.swiftmodule" -I "$scratch" \
    "${flags[@]}" "$stubs/$stub.swift"
done
exec 9>&-
includes=(-I "$scratch" -I "$bin/Modules" -I "$bin")
for map in "$bin"/*.build/module.modulemap "$root"/Sources/C{JSONC,Zlib}/module.modulemap; do
  if [ -f "$map" ]; then includes+=(-Xcc "-fmodule-map-file=$map"); fi
done
# Code of another package sees what is public, and nothing else.
for file in "$@"; do
  case $file in "$root"/Sources/*) flags+=(-package-name "$package") && break ;; esac
done
swiftc -typecheck -warnings-as-errors -module-name "$module" "${flags[@]}" "${includes[@]}" "$@" || exit 1
