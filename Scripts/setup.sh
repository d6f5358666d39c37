#!/usr/bin/env bash
# Installs what the campaign and the tests can use, as far as it is missing.
#
# usage: Scripts/setup.sh [SUBJECT...]
#
# Subjects are automerge, loro and yrs, or `all` for these; without any it is automerge.
#
# - zlib, libcrypto and json-c headers, through apt (as root, or with a sudo that asks nothing) or Homebrew;
# - a Python virtual environment in `.build/python` with the library of each subject.
#
# What is present is left alone, so a second run installs nothing and needs no network. What could
# not be installed costs one line (what is lost, how to get it) and never fails the run: exit 0, or
# 64 for an unknown subject.
# `.build/subjects` then holds the ids of those that are ready, one a line, and `.build/traits`
# the package's traits that can be turned on.
set -euo pipefail
cd "$(dirname "$0")/.."

# Python versions for which the pinned wheel of Automerge exists, the best first.
python_versions='3.12 3.11 3.10 3.9'
venv=.build/python

say() { printf 'setup: %s\n' "$*"; }
# lost WHAT LOSS CURE: the one line about a thing which could not be installed.
lost() { printf 'setup: no %s: %s. To get it: %s\n' "$1" "$2" "$3"; }

# The Python requirement of a foreign subject; the name before `==` is also the distribution's.
requirement() {
  # The first that is named there; the rest are what it needs.
  sed -n 's/^\([a-z]*==[0-9a-z.]*\).*/\1/p' "Adapters/$1/requirements.txt" 2>/dev/null |
    head -n 1 | grep .
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

# install APT-PACKAGES BREW-PACKAGES: fails when there is no package manager that may be used, or
# when it fails; what it printed is in the log.
refreshed=no
log=.build/setup.log
install() {
  if command -v apt-get >/dev/null && { [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; }; then
    local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -y -o DPkg::Lock::Timeout=120)
    say "apt-get install $1"
    # shellcheck disable=SC2086 # a list of packages
    as_root "${apt[@]}" install --no-install-recommends $1 >>"$log" 2>&1 && return
    [ "$refreshed" = no ] || return 1
    refreshed=yes
    as_root "${apt[@]}" update >>"$log" 2>&1 || return 1
    # shellcheck disable=SC2086
    as_root "${apt[@]}" install --no-install-recommends $1 >>"$log" 2>&1
  elif command -v brew >/dev/null && [ -n "$2" ]; then
    say "brew install $2"
    # shellcheck disable=SC2086
    HOMEBREW_NO_AUTO_UPDATE=1 brew install $2 >>"$log" 2>&1
  else
    echo "no package manager that may be used for: $1" >>"$log"
    return 1
  fi
}

# has_header HEADER: whether the C compiler finds it.
has_header() {
  local compiler flags=()
  compiler=$(command -v clang || command -v cc) || return 1
  if command -v brew >/dev/null; then flags=(-I "$(brew --prefix)/include"); fi
  # The form of the expansion is for bash 3.2, which counts an empty array as unset.
  printf '#include <%s>\n' "$1" |
    "$compiler" ${flags[@]+"${flags[@]}"} -E -x c - >/dev/null 2>&1
}

# needs_header HEADER APT-PACKAGE BREW-PACKAGE LOSS
needs_header() {
  has_header "$1" && return
  install "$2" "$3" && has_header "$1" && return
  lost "$1" "$4" "apt-get install $2, or brew install $3 (the attempt is in $log)"
  return 1
}

# has_wheel PYTHON: whether it starts, and the pinned wheel exists for its version.
has_wheel() {
  local version
  version=$("$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || return 1
  case " $python_versions " in *" $version "*) ;; *) return 1 ;; esac
}

# The first interpreter with a wheel for it.
find_python() {
  local name
  # shellcheck disable=SC2046,SC2086 # a list of names
  for name in python3 $(printf 'python%s ' $python_versions); do
    has_wheel "$name" && echo "$name" && return
  done
  return 1
}

# Makes the virtual environment, unless there is one that serves.
needs_venv() {
  local python
  if "$venv/bin/python3" -m pip --version >/dev/null 2>&1; then
    # One whose Python has no wheel serves as long as there is no better.
    has_wheel "$venv/bin/python3" && return
    find_python >/dev/null || return 0
  fi
  python=$(find_python) || {
    install 'python3 python3-venv' 'python@3.12' || true
    python=$(find_python) || python=python3
    command -v "$python" >/dev/null || return 1
  }
  say "creating $venv with $("$python" --version 2>&1)"
  make_venv "$python" && return
  # Debian keeps half of the module in a package of its own.
  install 'python3-venv' '' || true
  make_venv "$python"
}

make_venv() {
  rm -rf "$venv"
  "$1" -m venv "$venv" >>"$log" 2>&1 && return
  rm -rf "$venv"
  return 1
}

# has_library REQUIREMENT: whether the environment has that version, or any if none is asked.
has_library() {
  "$venv/bin/python3" - "$1" 2>/dev/null <<'PYTHON'
import importlib, importlib.metadata, sys
name, _, version = sys.argv[1].partition("==")
found = importlib.metadata.version(name)
importlib.import_module(name)
sys.exit(0 if not version or found == version else 1)
PYTHON
}

# needs_library SUBJECT
needs_library() {
  local wanted
  wanted=$(requirement "$1")
  has_library "$wanted" && return
  if needs_venv; then
    say "pip install $wanted"
    "$venv/bin/python3" -m pip install --quiet --disable-pip-version-check --no-input \
      --retries 1 --timeout 15 --only-binary :all: --require-hashes \
      -r "Adapters/$1/requirements.txt" </dev/null >>"$log" 2>&1 || true
    has_library "$wanted" && return
    lost "$wanted" "subject $1 is not judged" \
      "Python 3.9 to 3.12 and PyPI within reach, then the same command (the attempt is in $log)"
  else
    lost 'Python with venv' "subject $1 is not judged" \
      "apt-get install python3 python3-venv, or brew install python@3.12 (the attempt is in $log)"
  fi
  return 1
}

wanted=("$@")
[ $# -gt 0 ] || wanted=(automerge)
if [ "${wanted[*]}" = all ]; then wanted=(automerge loro yrs); fi
for subject in "${wanted[@]}"; do
  requirement "$subject" >/dev/null || {
    echo "setup: unknown subject '$subject'; there are: automerge loro yrs, or all" >&2
    exit 64
  }
done

mkdir -p .build
: >"$log"
needs_header zlib.h zlib1g-dev zlib \
  'nothing builds: the engine reads and writes compressed documents with it' || true
# Apple's systems have a library of their own.
if [ "$(uname)" = Linux ]; then
  needs_header openssl/sha.h libssl-dev '' \
    'swift-crypto is built in its place, which takes two minutes' || true
fi
traits=''
if needs_header json-c/json.h libjson-c-dev json-c 'JSON is not compared with an independent parser'
then
  traits=JSONCOracle
fi
printf '%s\n' "$traits" >.build/traits

ready=''
for subject in "${wanted[@]}"; do
  needs_library "$subject" || continue
  if [ -f "Adapters/$subject/adapter.json" ]; then
    ready="$ready $subject"
  else
    say "$subject: its library is installed, but there is no Adapters/$subject; it is not judged"
  fi
done
# shellcheck disable=SC2086 # one id a line
printf '%s\n' $ready >.build/subjects
say "subjects ready beside those of the program:${ready:- none}"
