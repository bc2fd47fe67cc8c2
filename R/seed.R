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
