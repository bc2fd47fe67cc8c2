# Fits that were changed after they were made: each method tells that they are damaged, and none
# fails further in.

made_once <- new.env()

fits_of_all <- function() {
  if (is.null(made_once$fits)) made_once$fits <- make_fits()
  made_once$fits
}

make_fits <- function() {
  set.seed(1)
  x <- matrix(rnorm(80), 20)
  y <- rep(c(-1, 1), 10)
  r <- rnorm(20)
  flowers <- as.matrix(iris[, 1:4])
  control <- margin_control(seed = 1, max_epochs = 30)
  suppressWarnings(list(
    linear = margin_linear(x, y, control = control, loss = "smooth_hinge"),
    formula = margin_linear(Species ~ ., data = iris, loss = "logistic", control = control),
    regression = margin_linear(x, r, loss = "squared", control = control),
    kernel = margin_kernel(x, y, mixup = mixup_pairs(5), control = control, intercept = "none"),
    nystrom = margin_kernel(x, y, nystrom = 5, control = control, intercept = "none"),
    softmax = margin_kernel(flowers, iris$Species, control = control, intercept = "none"),
    soft = margin_kernel(x, soft_labels(y / 2), intercept = "free", control = control),
    ntk = margin_kernel(x, y, kernel = kernel_ntk(4, 1),
                        center = FALSE, control = control, intercept = "none"),
    precomputed = margin_kernel(tcrossprod(x), y, kernel = kernel_precomputed(), control = control,
                                intercept = "none"),
    sparse = margin_kernel(methods::as(x, "CsparseMatrix"), y, control = control,
                           intercept = "none"),
    hard = margin_hard(x, y, control = control, intercept = "none"),
    hard_several = margin_hard(flowers, iris$Species, control = control, intercept = "none"),
    hard_kernel = margin_hard(x, y, kernel = kernel_rbf(1), control = control, intercept = "none"),
    robust = margin_robust(x, y, control = control, intercept = "none", scale = FALSE),
    augmented = margin_augmented(x, y, control = control, intercept = "none",
                                 center = FALSE, scale = FALSE),
    oneclass = margin_oneclass(x, nu = 0.3, control = margin_control(max_epochs = 30)),
    calibrated = margin_calibrate(margin_linear(x, y, control = control, loss = "smooth_hinge"),
                                  x, y, folds = 3, seed = 1)
  ))
}

# A method that says nothing is an error too.
stop_if_silent <- function(expression) {
  expression
  stop("no error")
}

# Methods that need the fit alone.
alone <- function() {
  list(print = function(f) utils::capture.output(print(f)),
       summary = function(f) utils::capture.output(print(summary(f))),
       coef = coef, predict = function(f) predict(f, type = "score"), certificate = certificate,
       convergence = convergence, tidy = tidy, glance = glance, nobs = nobs, weights = weights,
       update = function(f) update(f, evaluate = FALSE),
       augment = function(f) augment(f, newdata = matrix(0, 1, 4)),
       calibrate = function(f) margin_calibrate(f, matrix(0, 1, 4), 1),
       start = function(f) margin_control(start = f),
       plot = function(f) {
         grDevices::pdf(NULL)
         on.exit(grDevices::dev.off())
         plot(f)
       })
}

damaged <- "damaged fit, or one of another version of this package"

test_that("every part that is lost, cut or of another type is told by every method", {
  fits <- fits_of_all()
  # what may be absent, by its nature, or is the user's own to change
  free <- c("na.action", "trace", "terms", "xlevels", "contrasts", "mixed", "calibration",
            "multiclass", "dual", "levels", "class_weights", "mixup", "nystrom", "kernel", "loss",
            "bytes", "version")
  broken <- list(a = "a", list = list(), nothing = NULL, environment = globalenv())
  methods <- alone()
  k <- 0L
  for (name in names(fits)) {
    fit <- fits[[name]]
    for (part in setdiff(names(fit), free)) {
      k <- k + 1L
      for (how in names(broken)[(k - 1L) %% length(broken) + 1L]) {
        bad <- unclass(fit)
        bad[part] <- list(broken[[how]])
        class(bad) <- class(fit)
        # fits of version 0.2 have neither
        old <- part %in% c("origin", "fingerprint") && how == "nothing"
        if (old || identical(bad[[part]], fit[[part]])) next
        method <- methods[[(k - 1L) %% length(methods) + 1L]]
        error <- error_of(stop_if_silent(method(bad)))
        at <- paste(name, part, how, names(methods)[(k - 1L) %% length(methods) + 1L])
        expect_true(inherits(error, "dualmargin_input_error"), info = at)
        expect_match(paste(conditionMessage(error)), damaged, info = at)
      }
    }
    for (part in setdiff(names(fit$settings), free)) {
      bad <- fit
      bad$settings[part] <- list("zzz")
      error <- error_of(stop_if_silent(coef(bad)))
      expect_match(conditionMessage(error), damaged, info = paste(name, "settings", part))
    }
  }
  expect_gt(k, 200L)
})

test_that("lengths, ranges and values are seen too", {
  fits <- fits_of_all()
  refused <- function(bad, text) {
    expect_input_error(predict(bad, matrix(0, 1, 4)), "object", text)
  }
  set <- function(name, path, value) {
    f <- unclass(fits[[name]])
    if (length(path) == 1L) f[path] <- list(value) else f[[path[1L]]][path[2L]] <- list(value)
    structure(f, class = class(fits[[name]]))
  }
  beta <- fits$linear$coefficients
  refused(set("linear", "coefficients", beta[-1L]), "its `coefficients` are not 5 numbers")
  refused(set("linear", "coefficients", replace(beta, 2L, NaN)), "not finite numbers")
  refused(set("linear", "coefficients", unname(beta)), "lost their names")
  refused(set("linear", "scores", fits$linear$scores[-1L]), "its `scores`")
  refused(set("linear", "weights", -fits$linear$weights), "its `weights`")
  refused(set("linear", "scales", c(1, 1, 0, 1)), "its `scales`")
  refused(set("linear", "levels", "a"), "its `levels`")
  refused(set("formula", "terms", NULL), "its `terms`")
  refused(set("softmax", "coefficients", fits$softmax$coefficients[, 1:2]), "are not 150 x 3")
  refused(set("softmax", "certificate", fits$softmax$certificate[0L, ]), "its `certificate`")
  refused(set("kernel", c("support", "at"), 1:2), "its `coefficients` are not 2 numbers")
  first <- fits$kernel$support$first
  refused(set("kernel", c("support", "first"), replace(first, 1L, 99L)), "`support$first`")
  refused(set("kernel", c("support", "first"), replace(first, 1L, 0L)), "`support$first`")
  refused(set("kernel", c("support", "share"), replace(0 * first, 1L, 2)), "`support$share`")
  refused(set("kernel", c("support", "x"), fits$kernel$support$x[, -1L]), "`support$x`")
  refused(set("kernel", c("support", "x"), NULL), "`support$x`")
  refused(set("kernel", c("settings", "lambda"), -1), "`settings$lambda`")
  kernel <- fits$kernel$settings$kernel
  kernel$sigma <- -1
  refused(set("kernel", c("settings", "kernel"), kernel), "is a damaged kernel_function")
  rows <- fits$sparse$support$x
  rows@i[1L] <- 99L # would have been read beyond its end
  refused(set("sparse", c("support", "x"), rows), "slot `i` has 99 at position 1")
  refused(set("hard", "separable", 1), "its `separable`")
  maps <- fits$calibrated$calibration$maps
  maps[[1L]]$slope <- "a"
  refused(set("calibrated", c("calibration", "maps"), maps), "`calibration$maps`")
  expect_input_error(
    margin_linear(diag(2), c(-1, 1), control = margin_control(start = set("linear", "dual", NULL)),
                  loss = "smooth_hinge"),
    "start", "its `dual`"
  )
  robust <- set("robust", "norm_bound", NULL)
  expect_input_error(worst_case(robust, diag(2), c(-1, 1)), "fit", "its `norm_bound`")
})
