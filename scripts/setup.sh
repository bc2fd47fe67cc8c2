#!/bin/sh
# Installs what a step needs and this machine lacks: by apt where this is Debian or Ubuntu and we
# are root, otherwise (and for what apt lacks) from the user's configured package repository.
# When all is there it touches no network.
# Usage: sh scripts/setup.sh demo|test|bare|frameworks|check|bench|cluster|doc|format|spelling
. "$(dirname "$0")/common.sh"
step=${1:?"which step? demo, test, bare, frameworks, check, bench, cluster, doc, format or spelling"}

apt=no
if [ "$(id -u)" = 0 ] && have apt-get && have dpkg-query; then
  apt=yes
fi

# --- apt --------------------------------------------------------------------------------------

dpkg_has() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q '^install ok installed'; }

recommended='r-cran-(boot|class|cluster|codetools|foreign|kernsmooth|lattice|mass|matrix|mgcv|nlme'
recommended="$recommended|nnet|rpart|spatial|survival)"
apt_updated=no

# Installs those of "$@" that apt offers and that would replace no recommended package. Not fatal:
# what is really missing afterwards is found by trying it.
apt_install() {
  if [ $apt_updated = no ]; then
    apt_get update || say "apt-get update failed; going on with the lists at hand."
    apt_updated=yes
  fi
  # Names that apt has never heard of out first, so that one plan for all the others is enough.
  apt-cache pkgnames | sort >"$TEMP/known"
  # shellcheck disable=SC2046
  set -- $(printf '%s\n' "$@" | sort | comm -12 - "$TEMP/known")
  [ $# -gt 0 ] || return 0
  offered=
  if plan=$(apt_plan "$@") && ! replaces "$plan"; then
    offered=$*
  else
    for name in "$@"; do
      plan=$(apt_plan "$name") || continue
      if replaces "$plan"; then
        say "Left alone: $name of apt would replace a recommended R package."
        continue
      fi
      offered="$offered $name"
    done
  fi
  [ -n "$offered" ] || return 0
  # shellcheck disable=SC2086
  apt_get install -y --no-install-recommends $offered || say "apt-get install failed."
}

apt_plan() { apt-get install -s -q --no-install-recommends "$@" 2>/dev/null </dev/null; }
replaces() { say "$1" | grep -Eq "^Inst $recommended \["; }

# apt-get, which waits for another apt that is at work and says so. apt's own waiting, by
# DPkg::Lock::Timeout, is silent, and in older versions not for the lists.
apt_get() {
  waited=0
  while :; do
    apt_status=0
    DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=0 "$@" \
      >"$TEMP/apt.log" 2>&1 </dev/null || apt_status=$?
    if [ $apt_status = 0 ] || ! grep -q 'Could not get lock' "$TEMP/apt.log" ||
      [ $waited -ge 600 ]; then
      break
    fi
    [ $waited -gt 0 ] || say "Another apt is at work; waiting for it, ten minutes at most."
    sleep 5
    waited=$((waited + 5))
  done
  [ $apt_status = 0 ] || tail -n 20 "$TEMP/apt.log"
  return $apt_status
}

# R of Debian's making reads the r-cran-* packages; an R built elsewhere does not.
debian_r() { ! have R || [ "$(R RHOME 2>/dev/null)" = /usr/lib/R ]; }

if [ $apt = yes ]; then
  system="ca-certificates fonts-dejavu-core"
  if debian_r; then
    system="r-base-core r-base-dev $system"
  else
    system="g++ gfortran make $system"
  fi
  case $step in
    check) system="$system pandoc qpdf ccache" ;;
    test | bench) system="$system pandoc ccache" ;;
    cluster) system="$system ccache slurm-wlm munge" ;;
    bare) system="$system ccache" ;;
    format) system="$system clang-format" ;;
  esac
  # MPI, and the package that speaks it; Rmpi opens libmpi.so, which libopenmpi-dev has
  case $step in
    test | bench | cluster)
      system="$system openmpi-bin libopenmpi-dev"
      if debian_r; then system="$system r-cran-rmpi"; fi
      ;;
  esac
  missing=
  for name in $system; do
    dpkg_has "$name" || missing="$missing $name"
  done
  # shellcheck disable=SC2086
  [ -z "$missing" ] || { say "Installing by apt:$missing"; apt_install $missing; }
fi

# --- R and the compiler: one message that names the line to type ------------------------------

line_to_type() {
  sudo=
  [ "$(id -u)" = 0 ] || sudo="sudo "
  if have apt-get; then
    say "${sudo}apt-get update && ${sudo}apt-get install -y r-base-core r-base-dev"
  elif have dnf; then
    say "${sudo}dnf install -y R-core R-core-devel"
  elif [ "$(uname -s)" = Darwin ]; then
    say "xcode-select --install"
  else
    say "(with your system's package manager: R 4.2 or newer with its headers, g++, gfortran, make)"
  fi
}

{ have R && have Rscript; } || die "R was not found. Type:
  $(line_to_type)"

rscript -e 'quit(status = as.integer(getRversion() < "4.2"))' ||
  die "R 4.2 or newer is needed; this is $(rscript -e 'cat(R.version.string)')."

if [ "$step" != format ] && [ "$step" != spelling ]; then
  mkdir "$TEMP/probe"
  say 'CXX_STD = CXX17' >"$TEMP/probe/Makevars"
  cat >"$TEMP/probe/probe.cpp" <<'CPP'
#include <optional>
#include <R.h>
extern "C" int probe() { return std::optional<int>(1).value(); }
CPP
  (cd "$TEMP/probe" && R CMD SHLIB probe.cpp) >"$TEMP/probe/log" 2>&1 || {
    reason=$(grep -v ' -c ' "$TEMP/probe/log" |
      grep -Ei ': (fatal )?error|not found|no such' | head -n 1) || true
    die "A C++17 compiler, make and R's headers are needed, and a trial with them failed
($reason). Type:
  $(line_to_type)"
  }
fi

# --- R packages -------------------------------------------------------------------------------

list_missing() {
  rscript scripts/packages.R "$step" "$TEMP/missing" || die "The list of packages could not be made."
}
names_missing() { cut -d ' ' -f 1 "$TEMP/missing"; }

list_missing
if [ -s "$TEMP/missing" ] && [ $apt = yes ] && debian_r; then
  say "Installing R packages by apt: $(names_missing | tr '\n' ' ')"
  # shellcheck disable=SC2046
  apt_install $(names_missing | tr '[:upper:]' '[:lower:]' | sed 's/^/r-cran-/')
  list_missing
fi
if [ -s "$TEMP/missing" ]; then
  say "Compiling into $PACKAGES (this once, some minutes): $(names_missing | tr '\n' ' ')"
  if [ "$PACKAGES" = "$OWN" ]; then lean_build; fi
  # With the user's profile, since that is where a repository is configured.
  # shellcheck disable=SC2046
  Rscript scripts/install-packages.R "$PACKAGES" $(names_missing) >"$TEMP/packages.log" 2>&1 || true
  list_missing
  [ ! -s "$TEMP/missing" ] || tail -n 60 "$TEMP/packages.log"
fi
if grep -q ' required$' "$TEMP/missing"; then
  die "Missing and not available: $(grep ' required$' "$TEMP/missing" | cut -d ' ' -f 1 | tr '\n' ' ')
Look above for the reason. To try by hand, type:
  Rscript -e 'install.packages(\"$(grep ' required$' "$TEMP/missing" | head -n 1 |
    cut -d ' ' -f 1)\")'"
fi
if [ -s "$TEMP/missing" ]; then
  say "Going on without $(names_missing | tr '\n' ' '): comparisons with them are skipped."
fi
