# The list of solvers: what each needs, where it comes from, what it can be told.

# One row of the solver list. Options: the first value is the default, strings are the choices.
solver_row <- function(name, family, smooth_loss, intercepts, strong_convexity, random, paper,
                       description, options, l1 = FALSE, large_lambda = FALSE,
                       losses = names(loss_formulas), max_columns = Inf, closed_form = FALSE) {
  list(name = name, family = family, smooth_loss = smooth_loss, intercepts = intercepts,
       strong_convexity = strong_convexity, l1 = l1, large_lambda = large_lambda, random = random,
       paper = paper, description = description, options = options, losses = losses,
       max_columns = max_columns, closed_form = closed_form)
}

intercept_kinds <- c("free", "penalized", "none")

solver_rows <- function() {
  list(
    solver_row(
      "auto", "linear", smooth_loss = FALSE, intercepts = intercept_kinds,
      strong_convexity = FALSE, random = TRUE, paper = NA_character_,
      description = "chooses from the sizes, the loss and lambda; finishes for every loss",
      options = list(dual_passes = 8)
    ),
    solver_row(
      "sdca", "linear", smooth_loss = FALSE, intercepts = c("penalized", "none"),
      strong_convexity = TRUE, random = TRUE, paper = "sdca",
      description = "stochastic dual coordinate ascent",
      options = list(sampling = c("permutation", "uniform"))
    ),
    solver_row(
      "newton", "linear", smooth_loss = TRUE, intercepts = intercept_kinds,
      strong_convexity = FALSE, random = TRUE, paper = "newton",
      description = "Newton with exact line search from a subsampled start",
      options = list(subsample = TRUE)
    ),
    solver_row(
      "ssnal", "linear", smooth_loss = FALSE, intercepts = intercept_kinds,
      strong_convexity = FALSE, random = TRUE, paper = "ssnal",
      description = "semismooth Newton on the dual proximal problem, for any loss",
      options = list(subsample = TRUE, gamma = 1, shrink = 0.3)
    ),
    dual_row("aspdc", "aspdc", "best responses in the saddle problem; needs lambda above a bound",
             list(sampling = drawn), large_lambda = TRUE),
    dual_row("aspdc_i", "aspdc", "ASPDC inside a proximal point iteration, for small lambda",
             list(sampling = drawn, schedule = c("passes", "tolerance"), inner_passes = 2,
                  strength = 4)),
    dual_row("spdc", "spdc", "stochastic primal-dual coordinate method",
             list(sampling = drawn)),
    dual_row("asdca", "asdca", "SDCA inside an accelerated proximal point iteration",
             list(sampling = drawn, schedule = c("passes", "tolerance"), inner_passes = 2)),
    dual_row("proximal_sdca", "proximal_sdca", "SDCA inside a proximal point iteration",
             list(sampling = drawn, inner_passes = 2, strength = 1)),
    solver_row(
      "svrg", "linear", smooth_loss = TRUE, intercepts = c("penalized", "none"),
      strong_convexity = FALSE, random = TRUE, paper = "svrg",
      description = "proximal variance-reduced gradient",
      options = list(sampling = drawn, step = 0.1, inner_passes = 2)
    ),
    solver_row(
      "saga", "linear", smooth_loss = TRUE, intercepts = c("penalized", "none"),
      strong_convexity = FALSE, random = TRUE, paper = "saga",
      description = "incremental gradient with a table of the rows' newest slopes",
      options = list(sampling = drawn)
    ),
    dual_row("katyusha", "katyusha", "accelerated variance-reduced gradient",
             list(sampling = drawn, inner_passes = 2)),
    solver_row(
      "dual_cd", "linear", smooth_loss = FALSE, intercepts = intercept_kinds,
      strong_convexity = TRUE, random = TRUE, paper = "dual_cd",
      description = "dual coordinate descent in permuted order, with shrinking",
      options = list(shrinking = TRUE, block = 0)
    ),
    solver_row(
      "interior_point", "linear", smooth_loss = FALSE, intercepts = intercept_kinds,
      strong_convexity = FALSE, random = FALSE, paper = "mehrotra",
      description = "primal-dual interior point method for the plain hinge, few columns",
      options = list(), losses = "hinge", max_columns = 3000
    ),
    solver_row(
      "lasso", "linear", smooth_loss = TRUE, intercepts = intercept_kinds,
      strong_convexity = FALSE, random = FALSE, paper = "celer", l1 = TRUE,
      description = "working sets of columns with gap-safe screening, for mixture > 0",
      options = list(working_set = 100, extrapolation = TRUE, screening = TRUE)
    ),
    robust_row(
      "auto", NA_character_,
      "interior_point for few columns, pdhg beyond; the other follows if one stalls",
      random = FALSE
    ),
    robust_row(
      "interior_point", "mehrotra", "primal-dual interior point method, few columns",
      random = FALSE, max_columns = 3000
    ),
    robust_row(
      "gs_admm", "drsvm", "golden section over t with ADMM inside, a baseline; few columns",
      list(penalty = 1, growth = 1.005, inner_steps = 5000), random = FALSE, max_columns = 3000
    ),
    robust_row(
      "pdhg", "pdhg", "restarted primal-dual hybrid gradient, two passes a step; for many columns",
      random = FALSE
    ),
    robust_row("isg", "drsvm", "mini-batch projected subgradients with falling steps",
               c(incremental, list(batch = 16))),
    robust_row("ippa", "drsvm", "exact proximal steps of one row at a time with falling steps",
               incremental),
    robust_row("hybrid", "drsvm", "isg while the steps are long, then ippa",
               c(incremental, list(batch = 16, change = 0.1))),
    kernel_row("auto", NA_character_, "smo for the plain hinge, else block_sdca or newton by size",
               intercepts = intercept_kinds),
    kernel_row("newton", "kernel_newton", "Newton with exact line search, a matrix of rows x rows",
               smooth_loss = TRUE, intercepts = intercept_kinds, random = FALSE),
    kernel_row("block_sdca", "sdca", "dual ascent by random blocks, with a subspace step",
               list(block = 128, inner_passes = 10, memory = 8), intercepts = intercept_kinds),
    kernel_row("sdca", "sdca", "stochastic dual coordinate ascent, exact steps of one row",
               list(sampling = c("permutation", "uniform"))),
    kernel_row("smo", "smo", "sequential minimal optimisation, exact steps of two rows",
               list(shrinking = TRUE), intercepts = intercept_kinds, losses = "hinge",
               random = FALSE),
    kernel_row("mixup_naive", "mixup", "vanilla dual ascent, the conjugate by numerical search",
               list(sampling = drawn), smooth_loss = TRUE),
    kernel_row("mixup_approx", "mixup", "vanilla dual ascent, the conjugate bounded on a grid",
               list(sampling = drawn), smooth_loss = TRUE),
    kernel_row("mixup_decomp", "mixup", "vanilla dual ascent on rows split into both classes",
               list(sampling = drawn), smooth_loss = TRUE),
    kernel_row("sgd", "norma", "stochastic gradient descent with a fixed step, a baseline",
               list(sampling = drawn, step = 1e-3), smooth_loss = TRUE),
    augmented_row("auto", NA_character_, "exact where the expectation is known, else smiso"),
    augmented_row("smiso", "smiso", "stochastic MISO with balanced perturbations and averaging",
                  list(sampling = by_smoothness, averaging = TRUE, step = 1)),
    hard_row("auto", NA_character_, "coordinate descent until nearly known, then active_set"),
    hard_row("active_set", "nnls", "constraint generation around non-negative least squares",
             list(batch = 50), random = FALSE, intercepts = intercept_kinds),
    hard_row("dual_cd", "dual_cd", "dual coordinate descent in random order, with shrinking",
             list(shrinking = TRUE), intercepts = c("penalized", "none")),
    hard_row("momentum", "margin", "Nesterov momentum in the dual, an anytime method",
             list(loss = c("exponential", "logistic")), random = FALSE,
             intercepts = c("penalized", "none"))
  )
}

# The augmented family: an expectation over perturbations, strongly convex by its ridge.
augmented_row <- function(name, paper, description, options = list(), ...) {
  solver_row(name, "augmented", smooth_loss = TRUE, intercepts = c("penalized", "none"),
             strong_convexity = TRUE, random = TRUE, paper = paper, description = description,
             options = c(options, list(balanced = TRUE, cycles = 10)), ...)
}

# The hard family; cache_mb bounds what is kept of a kernel.
hard_row <- function(name, paper, description, options = list(), random = TRUE,
                     intercepts = intercept_kinds) {
  solver_row(name, "hard", smooth_loss = FALSE, intercepts = intercepts, strong_convexity = FALSE,
             random = random, paper = paper, description = description,
             options = c(options, list(cache_mb = 2000)), losses = "hinge")
}

by_smoothness <- c("auto", "uniform", "nonuniform")

# The kernel family: a ridge in the space of the kernel, for most of its methods a dual problem.
kernel_row <- function(name, paper, description, options = list(), smooth_loss = FALSE,
                       intercepts = c("none", "penalized"), losses = names(loss_formulas),
                       random = TRUE) {
  solver_row(name, "kernel", smooth_loss = smooth_loss, intercepts = intercepts,
             strong_convexity = TRUE, random = random, paper = paper, description = description,
             options = c(options, list(cache_mb = 2000)), losses = losses)
}

# The robust family has one problem; its methods differ in speed alone.
robust_row <- function(name, paper, description, options = list(), random = TRUE,
                       max_columns = Inf) {
  solver_row(name, "robust", smooth_loss = FALSE, intercepts = intercept_kinds,
             strong_convexity = FALSE, random = random, paper = paper, description = description,
             options = options, losses = "hinge", max_columns = max_columns)
}

# A stochastic method that needs a smooth loss, a strongly convex penalty and no free intercept.
dual_row <- function(name, paper, description, options, large_lambda = FALSE) {
  solver_row(name, "linear", smooth_loss = TRUE, intercepts = c("penalized", "none"),
             strong_convexity = TRUE, large_lambda = large_lambda, random = TRUE, paper = paper,
             description = description, options = options)
}

# step, floor, change: in units of 1 / (mean squared slope), of the first step, of the first step.
incremental <- list(sampling = c("cyclic", "permutation"),
                    schedule = c("geometric", "inverse", "inverse_root"), step = 1, shrink = 0.975,
                    floor = 1e-6)

# The papers draw rows with replacement; a fresh random order needs about half the epochs.
drawn <- c("uniform", "permutation")

# Where a numeric option may lie; ends excluded unless whole.
option_bounds <- list(
  dual_passes = list(lower = 0, upper = 1000, whole = TRUE),
  gamma = list(lower = 0, upper = Inf, whole = FALSE),
  shrink = list(lower = 0, upper = 1, whole = FALSE),
  inner_passes = list(lower = 1, upper = 1000, whole = TRUE),
  strength = list(lower = 0, upper = Inf, whole = FALSE),
  step = list(lower = 0, upper = Inf, whole = FALSE),
  floor = list(lower = 0, upper = 1, whole = FALSE),
  change = list(lower = 0, upper = 1, whole = FALSE),
  batch = list(lower = 1, upper = 1e6, whole = TRUE),
  block = list(lower = 0, upper = 1e6, whole = TRUE),
  penalty = list(lower = 0, upper = Inf, whole = FALSE),
  growth = list(lower = 1, upper = 2, whole = FALSE),
  memory = list(lower = 0, upper = 100, whole = TRUE),
  cycles = list(lower = 4, upper = 1000, whole = TRUE),
  cache_mb = list(lower = 0, upper = Inf, whole = FALSE),
  inner_steps = list(lower = 1, upper = 1e9, whole = TRUE),
  working_set = list(lower = 1, upper = .Machine$integer.max, whole = TRUE)
)

# Defaults from the registry, replaced by what was given; complete and checked.
complete_options <- function(row, given) {
  options <- lapply(row$options, function(default) default[1L])
  for (name in names(given)) {
    assert_option_name(name, row)
    default <- row$options[[name]]
    if (is.logical(default)) {
      assert_flag(given[[name]], name)
    } else if (is.character(default)) {
      assert_choice(given[[name]], default, name)
    } else {
      bounds <- option_bounds[[name]]
      assert_number(given[[name]], name, bounds$lower, bounds$upper,
                    open = !bounds$whole, whole = bounds$whole,
                    remedy = sprintf("the default is %s", format(default)))
    }
    options[[name]] <- given[[name]]
  }
  options
}

assert_option_name <- function(name, row) {
  known <- names(row$options)
  if (!name %in% known) {
    guess <- nearest(name, known)
    abort_input(sprintf(
      "`solver_options` has \"%s\", which solver \"%s\" does not take%s. It takes %s.",
      name, row$name, if (is.null(guess)) "" else sprintf(" (did you mean \"%s\"?)", guess),
      quote_list(known)
    ), "solver_options")
  }
}
