# The build of `make test` and of the gate: optimised, with assertions on. Other scripts source it from
# the top folder, behind `setup.sh`.
#
# Without optimisation the tests take several times as long, and a campaign would need another build. Nobody
# steps through this one with a debugger: `SWIFT_BUILD_FLAGS='-c debug' make test` builds as
# `swift build` does.
#
# Sets SWIFT_BUILD_FLAGS, unless it has a value already. Traits whose libraries are there are turned on:
# JSONCOracle compares JSON with json-c.
# shellcheck shell=bash
if [ -z "${SWIFT_BUILD_FLAGS:-}" ]; then
  SWIFT_BUILD_FLAGS='-c release -debug-info-format none -Xswiftc -enable-testing -Xswiftc -assert-config -Xswiftc Debug'
  # Modules that run once for a whole campaign need not be optimised.
  export TOUCHSTONE_QUICK_BUILD=yes
fi
case " $SWIFT_BUILD_FLAGS " in
*' --traits '*) ;;
*)
  if grep -qs . .build/traits; then
    SWIFT_BUILD_FLAGS="--traits $(tr -d ' \n' <.build/traits) $SWIFT_BUILD_FLAGS"
  fi
  ;;
esac
export SWIFT_BUILD_FLAGS
