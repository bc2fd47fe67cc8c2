# The radius of margin_robust(radius = NULL) beside 0.1, which was the default of version 0.2, 1/n,
# and what other machines do: the hinge model of margin_linear() with cost 1, one-vs-rest as the
# robust one, and svm() of e1071 with a linear kernel, one-vs-one. Mean accuracy of three-fold runs
# with folds of their own, the same for all methods. Nothing is tuned.
#
# Usage: Rscript robust_radius.R [folder for the results] [--repeats=12] [--sets=regex]
# writes: robust_radius.csv
# depends: core src/linear src/robust R/margin_robust.R
# seeds: 1 (rows), 1 to 12 (folds)

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "..", "experiments", "_driver.R"))
repeats <- as.integer(option("repeats", "12"))

set.seed(1)
data(list = c("Pima.tr", "Pima.te", "biopsy", "crabs", "fgl"), package = "MASS",
     envir = environment())
spam <- margin_data("spambase")
some <- sort(sample(nrow(spam$x), 1000L))
sets <- list(
  "iris" = list(iris[1:4], iris$Species),
  "crabs (sp)" = list(crabs[4:8], crabs$sp),
  "fgl" = list(fgl[1:9], fgl$type),
  "Pima" = list(rbind(Pima.tr, Pima.te)[1:7], rbind(Pima.tr, Pima.te)$type),
  "biopsy" = list(stats::na.omit(biopsy)[2:10], stats::na.omit(biopsy)$class),
  "spam (1,000 rows)" = list(as.matrix(spam$x)[some, ], factor(spam$y[some]))
)
sets <- sets[grep(option("sets", if (spotting) "^iris$" else "."), names(sets))]

loose <- margin_control(tol = 1e-4, seed = 1, progress = FALSE)
robust <- function(radius) function(x, y) {
  margin_robust(x, y, norm = "l1", radius = radius(nrow(x)), label_cost = 1, ridge = 0,
                intercept = "free", scale = TRUE, control = loose)
}
methods <- list(
  "rule" = robust(function(n) NULL),
  "0.1" = robust(function(n) 0.1),
  "1/n" = robust(function(n) 1 / n),
  "hinge, cost 1" = function(x, y) {
    margin_linear(x, y, loss = "hinge", cost = 1, intercept = "free", scale = TRUE,
                  control = loose)
  }
)
if (requireNamespace("e1071", quietly = TRUE)) {
  methods[["e1071, linear"]] <- function(x, y) e1071::svm(x, y, kernel = "linear")
}

# accuracy, and the mean radius where there is one
score <- function(method, x, y, seed) {
  set.seed(seed)
  fold <- sample(rep_len(1:3, nrow(x)))
  told <- lapply(1:3, function(k) {
    fit <- quiet(method(x[fold != k, ], y[fold != k]))
    radius <- fit$settings$radius
    list(hits = predict(fit, x[fold == k, ]) == y[fold == k],
         radius = if (is.null(radius)) NA else radius)
  })
  c(mean(unlist(lapply(told, `[[`, "hits"))), mean(vapply(told, `[[`, 0, "radius")))
}
rows <- list()
for (name in names(sets)) {
  x <- as.matrix(sets[[name]][[1L]])
  y <- sets[[name]][[2L]]
  for (method in names(methods)) {
    scores <- vapply(seq_len(repeats), function(seed) score(methods[[method]], x, y, seed),
                     numeric(2L))
    rows[[length(rows) + 1L]] <- data.frame(
      data = name, rows = nrow(x), classes = nlevels(y), method = method,
      radius = signif(mean(scores[2L, ]), 3), accuracy = signif(mean(scores[1L, ]), 4),
      sd = signif(stats::sd(scores[1L, ]), 2), repeats = repeats
    )
  }
  message(format(Sys.time(), "%T "), name)
}
write_results(do.call(rbind, rows), "robust_radius.csv", keys = c("data", "method"))
