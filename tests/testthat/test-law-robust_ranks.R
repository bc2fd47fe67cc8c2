# Rows on two or three ranks, here threads of one process, have the certificate of one, and all
# ranks the same point to the last digit. Ranks that ask for different sums are an error.

test_that("a robust fit of rows on several ranks has the certificate of one", {
  set.seed(4)
  n <- 301
  x <- matrix(rnorm(n * 5), n)
  y <- ifelse(drop(x %*% c(1, -1, 0.5, 0, 0)) + rnorm(n) > 0.3, 1, -1)
  omega <- rexp(n) * (seq_len(n) %% 11 > 0)
  problem <- list(norm = "l2", radius = 0.05, label_cost = 0.7, ridge = 0, free = TRUE)
  cases <- list(list("interior_point", c(norm = "l1"), 1e-6),
                list("interior_point", c(norm = "l2"), 1e-6),
                list("interior_point", c(norm = "linf"), 1e-6),
                list("interior_point", list(label_cost = Inf, free = FALSE), 1e-6),
                list("interior_point", list(radius = 0, ridge = 0.1), 1e-6),
                list("pdhg", list(ridge = 0.1), 1e-3))
  for (case in cases) {
    asked <- utils::modifyList(problem, as.list(case[[2]]))
    on <- lapply(1:3, function(k) probe("robust_ranks", x, y, omega, asked, case[[1]], k))
    one <- on[[1]]
    for (several in on[-1]) {
      expect_identical(several, several[, rep(1, ncol(several))])
      # each bound is below each value, and both pairs are certified
      expect_lte(max(one[2], several[2, 1]), min(one[1], several[1, 1]))
      expect_lte(max(one[1], several[1, 1]) - min(one[2], several[2, 1]), case[[3]] * one[1])
    }
  }
})
