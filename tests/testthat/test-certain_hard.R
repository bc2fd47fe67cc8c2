# Hard margins: the direction of the largest margin is in the ball of the margin interval.

test_that("the intervals of loose hard-margin fits hold the optimum", {
  answers <- lapply(if (is_extended()) 1:500 else 1:40, function(seed) {
    set.seed(seed)
    n <- sample(8:25, 1L)
    x <- matrix(rnorm(n * 3), n) + 3 * outer(rep_len(c(-1, 1), n), rnorm(3))
    x <- x * 10^runif(1, -2, 2)
    colnames(x) <- paste0("x", 1:3)
    y <- factor(rep_len(c("a", "b"), n))
    intercept <- sample(c("free", "penalized", "none"), 1L)
    if (intercept == "free") x <- x + 10 * mean(abs(x))
    run <- function(tol) suppressWarnings(
      margin_hard(x, y, intercept = intercept, scale = seed %% 2L == 0L,
                  solver = if (tol > 1e-9) "smo" else "auto",
                  control = margin_control(tol = tol, seed = 1))
    )
    best <- tryCatch(run(1e-12), dualmargin_input_error = function(e) NULL)
    loose <- tryCatch(run(10^runif(1, -6, -0.5)), dualmargin_input_error = function(e) NULL)
    usable <- function(fit) !is.null(fit) && certificate(fit)$value > 0
    if (!usable(best) || !usable(loose) || !certificate(best)$certified) return(NULL)
    certain <- margin_certain(loose, x, y)
    new <- rbind(x[1:4, ], 2 * x[5:6, ])
    found <- predict(certain, new)
    score <- predict(best, new, type = "score")
    slack <- 1e-5 * (1 + sqrt(rowSums(sweep(new, 2L, best$scales, `/`)^2)))
    terms <- coef(certain)
    data.frame(seed, holds = all(found$lower <= score + slack & found$upper >= score - slack),
               terms = all(terms[, 2] <= coef(best) + slack[1L] &
                             terms[, 3] >= coef(best) - slack[1L]),
               gap = certificate(loose)$relative_gap)
  })
  answers <- do.call(rbind, answers)
  expect_gte(nrow(answers), 20L)
  expect_identical(answers$seed[!answers$holds], integer())
  expect_identical(answers$seed[!answers$terms], integer())
})

test_that("the ball shrinks as the root of the margin interval", {
  pair <- droplevels(iris[1:100, ])
  for (intercept in c("free", "none")) {
    fit <- margin_hard(Species ~ ., data = pair, intercept = intercept)
    certain <- margin_certain(fit, pair)
    expect_lte(certain$problems[[1L]]$ball$radius, 1e-6)
    found <- predict(certain)
    expect_true(all(found$decided))
    expect_lte(max(found$upper - found$lower), 1e-4)
  }
})

test_that("the ball has the radius of its formula, around the middle of both vectors", {
  pair <- droplevels(iris[iris$Species != "virginica", ])
  x <- as.matrix(pair[1:4])
  y <- ifelse(pair$Species == "versicolor", 1, -1)
  for (intercept in c("penalized", "none")) {
    fit <- suppressWarnings(margin_hard(x, pair$Species, intercept = intercept, solver = "adaptive",
                                        scale = FALSE, control = margin_control(tol = 1e-2)))
    ball <- margin_certain(fit, x, pair$Species)$problems[[1L]]$ball
    rows <- cbind(x, if (intercept == "penalized") 1)
    w <- coef(fit)[c(colnames(x), if (intercept == "penalized") "(Intercept)")]
    direction <- colSums(fit$dual * y * rows) / certificate(fit)$bound
    m <- unname((w + direction) / 2)
    expect_equal(ball$centre, m, tolerance = 1e-9)
    ratio <- certificate(fit)$value / certificate(fit)$bound
    expect_equal(ball$radius^2, 1 + sum(m^2) - 2 * sqrt(ratio), tolerance = 1e-6)
    expect_lt(ball$radius, sqrt(2 * (1 - ratio)))
  }
})
