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
#' The arguments of `e1071::svm()`, `kernlab::ksvm()`, `LiblineaR::LiblineaR()` and
#' `glmnet::glmnet()`, and the call that solves the same problem with this package. Arguments are
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
