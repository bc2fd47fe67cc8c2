# What does one get without choosing anything? Three-fold accuracy, or root mean squared error, of
# every family with its defaults, with those of versions 0.1 and 0.2 (written out: the problems that
# they solved), and of e1071, glmnet and lm with theirs. Nothing is tuned. The rows "e1071's problem"
# are our fits of the problem that e1071 solves with its defaults; what is left between the two is
# one-vs-rest against one-vs-one for three or more classes, and e1071's tolerance. "crammer_singer"
# and "softmax" are what is asked for by name. Rows of before that are still the same fits: those of
# "0.1", and of the augmented family.
#
# Every repetition has folds of its own, the same for all methods; it is the seed of both.
# Usage: Rscript defaults.R [folder for the results] [--repeats=20] [--sets=regex]
#   [--methods=regex]
# writes: defaults_accuracy.csv
# depends: core src/linear R/margin_linear.R src/kernel R/margin_kernel.R src/augmented
# depends: R/margin_augmented.R src/robust R/margin_robust.R
# seeds: 1 (rows), 1 to 20 (folds)

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "_driver.R"))
repeats <- as.integer(option("repeats", "20"))

set.seed(1)
data(list = c("Pima.tr", "biopsy", "crabs", "fgl", "Boston"), package = "MASS",
     envir = environment())
sets <- list(
  "Pima.tr" = list(type ~ ., Pima.tr),
  "biopsy" = list(class ~ ., stats::na.omit(biopsy[names(biopsy) != "ID"])),
  "spam (1,000 rows)" = list(type ~ ., spambase[sort(sample(nrow(spambase), 1000L)), ]),
  "crabs (sp)" = list(sp ~ ., crabs[names(crabs) != "index"]),
  "fgl" = list(type ~ ., fgl),
  "iris" = list(Species ~ ., iris),
  "mtcars" = list(mpg ~ ., mtcars),
  "cars" = list(dist ~ speed, cars),
  "Boston" = list(medv ~ ., Boston)
)
sets <- sets[grep(option("sets", if (spotting) "^(iris|cars)$" else "."), names(sets))]

# ---- the methods: a function of formula and training rows that returns one of new rows -----------
ours <- function(f, ...) {
  force(f)
  given <- list(...)
  function(formula, train) {
    fit <- quiet(do.call(f, c(list(formula, train), given), quote = TRUE))
    function(rows) predict(fit, rows)
  }
}
svm_with <- function(...) {
  given <- list(...)
  function(formula, train) {
    fit <- quiet(do.call(e1071::svm, c(list(formula, data = train), given)))
    function(rows) predict(fit, rows)
  }
}
glmnet_cv <- function(formula, train) {
  matrix_of <- function(rows) stats::model.matrix(formula, rows)[, -1L, drop = FALSE]
  y <- train[[all.vars(formula)[1L]]]
  if (ncol(matrix_of(train)) < 2L) {
    return(function(rows) NA) # glmnet takes two columns or more
  }
  family <- if (!is.factor(y)) "gaussian" else if (nlevels(y) == 2L) "binomial" else "multinomial"
  fit <- quiet(glmnet::cv.glmnet(matrix_of(train), y, family = family))
  function(rows) {
    drop(predict(fit, matrix_of(rows), type = if (is.factor(y)) "class" else "response"))
  }
}
least_squares <- function(formula, train) {
  fit <- stats::lm(formula, train)
  function(rows) quiet(predict(fit, rows))
}

# e1071 has sigma = 1 / (number of columns after coding)
their_kernel <- function(formula, train) {
  columns <- ncol(stats::model.matrix(formula, train)) - 1L
  ours(margin_kernel, loss = "hinge", cost = 1, kernel = kernel_rbf(1 / columns),
       intercept = "free", scale = TRUE)(formula, train)
}
classifiers <- list(
  "linear, 0.1" = ours(margin_linear, loss = "smooth_hinge", intercept = "free", scale = TRUE),
  "linear, 0.2" = ours(margin_linear, multiclass = "one_vs_rest"),
  "linear" = ours(margin_linear),
  "linear, crammer_singer" = ours(margin_linear, multiclass = "crammer_singer"),
  "linear, e1071's problem" = ours(margin_linear, loss = "hinge", cost = 1, intercept = "free",
                                   scale = TRUE),
  "e1071, linear" = svm_with(kernel = "linear"),
  "kernel, 0.1" = ours(margin_kernel, loss = "logistic", intercept = "none", scale = TRUE,
                       cost = 1),
  "kernel, 0.2" = ours(margin_kernel, cost = 1),
  "kernel" = ours(margin_kernel),
  "kernel, softmax" = ours(margin_kernel, multiclass = "softmax"),
  "kernel, e1071's problem" = their_kernel,
  "e1071, radial" = svm_with(),
  "robust, 0.1" = ours(margin_robust, radius = 0.1, intercept = "none", scale = FALSE),
  "robust, 0.2" = ours(margin_robust, radius = 0.1),
  "robust" = ours(margin_robust),
  "augmented, 0.1" = ours(margin_augmented, loss = "logistic", intercept = "none", scale = FALSE),
  "augmented" = ours(margin_augmented),
  "glmnet (cv.glmnet)" = glmnet_cv
)
regressions <- list(
  "linear, 0.1" = ours(margin_linear, loss = "squared", intercept = "free", scale = TRUE),
  "linear" = ours(margin_linear),
  "linear, Huber" = ours(margin_linear, loss = "huber"),
  "lm" = least_squares,
  "e1071, linear" = svm_with(kernel = "linear"),
  "kernel, 0.1" = ours(margin_kernel, loss = "squared", intercept = "none", scale = TRUE),
  "kernel" = ours(margin_kernel),
  "e1071, radial" = svm_with(),
  "augmented, 0.1" = ours(margin_augmented, loss = "squared", intercept = "none", scale = FALSE),
  "augmented" = ours(margin_augmented),
  "glmnet (cv.glmnet)" = glmnet_cv
)

asked <- function(methods) methods[grep(option("methods", "."), names(methods))]

# ---- the run -----------------------------------------------------------------------------------
score <- function(method, formula, rows, seed) {
  set.seed(seed)
  fold <- sample(rep_len(1:3, nrow(rows)))
  truth <- rows[[all.vars(formula)[1L]]]
  guess <- if (is.factor(truth)) character(nrow(rows)) else numeric(nrow(rows))
  for (k in 1:3) {
    set.seed(seed)
    ask <- method(formula, rows[fold != k, ])
    told <- ask(rows[fold == k, ])
    guess[fold == k] <- if (is.factor(truth)) as.character(told) else told
  }
  if (is.factor(truth)) mean(guess == truth) else sqrt(mean((guess - truth)^2))
}
rows <- list()
for (name in names(sets)) {
  formula <- sets[[name]][[1L]]
  data <- sets[[name]][[2L]]
  class <- is.factor(data[[all.vars(formula)[1L]]])
  methods <- asked(if (class) classifiers else regressions)
  for (method in names(methods)) {
    scores <- vapply(seq_len(repeats), function(seed) {
      score(methods[[method]], formula, data, seed)
    }, 0)
    rows[[length(rows) + 1L]] <- data.frame(
      data = name, measure = if (class) "accuracy" else "RMSE", method = method,
      mean = signif(mean(scores), 5), sd = signif(stats::sd(scores), 3), repeats = repeats
    )
  }
  message(format(Sys.time(), "%T "), name)
}
rows <- do.call(rbind, rows)
rows$version <- c(as.character(utils::packageVersion("dualmargin")), rep(NA, nrow(rows) - 1L))
write_results(rows, "defaults_accuracy.csv", keys = c("data", "method"),
              seeds = sprintf("1 (rows), 1 to %d (folds)", repeats))
