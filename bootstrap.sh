#!/bin/sh
# From a fresh Debian 12 to a running hbdx.
#   ./bootstrap.sh run    installs what is missing, builds, diagnoses a sample incident
#   ./bootstrap.sh test   builds with warnings as errors and sanitizers, runs every test, then the
#                         fuzz targets (HBDX_FUZZ_SECONDS each, 30; 0: their seeds alone)
# Packages come from the machine's own Debian sources, and only those that are missing.
set -eu
cd "$(dirname "$0")"

BUILD_PACKAGES="gcc libc6-dev make cmake pkg-config liblua5.4-dev libcurl4-openssl-dev libcjson-dev
  libsqlite3-dev libexpat1-dev libreadline-dev zlib1g-dev libzstd-dev"
TEST_PACKAGES="lua-busted lua-check tzdata gzip zstd"
FUZZ_PACKAGES="clang libclang-rt-14-dev"
SAMPLE=samples/cache-eviction
LOG=Testing/Temporary/LastTest.log # where ctest leaves what the tests said

say() {
  printf '%s\n' "$*"
}

die() {
  printf 'bootstrap.sh: %s\n' "$*" >&2
  exit 1
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null 2>&1; then
    sudo "$@"
  else
    die "packages are missing; run as root, or install sudo: $*"
  fi
}

is_installed() {
  dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'
}

# need PACKAGE...: installs those that are missing.
need() {
  missing=""
  for package in "$@"; do
    is_installed "$package" || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0
  command -v apt-get >/dev/null 2>&1 || die "no apt-get here; install by hand:$missing"
  say "installing:$missing"
  as_root apt-get update -qq
  # shellcheck disable=SC2086 # a list of names
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    $missing >/dev/null
}

jobs() {
  nproc 2>/dev/null || echo 1
}

# build FOLDER [CMAKE OPTION...]
build() {
  folder=$1
  shift
  cmake -S . -B "$folder" "$@" >/dev/null
  cmake --build "$folder" --parallel "$(jobs)"
}

run() {
  # shellcheck disable=SC2086 # lists of names
  need $BUILD_PACKAGES
  build build -DCMAKE_BUILD_TYPE=Release -DHBDX_WERROR=OFF -DHBDX_SANITIZE=OFF -DBUILD_TESTING=OFF
  say ""
  say "\$ build/hbdx diagnose $SAMPLE"
  status=0
  build/hbdx diagnose "$SAMPLE" || status=$?
  # 1 means that the sample's incident was found, which is what the sample is there for
  [ "$status" -eq 1 ] || die "the sample's incident was not found (exit status $status)"
}

# Counts TAP lines in ctest's logs. A program that failed without saying which check, and one that
# passed without a single check, count as one failure each.
count() {
  awk '
    function ends(good) {
      if (!good && bad == 0) { failed++; print "failed: " name ": ended without saying why" }
      if (good && checks == 0) { failed++; print "failed: " name ": made no check" }
      inside = 0
    }
    /^[0-9]+\/[0-9]+ Test: / { name = $3; bad = checks = 0; inside = 0 }
    /^Output:$/ { inside = 1 }
    inside && /^not ok [0-9]+/ {
      if ($0 ~ /# TODO/) next
      failed++; bad++; checks++
      sub(/^not ok [0-9]+ *-? */, ""); print "failed: " name ": " $0
      next
    }
    inside && /^ok [0-9]+/ {
      checks++
      if (match($0, /# SKIP */)) {
        skipped++
        print "skipped: " name ": " substr($0, RSTART + RLENGTH)
      } else passed++
    }
    /^Test Passed\.$/ { if (inside) ends(1) }
    /^Test Failed\.$/ { if (inside) ends(0) }
    END {
      if (name == "") { failed++; print "failed: no test was run" }
      line = (passed + 0) " passed, " (failed + 0) " failed"
      if (skipped) line = line ", " skipped " skipped"
      print line
      exit failed > 0
    }' "$@"
}

# test_in FOLDER: runs what was built there.
test_in() {
  rm -f "$1/$LOG"
  status=0
  (cd "$1" && ctest --parallel "$(jobs)") || status=$?
  [ -f "$1/$LOG" ] || die "ctest left no log in $1"
  return "$status"
}

# Without clang the targets are there all the same, each as a test that is skipped and says why.
build_fuzz() {
  # shellcheck disable=SC2086 # a list of names
  (need $FUZZ_PACKAGES) || say "clang cannot be installed"
  rm -f build-fuzz/CMakeCache.txt # a change of the compiler would lose the other options
  cmake -S . -B build-fuzz -DCMAKE_C_COMPILER="$(command -v clang || command -v cc)" \
    -DCMAKE_BUILD_TYPE=RelWithDebInfo -DHBDX_WERROR=ON -DHBDX_FUZZ=ON >/dev/null
  cmake --build build-fuzz --target fuzz --parallel "$(jobs)"
}

run_tests() {
  # shellcheck disable=SC2086 # lists of names
  need $BUILD_PACKAGES $TEST_PACKAGES
  build build-test -DCMAKE_BUILD_TYPE=Debug -DHBDX_WERROR=ON -DHBDX_SANITIZE=ON -DBUILD_TESTING=ON
  ran=0
  test_in build-test || ran=$?
  build_fuzz
  test_in build-fuzz || ran=$?
  counted=0
  count "build-test/$LOG" "build-fuzz/$LOG" >build-test/counts || counted=$?
  if [ "$ran" -ne 0 ] && [ "$counted" -eq 0 ]; then
    # ctest knows of a failure that its log does not show
    sed '$d' build-test/counts
    say "failed: ctest: exit status $ran"
    tail -n 1 build-test/counts | awk '{ $3 = $3 + 1; print }'
    exit 1
  fi
  cat build-test/counts
  return "$counted"
}

case "${1-}" in
run) run ;;
test) run_tests ;;
*)
  say "usage: ./bootstrap.sh run | test"
  exit 2
  ;;
esac
