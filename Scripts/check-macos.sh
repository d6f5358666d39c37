#!/usr/bin/env bash
# Type-checks a module without Foundation for macOS, on Linux, from the Linux toolchain's own
# interface files.
#
# usage: Scripts/check-macos.sh SCRATCH MACOS-VERSION MODULE FILE...
#
# SCRATCH is a folder for this script alone. The first use builds the standard library's modules
# there (about a minute of one core); later checks take a fraction of a second. A module may import
# Swift, _Concurrency, _StringProcessing, and modules checked earlier with the same SCRATCH. The
# interface is Linux's, so API that only Apple's has is not seen.
#
# exit: 0 it type-checks; 1 it does not, with the compiler's errors; 64 usage.
set -euo pipefail
if [ $# -lt 4 ]; then
  echo 'usage: Scripts/check-macos.sh SCRATCH MACOS-VERSION MODULE FILE...' >&2
  exit 64
fi
mkdir -p "$1"
scratch=$(cd "$1" && pwd) version=$2 module=$3
shift 3

# A proxy such as swiftly's stands elsewhere than its toolchain: only the compiler knows where the
# interfaces are.
info=$(swiftc -print-target-info)
swift=$(sed -nE 's/.*"runtimeResourcePath": *"(.*)".*/\1/p' <<<"$info")
linux=$(sed -nE 's/.*"moduleTriple": *"(.*)".*/\1/p' <<<"$info")
case $linux in
x86_64-*) arch=x86_64 ;;
aarch64-*) arch=arm64 ;;
*) echo "check-macos: no macOS counterpart of $linux" >&2 && exit 1 ;;
esac

# Another compiler does not read the modules that this one built.
stamp="$scratch/compiler"
if [ "$(cat "$stamp" 2>/dev/null)" != "$info" ]; then
  rm -rf "$scratch/resources" "$scratch/modules" "$scratch/cache" "$stamp"
  mkdir -p "$scratch/resources/macosx" "$scratch/modules" "$scratch/cache"
  ln -sfn "$swift/shims" "$scratch/resources/shims"
  ln -sfn "$swift/clang" "$scratch/resources/clang"
  for name in Swift _Concurrency _StringProcessing SwiftOnoneSupport; do
    extra=''
    [ "$name" = Swift ] || extra=' -disable-availability-checking'
    mkdir -p "$scratch/resources/macosx/$name.swiftmodule"
    # The first line naming a target is the interface's own flags.
    sed -e "0,/-target $linux/s//-target $arch-apple-macosx26.0$extra/" \
      -e '/^ *@backDeployed(before/d' \
      "$swift/linux/$name.swiftmodule/$linux.swiftinterface" \
      >"$scratch/resources/macosx/$name.swiftmodule/$arch-apple-macos.swiftinterface"
  done
  # Written last: a set-up that was interrupted starts again.
  printf '%s\n' "$info" >"$stamp"
fi

# One from an earlier run must not stand in for a module that no longer type-checks.
rm -f "$scratch/modules/$module.swiftmodule"
# The settings are those of Package.swift.
swiftc -frontend -emit-module -module-name "$module" \
  -o "$scratch/modules/$module.swiftmodule" -I "$scratch/modules" \
  -target "$arch-apple-macosx$version" -resource-dir "$scratch/resources" \
  -sdk "$scratch/resources" -module-cache-path "$scratch/cache" -disable-objc-interop \
  -package-name touchstone -swift-version 6 -strict-memory-safety -warnings-as-errors \
  -enable-upcoming-feature ExistentialAny \
  -enable-upcoming-feature InternalImportsByDefault \
  -enable-upcoming-feature MemberImportVisibility \
  -parse-as-library "$@"
