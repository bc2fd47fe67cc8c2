# One fit of every solver of every family, with predict() and the paths, on small data: what
# `make valgrind` watches. With --torture=STEP: the default solver of each family, a path and a
# prediction while the garbage collector runs at every STEP-th allocation (`make gctorture`).

suppressPackageStartupMessages(library(dualmargin))
given <- grep("^--torture=", commandArgs(trailingOnly = TRUE), value = TRUE)
step <- if (length(given)) as.integer(sub("^--torture=", "", given)) else 0L

set.seed(1)
n <- 24L
x <- matrix(rnorm(3L * n), n, dimnames = list(NULL, c("a", "b", "c")))
y <- ifelse(x[, 1L] > 0, 1, -1)
x[, 1L] <- x[, 1L] + 0.3 * y
three <- factor(rep(c("u", "v", "w"), length.out = n))
sparse <- methods::as(x * (abs(x) > 0.3), "CsparseMatrix")

constructors <- list(linear = margin_linear, kernel = margin_kernel, robust = margin_robust,
                     hard = margin_hard, augmented = margin_augmented, oneclass = margin_oneclass)
quiet <- function(code) {
  withCallingHandlers(
    code, dualmargin_not_certified = function(w) invokeRestart("muffleWarning"),
    dualmargin_message = function(m) invokeRestart("muffleMessage")
  )
}
made <- 0L
# Each answer is used, so that what a fit left uninitialised is seen.
try_fit <- function(what, make, newdata = x) {
  if (step > 0L) gctorture2(step, inhibit_release = FALSE)
  fit <- quiet(make())
  scores <- predict(fit, newdata, type = "score")
  if (step > 0L) gctorture2(0L)
  stopifnot(is.finite(sum(certificate(fit)$value)), all(is.finite(scores)))
  made <<- made + 1L
  cat(sprintf("%-28s %s\n", what, fit$status$status[1L]))
}

control <- margin_control(seed = 1, max_epochs = 40, progress = FALSE)
rows <- margin_solvers()
if (step > 0L) rows <- rows[rows$name == "auto", ]
for (i in seq_len(nrow(rows))) {
  row <- rows[i, ]
  family <- row$family
  intercept <- unlist(row$intercepts)[1L]
  for (data in if (step > 0L) list(x) else list(x, sparse)) {
    args <- list(x = data, y = y, intercept = intercept, solver = row$name, control = control)
    if (family == "oneclass") args[c("y", "intercept", "solver")] <- NULL
    if (!family %in% c("hard", "robust", "oneclass")) {
      args$loss <- if ("smooth_hinge" %in% unlist(row$losses)) "smooth_hinge" else "hinge"
      args$lambda <- if (row$large_lambda) 5 else 0.05
      if (row$l1) args$mixture <- 0.5
    }
    if (family == "kernel") args$kernel <- kernel_rbf(0.5)
    if (family == "augmented") {
      args$perturbation <- if (row$closed_form) perturb_gaussian(0.2) else perturb_dropout(0.2)
      if (isS4(data) && row$closed_form) {
        args[c("perturbation", "loss")] <- list(perturb_dropout(0.2), "squared")
      }
    }
    try_fit(paste(family, row$name, if (isS4(data)) "sparse"), function() {
      do.call(constructors[[family]], args)
    }, data)
  }
}

# What the list of solvers does not say: several classes, kernels, warm starts, paths.
# so many rows that L-BFGS begins on a sample
many <- x[rep(seq_len(n), 12L), ] + rnorm(36L * n) / 4
first <- margin_linear(x, y, control = control, loss = "smooth_hinge")
more <- list(
  "linear classes" = function() margin_linear(x, three, loss = "logistic", control = control),
  "linear many lbfgs" = function() margin_linear(many, rep(y, 12L), loss = "logistic", lambda = 1e-3,
                                                 solver = "lbfgs", control = control),
  "linear classes lbfgs" = function() margin_linear(many, rep(three, 12L), multiclass = "softmax",
                                                    solver = "lbfgs", control = control),
  "linear warm" = function() margin_linear(x, y, lambda = 0.01,
                                           control = margin_control(seed = 1, start = first),
                                           loss = "smooth_hinge"),
  "kernel softmax" = function() margin_kernel(x, three, control = control, intercept = "none"),
  "kernel mixup" = function() margin_kernel(x, y, mixup = mixup_pairs(8), control = control,
                                            intercept = "none"),
  "kernel nystrom" = function() margin_kernel(x, y, nystrom = 6, control = control,
                                              intercept = "none"),
  "kernel polynomial" = function() margin_kernel(x, y, kernel_polynomial(), control = control,
                                                 intercept = "none"),
  "kernel laplace sparse" = function() margin_kernel(sparse, y, kernel_laplace(),
                                                     control = control, intercept = "none"),
  "kernel ntk" = function() margin_kernel(x, y, kernel_ntk(8, seed = 1), control = control,
                                          intercept = "none"),
  "hard classes" = function() margin_hard(x, three, control = control, intercept = "none"),
  "hard kernel" = function() margin_hard(x, y, kernel_rbf(1), control = control,
                                         intercept = "none"),
  "robust l2" = function() margin_robust(x, y, norm = "l2", ridge = 0.1, control = control,
                                         intercept = "none", scale = FALSE)
)
if (step == 0L) for (what in names(more)) try_fit(what, more[[what]])

for (family in c("linear", "kernel", "robust", "augmented")) {
  args <- switch(family, linear = , kernel = list(n_lambda = 4), robust = list(n_radius = 4),
                 augmented = list(rate = c(0, 0.2)))
  if (step > 0L) gctorture2(step, inhibit_release = FALSE)
  path <- quiet(do.call(margin_path, c(list(x, y, family = family, control = control), args)))
  scores <- predict(path, x, type = "score")
  if (step > 0L) gctorture2(0L)
  stopifnot(all(is.finite(path$certificate$value)), all(is.finite(scores)))
  made <- made + 1L
  cat(sprintf("%-28s %d points\n", paste(family, "path"), nrow(path$certificate)))
}
cat(made, "fits and paths\n")
