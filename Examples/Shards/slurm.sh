#!/usr/bin/env bash
#SBATCH --array=1-8
#SBATCH --cpus-per-task=4
# A task of an array: Slurm sets SLURM_ARRAY_TASK_ID, _MIN and _COUNT.
#
# usage: sbatch slurm.sh; and when all are over: touchstone report merge report-* --output report
set -euo pipefail
touchstone check --cases 80000 --seed 1 --shard auto --jobs "${SLURM_CPUS_PER_TASK:-1}" \
  --report "report-$SLURM_ARRAY_TASK_ID"
