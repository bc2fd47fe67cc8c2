library(dualmargin)

# --

set.seed(1)

# --

train <- seq(1, nrow(spambase), by = 2)

# --

test <- spambase[-train, ]

# --

fit <- margin_linear(type ~ ., data = spambase[train, ], loss = "logistic", lambda = 1e-3)

# --

fit

# --

margin_performance(fit, test, metrics = c("accuracy", "auroc"))

# --

tuned <- margin_cv(type ~ ., data = spambase[train, ], loss = "logistic",
                   grid = list(lambda = 10^-(1:4)), seed = 1)

# --

chosen <- refit(tuned, rule = "one_se")

# --

models <- list(hinge = spec_margin("linear", loss = "hinge", lambda = 1e-3),
               logistic = spec_margin("linear", loss = "logistic", lambda = 1e-3))

# --

compared <- margin_compare(type ~ ., data = spambase[train, ], models, repeats = 1, seed = 1)

# --

set.seed(1)

# --

train <- sample(nrow(mtcars), 24)

# --

median_fit <- margin_linear(mpg ~ wt + hp + qsec, data = mtcars[train, ], loss = loss_quantile(0.5),
                            lambda = 0.01)

# --

round(coef(median_fit), 2)

# --

certificate(median_fit)$certified

# --

round(predict(median_fit, mtcars[-train, ][1:3, ]), 1)
