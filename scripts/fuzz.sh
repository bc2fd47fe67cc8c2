#!/bin/sh
# The campaign of random fits (tests/fuzz/campaign.R) for MINUTES minutes or FITS fits, from case
# SEED on, in JOBS processes; FAMILY=<name> for one family. Violations, with the numbers of their
# cases, go to the folder OUT; exit status 1 if there are any. FAMILY=ranks: FITS=300 linear problems
# with their rows on 1, 2 or 3 ranks of a job (tests/fuzz/ranks.R), where mpirun and Rmpi are.
. "$(dirname "$0")/common.sh"
sh scripts/setup.sh test
sh scripts/install.sh
if [ "${FAMILY:-}" = ranks ]; then
  have mpirun || die "mpirun is not installed: apt-get install openmpi-bin libopenmpi-dev r-cran-rmpi"
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1 \
    mpirun --oversubscribe -n 3 Rscript --no-init-file tests/fuzz/ranks.R \
    --problems="${FITS:-300}" --first="${SEED:-1}"
  exit
fi
rscript tests/fuzz/campaign.R --minutes="${MINUTES:-10}" --fits="${FITS:-}" --first="${SEED:-1}" \
  --jobs="${JOBS:-2}" --family="${FAMILY:-}" --out="${OUT:-}"
