# margin_cv(): seeds, progress, what is refused and what is told.

some <- spambase[seq(1, nrow(spambase), by = 23), ]
but_seconds <- function(cv) cv$results[names(cv$results) != "seconds"]
# a stochastic solver stopped early, so that seeds show
loose <- function(seed = NULL) {
  suppressWarnings(margin_cv(
    type ~ ., some, solver = "sdca", intercept = "penalized", folds = 3, seed = seed,
    grid = list(lambda = 10^-(1:3), mixture = c(0, 0.5)), control = margin_control(max_epochs = 3),
    loss = "smooth_hinge"
  ))
}

test_that("a seed decides folds and fits and leaves R's stream alone; else set.seed() does", {
  set.seed(1)
  before <- .Random.seed
  one <- loose(8)
  expect_identical(.Random.seed, before)
  expect_identical(but_seconds(loose(8)), but_seconds(one))
  expect_false(identical(loose(9)$results$relative_gap, one$results$relative_gap))
  drawn <- loose()
  # one draw, with or without package future.apply
  after <- .Random.seed
  set.seed(1)
  sample.int(.Machine$integer.max, 1L)
  expect_identical(.Random.seed, after)
  set.seed(1)
  expect_identical(but_seconds(loose()), but_seconds(drawn))
})

test_that("progress is told once a job", {
  skip_if_not_installed("progressr")
  old <- options(progressr.enable = TRUE)
  on.exit(options(old))
  said <- integer()
  withCallingHandlers(
    margin_cv(type ~ ., some, folds = 3, grid = list(lambda = c(0.1, 0.01), mixture = c(0, 1)),
              loss = "smooth_hinge"),
    progression = function(condition) {
      if (condition$type == "update") said <<- c(said, as.integer(condition$amount))
    }
  )
  expect_identical(sum(said), 6L) # three folds by two paths
})

test_that("the default grid is that of a path over all rows", {
  cv <- margin_cv(type ~ ., some, folds = 3, loss = "smooth_hinge")
  path <- margin_path(type ~ ., some, n_lambda = 20, loss = "smooth_hinge")
  expect_equal(cv$settings$lambda, path$lambda)
  robust <- margin_cv(type ~ ., some, family = "robust", norm = "l2", scale = TRUE, folds = 3,
                      intercept = "none")
  path <- margin_path(type ~ ., some, family = "robust", norm = "l2", scale = TRUE, n_radius = 20,
                      intercept = "none")
  expect_equal(robust$settings$radius, path$radius)
  rates <- margin_cv(Species ~ ., iris[51:150, ], family = "augmented", loss = "squared",
                     lambda = 0.1, folds = 3, intercept = "none", center = FALSE, scale = FALSE)
  expect_identical(rates$settings, data.frame(rate = seq(0, 0.5, by = 0.1)))
  # where that number is given there is one setting
  expect_identical(nrow(margin_cv(type ~ ., some, lambda = 0.1, folds = 3,
                                  loss = "smooth_hinge")$settings), 1L)
  expect_identical(nrow(margin_cv(type ~ ., some, cost = 2, folds = 3,
                                  loss = "smooth_hinge")$settings), 1L)
})

test_that("fits that are not certified are counted in one warning, and named in the print", {
  warned <- NULL
  cv <- withCallingHandlers(
    margin_cv(type ~ ., some, solver = "sdca", intercept = "penalized", folds = 3, seed = 1,
              grid = list(lambda = c(10, 1e-5)), control = margin_control(max_epochs = 1),
              loss = "smooth_hinge"),
    warning = function(condition) {
      warned <<- c(warned, list(condition))
      invokeRestart("muffleWarning")
    }
  )
  expect_length(warned, 1L)
  expect_s3_class(warned[[1]], "dualmargin_not_certified")
  missed <- which(!cv$results$certified)
  expect_gte(length(missed), 3L)
  expect_identical(warned[[1]]$missed, length(missed))
  expect_identical(warned[[1]]$relative_gap, max(cv$results$relative_gap[missed]))
  worst <- missed[which.max(cv$results$relative_gap[missed])]
  expect_match(conditionMessage(warned[[1]]), sprintf(
    "Not certified: %d of 6 fits, .* [(]setting %d, fold %d[)]", length(missed),
    cv$results$setting[worst], cv$results$fold[worst]
  ))
  expect_output(print(cv), sprintf("NOT certified: %d of 6 fits", length(missed)))
  expect_identical(summary(cv)$certified, as.vector(tapply(cv$results$certified,
                                                           cv$results$setting, mean)))
})

test_that("an error inside a fit says of which, and keeps its class", {
  wrong <- margin_metric(function(truth, predicted, weights) stop("not today"), "wrong")
  condition <- expect_error(margin_cv(Species ~ ., iris, metric = wrong, folds = 3, seed = 1,
                                      grid = list(mixture = 0.5, lambda = c(0.1, 1)),
                                      loss = "smooth_hinge"))
  expect_identical(conditionMessage(condition),
                   "Settings 1 to 2 (mixture = 0.5), fold 1 of repetition 1: not today")
  condition <- expect_error(
    margin_cv(Species ~ ., iris, family = "kernel", grid = list(nystrom = c(20, 120)), folds = 3,
              intercept = "none"),
    class = "dualmargin_input_error"
  )
  expect_match(conditionMessage(condition),
               "^Setting 2 [(]nystrom = 120[)], fold 1 of repetition 1: `nystrom` is 120")
  expect_identical(condition$arg, "nystrom")
})

test_that("what cannot be is told before the first fit", {
  y <- iris$Species
  x <- iris[1:4]
  sign <- rep(c(-1, 1), 75)
  cv <- function(...) margin_cv(x, y, folds = 3, ...)
  expect_told("cv_run", "input", {
    margin_cv()
    margin_cv("a", loss = "smooth_hinge")
    margin_cv(x, loss = "smooth_hinge")
    cv(family = "liner")
    cv(gird = list())
    cv(lamda = 1)
    cv(max_epochs = 5)
    cv(offset = 1)
    cv(data = iris)
    cv(family = "hard", lambda = 1)
    cv(1, 2, 3, 4)
    cv(grid = 5)
    cv(grid = list(1:3))
    cv(grid = list(lambda = 1, lambda = 2))
    cv(grid = list(lamda = 1))
    cv(grid = list(sigma = 1))
    cv(grid = list(lambda = numeric()))
    cv(grid = list(lambda = c(1, 1)))
    cv(grid = list(lambda = 1), lambda = 1)
    cv(grid = list(lambda = c(1, -1)))
    cv(grid = list(lambda = 1), cost = 1)
    cv(grid = list(mixture = c(0, 2)))
    cv(grid = list(loss = c("hinge", "squard")))
    cv(grid = list(loss = c("logistic", "hinge")), metric = "log_loss")
    cv(family = "kernel", kernel = kernel_rbf(1), grid = list(sigma = 1:2))
    cv(family = "augmented", perturbation = perturb_dropout(0.1), grid = list(rate = c(0, 0.1)))
    cv(family = "kernel", grid = list(sigma = c(1, -1)))
    cv(seed = 0.5)
    margin_cv(x, sign, grid = list(loss = c("squared", "hinge")))
    margin_cv(Species ~ ., iris, sparse = NA, loss = "smooth_hinge")
    margin_cv(Species ~ ., loss = "smooth_hinge")
    margin_cv(Species ~ ., as.list(iris), loss = "smooth_hinge")
    margin_cv(Species ~ . + offset(Petal.Width), iris, loss = "smooth_hinge")
    margin_cv(Species ~ . - 1, iris, intercept = "free", loss = "smooth_hinge")
    margin_cv(Species ~ . - 1, iris, grid = list(intercept = c("none", "free")),
              loss = "smooth_hinge")
    margin_cv(Species ~ ., iris, subset = c(1, 1, 51, 52, 101, 102), folds = 2,
              loss = "smooth_hinge")
  })
  # a loss of both kinds codes y as the others do
  mixed <- margin_cv(x, factor(sign), grid = list(loss = c("squared", "hinge")), folds = 3)
  expect_identical(mixed$task, "classification")
  regression <- margin_cv(x[1:3], x[[4]], grid = list(loss = c("squared", "huber")), folds = 3)
  expect_identical(regression$task, "regression")
})
