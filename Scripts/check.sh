#!/usr/bin/env bash
# Runs a campaign: sets up, builds with optimisation, judges every subject that is ready, says where
# the report is.
#
# Read from the environment; an empty variable counts as unset:
#   BUDGET    how long to look, `60s` by default
#   CASES     how many cases a lane (subject, kind of sample, oracle) instead of a budget: then the seed
#             alone decides the report
#   SUBJECTS  ids of the subjects; by default those that are usually judged, and with `all` every one
#             that could be set up besides
#   LAWS      globs of law names: LAWS='merge.* save.*'
#   SEED      where the choices start
#   JOBS      worker processes
#   REPORT    folder of the report, `.build/report` by default
#   REQUIRED  subjects without which the run fails
#   SWIFT_BUILD_FLAGS   flags of `swift build` in place of those in `build-flags.sh`
#
# exit: that of `touchstone check` (0 held, 1 a law was violated, 2 a subject or the harness failed,
# 64 usage), and 2 when nothing could be built or judged.
set -euo pipefail
# The globs are for touchstone, not for the shell.
set -f
cd "$(dirname "$0")/.."

report=${REPORT:-.build/report}
subjects=${SUBJECTS:-}
fail() { echo "check: $*" >&2 && exit 2; }

# Only foreign subjects have something to set up; the others are part of the program.
foreign=''
for subject in $subjects; do
  case $subject in automerge | loro | yrs | all) foreign="$foreign $subject" ;; esac
done
# shellcheck disable=SC2086 # lists of words, here and below
Scripts/setup.sh $foreign

# The program knows which subjects are its own, and which are usually judged. One that was named goes
# on to it even if it could not be set up: then the run fails, and says why.
chosen=''
for subject in $subjects; do
  case $subject in
  all) chosen="$chosen usual $(cat .build/subjects)" ;;
  *) chosen="$chosen $subject" ;;
  esac
done
chosen=${chosen:-usual}
for subject in ${REQUIRED:-}; do
  grep -qx "$subject" .build/subjects || fail "subject $subject is required and could not be set up"
done

arguments=()
for subject in $chosen; do arguments+=(--subject "$subject"); done
for law in ${LAWS:-}; do arguments+=(--law "$law"); done
if [ -n "${CASES:-}" ]; then
  arguments+=(--cases "$CASES")
else
  arguments+=(--budget "${BUDGET:-60s}")
fi
if [ -n "${SEED:-}" ]; then arguments+=(--seed "$SEED"); fi
if [ -n "${JOBS:-}" ]; then arguments+=(--jobs "$JOBS"); fi

# The build of `make test`: with flags of its own, each of the two would build all anew.
. Scripts/build-flags.sh
echo 'check: building (the first time takes minutes)'
# shellcheck disable=SC2086
swift build --product touchstone $SWIFT_BUILD_FLAGS </dev/null || fail 'the build failed'
# shellcheck disable=SC2086
touchstone=$(swift build --show-bin-path $SWIFT_BUILD_FLAGS)/touchstone
touchstone=${touchstone#"$PWD/"}

# Adapters start `python3`: the environment's own comes first.
if [ -d .build/python/bin ]; then PATH="$PWD/.build/python/bin:$PATH"; fi
# The program takes away what an earlier run has written to the folder, and nothing else.
# One that is there may stay: no two have the same clock.
seal() { cksum "$report/report.json" 2>/dev/null || echo none; }
before=$(seal)
echo "check: $touchstone check ${arguments[*]} --report $report"
status=0
"$touchstone" check "${arguments[@]}" --report "$report" || status=$?
after=$(seal)
if [ "$after" != none ] && [ "$after" != "$before" ]; then
  echo "check: the report is in $report: index.html to read, report.json for programs"
elif [ "$status" = 0 ]; then
  fail "touchstone succeeded, but wrote no $report"
fi
exit "$status"
