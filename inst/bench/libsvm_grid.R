# The grid that users of LIBSVM search, on small sets: cost 2^-5, 2^-1, ..., 2^15 and gamma 2^-15,
# 2^-12, ..., 2^3, the hinge, a free intercept, standardised columns: 42 cells a set. Our fits beside
# e1071 (LIBSVM) and kernlab at their default tolerances, one thread.
#
# cells, certified, floor: how many there are, are certified to 1e-6, or end at the rounding floor;
# a peer certifies nothing. Seconds: CPU seconds of the whole grid, each cell ended by `limit`.
#
# Usage: Rscript libsvm_grid.R [folder for the results] [--sets=regex] [--limit=10] [--resume]
# writes: libsvm_grid.csv
# depends: core src/kernel src/linear/interior_point.h R/margin_kernel.R
# seeds: 1

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "..", "experiments", "_driver.R"))
source(file.path(home, "_kernel_data.R"))
limit <- as.numeric(option("limit", "10"))

# ---- the sets ----------------------------------------------------------------------------------
two_largest <- function(data, class) {
  keep <- data[[class]] %in% names(sort(table(data[[class]]), decreasing = TRUE))[1:2]
  list(x = data[keep, names(data) != class], y = droplevels(factor(data[[class]][keep])))
}
one_or_rest <- function(data, class, level) {
  list(x = data[names(data) != class], y = factor(data[[class]] == level))
}
some_rows <- function(name, n = 1000L) {
  data <- margin_data(name)
  set.seed(1)
  rows <- sample(nrow(data$x), min(nrow(data$x), n))
  list(x = as.matrix(data$x[rows, ]), y = factor(data$y[rows]))
}
sets <- list(
  Pima = function() two_largest(rbind(MASS::Pima.tr, MASS::Pima.te), "type"),
  biopsy = function() two_largest(stats::na.omit(MASS::biopsy[-1L]), "class"),
  crabs = function() two_largest(MASS::crabs[c(2L, 4:8)], "sex"),
  fgl = function() two_largest(MASS::fgl, "type"),
  fgl_head = function() one_or_rest(MASS::fgl, "type", "Head"),
  iris = function() one_or_rest(iris, "Species", "versicolor"),
  birthwt = function() one_or_rest(MASS::birthwt[-10L], "low", 1),
  spambase = function() some_rows("spambase"),
  magic04 = function() some_rows("magic04"),
  ijcnn1 = function() some_rows("ijcnn1")
)
sets <- sets[grepl(option("sets", "."), names(sets))]

# ---- the methods -------------------------------------------------------------------------------
methods <- list(
  dualmargin = function(x, y, cost, gamma) {
    margin_kernel(x, y, kernel = kernel_rbf(gamma), loss = "hinge", cost = cost, scale = FALSE,
                  control = margin_control(seed = 1, threads = 1, max_seconds = limit,
                                           progress = FALSE))
  },
  e1071 = function(x, y, cost, gamma) {
    e1071::svm(x, y, scale = FALSE, kernel = "radial", gamma = gamma, cost = cost, fitted = FALSE)
  },
  kernlab = function(x, y, cost, gamma) {
    kernlab::ksvm(x, y, scaled = FALSE, type = "C-svc", C = cost, fit = FALSE,
                  kernel = kernlab::rbfdot(sigma = gamma))
  }
)
methods <- methods[c(TRUE, vapply(names(methods)[-1L], requireNamespace, NA, quietly = TRUE))]
cells <- expand.grid(cost = 2^seq(-5, 15, 4), gamma = 2^seq(-15, 3, 3))

# A fit of ours has its own limit.
limited <- function(code, method) {
  if (method != "dualmargin") setTimeLimit(elapsed = limit, transient = TRUE)
  on.exit(setTimeLimit(elapsed = Inf))
  code
}
for (set in names(sets)) {
  data <- tryCatch(sets[[set]](), dualmargin_input_error = function(condition) NULL)
  if (is.null(data)) {
    message(set, ": margin_data() does not find it; left out.")
    next
  }
  x <- data.matrix(data$x)
  x <- unname(scale(x[, apply(x, 2L, stats::sd) > 0]))
  for (method in names(methods)) {
    row <- data.frame(set, method)
    if (done_before(row, "libsvm_grid.csv", names(row))) next
    runs <- lapply(seq_len(nrow(cells)), function(k) {
      timed(limited(methods[[method]](x, data$y, cells$cost[k], cells$gamma[k]), method))
    })
    ended <- vapply(runs, function(run) is.null(run$error), NA)
    status <- if (method == "dualmargin") {
      vapply(runs[ended], function(run) run$value$status$status, "")
    }
    of <- function(name) if (is.null(status)) NA else sum(status == name)
    keep_table(data.frame(
      row, rows = nrow(x), columns = ncol(x), cells = nrow(cells),
      ended = sum(ended), certified = of("certified"), floor = of("rounding_floor"),
      seconds = round(sum(vapply(runs, `[[`, 0, "cpu")), 2L)
    ), "libsvm_grid.csv", names(row), c("e1071", "kernlab"), tolerance = 0.5)
  }
}
