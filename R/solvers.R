# The list of solvers: what each needs, where it comes from, what it can be told.

# One row of the solver list. Options: the first value is the default, strings are the choices.
# iterates: does it go from point to point, so that the last may be asked for? Not a method that
# looks for one point by way of others, or whose function is that of its best dual point.
solver_row <- function(name, family, smooth_loss, intercepts, strong_convexity, random, paper,
                       description, options, l1 = FALSE, large_lambda = FALSE,
                       losses = names(loss_list), max_columns = Inf, closed_form = FALSE,
                       dense_l1 = FALSE, bounds = list(), iterates = name != "auto") {
  if (iterates) options <- c(options, list(iterate = c("best", "last")))
  list(name = name, family = family, smooth_loss = smooth_loss, intercepts = intercepts,
       strong_convexity = strong_convexity, l1 = l1, large_lambda = large_lambda, random = random,
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
      description = "dual coordinate descent in permuted order, with shrinking",
      options = list(shrinking = TRUE, block = 0),
      bounds = list(block = list(lower = 0, upper = 1e6, whole = TRUE)) # 0: as large as is quick
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
