# What an argument or a name of another package is called here. Users come from e1071, kernlab,
# LiblineaR, glmnet and scikit-learn; a spelling that is near to one of ours by chance (`offset` to
# `subset`) would send them wrong, so their names are looked up before any spelling is.

# Names of theirs that are an argument of ours: those of R/translation.R, and further spellings.
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
