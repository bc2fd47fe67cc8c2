train <- seq(1, nrow(spambase), by = 2)

# --

fit <- margin_linear(type ~ ., data = spambase[train, ], loss = "logistic")

# --

if (requireNamespace("rmarkdown", quietly = TRUE) && rmarkdown::pandoc_available("2.0")) {
  file <- margin_report(fit, spambase[train, ], tempfile(fileext = ".html"),
                        test = spambase[-train, ])
  file.size(file)
}
