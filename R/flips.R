# Which rows of the fit, and how many, a predicted class hangs on.

#' Which training rows could flip a prediction, and how many it takes
#'
#' A prediction that one mislabelled row could turn is no prediction to act on. For each row to
#' predict `margin_flips()` lists the rows of the fit whose removal (or relabelling) **alone** could
#' give the exact optimum another class, and a **proven lower bound** on how many rows must be
#' removed (or relabelled) together for that. All of it follows from the one fit. What a stated
#' change does is [margin_sensitivity()].
#'
#' Nothing here says that so many rows are enough: the bound is below the truth, often by a large
#' factor. At a small penalty, as the default `lambda` is, it is one or two rows for most
#' predictions and of little use; it rises with `lambda`, and `print()` then names one to try.
#' Searches for a smallest set of rows (Broderick, Giordano and Meager 2020) come from the other
#' side: what they find is enough, and fewer might do.
#'
#' Let \eqn{\kappa}{kappa} be the penalty beside the sum of losses, which stays (rule `"cost"` of
#' [margin_sensitivity()]), \eqn{\Delta_j = (\omega'_j a'_j - \omega_j a_j) x_j}{Delta_j = (omega'_j
#' a'_j - omega_j a_j) x_j} the change of row \eqn{j}, and \eqn{s} the sign of the decision value
#' \eqn{f(x)}.
#'
#' * *Ball* (penalised or no intercept). Towards the other class the value moves by at most the sum
#'   of \eqn{(|x||\Delta_j| + s\, x^\top\Delta_j)/(2\kappa)}{(|x||Delta_j| + s x'Delta_j)/(2 kappa)}
#'   over the rows that change: a norm plus a linear function is subadditive. So `k` rows are not
#'   enough while the `k` largest sum to less than \eqn{|f(x)|}. Beside it stands the sum of the `k`
#'   largest \eqn{s\,x^\top\Delta_j}{s x'Delta_j} with \eqn{|\sum \Delta_j| \le \sigma k^{1/2}}{|sum
#'   Delta_j| <= sigma k^(1/2)}, \eqn{\sigma}{sigma} the largest singular value of all
#'   \eqn{\Delta_j}{Delta_j}, which grows slower.
#' * *Free intercept.* The same by a dual point of the problem without the rows, tilted by the score
#'   of \eqn{x}; wider by a factor of about 2.
#' * *Curvature* (logistic and squared loss, any intercept). The Newton step of each row, and a
#'   bound on what the `k` largest together miss: derived below.
#'
#' Each holds for a fit as it is, with its gap; the largest of the bounds is reported. For each row
#' that could flip a prediction by itself the changed problem is then solved as
#' [margin_sensitivity()] does (`refits`), which tells whether it does: `alone` and `proven` are
#' equal then but for what rounding leaves. What several rows do together is bounded, not solved.
#'
#' For kernels \eqn{x_j} is \eqn{k(x_j, \cdot)}{k(x_j, .)} and all products are kernel values.
#' Beyond 500 rows \eqn{\sigma^2}{sigma^2} is bounded by the largest row sum of the products'
#' absolute values; beyond 2,000 it and the curvature are left out.
#'
#' @section The bound of k rows by curvature:
#' Rows \eqn{(x_i, 1)} of a free intercept are written \eqn{x_i}, and \eqn{\theta = (w,
#' b)}{theta = (w, b)}. Let
#' \deqn{H = \frac1W \sum_i \omega_i \phi''(z_i) x_i x_i^\top + \lambda \Pi, \quad G = \frac1W
#' \sum_i \omega_i \phi'(z_i) x_i + \lambda \Pi \theta}{H = (1/W) sum_i omega_i phi''(z_i) x_i x_i'
#' + lambda Pi,  G = (1/W) sum_i omega_i phi'(z_i) x_i + lambda Pi theta}
#' at the fit, \eqn{\Pi}{Pi} the identity but for a free intercept, \eqn{g = |G|_{H^{-1}}}{g =
#' |G|_H^-1} and \eqn{R = \max_i |x_i|_{H^{-1}}}{R = max_i |x_i|_H^-1}. Let the rows \eqn{S} change,
#' by \eqn{\Delta_j = (\omega'_j \phi'(z_j, y'_j) - \omega_j \phi'(z_j, y_j)) x_j/W}{Delta_j =
#' (omega'_j phi'(z_j, y'_j) - omega_j phi'(z_j, y_j)) x_j/W}: the gradient of the changed problem
#' at the fit is \eqn{G + \Delta}{G + Delta}, \eqn{\Delta = \sum_S \Delta_j}{Delta = sum_S Delta_j},
#' and its Hessian \eqn{H_S(\theta)}{H_S(theta)} is within \eqn{\pm \Lambda H}{+-Lambda H} of
#' \eqn{H}, \eqn{\Lambda = \frac1W \sum_S |\omega'_j - \omega_j| \phi''(z_j)
#' |x_j|^2_{H^{-1}}}{Lambda = (1/W) sum_S |omega'_j - omega_j| phi''(z_j) |x_j|^2_H^-1} (another
#' class does not change \eqn{\phi''}{phi''}).
#'
#' 1. Take any point, with the gradient \eqn{\Gamma}{Gamma} and the Hessian \eqn{M} of a problem,
#'    and let \eqn{\nu = |\Gamma|_{M^{-1}}}{nu = |Gamma|_M^-1} and \eqn{\rho = \max_i
#'    |x_i|_{M^{-1}}}{rho = max_i |x_i|_M^-1}. The optimal value at \eqn{x} is within
#'    \eqn{|x|_{M^{-1}} \nu \psi(\nu \rho)}{|x|_M^-1 nu psi(nu rho)} of the value there,
#'    \eqn{\psi(s) = -\log(1 - s)/s}{psi(s) = -log(1 - s)/s}, taken as infinite from \eqn{s = 0.9}
#'    on (see [margin_certain()]; 1 for the squared loss). At the fit \eqn{M = H_S(\theta) \ge (1 -
#'    \Lambda) H}{M = H_S(theta) >= (1 - Lambda) H}, so with \eqn{D = |\Delta|_{H^{-1}}}{D =
#'    |Delta|_H^-1} the value moves by at most \eqn{|x|_{H^{-1}} \nu \psi(\nu R)}{|x|_H^-1 nu psi(nu
#'    R)}, \eqn{\nu = (g + D)/(1 - \Lambda)}{nu = (g + D)/(1 - Lambda)}.
#' 2. After the step \eqn{\delta = -H^{-1} \Delta}{delta = -H^-1 Delta} the value at \eqn{x} is
#'    \eqn{\sum_S c_j}{sum_S c_j} higher, \eqn{c_j = -x^\top H^{-1} \Delta_j}{c_j = -x'H^-1
#'    Delta_j}, and no \eqn{z_i} has moved by more than \eqn{t = R D}. The gradient there is
#'    \deqn{G + \int_0^1 (H_S(\theta + s\delta) - H_S(\theta)) \delta \, ds + (H_S(\theta) - H)
#'    \delta,}{G + int_0^1 (H_S(theta + s delta) - H_S(theta)) delta ds + (H_S(theta) - H) delta,}
#'    as \eqn{H \delta = -\Delta}{H delta = -Delta}. Since \eqn{|\phi'''| \le \phi''}{|phi'''| <=
#'    phi''} the Hessian changes by at most the factors \eqn{e^{\pm st}}{e^(+-st)} on the way; so in
#'    the norm of \eqn{H_S(\theta)^{-1}}{H_S(theta)^-1} the integral is at most \eqn{(1 +
#'    \Lambda)^{1/2} D \int_0^1 (e^{st} - 1) ds = (1 + \Lambda)^{1/2} D (e^t - 1 - t)/t}{(1 +
#'    Lambda)^(1/2) D int_0^1 (e^(st) - 1) ds = (1 + Lambda)^(1/2) D (e^t - 1 - t)/t}, the last term
#'    \eqn{\Lambda D/(1 - \Lambda)^{1/2}}{Lambda D/(1 - Lambda)^(1/2)} and \eqn{G} at most \eqn{g/(1
#'    - \Lambda)^{1/2}}{g/(1 - Lambda)^(1/2)}.
#' 3. The Hessian after the step is at least \eqn{e^{-t} (1 - \Lambda) H}{e^-t (1 - Lambda) H}. With
#'    \deqn{\nu = e^{t/2} \left(\frac{g + \Lambda D}{(1 - \Lambda)^{1/2}} + (1 + \Lambda)^{1/2} D
#'    \frac{e^t - 1 - t}{t}\right), \quad h = \left(\frac{e^t}{1 - \Lambda}\right)^{1/2}}{nu =
#'    e^(t/2) ((g + Lambda D)/(1 - Lambda)^(1/2) + (1 + Lambda)^(1/2) D (e^t - 1 - t)/t),  h =
#'    (e^t/(1 - Lambda))^(1/2)}
#'    the first point, taken there, says that the step misses at most \eqn{|x|_{H^{-1}} h\, \nu\,
#'    \psi(\nu R h)}{|x|_H^-1 h nu psi(nu R h)}. The squared loss has \eqn{t = 0} in it, as its
#'    Hessian does not change with \eqn{\theta}{theta}.
#' 4. Both bounds rise with \eqn{D} and \eqn{\Lambda}{Lambda}. Of any `k` rows \eqn{D} is at most
#'    the sum of the `k` largest \eqn{|\Delta_j|_{H^{-1}}}{|Delta_j|_H^-1}, and at most \eqn{\sigma
#'    k^{1/2}}{sigma k^(1/2)} with the largest singular value of all \eqn{H^{-1/2}
#'    \Delta_j}{H^(-1/2) Delta_j}; \eqn{\Lambda}{Lambda} is at most the sum of its `k` largest
#'    terms, and the step towards the other class at most the sum of the `k` largest positive
#'    \eqn{-s c_j}. So what any `k` rows do together is at most the bound in 1., and at most this
#'    sum and the bound in 3., at these \eqn{D} and \eqn{\Lambda}{Lambda}: where one of them is
#'    below \eqn{|f(x)|} at least `k + 1` rows are needed. From \eqn{\Lambda = 0.99}{Lambda = 0.99}
#'    or \eqn{t = 50} on nothing is said.
#'
#' @param certain What [margin_certain()] returned for a fit of two classes, of [margin_linear()]
#'   with `mixture = 0` or of [margin_kernel()].
#' @param data,y The rows and labels of the fit, as they were given, in their order: neither the fit
#'   nor `certain` keeps them. For a fit from a formula `data` is the data frame and `y` is left
#'   out.
#' @param newdata Rows to predict, as for [predict.margin_fit()]; without it the rows of the fit.
#' @param change What may happen to a row of the fit: `"remove"`, or `"relabel"` (it gets the other
#'   class).
#' @param most How many rows of the fit are listed for each prediction.
#' @param refits For how many rows of the fit, those that could flip the most predictions, the
#'   changed problem is solved, which may take as many refits; 0 leaves it at the bounds.
#' @param ... Nothing: unknown arguments are errors.
#' @param settle Deprecated, now `refits`.
#' @return An object of class `"margin_flips"`, a list:
#'   * `rows`: a data frame with a row for each row to predict: `row`, its number in `newdata` (or
#'     `data`), `score` and `class` of the fit, `alone` (how many rows of the fit could each flip
#'     the class alone), `proven` (how many of them certainly do), `needed` (no fewer rows together
#'     can flip it; 0 where already the exact optimum of the fit's own problem is not known to have
#'     that class, `Inf` where no number of rows can), `first` (the row of `data` with the largest
#'     bound);
#'   * `bounds`: a data frame with the `most` largest bounds for each prediction, the largest first:
#'     `row`, `changed` (the row of `data`), `bound` (how far the change of that row alone can move
#'     the decision value towards the other class, the gap of the fit included) and `flips`: `TRUE`
#'     where it certainly turns the class, `FALSE` where certainly not, `NA` where that is open;
#'   * `summary`: one row: `change`, `predicted`, `undecided` (with `needed` 0), `alone`
#'     (predictions that one row could flip), `proven` (that one row certainly flips), `least`,
#'     `median` and `most` of `needed`.
#'
#'   [as.data.frame()] and [tidy()] give `rows`, [summary()] and [glance()] give `summary`. `plot()`
#'   draws how many predictions have which `needed`; `plot(x, row = 3)` the bounds of the third
#'   prediction, in decreasing order, beside what it takes to flip it.
#' @section Errors:
#' Another kind of fit, several classes, a regression, an l1 part (`mixture` above 0), and rows and
#' labels that are not those of the fit are errors of class `dualmargin_input_error`.
#' @references
#' Hanada H, Shibagaki A, Sakuma J, Takeuchi I (2018). Efficiently monitoring small data
#' modification effect for large-scale learning in changing environment. *Proceedings of the AAAI
#' Conference on Artificial Intelligence* 32(1), 1314-1321. \doi{10.1609/aaai.v32i1.11516}.
#'
#' Broderick T, Giordano R, Meager R (2020). An automatic finite-sample robustness metric: when can
#' dropping a little data make a big difference? arXiv:2011.14999.
#' @seealso [margin_sensitivity()], [margin_certain()].
#' @examples
#' train <- spambase[seq(1, nrow(spambase), by = 5), ]
#' test <- spambase[seq(2, nrow(spambase), by = 20), ]
#' fit <- margin_linear(type ~ ., data = train, lambda = 0.1, intercept = "penalized")
#' certain <- margin_certain(fit, train)
#' flips <- margin_flips(certain, train, newdata = test)
#' flips
#' # predictions that one row of the training set could turn, and which rows those are
#' fragile <- subset(as.data.frame(flips), alone > 0)
#' head(fragile)
#' head(subset(flips$bounds, is.na(flips) | flips))
#' plot(flips)
#' @export
margin_flips <- function(certain, data, y, newdata, change = c("remove", "relabel"), most = 5,
                         refits = Inf, ..., settle) {
  assert_no_extra("margin_flips()", ...)
  fit <- fit_of_certain(certain, "margin_flips()")
  change <- one_of(change, c("remove", "relabel"), "change")
  assert_number(most, "most", lower = 1, upper = 1e6, open = FALSE, whole = TRUE)
  assert_refits(refits)
  if (!missing(settle)) refits <- refits_of_settle(settle, !missing(refits))
  if (fit$task == "regression" || length(fit$levels) != 2L) {
    abort_input(sprintf("`certain` is about %s, but flips are counted for two classes; %s.",
                        if (fit$task == "regression") "a regression" else
                          count(length(fit$levels), "class problem"),
                        "margin_sensitivity() has the intervals after a change"), "certain")
  }
  if (isTRUE(fit$settings$mixture > 0)) {
    abort_input(paste("`certain` is about a fit with an l1 part (mixture above 0), for which flips",
                      "are not counted; margin_sensitivity() has the intervals after a change."),
                "certain")
  }
  at <- training_rows(fit, data, y)
  x <- design_newdata(fit, data)$x
  if (length(at) < nrow(x)) x <- x[at, , drop = FALSE]
  new <- rows_to_predict(fit, newdata, missing(newdata), x, at)
  found <- count_flips(fit, x, new, change, most, refits)
  new_flips(fit, found, new, at, change)
}

# `settle` counted the rows of the fit without which the problem is solved.
refits_of_settle <- function(settle, both) {
  assert_one_of_names("settle", "margin_flips()", both)
  assert_number(settle, "settle", lower = 0, upper = 1e6, open = FALSE, whole = TRUE)
  inform_deprecated("margin_flips(): `settle` is now `refits`.", "margin_flips()")
  settle
}

# For each prediction `needed`, `alone`, `proven`, the room that it has, and by columns the rows
# with the largest bounds: src/decide/flips.h.
count_flips <- function(fit, x, new, change, most, refits) {
  known <- responses_of_fit(fit)
  ask_of_change(fit, x, new$x, c(flips_cpp, flips_kernel_cpp), list(
    y = known$y, omega = known$omega, rule = "cost", regression = FALSE, score = new$score,
    turned = if (change == "relabel") turned_weights(fit), most = most, refits = refits
  ))
}

# Of rows with the other class.
turned_weights <- function(fit) {
  weights <- unname(fit$weights)
  class_weights <- fit$settings$class_weights
  if (is.null(class_weights)) weights else
    weights * unname(class_weights)[3L - as.integer(fit$response)]
}

new_flips <- function(fit, found, new, at, change) {
  listed <- nrow(found$top)
  score <- new$score
  lost <- seq_along(score) %in% new$na_rows
  score[lost] <- NA
  class <- as_response(fit, unname(class_of_scores(score)))
  first <- at[found$top[1L, ]]
  table <- data.frame(row = new$row, score = score, class = class, alone = found$alone,
                      proven = found$proven, needed = found$needed, first = first)
  table[lost, c("alone", "proven", "needed", "first")] <- NA
  bounds <- data.frame(row = rep(new$row, each = listed), changed = at[as.vector(found$top)],
                       bound = as.vector(found$bound), flips = as.vector(found$state))
  bounds <- bounds[!rep(lost, each = listed), ]
  rownames(bounds) <- NULL
  needed <- table$needed[!lost]
  summary <- data.frame(
    change = change, predicted = length(needed), undecided = sum(needed == 0),
    alone = sum(table$alone[!lost] > 0), proven = sum(table$proven[!lost] > 0),
    least = smallest(needed), median = stats::median(needed), most = -smallest(-needed)
  )
  structure(
    list(rows = table, bounds = bounds, summary = summary, room = found$room, change = change,
         fitted = length(at), loss = fit$settings$loss, lambda = fit$settings$lambda,
         certificate = worst_certificate(fit$certificate),
         version = own_version()),
    class = "margin_flips"
  )
}

smallest <- function(values) if (length(values) > 0L) min(values) else NA_real_

#' @exportS3Method
as.data.frame.margin_flips <- function(x, ...) {
  assert_no_extra("as.data.frame()", ...)
  x$rows
}

#' @exportS3Method
tidy.margin_flips <- function(x, ...) {
  assert_no_extra("tidy()", ...)
  as_tibble_if_installed(x$rows)
}

#' @exportS3Method
glance.margin_flips <- function(x, ...) {
  assert_no_extra("glance()", ...)
  as_tibble_if_installed(x$summary)
}

#' @exportS3Method
summary.margin_flips <- function(object, ...) {
  assert_no_extra("summary()", ...)
  object$summary
}
