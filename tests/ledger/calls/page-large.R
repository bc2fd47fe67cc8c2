library(dualmargin)

# --

folder <- file.path(tempdir(), "export")

# --

dir.create(folder)

# --

train <- seq(1, nrow(spambase), by = 2)

# --

months <- split(spambase[train, ], rep(1:6, length.out = length(train)))

# --

for (k in names(months)) {
  write.csv(months[[k]], file.path(folder, paste0("month", k, ".csv")), row.names = FALSE)
}

# --

path <- file.path(tempdir(), "spam.rows")

# --

write_rows(folder, path, formula = type ~ ., chunk = 1000)

# --

rows <- read_rows(path)

# --

fit <- margin_linear(rows, loss = "logistic", lambda = 0.01)

# --

fit

# --

small <- file.path(tempdir(), "small.rows")

# --

write_rows(warpbreaks, small, formula = breaks ~ wool * tension)

# --

head(read_rows(small), 3)

# --

text <- file.path(tempdir(), "small.svm")

# --

writeLines(c("+1 1:0.5 3:2", "-1 2:1", "+1 1:1 2:0.5", "-1 3:-1"), text)

# --

write_rows(text, small, overwrite = TRUE)

# --

read_rows(small)

# --

months_left <- months

# --

next_month <- function() {
  if (length(months_left) == 0) return(NULL)
  month <- months_left[[1]]
  months_left <<- months_left[-1]
  month
}

# --

write_rows(next_month, small, y = "type", levels = list(type = c("nonspam", "spam")),
           overwrite = TRUE)

# --

dim(read_rows(small))

# --

test_path <- file.path(tempdir(), "test.rows")

# --

write_rows(spambase[-train, ], test_path, formula = fit, y = "type")

# --

test <- read_rows(test_path)

# --

test

# --

bad <- months[[1]]

# --

bad[7, 3] <- NA

# --

write.csv(bad, file.path(folder, "month7.csv"), row.names = FALSE)

# --

unlink(file.path(folder, "month7.csv"))

# --

rows[c(1, 2000), 1:3]

# --

summary(rows)

# --

x <- as.matrix(spambase[train, names(spambase) != "type"])

# --

in_order <- unlist(split(seq_along(train), rep(1:6, length.out = length(train))))

# --

control <- margin_control(seed = 1)

# --

disk <- margin_linear(rows, loss = "logistic", lambda = 0.01, solver = "newton", control = control)

# --

memory <- margin_linear(x[in_order, ], spambase$type[train][in_order], loss = "logistic",
                        lambda = 0.01, solver = "newton", control = control)

# --

identical(coef(disk), coef(memory))

# --

identical(certificate(disk), certificate(memory))

# --

certificate(fit)

# --

write_rows(spambase[rev(train), ], small, formula = type ~ ., overwrite = TRUE)

# --

opened <- read_rows(small)

# --

write_rows(spambase[train, ], small, formula = type ~ ., overwrite = TRUE)

# --

along <- margin_path(rows, loss = "logistic", lambda = 10^-(0:3))

# --

certificate(along)

# --

cv <- margin_cv(rows, loss = "logistic", grid = list(lambda = 10^-(1:4)), folds = 3, seed = 1)

# --

best_setting(cv)[c("lambda", "mean", "std.error")]

# --

machine <- margin_linear(rows, loss = "hinge", lambda = 0.01)

# --

machine <- margin_calibrate(machine, rows, folds = 3, seed = 1)

# --

head(predict(machine, test, type = "prob"), 3)

# --

table <- file.path(tempdir(), "prob.csv")

# --

predict(machine, test, type = "prob", file = table)

# --

readLines(table, 3)

# --

judged <- margin_performance(fit, test, c("log_loss", "accuracy", "auroc"))

# --

judged

# --

plot(judged, which = "roc")

# --

left <- tempfile(fileext = ".rds")

# --

short <- margin_control(max_epochs = 2, checkpoint = margin_checkpoint(left, minutes = 10))

# --

certificate(margin_linear(rows, loss = "hinge", lambda = 1e-3, control = short))$relative_gap

# --

again <- margin_control(start = margin_checkpoint(left))

# --

certificate(margin_linear(rows, loss = "hinge", lambda = 1e-3, control = again))$relative_gap

# --

rbind(logistic = fit$status, hinge = machine$status)[c("solver", "epochs", "status")]

# --

set.seed(1)

# --

some <- sort(sample(nrow(rows), 500))

# --

coded <- rows[some, ]

# --

labels <- spambase$type[train][in_order][some]

# --

tuned <- margin_cv(coded, labels, loss = "logistic", grid = list(lambda = 10^-(1:3)), folds = 3,
                   seed = 1)

# --

best_setting(tuned)$lambda
