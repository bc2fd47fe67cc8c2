# What scripts/cluster.sh asks of R:
#   begin FILE            writes the rows of the jobs
#   compare FILE OUT NAME the fits that the ranks left in OUT beside that of one process: the same
#                         object on all, one number in both intervals, and the certificate
#                         recomputed in plain R from the dual variables of all ranks and all rows
#   slow FILE OUT         one rank of a job that takes long and leaves checkpoints; rank 1 kills
#                         itself once there is one, after writing the time into OUT/killed

library(dualmargin)
asked <- commandArgs(trailingOnly = TRUE)
path <- asked[2L]
out <- asked[3L]

one_process <- function(rows) {
  margin_linear(rows, loss = "logistic", lambda = 0.001, control = margin_control(seed = 1))
}

if (asked[1L] == "begin") {
  write_rows(spambase, path, formula = type ~ .)
} else if (asked[1L] == "compare") {
  source(file.path("tests", "testthat", "helper-certificate.R"))
  rows <- read_rows(path)
  one <- one_process(rows)
  size <- length(Sys.glob(file.path(out, "fit-*.rds")))
  files <- file.path(out, sprintf("fit-%d.rds", seq_len(size) - 1L))
  fits <- lapply(files, readRDS)
  parts <- c("dual", "scores", "weights", "response")
  common <- lapply(fits, function(fit) unclass(fit)[setdiff(names(fit), parts)])
  all <- fits[[1L]]
  for (part in parts) all[[part]] <- do.call(c, lapply(fits, `[[`, part))
  outside <- outside_certificate(all, rows[, ])
  a <- certificate(one)
  b <- certificate(all)
  holds <- c(
    same = all(vapply(common, identical, NA, common[[1L]])),
    rows = length(all$dual) == nrow(rows),
    certified = b$certified,
    meet = max(a$bound, b$bound) <= min(a$value, b$value) * (1 + 1e-12),
    value = abs(outside$primal - b$value) <= 1e-9 * b$value,
    bound = abs(outside$dual - b$bound) <= 1e-9 * b$value
  )
  cat(sprintf("%s: value %.12g, bound %.12g; one process: %.12g, %.12g\n", asked[4L], b$value,
              b$bound, a$value, a$bound))
  if (!all(holds)) stop("not so: ", toString(names(holds)[!holds]))
} else {
  own <- asNamespace("dualmargin")
  ranks <- mpi_ranks()
  sum <- own$sum_over_ranks
  left <- file.path(out, "checkpoint.rds")
  unlockBinding("sum_over_ranks", own)
  assign("sum_over_ranks", function(self, x) {
    Sys.sleep(0.02)
    if (ranks$rank == 1 && file.exists(left)) {
      writeLines(format(floor(as.numeric(Sys.time()))), file.path(out, "killed"))
      tools::pskill(Sys.getpid(), tools::SIGKILL)
    }
    sum(self, x)
  }, envir = own)
  control <- margin_control(ranks = ranks, seed = 1, checkpoint = list(file = left, minutes = 1e-6))
  margin_linear(read_rows(path, share = ranks), loss = "logistic", lambda = 0.001,
                control = control)
  Rmpi::mpi.quit()
}
