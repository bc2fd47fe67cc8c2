kernel_list <- list(kernel_rbf(0.7), kernel_laplace(0.9), kernel_polynomial(2, 0.5, 1),
                    as_kernel("linear"))

test_that("no dual point is above the optimum", {
  problem <- moons()
  set.seed(5)
  for (loss in class_losses()) {
    fit <- quiet_kernel(problem$x, problem$y, kernel = kernel_rbf(0.7), loss = loss,
                        lambda = 0.05, control = margin_control(tol = 1e-10, seed = 1))
    for (draw in 1:10) {
      ends <- vapply(problem$y, function(y) pmin(pmax(soft_domain(loss, y), -2), 2), c(0, 0))
      dual <- ends[1L, ] + runif(60) * (ends[2L, ] - ends[1L, ])
      outside <- outside_kernel(fit, problem$x, problem$y, rep(1, 60), dual)
      expect_lte(outside$dual, fit$certificate$value * (1 + 1e-9))
      expect_gte(outside$primal, fit$certificate$bound * (1 - 1e-9))
    }
  }
})

test_that("a soft label is two weighted rows of the two classes", {
  problem <- moons()
  p <- (1 + problem$soft) / 2
  for (loss in list("logistic", "hinge", "squared_hinge")) {
    soft <- quiet_kernel(problem$x, soft_labels(problem$soft), kernel = kernel_rbf(0.7),
                         loss = loss, lambda = 0.02, scale = FALSE,
                         control = margin_control(tol = 1e-9, seed = 1))
    hard <- quiet_kernel(rbind(problem$x, problem$x), rep(c(1, -1), each = 60),
                         kernel = kernel_rbf(0.7), loss = loss, lambda = 0.02, scale = FALSE,
                         weights = c(p, 1 - p), control = margin_control(tol = 1e-9, seed = 1))
    expect_equal(soft$certificate$value, hard$certificate$value, tolerance = 1e-8)
  }
})

test_that("the kernel of mixed rows is that of the rows of mixup_data()", {
  problem <- moons()
  for (kernel in kernel_list) {
    set.seed(11)
    more <- mixup_data(problem$x, problem$y, 30)
    set.seed(11)
    inside <- margin_kernel(problem$x, problem$y, kernel = kernel, mixup = mixup_pairs(30),
                            lambda = 0.01, center = FALSE, scale = FALSE,
                            control = margin_control(tol = 1e-10), intercept = "none")
    outside <- margin_kernel(more$x, more$y, kernel = kernel, lambda = 0.01,
                             center = FALSE, scale = FALSE,
                             control = margin_control(tol = 1e-10, seed = 1), intercept = "none")
    # the seed of the fit is drawn first
    drawn <- inside$mixed
    expect_identical(names(drawn), names(more$pairs))
    again <- margin_kernel(fitted_rows(inside, problem$x),
                           soft_labels(with_mixed(inside, problem$y)), kernel = kernel,
                           lambda = 0.01, center = FALSE, scale = FALSE,
                           control = margin_control(tol = 1e-10, seed = 1), intercept = "none")
    expect_equal(inside$certificate$value, again$certificate$value, tolerance = 1e-9)
    new <- problem$x[1:20, ] + 0.1
    expect_equal(predict(inside, new, type = "score"), predict(again, new, type = "score"),
                 tolerance = 1e-3)
    expect_true(outside$certificate$certified)
  }
})

test_that("the support vector machine of e1071 and kernlab is ours, to their tolerance", {
  skip_if_not_installed("e1071")
  skip_if_not_installed("kernlab")
  problem <- moons(200L)
  y <- factor(problem$y)
  for (cost in c(0.3, 10)) {
    ours <- margin_kernel(problem$x, y, kernel = kernel_rbf(0.7), loss = "hinge", cost = cost,
                          intercept = "free", scale = FALSE,
                          control = margin_control(tol = 1e-9, seed = 1))
    expect_true(ours$certificate$certified)
    theirs <- e1071::svm(problem$x, y, kernel = "radial", gamma = 0.7, cost = cost, scale = FALSE,
                         tolerance = 1e-6)
    scores <- attr(predict(theirs, problem$x, decision.values = TRUE), "decision.values")[, 1L]
    scores <- scores * sign(cor(scores, ours$scores))
    expect_lte(max(abs(scores - ours$scores)), 1e-3)
    other <- kernlab::ksvm(problem$x, y, type = "C-svc", kernel = kernlab::rbfdot(0.7), C = cost,
                           scaled = FALSE, tol = 1e-6)
    scores <- kernlab::predict(other, problem$x, type = "decision")[, 1L]
    scores <- scores * sign(cor(scores, ours$scores))
    expect_lte(max(abs(scores - ours$scores)), 1e-3)
  }
})

test_that("a fit keeps the rows it uses and no others", {
  problem <- moons(200L)
  fit <- margin_kernel(problem$x, problem$y, loss = "smooth_hinge", lambda = 0.01,
                       intercept = "none")
  used <- which(fit$dual != 0)
  expect_lt(length(used), 200L)
  expect_identical(fit$support$at, used)
  expect_equal(unname(fit$support$x), unname(problem$x[used, ]))
  expect_length(coef(fit), length(used))
  file <- tempfile(fileext = ".rds")
  on.exit(unlink(file))
  saveRDS(fit, file)
  expect_lt(file.size(file), 40e3)
})

test_that("more rows than a kernel is made for are told of landmarks", {
  x <- matrix(seq_len(30001) / 1e4)
  # caught before the fit
  said <- tryCatch(margin_kernel(x, rep_len(c(1, -1), 30001), intercept = "none"),
                   dualmargin_message = identity)
  expect_match(conditionMessage(said), "nystrom = 1000")
})

test_that("bad input has its own words", {
  problem <- moons()
  x <- problem$x
  y <- problem$y
  K <- plain_kernel(kernel_rbf(1), x)
  expect_told("margin_kernel", "input", {
    margin_kernel(x, y, kernel = "rfb", intercept = "none")
    margin_kernel(x, y, kernel = kernel_rbf, intercept = "none")
    margin_kernel(x, y, kernel = 3, intercept = "none")
    margin_kernel(x, y, kernal = "rbf", intercept = "none")
    margin_kernel(x, y, mixup = 20, intercept = "none")
    margin_kernel(x, y, nystrom = 1, intercept = "none")
    margin_kernel(x, y, multiclass = "ovr", intercept = "none")
    margin_kernel(x, y, loss = "hinge", multiclass = "softmax", intercept = "none")
    margin_kernel(x, y, solver = "sdca", intercept = "free")
    margin_kernel(x, y, solver = "newton", loss = "hinge", intercept = "none")
    margin_kernel(x, y, lambda = 1, cost = 1, intercept = "none")
    margin_kernel(x, soft_labels(problem$soft[-1L]), intercept = "none")
    margin_kernel(x, soft_labels(problem$soft), class_weights = "balanced", intercept = "none")
    margin_kernel(K, y, kernel = "precomputed", mixup = mixup_pairs(3), intercept = "none")
    margin_kernel(K, y, kernel = "precomputed", scale = TRUE, intercept = "none")
    margin_kernel(K[, -1L], y, kernel = "precomputed", intercept = "none")
    margin_kernel(K + upper.tri(K), y, kernel = "precomputed", intercept = "none")
    margin_kernel(x, y, kernel = function(a, b) 1, intercept = "none")
    margin_kernel(x, y, kernel = function(a, b) matrix(NaN, nrow(a), nrow(b)), intercept = "none")
    margin_kernel(x, y, control = margin_control(start = margin_linear(x, y,
                                                                       loss = "smooth_hinge")),
                  intercept = "none")
    margin_kernel(x, y, control = margin_control(solver_options = list(cache = 3)),
                  intercept = "none")
    margin_kernel()
  })
})

test_that("blocks go on where rounding ends the steps of Newton's method", {
  set.seed(1)
  rows <- spambase[sample(nrow(spambase))[1:400], ]
  fit <- margin_kernel(type ~ ., data = rows, kernel = kernel_rbf(1 / 57), loss = "logistic",
                       lambda = 1e-4 / 400, mixup = mixup_pairs(400), scale = TRUE,
                       intercept = "none", control = margin_control(tol = 1e-4, seed = 1))
  expect_true(certificate(fit)$certified)
})
