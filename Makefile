# Each target does everything from a fresh clone, given a Swift toolchain: `make check` and
# `make test` first of all. Written for GNU make 3.81, which macOS ships. What the recipes call are
# scripts that can be called without make.

# Settings reach the scripts through the environment: make check BUDGET=20s SUBJECTS=all
export BUDGET CASES SUBJECTS LAWS SEED JOBS REPORT REQUIRED SWIFT_BUILD_FLAGS
export ROUNDS ONLY GROWTH PEERS

.PHONY: help check test selftest sanitize bench instructions lint format clean
.DEFAULT_GOAL := help

help:
	@echo 'Touchstone judges CRDT engines and Codable coders by named laws.'
	@echo
	@echo '  make check     install what is missing, build, judge all subjects, for a minute in all,'
	@echo '                 and say where the report is'
	@echo '  make test      install what is missing, then build, with assertions on, and run the tests'
	@echo '  make selftest  judge implementations that are wrong on purpose: every law must bite'
	@echo '  make sanitize  run the tests of threads and of the example under the thread sanitizer'
	@echo '  make bench     measure engine, coders and store beside their peers, harness and builds;'
	@echo '                 writes Documentation/Benchmarks.md'
	@echo '  make instructions  count instructions of cases with valgrind; fails when one grew by 5 %'
	@echo '  make lint      what swift-format has to say; `make format` fixes most of it'
	@echo '  make clean     remove .build: binaries, the Python environment, reports'
	@echo
	@echo 'Settings of `make check`, with an example each:'
	@echo '  BUDGET=20s           how long to look (60s unless set)'
	@echo '  CASES=5000           cases a lane (subject, kind of sample, oracle), not a budget'
	@echo '  SUBJECTS="naive"     which subjects; `all` also sets up those not usually judged'
	@echo '  LAWS="merge.*"       which laws, as globs'
	@echo '  SEED=7               where the choices start: same seed and cases, same report'
	@echo '  JOBS=4               worker processes'
	@echo '  REPORT=folder        where the report goes (.build/report unless set)'
	@echo
	@echo 'Settings of `make test`: FILTER=PropertyEngineTests runs the tests whose name matches;'
	@echo '  SWIFT_BUILD_FLAGS="-c debug" builds them without optimisation, as `swift test` does.'
	@echo
	@echo 'Settings of `make bench`: ONLY="w1 w8", ONLY=harness, ROUNDS=3, GROWTH=no, PEERS=no.'
	@echo
	@echo 'A law was violated? The report names a case file for each failure:'
	@echo '  .build/release/touchstone show .build/report/failures/NAME.case      what happened'
	@echo '  .build/release/touchstone replay .build/report/failures/NAME.case    does it still?'

check:
	@Scripts/check.sh

test:
	@Scripts/test.sh $(if $(FILTER),--filter '$(FILTER)')

selftest:
	@Scripts/setup.sh
	. Scripts/build-flags.sh && swift build --product touchstone $$SWIFT_BUILD_FLAGS </dev/null && \
	"$$(swift build --show-bin-path $$SWIFT_BUILD_FLAGS)/touchstone" selftest

sanitize:
	@Scripts/sanitize.sh

bench:
	@Scripts/bench.sh

# The build is the gate's, whose counts are kept.
instructions:
	@Scripts/setup.sh
	. Scripts/build-flags.sh && swift build --product touchstone $$SWIFT_BUILD_FLAGS </dev/null
	python3 Benchmarks/instructions.py

lint:
	swift format lint --strict -r -p .

format:
	swift format -i -r -p .

clean:
	rm -rf .build
