
test_that("class problems draw by streams of their own, the first as a fit of two classes", {
  set.seed(3)
  x <- matrix(rnorm(160), 40)
  y <- rep(c("a", "b", "c"), length.out = 40)
  slopes <- function(y, seed) {
    # after an epoch the iterates are better than w = 0, which a fit would return instead
    fit <- suppressWarnings(margin_linear(x, y, lambda = 1, solver = "sdca", intercept = "none",
                                          control = margin_control(max_epochs = 1, seed = seed)))
    unname(as.matrix(coef(fit)))
  }
  abc <- factor(y, c("a", "b", "c"))
  bac <- factor(y, c("b", "a", "c"))
  expect_identical(slopes(bac, 2)[, 1L], slopes(factor(y == "b"), 2)[, 1L])
  for (seed in c(0, 1, 7)) {
    # the class that was second with this seed is the first with the next one
    expect_false(identical(slopes(abc, seed)[, 2L], slopes(bac, seed + 1)[, 1L]))
  }
})

# What `expression` is under two states of R's stream, whether it leaves them alone, and whether it
# makes a stream where there is none. Of a fit: the point and what its certificate says.
under_states <- function(make) {
  numbers <- function(fit) {
    if (!inherits(fit, "margin_fit")) return(fit)
    fit <- unclass(fit)
    c(fit[intersect(c("coefficients", "scores", "dual", "alpha", "margin"), names(fit))],
      fit$certificate[c("value", "bound")])
  }
  old <- .Random.seed
  on.exit(assign(".Random.seed", old, globalenv()))
  runs <- lapply(c(1, 1, 2), function(state) {
    set.seed(state)
    before <- .Random.seed
    made <- numbers(make())
    list(made = made, kept = identical(.Random.seed, before))
  })
  rm(".Random.seed", envir = globalenv())
  make()
  absent <- !exists(".Random.seed", globalenv(), inherits = FALSE)
  list(kept = absent && all(vapply(runs, `[[`, NA, "kept")), first = runs[[1L]]$made,
       again = identical(runs[[1L]]$made, runs[[2L]]$made),
       same = identical(runs[[1L]]$made, runs[[3L]]$made))
}

drawn_after <- function(state) with_seed(state, resolve_seed(NULL))

expect_own_seed <- function(make, label) {
  found <- under_states(make)
  expect_true(found$kept, label = paste(label, "leaves R's stream alone"))
  expect_true(found$same, label = paste(label, "is the same under any set.seed()"))
}

test_that("auto draws from its own seed, a stochastic solver that is named from R's stream", {
  for (family in names(families())) {
    for (row in case_solvers(family)) {
      case <- case_of(family)
      label <- paste(family, row$name)
      # what makes the problem has a seed of its own
      problem <- case$rows()
      arguments <- case$arguments(row)
      case$arguments <- function(row) arguments
      fit <- function(seed) {
        case_fit(case, row, problem, control = list(seed = seed, max_epochs = 3))
      }
      if (row$name == "auto" || !row$random) {
        expect_own_seed(function() fit(NULL), label)
        next
      }
      found <- under_states(function() fit(NULL))
      expect_false(found$kept, label = label)
      expect_true(found$again, label = label)
      seeded <- under_states(function() fit(drawn_after(1)))
      expect_true(seeded$kept && seeded$same, label = paste(label, "with a seed"))
      expect_identical(found$first, seeded$first, label = label)
    }
  }
})

test_that("what is random by definition follows set.seed(), or a seed that leaves it alone", {
  x <- as.matrix(iris[51:150, 1:4])
  y <- droplevels(iris$Species[51:150])
  random <- list(
    mixup = function(...) margin_kernel(x, y, mixup = mixup_pairs(10), control = margin_control(...)),
    nystrom = function(...) margin_kernel(x, y, nystrom = 20, control = margin_control(...)),
    network = function(...) {
      margin_kernel(x, y, kernel = kernel_ntk(8), control = margin_control(...))
    },
    dropout = function(...) {
      suppressWarnings(margin_augmented(x, y, perturb_dropout(0.3),
                                        control = margin_control(max_epochs = 3, ...)),
                       classes = "dualmargin_not_certified")
    }
  )
  for (name in names(random)) {
    free <- under_states(random[[name]])
    expect_true(free$again && !free$same && !free$kept, label = name)
    seeded <- under_states(function() random[[name]](seed = 4))
    expect_true(seeded$same && seeded$kept, label = paste(name, "with a seed"))
  }
})

test_that("folds of a search follow set.seed(), its fits by auto draw nothing, nor does predict()", {
  d <- iris[51:150, ]
  d$Species <- droplevels(d$Species)
  folds <- rep_len(1:3, 100)
  # the same folds under other seeds: the fits are the same
  for (family in c("linear", "kernel")) {
    scores <- lapply(1:2, function(seed) {
      margin_cv(Species ~ ., d, family = family, grid = list(lambda = c(0.1, 0.01)), folds = folds,
                loss = "hinge", metric = "hinge", seed = seed)
    })
    numbers <- lapply(scores, function(cv) cv$results[c("score", "relative_gap")])
    expect_identical(numbers[[1L]], numbers[[2L]])
  }
  cv <- function() margin_cv(Species ~ ., d, grid = list(lambda = c(0.1, 0.01)), folds = 3)
  expect_true(under_states(function() cv()$results$score)$again)
  expect_false(under_states(function() cv()$results$score)$same)
  searched <- cv()
  expect_own_seed(function() coef(refit(searched)), "refit()")
  expect_own_seed(function() predict(searched, d), "predict() of a search")
  models <- list(
    search = refit(searched), path = margin_path(Species ~ ., d, n_lambda = 3),
    stochastic = margin_linear(Species ~ ., d, solver = "sdca", intercept = "penalized"),
    network = margin_kernel(Species ~ ., d, kernel = kernel_ntk(8)),
    mixed = margin_kernel(Species ~ ., d, mixup = mixup_pairs(10)),
    calibrated = margin_calibrate(margin_linear(Species ~ ., d, loss = "hinge"), d),
    sets = margin_conformal(margin_linear(Species ~ ., d), d),
    full = margin_conformal(margin_linear(Species ~ ., d), d, method = "full")
  )
  for (name in names(models)) {
    expect_own_seed(function() predict(models[[name]], d[1:5, ]), paste("predict()", name))
  }
})
