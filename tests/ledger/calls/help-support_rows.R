flowers <- droplevels(iris[iris$Species != "virginica", ])

# --

support_rows(margin_hard(Species ~ ., data = flowers))

# --

nrow(support_rows(margin_linear(Species ~ ., data = flowers, loss = "hinge")))
