#!/usr/bin/env bash
# Builds the fuzz targets for ClusterFuzzLite and OSS-Fuzz, in debug and in release mode.
#
# Read from the environment, which their containers set: SANITIZER (address, thread or coverage),
# OUT (where targets, seeds, dictionaries and options go), WORK (scratch). Run in the root of the
# repository. There is one target for each file of `Fuzz/Options`.
set -euo pipefail

# Puts the symbolizer into OUT. The flags it suggests are for packages of older tools versions.
. precompile_swift

case $SANITIZER in
address | thread) instrumentation=(-Xswiftc "-sanitize=fuzzer,$SANITIZER") ;;
coverage)
  instrumentation=(-Xswiftc -profile-generate -Xswiftc -profile-coverage-mapping
    -Xswiftc -sanitize=fuzzer)
  ;;
*) echo "build.sh: Swift has no sanitizer $SANITIZER" >&2 && exit 1 ;;
esac

for configuration in debug release; do
  flags=(--package-path Fuzz -c "$configuration" --scratch-path "$WORK/fuzz-$SANITIZER"
    --static-swift-stdlib --traits LibFuzzer --sanitize=fuzzer "${instrumentation[@]}")
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
  done
done
