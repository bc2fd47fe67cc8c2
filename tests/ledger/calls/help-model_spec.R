spec_margin("linear", loss = "logistic", lambda = 0.01)

# --

nearest <- model_spec(
  fit_fun = function(x, y) rowsum(x, y) / as.vector(table(y)),
  predict_fun = function(model, x, levels) {
    -apply(model, 1, function(mean) colSums((t(x) - mean)^2))
  },
  name = "nearest mean"
)

# --

specs <- list(nearest, spec_margin("linear", loss = "logistic", lambda = 0.01))

# --

margin_compare(Species ~ ., iris, specs, seed = 1)
