library(dualmargin)

# --

train <- spambase[seq(1, nrow(spambase), by = 2), ]

# --

test <- spambase[seq(2, nrow(spambase), by = 2), ]

# --

loose <- function(seed) {
  margin_linear(type ~ ., data = train, loss = "logistic", lambda = 1e-3, solver = "sdca",
                intercept = "penalized", control = margin_control(tol = 0.01, seed = seed))
}

# --

one <- loose(1)

# --

two <- loose(2)

# --

certificate(one)

# --

sum(predict(one, test) != predict(two, test))

# --

certain <- margin_certain(one, train)

# --

found <- predict(certain, test)

# --

head(found, 4)

# --

table(decided = found$decided, seeds_differ = predict(one, test) != predict(two, test))

# --

fit <- margin_linear(type ~ ., data = train, loss = "logistic", lambda = 1e-3,
                     intercept = "penalized", control = margin_control(seed = 1))

# --

certain <- margin_certain(fit, train)

# --

found <- predict(certain, test)

# --

c(relative_gap = certificate(fit)$relative_gap, undecided = sum(!found$decided))

# --

found <- predict(certain, test, data = train)

# --

sum(!found$decided)

# --

mean(found$class != test$type)

# --

head(predict(certain, test, type = "prob"), 3)

# --

net <- margin_linear(type ~ ., data = train, loss = "logistic", lambda = 0.01, mixture = 0.5)

# --

signs <- tidy(margin_certain(net, train))

# --

table(signs$sign, useNA = "ifany")

# --

head(signs[order(-abs(signs$estimate)), ], 4)

# --

odd <- seq(1, 150, by = 2)

# --

species <- margin_linear(Species ~ ., data = iris[odd, ], multiclass = "softmax", lambda = 0.01)

# --

flowers <- predict(margin_certain(species, iris[odd, ]), iris[-odd, ], type = "prob")

# --

table(flowers$decided)

# --

width <- max(flowers$upper_versicolor - flowers$lower_versicolor)

# --

fit <- margin_linear(type ~ ., data = spambase, loss = "logistic", lambda = 0.01)

# --

loo <- margin_loo(fit, spambase)

# --

loo

# --

rows <- as.data.frame(loo)

# --

table(by = rows$by, wrong = rows$wrong)

# --

head(subset(rows, wrong & !wrong_in_training), 4)

# --

plot(loo, xlim = c(-1, 1), ylim = c(-1, 1))

# --

row <- rows$row[rows$wrong & !rows$wrong_in_training][1]

# --

x <- as.matrix(spambase[names(spambase) != "type"])

# --

x <- sweep(x, 2, fit$scales, "/")

# --

n <- nrow(x)

# --

refit <- margin_linear(x[-row, ], spambase$type[-row], loss = "logistic", scale = FALSE,
                       lambda = 0.01 * n / (n - 1), control = margin_control(tol = 1e-12))

# --

c(lower = rows$lower[row], upper = rows$upper[row],
  refit = unname(predict(refit, x[row, , drop = FALSE], type = "score")))

# --

fit <- margin_linear(type ~ ., data = train, loss = "logistic", lambda = 0.1,
                     intercept = "penalized", control = margin_control(seed = 1))

# --

certain <- margin_certain(fit, train)

# --

flips <- margin_sensitivity(fit, train, newdata = test, count = TRUE)

# --

flips

# --

plot(flips)

# --

first <- flips$bounds$changed[which(flips$bounds$flips)]

# --

first <- as.integer(names(which.max(table(first))))

# --

margin_sensitivity(fit, train, newdata = test, remove = first)

# --

few <- train[seq(1, nrow(train), by = 5), ]

# --

smooth <- margin_kernel(type ~ ., data = few, loss = "logistic", lambda = 0.05)

# --

margin_sensitivity(smooth, few, newdata = test[seq(1, nrow(test), by = 5), ], count = TRUE)

# --

path <- margin_path(type ~ ., data = train, loss = "logistic", lambda = c(1e-4, 1),
                    everywhere = 1e-3)

# --

path

# --

certificate(path, lambda = c(0.5, 0.0123, 0.00077))

# --

some <- predict(path, test, lambda = c(0.5, 0.0123, 0.00077))

# --

vapply(some, function(class) mean(class != test$type), 0)

# --

plot(path)

# --

tuned <- margin_cv(a1a$x, factor(a1a$y), prove = TRUE, grid = list(lambda = c(1e-4, 1)), folds = 5, scale = FALSE, seed = 1)

# --

tuned

# --

plot(tuned)

# --

final <- refit(tuned)

# --

certificate(final)

# --

others <- lapply(2:3, function(seed) {
  margin_cv(a1a$x, factor(a1a$y), prove = TRUE, grid = list(lambda = c(1e-4, 1)), folds = 5, scale = FALSE, seed = seed)
})

# --

do.call(rbind, lapply(c(list(tuned), others), glance))
