liblinear_spec <- function(type = 2, cost = 1, tolerance = NULL, bias = TRUE, certify = TRUE,
                           tol = 1e-3, name = NULL, class_weights = NULL, ...) {
  assert_no_extra("spec_peer(\"LiblineaR\")", ...)
  assert_package("LiblineaR", "spec_peer(\"LiblineaR\")")
  known <- c(0, 1, 2, 3, 5, 6, 7)
  if (!is.numeric(type) || length(type) != 1L || !type %in% known) {
    abort_input(sprintf("`type` is %s, but must be one of %s, see the table.", show_value(type),
                        toString(known)), "type")
  }
  assert_number(cost, "cost", lower = 0, remedy = "the default is 1")
  if (!is.null(tolerance)) {
    assert_number(tolerance, "tolerance", lower = 0, remedy = "NULL is LiblineaR's own")
  }
  assert_flag(bias, "bias")
  logistic <- type %in% c(0, 6, 7)
  peer_spec(
    fit_fun = function(x, y) {
      assert_labels_given(y, "spec_peer(\"LiblineaR\")")
      LiblineaR::LiblineaR(as.matrix(x), y, type = type, cost = cost, epsilon = tolerance,
                           bias = as.double(bias), wi = peer_class_weights(class_weights, y))
    },
    predict_fun = function(model, x, levels) {
      score <- unname_rows(liblinear_scores(model, x, levels))
      # by its scores: with bias = 0 the package's predict() reads beyond the coefficients
      class <- factor(levels[class_of_scores(score)], levels)
      list(class = class, score = score,
           prob = if (logistic) unname_rows(prob_of_scores(score, levels)))
    },
    mapping_fun = function(model, x, y, weights) {
      liblinear_mapping(model, as.matrix(x), y, cost, stated_class_weights(class_weights, y))
    },
    certify, tol, if (is.null(name)) paste("LiblineaR type", type) else name,
    class_weights
  )
}

# A column for each problem, towards its level (two levels: the second).
liblinear_weights <- function(model, levels) {
  weights <- t(model$W)
  if (length(levels) > 2L) {
    return(weights[, match(levels, as.character(model$ClassNames)), drop = FALSE])
  }
  if (as.character(model$ClassNames[1L]) == levels[2L]) weights else -weights
}

liblinear_scores <- function(model, x, levels) {
  weights <- liblinear_weights(model, levels)
  scores <- as.matrix(x %*% weights[seq_len(ncol(x)), , drop = FALSE])
  if (nrow(weights) > ncol(x)) scores <- sweep(scores, 2L, weights[nrow(weights), ], `+`)
  if (length(levels) == 2L) drop(scores) else
    matrix(scores, ncol = length(levels), dimnames = list(NULL, levels))
}
