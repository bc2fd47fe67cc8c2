# Every exported function, each argument of a call that works replaced by odd values: what does not
# work is an error of ours that names an argument, whatever it was given. Damaged matrices, fits and
# values have tests of their own (validate_*). The values are those that found something once.

odd_values <- function() {
  list(
    null = NULL, na = NA, nan = NaN, infinite = Inf, negative = -1, zero = 0, huge = 1e308,
    tiny = 1e-320, whole = 2147483647, fraction = 0.5, text = "a", empty = "",
    no_text = NA_character_, flag = TRUE, none = numeric(),
    list = list(), frame = data.frame(), matrix = matrix(0, 0, 0),
    fun = function(...) NULL, symbol = quote(a), factor = factor("a"), date = as.Date("2020-01-01"),
    environment = globalenv(), raw = raw(3), complex = 1i, missing = rep(NA_real_, 20),
    heavy = rep(1e307, 20), formula = y ~ x, words = rep(c("x", "y"), 10),
    broken_frame = structure(list(a = 1:20, b = 1:3), row.names = 1:20, class = "data.frame"),
    forged = structure(list(), class = c("margin_linear", "margin_fit"))
  )
}

adversarial <- new.env()

# name -> list(function, its arguments): calls that work, small enough to be made often
working_calls <- function() {
  set.seed(1)
  x <- matrix(rnorm(80), 20)
  y <- rep(c(-1, 1), 10)
  quick <- margin_control(max_epochs = 3, seed = 1)
  fit <- quietly(margin_linear(x, y, control = quick, loss = "smooth_hinge"))
  hard <- quietly(margin_hard(x, y, control = quick, intercept = "none"))
  robust <- quietly(margin_robust(x, y, control = quick, intercept = "none", scale = FALSE))
  path <- quietly(margin_path(x, y, n_lambda = 2, control = quick, loss = "smooth_hinge"))
  grid <- list(lambda = c(0.1, 1))
  cv <- quietly(margin_cv(x, y, grid = grid, folds = 2, control = quick, seed = 1,
                          loss = "smooth_hinge"))
  specs <- list(a = spec_margin("linear", control = quick, loss = "smooth_hinge"),
                b = spec_margin("robust", control = quick, intercept = "none", scale = FALSE))
  certain <- margin_certain(fit, x, y)
  sets <- quietly(margin_conformal(fit, x, y, method = "cv+", folds = 2, seed = 1))
  scores <- matrix(c(1, 2, 3, 4, 3, 2), 3, dimnames = list(NULL, c("a", "b")))
  c(loss_calls(), list(
    margin_linear = list(x, y, loss = "logistic", lambda = 0.1, mixture = 0, intercept = "free",
                         scale = TRUE, weights = NULL, class_weights = NULL, solver = "auto",
                         control = quick, cost = NULL, offset = NULL, penalty_factor = NULL,
                         lower = NULL, upper = NULL),
    margin_kernel = list(x, y, kernel = kernel_rbf(1), loss = "logistic", mixup = NULL,
                         multiclass = "auto", nystrom = NULL, intercept = "none", weights = NULL,
                         control = quick),
    margin_hard = list(x, y, kernel = NULL, intercept = "none", scale = FALSE, weights = NULL,
                       control = quick),
    margin_robust = list(x, y, norm = "l2", radius = 0.1, label_cost = 1, ridge = 0,
                         weights = NULL, control = quick),
    margin_augmented = list(x, y, perturbation = perturb_dropout(0.1), loss = "logistic",
                            lambda = 0.1, mixture = 0, control = quick),
    margin_path = list(x, y, lambda = NULL, n_lambda = 2, lambda_min_ratio = NULL, mixture = 0,
                       control = quick, family = "linear", offset = NULL, penalty_factor = NULL,
                       lower = NULL, upper = NULL),
    margin_cv = list(x, y, family = "linear", grid = grid, folds = 2, repeats = NULL,
                     metric = NULL, weights = NULL, seed = 1, control = quick, offset = NULL,
                     penalty_factor = NULL, upper = NULL),
    margin_performance = list(fit, x, metrics = "accuracy", y = y, weights = NULL, threshold = 0),
    importance = list(fit, x),
    margin_threshold = list(fit, x, y, metric = "f1", rows = "cross_validated", weights = NULL,
                            folds = 2, seed = 1),
    margin_compare = list(x, y, specs, folds = 2, repeats = NULL, metric = NULL, rope = NULL,
                          seed = 1, weights = NULL, scale = TRUE),
    margin_bootstrap = list(fit, x, y, resamples = 3, groups = NULL, strata = NULL, metrics = NULL,
                            seed = 1, type = "percentile"),
    margin_calibrate = list(fit, x, y, method = "platt", folds = 2, seed = 1),
    margin_certain = list(fit, x, y),
    margin_conformal = list(fit, x, y, method = "jackknife+", level = 0.8, score = NULL, by = NULL,
                            groups = NULL, refits = Inf, seed = 1),
    margin_oneclass = list(x, nu = 0.5, kernel = kernel_rbf(), scale = TRUE, weights = NULL),
    margin_loo = list(fit, x, y, groups = NULL, rule = "cost", precision = 0.05),
    margin_sensitivity = list(fit, x, y, newdata = x, remove = 1, relabel = NULL,
                              weights = NULL, add = NULL, groups = NULL, rule = "cost", refits = 1,
                              count = FALSE),
    compare_solvers = list(x, y, solvers = c("auto", "newton"), family = "linear",
                           loss = "logistic", control = quick),
    margin_control = list(tol = 1e-6, max_epochs = 10, max_seconds = 10, seed = 1, start = NULL,
                          certify_every_epoch = FALSE, progress = FALSE, solver_options = list(),
                          threads = 2, checkpoint = NULL, stall = TRUE, ranks = NULL),
    margin_folds = list(y, folds = 2, repeats = 1, seed = 1, groups = NULL, along = NULL),
    margin_metric = list(function(truth, predicted, weights) 1, name = "a", maximize = TRUE,
                         needs = "class"),
    margin_solvers = list(family = "linear"),
    margin_report = list(fit, output_file = "r.pdf", title = NULL, cv = NULL, comparison = NULL,
                         overwrite = FALSE, open = FALSE),
    margin_data = list(name = "zzz"),
    kernel_rbf = list(sigma = 1), kernel_laplace = list(sigma = 1),
    kernel_precomputed = list(check = "auto", repair = "none"),
    kernel_custom = list(function(a, b) tcrossprod(a, b), check = "auto"),
    kernel_polynomial = list(degree = 2, scale = 1, offset = 1),
    kernel_ntk = list(width = 3, seed = 1, weights = NULL, normalize = TRUE),
    mixup_data = list(x, y, n = 3, alpha = 1, pairs = "any"),
    mixup_pairs = list(n = 3, alpha = 1, pairs = "any"), soft_labels = list(y / 2),
    perturb_custom = list(function(v, u) v), perturb_dropout = list(rate = 0.1),
    perturb_gaussian = list(sd = 0.1), perturb_image = list(dim = c(2, 2), shift = 1),
    perturb_rescale = list(width = 0.1),
    model_spec = list(function(x, y) 1, function(model, x, levels) 1, name = "a", gap_fun = NULL),
    spec_margin = list(family = "linear", name = "a", loss = "hinge"),
    friedman_nemenyi = list(scores, metric = NULL, maximize = TRUE, level = 0.95),
    read_libsvm = list("/no/such/file", features = NULL, zero_based = FALSE),
    write_rows = list(x, path = tempfile(), y = y, weights = NULL, formula = NULL, levels = NULL,
                      chunk = 7, overwrite = FALSE, sparse = FALSE),
    read_rows = list("/no/such/file", share = NULL), mpi_ranks = list(engine = "MPI", comm = 0),
    write_libsvm = list(x, y, path = tempfile(), zero_based = FALSE),
    worst_case = list(robust, x, y, class = NULL, tolerance = 1e-6), support_rows = list(hard),
    certificate = list(path, by = "worst"), convergence = list(fit),
    margin_audit = list(fit, x, y, newx = x, newy = y, weights = NULL, tol = 1e-6, control = quick)
  ))
}

# A loss is called with its defaults.
loss_calls <- function() {
  parameters <- function(make) as.list(formals(make))[setdiff(names(formals(make)), "...")]
  calls <- Filter(length, lapply(loss_makers(), parameters))
  names(calls) <- paste0("loss_", names(calls))
  calls[names(calls) %in% getNamespaceExports("dualmargin")]
}

# Those of other packages, whose arguments these pass on, and generics of package generics.
not_swept <- c("augment", "glance", "refit", "tidy", "spec_peer", "dualmargin_engine")

test_that("every exported function is swept, or named as one that is not", {
  exported <- getNamespaceExports("dualmargin")
  exported <- exported[vapply(exported, function(name) {
    is.function(getExportedValue("dualmargin", name))
  }, NA)]
  expect_setequal(c(names(working_calls()), not_swept), exported)
})

test_that("an odd value is taken, or refused by an error of ours", {
  calls <- working_calls()
  odd <- odd_values()
  swept <- 0L
  for (name in names(calls)) {
    arguments <- calls[[name]]
    for (k in seq_along(arguments)) {
      # a third of the values for each argument, all of them over a few
      for (value in names(odd)[(seq_along(odd) + k + nchar(name)) %% 3L == 0L]) {
        given <- arguments
        given[k] <- list(odd[[value]])
        error <- error_of(suppressWarnings(quietly(
          do.call(getExportedValue("dualmargin", name), given, quote = TRUE)
        )))
        swept <- swept + 1L
        if (!is.null(error) && !inherits(error, "dualmargin_error")) {
          fail(sprintf("%s(), argument %d as `%s`: %s", name, k, value, conditionMessage(error)))
        }
      }
    }
  }
  expect_gt(swept, 1500L)
})

test_that("bytes that are no text, language, environments and long paths are errors of ours", {
  set.seed(1)
  x <- matrix(rnorm(80), 20)
  y <- rep(c(-1, 1), 10)
  bytes <- "\xff"
  opaque <- bytes
  Encoding(opaque) <- "bytes"
  fit <- quietly(margin_linear(x, y, loss = "smooth_hinge", offset = y / 9))
  for (odd in c(bytes, opaque)) {
    expect_input_error(margin_linear(x, y, loss = odd), "loss", "\"<ff>\", which is not known")
    expect_input_error(margin_linear(x, y, multiclass = odd), "multiclass", "\"<ff>\"")
    expect_input_error(predict(fit, x, type = odd), "type", "\"<ff>\"")
    expect_input_error(margin_performance(fit, x, y = y, metrics = odd), "metrics", "<ff>")
    expect_input_error(plot(fit, which = odd), "which", "\"<ff>\"")
    expect_input_error(loss_huber(unit = odd), "unit", "\"<ff>\"")
    expect_input_error(spec_margin(odd), "family", "\"<ff>\"")
    expect_input_error(margin_metric(function(truth, predicted, weights) 1, odd), "name", "<ff>")
    expect_input_error(write_rows(odd, tempfile()), "x", "\"<ff>\", whose bytes are no text")
  }
  for (odd in list(new.env(), sum, quote(a), list())) {
    expect_no_warning(error <- error_of(predict(fit, x, newoffset = odd)))
    expect_s3_class(error, "dualmargin_input_error")
    expect_identical(error$arg, "newoffset")
  }
  long <- strrep("a", 5000)
  expect_no_warning({
    expect_input_error(write_rows(x, long, y = y), "path", "has 5000 bytes")
    expect_input_error(write_rows(long, tempfile()), "x", "has 5000 bytes")
    expect_input_error(read_rows(long), "path", "has 5000 bytes")
    expect_input_error(read_libsvm(long), "path", "has 5000 bytes")
    expect_input_error(margin_control(checkpoint = long), "checkpoint", "has 5000 bytes")
  })
  for (code in list(quote(stop("evaluated")), quote(x), expression(stop("evaluated")))) {
    expect_input_error(compare_solvers(x, y, lambda = code), "lambda", "must be one")
  }
  for (odd in list(new.env(), -Inf, character(), "a", NA)) {
    expect_input_error(spec_margin("linear", lambda = odd), "lambda", "must be one")
    expect_input_error(spec_margin("robust", scale = odd), "scale", "must be TRUE or FALSE")
  }
  expect_input_error(spec_margin("kernel", kernel = globalenv()), "kernel", "an environment")
  expect_input_error(spec_margin("linear", class_weights = "a"), "class_weights", "named by level")
  broken <- structure(rep(c(1L, 5L), 10), levels = c("a", "b"), class = "factor")
  expect_input_error(margin_linear(x, broken), "y", "a damaged factor")
  expect_input_error(margin_loo(margin_linear(x, y, loss = "logistic"), x, broken), "y", "damaged")
  expect_input_error(margin_cv(x, y, folds = 2, control = as.POSIXlt("2020-01-01")), "control",
                     "margin_control()")
})

test_that("predicting and printing refuse odd values alike", {
  set.seed(1)
  x <- matrix(rnorm(80), 20)
  y <- rep(c(-1, 1), 10)
  fit <- quietly(margin_linear(x, y, loss = "smooth_hinge"))
  path <- quietly(margin_path(x, y, n_lambda = 2, loss = "smooth_hinge"))
  kernel <- quietly(margin_kernel(x, y, control = margin_control(max_epochs = 2),
                                  intercept = "none"))
  odd <- odd_values()
  for (value in setdiff(names(odd), "null")) {
    for (model in list(fit, path, kernel)) {
      expect_s3_class(error_of(predict(model, odd[[value]])), "dualmargin_input_error")
    }
    expect_s3_class(error_of(predict(fit, x, type = odd[[value]])), "dualmargin_input_error")
    # this fit has none
    expect_s3_class(error_of(predict(fit, x, newoffset = odd[[value]])), "dualmargin_input_error")
  }
  for (digits in list(NA, 0, 23, "a", NULL, c(1, 2), 1.5)) {
    expect_input_error(print(fit, digits = digits), "digits", "from 1 to 22")
    expect_input_error(print(path, digits = digits), "digits", "from 1 to 22")
  }
})
