# P and D of problems of all classes at once (multiclass = "softmax" or "crammer_singer"), with
# twice the digits; what a judge returns is said in helper-fuzz_linear.R.

joint_solvers <- c("auto", "newton", "dual_cd")

draw_joint <- function() {
  rows <- Filter(function(row) row$family == "linear" && row$name %in% joint_solvers,
                 solver_rows())
  size <- draw_size(150L, 30L)
  k <- sample(3:5, 1L)
  n <- max(size$n, k + 1L)
  x <- draw_matrix(n, size$p)
  row <- one(rows)
  data <- list(x = x, y = draw_labels(draw_score(x, one(c(0, 0.3, 1, 3))), k), k = k)
  as_joint(list(row = row, x = x, y = data$y, k = k, extra = one(c("none", "warm"), c(3, 1)),
                args = drop_null(list(lambda = draw_lambda(), scale = chance(0.6),
                                      intercept = one(c("free", "penalized", "none")),
                                      weights = draw_weights(data$y),
                                      class_weights = draw_class_weights(data$y, TRUE)))),
           one(c("softmax", "crammer_singer")))
}

# A case of several classes as one problem.
as_joint <- function(case, multiclass) {
  case$args$multiclass <- multiclass
  case$args$loss <- if (multiclass == "softmax") as_loss("logistic") else as_loss("hinge")
  case$args$mixture <- 0
  if (case$row$name == "dual_cd" && case$args$intercept == "free") case$args$intercept <- "none"
  case$args$solver <- case$row$name
  case$extra <- if (identical(case$extra, "warm")) "warm" else "none"
  case
}

# The problem of a fit, of the rows that count.
joint_problem <- function(fit, x) {
  omega <- fit_weights(fit)
  keep <- omega > 0
  y <- as.integer(fit$response)[keep]
  k <- length(fit$levels)
  list(x = x[keep, , drop = FALSE], y = y, omega = omega[keep], W = sum(omega), k = k, keep = keep,
       l1 = fit$settings$lambda * fit$settings$mixture,
       l2 = fit$settings$lambda * (1 - fit$settings$mixture),
       t = outer(y, seq_len(k), `==`) + 0, scales = unname(fit$scales),
       softmax = fit$multiclass == "softmax", intercept = fit$settings$intercept)
}

judge_joint <- function(fit, x) {
  q <- joint_problem(fit, x)
  k <- q$k
  points <- lapply(seq_len(k), function(c) fit_point(fit, c))
  P <- joint_primal(q, points)
  D <- joint_dual(q, unname(fit$dual)[q$keep, , drop = FALSE])
  share <- vapply(seq_len(k), function(c) sum(q$omega[q$y == c]) / q$W, 0)
  entropy <- if (q$intercept == "free") -sum((share * log(share))[share > 0]) else log(k)
  null <- if (q$softmax) entropy else 1
  shorter <- joint_primal(q, lapply(points, function(at) list(w = at$w * 0.999, b = at$b)))
  j <- list(primal = P$value, primal_slack = P$slack, dual = D$value, dual_slack = D$slack,
            out = D$out, null = null)
  rivals <- c(zero = null * (1 + 1e-12), shorter = shorter$value + shorter$slack)
  row <- fit$certificate
  list(found = c(check_minimum(row, fit$status$status, j),
                 check_crossing(row, fit$status$status, rivals, D$slack)),
       points = list(c(own = P$value + P$slack, rivals)), slacks = D$slack)
}

joint_primal <- function(q, points) {
  z <- lapply(points, function(at) dd_add(dd_rows(q$x, at$w), rep(at$b, nrow(q$x))))
  pick <- function(part) vapply(z, `[[`, numeric(nrow(q$x)), part)
  high <- matrix(pick("h"), nrow(q$x))
  low <- matrix(pick("l"), nrow(q$x))
  own <- cbind(seq_along(q$y), q$y)
  # scores beside that of the own class, where they cancel
  d <- dd_value(dd_sub(dd(high, low), dd(high[own] + 0 * high, low[own] + 0 * low)))
  d <- matrix(d, nrow(q$x))
  losses <- if (q$softmax) plain_lse(d) else pmax(0, apply(1 - q$t + d, 1L, max))
  v <- vapply(points, function(at) c(at$w * q$scales, if (q$intercept == "penalized") at$b),
              numeric(ncol(q$x) + (q$intercept == "penalized")))
  value <- sum(q$omega * losses) / q$W + q$l1 * sum(abs(v)) + q$l2 / 2 * sum(v^2)
  terms <- vapply(points, function(at) drop(abs(q$x) %*% abs(at$w)) + abs(at$b),
                  numeric(nrow(q$x)))
  off <- eps * apply(matrix(terms, nrow(q$x)), 1L, max)
  list(value = value, slack = 2 * sum(q$omega * off) / q$W + 16 * eps * abs(value))
}

joint_dual <- function(q, a) {
  u <- a + q$t
  out <- max(0, -u, abs(rowSums(u) - 1))
  u <- pmax(u, 0)
  # exactly on the simplex, or rows far from the origin see what is missing
  total <- Reduce(dd_add, lapply(seq_len(q$k), function(c) dd(u[, c])))
  u <- lapply(seq_len(q$k), function(c) dd_div(dd(u[, c]), total))
  omega <- dd(q$omega)
  if (q$intercept == "free") {
    mass <- lapply(u, function(own) dd_sum(dd_mul(own, omega)))
    target <- lapply(seq_len(q$k), function(c) dd_sum(dd(q$omega[q$y == c])))
    excess <- Map(function(m, t) dd_sub(dd(1), dd_div(t, m)), mass, target)
    excess <- excess[vapply(mass, dd_value, 0) > 0]
    theta <- excess[[which.max(vapply(excess, dd_value, 0))]]
    if (dd_value(theta) > 0) {
      kept <- dd_sub(dd(1), theta)
      added <- Map(function(m, t) {
        more <- dd_sub(t, dd_mul(kept, m))
        if (dd_value(more) > 0) more else dd(0)
      }, mass, target)
      all <- Reduce(dd_add, added)
      u <- Map(function(own, more) {
        p <- if (dd_value(all) > 0) dd_mul(theta, dd_div(more, all)) else dd(0)
        n <- length(own$h)
        dd_add(dd_mul(own, dd(rep(kept$h, n), rep(kept$l, n))), dd(rep(p$h, n), rep(p$l, n)))
      }, u, added)
    }
  }
  centre <- if (q$intercept == "free") colSums(q$omega * q$x) / q$W else rep(0, ncol(q$x))
  own <- lapply(seq_len(q$k), function(c) dd_sub(u[[c]], q$t[, c]))
  slopes <- lapply(own, function(a) {
    v <- dd_value(dd_div(dd_columns(q$x, dd_mul(a, omega)), dd(q$scales * q$W)))
    mass <- q$omega * abs(dd_value(a)) / q$W
    # a was stored beside a label of one
    dv <- 16 * eps * colSums((mass + q$omega / q$W) * abs(sweep(q$x, 2L, centre))) / q$scales
    if (q$intercept == "penalized") {
      v <- c(v, dd_value(dd_sum(dd_mul(a, omega))) / q$W)
      dv <- c(dv, 16 * eps)
    }
    list(v = abs(v), dv = dv)
  })
  # any point between the labels and u is a dual point too; of a pure l1 norm one near the labels
  at <- function(f) {
    squares <- bent <- conjugate <- size <- 0
    for (c in seq_len(q$k)) {
      over <- pmax(0, f * slopes[[c]]$v - q$l1)
      reach <- pmax(over, f * slopes[[c]]$v + slopes[[c]]$dv - q$l1)
      if (q$l2 > 0) {
        squares <- squares + sum(over^2) / (2 * q$l2)
        bent <- bent + sum(pmax(0, reach)^2 - over^2) / (2 * q$l2)
      } else if (any(over > 0)) {
        return(NULL)
      }
      p <- pmin(1, pmax(0, dd_value(dd_add(dd_mul(own[[c]], dd(rep(f, length(q$y)))),
                                           dd(q$t[, c])))))
      term <- if (q$softmax) ifelse(p > 0, p * log(p), 0) else -p * (1 - q$t[, c])
      conjugate <- conjugate + sum(q$omega * term) / q$W
      size <- size + sum(q$omega * abs(term)) / q$W
    }
    value <- -conjugate - squares
    list(value = value, out = if (out > 1e-12) out else 0,
         slack = 64 * eps * (size + abs(value) + 1) + bent)
  }
  largest <- max(vapply(slopes, function(s) max(s$v, 0), 0))
  points <- list(at(1), if (q$l1 > 0 && largest > q$l1) at(q$l1 / largest * (1 - 4 * eps)))
  points <- Filter(Negate(is.null), points)
  best <- points[[which.max(vapply(points, `[[`, 0, "value"))]]
  # a bound of a pure l1 norm lies at a multiple of its own
  if (q$l1 > 0 && q$l2 <= 1e-6 * q$l1) {
    moved <- max(vapply(slopes, function(s) max(s$dv), 0)) / q$l1
    best$slack <- best$slack + moved * (abs(best$value) + log(q$k))
  }
  best
}
