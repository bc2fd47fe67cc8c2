#!/bin/sh
# The job script of vignette("large") on a Slurm of this one machine: 2 and 4 tasks by srun, 5 and 8
# ranks by mpirun, a rank killed in the midst of a run, which another number of ranks goes on with;
# every certificate beside that of one process. Needs root and Debian's slurm-wlm, munge, openmpi-bin,
# libopenmpi-dev and r-cran-rmpi; elsewhere it says that it is not possible here.
# Exit status 1 if a certificate, or the end of a killed job, is not as it should be.
. "$(dirname "$0")/common.sh"

lacks() {
  say "make cluster: not possible here ($1)."
  exit 0
}
[ "$(id -u)" = 0 ] || lacks "it needs root, to start a Slurm"
sh scripts/setup.sh cluster
for command in munged slurmctld slurmd sbatch srun mpirun; do
  have "$command" || lacks "$command is not installed: apt-get install slurm-wlm munge openmpi-bin"
done
rscript -e 'quit(status = !nzchar(system.file(package = "Rmpi")))' ||
  lacks "package Rmpi is not installed: apt-get install r-cran-rmpi libopenmpi-dev"
sh scripts/install.sh

OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_mpi_yield_when_idle=1
OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_mpi_yield_when_idle
export OMPI_MCA_rmaps_base_oversubscribe

# --- a Slurm of one machine -------------------------------------------------------------------

place=$TEMP/slurm
host=$(hostname -s)
stop_slurm() {
  for file in "$place"/*.pid "$place"/munge/*.pid; do
    [ ! -f "$file" ] || kill "$(cat "$file")" 2>/dev/null || true
  done
  sleep 1
  rm -rf "$TEMP"
}
trap stop_slurm EXIT
mkdir -p "$place/state" "$place/spool" "$place/munge"
chmod 755 "$TEMP" "$place"
dd if=/dev/urandom of="$place/munge/munge.key" bs=1024 count=1 2>/dev/null
chown -R munge:munge "$place/munge"
chmod 400 "$place/munge/munge.key"
chmod 755 "$place/munge"
runuser -u munge -- munged --key-file="$place/munge/munge.key" \
  --socket="$place/munge/munge.socket" --pid-file="$place/munge/munged.pid" \
  --log-file="$place/munge/munged.log" --seed-file="$place/munge/munged.seed"
cat >"$place/slurm.conf" <<CONF
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$place/munge/munge.socket
StateSaveLocation=$place/state
SlurmdSpoolDir=$place/spool
SlurmctldPidFile=$place/slurmctld.pid
SlurmdPidFile=$place/slurmd.pid
SlurmctldLogFile=$place/slurmctld.log
SlurmdLogFile=$place/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SchedulerType=sched/backfill
SelectType=select/cons_tres
NodeName=$host NodeAddr=127.0.0.1 CPUs=8 State=UNKNOWN
SlurmdParameters=config_overrides
PartitionName=p Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
SLURM_CONF=$place/slurm.conf
export SLURM_CONF
slurmctld -f "$SLURM_CONF" || lacks "slurmctld does not start"
slurmd -f "$SLURM_CONF" || lacks "slurmd does not start"
waited=0
until sinfo -h -o %T 2>/dev/null | grep -q idle; do
  [ $waited -lt 30 ] || lacks "its node does not become idle: $(tail -n 1 "$place/slurmd.log")"
  sleep 1
  waited=$((waited + 1))
done

# --- jobs -------------------------------------------------------------------------------------

RANKS_SCRIPT=$ROOT/inst/scripts/ranks.R
rows=$TEMP/spam.rows
export RANKS_SCRIPT
rscript scripts/cluster.R begin "$rows"

folder_of() {
  mkdir -p "$TEMP/$1"
  say "$TEMP/$1"
}
for tasks in 2 4; do
  out=$(folder_of "srun-$tasks")
  sbatch --wait --quiet --chdir="$out" --ntasks="$tasks" inst/scripts/ranks.sbatch "$rows" 0.001 \
    "$out" || { cat "$out"/*.log; die "the job of $tasks tasks failed"; }
  rscript scripts/cluster.R compare "$rows" "$out" "srun, $tasks tasks"
done
for ranks in 5 8; do
  out=$(folder_of "mpirun-$ranks")
  mpirun --oversubscribe -n "$ranks" Rscript --no-init-file "$RANKS_SCRIPT" "$rows" 0.001 "$out" \
    >"$out/log" 2>&1 || { cat "$out/log"; die "mpirun with $ranks ranks failed"; }
  rscript scripts/cluster.R compare "$rows" "$out" "mpirun, $ranks ranks"
done

# A rank kills itself once there is a checkpoint: the job ends within ten seconds, not as if all was
# well, and another number of ranks goes on.
for engine in mpirun srun; do
  out=$(folder_of "killed-$engine")
  killed=$(date +%s)
  if [ $engine = mpirun ]; then
    ! mpirun --oversubscribe -n 3 Rscript --no-init-file scripts/cluster.R slow "$rows" "$out" \
      >"$out/log" 2>&1 || die "mpirun ended as if no rank had been killed"
  else
    ! srun --mpi=pmix --kill-on-bad-exit=1 --ntasks=3 Rscript --no-init-file scripts/cluster.R slow \
      "$rows" "$out" >"$out/log" 2>&1 || die "srun ended as if no rank had been killed"
  fi
  [ -f "$out/killed" ] || { cat "$out/log"; die "$engine: no rank was killed"; }
  killed=$(($(date +%s) - $(cat "$out/killed")))
  say "$engine: the job ended $killed s after a rank was killed"
  [ "$killed" -le 10 ] || die "that is more than ten seconds"
  [ -f "$out/checkpoint.rds" ] || die "$engine: there is no checkpoint"
  mpirun --oversubscribe -n 2 Rscript --no-init-file "$RANKS_SCRIPT" "$rows" 0.001 "$out" \
    >>"$out/log" 2>&1 || { cat "$out/log"; die "two ranks do not go on"; }
  rscript scripts/cluster.R compare "$rows" "$out" "killed by $engine, two ranks went on"
done
say "make cluster: all certificates are those of one process"
