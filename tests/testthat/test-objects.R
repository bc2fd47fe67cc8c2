# Results are asked for their class and the number of their format; what is changed in them by hand
# ends in an answer or an error, and never in the end of the process.

objects_of_all <- function() {
  set.seed(1)
  x <- matrix(rnorm(80), 20)
  y <- rep(c(-1, 1), 10)
  flowers <- as.matrix(iris[seq(1, 150, 5), 1:4])
  species <- iris$Species[seq(1, 150, 5)]
  quick <- margin_control(seed = 1, max_epochs = 30)
  suppressWarnings(quietly({
    linear <- margin_linear(x, y, control = quick, loss = "smooth_hinge")
    kernel <- margin_kernel(x, y, mixup = mixup_pairs(5), control = quick)
    rbf <- margin_kernel(x, y, kernel = kernel_rbf(1), control = quick)
    softmax <- margin_linear(flowers, species, loss = "logistic")
    oneclass <- margin_oneclass(x, nu = 0.3)
    hard <- margin_hard(flowers, species == "setosa")
    robust <- margin_robust(x, y, ridge = 0.1, control = quick)
    linear_conformal <- function(...) margin_conformal(linear, x, y, seed = 1, ...)
    list(
      linear = linear, softmax = softmax, kernel = kernel, oneclass = oneclass, hard = hard,
      robust = robust,
      quantiles = margin_linear(x, rnorm(20), loss = loss_quantile(c(0.2, 0.8))),
      sparse = margin_kernel(methods::as(x, "CsparseMatrix"), y, control = quick),
      ntk = margin_kernel(x, y, kernel = kernel_ntk(4, 1), control = quick),
      precomputed = margin_kernel(tcrossprod(x), y, kernel = kernel_precomputed(), control = quick),
      hard_kernel = margin_hard(x, y, kernel = kernel_rbf(1), control = quick),
      augmented = margin_augmented(x, y, control = quick),
      calibrated = margin_calibrate(linear, x, y, folds = 3, seed = 1),
      path = margin_path(x, y, n_lambda = 3, mixture = c(0, 0.5), control = quick),
      kernel_path = margin_path(x, y, n_lambda = 2, family = "kernel", control = quick),
      certain = margin_certain(linear, x, y), joint = margin_certain(softmax, flowers, species),
      certain_kernel = margin_certain(rbf, x, y), certain_oneclass = margin_certain(oneclass, x),
      certain_hard = margin_certain(hard, flowers, species == "setosa"),
      certain_robust = margin_certain(robust, x, y),
      conformal = linear_conformal(method = "cv+", folds = 3),
      jackknife = linear_conformal(method = "jackknife+"),
      full = linear_conformal(method = "full"),
      bootstrap = margin_bootstrap(linear, x, y, resamples = 5, seed = 1),
      cv = margin_cv(x, y, grid = list(lambda = c(0.1, 1)), folds = 2, control = quick, seed = 1),
      nested = margin_cv(x, y, grid = list(lambda = c(0.1, 1)), folds = 2, outer = 2, seed = 1),
      tune = margin_cv(x, y, prove = TRUE, grid = list(lambda = c(0.1, 1)), folds = 2, eps = 0.5,
                       seed = 1),
      compare = margin_compare(x, y, list(a = spec_margin(), b = spec_margin(loss = "logistic")),
                               folds = 2, seed = 1),
      solvers = compare_solvers(x, y, c("auto", "newton"), control = quick)
    )
  }))
}

# What a verb does, with what a user may have at hand.
verbs_of_objects <- function() {
  set.seed(2)
  x <- matrix(rnorm(80), 20)
  y <- rep(c(-1, 1), 10)
  flowers <- as.matrix(iris[seq(1, 150, 5), 1:4])
  new <- function(o) if (identical(o$features, colnames(flowers))) flowers else x
  list(
    print = print, summary = function(o) print(summary(o)), coef = coef, tidy = tidy,
    glance = glance, predict = function(o) predict(o, new(o)), training = predict,
    plot = function(o) plot(o), certificate = certificate, convergence = convergence,
    support = support_rows, update = function(o) update(o, evaluate = FALSE),
    start = function(o) margin_linear(x, y, control = margin_control(start = o, max_epochs = 2)),
    kernel_start = function(o) {
      margin_kernel(x, y, control = margin_control(start = o, max_epochs = 2))
    },
    certain = function(o) margin_certain(o, x, y), loo = function(o) margin_loo(o, x, y),
    sensitivity = function(o) margin_sensitivity(o, x, y, remove = 1),
    flips = function(o) margin_sensitivity(o, x, y, count = TRUE),
    conformal = function(o) margin_conformal(o, x, y, method = "jackknife+"),
    audit = function(o) margin_audit(o, x, y)
  )
}

# A part cut, longer, of another kind, without values, or gone; in lists one level below too.
changed_parts <- function(object, depth = 1L) {
  parts <- unclass(object)
  cases <- list()
  for (i in seq_along(parts)) {
    part <- parts[[i]]
    values <- list(NULL, NA, "a", list(), globalenv())
    if (is.atomic(part) && length(part) > 0L) {
      values <- c(values, list(part[-1L], c(part, part, part), part[0L], replace(part, 1L, NA),
                               if (is.numeric(part)) replace(part, length(part), 99),
                               if (is.numeric(part)) replace(part, 1L, -7L)))
    }
    if (isS4(part)) values <- c(values, list(part[-1L, , drop = FALSE], part[, -1L, drop = FALSE]))
    # a fit within a result is changed by itself
    inner <- if (is.list(part) && !inherits(part, "margin_fit") && depth > 0L && length(part) > 0L) {
      below <- changed_parts(part, depth - 1L)
      lapply(below, function(one) structure(one, class = attr(part, "class")))
    }
    for (value in c(values, inner)) {
      bad <- parts
      bad[i] <- list(value)
      cases <- c(cases, list(bad))
    }
  }
  cases
}

test_that("a changed part ends no process: an answer, or an error", {
  # before R 4.3 a check ends R at `&&` of several values, where later ones give an error
  logic <- Sys.getenv("_R_CHECK_LENGTH_1_LOGIC2_")
  on.exit(Sys.setenv("_R_CHECK_LENGTH_1_LOGIC2_" = logic))
  Sys.setenv("_R_CHECK_LENGTH_1_LOGIC2_" = "true")
  objects <- objects_of_all()
  verbs <- verbs_of_objects()
  k <- 0L
  asked <- 0L
  for (name in names(objects)) {
    object <- objects[[name]]
    cases <- changed_parts(object)
    # some of 14,000
    for (bad in cases[seq(1L, length(cases), by = 7L)]) {
      attributes(bad) <- attributes(object)[c("names", "class")]
      k <- k + 1L
      verb <- verbs[[k %% length(verbs) + 1L]]
      outcome <- tryCatch({
        suppressWarnings(on_null_device(utils::capture.output(quietly(verb(bad)))))
        "answer"
      }, error = function(condition) "error")
      asked <- asked + (outcome %in% c("answer", "error"))
    }
  }
  expect_identical(asked, k)
  expect_gt(k, 1500L)
})

test_that("a format that is none of this version is told by the verb, others are read", {
  for (object in objects_of_all()) {
    for (format in list(NULL, 0L, 2L, "a", c(1L, 1L))) {
      bad <- object
      bad["format"] <- list(format)
      class(bad) <- class(object)
      condition <- expect_error(capture.output(print(bad)), "of another version of this package",
                                class = "dualmargin_input_error")
      expect_true(condition$arg %in% c("x", "object"))
    }
  }
  fit <- margin_linear(mpg ~ wt, mtcars)
  fit$version <- "99.0.0"
  expect_identical(predict(fit, mtcars), predict(margin_linear(mpg ~ wt, mtcars), mtcars))
})

test_that("what is no result is told by its class", {
  for (generic in list(certificate, convergence, support_rows, worst_case)) {
    # certificate() takes coefficients
    if (!identical(generic, certificate)) expect_input_error(generic(1), "fit", "`fit` is 1, but ")
    expect_input_error(generic(NULL), "fit", "`fit` is NULL, but ")
    expect_input_error(generic(mtcars), "fit", "`fit` is a data frame, but ")
  }
  expect_input_error(margin_calibrate(1), "fit", "but must be a classifier")
  expect_input_error(margin_report(1), "fit", "but must be a fit")
  expect_input_error(coef(structure(list(), class = c("margin_linear", "margin_fit"))), "object",
                     "its `format` is NULL")
  expect_input_error(print(structure(1, class = c("margin_kernel", "margin_fit"))), "x", "damaged")
})

test_that("the values that arguments take are of the class that their makers give", {
  x <- matrix(rnorm(40), 20)
  y <- rep(c(-1, 1), 10)
  refused <- function(call, arg) expect_input_error(call, arg, "")
  refused(margin_linear(x, y, control = list(tol = 1)), "control")
  refused(margin_linear(x, y, loss = list(name = "hinge")), "loss")
  refused(margin_kernel(x, y, kernel = list(name = "rbf")), "kernel")
  refused(margin_augmented(x, y, perturbation = list(steps = 1)), "perturbation")
  refused(margin_kernel(x, y, mixup = 3), "mixup")
  refused(margin_cv(x, y, folds = 2, metric = 3), "metric")
  refused(margin_compare(x, y, list(a = 1, b = 2), folds = 2), "specs")
  twice <- matrix(0.5, 20, 2, dimnames = list(NULL, c("a", "a")))
  expect_input_error(soft_labels(twice), "y", "two columns of soft labels")
  # of a fit: without what that fit found
  held <- margin_cv(mpg ~ wt, mtcars, folds = 2, loss = loss_huber(unit = "residual"), seed = 1)$fit
  expect_null(as_loss(held$settings$loss)$found)
  for (f in list(function(v, u) v[-1L], function(v, u) v * NaN, function(v, u) "a",
                 function(v, u) NULL)) {
    expect_input_error(margin_augmented(x, y, perturbation = perturb_custom(f), intercept = "none",
                                        scale = FALSE),
                       "perturbation", "of perturb_custom() returned")
  }
  expect_input_error(margin_metric("a"), "name", "`name` is missing")
  expect_input_error(margin_metric(function(x) 1, "m"), "compute", "takes 1 argument, but is called")
  expect_input_error(margin_metric(), "compute", "`compute` is missing")
  expect_input_error(perturb_custom(function(v) v), "f", "is called with 2: (values, u)")
  expect_input_error(margin_hard(x, y, kernel = function(x) x, intercept = "none"), "kernel",
                     "with 2: (a, b)")
  expect_input_error(mixup_data(data.frame(x), y, 3), "x", "a data frame, but must be")
})

test_that("each generic of stats answers of each result with a value, or stops", {
  generics <- unique(sub("[.](lm|glm|nls)(-method)?$", "", unlist(lapply(
    c("lm", "glm", "nls"), function(class) as.character(utils::methods(class = class))
  ))))
  generics <- intersect(c(generics, "sigma", "df.residual", "weights", "fitted", "coef", "terms"),
                        getNamespaceExports("stats"))
  none <- c("residuals", "deviance", "df.residual", "sigma", "vcov", "logLik", "confint", "anova",
            "simulate", "weights", "fitted", "case.names", "variable.names", "coef")
  objects <- objects_of_all()
  for (name in names(objects)) {
    for (generic in generics) {
      answer <- tryCatch({
        on_null_device(utils::capture.output(
          value <- suppressWarnings(quietly(getExportedValue("stats", generic)(objects[[name]])))
        ))
        if (is.null(value)) "NULL" else "value"
      }, error = function(condition) "error")
      expect_true(answer != "NULL", info = paste(name, generic))
      if (generic %in% c("sigma", "vcov", "df.residual", "logLik", "anova", "simulate")) {
        expect_identical(answer, "error", info = paste(name, generic))
      }
      if (inherits(objects[[name]], "margin_result") && generic %in% setdiff(none, c(
        "coef", "confint", "variable.names"
      ))) expect_identical(answer, "error", info = paste(name, generic))
    }
  }
})

test_that("a good call formats, deparses and filters nothing, and makes no data frame", {
  x <- as.matrix(iris[1:4])
  two <- droplevels(iris[51:150, ])
  fits <- list(margin_linear(x, iris$Species), margin_linear(x[51:150, ], two$Species),
               margin_linear(Species ~ ., two), margin_linear(log(dist) ~ poly(speed, 2), cars))
  calls <- list(
    function() margin_linear(x, iris$Species), function() margin_linear(x[51:150, ], two$Species),
    function() predict(fits[[1L]], x[1L, , drop = FALSE]),
    function() predict(fits[[2L]], x[1L, , drop = FALSE], type = "score"),
    function() margin_linear(two[1:4], two$Species), function() margin_linear(Species ~ ., two),
    function() margin_linear(log(dist) ~ poly(speed, 2), cars),
    function() margin_kernel(Species ~ ., two), function() predict(fits[[3L]], two[1L, ]),
    function() predict(fits[[4L]], cars[1:2, ])
  )
  before <- compiler::enableJIT(0L) # the compiler filters
  on.exit(compiler::enableJIT(before))
  seen <- new.env()
  seen$calls <- character()
  ours <- topenv(environment(margin_linear))
  # model.frame() of stats deparses: what counts is who calls
  note <- function(what, frame) {
    caller <- sys.parents()[which(vapply(sys.frames(), identical, NA, frame))[1L]]
    if (caller > 0L && identical(topenv(environment(sys.function(caller))), ours)) {
      seen$calls <- c(seen$calls, paste(what, "by", sys.call(caller)[1L]))
    }
  }
  dear <- c("format", "format.default", "deparse", "Filter", "data.frame")
  utils::capture.output(suppressMessages(for (what in dear) {
    trace(what, bquote((.(note))(.(what), environment())), print = FALSE, where = baseenv())
  }))
  on.exit(utils::capture.output(suppressMessages(untrace(dear, where = baseenv()))), add = TRUE)
  suppressMessages(for (call in calls) call())
  expect_identical(seen$calls, character())
  utils::capture.output(print(fits[[1L]]))
  expect_gt(length(seen$calls), 0L)
})

test_that("the certificate, the trace and the status of a fit are lists until they are asked for", {
  fit <- margin_linear(Species ~ ., iris, loss = "hinge")
  kept <- unclass(fit)[c("certificate", "trace", "status")]
  for (name in names(kept)) {
    expect_s3_class(kept[[name]], "margin_answer")
    expect_s3_class(fit[[name]], "data.frame")
    expect_identical(do.call("$", list(fit, name)), fit[[name]])
  }
  expect_identical(fit$certificate, certificate(fit, by = "class"))
  expect_identical(fit$trace, convergence(fit))
  expect_identical(unserialize(serialize(fit, NULL))$status, fit$status)
  fit$certificate$certified[2L] <- FALSE
  expect_identical(fit$certificate$certified, c(TRUE, FALSE, TRUE))
  expect_null(fit$certif)
  expect_identical(getElement(fit, "call"), fit$call)
})

test_that("every result has a table, in which the numbers stand that plot() draws", {
  objects <- objects_of_all()
  set.seed(1)
  x <- matrix(rnorm(80), 20)
  y <- rep(c(-1, 1), 10)
  ranks <- friedman_nemenyi(matrix(runif(12), 4, dimnames = list(NULL, c("a", "b", "c"))))
  chosen <- suppressWarnings(margin_threshold(objects$linear, x, y))
  worst <- worst_case(objects$robust, x, y)
  in_table <- function(drawn, table, columns) {
    for (column in columns) expect_true(all(drawn[[column]] %in% table[[column]]), info = column)
  }
  drawn <- function(...) on_null_device(suppressMessages(plot(...)))
  in_table(drawn(objects$softmax, "coefficients"), tidy(objects$softmax), c("term", "class", "estimate"))
  in_table(drawn(objects$linear, "convergence"), convergence(objects$linear), c("epoch", "gap"))
  in_table(drawn(objects$path, "gap"), as.data.frame(objects$path), c("lambda", "relative_gap"))
  in_table(drawn(objects$path), tidy(objects$path), c("lambda", "mixture", "term"))
  in_table(drawn(objects$cv), tidy(objects$cv), c("lambda", "mean", "std.error"))
  in_table(drawn(objects$nested), as.data.frame(objects$nested), c("score", "inner_score"))
  in_table(drawn(objects$compare, "scores"), as.data.frame(objects$compare), c("model", "score"))
  in_table(drawn(objects$solvers), as.data.frame(objects$solvers), c("epoch", "gap"))
  in_table(drawn(objects$certain), as.data.frame(objects$certain), c("score", "lower", "upper"))
  in_table(drawn(objects$bootstrap, scaled = FALSE, level = 0.5), tidy(objects$bootstrap), c("term", "estimate"))
  in_table(drawn(objects$conformal, x, y), summary(objects$conformal, x, y, seq(0.5, 0.95, 0.05)),
           c("coverage", "upper"))
  in_table(drawn(objects$tune), list(lower = objects$tune$bound$lower), "lower")
  in_table(drawn(margin_performance(objects$linear, x, y = y)),
           as.data.frame(margin_performance(objects$linear, x, y = y), which = "roc"), "sensitivity")
  in_table(drawn(chosen$threshold), tidy(chosen$threshold), c("threshold", "score"))
  in_table(drawn(ranks), as.data.frame(ranks), c("model", "mean_rank"))
  expect_identical(nrow(tidy(margin_threshold(objects$linear, at = 1)$threshold)), 1L)
  expect_equal(sum(drawn(worst)$after), sum(tidy(worst)$mass))
  expect_false(inherits(tidy(worst), "margin_worst_case"))
  expect_equal(glance(worst)$risk, attr(worst, "risk"))
  expect_identical(glance(chosen$threshold)$score, chosen$threshold$score)
})
