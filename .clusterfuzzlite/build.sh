#!/usr/bin/env bash
# Builds the fuzz targets for ClusterFuzzLite and OSS-Fuzz, in debug and in release mode.
#
# Read from the environment, which their containers set: SANITIZER (address, thread or coverage),
# OUT (where targets, seeds, dictionaries and options go), WORK (scratch; a new folder unless set). Run in the
# root of the repository. There is one target for each file of `Fuzz/Options`. On a machine without the containers'
# tools it does the same; `Scripts/test-clusterfuzzlite.sh` does so.
set -euo pipefail

WORK=${WORK:-$(mktemp -d)}

# The containers' own step, which puts the symbolizer into OUT. The flags it suggests are for packages of older tools
# versions.
# shellcheck disable=SC1091 # a program of the container
if command -v precompile_swift >/dev/null; then . precompile_swift; fi

# The manifest adds what the fuzzer counts to the modules that are judged.
case $SANITIZER in
address | thread)
  export TOUCHSTONE_FUZZER=$SANITIZER
  instrumentation=("--sanitize=$SANITIZER")
  ;;
coverage)
  export TOUCHSTONE_FUZZER=none
  instrumentation=(-Xswiftc -profile-generate -Xswiftc -profile-coverage-mapping)
  ;;
*) echo "build.sh: Swift has no sanitizer $SANITIZER" >&2 && exit 1 ;;
esac

# With json-c the target `json` has a third reader to compare.
traits=()
if printf '#include <json-c/json.h>\n' | cc -E -x c - >/dev/null 2>&1; then traits=(--traits JSONCOracle); fi

# The program has a `main` of its own.
resources=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
archive=$(find -L "$resources/../clang" -name 'libclang_rt.fuzzer_no_main*.a' -path "*$(uname -m)*" 2>/dev/null | head -n 1 || true)
[ -n "$archive" ] || { echo "build.sh: the toolchain has no libclang_rt.fuzzer_no_main" >&2 && exit 1; }

for configuration in debug release; do
  flags=(--package-path Fuzz -c "$configuration" --scratch-path "$WORK/fuzz-$SANITIZER"
    --static-swift-stdlib "${traits[@]}" "${instrumentation[@]}" -Xlinker "$archive" -Xlinker -lstdc++)
  swift build "${flags[@]}"
  products=$(swift build "${flags[@]}" --show-bin-path)
  for options in Fuzz/Options/*.options; do
    target=$(basename "$options" .options)
    # The folder of `corpus/` and the dictionary bear the target's id: histories of FuzzHistories.
    id=$(tr '[:upper:]' '[:lower:]' <<<"${target#Fuzz}")
    name="${target}_$configuration"
    # One program, which takes its target from its name.
    cp "$products/TouchstoneFuzz" "$OUT/$name"
    cp "$options" "$OUT/$name.options"
    if [ -f "Fuzz/Dictionaries/$id.dict" ]; then cp "Fuzz/Dictionaries/$id.dict" "$OUT/"; fi
    rm -f "$OUT/${name}_seed_corpus.zip"
    zip -q -j "$OUT/${name}_seed_corpus.zip" "corpus/$id/"*.bin
    # The golden files and the excerpts of editing traces are inputs of `load` and `view` as well, and stand where tests have them.
    if [ "$id" = load ] || [ "$id" = view ]; then
      find fixtures/vectors fixtures/excerpts -name '*.automerge' -print0 | xargs -0 zip -q -j "$OUT/${name}_seed_corpus.zip"
    fi
  done
done
