# A logistic fit of the rows in a file by all ranks of a job, each with its share of them. It goes
# on from its checkpoint if there is one, so the same job can be started again.
# Usage, on each rank, by srun or mpirun: Rscript ranks.R FILE.rows [lambda] [folder for results]

library(dualmargin)
arguments <- commandArgs(trailingOnly = TRUE)
lambda <- if (length(arguments) > 1) as.numeric(arguments[2])
folder <- if (length(arguments) > 2) arguments[3] else "."

ranks <- mpi_ranks()
rows <- read_rows(arguments[1], share = ranks)
left <- file.path(folder, "checkpoint.rds")
control <- margin_control(ranks = ranks, seed = 1, checkpoint = left,
                          start = if (file.exists(left)) left)

fit <- margin_linear(rows, loss = "logistic", lambda = lambda, control = control)

# the fit is the same object on every rank, but for what belongs to its rows
saveRDS(fit, file.path(folder, sprintf("fit-%d.rds", ranks$rank)))
if (ranks$rank == 0) print(certificate(fit))
Rmpi::mpi.quit()
