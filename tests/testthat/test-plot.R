# A plot returns what it drew.

three <- margin_linear(Species ~ Petal.Length + Petal.Width, data = iris, loss = "squared")

test_that("convergence draws the relative gaps, zero ones included", {
  exact <- three
  exact$trace$gap[nrow(exact$trace)] <- 0
  drawn <- on_null_device(plot(exact, which = "convergence"))
  expect_identical(drawn$gap, exact$trace$gap)
  expect_identical(utils::tail(drawn$relative_gap, 1L), 0)
  expect_identical(unique(on_null_device(plot(three, "convergence", class = "setosa"))$class),
                   "setosa")
})

test_that("coefficients are the largest scaled ones", {
  fit <- margin_linear(type ~ ., data = spambase, loss = "smooth_hinge")
  drawn <- on_null_device(plot(fit, which = "coefficients", top = 5))
  expected <- sort(abs(coef(fit)[-1L] * fit$scales), decreasing = TRUE)[1:5]
  expect_equal(abs(drawn$scaled), unname(expected))
  expect_identical(drawn$term, names(expected))
})

test_that("scores and boundary are those of predict()", {
  drawn <- on_null_device(plot(three, which = "scores", class = "virginica"))
  expect_identical(drawn$score, unname(three$scores[, "virginica"]))
  plane <- on_null_device(plot(three, which = "boundary", data = iris))
  expect_identical(plane$class, unname(predict(three, plane)))
})

test_that("the scores of soft labels are drawn by the class with the larger share", {
  shares <- seq(-1, 1, length.out = 150)
  fit <- margin_kernel(as.matrix(iris[1:4]), soft_labels(shares), intercept = "none")
  drawn <- on_null_device(plot(fit, which = "scores"))
  expect_identical(as.integer(drawn$response), 1L + (shares >= 0))
})

test_that("a plot that cannot be drawn says why", {
  expect_error(plot(three, which = "boundary"), "`data` is NULL", class = "dualmargin_input_error")
  expect_error(plot(margin_linear(Species ~ ., data = iris, loss = "smooth_hinge"),
                    which = "boundary", data = iris),
               "4 features", class = "dualmargin_input_error")
  for (curve in c("roc", "pr", "ROC")) {
    expect_input_error(plot(three, which = curve), "which",
                       sprintf("plot(margin_performance(fit, newdata), which = \"%s\") draws it.",
                               tolower(curve)))
  }
  expect_input_error(plot(margin_linear(mpg ~ wt, mtcars), which = "roc"), "which",
                     "`which` is \"roc\", which is not known. The choices are")
})

test_that("graphical parameters are as before", {
  on_null_device({
    before <- graphics::par(no.readonly = TRUE)
    plot(three)
    plot(three, which = "coefficients")
    plot(three, which = "scores")
    expect_identical(graphics::par("mfrow", "mar", "mai"), before[c("mfrow", "mar", "mai")])
  })
})

test_that("a boundary takes a matrix, a sparse matrix, rows with holes and other rows", {
  x <- as.matrix(iris[51:150, 3:4])
  virginica <- iris$Species[51:150] == "virginica"
  fit <- margin_linear(x, virginica, loss = "smooth_hinge")
  plane <- on_null_device(plot(fit, which = "boundary", data = x))
  sparse <- Matrix::Matrix(x, sparse = TRUE)
  expect_identical(on_null_device(plot(fit, which = "boundary", data = sparse)), plane)
  expect_identical(plane$class, unname(predict(fit, as.matrix(plane[1:2]))))
  unnamed <- margin_linear(unname(x), virginica, loss = "smooth_hinge")
  drawn <- on_null_device(plot(unnamed, which = "boundary", data = unname(x)))
  expect_equal(drawn$class, plane$class)
  holes <- iris
  holes$Petal.Width[7] <- NA
  some <- on_null_device(plot(three, which = "boundary", data = holes[1:120, ]))
  expect_lt(min(some$Petal.Width), 0.1)
  expect_false(anyNA(some$class))
})

test_that("a boundary of two variables may be curved", {
  fit <- margin_linear(Species ~ poly(Petal.Length, 2) * Petal.Width, data = iris,
                       loss = "smooth_hinge")
  plane <- on_null_device(plot(fit, which = "boundary", data = iris))
  expect_named(plane, c("Petal.Length", "Petal.Width", "class"))
  expect_identical(plane$class, unname(predict(fit, plane)))
  wrong <- function(...) on_null_device(plot(..., which = "boundary"))
  expect_error(wrong(three, data = iris[1:2]), "no column \"Petal.Length\"",
               class = "dualmargin_input_error")
  coded <- margin_linear(factor(vs) ~ wt + factor(am), data = mtcars, loss = "smooth_hinge")
  expect_error(wrong(coded, data = mtcars), "`factor\\(am\\)` is not a number",
               class = "dualmargin_input_error")
  line <- margin_linear(mpg ~ wt + hp, data = mtcars, loss = "squared")
  expect_error(wrong(line, data = mtcars), "regression", class = "dualmargin_input_error")
})

test_that("class picks problems where there are several", {
  drawn <- on_null_device(plot(three, which = "coefficients", class = c("setosa", "virginica")))
  expect_setequal(drawn$class, c("setosa", "virginica"))
  expect_error(plot(three, class = "lupin"), "lupin", class = "dualmargin_input_error")
  two <- margin_linear(factor(vs) ~ wt, data = mtcars, loss = "smooth_hinge")
  expect_error(plot(two, class = "1"), "one problem only", class = "dualmargin_input_error")
})

test_that("many classes, one row and gaps of zero all draw", {
  set.seed(4)
  many <- quiet_fit(matrix(rnorm(2000), 400), factor(rep(letters[1:20], 20)), loss = "squared")
  expect_identical(nrow(on_null_device(plot(many))), nrow(many$trace))
  expect_identical(dim(on_null_device(plot(many, which = "scores"))), c(8000L, 3L))
  flat <- many
  flat$trace$gap[] <- 0
  expect_identical(on_null_device(plot(flat))$relative_gap, numeric(nrow(many$trace)))
  line <- margin_linear(mpg ~ wt, data = mtcars, loss = "squared")
  expect_identical(on_null_device(plot(line, which = "scores"))$response, mtcars$mpg)
  expect_identical(on_null_device(plot(line, which = "coefficients", main = "one"))$term, "wt")
  expect_invisible(on_null_device(plot(line)))
})

test_that("scores of one model of all classes have no lines of a margin that is not theirs", {
  lines_drawn <- function(fit) attr(drawn_text(plot(fit, which = "scores")), "dashes")
  joint <- margin_linear(Species ~ ., iris, multiclass = "softmax")
  hard <- suppressWarnings(margin_hard(Species ~ ., iris[c(1:5, 51:55, 131:135), ],
                                       intercept = "none"))
  expect_identical(c(lines_drawn(joint), lines_drawn(hard)), c(0L, 0L))
  expect_identical(lines_drawn(three), 9L) # three a panel
  expect_identical(lines_drawn(margin_linear(Species ~ ., droplevels(iris[1:100, ]))), 3L)
  text <- drawn_text(plot(joint, which = "scores"))
  expect_true("decision value (the largest of a row is its class)" %in% text)
  expect_false(any(grepl("rest", text)))
  expect_true("decision value, one-vs-rest" %in% drawn_text(plot(three, which = "scores")))
})

test_that("support vectors of a regression are coloured by side, with a legend of two entries", {
  set.seed(1)
  x <- seq(0.1, 5, 0.05)
  fit <- margin_kernel(y ~ x, data.frame(x, y = log(x) + rnorm(99) / 5),
                       loss = "epsilon_insensitive")
  drawn <- NULL
  text <- drawn_text(drawn <- plot(fit, which = "support"))
  expect_identical(text[startsWith(text, "below") | startsWith(text, "above")],
                   c("below the fit", "above the fit"))
  # no text is a response with fifteen digits
  expect_lt(max(nchar(grep("^-?[0-9.]+$", text, value = TRUE))), 5L)
  all <- support_rows(fit)
  sides <- dualmargin:::support_sides(fit, all)
  expect_identical(sides == "above the fit", all$response > all$score)
  # those at the bound 1 are counted and not drawn
  at_bound <- all$weight > 1 - 1e-6
  expect_true(sum(at_bound) > 20L && all(drawn$weight < 1 - 1e-6))
  expect_identical(drawn$row, all$row[!at_bound])
  expect_true(sprintf("%d of %d support vectors; %d at the bound", sum(!at_bound), nrow(all),
                      sum(at_bound)) %in% text)
})

test_that("support vectors are counted as rows and as pairs, and no label loses its class", {
  fit <- margin_kernel(Species ~ ., iris, loss = "hinge")
  all <- support_rows(fit)
  drawn <- NULL
  text <- drawn_text(drawn <- plot(fit, which = "support", top = 10))
  expect_true(any(grepl(sprintf("%d pairs of a row and a class (%d rows); %d at the bound",
                                nrow(all), length(unique(all$row)), sum(all$weight > 1 - 1e-6)),
                        text, fixed = TRUE)))
  expect_true(all(paste0(drawn$row, ", ", drawn$class, " vs rest") %in% text))
  expect_lt(max(drawn$weight), 1 - 1e-6)
  # a loss whose slope grows has no bound
  smooth <- margin_linear(Species ~ Petal.Width, droplevels(iris[51:150, ]), loss = "squared_hinge")
  expect_identical(on_null_device(plot(smooth, which = "support", top = 5)),
                   utils::head(support_rows(smooth), 5L))
  quantile <- margin_linear(mpg ~ wt, mtcars, loss = loss_quantile(0.9))
  expect_true(all(!on_null_device(plot(quantile, which = "support"))$weight %in% c(0.1, 0.9)))
})

test_that("the first picture is what is asked first: residuals, scores, or why it is not certified", {
  line <- margin_linear(mpg ~ wt + hp, mtcars)
  drawn <- NULL
  text <- drawn_text(drawn <- plot(line))
  expect_identical(drawn, data.frame(fitted = unname(fitted(line)),
                                     residual = unname(residuals(line))))
  expect_true(all(c("Residuals against fitted values", "fitted value", "smooth") %in% text))
  expect_identical(on_null_device(plot(three)), on_null_device(plot(three, "scores")))
  short <- quiet_fit(type ~ ., spambase, control = margin_control(max_epochs = 1))
  expect_identical(on_null_device(plot(short)), convergence_drawn <-
                     on_null_device(plot(short, "convergence")))
  expect_true("relative_gap" %in% names(convergence_drawn))
  expect_true("Relative gap: NOT certified" %in% drawn_text(plot(short)))
  expect_error(on_null_device(plot(three, "residuals")), "which is for regressions",
               class = "dualmargin_input_error")
})

test_that("the colours of coefficients are said, and raw ones can be drawn", {
  few <- spambase[seq(1, 4601, by = 40), ]
  two <- margin_linear(type ~ ., few, lambda = 0.01)
  drawn <- NULL
  text <- drawn_text(drawn <- plot(two, "coefficients", top = 8, scaled = FALSE))
  expect_true(all(c("for nonspam", "for spam", "coefficient (per unit of the column)",
                    "The 8 largest of 57 coefficients") %in% text))
  raw <- sort(abs(coef(two)[-1L]), decreasing = TRUE)[1:8]
  expect_equal(abs(drawn$estimate), unname(raw))
  expect_identical(drawn$term, names(raw))
  expect_true(all(c("against the class", "for the class") %in%
                    drawn_text(plot(three, "coefficients"))))
  line <- margin_linear(mpg ~ wt + hp, mtcars)
  expect_true("raises the prediction" %in% drawn_text(plot(line, "coefficients")))
  expect_error(on_null_device(plot(line, "coefficients", scaled = "no")), "`scaled`",
               class = "dualmargin_input_error")
})
