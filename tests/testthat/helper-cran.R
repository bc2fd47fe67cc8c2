# The files that a check without NOT_CRAN=true runs, as on CRAN, in a minute (`make cran`): the reference
# optima, and a law of each family and of what is asked of its fits. `make test` runs all files.
cran_files <- c(
  "reference", "reference-hard", "reference-kernel", "reference-robust", "law-families", "law-gap", "law-hard",
  "law-confidence", "margin_oneclass", "robust_radius", "law-folds", "certain_predict", "conformal",
  "path_methods", "performance", "families"
)
