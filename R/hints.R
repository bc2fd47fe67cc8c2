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
    lambda = if (has("radius"))
      "the regularisation is set by `radius` and `ridge`" else if (!has("family"))
      "a maximum margin has no penalty; margin_linear() and margin_kernel() have",
    epsilon = if (has("loss")) "give it in the loss: loss = loss_epsilon_insensitive(epsilon = )",
    delta = if (has("loss")) "give it in the loss: loss = loss_huber(delta = )",
    nu = if (has("cost")) "the penalty is set by `cost` or `lambda`",
    center = if (has("intercept"))
      paste("with a free intercept centring changes nothing; elsewhere center the columns by",
            "base::scale()"),
    offset = "no model here has an offset; of a regression subtract it from the response",
    probability = if (has("loss"))
      "probabilities come from loss = \"logistic\" or from margin_calibrate()" else
        "probabilities come from margin_calibrate()",
    penalty.factor = ,
    exclude = "all columns have the same penalty; scale or leave out columns beforehand",
    lower.limits = ,
    upper.limits = "coefficients are not bounded here"
  )
}

# Kernels by the names of kernlab and e1071.
kernel_aliases <- c(rbfdot = "rbf", radial = "rbf", gaussian = "rbf", laplacedot = "laplace",
                    polydot = "polynomial", poly = "polynomial", vanilladot = "linear")
