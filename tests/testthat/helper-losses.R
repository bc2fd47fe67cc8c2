# Every loss in plain R, a row each: what the laws, the campaign and the metrics are judged by. A loss
# that comes gets its row here, and is then tried wherever all are.
#
#   value, conjugate  of scores z and dual values a, where `number` is what its maker takes; those
#                     without stand in helper-certificate.R
#   domain            the dual domain in sign(y) a, or in a where labels have no signs
#   exact             of a loss of numbers phi*(a; 0) for a pair a of doubles, with twice the digits
#   tried             values of the number beside the default
#   drawn             of a loss of numbers alone: one of the campaign

loss_twins <- list(
  hinge = list(domain = function(number) c(-1, 0)),
  smooth_hinge = list(domain = function(number) c(-1, 0), tried = 0.3),
  squared_hinge = list(domain = function(number) c(-Inf, 0), tried = 0.5),
  logistic = list(domain = function(number) c(-1, 0)),
  squared = list(
    domain = function(number) c(-Inf, Inf), exact = function(number, a) dd_half_square(a)
  ),
  huber = list(
    domain = function(number) c(-1, 1) * number, exact = function(number, a) dd_half_square(a),
    tried = 0.3
  ),
  quantile = list(
    value = function(tau, z, y) pmax(tau * (y - z), (1 - tau) * (z - y)),
    conjugate = function(tau, a, y) ifelse(a >= -tau & a <= 1 - tau, a * y, Inf),
    domain = function(tau) c(0, 1) - tau, exact = function(tau, a) dd_mul(a, 0), tried = 0.2,
    drawn = function() loss_quantile(between(0.05, 0.95))
  ),
  absolute = list(
    value = function(none, z, y) abs(z - y),
    conjugate = function(none, a, y) ifelse(abs(a) <= 1, a * y, Inf),
    domain = function(none) c(-1, 1), exact = function(none, a) dd_mul(a, 0),
    drawn = function() as_loss("absolute")
  ),
  epsilon_insensitive = list(
    value = function(epsilon, z, y) pmax(0, abs(z - y) - epsilon),
    conjugate = function(epsilon, a, y) ifelse(abs(a) <= 1, a * y + epsilon * abs(a), Inf),
    domain = function(epsilon) c(-1, 1),
    exact = function(epsilon, a) dd_mul(dd_size(a), epsilon), tried = 0.3,
    drawn = function() loss_epsilon_insensitive(10^between(-3, 0.5))
  ),
  squared_epsilon_insensitive = list(
    value = function(epsilon, z, y) pmax(0, abs(z - y) - epsilon)^2 / 2,
    conjugate = function(epsilon, a, y) a * y + epsilon * abs(a) + a^2 / 2,
    domain = function(epsilon) c(-Inf, Inf),
    exact = function(epsilon, a) dd_add(dd_mul(dd_size(a), epsilon), dd_half_square(a)),
    tried = 0.3, drawn = function() loss_epsilon_insensitive(10^between(-3, 0.5), squared = TRUE)
  )
)

dd_size <- function(a) dd(abs(a$h), ifelse(a$h < 0, -a$l, a$l))
dd_half_square <- function(a) dd_mul(dd_mul(a, a), 0.5)

plain_loss <- local({
  others <- plain_loss
  function(loss, z, y) {
    value <- loss_twins[[loss$name]]$value
    if (is.null(value)) others(loss, z, y) else value(loss$parameter[[1L]], z, y)
  }
})
plain_conjugate <- local({
  others <- plain_conjugate
  function(loss, a, y) {
    conjugate <- loss_twins[[loss$name]]$conjugate
    if (is.null(conjugate)) others(loss, a, y) else conjugate(loss$parameter[[1L]], a, y)
  }
})

# The dual domain in sign(y) a, or in a where labels have no signs.
dual_domain <- function(loss) loss_twins[[loss$name]]$domain(loss$parameter[[1L]])

# Points of the dual domain, its ends included.
dual_points <- function(loss, y) {
  ends <- dual_domain(loss)
  beta <- if (all(is.finite(ends))) seq(ends[1L], ends[2L], length.out = 41) else
    if (is.finite(ends[2L])) -c(0, 10^seq(-6, 1, length.out = 40)) else seq(-4, 4, length.out = 41)
  if (loss$task == "regression") beta else sign(y) * beta
}

# Every loss by its maker, after those with another number than the default.
all_losses <- function() {
  makers <- loss_makers()
  tried <- lapply(names(loss_twins), function(name) {
    lapply(loss_twins[[name]]$tried, makers[[name]])
  })
  c(unlist(tried, recursive = FALSE), unname(lapply(makers, function(make) make())))
}

class_losses <- function() Filter(function(loss) loss$task != "regression", all_losses())

# Those of a regression by name; Huber's with a size that does not depend on the fit.
number_losses <- function() {
  makers <- loss_makers()[regression_losses()]
  losses <- lapply(makers, function(make) make())
  losses$huber <- loss_huber(0.7, unit = "response")
  losses
}

# What each loss is, at its defaults.
loss_table <- function() {
  made <- lapply(loss_makers(), function(make) make())
  data.frame(name = names(made), gamma = vapply(made, function(loss) loss$gamma, 0),
             smooth = vapply(made, function(loss) loss$smooth, NA),
             task = vapply(made, function(loss) loss$task, ""), row.names = NULL)
}
