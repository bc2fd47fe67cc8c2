# What a kernel fit cannot work with is refused before it starts.

test_that("a block has at least one row", {
  case <- moons(20)
  for (bad in list(0, -1, NA_real_, 1.5, 2^31, 1e300, Inf)) {
    expect_input_error(
      margin_kernel(case$x, case$y, solver = "block_sdca",
                    control = margin_control(solver_options = list(block = bad))),
      "block", "the default is 128"
    )
  }
  for (bad in list(0, -1, NA_real_, 1e300)) {
    expect_input_error(
      margin_kernel(case$x, case$y, solver = "block_sdca",
                    control = margin_control(solver_options = list(inner_passes = bad))),
      "inner_passes", "the default is 10"
    )
  }
  for (bad in list(-1, NA_real_, 1e300)) {
    expect_input_error(
      margin_kernel(case$x, case$y, solver = "block_sdca",
                    control = margin_control(solver_options = list(memory = bad))),
      "memory", "the default is 8"
    )
  }
  for (bad in list(0, -1, NA_real_, Inf)) {
    expect_input_error(
      margin_kernel(case$x, case$y,
                    control = margin_control(solver_options = list(cache_mb = bad))),
      "cache_mb", "the default is 2000"
    )
  }
  for (bad in list(0, 1, -3, NA_real_, 2^31, 1e300)) {
    expect_input_error(margin_kernel(case$x, case$y, nystrom = bad), "nystrom",
                       "NULL uses the full kernel")
  }
  same <- margin_kernel(case$x, case$y, solver = "block_sdca", lambda = 0.1,
                        control = margin_control(solver_options = list(block = 1, memory = 0)))
  expect_true(certificate(same)$certified)
})
