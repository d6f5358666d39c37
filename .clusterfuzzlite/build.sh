#!/usr/bin/env bash
# Builds the fuzz targets for ClusterFuzzLite and OSS-Fuzz, in debug and in release mode.
#
# Read from the environment, which their containers set: SANITIZER (address, thread or coverage),
# OUT (where targets, seeds and options go), WORK (scratch). Run in the root of the repository.
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

# Each target with the folder of `corpus/` that it starts from. FuzzNothing only measures.
targets='FuzzHistories:histories'

for configuration in debug release; do
  flags=(--package-path Fuzz -c "$configuration" --scratch-path "$WORK/fuzz-$SANITIZER"
    --static-swift-stdlib --traits LibFuzzer --sanitize=fuzzer "${instrumentation[@]}")
  swift build "${flags[@]}"
  products=$(swift build "${flags[@]}" --show-bin-path)
  for pair in $targets; do
    target=${pair%%:*} corpus=${pair#*:}
    name="${target}_$configuration"
    cp "$products/$target" "$OUT/$name"
    rm -f "$OUT/${name}_seed_corpus.zip"
    zip -q -j "$OUT/${name}_seed_corpus.zip" "corpus/$corpus/"*.bin
    printf '[libfuzzer]\nmax_len = 256\nlen_control = 0\n' >"$OUT/$name.options"
  done
done
