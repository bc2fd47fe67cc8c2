# Conformal sets by their definitions, every model the call itself on the rows that are left: what
# margin_conformal() is held against, by the tests and by tests/fuzz/conformal.R.

# A random problem: rows, a call, how it is counted, and new rows.
draw_conformal <- function(seed) {
  set.seed(seed)
  task <- sample(c("two", "regression", "several"), 1L, prob = c(0.5, 0.35, 0.15))
  n <- sample(24:40, 1L)
  p <- sample(1:4, 1L)
  x <- matrix(rnorm((n + 6L) * p), n + 6L, p) %*% diag(10^runif(p, -0.5, 0.5), p)
  x <- x + sample(c(0, 3), 1L)
  if (runif(1) < 0.3) x[2L, ] <- x[1L, ]
  if (runif(1) < 0.2) x[3L, 1L] <- 30
  colnames(x) <- paste0("x", seq_len(p))
  score <- (x[, 1L] - mean(x[, 1L])) / sd(x[, 1L]) + 0.7 * rnorm(n + 6L)
  y <- switch(task, two = factor(ifelse(score > 0, "b", "a")), regression = score,
              several = cut(score, c(-Inf, -0.6, 0.6, Inf), c("a", "b", "c")))
  losses <- switch(task, regression = c("squared", "huber", "squared_epsilon_insensitive"),
                   two = c("logistic", "squared_hinge", "smooth_hinge", "hinge"),
                   several = c("logistic", "squared_hinge"))
  loss <- sample(losses, 1L, prob = c(3, rep(1, length(losses) - 1L)))
  strength <- 10^runif(1, -2, 0)
  arguments <- c(
    list(loss = loss, intercept = sample(c("free", "penalized", "none"), 1L, prob = c(3, 1, 1)),
         scale = runif(1) < 0.5),
    switch(sample(3L, 1L), list(lambda = strength), list(cost = 1 / (strength * n)), list()),
    if (task == "two" && runif(1) < 0.2) list(class_weights = "balanced"),
    if (task == "two" && runif(1) < 0.2) list(class_weights = c(a = 1, b = 2))
  )
  arguments <- arguments[!duplicated(names(arguments))]
  weights <- if (runif(1) < 0.3) sample(c(0.5, 1, 2), n, replace = TRUE)
  if (!is.null(weights) && runif(1) < 0.5) weights[5L] <- 0
  by <- sample(c("none", if (task != "regression") "label", "vector"), 1L, prob = NULL)
  if (task != "regression" && runif(1) < 0.5) by <- "none"
  list(task = task, x = x[seq_len(n), , drop = FALSE], y = y[seq_len(n)], arguments = arguments,
       new = x[n + 1:6, , drop = FALSE], y_new = y[n + 1:6], weights = weights, by = by,
       group = sample(c("u", "v"), n, replace = TRUE), group_new = rep(c("u", "v", "w"), 2L),
       level = sample(c(0.7, 0.8, 0.9), 1L), seed = seed)
}

fit_conformal <- function(problem, rows = seq_along(problem$y), tol = 1e-6) {
  control <- margin_control(tol = tol, seed = 1, max_epochs = 20000, progress = FALSE)
  call <- c(list(problem$x[rows, , drop = FALSE], problem$y[rows]), problem$arguments,
            list(control = control))
  if (!is.null(problem$weights)) call$weights <- problem$weights[rows]
  suppressMessages(suppressWarnings(do.call(margin_linear, call, quote = TRUE)))
}

# Strangeness of each label (a column), by the definition; of a regression nothing.
plain_strangeness <- function(fit, x) {
  if (length(fit$levels) == 2L) {
    f <- predict(fit, x, type = "score")
    return(cbind(f, -f))
  }
  if (fit$settings$loss$name == "logistic") 1 - predict(fit, x, type = "prob") else {
    f <- predict(fit, x, type = "score")
    sapply(1:3, function(k) apply(f[, -k, drop = FALSE], 1L, max) - f[, k])
  }
}

# Each model is the call itself without a fold. What the sets must be, with ties to within `room`.
plain_sets <- function(problem, fold, tol = 1e-12, models = NULL) {
  n <- length(problem$y)
  if (is.null(models)) {
    models <- lapply(seq_len(max(fold)), function(k) {
      fit_conformal(problem, which(fold != k), tol = tol)
    })
  }
  counted <- if (is.null(problem$weights)) seq_len(n) else which(problem$weights > 0)
  group <- switch(problem$by, none = rep("all", n), label = as.character(problem$y),
                  vector = problem$group)
  rank_of <- function(m) floor((1 - problem$level) * (m + 1) + 1e-9)
  rows <- function(g) counted[group[counted] == g]
  one <- function(i) problem$x[i, , drop = FALSE]
  new <- problem$new
  if (problem$task == "regression") {
    f <- sapply(models, function(model) predict(model, new))
    r <- vapply(seq_len(n), function(i) abs(problem$y[i] - predict(models[[fold[i]]], one(i))), 0)
    return(t(sapply(seq_len(nrow(new)), function(t) {
      inside <- rows(if (problem$by == "vector") problem$group_new[t] else "all")
      k <- rank_of(length(inside))
      if (k == 0) return(c(-Inf, Inf))
      c(sort(f[t, fold[inside]] - r[inside])[k],
        sort(f[t, fold[inside]] + r[inside], decreasing = TRUE)[k])
    })))
  }
  own <- vapply(seq_len(n), function(i) {
    plain_strangeness(models[[fold[i]]], one(i))[as.integer(problem$y[i])]
  }, 0)
  strange <- lapply(models, plain_strangeness, new)
  levels <- levels(problem$y)
  # 1: in the set, 0: not, NA: a tie up to rounding decides
  t(sapply(seq_len(nrow(new)), function(t) sapply(seq_along(levels), function(k) {
    inside <- rows(switch(problem$by, none = "all", label = levels[k],
                          vector = problem$group_new[t]))
    less <- own[inside] - vapply(strange[fold[inside]], function(s) s[t, k], 0)
    room <- if (problem$arguments$loss == "hinge") 1e-3 else 1e-5
    at_least <- c(sum(less >= room), sum(less >= -room))
    verdict <- at_least >= rank_of(length(inside))
    if (verdict[1L] == verdict[2L]) as.numeric(verdict[1L]) else NA
  })))
}

# How many ends or labels differ from the definition.
conformal_misses <- function(problem, sets, plain) {
  if (problem$task == "regression") {
    ends <- as.matrix(sets[c("lower", "upper")])
    # at a level near 0 nothing is in the set
    empty <- plain[, 1L] > plain[, 2L]
    plain[empty, ] <- rep(c(Inf, -Inf), each = sum(empty))
    same <- ends == plain | abs(ends - plain) <= 1e-4 * (1 + abs(plain))
    return(c(checked = length(plain), missed = sum(!same), open = 0L))
  }
  inside <- as.matrix(sets[levels(problem$y)])
  c(checked = length(plain), missed = sum(inside != plain, na.rm = TRUE), open = sum(is.na(plain)))
}

judge_cv <- function(seed, problem = draw_conformal(seed)) {
  n <- length(problem$y)
  fold <- sample(rep_len(seq_len(sample(c(2L, 5L, 8L), 1L)), n))
  fit <- fit_conformal(problem)
  by <- switch(problem$by, label = "label", vector = problem$group)
  trained <- vapply(seq_len(max(fold)), function(k) length(unique(problem$y[fold != k])), 0)
  if (is.factor(problem$y) && any(trained < nlevels(problem$y))) {
    return(c(checked = 0, missed = 0, open = 0))
  }
  object <- suppressWarnings(margin_conformal(fit, problem$x, problem$y, method = "cv+",
                                              level = problem$level, folds = fold, by = by,
                                              seed = 1))
  sets <- predict(object, problem$new, by = if (problem$by == "vector") problem$group_new)
  conformal_misses(problem, sets, plain_sets(problem, fold))
}

# A problem of the jackknife+, or NULL.
draw_jackknife <- function(seed, problem = draw_conformal(seed)) {
  losses <- if (problem$task == "regression") "squared" else
    c("logistic", "squared_hinge", "smooth_hinge")
  if (!problem$arguments$loss %in% losses) problem$arguments$loss <- losses[1L]
  if (problem$task == "several") {
    problem$task <- "two"
    merge <- function(y) factor(ifelse(y == "c", "b", "a"))
    problem$y <- merge(problem$y)
    problem$y_new <- merge(problem$y_new)
  }
  weights <- problem$arguments$class_weights
  if (identical(weights, "balanced")) problem$arguments$class_weights <- NULL
  counted <- if (is.null(problem$weights)) problem$y else problem$y[problem$weights > 0]
  if (is.factor(problem$y) && min(table(counted)) < 2L) NULL else problem
}

judge_jackknife <- function(seed, refits = Inf, problem = draw_conformal(seed)) {
  problem <- draw_jackknife(seed, problem)
  nothing <- c(checked = 0, missed = 0, open = 0, larger = 0, refitted = 0)
  if (is.null(problem)) return(nothing)
  by <- switch(problem$by, label = "label", vector = problem$group)
  object <- margin_conformal(fit_conformal(problem), problem$x, problem$y, method = "jackknife+",
                             level = problem$level, by = by, refits = refits)
  sets <- predict(object, problem$new, by = if (problem$by == "vector") problem$group_new)
  plain <- plain_sets(problem, seq_along(problem$y))
  found <- conformal_misses(problem, sets, plain)
  larger <- if (problem$task == "regression") {
    all(sets$lower <= plain[, 1L] + 1e-6 & sets$upper >= plain[, 2L] - 1e-6)
  } else {
    all(as.matrix(sets[levels(problem$y)])[which(plain == 1)])
  }
  c(found, larger = as.numeric(larger), refitted = sum(object$left_out$refitted))
}

# With a new row and a response added: margins or residuals of the counted rows and of the new one.
added_scores <- function(problem, t, y) {
  n <- length(problem$y)
  more <- problem
  more$x <- rbind(problem$x, problem$new[t, , drop = FALSE])
  more$y <- if (is.factor(problem$y)) {
    factor(c(as.character(problem$y), y), levels(problem$y))
  } else {
    c(problem$y, y)
  }
  if (!is.null(problem$weights)) more$weights <- c(problem$weights, 1)
  fit <- fit_conformal(more, tol = 1e-13)
  if (is.factor(more$y)) {
    return(ifelse(more$y == levels(more$y)[2L], -1, 1) * predict(fit, more$x, type = "score"))
  }
  abs(more$y - predict(fit, more$x))
}

# Is each response in the set of the new row? 1, 0, or NA where a tie up to rounding decides.
plain_full <- function(problem, t, responses, room = 1e-6) {
  n <- length(problem$y)
  counted <- if (is.null(problem$weights)) seq_len(n) else which(problem$weights > 0)
  vapply(responses, function(y) {
    inside <- switch(problem$by, none = counted,
                     label = counted[problem$y[counted] == y],
                     vector = counted[problem$group[counted] == problem$group_new[t]])
    k <- floor((1 - problem$level) * (length(inside) + 1) + 1e-9)
    if (k == 0) return(1)
    e <- added_scores(problem, t, y)
    less <- e[inside] - e[n + 1L]
    size <- room * (1 + max(abs(e)))
    verdict <- c(sum(less >= size), sum(less >= -size)) >= k
    if (verdict[1L] == verdict[2L]) as.numeric(verdict[1L]) else NA_real_
  }, 0)
}

judge_full <- function(seed, refits = Inf) {
  problem <- draw_jackknife(seed)
  nothing <- c(checked = 0, missed = 0, open = 0, larger = 1, refitted = 0)
  if (is.null(problem)) return(nothing)
  problem$new <- problem$new[1:3, , drop = FALSE]
  problem$group_new <- problem$group_new[1:3]
  by <- switch(problem$by, label = "label", vector = problem$group)
  object <- margin_conformal(fit_conformal(problem), problem$x, problem$y, method = "full",
                             level = problem$level, by = by, refits = refits)
  by_new <- if (problem$by == "vector") problem$group_new
  sets <- predict(object, problem$new, by = by_new)
  found <- lapply(1:3, function(t) {
    if (is.factor(problem$y)) {
      responses <- levels(problem$y)
      inside <- unlist(sets[t, responses])
    } else {
      ends <- sets$pieces[[t]]
      finite <- ends[is.finite(ends)]
      wide <- diff(range(problem$y))
      responses <- c(finite - 1e-3 * wide, finite + 1e-3 * wide, problem$y[c(4L, 9L)],
                     mean(problem$y) + c(-3, 3) * wide)
      inside <- vapply(responses, function(y) any(ends[, 1L] <= y & y <= ends[, 2L]), NA)
    }
    plain <- plain_full(problem, t, responses)
    c(checked = length(plain), missed = sum(inside != plain, na.rm = TRUE),
      open = sum(is.na(plain)), larger = all(inside[which(plain == 1)]))
  })
  found <- do.call(rbind, found)
  c(colSums(found[, 1:3]), larger = min(found[, 4L]), refitted = 0)
}

# Groups that leave together: a row weighs 1 over the rows of its group.
judge_groups <- function(seed) {
  problem <- draw_jackknife(seed)
  nothing <- c(checked = 0, missed = 0, open = 0)
  if (is.null(problem)) return(nothing)
  n <- length(problem$y)
  problem$by <- "none"
  group <- sample(c(1:8, 1:3), n, replace = TRUE)
  counted <- if (is.null(problem$weights)) seq_len(n) else which(problem$weights > 0)
  known <- sort(unique(group[counted]))
  stays <- vapply(known, function(g) {
    left <- problem$y[setdiff(counted, which(group == g))]
    !is.factor(left) || all(table(left) > 0)
  }, NA)
  if (!all(stays)) return(nothing)
  object <- margin_conformal(fit_conformal(problem), problem$x, problem$y, level = problem$level,
                             groups = group)
  sets <- predict(object, problem$new)
  models <- lapply(known, function(g) fit_conformal(problem, which(group != g), tol = 1e-13))
  model <- match(group, known)[counted]
  share <- 1 / tabulate(model)[model]
  need <- (1 - problem$level) * (length(known) + 1) - 1 + 1e-9
  one <- function(i) problem$x[i, , drop = FALSE]
  if (problem$task == "regression") {
    f <- sapply(models, function(fit) predict(fit, problem$new))
    r <- vapply(seq_along(counted), function(j) {
      abs(problem$y[counted[j]] - predict(models[[model[j]]], one(counted[j])))
    }, 0)
    end <- function(values) {
      at <- order(values)
      values[at][which(cumsum(share[at]) > need)[1L]]
    }
    plain <- t(sapply(seq_len(nrow(problem$new)), function(t) {
      if (need < 0) c(-Inf, Inf) else c(end(f[t, model] - r), -end(-f[t, model] - r))
    }))
  } else {
    own <- vapply(seq_along(counted), function(j) {
      plain_strangeness(models[[model[j]]], one(counted[j]))[as.integer(problem$y[counted[j]])]
    }, 0)
    strange <- lapply(models, plain_strangeness, problem$new)
    in_set <- function(t, k) {
      less <- own - vapply(strange[model], function(s) s[t, k], 0)
      verdict <- c(sum(share[less >= 1e-5]), sum(share[less >= -1e-5])) > need
      if (verdict[1L] == verdict[2L]) as.numeric(verdict[1L]) else NA
    }
    plain <- outer(seq_len(nrow(problem$new)), 1:2, Vectorize(in_set))
  }
  conformal_misses(problem, sets, plain)
}

# The jackknife+ of a loss whose slope jumps.
judge_kinks <- function(seed) {
  problem <- draw_jackknife(seed)
  if (is.null(problem)) return(c(checked = 0, missed = 0, open = 0))
  losses <- list("hinge")
  if (problem$task == "regression") {
    losses <- list("absolute", loss_quantile(0.3), loss_epsilon_insensitive(0.2))
    problem$arguments$response_scale <- FALSE
  }
  problem$arguments$loss <- losses[[1L + seed %% length(losses)]]
  problem$arguments$scale <- FALSE
  problem$arguments$intercept <- if (seed %% 4L == 0L) "none" else "penalized"
  by <- switch(problem$by, label = "label", vector = problem$group)
  object <- margin_conformal(fit_conformal(problem, tol = 1e-8), problem$x, problem$y,
                             level = problem$level, method = "jackknife+", by = by)
  sets <- predict(object, problem$new, by = if (problem$by == "vector") problem$group_new)
  room <- problem
  if (problem$task != "regression") room$arguments$loss <- "hinge"
  conformal_misses(problem, sets, plain_sets(room, seq_along(problem$y), tol = 1e-9))
}

# The jackknife+ of a kernel.
judge_kernel <- function(seed) {
  problem <- draw_jackknife(seed)
  if (is.null(problem)) return(c(checked = 0, missed = 0, open = 0))
  losses <- if (problem$task == "regression") c("squared", "absolute") else
    c("logistic", "squared_hinge", "hinge")
  loss <- losses[1L + seed %% length(losses)]
  kinked <- loss %in% c("absolute", "hinge")
  of_rows <- function(rows, tol) {
    control <- margin_control(tol = tol, seed = 1, max_epochs = 20000, progress = FALSE)
    call <- list(quote(margin_kernel), problem$x[rows, , drop = FALSE], problem$y[rows],
                 kernel = if (seed %% 2L == 0L) quote(kernel_rbf(sigma = 0.1)) else
                   quote(kernel_laplace(sigma = 0.2)),
                 loss = loss, scale = FALSE, control = control, weights = problem$weights[rows],
                 intercept = if (kinked) "penalized" else problem$arguments$intercept)
    if (problem$task == "regression" && kinked) call$response_scale <- FALSE
    call <- c(call, problem$arguments[intersect(names(problem$arguments), c("lambda", "cost"))])
    suppressMessages(suppressWarnings(eval(as.call(call))))
  }
  rows <- seq_along(problem$y)
  by <- switch(problem$by, label = "label", vector = problem$group)
  object <- margin_conformal(of_rows(rows, 1e-8), problem$x, problem$y, level = problem$level,
                             method = "jackknife+", by = by)
  sets <- predict(object, problem$new, by = if (problem$by == "vector") problem$group_new)
  problem$arguments$loss <- if (kinked && problem$task != "regression") "hinge" else loss
  plain <- plain_sets(problem, rows, models = lapply(rows, function(i) of_rows(rows[-i], 1e-9)))
  conformal_misses(problem, sets, plain)
}
