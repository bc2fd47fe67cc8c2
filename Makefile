# Every step does its own set-up; see scripts/. `make demo` and `make test` need nothing but make.
.POSIX:
.PHONY: help demo test test-slow test-bare test-stable frameworks messages check cran format doc bench \
  experiments fuzz decisions audits conformal intervals cluster sanitize tsan valgrind gctorture ledger \
  lint words mutants size windows stale spot site spelling urls clean

help:
	@echo 'make demo         audit a fit of base R, fit real data, print the certificates, draw plots into demo-output/'
	@echo 'make test         all tests (FILTER=<regex> for some); the last line counts them'
	@echo 'make test-slow    the tests that start processes or threads, on a fifth of one core'
	@echo 'make lint         what is written: layers, headers, quotations, words, widths, README, provenance of results'
	@echo 'make words        messages, prints, help, README and pages have none of the phrases of scripts/words.tsv'
	@echo 'make test-bare    make test with no suggested and no recommended package in sight'
	@echo 'make test-stable  make test, from nothing, in a chroot of today'"'"'s Debian stable (root;'
	@echo '                  STABLE_CRAN=no: with CRAN out of reach; STABLE_SUITE=unstable: the newest R)'
	@echo 'make frameworks   the tests with parsnip, mlr3 and DALEX, which get a library of their own'
	@echo 'make check        R CMD check --as-cran on the built tarball'
	@echo 'make cran         what CRAN limits: seconds of one core to install, for examples, tests and pages, megabytes'
	@echo '                  (PARTS=<regex> of install, examples, tests, pages)'
	@echo 'make doc          man/, NAMESPACE and the Rcpp exports'
	@echo 'make format       clang-format on src/, lintr on the R code'
	@echo 'make spelling     words that are neither British English nor in inst/WORDLIST'
	@echo 'make messages     record what users read, which the tests compare word for word'
	@echo 'make fuzz         random fits, each judged (MINUTES=10 FITS= SEED=1 JOBS=2 OUT= FAMILY=)'
	@echo 'make audits       audits of random fits of other packages against their true excess (PROBLEMS=1000 SEED=1 PEER=)'
	@echo 'make decisions    statements on exact optima against refits (PROBLEMS=2000 SEED=1 STATEMENT=)'
	@echo 'make conformal    prediction sets against their definition by refits (PROBLEMS=2000 SEED=1 METHOD=,'
	@echo '                  COVERAGE=1: their coverage on simulated data besides)'
	@echo 'make cluster      a Slurm of this machine runs the job script of vignette("large") on 2 to 8'
	@echo '                  ranks, kills one, and compares certificates (root, Debian)'
	@echo 'make intervals    what every fit of the tests and of SEEDS=2000 random problems claims, into'
	@echo '                  the file OUT=, for tests/intervals.R to compare before and after'
	@echo 'make sanitize     the tests and random fits under the address and undefined-behaviour'
	@echo '                  sanitizers (FILTER=<regex> for some tests, MINUTES=3 of random fits)'
	@echo 'make tsan         fits with several threads under the thread sanitizer'
	@echo 'make valgrind     one fit of every solver of every family under valgrind'
	@echo 'make gctorture    one fit of every family with the garbage collector at every STEP=20th'
	@echo '                  allocation'
	@echo 'make windows      the part of src that does not use R, compiled for Windows by mingw-w64; rows'
	@echo '                  of files written and read there, under wine'
	@echo 'make size         what each unit of src/ takes to compile with the flags of a user: seconds, MB, kB'
	@echo '                  (UNITS=<regex>, HEADERS=yes, RECORD=yes takes the figures of scripts/size.csv anew)'
	@echo 'make bench        inst/bench: speed beside the peers'
	@echo 'make experiments  inst/experiments: the figures in inst/extdata/results'
	@echo 'make stale        which results are older than the sources they rest on, for the tables of the'
	@echo '                  pages (inst/extdata/stale.csv)'
	@echo 'make ledger       every call of help, README and pages as recorded, and what it returned, again'
	@echo '                  (PAGES=<regex>, TOLERANCE=1e-3; RECORD=yes takes those of today)'
	@echo 'make mutants      planted faults, each to be caught by a law (FILTER=<regex> for some)'
	@echo 'make spot         computes a cheap row of every result again and compares (FILES=<regex>'
	@echo '                  LIMIT=<seconds> a script)'
	@echo 'make urls         addresses in help, pages and README that do not answer'
	@echo 'make site         the pages and the help as a site, in docs-site/, to be read without a network'
	@echo 'make clean        remove the private libraries and demo-output/'

demo:
	@sh scripts/demo.sh

test:
	@sh scripts/test.sh

test-slow:
	@sh scripts/test-slow.sh

lint:
	@TESTS=scripts/lint sh scripts/test.sh

words:
	@TESTS=scripts/lint FILTER='^words$$' sh scripts/test.sh

test-bare:
	@sh scripts/test-bare.sh

test-stable:
	@sh scripts/test-stable.sh

frameworks:
	@sh scripts/frameworks.sh

messages:
	@DUALMARGIN_RECORD_MESSAGES=true sh scripts/test.sh

check:
	@sh scripts/check.sh

cran:
	@sh scripts/cran.sh

format:
	@sh scripts/format.sh

size:
	@sh scripts/size.sh

windows:
	@sh scripts/windows.sh

spelling:
	@sh scripts/spelling.sh

urls:
	@sh scripts/urls.sh

doc:
	@sh scripts/doc.sh

bench:
	@sh scripts/each.sh inst/bench

experiments:
	@sh scripts/each.sh inst/experiments

stale:
	@sh scripts/stale.sh

ledger:
	@sh scripts/ledger.sh

mutants:
	@sh scripts/mutants.sh

spot:
	@sh scripts/spot.sh

fuzz:
	@sh scripts/fuzz.sh

decisions:
	@sh scripts/decisions.sh

audits:
	@sh scripts/audits.sh

conformal:
	@sh scripts/conformal.sh

cluster:
	@sh scripts/cluster.sh

intervals:
	@sh scripts/intervals.sh

sanitize:
	@sh scripts/sanitize.sh

tsan:
	@sh scripts/sanitize.sh thread

valgrind:
	@sh scripts/valgrind.sh

gctorture:
	@sh scripts/gctorture.sh

site:
	@sh scripts/site.sh

clean:
	rm -rf .Rlib .Rlib-frameworks demo-output docs-site
