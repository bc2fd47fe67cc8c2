# Part of drsvm.R: does the robust model predict better? 400 training rows and 400 rows to choose
# by, corrupted alike, and up to 3,000 clean test rows, drawn anew 20 times from each data set.
#   noise:  to every entry a normal number with the standard deviation of its column is added;
#   flips:  labels are changed with probability 0.1 or 0.2;
#   new rows: clean rows to learn and to choose from, the noise above in the test rows.
# Every method fits a free intercept on columns divided by their standard deviation in the training
# rows as they are seen, and chooses its strength by the error on the rows to choose by (the
# strongest of equals).
# writes: drsvm_prediction.csv
# depends: core src/robust R/margin_robust.R src/linear R/margin_linear.R
# seeds: 1001 to 1020 (splits), 1 (solvers)

splits <- 20L
size <- 400L
sets <- list(
  spambase = list(x = as.matrix(spambase[-58L]), y = ifelse(spambase$type == "spam", 1, -1)),
  a9a = margin_data("a9a"), ijcnn1 = margin_data("ijcnn1")
)
radii <- 10^seq(-3, 0.5, by = 0.5)
# What a label costs: nothing can buy one (Inf), the paper's 1, or the price at which a tenth or a
# fifth of the labels can be changed, the rates of our flips.
label_costs <- list("Inf" = function(radius) Inf, "1" = function(radius) 1,
                    "radius/0.1" = function(radius) radius / 0.1,
                    "radius/0.2" = function(radius) radius / 0.2)
lambdas <- 10^seq(-4, 1, by = 0.5)
costs <- 10^seq(-4, 1, by = 0.5)
conditions <- c("clean", "noise", "flips 0.1", "flips 0.2", "new rows")

rounded <- function(x) signif(x, 6)
error <- function(score, y) mean(ifelse(score >= 0, 1, -1) != y)
noisy <- function(x, sd) x + matrix(rnorm(length(x)), nrow(x)) * rep(sd, each = nrow(x))
flipped <- function(y, rate) ifelse(runif(length(y)) < rate, -y, y)

candidates <- function(train) {
  found <- list()
  add <- function(method, label_cost, strength, score, certified) {
    found[[length(found) + 1L]] <<- list(method = method, label_cost = label_cost,
                                         strength = strength, score = score, certified = certified)
  }
  linear <- function(fit) {
    b <- coef(fit)
    function(x) drop(x %*% b[-1L]) + b[[1L]]
  }
  for (norm in norms) for (cost in names(label_costs)) for (radius in radii) {
    fit <- robust(train$x, train$y, norm, radius, label_costs[[cost]](radius),
                  intercept = "free", tol = 1e-4)
    add(norm, cost, radius, linear(fit), certificate(fit)$certified)
  }
  for (lambda in lambdas) {
    fit <- quietly(margin_linear(train$x, train$y, loss = "hinge", lambda = lambda, mixture = 0,
                                 intercept = "free", scale = FALSE, solver = "auto",
                                 control = margin_control(tol = 1e-4, seed = 1, progress = FALSE)))
    add("hinge, ridge", "", lambda, linear(fit), certificate(fit)$certified)
  }
  for (cost in costs) {
    fit <- e1071::svm(train$x, factor(train$y, c(1, -1)), kernel = "linear", cost = cost,
                      scale = FALSE)
    w <- drop(crossprod(fit$coefs, fit$SV))
    # its first class is the one of the first row
    sign <- if (fit$labels[1L] == 1L) 1 else -1
    add("e1071::svm", "", cost,
        local({ w <- w; rho <- fit$rho; function(x) sign * (drop(x %*% w) - rho) }), TRUE)
  }
  found
}

one_split <- function(set, name, split) {
  set.seed(1000L + split)
  drawn <- sample(nrow(set$x), min(nrow(set$x), 2L * size + 3000L))
  rows <- function(from, to) {
    list(x = as.matrix(set$x[drawn[from:to], ]), y = set$y[drawn[from:to]])
  }
  train <- rows(1L, size)
  choose <- rows(size + 1L, 2L * size)
  test <- rows(2L * size + 1L, length(drawn))
  sd <- apply(train$x, 2L, stats::sd)
  noise <- list(train = noisy(train$x, sd), choose = noisy(choose$x, sd), test = noisy(test$x, sd))
  corrupted <- list(
    clean = list(train = train, choose = choose),
    noise = list(train = list(x = noise$train, y = train$y),
                 choose = list(x = noise$choose, y = choose$y))
  )
  for (rate in c(0.1, 0.2)) {
    corrupted[[paste("flips", rate)]] <- list(
      train = list(x = train$x, y = flipped(train$y, rate)),
      choose = list(x = choose$x, y = flipped(choose$y, rate))
    )
  }
  answers <- list()
  for (condition in names(corrupted)) {
    seen <- corrupted[[condition]]
    unit <- apply(seen$train$x, 2L, stats::sd)
    unit[unit == 0] <- 1
    seen <- lapply(seen, function(rows) list(x = sweep(rows$x, 2L, unit, "/"), y = rows$y))
    tests <- list(sweep(test$x, 2L, unit, "/"))
    names(tests) <- condition
    if (condition == "clean") tests[["new rows"]] <- sweep(noise$test, 2L, unit, "/")
    found <- candidates(seen$train)
    for (seen_in in names(tests)) {
      answers[[length(answers) + 1L]] <- data.frame(
        data = name, split, condition = seen_in,
        method = vapply(found, `[[`, "", "method"),
        label_cost = vapply(found, `[[`, "", "label_cost"),
        strength = signif(vapply(found, `[[`, 0, "strength"), 6),
        choose = vapply(found, function(f) error(f$score(seen$choose$x), seen$choose$y), 0),
        test = vapply(found, function(f) error(f$score(tests[[seen_in]]), test$y), 0),
        certified = vapply(found, `[[`, NA, "certified")
      )
    }
  }
  do.call(rbind, answers)
}

# ---- What is chosen, and what each strength gives ----

cells <- expand.grid(cost = names(label_costs), norm = norms, stringsAsFactors = FALSE)
groups <- c(
  setNames(lapply(seq_len(nrow(cells)), function(k) {
    function(rows) rows$method == cells$norm[k] & rows$label_cost == cells$cost[k]
  }), paste(cells$norm, cells$cost, sep = ", label cost ")),
  list("robust, labels trusted" = function(rows) rows$method %in% norms & rows$label_cost == "Inf",
       "robust, everything chosen" = function(rows) rows$method %in% norms,
       "hinge, ridge" = function(rows) rows$method == "hinge, ridge",
       "e1071::svm" = function(rows) rows$method == "e1071::svm")
)
# In each row set, the candidate with the fewest errors; e1071's strength is 1 / (n cost).
chosen <- function(rows) {
  strength <- ifelse(rows$method == "e1071::svm", 1 / rows$strength, rows$strength)
  order(rows$choose, -strength)[1L]
}
standard_error <- function(x) stats::sd(x) / sqrt(length(x))
summarise <- function(all) {
  out <- list()
  for (name in unique(all$data)) for (condition in conditions) {
    here <- all[all$data == name & all$condition == condition, ]
    by_split <- split(here, here$split)
    picked <- function(group) {
      vapply(by_split, function(rows) {
        rows <- rows[groups[[group]](rows), ]
        rows$test[chosen(rows)]
      }, 0)
    }
    baseline <- picked("hinge, ridge")
    for (group in names(groups)) {
      errors <- picked(group)
      out[[length(out) + 1L]] <- data.frame(
        kind = "chosen", data = name, condition, method = group, label_cost = "", strength = NA,
        error = rounded(mean(errors)), se = rounded(standard_error(errors)),
        difference = rounded(mean(errors - baseline)),
        difference_se = rounded(standard_error(errors - baseline)),
        splits = length(errors), certified = mean(here$certified[groups[[group]](here)])
      )
    }
    keys <- unique(here[c("method", "label_cost", "strength")])
    for (k in seq_len(nrow(keys))) {
      same <- here$method == keys$method[k] & here$label_cost == keys$label_cost[k] &
        here$strength == keys$strength[k]
      out[[length(out) + 1L]] <- data.frame(
        kind = "each", data = name, condition, keys[k, ], error = rounded(mean(here$test[same])),
        se = rounded(standard_error(here$test[same])), difference = NA, difference_se = NA,
        splits = sum(same), certified = mean(here$certified[same])
      )
    }
  }
  do.call(rbind, out)
}

# Named data sets replace their rows of the file that is there.
only <- intersect(arguments, names(sets))
if (!length(only)) only <- names(sets)
# the ridge alone, of one data set; the other candidates draw nothing
if (spotting) {
  label_costs <- costs <- NULL
  lambdas <- 0.1
  name <- names(sets)[1L]
  found <- do.call(rbind, lapply(seq_len(splits), function(split) one_split(sets[[name]], name, split)))
  groups <- groups["hinge, ridge"]
  rows <- summarise(found)
  save_results(rows[rows$kind == "each" & rows$condition == "clean", ], "prediction",
               keys = c("kind", "data", "condition", "method", "label_cost", "strength"))
}
for (name in if (!spotting) only) {
  # A run that was cut off goes on where it was.
  so_far <- file.path(folder, sprintf("drsvm_prediction_%s.rds", name))
  done <- if (file.exists(so_far)) readRDS(so_far) else list()
  while (length(done) < splits) {
    done[[length(done) + 1L]] <- one_split(sets[[name]], name, length(done) + 1L)
    saveRDS(done, so_far)
  }
  unlink(so_far)
  save_results(summarise(do.call(rbind, done)), "prediction", replaced = "data",
               keys = c("kind", "data", "condition", "method", "label_cost", "strength"))
}
