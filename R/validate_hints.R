# What an argument or a name of another package is called here. Users come from e1071, kernlab,
# LiblineaR, glmnet and scikit-learn; a spelling that is near to one of ours by chance (`offset` to
# `subset`) would send them wrong, so their names are looked up before any spelling is.

# Names of theirs that are an argument of ours: those of R/validate_hints.R, and further spellings.
argument_aliases <- function() {
  c(translated_names("argument"), penalty = "lambda", epsilon = "radius", x = "formula",
    formula = "x", class_weight = "class_weights", sample_weight = "weights", l1_ratio = "mixture",
    fit_intercept = "intercept")
}

# Names of theirs that are settings of margin_control().
control_aliases <- function() {
  c(translated_names("control"), max_iter = "max_epochs", max.iter = "max_epochs",
    iter = "max_epochs", eps = "tol", verbose = "progress", trace.it = "progress",
    random_state = "seed")
}

# The remedy for a name of theirs, by what the function takes; NULL where there is none to give.
peer_hint <- function(name, valid) {
  has <- function(...) all(c(...) %in% valid)
  alias <- argument_aliases()[name]
  if (!is.na(alias) && has(alias)) {
    return(sprintf("did you mean `%s`?", alias))
  }
  setting <- control_aliases()[name]
  if (!is.na(setting) && has("control")) {
    return(sprintf("give it as control = margin_control(%s = )", setting))
  }
  of_kernel <- c(gamma = "kernel_rbf(sigma = )", sigma = "kernel_rbf(sigma = )",
                 kpar = "kernel_rbf(sigma = )", degree = "kernel_polynomial(degree = )",
                 coef0 = "kernel_polynomial(offset = )", kernel = "kernel_rbf()")
  if (name %in% names(of_kernel)) {
    return(if (has("kernel")) sprintf("give it in the kernel: kernel = %s", of_kernel[[name]]) else
      sprintf("kernels are those of margin_kernel(kernel = %s) and margin_hard()",
              of_kernel[[name]]))
  }
  switch(
    name,
    C = ,
    cost = ,
    lambda = if (has("nu") || has("n_nu"))
      "of one class `nu` says how many rows may lie outside" else if (has("radius"))
      "the regularisation is set by `radius` and `ridge`" else if (!has("family"))
      "a maximum margin has no penalty; margin_linear() and margin_kernel() have",
    epsilon = if (has("loss")) "give it in the loss: loss = loss_epsilon_insensitive(epsilon = )",
    delta = if (has("loss")) "give it in the loss: loss = loss_huber(delta = )",
    tau = if (has("loss")) "give it in the loss: loss = loss_quantile(tau = )",
    groups = if (has("folds"))
      "rows that belong together are dealt by folds = margin_folds(y, groups = )",
    nu = if (has("cost")) "the penalty is set by `cost` or `lambda`",
    center = if (has("intercept"))
      paste("with a free intercept centring changes nothing; elsewhere center the columns by",
            "base::scale()"),
    offset = "margin_linear() has one; of a regression subtract it from the response",
    probability = if (has("loss"))
      "probabilities come from loss = \"logistic\" or from margin_calibrate()" else
        "probabilities come from margin_calibrate()",
    penalty.factor = "all columns have the same penalty; scale columns beforehand",
    exclude = "leave out columns beforehand",
    lower.limits = ,
    upper.limits = "coefficients are bounded by margin_linear(lower = , upper = )"
  )
}

# Rules of choice by the names of glmnet and tune.
rule_aliases <- c("1se" = "one_se", lambda.1se = "one_se", one_std_err = "one_se", min = "best",
                  lambda.min = "best")

# Kernels by the names of kernlab and e1071.
kernel_aliases <- c(rbfdot = "rbf", radial = "rbf", gaussian = "rbf", laplacedot = "laplace",
                    polydot = "polynomial", poly = "polynomial", vanilladot = "linear")

# Values by the names of other packages: ours, or what to write instead (see assert_choice()).
multiclass_aliases <- c(
  multinomial = "softmax", multinom = "softmax", ovr = "one_vs_rest", ova = "one_vs_rest",
  "one-vs-rest" = "one_vs_rest", one_vs_all = "one_vs_rest", one_versus_rest = "one_vs_rest",
  "crammer-singer" = "crammer_singer", cs = "crammer_singer", ovo = "one-vs-one is not fitted here",
  one_vs_one = "one-vs-one is not fitted here"
)

loss_aliases <- c(
  softmax = "with three or more classes give loss = \"logistic\", multiclass = \"softmax\"",
  multinomial = "with three or more classes give loss = \"logistic\", multiclass = \"softmax\"",
  crammer_singer = "give loss = \"hinge\", multiclass = \"crammer_singer\"",
  deviance = "logistic", binomial = "logistic", logit = "logistic", log_loss = "logistic",
  svm = "hinge", "C-svc" = "hinge", "C-classification" = "hinge", gaussian = "squared",
  mse = "squared", ls = "squared", l2 = "squared", mae = "absolute", l1 = "absolute",
  pinball = "quantile", "eps-svr" = "epsilon_insensitive",
  "eps-regression" = "epsilon_insensitive", svr = "epsilon_insensitive"
)

prediction_aliases <- c(
  link = "score", decision = "score", decision.values = "score", margin = "score", raw = "score",
  probability = "prob", probabilities = "prob", posterior = "prob", classes = "class",
  numeric = "response", coefficients = "coefficients are coef(fit)",
  nonzero = "coefficients are coef(fit)"
)

assert_intercept <- function(intercept) {
  if (is.logical(intercept) && length(intercept) == 1L && !is.na(intercept)) {
    abort_input(sprintf(paste(
      "`intercept` is %s, but is one of three words here: \"free\" (TRUE of glmnet), \"none\" (FALSE)",
      "or \"penalized\"; give intercept = \"%s\"."
    ), intercept, if (intercept) "free" else "none"), "intercept")
  }
  assert_choice(intercept, intercept_kinds, "intercept")
}

# What a grid of cross-validation has in the place of a name of theirs; NULL where nothing is known.
grid_hint <- function(column, family) {
  columns <- grid_columns(family)
  kernel <- "kernel" %in% columns
  of_kernel <- c(gamma = "sigma", degree = "kernel", coef0 = "kernel", kpar = "kernel")
  if (column %in% c(names(of_kernel), "sigma")) {
    return(if (!kernel) "kernels have family = \"kernel\"" else if (of_kernel[[column]] == "sigma")
      "did you mean \"sigma\"?" else
        "give kernels, as in kernel = list(kernel_polynomial(2), kernel_polynomial(3))")
  }
  of_loss <- c(epsilon = "epsilon_insensitive", tau = "quantile", delta = "huber")
  if (column %in% names(of_loss) && "loss" %in% columns) {
    maker <- paste0("loss_", of_loss[[column]])
    return(sprintf("give losses, as in loss = lapply(c(0.1, 0.5), %s)", maker))
  }
  if (column %in% c(names(formals(margin_control)), names(control_aliases()))) {
    return("settings of margin_control() are the same for all")
  }
  alias <- argument_aliases()[column]
  guess <- if (!is.na(alias) && alias %in% columns) alias else nearest(column, columns)
  if (length(guess) == 1L) sprintf("did you mean \"%s\"?", guess)
}

# How a sparse matrix of another package becomes one of Matrix.
matrix_conversion <- function(x) {
  if (inherits(x, c("matrix.csr", "matrix.csc", "matrix.coo"))) {
    return("; convert it by Matrix::Matrix(SparseM::as.matrix(x), sparse = TRUE)")
  }
  if (inherits(x, "simple_triplet_matrix")) {
    return("; convert it by Matrix::sparseMatrix(i = x$i, j = x$j, x = x$v, dims = dim(x))")
  }
  ""
}

# Names of other packages in functions that make a value or a page; NULL where nothing is known.
maker_hint <- function(name, caller, valid) {
  of_function <- list(
    "kernel_rbf()" = c(gamma = "sigma"), "kernel_laplace()" = c(gamma = "sigma"),
    "kernel_polynomial()" = c(gamma = "scale", coef0 = "offset"),
    "loss_huber()" = c(k = "delta", c = "delta"),
    "loss_quantile()" = c(quantile = "tau", q = "tau", alpha = "tau"),
    "margin_folds()" = c(k = "folds", v = "folds", nfolds = "folds", strata = "y"),
    "margin_control()" = control_aliases(),
    "margin_bootstrap()" = c(R = "resamples", B = "resamples", times = "resamples",
                             nboot = "resamples", cluster = "groups", id = "groups",
                             metric = "metrics", breaks = "strata")
  )
  # the rows of a fit are `data`, other rows `newdata`: a function that takes the one has no other
  rows <- c(data = "newdata", newdata = "data")
  alias <- c(of_function[[caller]], rows[rows %in% valid])[name]
  if (caller == "predict()" && name %in% c("interval", "se.fit")) {
    return("intervals and sets for new responses are those of margin_conformal()")
  }
  if (caller == "margin_report()" && name %in% c("data", "newdata", "data_test", "y")) {
    return("rows that the fit has not seen are `test`, a list of x and y without a formula")
  }
  guess <- if (length(alias) == 1L && !is.na(alias)) alias else
    if (nchar(name) > 2L) nearest(name, valid) # every letter is near to every other
  if (length(guess) == 1L) sprintf("did you mean `%s`?", guess)
}

# What the arguments of other packages are called here: the one table that help, hints and tests
# share; their models are those of R/audit_peers.R. A row for each argument, or value of it, of
# theirs: what solves the same problem here ("" where nothing does), the argument of ours that takes
# its place for hints (R/validate_hints.R; "" where the name is the same, or where it depends), and
# a note. What a row says is not here is
# looked for among the names of the package by scripts/lint/test-translation.R.

translation_columns <- c("package", "argument", "here", "alias", "note")

translation_rows <- c(
  "e1071", "type = \"C-classification\"", "loss = \"hinge\"", "loss", "",
  "e1071", "kernel = \"linear\"", "margin_linear()", "",
  "or `margin_kernel(kernel = \"linear\")`",
  "e1071", "kernel = \"polynomial\", degree, gamma, coef0",
  "kernel_polynomial(degree, scale = gamma, offset = coef0)", "",
  "with `center = FALSE`, unless that package scales, and so centres",
  "e1071", "kernel = \"radial\", gamma", "kernel_rbf(sigma = gamma)", "",
  "`gamma` is 1/p by default, `sigma` the median heuristic",
  "e1071", "cost", "cost", "", "the same as `lambda = 1/(n cost)`",
  "e1071", "class.weights", "class_weights", "class_weights", "",
  "e1071", "scale = TRUE", "scale = TRUE", "",
  paste("that package divides by the sample standard deviation: multiply `gamma`, or the `cost` of",
        "a linear kernel, by (n - 1)/n; it centres too, as `center = TRUE` does where it matters"),
  "e1071", "tolerance", "control = margin_control(tol = )", "control: tol",
  "there a violation of the optimality conditions, here a relative gap",
  "e1071", "cachesize", "control = margin_control(solver_options = list(cache_mb = ))", "", "",
  "e1071", "cross", "margin_cv(folds = )", "folds", "",
  "e1071", "probability = TRUE", "margin_calibrate()", "",
  "both by Platt's sigmoid on cross-validated decision values, from other random folds",
  "e1071", "predict(decision.values = TRUE)", "predict(type = \"score\")", "",
  "positive for the second level, there for the class of the first row",
  "e1071", "subset, na.action", "subset, na.action", "", "",
  "e1071", "nu, type = \"nu-classification\"", "", "", "use `cost`",
  "e1071", "type = \"eps-regression\", epsilon", "loss = loss_epsilon_insensitive(epsilon)", "",
  paste("with `scale = TRUE` both divide the response, that package by its standard deviation and",
        "here by the robust one; `response_scale = FALSE` leaves it as it is"),
  "e1071", "nu, type = \"nu-regression\"", "", "", "use `epsilon` of the loss",
  "e1071", "type = \"one-classification\", nu", "margin_oneclass(nu = nu)", "",
  "`rho` is that package's over `nu n`; other packages' kernel is radial by default",
  "e1071", "kernel = \"sigmoid\"", "", "", "not positive definite",
  "e1071", "three or more classes", "multiclass = \"one_vs_rest\"", "",
  "there one-vs-one, which is not here",

  "kernlab", "type = \"C-svc\"", "loss = \"hinge\"", "loss", "",
  "kernlab", "C", "cost", "cost", "the same as `lambda = 1/(n C)`",
  "kernlab", "kernel = \"rbfdot\", kpar = list(sigma)", "kernel_rbf(sigma)", "", "",
  "kernlab", "kernel = \"polydot\", kpar = list(degree, scale, offset)",
  "kernel_polynomial(degree, scale, offset)", "", "with `center = FALSE`, as for e1071",
  "kernlab", "kernel = \"vanilladot\"", "margin_linear()", "", "",
  "kernlab", "kernel = \"laplacedot\", kpar = list(sigma)", "kernel_laplace(sigma)", "", "",
  "kernlab", "kernel = anovadot()", "kernel = kernlab::anovadot()", "",
  "any kernel object of that package",
  "kernlab", "x, a kernelMatrix", "kernel = kernel_precomputed()", "", "",
  "kernlab", "scaled = TRUE", "scale = TRUE", "scale", "as for e1071",
  "kernlab", "class.weights", "class_weights", "class_weights", "",
  "kernlab", "prob.model = TRUE", "margin_calibrate()", "", "as for e1071",
  "kernlab", "cross", "margin_cv(folds = )", "folds", "",
  "kernlab", "tol", "control = margin_control(tol = )", "control: tol", "as for e1071",
  "kernlab", "predict(type = \"decision\")", "predict(type = \"score\")", "", "as for e1071",
  "kernlab", "predict(type = \"probabilities\")", "predict(type = \"prob\")", "",
  "of a fit from `margin_calibrate()`, or of the logistic loss",
  "kernlab", "nu, type = \"nu-svc\"", "", "", "use `cost`",
  "kernlab", "type = \"one-svc\", nu", "margin_oneclass(nu = nu)", "", "as for e1071",
  "kernlab", "type = \"eps-svr\", epsilon", "loss = loss_epsilon_insensitive(epsilon)", "",
  "as for e1071",
  "kernlab", "kqr(tau)", "loss = loss_quantile(tau)", "", "",

  "LiblineaR", "type = 11 or 12, svr_eps = 0", "loss = \"squared\", cost = 2 cost", "",
  "that package's loss lacks the factor 1/2",
  "LiblineaR", "type = 11 or 12, svr_eps > 0",
  "loss = loss_epsilon_insensitive(svr_eps, squared = TRUE), cost = 2 cost", "",
  "with `response_scale = FALSE` and `intercept = \"penalized\"`",
  "LiblineaR", "type = 4", "multiclass = \"crammer_singer\"", "",
  "with `intercept = \"penalized\"`, or `\"none\"` for `bias = 0`",
  "LiblineaR", "type = 13, svr_eps", "loss = loss_epsilon_insensitive(svr_eps)", "",
  "with `response_scale = FALSE` and `intercept = \"penalized\"`",
  "LiblineaR", "cost", "cost", "",
  "the losses are summed there and averaged here: `lambda = 1/(n cost)`",
  "LiblineaR", "bias = 1", "intercept = \"penalized\"", "intercept",
  "a penalised column of ones; `\"free\"` is no option there",
  "LiblineaR", "bias = 0", "intercept = \"none\"", "intercept", "",
  "LiblineaR", "wi", "class_weights", "class_weights", "",
  "LiblineaR", "epsilon", "control = margin_control(tol = )", "",
  "there relative to the gradient at zero, or a violation of the optimality conditions",
  "LiblineaR", "cross", "margin_cv(folds = )", "folds", "",
  "LiblineaR", "predict(decisionValues = TRUE)", "predict(type = \"score\")", "",
  "positive for the second level, there for the class of the first row",
  "LiblineaR", "predict(proba = TRUE)", "predict(type = \"prob\")", "", "types 0, 6 and 7",

  "glmnet", "family = \"binomial\"", "loss = \"logistic\"", "loss", "",
  "glmnet", "family = \"gaussian\"", "loss = \"squared\"", "loss", "",
  "glmnet", "family = \"multinomial\"", "multiclass = \"softmax\"", "",
  "type.multinomial = \"ungrouped\"; `margin_kernel()` has it with a ridge for kernels",
  "glmnet", "family = \"poisson\"", "", "", "",
  "glmnet", "alpha", "mixture", "mixture", "",
  "glmnet", "lambda", "lambda", "", "also its scale is the same",
  "glmnet", "standardize = TRUE", "scale = TRUE", "scale", "both divide by n",
  "glmnet", "intercept = TRUE", "intercept = \"free\"", "", "",
  "glmnet", "intercept = FALSE", "intercept = \"none\"", "", "",
  "glmnet", "weights", "weights", "", "",
  "glmnet", "nlambda", "margin_path(n_lambda = )", "n_lambda", "",
  "glmnet", "lambda.min.ratio", "margin_path(lambda_min_ratio = )", "lambda_min_ratio", "",
  "glmnet", "thresh", "control = margin_control(tol = )", "control: tol",
  "there a change of the coefficients, here a relative gap",
  "glmnet", "maxit", "control = margin_control(max_epochs = )", "control: max_epochs", "",
  "glmnet", "cv.glmnet(nfolds, foldid)", "margin_cv(folds = )", "folds", "",
  "glmnet", "cv.glmnet(type.measure)", "margin_cv(metric = )", "metric",
  "`\"deviance\"` is twice `\"log_loss\"`, `\"class\"` one less `\"accuracy\"`",
  "glmnet", "predict(type = \"link\")", "predict(type = \"score\")", "", "",
  "glmnet", "predict(type = \"response\")", "predict(type = \"prob\")", "", "",
  "glmnet", "predict(s = )", "predict(lambda = )", "", "of a path from `margin_path()`",
  "glmnet", "cv.glmnet()$lambda.1se", "summary(cv, rule = \"one_se\")", "",
  "then `refit()`; the standard errors differ slightly",
  "glmnet", "offset", "offset, or y ~ x + offset(o)", "offset",
  "of a regression and of two classes",
  "glmnet", "predict(newoffset = )", "predict(newoffset = )", "", "",
  "glmnet", "penalty.factor", "penalty_factor", "penalty_factor",
  "not rescaled: that package divides factors by their mean; 0 is for smooth losses",
  "glmnet", "exclude", "", "", "leave out columns beforehand",
  "glmnet", "lower.limits", "lower", "lower", "one, or one a column",
  "glmnet", "upper.limits", "upper", "upper", "one, or one a column"
)

# The types of LiblineaR for two classes are those of the table of its problems.
translation_table <- function() {
  cells <- matrix(translation_rows, ncol = length(translation_columns), byrow = TRUE)
  models <- peer_models("LiblineaR")
  models <- models[models$model %in% paste("type =", c(0:3, 5:7)), ]
  types <- cbind(models$package, models$model,
                 paste0("loss = ", models$loss, ifelse(models$mixture == "1", ", mixture = 1", "")),
                 "loss", models$note)
  before <- cells[, 1L] %in% c("e1071", "kernlab")
  cells <- rbind(cells[before, ], types, cells[!before, ])
  stats::setNames(as.data.frame(cells), translation_columns)
}

# Names of the arguments in a row: theirs, without values, without the function that takes them.
argument_names <- function(argument) {
  inner <- sub("^[a-z.]+\\((.*)\\)$", "\\1", argument)
  names <- trimws(strsplit(gsub("\\([^)]*\\)", "", inner), ",", fixed = TRUE)[[1L]])
  sub(" .*", "", names)
}

# Their names by ours, for hints: what = "argument", or "control" for settings of margin_control().
translated_names <- function(what) {
  table <- translation_table()
  of_control <- startsWith(table$alias, "control: ")
  table <- table[if (what == "control") of_control else nzchar(table$alias) & !of_control, ]
  theirs <- lapply(table$argument, argument_names)
  ours <- stats::setNames(rep(sub("control: ", "", table$alias), lengths(theirs)), unlist(theirs))
  ours[!duplicated(names(ours)) & names(ours) != ours]
}

# A list for each package, for the help page: a table would be too wide for a console.
translation_sections <- function() {
  table <- translation_table()
  as_code <- function(text) ifelse(grepl("^three|^x,", text), text, sprintf("`%s`", text))
  lines <- sprintf("* %s: %s%s", as_code(table$argument),
                   ifelse(nzchar(table$here), as_code(table$here), "nothing here"),
                   ifelse(nzchar(table$note), sprintf(" (%s)", table$note), ""))
  unlist(lapply(unique(table$package), function(package) {
    c(sprintf("@section From %s:", package), lines[table$package == package])
  }))
}

#' Arguments of e1071, kernlab, LiblineaR and glmnet, and what they are called here
#'
#' Find the call that solves the problem of a call that you have: the arguments of `e1071::svm()`,
#' `kernlab::ksvm()`, `LiblineaR::LiblineaR()` and `glmnet::glmnet()`, and what they are here. Arguments are
#' those of [margin_linear()] and [margin_kernel()] unless the table names another function.
#'
#' Two things differ everywhere. A support vector machine of those packages minimises
#' \eqn{|w|^2/2 + C \sum_i \phi_i}{|w|^2/2 + C sum_i phi_i}, a fit of this package \eqn{\lambda
#' |w|^2/2 + \frac1n \sum_i \phi_i}{lambda |w|^2/2 + 1/n sum_i phi_i}, which is the same for
#' `cost = C`, that is \eqn{\lambda = 1/(nC)}{lambda = 1/(n C)}. And a decision value is positive
#' for the second level of the response, whichever class the first row has.
#'
#' @eval translation_sections()
#' @seealso `vignette("frameworks")` for parsnip, mlr3 and others.
#' @examples
#' # glmnet(x, y, family = "binomial", alpha = 0.5, lambda = 0.02) is
#' x <- as.matrix(spambase[1:57])
#' fit <- margin_linear(x, spambase$type, loss = "logistic", mixture = 0.5, lambda = 0.02,
#'                      intercept = "free", scale = TRUE)
#' head(coef(fit))
#' @name translation
NULL
