# Are these the rows that a fit was made from? Its fingerprint says so, which does not depend on the
# order of the rows nor on how they are stored.

# As a fit keeps it: the hash of all rows with their response, and of those with a weight where some
# have none. Of rows in a file it is that of the file and of which of its rows they are.
fingerprint_of <- function(x, response = NULL, weights = NULL) {
  if (is_rows(x)) {
    return(mark_of_file(x))
  }
  used <- if (any(weights == 0)) unname(weights > 0)
  unlist(row_hash_cpp(x, response_numbers(response), used, FALSE, NULL), use.names = FALSE)
}

# NULL of soft labels and of one class: the features alone tell.
response_numbers <- function(response) {
  if (is.null(response) || inherits(response, "soft_labels")) NULL else as.double(response)
}

# Of rows to judge, which have a response and a decision value each: `fingerprint`, and `fitted`,
# are they those of the fit? NA in doubt: most rows are like others of them, or the features differ
# where responses and decision values agree (poly() of new rows; a fit of rows in a file, judged by
# those of another).
compared_with_training <- function(fit, x, truth, scores) {
  if (is.null(response_numbers(fit$response))) truth <- NULL
  hash <- hash_of_rows(x, response_numbers(truth), !is.null(fit$file))
  fitted <- if (!hash$all %in% fit$fingerprint) {
    agrees_with_training(fit, truth, scores) && NA
  } else if (2 * hash$distinct > NROW(scores)) TRUE else NA
  list(fingerprint = hash$all, fitted = fitted)
}

# As fingerprint_of(), with the number of distinct rows as far as it is known; of rows in a file
# that of the rows themselves, block by block, unless the fit is one of a file too.
hash_of_rows <- function(x, response, of_file) {
  if (!is_rows(x)) {
    return(row_hash_cpp(x, response, NULL, TRUE, NULL))
  }
  sum <- if (of_file) mark_of_file(x)
  if (!of_file) for_blocks(x, function(which) {
    sum <<- row_hash_cpp(rows_block(x, which), response[which], NULL, FALSE, sum)$all
  })
  list(all = sum, distinct = x$n)
}

# Do responses and decision values agree, where these differ by more than rounding?
agrees_with_training <- function(fit, truth, scores) {
  used <- training_subset(fit, NROW(scores))
  if (!any(used)) {
    return(FALSE)
  }
  fitted <- some_scores(fit$scores, used)
  spread <- diff(range(fitted))
  tolerance <- max(1e-8 * spread, 1e-14 * max(abs(fitted)))
  response <- response_numbers(fit$response)[used]
  labels <- response_numbers(truth)
  sorted <- function(response, scores) {
    scores <- as.matrix(unname_rows(scores))
    apply(scores, 2L, function(column) column[score_order(response, column)])
  }
  tolerance < 1e-3 * spread && identical(sort(unname(response)), sort(labels)) &&
    all(abs(sorted(response, fitted) - sorted(labels, scores)) <= tolerance)
}

# The rows of the fit that so many rows may be: all, or those with a weight.
training_subset <- function(fit, n) {
  used <- fit$weights > 0
  if (n == length(used)) rep(TRUE, n) else if (n == sum(used)) used else used & FALSE
}

# By response, and by decision value where it is the same.
score_order <- function(response, scores) {
  keys <- unname(as.data.frame(unname_rows(scores)))
  do.call(order, c(if (!is.null(response)) list(response_numbers(response)), keys))
}

# The weights that the rows of a fit have there, in the order of these rows. Rows of one response
# and decision value may exchange theirs, which no metric sees.
weights_of_training <- function(fit, truth, scores) {
  used <- training_subset(fit, NROW(scores))
  if (is.null(response_numbers(fit$response))) truth <- NULL
  response <- if (!is.null(truth)) fit$response[used]
  weights <- unname(fit$weights[used])
  own <- score_order(response, some_scores(fit$scores, used))
  replace(weights, score_order(truth, scores), weights[own])
}

# In doubt a result is made; what it is worth if these rows were fitted is said.
warn_maybe_training <- function(arg, consequence) {
  warn_shared_rows(sprintf(paste(
    "`%s` may be the rows of the fit: as many, with the same responses and decision values, and",
    "most of them like others, or with features that were computed anew. If they are, %s."
  ), arg, consequence))
}

warn_shared_rows <- function(message) {
  warning(structure(class = c("dualmargin_shared_rows", "warning", "condition"),
                    list(message = message, call = NULL)))
}
