ids <- margin_folds(iris$Species, folds = 5, repeats = 2, seed = 1)

# --

table(iris$Species, ids[, 1])

# --

heavy <- factor(ChickWeight$weight > 100)

# --

by_chick <- margin_folds(heavy, folds = 5, groups = ChickWeight$Chick, seed = 1)

# --

table(heavy, by_chick)

# --

margin_cv(ChickWeight["Time"], heavy, grid = list(lambda = 0.1), folds = by_chick)
