margin_control(tol = 1e-9, seed = 1)

# --

margin_linear(
  type ~ ., data = spambase[seq(1, 4601, by = 20), ], solver = "sdca", intercept = "penalized",
  control = margin_control(solver_options = list(sampling = "uniform"), seed = 1)
)
