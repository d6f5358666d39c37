#!/usr/bin/env bash
# Runs `.clusterfuzzlite/build.sh` as the containers of OSS-Fuzz and ClusterFuzzLite do, with OUT, SRC and SANITIZER
# in scratch folders, and sees that each target has a program, options, seeds and its dictionary, and that each program
# runs its seeds.
#
# usage: Scripts/test-clusterfuzzlite.sh
#
# Needs Linux, a toolchain of swift.org, zip and unzip. Everything is below `.build/clusterfuzzlite`; the first run
# builds all targets twice, which takes a quarter of an hour and more. SANITIZER is `address` unless set.
#
# exit: 0 all is as it should be, 1 something is not, 2 nothing could be built.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$PWD/.build/clusterfuzzlite
failed=0
wrong() { echo "clusterfuzzlite: $*" >&2 && failed=1; }
for program in zip unzip; do
  command -v "$program" >/dev/null || { echo "clusterfuzzlite: no $program" >&2 && exit 2; }
done

export OUT=$work/out SRC=$PWD WORK=$work/work SANITIZER=${SANITIZER:-address}
rm -rf "$OUT"
mkdir -p "$OUT" "$WORK"
.clusterfuzzlite/build.sh >"$work/build.log" 2>&1 || {
  tail -n 40 "$work/build.log" >&2
  echo "clusterfuzzlite: build.sh failed; all of it is in $work/build.log" >&2
  exit 2
}

# Swift keeps bits of its own in references, so that what a global holds counts as leaked.
export ASAN_OPTIONS=detect_leaks=0
count=0
for options in Fuzz/Options/*.options; do
  target=$(basename "$options" .options)
  id=$(tr '[:upper:]' '[:lower:]' <<<"${target#Fuzz}")
  for configuration in debug release; do
    name=${target}_$configuration
    [ -x "$OUT/$name" ] || { wrong "$name is no program" && continue; }
    grep -q LLVMFuzzerTestOneInput "$OUT/$name" || wrong "$name is no fuzz target to ClusterFuzz"
    cmp -s "$options" "$OUT/$name.options" || wrong "$name.options is not $options"
    if [ -f "Fuzz/Dictionaries/$id.dict" ]; then
      [ -s "$OUT/$id.dict" ] || wrong "the dictionary of $id is missing"
    fi
    seeds=$work/seeds/$name
    rm -rf "$seeds"
    mkdir -p "$seeds"
    unzip -q -o "$OUT/${name}_seed_corpus.zip" -d "$seeds" || wrong "the seeds of $name cannot be read"
    for seed in "corpus/$id/"*.bin; do
      cmp -s "$seed" "$seeds/$(basename "$seed")" || wrong "the seeds of $name lack $seed"
    done
    # Each seed once, without new inputs: code that is not optimised is given more time for one.
    if ! find "$seeds" -type f -print0 |
      xargs -0 "$OUT/$name" -timeout=300 -rss_limit_mb=4096 >"$work/$name.log" 2>&1; then
      wrong "$name fails on its seeds: $work/$name.log"
    fi
    grep -q '^Executed .* in ' "$work/$name.log" || wrong "$name ran no seed: $work/$name.log"
    count=$((count + 1))
  done
done
[ "$count" -gt 0 ] || wrong 'there is no target'

[ "$failed" = 0 ] || exit 1
echo "clusterfuzzlite: $count programs run their seeds"
