#' Worst-case distribution of a distributionally robust SVM
#'
#' Look at what a robust fit guards against. [margin_robust()] guards against every distribution
#' that can be made from the data at a cost of
#' at most `radius`. `worst_case()` shows the worst-case distribution: which labels it changes,
#' which rows it moves, how far, and what the mean hinge loss then is.
#'
#' Row i carries the mass \eqn{p_i = \omega_i / W}; \eqn{s = |w|_q}{s = |w|_q} is the norm of the
#' coefficients in the problem that was solved and \eqn{u_i = y_i z_i} the margin.
#' \deqn{\mathrm{risk} = \min_{t \ge s}\; t\,\epsilon + \sum_i p_i \max(1 - u_i,\;
#'   1 + u_i - \kappa t,\; 0)}{
#'   risk = min over t >= s of t epsilon + sum_i p_i max(1 - u_i, 1 + u_i - kappa t, 0)}
#' is the worst mean hinge loss (`certificate(fit)$value` without the ridge term). Its dual is a
#' fractional knapsack: changing the label of row i gains \eqn{g_i = (1 + u_i) - \max(1 - u_i,
#' 0)}{g_i = (1 + u_i) - max(1 - u_i, 0)} a unit of mass at the cost \eqn{\kappa}, moving features
#' gains \eqn{s} a unit of distance for any mass with an active hinge,
#' \deqn{\max_{0 \le f_i \le p_i,\; m \ge 0}\; \sum_i p_i \max(1 - u_i, 0) + \sum_i f_i g_i +
#'   s\,m \quad \mathrm{with} \quad \kappa \sum_i f_i + m \le \epsilon.}{
#'   max over 0 <= f_i <= p_i, m >= 0 of sum_i p_i max(1 - u_i, 0) + sum_i f_i g_i + s m
#'   with kappa sum_i f_i + m <= epsilon.}
#' So labels are changed in the order of \eqn{g_i} while \eqn{g_i / \kappa > s}, and the rest of
#' the radius moves all mass with an active hinge (\eqn{u_i \le 1}{u_i <= 1}, or a changed label) by
#' the same distance, along `direction`. Which of that mass is moved makes no difference to the
#' loss; moving all of it keeps the moves short.
#'
#' Where no mass has an active hinge, as on separable rows with a small radius, the worst case is
#' only *approached*: the less mass is moved the further, the nearer the loss comes to the risk.
#' Then a part of the row with the smallest margin is moved so far that the loss is short of the
#' risk by at most `tolerance` times the risk, and the attribute `attained` is `FALSE`.
#'
#' @section Units:
#' Distances, cost and radius are those of the problem that was solved: with `scale = TRUE`, of the
#' columns divided by their standard deviation (`fit$scales`). `direction` is in the units of the
#' columns of `data`. With `intercept = "penalized"` the constant column is a coordinate like any
#' other, so the direction has a part `"(Intercept)"`; a free intercept is not moved.
#'
#' @param fit A fit of [margin_robust()].
#' @param data,y The rows and labels it was fitted to, as they were given, in their order: a fit
#'   keeps neither its rows nor copies of them, and their decision values are compared with those of
#'   the fit. For a fit from a formula `data` is the data frame and `y` is left out. Sparse matrices
#'   stay sparse.
#' @param class For three or more classes, the level whose one-vs-rest problem is meant.
#' @param tolerance How far the loss may be below the risk, relative to it, where the worst case is
#'   only approached; between 0 and 1.
#' @param ... Not used; an unknown argument is an error.
#' @return A data frame of class `c("margin_worst_case", "data.frame")`, the worst distribution: one
#'   row for each training row of positive weight, and one more for each part of it that is treated
#'   differently (its label changed, or moved far away).
#'   * `row`: row of `data`;
#'   * `mass`: sums to one over all rows;
#'   * `label`: afterwards, a factor (for three or more classes, of the class and "not" the class);
#'   * `flipped`: was the label changed?
#'   * `distance`: how far the features were moved;
#'   * `cost`: `mass * (distance + label_cost * flipped)`, sums to at most the radius;
#'   * `margin_before`, `margin_after`: \eqn{y z}, for the label and the features before and after;
#'   * `loss`: the hinge loss afterwards; `sum(mass * loss)` is the worst mean loss.
#'
#'   Its attributes: `direction` (what one unit of distance adds to each column of a row whose label
#'   is positive afterwards; the opposite for a negative one), `radius`, `label_cost`, `norm`,
#'   `total_cost`, `risk` (the supremum of the mean loss), `attained` (is `sum(mass * loss)` equal
#'   to it?) and `labels` (negative, positive).
#'
#'   `tidy()` has the rows alone, `glance()` one row: `radius`, `label_cost`, `norm`, `total_cost`,
#'   `risk`, `attained` and `flipped`, the mass whose label changed. `plot()` draws the mass over
#'   the margins before and after and returns the drawn heights, invisibly.
#' @section Errors:
#' Rows, labels or decision values that are not those of the fit, `class` for two classes or none
#' for more, and a bad `tolerance` are errors of class `dualmargin_input_error`.
#' @references
#' Shafieezadeh-Abadeh S, Kuhn D, Mohajerin Esfahani P (2019). Regularization via mass
#' transportation. *Journal of Machine Learning Research* 20(103), 1-68. arXiv:1710.10016.
#' @seealso [margin_robust()].
#' @examples
#' fit <- margin_robust(type ~ ., data = spambase, radius = 0.05, label_cost = 1)
#' worst <- worst_case(fit, spambase)
#' worst
#' plot(worst)
#'
#' # the e-mails whose label the worst case changes, and what one unit of distance adds to a spam
#' head(spambase[worst$row[worst$flipped], c("word_freq_your", "word_freq_free", "type")])
#' head(attr(worst, "direction"))
#' @export
worst_case <- function(fit, data, y, ...) UseMethod("worst_case")

#' @rdname worst_case
#' @export
worst_case.margin_robust <- function(fit, data, y, class = NULL, tolerance = 1e-6, ...) {
  assert_no_extra("worst_case()", ...)
  assert_fit(fit, "fit")
  assert_number(tolerance, "tolerance", lower = 0, upper = 1, remedy = "the default is 1e-6")
  levels <- assert_one_problem(fit, class)
  rows <- training_rows(fit, data, y)
  settings <- fit$settings
  positive <- as.character(fit$response) == levels[2L]
  scores <- if (is.null(class)) fit$scores else fit$scores[, class]
  column <- if (is.null(class)) 1L else class
  w <- scaled_slopes(fit)[, column]
  units <- fit$scales
  if (settings$intercept == "penalized") {
    w <- c("(Intercept)" = coef_matrix(fit)[[1L, column]], w)
    units <- c(1, units)
  }
  found <- worst_transport(ifelse(positive, 1, -1) * unname(scores), row_shares(fit),
                           vector_norm(w, settings$norm), settings, tolerance)
  parts <- found$parts
  parts$label <- factor(levels[1L + xor(positive[parts$i], parts$flipped)], levels)
  parts$row <- rows[parts$i]
  columns <- c("row", "mass", "label", "flipped", "distance", "cost", "margin_before",
               "margin_after", "loss")
  structure(parts[columns], class = c("margin_worst_case", "data.frame"),
            direction = -steepest(w, settings$norm) * units, radius = settings$radius,
            label_cost = settings$label_cost, norm = settings$norm, total_cost = sum(parts$cost),
            risk = found$risk, attained = found$attained, labels = levels)
}

#' @export
worst_case.default <- function(fit, data, y, ...) {
  abort_input(sprintf("`fit` is %s, but must be a fit of margin_robust().",
                      show_value(fit)), "fit")
}

# The worst distribution for margins u, the masses share and |w| = slope: its parts (of row i), the
# risk, and whether the parts attain it.
worst_transport <- function(u, share, slope, settings, tolerance) {
  radius <- settings$radius
  label_cost <- settings$label_cost
  gain <- (1 + u) - pmax(1 - u, 0)
  risk <- worst_risk(u, gain, share, slope, radius, label_cost)
  worth <- share > 0 & gain > (if (slope > 0) label_cost * slope else 0)
  flipped <- flip_masses(gain, ifelse(worth, share, 0), label_cost, radius)
  # without labels to change label_cost may be infinite; one changed in part used up the radius
  flip_cost <- if (any(flipped > 0)) label_cost else 0
  spent <- slope == 0 || any(flipped[worth] < share[worth])
  rest <- if (spent) 0 else max(radius - flip_cost * sum(flipped), 0)
  kept <- share - flipped
  kept[kept <= 1e-14 * share] <- 0 # by rounding, of a row that is flipped whole
  at_hinge <- u <= 1 + 1e-12
  active <- sum(kept[at_hinge]) + sum(flipped)
  step <- if (active > 0) rest / active else 0
  moved <- 0 * u
  if (rest > 0 && active == 0) {
    # mass f moved by rest / f is short of the risk by f (u - 1)
    nearest <- which.min(ifelse(share > 0, u, Inf))
    moved[nearest] <- min(share[nearest], tolerance * risk / (u[nearest] - 1))
  }
  part <- function(mass, flipped, distance) {
    i <- which(mass > 0)
    data.frame(i = i, mass = mass[i], flipped = rep(flipped, length(i)), distance = distance[i])
  }
  parts <- rbind(part(kept - moved, FALSE, ifelse(at_hinge, step, 0)),
                 part(flipped, TRUE, rep(step, length(u))), part(moved, FALSE, rest / moved))
  parts <- without_row_names(parts[order(parts$i), ])
  parts$cost <- parts$mass * (parts$distance + flip_cost * parts$flipped)
  parts$margin_before <- u[parts$i]
  parts$margin_after <- ifelse(parts$flipped, -1, 1) * u[parts$i] - slope * parts$distance
  parts$loss <- pmax(1 - parts$margin_after, 0)
  list(parts = parts, risk = risk, attained = all(moved == 0))
}

# min over t >= slope of t radius + sum share max(1 - u, 1 + u - kappa t, 0): going down from the
# highest t_i = g_i / kappa at which row i enters its second piece, until the slope is negative.
worst_risk <- function(u, gain, share, slope, radius, label_cost) {
  if (is.infinite(label_cost)) {
    return(slope * radius + sum(share * pmax(1 - u, 0)))
  }
  t <- slope
  if (label_cost > 0) {
    enter <- order(gain, decreasing = TRUE)
    enter <- enter[share[enter] > 0 & gain[enter] > label_cost * slope]
    falls <- which(label_cost * cumsum(share[enter]) > radius)
    if (length(falls) > 0L) t <- gain[enter[falls[1L]]] / label_cost
  }
  t * radius + sum(share * pmax(1 - u, 1 + u - label_cost * t, 0))
}

# The most of each mass, largest gain first, that the radius pays for.
flip_masses <- function(gain, mass, label_cost, radius) {
  if (!any(mass > 0) || label_cost == 0) {
    return(mass)
  }
  by_gain <- order(gain, decreasing = TRUE)
  before <- cumsum(mass[by_gain]) - mass[by_gain]
  mass[by_gain] <- pmin(mass[by_gain], pmax(radius / label_cost - before, 0))
  mass
}

vector_norm <- function(w, norm) {
  switch(norm, l1 = sum(abs(w)), l2 = sqrt(sum(w^2)), linf = max(abs(w)))
}

# The v of dual norm 1 with v'w = |w|; 0 for w = 0, where no move changes a score.
steepest <- function(w, norm) {
  if (all(w == 0)) {
    return(w)
  }
  largest <- which.max(abs(w))
  switch(norm, l1 = sign(w), l2 = w / vector_norm(w, norm),
         linf = replace(0 * w, largest, sign(w[[largest]])))
}

# What a worst case says of itself, and its picture. Documented in worst_case.R.

#' @rdname worst_case
#' @param x A result of `worst_case()`.
#' @param digits Significant digits.
#' @param top How many of the changed parts to print, the most harmful first.
#' @export
print.margin_worst_case <- function(x, digits = max(3L, getOption("digits") - 3L), top = 6L, ...) {
  assert_no_extra("print()", ...)
  assert_number(top, "top", lower = 0, open = FALSE, whole = TRUE, infinite = TRUE)
  cat(describe_worst_case(x, digits), sep = "\n")
  changed <- x[x$cost > 0 | x$flipped, ]
  rise <- changed$mass * (changed$loss - pmax(1 - changed$margin_before, 0))
  changed <- changed[order(-rise), names(x) != "cost"]
  shown <- min(top, nrow(changed))
  if (shown > 0L) {
    cat(sprintf("\n%d of %s that changed, most harmful first\n", shown,
                count(nrow(changed), "part")))
    print(utils::head(changed, shown), digits = digits, row.names = FALSE)
  }
  invisible(x)
}

# Some rows or columns of a distribution are none: they become a plain data frame.
#' @export
`[.margin_worst_case` <- function(x, ...) {
  part <- NextMethod()
  if (!is.data.frame(part)) {
    return(part)
  }
  attributes(part)[worst_case_attributes] <- NULL
  structure(part, class = "data.frame")
}

worst_case_attributes <- c("direction", "radius", "label_cost", "norm", "total_cost", "risk",
                           "attained", "labels")

describe_worst_case <- function(x, digits) {
  number <- function(value) format(value, digits = digits)
  percent <- function(mass) paste(format(100 * mass, digits = 3L), "%")
  labels <- attr(x, "labels")
  loss <- sum(x$mass * x$loss)
  moved <- x$distance > 0
  flips <- sum(x$mass[x$flipped])
  rows <- c(
    labels = sprintf("%s, %s", labels[1L], labels[2L]),
    radius = sprintf("%s, of which %s is spent", number(attr(x, "radius")),
                     number(attr(x, "total_cost"))),
    "loss before" = number(sum(x$mass * pmax(1 - x$margin_before, 0))),
    "loss after" = if (attr(x, "attained")) sprintf("%s, the robust risk", number(loss)) else
      sprintf("%s, approaches the robust risk %s, which no distribution attains", number(loss),
              number(attr(x, "risk"))),
    changed = if (flips > 0) {
      sprintf("the label of %s of the mass, in %s", percent(flips),
              count(sum(x$flipped), "row"))
    } else {
      "no label"
    },
    moved = if (any(moved)) {
      sprintf("%s of the mass, by %s (%s distance)", percent(sum(x$mass[moved])),
              number(max(x$distance)), dual_norms[[attr(x, "norm")]])
    } else {
      "nothing"
    }
  )
  c("<margin_worst_case> the distribution in the ball with the largest hinge loss",
    sprintf("  %-13s %s", names(rows), rows))
}

#' @rdname worst_case
#' @export
tidy.margin_worst_case <- function(x, ...) {
  assert_no_extra("tidy()", ...)
  as_tibble_if_installed(x[])
}

#' @rdname worst_case
#' @export
glance.margin_worst_case <- function(x, ...) {
  assert_no_extra("glance()", ...)
  one <- attributes(x)[c("radius", "label_cost", "norm", "total_cost", "risk", "attained")]
  as_tibble_if_installed(data.frame(one, flipped = sum(x$mass[x$flipped])))
}

#' @rdname worst_case
#' @export
plot.margin_worst_case <- function(x, ...) {
  assert_plot_arguments("plot()", ...)
  width <- diff(pretty(range(x$margin_before, 0, 1), 40L)[1:2])
  # Mass that was moved out of sight is drawn at the left end, however far it went.
  span <- diff(range(x$margin_before))
  lowest <- max(min(x$margin_after), min(x$margin_before) - max(span, 2))
  shown <- list(before = x$margin_before, after = pmax(x$margin_after, lowest))
  breaks <- width * seq(floor(min(unlist(shown), -1) / width),
                        ceiling(max(unlist(shown), 1) / width) + 1)
  heights <- vapply(shown, function(margin) {
    bin <- factor(findInterval(margin, breaks), seq_len(length(breaks) - 1L))
    as.vector(stats::xtabs(x$mass ~ bin))
  }, numeric(length(breaks) - 1L))
  labels <- c("before", "after")
  old <- graphics::par(mar = c(4.2, 4.2, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  room <- make_legend_room(labels)
  beyond <- any(x$margin_after < lowest)
  draw(graphics::plot, list(
    x = range(breaks), y = c(0, max(heights)), type = "n", las = 1, main = "Worst case in the ball",
    xlab = if (beyond) "margin y z (leftmost bar: that and below)" else "margin y z",
    ylab = "share of the mass"
  ), list(...))
  left <- breaks[-length(breaks)]
  for (k in 1:2) {
    graphics::rect(left, 0, breaks[-1L], heights[, k], border = NA,
                   col = histogram_colours(list(...)[["col"]])[k])
  }
  graphics::abline(v = c(0, 1), lty = c(2, 3), col = "grey40")
  side_legend(room, labels, fill = histogram_colours(list(...)[["col"]]), border = NA)
  invisible(data.frame(from = left, to = breaks[-1L], heights))
}
