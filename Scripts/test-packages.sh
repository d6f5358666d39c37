#!/usr/bin/env bash
# Builds and runs packages as users would write them, which depend on this one by path: what
# `touchstone init` writes must pass, the Swift files that a report keeps for its failures must
# compile and fail as the failures did, the code of the README (`Examples/FirstSteps`) and
# `Examples/Contacts` must pass, and of `Examples/MeetingNotes` what is right must pass and each thing
# that is wrong fail on its law.
#
# usage: Scripts/test-packages.sh
#
# Needs the program: TOUCHSTONE, or `.build/debug/touchstone`, which `swift build` makes. Everything
# is below `.build/packages`; the first run builds the library there once more, which takes minutes,
# a later one seconds.
#
# SWIFT_BUILD_FLAGS is passed on to `swift build` and `swift test`.
# exit: 0 all is as it should be, 1 something is not, 2 nothing could be built.
set -euo pipefail
cd "$(dirname "$0")/.."
unset TOUCHSTONE_ONLY TOUCHSTONE_CASES TOUCHSTONE_SEED TOUCHSTONE_ADAPTERS TOUCHSTONE_PROFILE \
  TOUCHSTONE_REPLAY

root=$PWD
work=$root/.build/packages
touchstone=${TOUCHSTONE:-$root/.build/debug/touchstone}
failed=0
wrong() { echo "packages: $*" >&2 && failed=1; }
[ -x "$touchstone" ] || { echo "packages: no $touchstone; run swift build" >&2 && exit 2; }

# A package under a name of its own, so that the folder of this one may have any.
user=$work/user
rm -rf "$user" "$work/engine" "$work/report"
mkdir -p "$user/Tests/ReproducerTests"
ln -sfn "$root" "$work/touchstone"
# The examples are built with the rest, so that the library is built once; their own manifests are
# read.
cp -R Examples/MeetingNotes/Sources "$user/"
# Its module `Automerge` is the one that `add-adapter.sh` writes.
cp -R Examples/FirstSteps/Sources/AutomergeUtilities "$user/Sources/"
cp -R Examples/Contacts/Sources/* "$user/Sources/"
cp -R Examples/MeetingNotes/Tests/* Examples/FirstSteps/Tests/* Examples/Contacts/Tests/* \
  "$user/Tests/"
rm -rf "$user"/Tests/*/__Touchstone__
cat >"$user/Package.swift" <<'SWIFT'
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "user",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "touchstone", path: "../touchstone")],
  targets: ["EngineLawTests", "ReproducerTests", "EngineTests"].map { name in
    .testTarget(
      name: name,
      dependencies: [.product(name: "TouchstoneEngines", package: "touchstone")]
    )
  }
    + [
      ("MeetingNotesTests", "MeetingNotes"), ("BrokenTests", "MeetingNotes"),
      ("ContactsTests", "Contacts"),
    ].map { name, tested in
      .testTarget(
        name: name,
        dependencies: [
          .target(name: tested), .product(name: "Touchstone", package: "touchstone"),
        ],
        exclude: ["README.md"]
      )
    }
    + [
      .testTarget(
        name: "LawTests",
        dependencies: [.product(name: "Touchstone", package: "touchstone")],
        exclude: ["__Touchstone__"]
      ),
      .testTarget(
        name: "NoteTests",
        dependencies: [.product(name: "Touchstone", package: "touchstone")]
      ),
      .testTarget(
        name: "DocumentTests",
        dependencies: [.product(name: "ReferenceAutomerge", package: "touchstone")]
      ),
      .testTarget(name: "MovedTests", dependencies: ["Automerge", "AutomergeUtilities"]),
      .target(
        name: "AutomergeUtilities",
        dependencies: [.product(name: "ReferenceAutomerge", package: "touchstone")]
      ),
      .testTarget(
        name: "TutorialTests",
        dependencies: [
          .product(name: "ReferenceAutomerge", package: "touchstone"),
          .product(name: "Touchstone", package: "touchstone"),
        ],
        exclude: ["README.md", "Schemas"]
      ),
      .target(
        name: "MeetingNotes",
        dependencies: [.product(name: "ReferenceAutomerge", package: "touchstone")],
        exclude: ["README.md"]
      ),
      .target(
        name: "Contacts",
        dependencies: ["LocalStore", "RecordCoding", "RecordServer"].map {
          .product(name: $0, package: "touchstone")
        },
        exclude: ["README.md"]
      ),
    ]
)
SWIFT

echo 'packages: what touchstone init writes'
"$touchstone" init "$user" >"$work/init.log"
if "$touchstone" init "$user" >>"$work/init.log" 2>&1; then
  wrong 'touchstone init wrote over what was there'
fi
mkdir -p "$work/engine" && touch "$work/engine/Package.swift"
"$touchstone" init --for merge "$user" >>"$work/init.log"
"$touchstone" init --for engine "$work/engine" >>"$work/init.log"
mv "$work/engine/Tests/LawTests" "$user/Tests/EngineLawTests"

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
  command swift "$1" --package-path "$user" --scratch-path "$work/scratch" ${SWIFT_BUILD_FLAGS:-} \
    "${@:2}" </dev/null
}

echo 'packages: building (the first time takes minutes)'
swift_in_user build --build-tests >"$work/build.log" 2>&1 || {
  tail -n 40 "$work/build.log" >&2
  echo 'packages: the package of a user does not build' >&2
  exit 2
}
if grep -q '/LawTests/__Touchstone__' "$work/build.log"; then
  wrong "SwiftPM warns of the folder that init makes: $work/build.log"
fi

# The workflow's own command, in a package without attachments, with what GitHub would set: after a push
# the variables of the nights are empty; a night's cases are 200 here, as this build is not optimised.
workflow=$user/.github/workflows/laws.yml
line=$(sed -nE 's/^ +run: (.*swift test .*)$/\1/p' "$workflow")
for event in push schedule; do
  log=$work/workflow-$event.log
  variables=()
  while IFS= read -r variable; do variables+=("$variable"); done < <(
    sed -nE "s/^ +(TOUCHSTONE_[A-Z]+): \\$\\{\\{ github.event_name == 'schedule' && (.*) \\|\\| '' \\}\\}\$/\\1=\\2/p" "$workflow" |
      if [ "$event" = push ]; then sed 's/=.*/=/'; else sed "s/github.run_number/7/; s/'20000'/200/"; fi
  )
  [ "${#variables[@]}" = "$(grep -c '^ *TOUCHSTONE_' "$workflow")" ] && [ "${#variables[@]}" != 0 ] ||
    wrong "not all variables of the workflow were understood: $workflow"
  rm -rf "$user/.build/attachments"
  (
    cd "$user" || exit 1
    export "${variables[@]}"
    # The build's flags and folder are those of this script.
    swift() { swift_in_user "$1" --skip-build --disable-xctest "${@:2}"; }
    eval "$line"
  ) >"$log" 2>&1 || wrong "the workflow that init writes fails on $event: $log"
  # Those of `EngineLawTests` have the name in theirs.
  grep -q 'Test run with 5 tests .*passed' "$log" || wrong "the starter tests did not run: $log"
done

# `noteIsSafe` is for the real coder: on our documents its dates lose more than it declares.
for target in AdapterTests AdapterReadmeTests; do
  log=$work/$target.log
  swift_in_user test --skip-build --disable-xctest --filter "$target" --skip noteIsSafe \
    >"$log" 2>&1 ||
    wrong "the adapter, or the code of its README, fails: $log"
  grep -Eq 'Test run with [1-9]' "$log" || wrong "$target did not run: $log"
done

# The program of the adapter, over our own `Document`: it answers as the protocol wants, and no law of
# documents is broken.
described=$work/adapters/automerge-swift
mkdir -p "$described"
printf '{"id": "automerge-swift", "command": ["%s"]}\n' \
  "$(swift_in_user build --show-bin-path)/touchstone-automerge-swift" >"$described/adapter.json"
"$touchstone" adapter check "$described" >"$work/adapter-check.log" 2>&1 ||
  wrong "the adapter's program does not keep to the protocol: $work/adapter-check.log"
"$touchstone" check --adapters "$work/adapters" --subject automerge-swift --cases 60 --seed 1 \
  --report "$work/adapter-report" >"$work/adapter-laws.log" 2>&1 ||
  wrong "a law is broken over the adapter's program: $work/adapter-laws.log"

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
# The command of the program that an issue ends with works as it stands.
replay=$(sed -nE 's/.*or: +touchstone replay (.*)$/\1/p' "$log" | tail -n 1)
status=0
"$touchstone" replay "$replay" >"$work/replay.log" 2>&1 || status=$?
[ "$status" = 1 ] || wrong "the replay command of an issue ends with $status: $work/replay.log"

for example in FirstSteps MeetingNotes Contacts; do
  swift package --package-path "Examples/$example" --scratch-path "$work/manifest" \
    dump-package >"$work/manifest.json" 2>"$work/manifest.log" </dev/null ||
    wrong "the manifest of $example cannot be read: $work/manifest.log"
done

echo 'packages: Examples/FirstSteps, the code of the README'
log=$work/readme.log
swift_in_user test --skip-build --disable-xctest \
  --filter '^(NoteTests|EngineTests|DocumentTests|MovedTests)\.' >"$log" 2>&1 ||
  wrong "the code of the README fails: $log"
grep -q 'Test run with 4 tests' "$log" || wrong "not all of the README's tests ran: $log"

echo 'packages: Examples/MeetingNotes'

log=$work/example.log
swift_in_user test --skip-build --disable-xctest --filter MeetingNotesTests >"$log" 2>&1 ||
  wrong "the example's tests fail: $log"
grep -q 'Test run with 12 tests' "$log" || wrong "not all of the example's tests ran: $log"
grep -Fq 'foundation-json' "$log" || wrong "no case is named by its coder: $log"

# XCTest runs none of Swift Testing's tests, and shows none of its issues: what fails is thrown.
log=$work/xctest.log
swift_in_user test --skip-build --disable-swift-testing --filter MeetingTestCase >"$log" 2>&1 ||
  wrong "the example's tests of XCTest fail: $log"
grep -q 'Executed 2 tests, with 0 failures' "$log" || wrong "XCTest did not run both: $log"
log=$work/xctest-broken.log
if swift_in_user test --skip-build --disable-swift-testing --filter BrokenTestCase >"$log" 2>&1; then
  wrong "what is wrong on purpose passes in XCTest, or did not run: $log"
fi
grep -Eq 'Executed 2 tests, with [2-9] failures' "$log" || wrong "XCTest did not fail both: $log"
grep -Fq 'LossyTask breaks model.lossless' "$log" || wrong "XCTest does not say what fails: $log"

echo 'packages: Examples/Contacts'
log=$work/contacts.log
swift_in_user test --skip-build --disable-xctest --filter ContactsTests >"$log" 2>&1 ||
  wrong "the tests of the contacts fail: $log"
grep -q 'Test run with 4 tests' "$log" || wrong "not all tests of the contacts ran: $log"

# The tutorial: what it proves passes, and what it breaks says what it shows, line by line.
log=$work/tutorial.log
swift_in_user test --skip-build --disable-xctest --filter TutorialTests >"$log" 2>&1 ||
  wrong "the tutorial's tests fail: $log"
grep -q 'Test run with 8 tests' "$log" || wrong "not all of the tutorial's tests ran: $log"
if grep -Fq 'was written: the schema' "$log"; then wrong "the tutorial's schema is missing: $log"; fi
log=$work/tutorial-broken.log
if swift_in_user test --skip-build --disable-xctest --filter BrokenTests.forgetfulNoteIsSafe >"$log" 2>&1; then
  wrong "the tutorial's broken note passes, or did not run: $log"
fi
while IFS= read -r line; do
  # Which case finds it, and where the test stands, is not the tutorial's to say.
  case $line in
    'found by case '*) line='found by case ' ;;
    'stored: '* | 'replay: '*) line=${line##*/} ;;
  esac
  grep -Fq -- "$line" "$log" || wrong "the tutorial shows what is not said, '$line': $log"
done <Sources/Touchstone/Touchstone.docc/Resources/ForgetfulNote.txt

# What is wrong fails on its law; a history that shows it has six steps at most.
log=$work/broken.log
attached=$work/attached
rm -rf "$attached"
mkdir "$attached"
# One after the other: of tests that fail at one moment the log has lost lines.
if swift_in_user test --skip-build --disable-xctest --no-parallel --attachments-path "$attached" \
  --filter BrokenTests.Broken >"$log" 2>&1; then
  wrong "what is wrong on purpose passes, or did not run: $log"
fi
grep -Eq 'Test run with 9 tests? .*failed after' "$log" || wrong "not all broken ones ran: $log"
for words in 'LossyTask breaks model.lossless' 'does not write `isDone`' \
  'StampedNote breaks model.deterministic' 'OrderedTags breaks model.key-order' \
  'RecipeV2 breaks drift.upgrade' 'TiedMap breaks merging.commutative' \
  'ForgetfulSet breaks merging.absorbs-the-past' 'GreatestTotal breaks merging.absorbs-the-past' \
  'durations breaks property.holds' 'value: 60' 'agenda breaks commands.model' '3. next -> "votes"'; do
  grep -Fq "$words" "$log" || wrong "nothing says '$words': $log"
done
# Beside each case file lies the page of the failure.
for kind in case html; do
  [ -n "$(find "$attached" -name "LossyTask--model*.$kind")" ] ||
    wrong "the failing test attaches no .$kind: $attached"
done
if grep -Eq '^ +7\. ' "$log"; then wrong "a history has more than six steps: $log"; fi

# The command that an issue ends with judges that case, and nothing else.
command=$(sed -nE 's/.*replay: (TOUCHSTONE_REPLAY=.*LossyTask.*)$/\1/p' "$log" | head -n 1)
path=$(sed -nE 's/TOUCHSTONE_REPLAY=([^ ]+) swift test --filter .*/\1/p' <<<"$command")
filter=$(sed -nE 's/.* swift test --filter ([A-Za-z]+)$/\1/p' <<<"$command")
log=$work/replay-model.log
if [ -z "$path" ] || [ -z "$filter" ] || TOUCHSTONE_REPLAY=$path \
  swift_in_user test --skip-build --disable-xctest --filter "$filter" >"$log" 2>&1; then
  wrong "the replay command does not fail: $command"
fi
grep -Fq 'LossyTask breaks model.lossless' "$log" || wrong "the replay says nothing: $log"
grep -Fq '(found by an earlier run)' "$log" || wrong "the replay judged something else: $log"

# A trap ends the process, and has the last word.
log=$work/trap.log
SWIFT_BACKTRACE=enable=no swift_in_user test --skip-build --disable-xctest \
  --filter BrokenTests.Trapping >"$log" 2>&1 && wrong "the model that traps passes: $log"
grep -Fq 'TrappingEvent breaks model.old-data' "$log" || wrong "the trap is not explained: $log"
grep -Fq '`seats` is missing' "$log" || wrong "the trap is not explained: $log"

[ "$failed" = 0 ] || exit 1
echo 'packages: 26 tests of the examples passed, 13 broken ones failed on their laws, a case was replayed'
echo "packages: a starter test passed, $count reproducers failed as they should"
