#!/usr/bin/env bash
# Builds and runs packages as users would write them, which depend on this one by path: what
# `touchstone init` writes must pass, and the Swift files that a report keeps for its failures must
# compile and fail as the failures did.
#
# usage: Scripts/test-packages.sh
#
# Needs `.build/debug/touchstone`, which `swift build` makes. Everything is below `.build/packages`;
# the first run builds the library there once more, which takes minutes, a later one seconds.
#
# SWIFT_BUILD_FLAGS is passed on to `swift build` and `swift test`.
# exit: 0 all is as it should be, 1 something is not, 2 nothing could be built.
set -euo pipefail
cd "$(dirname "$0")/.."
unset TOUCHSTONE_ONLY TOUCHSTONE_CASES TOUCHSTONE_SEED TOUCHSTONE_ADAPTERS

root=$PWD
work=$root/.build/packages
touchstone=$root/.build/debug/touchstone
failed=0
wrong() { echo "packages: $*" >&2 && failed=1; }
[ -x "$touchstone" ] || { echo 'packages: no .build/debug/touchstone; run swift build' >&2 && exit 2; }

# A package under a name of its own, so that the folder of this one may have any.
user=$work/user
rm -rf "$user" "$work/report"
mkdir -p "$user/Tests/ReproducerTests"
ln -sfn "$root" "$work/touchstone"
cat >"$user/Package.swift" <<'SWIFT'
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "user",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "touchstone", path: "../touchstone")],
  targets: ["LawTests", "ReproducerTests"].map { name in
    .testTarget(
      name: name,
      dependencies: [.product(name: "Touchstone", package: "touchstone")]
    )
  }
)
SWIFT

echo 'packages: what touchstone init writes'
"$touchstone" init "$user" >"$work/init.log"
if "$touchstone" init "$user" >>"$work/init.log" 2>&1; then
  wrong 'touchstone init wrote over what was there'
fi

echo 'packages: a report with failures'
status=0
"$touchstone" check --subject mutant:delete-hides-concurrent-put --law network.converges \
  --cases 60 --seed 3 --report "$work/report" >"$work/check.log" 2>&1 || status=$?
[ "$status" = 1 ] || wrong "the mutant was not found wrong (exit $status): $work/check.log"
count=0
for file in "$work"/report/failures/*.swift; do
  cp "$file" "$user/Tests/ReproducerTests/"
  count=$((count + 1))
done
[ "$count" -gt 0 ] || wrong 'the report keeps no Swift file'

Scripts/add-adapter.sh "$user"

# swift_in_user COMMAND...: SwiftPM on the user's package, in a build folder that stays.
swift_in_user() {
  # shellcheck disable=SC2086 # a list of flags
  swift "$1" --package-path "$user" --scratch-path "$work/scratch" ${SWIFT_BUILD_FLAGS:-} \
    "${@:2}" </dev/null
}

echo 'packages: building (the first time takes minutes)'
swift_in_user build --build-tests >"$work/build.log" 2>&1 || {
  tail -n 40 "$work/build.log" >&2
  echo 'packages: the package of a user does not build' >&2
  exit 2
}

swift_in_user test --skip-build --disable-xctest --filter LawTests >"$work/laws.log" 2>&1 ||
  wrong "the starter test fails: $work/laws.log"
grep -q 'Test run with 2 tests' "$work/laws.log" || wrong "the starter test did not run: $work/laws.log"

# `noteIsSafe` is for the real coder: on our documents its dates lose more than it declares.
for target in AdapterTests AdapterReadmeTests; do
  log=$work/$target.log
  swift_in_user test --skip-build --disable-xctest --filter "$target" --skip noteIsSafe \
    >"$log" 2>&1 ||
    wrong "the adapter, or the code of its README, fails: $log"
  grep -Eq 'Test run with [1-9]' "$log" || wrong "$target did not run: $log"
done

Scripts/check-articles.sh "$work/articles" "$(swift_in_user build --show-bin-path)" \
  >"$work/articles.log" 2>&1 || wrong "docc finds fault with the articles: $work/articles.log"

# Each file fails, and says law and difference.
log=$work/reproducers.log
if swift_in_user test --skip-build --disable-xctest --filter ReproducerTests >"$log" 2>&1; then
  wrong "the reproducers pass, or did not run: $log"
fi
grep -Eq "Test run with $count tests? .*failed after .* with $count issues?" "$log" ||
  wrong "not each of the $count reproducers failed, once: $log"
for file in "$work"/report/failures/*.case; do
  law=$(sed -n 's/^law: //p' "$file")
  shows=$(sed -n 's/^shows: //p' "$file")
  grep -Fq "$law is violated on mutant:delete-hides-concurrent-put" "$log" ||
    wrong "no reproducer names the law $law: $log"
  grep -Fq "$shows" "$log" || wrong "no reproducer says '$shows': $log"
done
# The command that an issue ends with works as it stands.
replay=$(sed -nE 's/.*replay: touchstone replay (.*)$/\1/p' "$log" | tail -n 1)
status=0
"$touchstone" replay "$replay" >"$work/replay.log" 2>&1 || status=$?
[ "$status" = 1 ] || wrong "the replay command of an issue ends with $status: $work/replay.log"

[ "$failed" = 0 ] || exit 1
echo "packages: a starter test passed, $count reproducers failed as they should"
