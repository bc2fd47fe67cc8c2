# The multinomial elastic net, margin_linear(multiclass = "softmax", mixture = ) above 0: its
# certificate by the definitions, its solvers against one another and glmnet, and its decisions
# against optima found anew.

set.seed(11)
n <- 80
x <- matrix(rnorm(n * 6), n, dimnames = list(NULL, letters[1:6]))
x[, 6] <- 4 * x[, 6] + 2
y <- factor(max.col(x %*% matrix(rnorm(18), 6) / 2 + matrix(rnorm(3 * n), n)))
w <- rep_len(c(1, 2, 0.5, 0), n)
sparse <- Matrix::Matrix(x * (abs(x) > 0.6), sparse = TRUE)
net <- function(x, y, ..., mixture = 0.5, lambda = 0.03, tol = 1e-9, seed = 1) {
  quiet_fit(x, y, ..., loss = "logistic", multiclass = "softmax", mixture = mixture,
            lambda = lambda, control = margin_control(tol = tol, seed = seed, max_epochs = 5000))
}

# P, D, how far the dual point is from feasible, and from what the optimum's conditions say of the
# coefficients.
net_by_definition <- function(fit, x, weights = rep(1, nrow(x))) {
  s <- fit$settings
  share <- weights / sum(weights)
  scaled <- sweep(as.matrix(x), 2, fit$scales, "/")
  beta <- unname(coef(fit))
  b <- if (s$intercept == "none") numeric(ncol(beta)) else beta[1, ]
  slopes <- (if (s$intercept == "none") beta else beta[-1, ]) * fit$scales
  z <- sweep(scaled %*% slopes, 2, b, "+")
  if (s$intercept == "penalized") {
    scaled <- cbind(scaled, 1)
    slopes <- rbind(slopes, b)
  }
  l1 <- s$lambda * s$mixture
  l2 <- s$lambda * (1 - s$mixture)
  top <- apply(z, 1, max)
  own <- cbind(seq_along(fit$response), as.integer(fit$response))
  total <- top + log(rowSums(exp(z - top)))
  a <- unname(fit$dual)
  u <- a
  u[own] <- u[own] + 1
  v <- crossprod(scaled, share * a)
  over <- pmax(abs(v) - l1, 0)
  p <- exp(z - total)
  p[own] <- p[own] - 1
  gradient <- crossprod(scaled, share * p) + l2 * slopes
  list(value = sum(share * (total - z[own])) + l1 * sum(abs(slopes)) + l2 / 2 * sum(slopes^2),
       bound = -sum(share * rowSums(ifelse(u > 0, u * log(u), 0))) -
         if (l2 > 0) sum(over^2) / (2 * l2) else 0,
       off = max(abs(rowSums(u) - 1), -u, if (l2 == 0) over / l1 * 1e-3,
                 if (s$intercept == "free") abs(colSums(share * a))),
       violation = max(ifelse(slopes == 0, pmax(abs(gradient) - l1, 0),
                              abs(gradient + l1 * sign(slopes))),
                       if (s$intercept == "free") abs(colSums(share * p))))
}

test_that("value and bound are those of the definitions, and the optimum's conditions hold", {
  for (mixture in c(0.3, 0.9, 1)) for (intercept in c("free", "penalized", "none")) {
    for (data in list(x, sparse)) for (lambda in c(0.1, 1e-3)) {
      label <- paste(mixture, intercept, class(data)[1L], lambda)
      fit <- net(data, y, weights = w, mixture = mixture, intercept = intercept, lambda = lambda)
      rough <- net(data, y, weights = w, mixture = mixture, intercept = intercept, lambda = lambda,
                   tol = 1e-2)
      found <- net_by_definition(fit, data, w)
      expect_true(fit$certificate$certified, label = label)
      expect_equal(found$value, fit$certificate$value, tolerance = 1e-10, label = label)
      # the certificate's allows for what rounding can do to a lasso's
      expect_equal(found$bound, fit$certificate$bound, tolerance = 1e-8, label = label)
      expect_lte(fit$certificate$bound, found$bound * (1 + 1e-12))
      expect_lte(found$off, 1e-12, label = label)
      expect_lte(found$violation, 1e-3 * lambda, label = label)
      expect_lte(rough$certificate$bound, found$value * (1 + 1e-12))
      expect_gte(rough$certificate$value, found$bound * (1 - 1e-12))
      expect_true(mixture < 0.5 || lambda < 0.01 || any(coef(fit) == 0), label = label)
    }
  }
})

test_that("left-out rows and changes hold what a fit anew has", {
  few <- seq_len(30)
  at <- x[few, ]
  of <- y[few]
  for (intercept in c("free", "none")) for (rule in c("cost", "lambda")) {
    fit <- net(at, of, intercept = intercept, lambda = 0.05, tol = 1e-5)
    loo <- as.data.frame(margin_loo(fit, at, of, rule = rule))
    expect_false(any(loo$by == "open"))
    certain <- margin_certain(fit, at, of)
    for (i in c(1L, 9L, 20L)) {
      lambda <- 0.05 * if (rule == "cost") 30 / 29 else 1
      scaled <- sweep(at, 2, fit$scales, "/")
      anew <- net(scaled[-i, ], of[-i], intercept = intercept, lambda = lambda, scale = FALSE,
                  tol = 1e-11)
      score <- predict(anew, scaled, type = "score")
      apart <- score[i, ] - score[i, of[i]]
      for (level in levels(of)) {
        expect_lte(loo[[paste0("lower_", level)]][i], apart[[level]] + 1e-5)
        expect_gte(loo[[paste0("upper_", level)]][i], apart[[level]] - 1e-5)
      }
      changed <- as.data.frame(margin_sensitivity(fit, at, of, remove = i, rule = rule))
      reference <- max.col(unname(fit$scores), "first")
      for (level in levels(of)) {
        apart <- score[, level] - score[cbind(few, reference)]
        expect_true(all(changed[[paste0("lower_", level)]] <= apart + 1e-5))
        expect_true(all(changed[[paste0("upper_", level)]] >= apart - 1e-5))
      }
      expect_false(anyNA(changed$flips))
    }
  }
})

# u is stored beside a label of one: what scaling leaves of a has errors of an eps, and a bound that
# left no room for them was infinite here (a numerical error)
test_that("without a ridge, separated classes have a finite bound however small the penalty", {
  measures <- as.matrix(iris[1:4])
  for (lambda in 10^-(4:7)) {
    for (cut in c(2, 8, 12, 13, 30, 500)) {
      fit <- quiet_fit(measures, iris$Species, loss = "logistic", multiclass = "softmax",
                       mixture = 1, lambda = lambda, solver = "fista",
                       control = margin_control(max_epochs = cut))
      expect_true(is.finite(fit$certificate$gap) && fit$certificate$gap >= 0)
    }
    fit <- net(measures, iris$Species, mixture = 1, lambda = lambda, tol = 1e-6, solver = "newton")
    stated <- fit$certificate
    # certified, or at what rounding permits, and that is said
    expect_true(stated$certified || fit$status$status == "rounding_floor")
    # with a smaller penalty the optimum is no larger
    less <- net(measures, iris$Species, mixture = 1, lambda = lambda / 2, tol = 1e-6,
                solver = "newton")
    expect_lte(less$certificate$bound, stated$value)
  }
  # classes that no penalty of this size holds apart, far from the origin and sparse
  far <- sweep(measures, 2, c(0, 1e3, 0, 1e3), "+")
  for (data in list(far, Matrix::Matrix(measures * (measures > 1), sparse = TRUE))) {
    fit <- net(data, iris$Species, mixture = 1, lambda = 1e-4, tol = 1e-6)
    expect_true(fit$certificate$certified || fit$status$status == "rounding_floor")
    expect_gte(fit$certificate$gap, 0)
  }
  path <- margin_path(Species ~ ., iris, mixture = 1, n_lambda = 12, lambda_min_ratio = 1e-3)
  expect_true(all(path$certificate$certified))
})

test_that("what cannot be fitted is told", {
  expect_input_error(net(x, y, solver = "dual_cd"), "solver", "with an l1 part is fitted by")
  expect_input_error(net(x, y, solver = "saga"), "solver", "is fitted by")
  expect_input_error(
    margin_linear(x, y, multiclass = "crammer_singer", mixture = 0.5), "mixture", "ridge alone"
  )
})
