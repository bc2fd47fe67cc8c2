specs <- list(hinge = spec_margin("linear", loss = "hinge"),
              logistic = spec_margin("linear", loss = "logistic"),
              robust = spec_margin("robust", radius = 0.05, intercept = "penalized"))

# --

some <- spambase[seq(1, nrow(spambase), by = 40), ]

# --

on_sets <- list(
  spam = margin_compare(type ~ ., some, specs, folds = 3, seed = 1),
  cars = margin_compare(factor(am) ~ mpg + wt + hp, mtcars, specs, folds = 3, seed = 1),
  flowers = margin_compare(Species == "versicolor" ~ ., iris, specs, folds = 3, seed = 1)
)

# --

ranks <- friedman_nemenyi(on_sets)

# --

ranks

# --

plot(ranks)
