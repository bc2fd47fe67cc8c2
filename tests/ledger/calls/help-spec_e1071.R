if (requireNamespace("e1071", quietly = TRUE)) (if (getRversion() >= "3.4") withAutoprint else force)({ # examplesIf
## End(Don't show)
some <- spambase[seq(1, nrow(spambase), by = 20), ]
specs <- list(spec_e1071("linear", cost = 1), spec_e1071("rbf", cost = 1),
              spec_margin("linear", loss = "hinge", cost = 1))
margin_compare(type ~ ., data = some, specs, folds = 3, seed = 1)
## Don't show: 
})
