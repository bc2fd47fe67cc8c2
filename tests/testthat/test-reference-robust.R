# Exact optima of the robust family made by other methods (HiGHS, cvxopt, a two-sided certificate).

robust_table <- function() {
  table <- read.csv(test_path("reference_robust.csv"), colClasses = c(q = "character"))
  table$norm <- c("1" = "l1", "2" = "l2", inf = "linf")[table$q]
  table
}

expect_reference <- function(row) {
  data <- robust_instance(row$instance)
  fit <- core_robust(data, row$norm, row$eps, row$kappa, row$c)
  label <- paste(row$instance, row$norm, row$eps, row$kappa, row$c)
  expect_lte(abs(fit$value - row$f_upper), 1e-8 * row$f_upper, label = label)
  expect_lte(core_relative_gap(fit), 1e-9, label = label)
  expect_lte(fit$bound, row$f_upper + 1e-11, label = label)
  # without radius and ridge the table has no lower bound
  if (row$f_lower > 0) expect_gte(fit$value, row$f_lower - 1e-11, label = label)
  conditional <- row$eps == 0 && row$c == 0 && row$kappa > 0
  expect_identical(fit$status, if (conditional) "conditional" else "certified", info = label)
  expect_identical(is.finite(fit$norm_limit), conditional, info = label)
}

test_that("every optimum of the reference table is met to 1e-8 and bracketed", {
  table <- robust_table()
  for (i in seq_len(nrow(table))) expect_reference(table[i, ])
})

# Optima to ten digits for radius 0.1 and label cost 1: l1, l2, linf without ridge, then with 1.
known_optima <- list(
  a3a = c(0.6627943485, 0.6442762069, 0.6408163265, 0.7826647014, 0.7810118699, 0.7810118699),
  a7a = c(0.6562732919, 0.6459118195, 0.6449689441, 0.7822098894, 0.7806891012, 0.7806891012),
  a9a = c(0.6421854366, 0.6388585627, 0.6384386229, 0.7767095000, 0.7750631972, 0.7750631972),
  ijcnn1 = c(0.7004375800, 0.4781868609, 0.3941588318, 0.9890912685, 0.9723328271, 0.9723328271)
)

for (name in names(known_optima)) {
  test_that(paste(name, "meets its known optima for every norm and ridge"), {
    data <- robust_instance(name)
    skip_if(is.null(data), paste(name, "is not on this machine"))
    cases <- expand.grid(norm = c("l1", "l2", "linf"), ridge = 0:1, stringsAsFactors = FALSE)
    for (k in seq_len(nrow(cases))) {
      fit <- margin_robust(data$x, data$y, norm = cases$norm[k], radius = 0.1, label_cost = 1,
                           ridge = cases$ridge[k], control = margin_control(tol = 1e-9, seed = 1),
                           intercept = "none", scale = FALSE)
      known <- known_optima[[name]][k]
      expect_true(fit$certificate$certified)
      expect_lte(abs(fit$certificate$value - known), 1.1e-9 * known)
      expect_lte(fit$certificate$bound, known + 1e-10)
    }
  })
}
