if (requireNamespace("parsnip", quietly = TRUE)) {
  train <- seq(1, nrow(spambase), by = 2)
  model <- parsnip::set_engine(parsnip::logistic_reg(penalty = 0.01), "dualmargin")
  spam <- parsnip::fit(model, type ~ ., data = spambase[train, ])
  print(certificate(parsnip::extract_fit_engine(spam)))
  predict(spam, spambase[-train, ][1:3, ], type = "prob")
}
