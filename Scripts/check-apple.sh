#!/usr/bin/env bash
# Type-checks code for Apple systems, on Linux, against the stand-ins in Scripts/AppleStubs, or runs tests of it.
#
# usage: Scripts/check-apple.sh SCRATCH BIN-PATH MODULE FILE...
#        Scripts/check-apple.sh SCRATCH BIN-PATH --run FILE...
#
# SCRATCH is a folder for stand-ins alone; what is up to date there is not made again. BIN-PATH is
# where an ordinary build has left the modules that MODULE imports (`swift build --show-bin-path`).
# With the stand-ins in sight, `canImport` holds, so that code in `#if canImport(Combine)` is not only
# parsed.
#
# With --run, AutomergeDocument and DocumentCoding are built again with the stand-ins in sight, and the files hold
# Swift tests of what they have on Apple systems only.
#
# exit: 0 it type-checks, and the tests passed; 1 not, with the compiler's errors or what failed; 64 usage.
set -euo pipefail
if [ $# -lt 4 ]; then
  echo 'usage: Scripts/check-apple.sh SCRATCH BIN-PATH MODULE|--run FILE...' >&2
  exit 64
fi
mkdir -p "$1"
scratch=$(cd "$1" && pwd) bin=$(cd "$2" && pwd) module=$3
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
  swiftc -c -parse-as-library -module-name "$stub" -o "$scratch/$stub.o" -I "$scratch" -emit-module \
    -emit-module-path "$scratch/$stub.swiftmodule" "${flags[@]}" "$stubs/$stub.swift"
done
exec 9>&-
includes=(-I "$scratch" -I "$bin/Modules" -I "$bin")
for map in "$bin"/*.build/module.modulemap "$root"/Sources/C{JSONC,LibCrypto,Zlib}/module.modulemap; do
  if [ -f "$map" ]; then includes+=(-Xcc "-fmodule-map-file=$map"); fi
done
if [ "$module" = --run ]; then
  run=$scratch/run
  mkdir -p "$run"
  swiftc=(swiftc "${flags[@]}" -I "$run" "${includes[@]}" -warnings-as-errors -parse-as-library -wmo)
  sum=$(find "$stubs" "$root"/Sources/{MergeEngine,AutomergeDocument,DocumentCoding} -name "*.swift" -print0 | sort -z | xargs -0 cat | cksum)
  if [ "$(cat "$run/sum" 2>/dev/null)" != "$sum" ]; then
    for own in AutomergeDocument DocumentCoding; do
      "${swiftc[@]}" -c -package-name "$package" -module-name "$own" -o "$run/$own.o" -emit-module \
        -emit-module-path "$run/$own.swiftmodule" "$root/Sources/$own"/*.swift || exit 1
    done
    printf '%s\n' "$sum" >"$run/sum"
  fi
  printf '%s\n' 'import Testing' '@main enum Runner {' \
    '  static func main() async { await Testing.__swiftPMEntryPoint() as Never }' '}' >"$run/Runner.swift"
  objects=("$scratch"/{Combine,UniformTypeIdentifiers,CoreTransferable,SwiftUI}.o "$run"/*.o)
  # What MergeEngine, AutomergeDocument and DocumentCoding use, and swift-crypto where it stands in for libcrypto.
  for used in MergeEngine CodingSupport Texts Logging Crypto CryptoBoringWrapper C{CryptoBoringSSL,XKCP}{,Shims}; do
    [ -d "$bin/$used.build" ] || continue
    while read -r object; do
      # A build keeps the objects of files that have been renamed.
      source=$(basename "$object" .o)
      [ ! -d "$root/Sources/$used" ] || [ -n "$(find "$root/Sources/$used" -name "$source")" ] ||
        continue
      objects+=("$object")
    done < <(find "$bin/$used.build" -name '*.o')
  done
  "${swiftc[@]}" -module-name AppleTests -o "$run/tests" "$run/Runner.swift" "$@" "${objects[@]}" \
    -lz -lcrypto -lstdc++ || exit 1
  "$run/tests" --testing-library swift-testing || exit 1
  exit 0
fi
# Code of another package sees what is public, and nothing else.
for file in "$@"; do
  case $file in "$root"/Sources/*) flags+=(-package-name "$package") && break ;; esac
done
swiftc -typecheck -warnings-as-errors -module-name "$module" "${flags[@]}" "${includes[@]}" "$@" || exit 1
