#!/usr/bin/env bash
# Fuzzes the tests of `Examples/Bookings` as a user would (`touchstone fuzz --package`), whose bugs need two
# particular values at once: the tests pass with tens of thousands of random values, the fuzzer finds each
# bug, and from then on the tests fail on what it stored. Then what a user gets wrong: a test that there is
# not, a type that no test judges, a package that does not build, a test that asks for no laws; a run that
# is interrupted; a second run, which goes on from the corpus of the first.
#
# usage: Scripts/test-fuzz-package.sh
#
# Needs Linux, a toolchain of swift.org, and the program: TOUCHSTONE, or `.build/debug/touchstone`, which
# `swift build` makes. Everything is below `.build/fuzz-package`; the first run builds the library there
# once more, which takes minutes. BUDGET (5m) is how long the fuzzer may take in all.
#
# exit: 0 all is as it should be, 1 something is not, 2 nothing could be built.
set -euo pipefail
cd "$(dirname "$0")/.."
unset TOUCHSTONE_ONLY TOUCHSTONE_CASES TOUCHSTONE_SEED TOUCHSTONE_PROFILE TOUCHSTONE_REPLAY

root=$PWD
work=$root/.build/fuzz-package
touchstone=$(realpath -m "${TOUCHSTONE:-$root/.build/debug/touchstone}")
failed=0
wrong() { echo "fuzz-package: $*" >&2 && failed=1; }
[ -x "$touchstone" ] || { echo "fuzz-package: no $touchstone; run swift build" >&2 && exit 2; }

# A copy under a name of its own, so that the folder of this package may have any, and so that nothing is
# left in the example. Its build folder stays.
user=$work/user
mkdir -p "$user"
ln -sfn "$root" "$work/touchstone"
rm -rf "$user/Sources" "$user/Tests" "$user"/.build/touchstone-fuzz/{corpus,crashes,report}
cp -R Examples/Bookings/Sources Examples/Bookings/Tests "$user/"
rm -rf "$user"/Tests/*/__Touchstone__
sed 's|path: "../.."|path: "../touchstone"|' Examples/Bookings/Package.swift >"$user/Package.swift"
cat >"$user/Tests/BookingsTests/OtherTests.swift" <<'SWIFT'
import Testing

@Test func sums() { #expect(1 + 1 == 2) }
SWIFT
stored=$user/Tests/BookingsTests/__Touchstone__

# fuzz STATUS LOG WORDS ARGUMENT...: a run must end with a status, and say some words.
fuzz() {
  local wanted=$1 log=$work/$2.log words=$3 status=0
  shift 3
  "$touchstone" fuzz --package "$user" "$@" >"$log" 2>&1 </dev/null || status=$?
  [ "$status" = "$wanted" ] || wrong "exit status $status in place of $wanted: $log"
  grep -Fq -- "$words" "$log" || wrong "nothing says '$words': $log"
}

# tests: the package's tests, by the program that the fuzzer was built as: without a request it is one.
tests() {
  (cd "$user" && TOUCHSTONE_CASES=${CASES:-600} \
    .build/touchstone-fuzz/build/release/BookingsPackageTests.xctest --testing-library swift-testing)
}

echo 'fuzz-package: building (the first time takes minutes)'
fuzz 2 nothing 'nothing to fuzz: sums calls none of' --test sums
[ -x "$user/.build/touchstone-fuzz/build/release/BookingsPackageTests.xctest" ] || {
  tail -n 20 "$work/nothing.log" >&2
  exit 2
}

echo 'fuzz-package: random values find nothing'
CASES=20000 tests >"$work/random.log" 2>&1 || wrong "random values find a bug: $work/random.log"
grep -q 'Test run with 4 tests' "$work/random.log" || wrong "not all tests ran: $work/random.log"

echo 'fuzz-package: the fuzzer'
fuzz 1 fuzz 'Booking breaks model.' --budget "${BUDGET:-5m}"
for words in 'Fare breaks model.' 'discounts breaks property.holds' 'stored: '; do
  grep -Fq -- "$words" "$work/fuzz.log" || wrong "nothing says '$words': $work/fuzz.log"
done
[ -f "$user/.build/touchstone-fuzz/report/report.json" ] || wrong 'there is no report'

echo 'fuzz-package: what it stored is tried first'
tests >"$work/stored.log" 2>&1 && wrong "the tests pass: $work/stored.log"
for name in Booking Fare discounts; do
  ls "$stored/$name"--*.case >"$work/ls.log" 2>&1 || wrong "no case of $name in $stored"
  grep -Fq "$name breaks " "$work/stored.log" || wrong "no stored case of $name fails: $work/stored.log"
done
grep -q 'found by an earlier run' "$work/stored.log" || wrong "no stored case was tried: $work/stored.log"

echo 'fuzz-package: a second run goes on from the corpus'
rm -rf "$stored"
kept=$(find "$user/.build/touchstone-fuzz/corpus" -type f | wc -l)
[ "$kept" -gt 10 ] || wrong "the corpus has $kept inputs"
fuzz 1 again 'Booking breaks model.' --test bookingIsSafe --budget 90s

echo 'fuzz-package: what users get wrong'
fuzz 2 type "no test judges a type 'Bokking': they judge" --type Bokking
fuzz 2 typo "no test is called 'bookingIsSafee'. Did you mean 'bookingIsSafe'?" --test bookingIsSafee
"$touchstone" fuzz --package "$user" --type Fare --budget 10m >"$work/interrupted.log" 2>&1 </dev/null &
fuzzer=$!
for _ in $(seq 120); do
  if grep -q 'fareIsSafe, Fare' "$work/interrupted.log"; then break; fi
  sleep 1
done
sleep 3
kill -INT "$fuzzer"
status=0
wait "$fuzzer" || status=$?
[ "$status" = 130 ] || wrong "interrupted, it exits with $status: $work/interrupted.log"
if ! grep -q 'interrupted after' "$work/interrupted.log"; then
  wrong "an interrupted run does not say so: $work/interrupted.log"
fi
echo 'func broken( {' >"$user/Tests/BookingsTests/Broken.swift"
fuzz 2 build "the package's tests do not build" --test bookingIsSafe
rm "$user/Tests/BookingsTests/Broken.swift"

[ "$failed" = 0 ] || exit 1
echo 'fuzz-package: three bugs were found that random values do not find, and five mistakes explained'
