messages <- spambase[sample.int(nrow(spambase)), ]

# --

train <- messages[1:500, ]

# --

test <- messages[501:2500, ]

# --

fit <- margin_linear(type ~ ., data = train, lambda = 0.01)

# --

sets <- margin_conformal(fit, train)

# --

sets

# --

predict(sets, test[1:6, 1:57])

# --

coverage(sets, test)

# --

plot(sets, test)

# --

few <- mtcars[1:20, ]

# --

cars <- margin_linear(mpg ~ wt + hp, data = few)

# --

exact <- predict(margin_conformal(cars, few, method = "full", level = 0.8), mtcars[21:24, ])

# --

exact[c("lower", "upper")]

# --

exact$pieces[[1]]

# --

cost <- read.csv(system.file("extdata", "results", "conformal_refits.csv", package = "dualmargin"))

# --

cost <- cost[cost$intercept == "free" & !cost$scale, ]

# --

data.frame(cost[c("data", "loss", "lambda")], open = 100 * cost$open_rows,
           faster = cost$refits_per_set, open_full = 100 * cost$open_pairs,
           full_faster = cost$full_refits / cost$full_seconds, row.names = NULL)

# --

read.csv(system.file("extdata", "results", "conformal_probably.csv", package = "dualmargin"))[
  c("package", "method", "seconds", "width", "coverage")
]

# --

read.csv(system.file("extdata", "results", "conformal_stream.csv", package = "dualmargin"))[
  c("n", "new", "sets_seconds", "seconds", "cpu", "peak_mb", "answer_mb", "size", "coverage")
]

# --

sizes <- read.csv(system.file("extdata", "results", "conformal_sizes.csv", package = "dualmargin"))

# --

wide <- function(what) tapply(sizes[[what]], list(sizes$data, sizes$method), c)

# --

cbind(covered = wide("coverage"), size_per_split = wide("size_per_split"))

# --

table(sizes$verdict)

# --

summary(sets, test)

# --

cv <- margin_cv(type ~ ., data = train, grid = list(lambda = c(0.1, 0.01)), folds = 3, seed = 1)

# --

tuned <- refit(cv)

# --

coverage(margin_conformal(tuned, holdout = messages[2501:3000, ]), test)[1, ]

# --

set.seed(2)

# --

draw <- function(n) {
  x <- runif(n, -2, 2)
  data.frame(x, size = abs(x), y = x + (0.1 + abs(x)) * rnorm(n))
}

# --

rows <- draw(300)

# --

new <- draw(1000)

# --

line <- margin_linear(y ~ x + size, data = rows)

# --

scores <- list(absolute = "absolute", normalised = "normalised",
               quantile = score_quantile(0.05, 0.95))

# --

of <- lapply(scores, function(score) margin_conformal(line, rows, score = score, seed = 1))

# --

near <- abs(new$x) < 0.5

# --

t(sapply(of, function(one) {
  c(guaranteed = summary(one)$guaranteed, all = coverage(one, new)$coverage,
    near_0 = coverage(one, new[near, ])$coverage, elsewhere = coverage(one, new[!near, ])$coverage,
    width_near_0 = coverage(one, new[near, ])$size)
}))

# --

plot(of$normalised, new[1:150, ], which = "intervals")

# --

within <- margin_conformal(fit, train, by = "label")

# --

of_class <- function(sets) {
  counts <- subset(coverage(sets, test), of == "class")
  setNames(counts$coverage, counts$value)
}

# --

rbind(all = of_class(sets), within = of_class(within))

# --

lean <- train[c(which(train$type == "nonspam"), which(train$type == "spam")[1:8]), ]

# --

rare <- margin_conformal(update(fit, data = lean), lean, by = "label")

# --

rare

# --

coverage(rare, test, level = c(0.85, 0.9))[c(3, 9), ]

# --

moved <- transform(draw(1000), y = y + 2)

# --

coverage(of$absolute, moved)$coverage

# --

patients <- function(n, first) {
  g <- rep(seq_len(n), each = 5)
  x <- matrix(rnorm(8 * n), n)[g, ] + 0.01 * rnorm(40 * n)
  data.frame(x, y = rnorm(n)[g] * 3 + 0.1 * rnorm(5 * n), patient = first + g)
}

# --

seen <- patients(30, 0)

# --

fresh <- patients(200, 100)

# --

model <- margin_linear(y ~ . - patient, data = seen, lambda = 1e-4)

# --

c(rows_alone = coverage(margin_conformal(model, seen), fresh)$coverage,
  groups = coverage(margin_conformal(model, seen, groups = seen$patient), fresh)$coverage)
