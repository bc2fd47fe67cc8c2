#!/bin/sh
# Builds and tests the last commit in a fresh chroot of today's Debian stable, made by debootstrap
# from the Debian mirror that this machine's apt knows. Needs root. The last line counts the tests;
# where it cannot be done it begins with "not possible here", gives the reason, and the status is 0.
#
# STABLE_ROOT=<folder>   keep the chroot there, and use again what is there (else a temporary one)
# STABLE_MIRROR=<uri>    another mirror
# STABLE_CRAN=no         CRAN out of reach: what Debian has, and no more
# STABLE_SUITE=unstable  another suite than stable: with the newest R
# FILTER, CI             as for `make test`
. "$(dirname "$0")/common.sh"

not_here() {
  say "not possible here: $*"
  exit 0
}

[ "$(id -u)" = 0 ] || not_here "a chroot is for root to make."
have debootstrap || not_here "debootstrap is not installed."
have git && git rev-parse -q --verify HEAD >/dev/null 2>&1 || not_here "this is no clone of git's."

# Every mirror that apt is set up with, in either of the formats that it reads.
mirrors() {
  [ -z "${STABLE_MIRROR:-}" ] || {
    say "$STABLE_MIRROR"
    return 0
  }
  cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources \
    2>/dev/null |
    sed -n -e 's/^deb  *\(\[[^]]*\] *\)\{0,1\}\([a-z+]*:[^ ]*\).*/\2/p' -e 's/^URIs: *//p' |
    tr ' ' '\n' | sed 's,/*$,,' | grep '/debian$' | sort -u
}

root=${STABLE_ROOT:-$TEMP/stable}
mkdir -p "$root"
root=$(cd "$root" && pwd)
log=$TEMP/debootstrap.log
suite=${STABLE_SUITE:-stable}

# /proc has to be gone before the folder is: nothing outside it is ever removed.
clean_up() {
  if grep -q " $root/proc " /proc/mounts 2>/dev/null; then
    umount "$root/proc" 2>/dev/null || umount -l "$root/proc"
  fi
  rm -rf --one-file-system "$TEMP"
}
trap clean_up EXIT

if [ ! -e "$root/etc/debian_version" ] || [ -e "$root/debootstrap" ]; then
  [ -n "$(mirrors)" ] || not_here "apt's configuration names no mirror of Debian."
  made=no
  for mirror in $(mirrors); do
    say "Making Debian $suite (some minutes)..."
    # `make` is all that `make test` asks for; it fetches the rest by apt as on any new machine.
    if debootstrap --variant=minbase --include=make,ca-certificates "$suite" "$root" "$mirror" \
      >"$log" 2>&1 </dev/null; then
      made=yes
      break
    fi
  done
  [ $made = yes ] || {
    tail -n 20 "$log"
    not_here "debootstrap could not make Debian $suite (the reason is above)."
  }
fi

# The way out to the network is the machine's own.
for file in resolv.conf hosts; do
  [ ! -e /etc/$file ] || cp /etc/$file "$root/etc/$file"
done
# Certificates that the machine was told to trust.
for file in /usr/local/share/ca-certificates/*.crt; do
  [ -e "$file" ] || continue
  cp "$file" "$root/usr/local/share/ca-certificates/"
done
chroot "$root" update-ca-certificates >/dev/null 2>&1 || true
if have apt-config; then
  apt-config dump | grep -Ei '^Acquire::(http|https|ftp)::.*Proxy' >"$root/etc/apt/apt.conf.d/99proxy" ||
    rm -f "$root/etc/apt/apt.conf.d/99proxy"
fi
if [ "${STABLE_CRAN:-yes}" = no ]; then
  # An address that answers at once, and with nothing.
  say 'options(repos = c(CRAN = "file:///no-such-repository"))' >"$root/root/.Rprofile"
elif have Rscript; then
  Rscript -e 'repos <- getOption("repos")
    if (!any(repos %in% c("@CRAN@", ""))) {
      cat("options(repos =", paste(deparse(repos), collapse = "\n"), ")\n")
    }' >"$root/root/.Rprofile" 2>/dev/null || rm -f "$root/root/.Rprofile"
fi

# The commit, without what an earlier run left but for its library.
mkdir -p "$root/dualmargin"
find "$root/dualmargin" -mindepth 1 -maxdepth 1 ! -name .Rlib -exec rm -rf {} +
if [ "${STABLE_CRAN:-yes}" = no ] && [ -d "$root/dualmargin/.Rlib" ]; then
  # What an earlier run compiled from CRAN would be found again.
  find "$root/dualmargin/.Rlib" -mindepth 1 -maxdepth 1 ! -name ccache -exec rm -rf {} +
fi
git archive HEAD | tar -x -C "$root/dualmargin"

if [ ! -e "$root/proc/version" ]; then
  mount -t proc proc "$root/proc" 2>/dev/null || say "/proc cannot be mounted; going on without."
fi
without=
[ "${STABLE_CRAN:-yes}" != no ] || without=", without CRAN"
say "Testing $(git rev-parse --short HEAD) on Debian $(cat "$root/etc/debian_version")$without"

status=0
env -u R_LIBS -u R_LIBS_USER -u DUALMARGIN_DATA -u TMPDIR HOME=/root \
  PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  chroot "$root" make -C /dualmargin --no-print-directory test FILTER="${FILTER:-}" </dev/null || status=$?
exit $status
