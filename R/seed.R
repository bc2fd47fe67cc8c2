# R's stream of random numbers, and seeds that leave it alone.

# set.seed() rules unless a seed was given, which leaves R's stream alone.
resolve_seed <- function(seed) {
  if (is.null(seed)) sample.int(.Machine$integer.max, 1L) else seed
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
