# The list of solvers: what each needs, where it comes from, what it can be told.

# One row of the solver list. Options: the first value is the default, strings are the choices.
# iterates: does it go from point to point, so that the last may be asked for? Not a method that
# looks for one point by way of others, or whose function is that of its best dual point.
solver_row <- function(name, family, smooth_loss, intercepts, strong_convexity, random, paper,
                       description, options, l1 = FALSE, ridge = FALSE,
                       large_lambda = FALSE,
                       losses = names(loss_list), max_columns = Inf, closed_form = FALSE,
                       dense_l1 = FALSE, bounds = list(), iterates = name != "auto") {
  if (iterates) options <- c(options, list(iterate = c("best", "last")))
  list(name = name, family = family, smooth_loss = smooth_loss, intercepts = intercepts,
       strong_convexity = strong_convexity, l1 = l1, ridge = ridge, large_lambda = large_lambda,
       random = random,
       paper = paper, description = description, options = options, losses = losses,
       max_columns = max_columns, closed_form = closed_form, dense_l1 = dense_l1, bounds = bounds)
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
      "lbfgs", "linear", smooth_loss = TRUE, intercepts = intercept_kinds,
      strong_convexity = TRUE, random = TRUE, paper = "lbfgs", ridge = TRUE,
      description = "L-BFGS in the metric of a Hessian, renewed where it is slow, for mixture = 0",
      options = list(subsample = TRUE)
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
    dual_row("spd1", "spd1", "primal-dual steps that read one entry; closes like 1/t",
             list(step = 0.5)),
    dual_row("spd1_vr", "spd1", "primal-dual steps that read one entry, with reduced variance",
             list(step = 0.25, inner_passes = 2)),
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
    solver_row(
      "fista", "linear", smooth_loss = TRUE, intercepts = intercept_kinds,
      strong_convexity = FALSE, random = FALSE, paper = "fista",
      description = "accelerated proximal gradient with backtracking and adaptive restart",
      options = list(restart = TRUE)
    ),
    dual_row("katyusha", "katyusha", "accelerated variance-reduced gradient",
             list(sampling = drawn, inner_passes = 2)),
    solver_row(
      "dual_cd", "linear", smooth_loss = FALSE, intercepts = intercept_kinds,
      strong_convexity = TRUE, random = TRUE, paper = "dual_cd",
      description = "dual coordinate descent in random order, with shrinking",
      options = list(shrinking = TRUE)
    ),
    solver_row(
      "interior_point", "linear", smooth_loss = FALSE, intercepts = intercept_kinds,
      strong_convexity = FALSE, random = FALSE, paper = "mehrotra",
      description = "primal-dual interior point method for a loss with kinks, few columns",
      options = list(), losses = kinked_losses(), max_columns = 3000
    ),
    solver_row(
      "lasso", "linear", smooth_loss = TRUE, intercepts = intercept_kinds,
      strong_convexity = FALSE, random = FALSE, paper = "celer", l1 = TRUE,
      description = "working sets of columns with gap-safe screening, for mixture > 0",
      options = list(working_set = 100, screening = TRUE)
    ),
    robust_row(
      "auto", NA_character_,
      "interior_point for few columns or rows, pdhg beyond; the other follows if one stalls",
      random = FALSE
    ),
    robust_row(
      "interior_point", "mehrotra", "primal-dual interior point method, few columns or rows",
      random = FALSE, max_columns = 3000
    ),
    robust_row(
      "gs_admm", "drsvm", "golden section over t with ADMM inside, a baseline; few columns",
      list(penalty = 1, growth = 1.005, inner_steps = 5000), random = FALSE, max_columns = 3000,
      iterates = FALSE
    ),
    robust_row(
      "pdhg", "pdhg",
      "restarted primal-dual hybrid gradient, two passes a step; for many columns and rows",
      random = FALSE
    ),
    robust_row("isg", "drsvm", "mini-batch projected subgradients with falling steps",
               c(incremental, list(batch = 16))),
    robust_row("ippa", "drsvm", "exact proximal steps of one row at a time with falling steps",
               incremental),
    robust_row("hybrid", "drsvm", "isg while the steps are long, then ippa",
               c(incremental, list(batch = 16, change = 0.1))),
    kernel_row("auto", NA_character_,
               "smo, then interior_point where the loss has kinks; else block_sdca or newton",
               intercepts = intercept_kinds),
    kernel_row("newton", "kernel_newton", "Newton with exact line search, a matrix of rows x rows",
               smooth_loss = TRUE, intercepts = intercept_kinds, random = FALSE),
    kernel_row("block_sdca", "sdca", "dual ascent by random blocks, with a subspace step",
               list(block = 128, inner_passes = 10, memory = 8), intercepts = intercept_kinds,
               bounds = list(block = list(lower = 1, upper = 1e6, whole = TRUE))),
    kernel_row("sdca", "sdca", "stochastic dual coordinate ascent, exact steps of one row",
               list(sampling = c("permutation", "uniform"))),
    kernel_row("smo", "smo", "sequential minimal optimisation, exact steps of two rows",
               list(shrinking = TRUE), intercepts = intercept_kinds,
               losses = kinked_losses(), random = FALSE),
    kernel_row("interior_point", "low_rank",
               "interior point method on a low-rank factor of the kernel, for a loss with kinks",
               intercepts = intercept_kinds, losses = kinked_losses(), random = FALSE,
               iterates = FALSE),
    kernel_row("mixup_naive", "mixup", "vanilla dual ascent, the conjugate by numerical search",
               list(sampling = drawn), smooth_loss = TRUE),
    kernel_row("mixup_approx", "mixup", "vanilla dual ascent, the conjugate bounded on a grid",
               list(sampling = drawn), smooth_loss = TRUE),
    kernel_row("mixup_decomp", "mixup", "vanilla dual ascent on rows split into both classes",
               list(sampling = drawn), smooth_loss = TRUE),
    kernel_row("sgd", "norma", "stochastic gradient descent with a fixed step, a baseline",
               list(sampling = drawn, step = 1e-3), smooth_loss = TRUE),
    augmented_row("auto", NA_character_, "exact where the expectation is known, else smiso"),
    augmented_row("exact", "owlqn", "limited-memory quasi-Newton on the known expectation",
                  list(memory = 20), random = FALSE, closed_form = TRUE),
    augmented_row("smiso", "smiso", "stochastic MISO with balanced perturbations and averaging",
                  list(sampling = c(by_smoothness, "permutation"), averaging = TRUE,
                       choose = TRUE, step = 1)),
    augmented_row("sgd", "sgd", "stochastic gradient descent with falling steps, a baseline",
                  list(sampling = by_smoothness, averaging = TRUE, choose = TRUE, step = 1),
                  bounds = longer_step, dense_l1 = TRUE),
    augmented_row("nsaga", "nsaga", "SAGA with steps of one length, a baseline; ends in a cloud",
                  list(step = 1), bounds = longer_step, dense_l1 = TRUE),
    augmented_row("saga_decay", "saga", "SAGA with falling steps, a baseline",
                  list(averaging = TRUE, choose = TRUE, step = 1), bounds = share_of_step, dense_l1 = TRUE),
    hard_row("auto", NA_character_, "coordinate descent until nearly known, then active_set"),
    hard_row("active_set", "nnls", "constraint generation around non-negative least squares",
             list(batch = 50, max_support = 3000), intercepts = intercept_kinds, iterates = FALSE),
    hard_row("smo", "smo", "pairs of rows exchange weight, columns of products are kept",
             random = FALSE),
    hard_row("dual_cd", "dual_cd", "dual coordinate descent in random order, with shrinking",
             list(shrinking = TRUE), intercepts = without_free),
    hard_row("momentum", "margin", "Nesterov momentum in the dual, an anytime method",
             list(loss = c("exponential", "logistic")), random = FALSE, intercepts = without_free),
    hard_row("adaptive", "margin", "one row a step, drawn from the dual variables",
             list(schedule = c("momentum", "theory")), intercepts = without_free),
    hard_row("perceptron", "batch_perceptron", "adds the worst row, a baseline",
             random = FALSE, intercepts = without_free),
    hard_row("ngd", "normalised", "normalised gradient steps on the exponential loss, a baseline",
             random = FALSE, intercepts = without_free),
    hard_row("gd", "implicit_bias", "gradient steps on the exponential loss, a baseline",
             random = FALSE, intercepts = without_free),
    solver_row(
      "smo", "oneclass", smooth_loss = FALSE, intercepts = "free", strong_convexity = FALSE,
      random = FALSE, paper = "smo",
      description = "sequential minimal optimisation, exact steps of two rows",
      options = list(shrinking = TRUE, cache_mb = 2000), losses = "hinge", iterates = FALSE
    )
  )
}

# The augmented family: an expectation over perturbations, strongly convex by its ridge.
augmented_row <- function(name, paper, description, options = list(), random = TRUE, ...) {
  solver_row(name, "augmented", smooth_loss = TRUE, intercepts = c("penalized", "none"),
             strong_convexity = TRUE, random = random, paper = paper, description = description,
             options = c(options, list(balanced = TRUE, cycles = 10)), ...)
}

# The hard family; cache_mb bounds what is kept of a kernel.
hard_row <- function(name, paper, description, options = list(), random = TRUE,
                     intercepts = intercept_kinds, ...) {
  solver_row(name, "hard", smooth_loss = FALSE, intercepts = intercepts, strong_convexity = FALSE,
             random = random, paper = paper, description = description,
             options = c(options, list(cache_mb = 2000)), losses = "hinge", ...)
}

without_free <- c("penalized", "none")
by_smoothness <- c("auto", "uniform", "nonuniform")

# In units of the longest step that is safe. The paper also takes ten of them, for rows drawn
# uniformly of which a few are far longer than the others; drawn by their smoothness they diverge.
share_of_step <- list(step = list(lower = 1e-6, upper = 1, whole = FALSE, open = FALSE))
longer_step <- list(step = list(lower = 1e-6, upper = 30, whole = FALSE, open = FALSE))

# The kernel family: a ridge in the space of the kernel, for most of its methods a dual problem.
kernel_row <- function(name, paper, description, options = list(), smooth_loss = FALSE,
                       intercepts = c("none", "penalized"), losses = names(loss_list),
                       random = TRUE, ...) {
  solver_row(name, "kernel", smooth_loss = smooth_loss, intercepts = intercepts,
             strong_convexity = TRUE, random = random, paper = paper, description = description,
             options = c(options, list(cache_mb = 2000)), losses = losses, ...)
}

# The robust family has one problem; its methods differ in speed alone.
robust_row <- function(name, paper, description, options = list(), random = TRUE,
                       max_columns = Inf, ...) {
  solver_row(name, "robust", smooth_loss = FALSE, intercepts = intercept_kinds,
             strong_convexity = FALSE, random = random, paper = paper, description = description,
             options = options, losses = "hinge", max_columns = max_columns, ...)
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

# Made once, when the package is built: every fit and every check of one asks for a row.
solver_list <- solver_rows()

# By family, then by name.
solvers_by_family <- lapply(split(solver_list, vapply(solver_list, `[[`, "", "family")), function(rows) {
  stats::setNames(rows, vapply(rows, `[[`, "", "name"))
})

# Can a solver do what is asked of it? Every "no" names the remedy.

# Can this solver do it? Evidence: ok, the argument that stands in the way, the reason and remedy.
check_solver <- function(row, loss, intercept, mixture) {
  no <- function(arg, why) list(ok = FALSE, arg = arg, why = why)
  kinds <- unlist(row$intercepts)
  any_loss <- c(linear = "ssnal", kernel = "block_sdca")[row$family]
  or_auto <- if (row$name == "auto") "" else " or solver \"auto\""
  losses <- unlist(row$losses)
  if (!loss$name %in% losses) {
    return(no("loss", sprintf(
      "takes loss %s only and not \"%s\"; use solver \"auto\"%s", quote_list(losses), loss$name,
      sprintf(" or \"%s\"", if (loss$smooth) "newton" else any_loss)
    )))
  }
  if (row$smooth_loss && !loss$smooth) {
    other <- if (is.na(any_loss)) "" else sprintf("solver \"%s\" or \"auto\", or ", any_loss)
    return(no("loss", sprintf(
      "needs a smooth loss and \"%s\" is not; use %sloss \"%s\"", loss$name, other,
      if (loss$task == "regression") "huber" else "smooth_hinge"
    )))
  }
  if (!intercept %in% kinds) {
    return(no("intercept", sprintf(
      "cannot fit intercept = \"%s\"; use intercept = \"%s\"%s", intercept, kinds[1L], or_auto
    )))
  }
  if (row$ridge && mixture > 0) {
    return(no("mixture", paste0("fits a ridge alone; use mixture = 0", or_auto)))
  }
  if (row$strong_convexity && mixture >= 1) {
    return(no("mixture", paste0(
      "needs a strongly convex penalty and mixture = 1 is not; use a mixture below 1", or_auto
    )))
  }
  if (row$l1 && mixture <= 0) {
    return(no("mixture", paste0(
      "works on the zeros that an l1 penalty makes and mixture = 0 makes none; ",
      "use a mixture above 0 or solver \"newton\" or \"auto\""
    )))
  }
  list(ok = TRUE, arg = NULL, why = NULL)
}

assert_solver <- function(row, loss, intercept, mixture) {
  evidence <- check_solver(row, loss, intercept, mixture)
  if (!evidence$ok) {
    abort_input(sprintf("`solver` \"%s\" %s.", row$name, evidence$why), evidence$arg)
  }
}

# Known only with the response: the mixup paper's methods take a label apart into two classes.
assert_classes <- function(solver, response) {
  if (response$task == "regression" && startsWith(solver$name, "mixup_")) {
    abort_input(sprintf(paste(
      "`solver` \"%s\" is for labels in [-1, 1] and not for the numeric response of a regression;",
      "use solver \"block_sdca\" or \"auto\", or give factor(y) or soft_labels()."
    ), solver$name), "solver")
  }
}

# Known only with the data: a matrix of columns x columns must fit into memory, or one of rows x
# rows, which does where the norm or the ridge holds the weights (src/robust/cost_model.h).
assert_columns <- function(settings, n, p) {
  row <- settings$solver
  by_rows <- row$family == "robust" && row$name == "interior_point" &&
    (is.null(settings$radius) || settings$radius > 0 || settings$ridge > 0) # the rule is above 0
  if (p > row$max_columns && !(by_rows && n <= row$max_columns)) {
    other <- c(linear = "ssnal", robust = "pdhg")[[row$family]]
    abort_input(sprintf(paste(
      "`solver` \"%s\" keeps a matrix of columns x columns and takes at most %d columns%s;",
      "`x` has %d%s. Use solver = \"%s\" or \"auto\"."
    ), row$name, as.integer(row$max_columns), if (by_rows) " or rows" else "", p,
    if (by_rows) sprintf(" and %d", n) else "", other), "solver")
  }
}

# Known only with the data: a proximal step is one in every column, the zeros of a row included.
assert_dense_l1 <- function(row, mixture, x) {
  if (row$dense_l1 && mixture > 0 && isS4(x)) {
    abort_input(sprintf(paste(
      "`solver` \"%s\" moves every weight at every row where mixture is above 0, which a sparse",
      "`x` is too large for; use solver \"smiso\", mixture = 0, or a dense `x` (as.matrix())."
    ), row$name), "solver")
  }
}

# What solvers can be told, checked. The options and their defaults are in R/solvers.R.

# Where a numeric option may lie, unless a row has bounds of its own; ends excluded unless whole.
option_bounds <- list(
  dual_passes = list(lower = 0, upper = 1000, whole = TRUE),
  gamma = list(lower = 1e-12, upper = 1e12, whole = FALSE),
  shrink = list(lower = 0, upper = 1, whole = FALSE),
  inner_passes = list(lower = 1, upper = 1000, whole = TRUE),
  strength = list(lower = 1e-12, upper = 1e12, whole = FALSE),
  step = list(lower = 1e-12, upper = 1e12, whole = FALSE),
  floor = list(lower = 0, upper = 1, whole = FALSE),
  change = list(lower = 0, upper = 1, whole = FALSE),
  batch = list(lower = 1, upper = 1e6, whole = TRUE),
  block = list(lower = 1, upper = 1e6, whole = TRUE),
  penalty = list(lower = 1e-12, upper = 1e12, whole = FALSE),
  growth = list(lower = 1, upper = 2, whole = FALSE),
  memory = list(lower = 0, upper = 100, whole = TRUE),
  cycles = list(lower = 4, upper = 1000, whole = TRUE),
  cache_mb = list(lower = 0, upper = 1e6, whole = FALSE),
  max_support = list(lower = 1, upper = 1e6, whole = TRUE),
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
      bounds <- if (is.null(row$bounds[[name]])) option_bounds[[name]] else row$bounds[[name]]
      assert_number(given[[name]], name, bounds$lower, bounds$upper,
                    open = !bounds$whole && !isFALSE(bounds$open), whole = bounds$whole,
                    remedy = sprintf("the default is %s", format(default)))
    }
    options[[name]] <- given[[name]]
  }
  options
}

assert_option_name <- function(name, row) {
  known <- names(row$options)
  if (!name %in% known) {
    abort_input(sprintf(
      "`solver_options` has \"%s\", which solver \"%s\" does not take%s. It takes %s.", name,
      row$name, option_remedy(name, row),
      if (length(known) == 0L) "none" else quote_list(known)
    ), "solver_options")
  }
}

# An option of other solvers of the family is theirs; any other name is a slip of spelling.
option_remedy <- function(name, row) {
  others <- Filter(function(other) {
    other$family == row$family && name %in% names(other$options)
  }, solver_list)
  if (length(others) > 0L) {
    return(sprintf("; give the name of one that does as `solver`: %s",
                   quote_list(vapply(others, `[[`, "", "name"))))
  }
  guess <- nearest(name, names(row$options))
  if (is.null(guess)) "" else sprintf(" (did you mean \"%s\"?)", guess)
}
