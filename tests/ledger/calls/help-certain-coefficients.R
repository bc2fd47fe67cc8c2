fit <- margin_linear(type ~ ., data = spambase, lambda = 0.01, mixture = 0.5)

# --

certain <- margin_certain(fit, spambase)

# --

found <- tidy(certain)

# --

found$term[found$sign %in% 0]

# --

head(found[found$sign %in% c(-1, 1), ])
