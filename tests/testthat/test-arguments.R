# One rule for the names and the order of arguments over all exported functions (the table in
# CONTRIBUTING.md), and old names and orders, which keep working with a message.

namespace <- asNamespace("dualmargin")

# Every exported function is in one of these groups: a new one has to be put into its own.
of_data <- c("margin_linear", "margin_kernel", "margin_augmented", "margin_robust", "margin_hard",
             "margin_path", "margin_cv", "margin_compare", "compare_solvers",
             "mixup_data", "write_libsvm", "dualmargin_engine")
of_rows <- "margin_oneclass" # data without a response
of_fit <- c("certificate", "convergence", "support_rows", "worst_case", "margin_calibrate",
            "margin_loo", "margin_conformal", "margin_bootstrap",
            "margin_certain", "margin_report", "margin_threshold",
            "importance")
# the fit of any package, with rows as that package takes them
of_any_fit <- "margin_audit"
# of rows that were not fitted
of_new_rows <- "margin_performance"
# a fit, its rows, and other rows
of_change <- "margin_sensitivity"
of_response <- c("margin_folds", "soft_labels")
of_others <- c("augment", "glance", "refit", "tidy")
of_values <- c("margin_control", "margin_data", "margin_metric",
               "margin_solvers",
               "mixup_pairs", "model_spec", "mpi_ranks", "read_libsvm", "read_rows",
               "friedman_nemenyi")
# the rows, then the file that they go to
of_file <- "write_rows"

methods_of <- function(generic) {
  table <- getNamespaceInfo(namespace, "S3methods")
  found <- table[table[, 1L] == generic, , drop = FALSE]
  lapply(stats::setNames(found[, 3L], found[, 2L]), get, envir = namespace)
}
first_two <- function(f) utils::head(names(formals(f)), 2L)

test_that("every exported function is in one group", {
  exported <- getNamespaceExports(namespace)
  makers <- grep("^(kernel|loss|perturb|spec)_", exported, value = TRUE)
  groups <- c(of_data, of_rows, of_fit, of_any_fit, of_new_rows, of_change, of_response, of_others,
              of_values, of_file, makers)
  expect_identical(sort(groups), sort(exported))
})

test_that("an audit has the fit first, then its rows and their response", {
  for (f in c(list(margin_audit), methods_of("margin_audit"))) {
    expect_identical(utils::head(names(formals(f)), 3L), c("fit", "x", "y"))
  }
})

test_that("a function of a fit and new rows has them first", {
  for (name in of_new_rows) {
    expect_identical(first_two(get(name, namespace)), c("fit", "newdata"), info = name)
  }
})

test_that("what fits has the data first: x and y, or formula and data", {
  for (name in of_data) {
    expect_identical(names(formals(get(name, namespace)))[1L], "x", info = name)
    methods <- methods_of(name)
    if (length(methods) == 0L) {
      expect_identical(first_two(get(name, namespace)), c("x", "y"), info = name)
    }
    for (class in c("matrix", "Matrix", "data.frame")[length(methods) > 0L]) {
      expect_identical(first_two(methods[[class]]), c("x", "y"), info = paste(name, class))
    }
    if (length(methods) > 0L) {
      expect_identical(first_two(methods$formula), c("formula", "data"), info = name)
    }
  }
})

test_that("what writes rows has them first, then the file", {
  for (name in of_file) expect_identical(first_two(get(name, namespace)), c("x", "path"))
})

test_that("what fits rows without a response has them first, or formula and data", {
  for (name in of_rows) {
    methods <- methods_of(name)
    for (class in c("matrix", "Matrix", "data.frame")) {
      expect_identical(names(formals(methods[[class]]))[1L], "x", info = paste(name, class))
    }
    expect_identical(first_two(methods$formula), c("formula", "data"), info = name)
  }
})

test_that("a function of a fit has it first, then the rows, then their response", {
  for (name in of_fit) {
    for (f in c(list(get(name, namespace)), methods_of(name))) {
      arguments <- names(formals(f))
      expect_identical(arguments[1L], "fit", info = name)
      expect_false(any(c("x", "newdata", "object") %in% arguments), info = name)
      if ("data" %in% arguments) expect_identical(arguments[2L], "data", info = name)
      if ("y" %in% arguments) expect_identical(arguments[3L], "y", info = name)
    }
  }
  for (name in of_change) {
    expect_identical(utils::head(names(formals(get(name, namespace))), 4L),
                     c("fit", "data", "y", "newdata"))
  }
  for (name in of_response) expect_identical(names(formals(get(name, namespace)))[1L], "y")
})

test_that("a method of another package's generic begins as the generic does", {
  table <- getNamespaceInfo(namespace, "S3methods")
  ours <- c(getNamespaceExports(namespace), ls(namespace))
  for (i in seq_len(nrow(table))) {
    generic <- table[i, 1L]
    if (generic %in% setdiff(ours, of_others) || generic %in% c("+", "[", "[[", "$")) next
    f <- get0(generic, envir = namespace)
    method <- get0(table[i, 3L], envir = namespace)
    # a generic of a package that is not here
    if (is.null(method) || is.null(f)) next
    expect_identical(names(formals(method))[1L], names(formals(args(f)))[1L],
                     info = paste(generic, table[i, 2L]))
  }
})

# ---- Arguments that no function takes ----

pair <- droplevels(iris[51:150, ])
x <- as.matrix(pair[1:4])
y <- pair$Species
exported <- sort(getNamespaceExports(namespace))
is_generic <- function(name) {
  "UseMethod" %in% all.names(body(get(name, namespace))) || name %in% of_others
}

# A first argument says which function the others are of.
of_choice <- list(spec_peer = "glmnet", dualmargin_engine = c(model = "svm_linear"))

test_that("every exported function refuses an argument that it lacks", {
  for (name in exported[!vapply(exported, is_generic, NA)]) {
    expect_true("..." %in% names(formals(get(name, namespace))), info = name)
    data <- if (name %in% of_data) list(x, y)
    condition <- tryCatch(
      suppressMessages(do.call(name, c(data, as.list(of_choice[[name]]), list(nonsense = 1)),
                               envir = namespace)),
      error = identity
    )
    expect_s3_class(condition, "dualmargin_input_error")
    expect_match(conditionMessage(condition), "nonsense", fixed = TRUE, label = name)
  }
})

test_that("every method of an exported generic takes the dots in which it finds such an argument", {
  for (name in Filter(is_generic, exported)) {
    for (method in methods_of(name)) expect_true("..." %in% names(formals(method)), info = name)
  }
})

test_that("an argument too many is named with those that there are", {
  fit <- margin_linear(x, y)
  expect_input_error(
    soft_labels(y, type = "prob"), "type",
    "`type` is not an argument of soft_labels(); it takes `y`."
  )
  expect_input_error(read_rows("nowhere.rows", shares = c(1, 2)), "shares",
                     "(did you mean `share`?)")
  expect_input_error(perturb_dropout(0.01, 1), "...",
                     "perturb_dropout() was given an argument too many")
})

test_that("a formula comes first wherever it is named", {
  rows <- transform(mtcars[c("mpg", "wt", "am")], am = factor(am))
  fits <- list(
    margin_linear = list(), margin_kernel = list(), margin_augmented = list(),
    margin_robust = list(), margin_path = list(), margin_cv = list(folds = 3, seed = 1),
    margin_compare = list(specs = list(a = spec_margin("linear"), b = spec_margin("kernel")),
                          folds = 3, seed = 1)
  )
  for (name in names(fits)) {
    arguments <- c(fits[[name]], weights = list(quote(wt)))
    fit <- function(...) {
      set.seed(1)
      eval(as.call(c(as.name(name), list(...), arguments)))
    }
    first <- fit(am ~ mpg, data = quote(rows))
    named <- fit(data = quote(rows), formula = am ~ mpg)
    shown <- function(result) {
      result$results$seconds <- NULL
      unclass(result)[c("coefficients", "results", "lambda", "error")]
    }
    expect_equal(shown(named), shown(first), info = name)
  }
  path <- margin_path(data = rows, formula = am ~ mpg, family = "kernel", n_lambda = 2)
  expect_identical(path$features, "mpg")
  expect_identical(margin_hard(data = mtcars, formula = factor(am) ~ .)$interface, "formula")
  expect_identical(margin_oneclass(data = mtcars, formula = ~ wt + hp)$features, c("wt", "hp"))
})

test_that("an argument of a formula method that is none is told before it is looked up", {
  data <- transform(mtcars, w = 1)
  expect_input_error(margin_linear(mpg ~ wt, data, weight = w), "weight", "did you mean `weights`?")
  expect_input_error(margin_linear(mpg ~ wt, data, wts = w), "wts", "is not an argument of margin_linear")
  expect_input_error(margin_linear(mpg ~ wt, data, subse = hp > 100), "subse", "did you mean `subset`?")
  expect_input_error(margin_path(mpg ~ wt, data, wts = w), "wts", "is not an argument of margin_path")
  expect_input_error(margin_cv(mpg ~ wt, data, wts = w), "wts", "is not an argument of margin_cv")
  expect_input_error(margin_cv(mpg ~ wt, data, weight = w), "weight", "did you mean `weights`?")
  expect_input_error(margin_kernel(mpg ~ wt, data, weight = w), "weight", "did you mean `weights`?")
})

test_that("counts are printed without a warning where decimals have a comma", {
  old <- options(OutDec = ",")
  on.exit(options(old))
  fit <- margin_linear(type ~ ., spambase[seq(1, 4601, by = 4), ], lambda = 0.01)
  expect_no_warning(said <- utils::capture.output(print(fit)))
  expect_match(said, "1[.]151 rows", all = FALSE)
})

test_that("new rows without the column by whose levels sets hold are named", {
  fit <- margin_linear(Petal.Length ~ Sepal.Length, iris)
  sets <- margin_conformal(fit, iris, by = "Species", seed = 1)
  expect_input_error(predict(sets, iris[1:2, "Sepal.Length", drop = FALSE]), "newdata", "no column \"Species\"")
})

test_that("a formula is found beside the data that come first, as lm() does", {
  d <- transform(mtcars, am = factor(am))
  for (fit in list(margin_linear, margin_kernel, margin_robust, margin_augmented, margin_path)) {
    one <- without_notes(fit(am ~ wt, d, control = margin_control(seed = 1)))
    other <- without_notes(fit(d, formula = am ~ wt, control = margin_control(seed = 1)))
    expect_identical(coef(one), coef(other))
  }
  expect_s3_class(margin_oneclass(d, formula = ~ wt), "margin_oneclass")
  expect_s3_class(margin_cv(d, formula = am ~ wt, grid = list(lambda = 0.1)), "margin_cv")
})

test_that("a response beside a formula is named", {
  d <- transform(mtcars, am = factor(am))
  for (fit in list(margin_linear, margin_hard, margin_path, margin_cv)) {
    expect_error(fit(am ~ wt, d, y = 1), "`y` is given beside a formula",
                 class = "dualmargin_input_error")
  }
  fit <- margin_linear(am ~ wt, d)
  expect_error(margin_audit(fit, d, rev(d$am)), "leave `y` out", class = "dualmargin_input_error")
  expect_error(predict(fit, as.list(d)), "use as.data.frame", class = "dualmargin_input_error")
})

test_that("what is asked of a result and what folds are called is no argument too many", {
  d <- transform(mtcars, am = factor(am))
  expect_error(as.data.frame(margin_path(am ~ wt, d), digit = 1), "`digit` is not an argument")
  expect_error(format(loss_huber(1), digit = 1), "`digit` is not an argument")
  expect_error(print(margin_control(), digit = 1), "`digit` is not an argument")
  expect_error(margin_cv(am ~ wt, d, outer = 1), "`outer` is 1", class = "dualmargin_input_error")
  x <- as.matrix(d[c("wt", "hp")])
  for (tol in list("a", -1)) {
    expect_error(margin_kernel(x, d$am, nystrom_tol = tol), "`nystrom_tol` is",
                 class = "dualmargin_input_error")
  }
})

test_that("a response whose squares are 0 is an error, and so in its unit it is not", {
  set.seed(6)
  x <- cbind(a = rnorm(60), b = rexp(60))
  y <- 1e-170 * (x[, 1L] + rnorm(60))
  for (fit in list(margin_linear, margin_kernel, margin_augmented)) {
    expect_error(fit(x, y, loss = "squared", lambda = 0.01), "whose square is 0",
                 class = "dualmargin_input_error")
  }
  small <- margin_linear(x, y, loss = "absolute", lambda = 0.01)
  expect_equal(predict(small, x), 1e-170 * predict(margin_linear(x, y * 1e170, loss = "absolute", lambda = 0.01), x),
               tolerance = 1e-4)
})

test_that("lines of words keep to a narrow console", {
  old <- options(width = 50)
  on.exit(options(old))
  fit <- margin_linear(am ~ wt, transform(mtcars, am = factor(am)))
  expect_lte(max(nchar(capture.output(print(fit)))), 50L)
})
