# Part of robust_peers.R: the problem as general solvers take it, and the solvers. A program is
#   minimise cost'x + quad$value/2 |x[quad$index]|^2 over A x = b, G x <= h, x >= lower (0 or -Inf)
#   and, for q = 2, cone %*% x in {(t, v): |v|_2 <= t}
# and read(x, duals of A) gives the w that a solution stands for. Its rows are the distinct
# z_i = y_i x_i with how often they occur: all peers are the faster for it. u_i = w'z_i.
#
#   scores  min t radius + 1/W sum omega_i s_i: the scores u_i are variables, z_i is stored once
#   rows    the same with w'z_i written out in both inequalities that it is in
#   dual    its dual in omega_i alpha_i / W and omega_i beta_i / W (see ?margin_robust)
#
# Means, not sums: with sums ECOSolveR and clarabel stopped at 3e-9 and worse on a1a with linf.
#
# A peer is a list of name, form, serves(cell), ladder (its own tolerances from loose to tight) and
# run(program, tol, limit): list(seconds, cpu, x, duals), only the call itself timed; error if it
# fails. Building the program is kept out of all times.

# ---- the programs ------------------------------------------------------------------------------
distinct_rows <- function(x, y) {
  z <- methods::as(x, "RsparseMatrix")
  row <- rep(seq_along(y), diff(z@p))
  z@x <- z@x * y[row]
  text <- character(length(y))
  words <- tapply(paste(z@j, format(z@x, digits = 17)), row, paste, collapse = " ")
  text[as.integer(names(words))] <- words
  first <- which(!duplicated(text))
  list(z = methods::as(z, "CsparseMatrix")[first, , drop = FALSE],
       omega = tabulate(match(text, text[first])))
}

# Blocks of columns, each named with its width; pick(list of blocks) is a sparse matrix.
columns_of <- function(widths) {
  ends <- cumsum(widths)
  at <- Map(function(end, width) end - width + seq_len(width), ends, widths)
  zero <- function(rows, width) Matrix::sparseMatrix(i = integer(), j = integer(), x = numeric(),
                                                     dims = c(rows, width))
  list(at = at, width = ends[[length(ends)]], pick = function(blocks) {
    rows <- nrow(blocks[[1L]])
    parts <- lapply(names(widths), function(name) {
      if (is.null(blocks[[name]])) zero(rows, widths[[name]]) else blocks[[name]]
    })
    methods::as(do.call(cbind, parts), "CsparseMatrix")
  })
}
eye <- function(n, value = 1) {
  Matrix::sparseMatrix(i = seq_len(n), j = seq_len(n), x = rep_len(value, n), dims = c(n, n))
}
full <- function(rows, columns, value) Matrix::Matrix(value, rows, columns, sparse = TRUE)

# |block|_q <= bound, as rows of G or as the cone; l1 splits or bounds the block by others.
norm_rows <- function(columns, block, bound, q) {
  d <- length(columns$at[[block]])
  pair <- function(names, ...) columns$pick(stats::setNames(list(...), names))
  row <- function(...) pair(c(block, bound), ...)
  if (q == "linf") {
    list(G = rbind(row(eye(d), full(d, 1, -1)), row(eye(d, -1), full(d, 1, -1))))
  } else if (q == "l2") {
    list(cone = rbind(row(full(1, d, 0), eye(1)), row(eye(d), full(d, 1, 0))))
  } else {
    side <- function(sign) pair(c(block, "absolute"), eye(d, sign), eye(d, -1))
    total <- pair(c("absolute", bound), full(1, d, 1), full(1, 1, -1))
    list(G = rbind(side(1), side(-1), total))
  }
}

primal_program <- function(rows, cell, scores) {
  m <- nrow(rows$z)
  d <- ncol(rows$z)
  total <- sum(rows$omega)
  columns <- columns_of(c(w = d, absolute = if (cell$norm == "l1") d, t = 1, s = m,
                          u = if (scores) m))
  cost <- lower <- numeric(columns$width)
  cost[columns$at$t] <- cell$radius
  cost[columns$at$s] <- rows$omega / total
  lower[c(columns$at$w, columns$at$u)] <- -Inf
  score <- function(sign) if (scores) list(u = eye(m, sign)) else list(w = sign * rows$z)
  norm <- norm_rows(columns, "w", "t", cell$norm)
  hinge <- columns$pick(c(score(-1), list(s = eye(m, -1))))
  flipped <- columns$pick(c(score(1), list(t = full(m, 1, -cell$label_cost), s = eye(m, -1))))
  G <- rbind(hinge, flipped, norm$G)
  list(cost = cost, lower = lower, G = G, h = rep(c(-1, 0), c(2 * m, nrow(G) - 2 * m)),
       A = if (scores) columns$pick(list(w = rows$z, u = eye(m, -1))),
       b = if (scores) numeric(m), cone = norm$cone,
       quad = if (cell$ridge > 0) list(index = columns$at$w, value = cell$ridge),
       read = function(x, duals) x[columns$at$w])
}

dual_program <- function(rows, cell) {
  m <- nrow(rows$z)
  d <- ncol(rows$z)
  total <- sum(rows$omega)
  dual_norm <- c(l1 = "linf", l2 = "l2", linf = "l1")[[cell$norm]]
  columns <- columns_of(c(alpha = m, beta = m, v = d, absolute = if (dual_norm == "l1") d,
                          theta = 1, rest = if (cell$ridge > 0) d))
  cost <- lower <- numeric(columns$width)
  cost[c(columns$at$alpha, columns$at$beta)] <- -1
  lower[c(columns$at$v, columns$at$rest)] <- -Inf
  norm <- norm_rows(columns, "v", "theta", dual_norm)
  triangle <- columns$pick(list(alpha = eye(m), beta = eye(m)))
  transposed <- Matrix::t(rows$z)
  balance <- columns$pick(list(alpha = transposed, beta = -transposed, v = eye(d, -1),
                               rest = if (cell$ridge > 0) eye(d, -1)))
  budget <- columns$pick(list(theta = eye(1), beta = full(1, m, cell$label_cost)))
  G <- rbind(triangle, norm$G)
  list(cost = cost, lower = lower, G = G, h = c(rows$omega / total, numeric(nrow(G) - m)),
       A = rbind(balance, budget), b = c(numeric(d), cell$radius), cone = norm$cone,
       quad = if (cell$ridge > 0) list(index = columns$at$rest, value = 1 / cell$ridge),
       read = function(x, duals) {
         if (cell$ridge > 0) x[columns$at$rest] / cell$ridge else duals[seq_len(d)]
       })
}

make_program <- function(rows, cell, form) {
  switch(form, scores = primal_program(rows, cell, TRUE), rows = primal_program(rows, cell, FALSE),
         dual = dual_program(rows, cell))
}

# ---- HiGHS -------------------------------------------------------------------------------------
highs_peer <- function(solver, form, ladder = 10^-(2:10)) {
  run <- function(program, tol, limit) {
    control <- list(solver = solver, run_crossover = "off", threads = 1L, log_to_console = FALSE,
                    time_limit = limit, primal_feasibility_tolerance = max(tol, 1e-10),
                    dual_feasibility_tolerance = max(tol, 1e-10),
                    ipm_optimality_tolerance = max(tol, 1e-12))
    equal <- NROW(program$A)
    rows <- rbind(program$A, program$G)
    fit <- timed(highs::highs_solve(
      L = program$cost, lower = program$lower, upper = rep(Inf, length(program$lower)), A = rows,
      lhs = c(program$b, rep(-Inf, nrow(program$G))), rhs = c(program$b, program$h),
      control = control
    ))
    fit$x <- fit$value$primal_solution
    fit$duals <- fit$value$solver_msg$row_dual[seq_len(equal)]
    fit
  }
  list(name = sprintf("highs %s, %s", solver, form), package = "highs", form = form, run = run,
       ladder = ladder, serves = function(cell) cell$ridge == 0 && cell$norm != "l2")
}

# ---- the conic solvers -------------------------------------------------------------------------
# Both take s = h - G x in a product of cones; bounds are rows of G.
conic <- function(program) {
  bounded <- which(program$lower == 0)
  width <- length(program$cost)
  bounds <- Matrix::sparseMatrix(i = seq_along(bounded), j = bounded, x = -1,
                                 dims = c(length(bounded), width))
  list(linear = rbind(program$G, bounds), h = c(program$h, numeric(length(bounded))),
       cone = if (!is.null(program$cone)) -program$cone)
}

# r >= |x|^2 is |(2 x, 1 - r)| <= 1 + r; r is one more column.
ecos_peer <- function(form, ladder = 10^-(2:12)) {
  prepare <- function(program) {
    parts <- conic(program)
    G <- rbind(parts$linear, parts$cone)
    h <- c(parts$h, numeric(NROW(parts$cone)))
    A <- program$A
    cost <- program$cost
    sizes <- NROW(parts$cone)
    if (!is.null(program$quad)) {
      k <- length(program$quad$index)
      last <- length(cost) + 1L
      square <- Matrix::sparseMatrix(i = c(1L, 1L + seq_len(k), k + 2L),
                                     j = c(last, program$quad$index, last),
                                     x = c(-1, rep(-2, k), 1), dims = c(k + 2L, last))
      G <- rbind(cbind(G, 0), square)
      h <- c(h, 1, numeric(k), 1)
      cost <- c(cost, program$quad$value / 2)
      if (!is.null(A)) A <- cbind(A, 0)
      sizes <- c(sizes, k + 2L)
    }
    column <- function(matrix) if (!is.null(matrix)) methods::as(matrix, "CsparseMatrix")
    list(cost = cost, G = column(G), h = h, A = column(A),
         dims = list(l = nrow(parts$linear), q = as.integer(sizes[sizes > 0]), e = 0L))
  }
  run <- function(program, tol, limit) {
    ready <- prepare(program)
    control <- ECOSolveR::ecos.control(maxit = 300L, feastol = tol, reltol = tol, abstol = tol)
    b <- if (is.null(program$b)) numeric() else program$b
    fit <- timed(ECOSolveR::ECOS_csolve(ready$cost, ready$G, ready$h, ready$dims, A = ready$A,
                                        b = b, control = control))
    fit$x <- fit$value$x
    fit$duals <- fit$value$y
    fit
  }
  # It knows no limit of time, so it is tried in a fork that can be ended.
  list(name = paste0("ECOSolveR, ", form), package = "ECOSolveR", form = form, run = run,
       fork = TRUE, ladder = ladder, serves = function(cell) TRUE)
}

clarabel_peer <- function(form, ladder = 10^-(2:12)) {
  run <- function(program, tol, limit) {
    parts <- conic(program)
    A <- methods::as(rbind(program$A, parts$linear, parts$cone), "CsparseMatrix")
    b <- c(program$b, parts$h, numeric(NROW(parts$cone)))
    width <- length(program$cost)
    P <- if (!is.null(program$quad)) {
      Matrix::sparseMatrix(i = program$quad$index, j = program$quad$index,
                           x = rep(program$quad$value, length(program$quad$index)),
                           dims = c(width, width))
    }
    cones <- list(z = NROW(program$A), l = nrow(parts$linear))
    if (NROW(parts$cone)) cones$q <- NROW(parts$cone)
    if (!cones$z) cones$z <- NULL
    control <- clarabel::clarabel_control(
      verbose = FALSE, time_limit = limit, max_threads = 1L, tol_gap_abs = tol, tol_gap_rel = tol,
      tol_feas = tol
    )
    fit <- timed(clarabel::clarabel(A = A, b = b, q = program$cost, P = P, cones = cones,
                                    control = control))
    fit$x <- fit$value$x
    fit$duals <- fit$value$z[seq_len(NROW(program$A))]
    fit
  }
  list(name = paste0("clarabel, ", form), package = "clarabel", form = form, run = run,
       ladder = ladder, serves = function(cell) TRUE)
}
