#' Control of the computation
#'
#' Sets how a fit is computed: tolerance, time limits, seed, solver options. What is fitted (loss,
#' penalty, intercept) is set in the fitting function. None of these settings changes the optimum;
#' they decide how near to it the fit must come and when to give up.
#'
#' An **epoch** is the work of one pass over the nonzero entries of the data; second-order solvers
#' report fractions of it. The fit stops as soon as its relative gap, the gap divided by
#' \eqn{\max(|P|, |D|)}{max(|P|, |D|)} of the primal and dual objectives, is at most `tol`. When
#' `max_epochs` or `max_seconds` come first the fit is returned all the same, with a warning of
#' class `dualmargin_not_certified`.
#'
#' Random numbers: `solver = "auto"` draws from a seed of its own, so the same fit on the same machine
#' has the same bits, and R's stream is neither used nor changed. What you ask to be random follows
#' [set.seed()]: a stochastic solver that is named, pairs of `mixup`, landmarks of `nystrom`, weights
#' of [kernel_ntk()], and perturbations whose mean is not known. With a `seed` these leave R's stream
#' alone too.
#'
#' @param tol Relative gap at which a fit counts as certified, one positive number. `NULL` is 1e-6.
#' @param max_epochs Most epochs to spend, for each class where there are three or more; a whole
#'   number. A certificate that is due is finished: of [margin_robust()] by the solvers of its paper that takes
#'   up to some 40 epochs, which recover the dual point.
#' @param max_seconds Most seconds to spend since the call, for each class where there are three or
#'   more; may be `Inf`. A step that takes longer is left where it is. What is finished in any
#'   case is set-up, a pass over the rows and the certificate of the best point so far.
#' @param seed A whole number from 0 to 2147483647, or `NULL`: that of `"auto"`, or one drawn from R's
#'   stream where the fit is random by your choice.
#' @param start A fit of the same family, features and classes to start from, or `NULL`. It can save
#'   time; it does not change the optimum. The name of a file goes on with a run that was ended ([checkpoints]).
#' @param checkpoint `NULL`, or the name of a file, see [checkpoints]: into it a long run writes now and
#'   then what it has found, so that it can go on after a crash or Ctrl-C.
#' @param certify_every_epoch Compute a certificate after every epoch (or stage) of every solver? By
#'   default the stochastic solvers compute one at epochs 1, 2, 3, 4, 6, 9, ... and later as often
#'   as takes at most a fifth of the work. With `TRUE` the trace in [convergence()] is as fine as it
#'   can be, at the price of the time it takes; meant for comparing methods epoch by epoch.
#' @param progress Show a progress bar when the fit takes more than about two seconds?
#' @param solver_options Named list of options of the chosen solver; [margin_solvers()] lists them
#'   with their defaults. An option of another solver is an error: name that one as `solver` of the
#'   fit. What most solvers that are named have in common is `iterate`, the point that is returned:
#'   see the section below.
#' @param threads Threads to compute with, a whole number. The fit is the same to the last bit for
#'   every number of them. `NULL` is 2, or what `options(dualmargin.threads = )` says instead; fewer
#'   where the machine, `options(mc.cores = )` or one of the environment variables
#'   `OMP_THREAD_LIMIT` and `OMP_NUM_THREADS` says so; and 1 in a process that is itself a worker of
#'   packages parallel or future, or one of several `ranks`. The classes of one-vs-rest problems are
#'   solved side by side: each thread takes the working memory of one class. What `"auto"` chooses
#'   does not depend on threads. Dual coordinate ascent goes row by row in one of them, and others
#'   share its certificates alone.
#' @param stall May a method give up whose gap no longer decreases? By default it ends as `"stalled"`
#'   after 12 certificates and 30 epochs or more without a gap that is a tenth smaller. With `FALSE`
#'   only the tolerance, `max_epochs` and `max_seconds` end it, and a step beyond which the method
#'   itself has nothing left to try. Meant for measuring how many epochs a method needs.
#'   `solver = "auto"`, which goes on to another method where one stalls, refuses it.
#' @param ranks `NULL`, or [mpi_ranks()] where this script runs in several processes under MPI, each
#'   of which has some of the rows: [margin_linear()], [margin_path()] and [margin_cv()] then fit
#'   all of them, and [margin_audit()] judges a fit on them, see [mpi_ranks()].
#' @param x A control object.
#' @param ... Not used; an unknown argument is an error.
#' @return A list of class `"margin_control"` with the arguments as elements.
#' @section The last iterate:
#' A fit is the best point that its run has met, and never worse than the null model: where the
#' method ends with something worse, the null model is returned. Of a method that is studied one asks
#' `solver_options = list(iterate = "last")`: then the fit is the last iterate, whatever others were
#' worth. Its certificate is that of this point, and a run ends as certified only where this point
#' is. The bound may be that of an earlier dual point, as any feasible one will do. `print()` says
#' that it is the last iterate. [convergence()] holds the value of every iterate at which a
#' certificate was taken, whichever point is returned, so that curves need no option.
#'
#' In each family `"auto"` refuses it, as it goes from one method to another. So do `gs_admm`
#' (robust) and `active_set` (hard), which look for one point by way of others, `interior_point` of
#' kernels, whose function is that of its best dual point, and the one-class fit. A method that
#' averages its points, such as `smiso`, returns the average or the last point, whichever is better
#' at the end (`choose`). Without the option `sdca`, `dual_cd`, `newton`, `saga`, `svrg`, `spdc` and
#' the named methods of kernels return their last iterate too, but where the null model is better;
#' `katyusha`, `spd1`, `fista`, `ssnal`, `lasso`, `interior_point`, the robust and the hard methods,
#' and the augmented ones where the mean over the perturbations is known, return the best so far.
#' @section Errors:
#' Each argument is checked at once; what is wrong is an error of class `dualmargin_input_error`.
#' The names and values in `solver_options` are checked when the solver is known, in the fit.
#' @section Sizes:
#' Numbers whose squares or inverses leave double precision are named in an error before the work
#' starts: `lambda`, `cost`, the parameters of losses, kernels and perturbations, and the sum of the
#' weights must be from 1e-100 to 1e100 (or 0, where 0 is allowed), the entries of `x` and of a
#' numeric `y` at most 1e100.
#'
#' The memory that a matrix, many points of a path, folds, mixed rows, landmarks or classes take is
#' computed before the work starts too. What needs more than 1 GB and more than the machine has (its
#' physical memory, the limit of a container, 16 GB where neither is known, or
#' `options(dualmargin.memory = )` in bytes) is an error of class `dualmargin_input_error` that
#' names the argument. If memory runs out all the same, the error has class
#' `dualmargin_memory_error`.
#' @seealso [margin_linear()], [margin_solvers()], [checkpoints].
#' @examples
#' margin_control(tol = 1e-9, seed = 1)
#' # options are those of the solver that is named
#' margin_linear(
#'   type ~ ., data = spambase[seq(1, 4601, by = 20), ], solver = "sdca", intercept = "penalized",
#'   control = margin_control(solver_options = list(sampling = "uniform"), seed = 1)
#' )
#' @export
margin_control <- function(tol = NULL, max_epochs = 1000, max_seconds = Inf, seed = NULL,
                           start = NULL, certify_every_epoch = FALSE, progress = interactive(),
                           solver_options = list(), threads = NULL, checkpoint = NULL,
                           stall = TRUE, ranks = NULL, ...) {
  assert_no_extra("margin_control()", ...)
  if (!is.null(tol)) {
    assert_number(tol, "tol", lower = 0, remedy = "the default NULL is a relative gap of 1e-6")
  }
  assert_number(max_epochs, "max_epochs", lower = 1, upper = .Machine$integer.max, open = FALSE,
                whole = TRUE)
  assert_number(max_seconds, "max_seconds", lower = 0, infinite = TRUE,
                remedy = "Inf sets no limit")
  assert_seed(seed)
  if (is.character(start) || is_checkpoint(start)) {
    start <- as_checkpoint(start, "start")
  } else if (!is.null(start) && !inherits(start, "foreign_start")) {
    if (!inherits(start, "margin_fit")) {
      abort_input(sprintf(
        "`start` is %s, but must be a fit of this package, the file of a checkpoint or NULL.",
        show_value(start)
      ), "start")
    }
    assert_fit(start, "start")
  }
  if (!is.null(checkpoint)) checkpoint <- as_checkpoint(checkpoint, "checkpoint")
  assert_flag(certify_every_epoch, "certify_every_epoch")
  assert_flag(stall, "stall")
  assert_flag(progress, "progress")
  assert_options_list(solver_options)
  if (!is.null(threads)) {
    assert_number(threads, "threads", lower = 1, upper = 1024, open = FALSE, whole = TRUE,
                  remedy = "NULL takes two at most")
  }
  if (!is.null(ranks) && !is_meeting(ranks)) ranks <- adding_ranks(ranks)
  structure(
    list(tol = tol, max_epochs = max_epochs, max_seconds = max_seconds, seed = seed,
         start = start, certify_every_epoch = certify_every_epoch, progress = progress,
         solver_options = solver_options, threads = threads, checkpoint = checkpoint,
         stall = stall, ranks = ranks),
    class = "margin_control"
  )
}

assert_options_list <- function(options) {
  if (!is.list(options) || is.object(options)) {
    abort_input(sprintf(
      "`solver_options` is %s, but must be a list, as in list(sampling = \"uniform\").",
      show_value(options)
    ), "solver_options")
  }
  given <- names(options)
  if (length(options) > 0L && (is.null(given) || anyNA(given) || any(given == ""))) {
    abort_input("`solver_options` has an entry without a name; name each after its option.",
                "solver_options")
  }
  if (anyDuplicated(given)) {
    abort_input(sprintf("`solver_options` gives \"%s\" twice; give each option once.",
                        given[anyDuplicated(given)]), "solver_options")
  }
}

format_seed <- function(seed) {
  if (is.null(seed)) "the solver's own, or from R's stream" else format(seed, scientific = FALSE)
}

#' @rdname margin_control
#' @export
print.margin_control <- function(x, ...) {
  assert_no_extra("print()", ...)
  shown <- list(
    tol = if (is.null(x$tol)) "the family's default" else format(x$tol, digits = 4),
    max_epochs = format(x$max_epochs, scientific = FALSE),
    max_seconds = format(x$max_seconds),
    seed = format_seed(x$seed),
    start = if (is.null(x$start)) "none" else if (is_checkpoint(x$start)) x$start$file else
      paste("a", class(x$start)[1L], "fit"),
    certificates = if (x$certify_every_epoch) "every epoch" else "as the work allows",
    stall = if (x$stall) "ends a run" else "is no end",
    progress = if (x$progress) "shown" else "silent",
    solver_options = if (length(x$solver_options) == 0L) {
      "defaults"
    } else {
      values <- vapply(x$solver_options, show_value, "")
      paste(names(values), values, sep = " = ", collapse = ", ")
    },
    threads = if (is.null(x$threads)) "two at most" else format(x$threads),
    checkpoint = if (is.null(x$checkpoint)) "none" else x$checkpoint$file,
    ranks = if (is.null(x$ranks)) "this process alone" else
      sprintf("%.0f, by Rmpi", x$ranks$size)
  )
  cat("<margin_control>\n")
  cat(sprintf("  %-14s %s\n", names(shown), unlist(shown)), sep = "")
  invisible(x)
}

# The control argument of a fitting function.
assert_control <- function(control) {
  if (!inherits(control, "margin_control")) {
    abort_input(sprintf("`control` is %s, but must be made by margin_control().",
                        show_value(control)), "control")
  }
}

# How many threads a fit takes. The answer is the same for every number of them, so the default may
# look at the machine.

# threads: as many as margin_control() was told, or NULL for two at most (or what the option says),
# and one in a process that is itself a worker of parallel computations, or one of several ranks
# (`most` is 1).
resolve_threads <- function(threads = NULL, most = usual_threads()) {
  if (!is.null(threads)) {
    return(threads)
  }
  if (is_worker()) {
    return(1)
  }
  number <- function(value) {
    value <- if (is.null(value) || identical(value, "")) Inf else suppressWarnings(as.numeric(value))
    if (length(value) == 1L && is.finite(value)) value else Inf
  }
  omp <- Sys.getenv(c("OMP_THREAD_LIMIT", "OMP_NUM_THREADS"), names = FALSE)
  limits <- c(most, processors_cpp(), number(getOption("mc.cores")), number(omp[1L]),
              number(if (nzchar(omp[2L])) sub(",.*", "", omp[2L])))
  max(1, floor(min(limits[!is.na(limits)])))
}

usual_threads <- function() {
  given <- getOption("dualmargin.threads")
  if (is.null(given)) return(2)
  assert_number(given, "dualmargin.threads", lower = 1, open = FALSE, whole = TRUE, remedy =
                  "options(dualmargin.threads = 4) lets a fit take four, on as many processors")
  as.double(given)
}

# A child of fork(), as mclapply() makes, or an R that makeCluster() started. Package future sets
# option mc.cores in its workers.
is_worker <- function() {
  Sys.getpid() != session$pid || session$made_by_cluster
}
session <- new.env(parent = emptyenv())

# The least work of a chunk, in entries of the data: smaller in tests alone.
chunk_entries <- function() getOption("dualmargin.chunk_entries", 65536)

# R's stream of random numbers, and seeds that leave it alone.

# set.seed() rules unless a seed was given, which leaves R's stream alone.
resolve_seed <- function(seed) {
  if (is.null(seed)) sample.int(.Machine$integer.max, 1L) else seed
}

# That of "auto": its fits are the same each time and leave R's stream alone.
auto_seed <- 1

# The seed of the core: that of the control, or one from R's stream where the user asked for draws.
core_seed <- function(settings) {
  seed <- settings$control$seed
  if (!is.null(seed)) seed else if (has_draws(settings)) resolve_seed(NULL) else auto_seed
}

# A stochastic solver by name, landmarks, perturbations whose mean is not known. Pairs of mixup are
# drawn where they are made.
has_draws <- function(settings) {
  solver <- settings$solver
  if (!is.null(settings$nystrom)) return(TRUE)
  if (solver$name != "auto") return(solver$random)
  solver$family == "augmented" && !has_closed_form(settings$perturbation, settings$loss)
}

# That of rank 0, on all ranks.
seed_of_ranks <- function(ranks, seed) {
  if (is.null(ranks)) seed else exchanged(ranks, "gather", as.double(seed))[1L, 1L]
}

# The value of `expression`, whose draws come from `seed` and leave R's stream alone, or from it.
# The generators are named, since a process of package future has others than the session.
with_seed <- function(seed, expression) {
  if (is.null(seed)) {
    return(expression)
  }
  old <- get0(".Random.seed", globalenv(), inherits = FALSE)
  kinds <- RNGkind()
  on.exit({
    suppressWarnings(do.call(RNGkind, as.list(kinds))) # R warns of its own old generator
    if (is.null(old)) rm(".Random.seed", envir = globalenv()) else
      assign(".Random.seed", old, globalenv())
  })
  set.seed(seed, "Mersenne-Twister", "Inversion", "Rejection")
  expression
}

assert_seed <- function(seed) {
  if (!is.null(seed)) {
    assert_number(seed, "seed", lower = 0, upper = .Machine$integer.max, open = FALSE,
                  whole = TRUE, remedy = "NULL draws one from R's stream")
  }
}
