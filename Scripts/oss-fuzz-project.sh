#!/usr/bin/env bash
# Writes the folder that OSS-Fuzz takes for a project, `projects/touchstone` of its repository, from `.clusterfuzzlite`:
# the same settings, container and `build.sh`, but the sources come from a clone instead of the folder around them.
#
# usage: Scripts/oss-fuzz-project.sh ADDRESS CONTACT FOLDER
#
# ADDRESS is where the repository can be cloned from, CONTACT the e-mail address that findings go to.
#
# exit: 0 written, 2 the files of `.clusterfuzzlite` are no longer what this expects, 64 usage.
set -euo pipefail

[ $# = 3 ] || {
  sed -n '2,/^set -e/s/^# \{0,1\}//p' "$0" | sed '$d' >&2
  exit 64
}
address=$1 contact=$2
mkdir -p "$3"
folder=$(cd "$3" && pwd)
cd "$(dirname "$0")/../.clusterfuzzlite"

[ "$(grep -c '^COPY ' Dockerfile)" = 2 ] || {
  echo 'oss-fuzz-project: the Dockerfile of .clusterfuzzlite copies something else' >&2
  exit 2
}
{
  printf 'homepage: "%s"\nmain_repo: "%s"\nprimary_contact: "%s"\n' "$address" "$address" "$contact"
  grep -v '^#' project.yaml
} >"$folder/project.yaml"
while IFS= read -r line; do
  case $line in
  'COPY . $SRC/touchstone') printf 'RUN git clone --depth 1 %s $SRC/touchstone\n' "$address" ;;
  'COPY .clusterfuzzlite/build.sh $SRC/') printf 'COPY build.sh $SRC/\n' ;;
  *) printf '%s\n' "$line" ;;
  esac
done <Dockerfile >"$folder/Dockerfile"
cp build.sh "$folder/build.sh"
