# Rows on several ranks of a job under MPI: one problem, one certificate, whoever has which rows.

# Of every case the fits of all ranks, with the rows of each.
fit_cases <- function(ranks, more) {
  lapply(more$cases, function(case) {
    n <- nrow(case$data$x)
    mine <- which(case$deal(n, ranks$size) == ranks$rank)
    control <- margin_control(seed = 1, tol = 1e-8, ranks = ranks)
    fit <- suppressMessages(do.call(margin_linear, c(
      list(case$data$x[mine, , drop = FALSE], case$data$y[mine], weights = case$data$weights[mine],
           control = control), case$arguments
    ), quote = TRUE))
    list(fit = fit, rows = mine)
  })
}

whole_fit <- function(case) {
  given <- list(case$data$x, case$data$y, weights = case$data$weights,
                control = margin_control(seed = 1, tol = 1e-8))
  suppressMessages(do.call(margin_linear, c(given, case$arguments), quote = TRUE))
}

# One fit of all rows: what the ranks found, their dual variables put together.
gathered_fit <- function(parts, n) {
  fit <- parts[[1L]]$fit
  order <- order(unlist(lapply(parts, `[[`, "rows")))
  for (part in c("dual", "scores", "weights", "response")) {
    values <- lapply(parts, function(part_of) part_of$fit[[part]])
    fit[[part]] <- if (is.matrix(values[[1L]])) {
      do.call(rbind, values)[order, , drop = FALSE]
    } else if (is.factor(values[[1L]])) {
      factor(unlist(lapply(values, as.character))[order], fit$levels)
    } else {
      unlist(values)[order]
    }
  }
  fit
}

common_part <- function(fit) {
  fit[c("dual", "scores", "weights", "response", "call", "fingerprint")] <- NULL
  fit
}

expect_one_problem <- function(one, parts, case, info) {
  fit <- parts[[1L]]$fit
  # what belongs to no rows is the same on all ranks, to the bit
  for (part in parts) expect_identical(common_part(part$fit), common_part(fit), info = info)
  expect_true(all(fit$certificate$certified), info = info)
  expect_null(fit$settings$control$ranks)
  # of each class one number is in both intervals, which rounding may widen
  a <- one$certificate
  b <- fit$certificate
  slack <- 1e-12 * pmax(1, abs(a$value))
  expect_true(all(pmax(a$bound, b$bound) <= pmin(a$value, b$value) + slack), info = info)
  expect_equal(coef(fit), coef(one), tolerance = 1e-3, info = info)
}

# Of every audit that of all ranks, with the rows of each. One rank may give another fit or cost.
audit_cases <- function(ranks, more) {
  lapply(more$cases, function(case) {
    mine <- which(case$deal(nrow(case$x), ranks$size) == ranks$rank)
    of_rows <- if (!is.null(case$path)) list(x = read_rows(case$path, share = ranks)) else
      c(list(x = case$x[mine, , drop = FALSE], y = case$y[mine]), lapply(case$of_rows, `[`, mine))
    if (ranks$rank == 1) case$arguments[names(case$differs)] <- case$differs
    weights <- case$of_rows$weights
    counted <- if (is.null(weights)) mine else mine[weights[mine] > 0]
    list(rows = counted, audit = tryCatch(do.call(margin_audit, c(
      list(case$fit), of_rows, case$arguments,
      list(control = margin_control(seed = 1, ranks = ranks))
    ), quote = TRUE), error = conditionMessage))
  })
}

whole_audit <- function(case) {
  do.call(margin_audit, c(list(case$fit, case$x, case$y), case$of_rows, case$arguments,
                          list(control = margin_control(seed = 1))), quote = TRUE)
}

expect_one_audit <- function(one, parts, info) {
  audit <- parts[[1L]]$audit
  common <- function(audit) {
    own <- c("scores", "best", "lower", "upper", "ball", "truth", "shares", "class", "optimum")
    audit$training[own] <- audit$new[own] <- NULL
    audit$fits <- lapply(audit$fits, common_part)
    audit
  }
  for (part in parts) expect_identical(common(part$audit), common(audit), info = info)
  expect_identical(unlist(audit[c("title", "levels", "features", "here", "assumes")]),
                   unlist(one[c("title", "levels", "features", "here", "assumes")]), info = info)
  expect_equal(audit$nobs, one$nobs, info = info)
  if (info != "file") expect_equal(audit$spread, one$spread, info = info)
  a <- one$excess
  b <- audit$excess
  expect_equal(b$value, a$value, tolerance = 1e-11, info = info)
  expect_identical(b$certified, a$certified, info = info)
  # one number is in both intervals
  slack <- 1e-12 * pmax(1, abs(a$value))
  expect_true(all(pmax(a$from, b$from) <= pmin(a$to, b$to) + slack), info = info)
  order <- order(unlist(lapply(parts, `[[`, "rows")))
  whole <- function(name) {
    do.call(rbind, lapply(parts, function(part) part$audit$training[[name]]))[order, , drop = FALSE]
  }
  rows <- one$training
  expect_equal(whole("scores"), rows$scores, tolerance = 1e-9, info = info)
  if (rows$proven && audit$training$proven) {
    slack <- 1e-9 * max(abs(rows$scores))
    expect_true(all(pmax(whole("lower"), rows$lower) <= pmin(whole("upper"), rows$upper) + slack),
                info = info)
  }
  expect_equal(audit$training$n, rows$n, info = info)
  expect_equal(audit$training$before, rows$before, tolerance = 1e-9, info = info)
  expect_equal(audit$training$after, rows$after, tolerance = 1e-2, info = info)
  # what either leaves open the other may know
  apart <- abs(sum(audit$training$changed) - sum(rows$changed))
  expect_lte(apart, max(0, rows$open, audit$training$open), label = info)
}

# What a job does with shares of two files, the second of two rows.
fit_filed <- function(ranks, more) {
  control <- margin_control(seed = 1, ranks = ranks)
  rows <- lapply(more$paths, read_rows, share = ranks)
  mine <- which(((0:29) * ranks$size) %/% 30 == ranks$rank)
  list(
    n = vapply(rows, nrow, 0),
    all = margin_linear(rows[[1L]], lambda = 0.05, control = control),
    few = margin_linear(rows[[2L]], lambda = 0.05, control = control),
    path = margin_path(rows[[1L]], mixture = 0.5, n_lambda = 8, control = control),
    late = suppressWarnings(margin_linear(
      rows[[1L]], lambda = 1e-4, loss = "hinge", control = margin_control(
        seed = 1, ranks = ranks, tol = 1e-13, max_seconds = if (ranks$rank == 1) 1e-6 else Inf
      )
    )),
    memory = margin_path(rows[[1L]][, ], more$y[(0:29) %/% 10 == ranks$rank], loss = "logistic",
                         n_lambda = 5, control = control),
    cv = margin_cv(rows[[1L]], grid = list(lambda = c(0.1, 0.01)), folds = 3, seed = 2,
                   metric = c("log_loss", "accuracy"), control = control),
    classes = margin_cv(
      more$x[mine, ], more$class[mine], weights = more$weights[mine], folds = 4, seed = 3,
      grid = list(lambda = c(0.2, 0.02), mixture = 0.5), loss = "logistic", control = control
    ),
    one_fold = margin_cv(
      more$x[mine, ], more$number[mine], seed = 4, folds = rep(1:2, c(3, 27)), loss = "squared",
      grid = list(lambda = 0.1), control = control
    ),
    unpenalised = tryCatch(margin_linear(rows[[1L]], penalty_factor = c(0, 1, 1, 1),
                                         control = control), error = conditionMessage),
    formula = tryCatch(margin_cv(y ~ ., data.frame(more$x, y = more$class)[mine, ],
                                 control = control), error = conditionMessage)
  )
}

# Each of what one rank cannot do.
what_stops <- function(ranks, more) {
  set.seed(1)
  x <- matrix(rnorm(60), 20, 3)
  y <- factor(rep(c("a", "b"), 10))
  r <- ranks$rank
  own <- asNamespace("dualmargin")
  stopped <- function(expression) tryCatch({
    force(expression)
    "nothing"
  }, error = function(condition) {
    c(conditionMessage(condition), class(condition))
  })
  fit <- function(x, y, ..., loss = "logistic", solver = "auto", ranks. = ranks) {
    margin_linear(x, y, loss = loss, solver = solver, lambda = 0.1,
                  control = margin_control(ranks = ranks., ...))
  }
  bad <- x
  if (r == 1) bad[3, 2] <- NA
  answers <- list(
    value = stopped(fit(bad, y)),
    columns = stopped(fit(x[, seq_len(if (r == 2) 2 else 3)], y)),
    names = stopped(fit(`colnames<-`(x, if (r == 2) c("a", "b", "c") else c("a", "c", "b")), y)),
    loss = stopped(fit(x, y, loss = if (r == 0) "hinge" else "logistic")),
    storage = stopped(fit(if (r == 1) Matrix::Matrix(x, sparse = TRUE) else x, y)),
    lambda = stopped(margin_linear(x, y, loss = "logistic", lambda = 0.1 + (r == 1),
                                   control = margin_control(ranks = ranks))),
    labels = stopped(fit(x, if (r == 1) as.character(y) else y)),
    one_class = stopped(fit(x, factor(rep("a", 20), c("a", "b")))),
    no_weight = stopped(margin_linear(x, y, loss = "logistic", lambda = 0.1,
                                      weights = rep(0, 20),
                                      control = margin_control(ranks = ranks))),
    no_rows = stopped(fit(x[0, ], y[0])),
    solver = stopped(fit(x, y, loss = "hinge", solver = "interior_point")),
    crammer = stopped(margin_linear(x, factor(rep(1:4, 5)), multiclass = "crammer_singer",
                                    lambda = 0.1, control = margin_control(ranks = ranks))),
    kernel = stopped(margin_kernel(x, y, control = margin_control(ranks = ranks))),
    hard = stopped(margin_hard(x, y, control = margin_control(ranks = ranks))),
    nested = stopped(margin_cv(x, y, control = margin_control(ranks = ranks), outer = 10))
  )
  put <- function(name, value) {
    kept <- own[[name]]
    unlockBinding(name, own)
    assign(name, value, envir = own)
    kept
  }
  # a communicator that is gone
  gone <- ranks
  gone$comm <- 3
  answers$gone <- stopped(fit(x, y, ranks. = gone))
  # another version of the package on one rank
  version <- own$own_version
  if (r == 2) put("own_version", function() "0.1.0")
  answers$version <- stopped(fit(x, y))
  put("own_version", version)
  # one rank fails in the midst of a pass; and asks for another sum than the others do
  calls <- 0
  sum <- own$sum_over_ranks
  put("sum_over_ranks", function(self, x) {
    calls <<- calls + 1
    if (r == 2 && calls == 12) stop("no more memory here")
    sum(self, x)
  })
  answers$pass <- stopped(fit(x, y, solver = "newton"))
  calls <- 0
  put("sum_over_ranks", function(self, x) {
    calls <<- calls + 1
    if (r == 1 && calls == 12) own$max_over_ranks(self, x) else sum(self, x)
  })
  answers$order <- stopped(fit(x, y, solver = "newton"))
  put("sum_over_ranks", sum)
  answers$whole <- stopped(fit(x, y))
  answers
}

checkpoint_data <- function() {
  set.seed(9)
  x <- matrix(rnorm(90 * 6), 90, 6)
  list(x = x, y = factor(ifelse(x[, 1L] - x[, 2L] + rnorm(90) > 0.2, "b", "a")))
}
# In blocks, as shares of a file are: rank after rank has the rows in their order.
checkpoint_fit <- function(ranks, more) {
  n <- nrow(more$x)
  mine <- seq_len(n)[floor((seq_len(n) - 1) * ranks$size / n) == ranks$rank]
  if (!is.null(more$dies)) {
    own <- asNamespace("dualmargin")
    sum <- own$sum_over_ranks
    unlockBinding("sum_over_ranks", own)
    # a file is due as often as the user is asked, 0.05 s after the last time
    assign("sum_over_ranks", function(self, x) {
      there <- file.exists(more$checkpoint)
      if (there && ranks$rank == 1) tools::pskill(Sys.getpid(), tools::SIGKILL)
      if (!there) Sys.sleep(0.06)
      sum(self, x)
    }, envir = own)
  }
  start <- more$start
  checkpoint <- if (!is.null(more$checkpoint)) list(file = more$checkpoint, minutes = 1e-6)
  one <- function(lambda = 1e-3, at = mine) {
    tryCatch(suppressWarnings(margin_linear(
      more$x[at, ], more$y[at], loss = "hinge", lambda = lambda, solver = "ssnal",
      control = margin_control(seed = 1, ranks = ranks, start = start, checkpoint = checkpoint,
                               max_epochs = if (is.null(more$epochs)) 1000 else more$epochs)
    )), error = function(condition) c(conditionMessage(condition), class(condition)))
  }
  list(fit = one(), other = if (!is.null(start)) one(lambda = 2e-3),
       fewer = if (!is.null(start)) one(at = if (ranks$rank == 0) mine[-1L] else mine))
}

# ---- The jobs ----

# To start R on each rank takes longer than most fits: a job of so many ranks is asked all laws that
# want so many, when the first of them is looked at.

cases <- rank_cases()
some <- cases[c("newton", "sparse", "quantile", "softmax", "no_rows", "few_rows")]

delayedAssign("filed", local({
  set.seed(4)
  x <- matrix(rnorm(120), 30, 4)
  y <- factor(ifelse(x[, 1L] + rnorm(30) > 0, "b", "a"))
  few <- c(which(y == "a")[1L], which(y == "b")[1L])
  paths <- c(rows_path(), rows_path())
  suppressMessages(write_rows(x, paths[1L], y = y))
  suppressMessages(write_rows(x[few, ], paths[2L], y = y[few]))
  list(paths = as.list(paths), x = x, y = y, few = few, class = factor(rep(c("u", "v", "w"), 10)),
       number = x[, 2L] + x[, 1L]^2, weights = rep(c(1, 2), 15))
}))

# Coefficients, and fits of other packages, whose rows are dealt out in turn.
delayedAssign("audits", local({
  known <- cases[["newton"]]$data
  path <- rows_path()
  suppressMessages(write_rows(known$x, path, y = known$y, weights = known$weights))
  at <- function(k) 0.3 * cos(seq_len(k))
  case <- function(fit, data, ..., of_rows = list(weights = data$weights),
                   deal = cases[["newton"]]$deal) {
    list(fit = fit, x = data$x, y = data$y, of_rows = of_rows, arguments = list(...), deal = deal)
  }
  of_classes <- cases[["softmax"]]$data
  of_numbers <- cases[["squared"]]$data
  own <- margin_linear(known$x, known$y, loss = "logistic", weights = known$weights, cost = 0.1,
                       control = margin_control(tol = 1e-2))
  frame <- data.frame(known$x, y = known$y)
  mine <- list(
    logistic = case(at(8L), known, loss = "logistic", lambda = 0.05, scale = TRUE,
                    newx = known$x[1:9, ], newy = known$y[1:9]),
    hinge = case(at(8L), known, loss = "hinge", cost = 0.5, intercept = "penalized"),
    lasso = case(at(7L), known, loss = "logistic", lambda = 0.02, mixture = 1, intercept = "none"),
    softmax = case(matrix(at(24L), 8L), of_classes, loss = "logistic", lambda = 0.05,
                   multiclass = "softmax"),
    one_vs_rest = case(matrix(at(24L), 8L), of_classes, loss = "logistic", lambda = 0.05),
    quantile = case(at(8L), of_numbers, loss = "quantile", lambda = 0.02, scale = TRUE),
    no_rows = case(at(8L), of_numbers, loss = "squared", lambda = 0.1,
                   deal = cases[["no_rows"]]$deal),
    one_class = case(at(8L), known, loss = "smooth_hinge", lambda = 0.1,
                     deal = cases[["one_class"]]$deal),
    file = c(case(at(8L), known, loss = "logistic", lambda = 0.05,
                  deal = function(n, K) ((seq_len(n) - 1) * K) %/% n), path = path),
    own = case(own, known),
    formula = case(margin_linear(y ~ ., frame, lambda = 0.1), list(x = frame), of_rows = list()),
    of_ranks = case(replace(own, c("exchanged", "weights"), list(c(ranks = 2), known$weights[1:9])),
                    known)
  )
  recorded <- readRDS(test_path("_fixtures", "audit_fits.rds"))
  theirs <- Filter(function(record) {
    linear <- record$peer == "glmnet" || record$peer == "LiblineaR" && record$fit$Type != 4
    linear && length(intersect(names(record$arguments), c("offset", "penalty.factor",
                                                          "lower.limits"))) == 0L
  }, recorded$fits)
  names(theirs) <- vapply(theirs, function(record) {
    paste(record$peer, class(record$fit)[1L], record$fit$Type, record$y,
          paste(names(record$arguments), collapse = " "), sep = "_")
  }, "")
  theirs <- lapply(theirs[!duplicated(names(theirs))], function(record) {
    by_row <- names(record$arguments) == "weights"
    data <- list(x = recorded$data$x, y = recorded$data[[record$y]])
    do.call(case, c(list(record$fit, data), record$arguments[!by_row],
                    list(of_rows = record$arguments[by_row])))
  })
  c(mine, theirs)
}))
delayedAssign("stopped_audits", {
  with <- function(..., base = audits$logistic) replace(base, names(list(...)), list(...))
  list(
    fit = with(differs = list(lambda = 0.06)),
    rows = with(fit = audits$own$fit, arguments = list(), differs = list(newx = "u")),
    offset = with(arguments = list(loss = "logistic", lambda = 0.1),
                  of_rows = list(offset = rep(1, 160L))),
    bounds = with(arguments = list(loss = "logistic", lambda = 0.1, lower = -1)),
    crammer = with(base = audits$softmax, arguments = list(loss = "hinge", lambda = 0.1,
                                                           multiclass = "crammer_singer")),
    unpenalised = with(arguments = list(loss = "logistic", lambda = 1, penalty_factor = rep(0, 7)))
  )
})

delayedAssign("mixed", local({
  path <- rows_path()
  write_rows(mixed_frame(23), path, formula = y ~ num + whole)
  path
}))
share_of <- function(ranks, path) {
  rows <- read_rows(path, share = ranks)
  list(share = rows$share, rows = nrow(rows), sum = sum(rows[, 1]))
}

left <- tempfile(c("killed", "short"), fileext = ".rds")
goes_on <- function(file) law(checkpoint_fit, c(checkpoint_data(), start = file))

delayedAssign("killed", run_laws(3, list(
  dies = law(checkpoint_fit, c(checkpoint_data(), checkpoint = left[1L], dies = TRUE))
)))
delayedAssign("three", run_laws(3, list(
  cases = law(fit_cases, list(cases = cases)), filed = law(fit_filed, filed),
  audits = law(audit_cases, list(cases = audits)),
  stopped = law(audit_cases, list(cases = stopped_audits)),
  stops = law(what_stops),
  short = law(checkpoint_fit, c(checkpoint_data(), checkpoint = left[2L], epochs = 6))
)))
delayedAssign("two", {
  force(killed)
  force(three)
  run_laws(2, list(cases = law(fit_cases, list(cases = cases)),
                   audits = law(audit_cases, list(cases = audits)), shares = law(share_of, mixed),
                   killed = goes_on(left[1L]), short = goes_on(left[2L])))
})
delayedAssign("one", {
  force(three)
  run_laws(1, list(cases = law(fit_cases, list(cases = some)), short = goes_on(left[2L])))
})
delayedAssign("five", run_laws(5, list(cases = law(fit_cases, list(cases = some)))))

# ---- The laws ----

for (name in c("one", "two", "three", "five")) {
  said <- sprintf("%s ranks give the certificate of one process, whoever has which rows", name)
  test_that(said, {
    skip_without_mpi()
    job <- get(name)
    expect_identical(job$status, 0L, info = job$said)
    wanted <- if (name %in% c("two", "three")) cases else some
    for (case_name in names(wanted)) {
      case <- wanted[[case_name]]
      parts <- lapply(answers(job, "cases"), `[[`, case_name)
      expect_one_problem(whole_fit(case), parts, case, paste(case_name, name))
      known <- c("logistic", "hinge", "squared_hinge", "squared")
      if (is.null(case$arguments$multiclass) && case$arguments$loss %in% known) {
        # recomputed here, in plain R, from the dual variables of all ranks and all rows
        expect_honest_certificate(gathered_fit(parts, nrow(case$data$x)), case$data$x, 1e-9)
      }
    }
  })
}

test_that("an audit of rows on several ranks is that of one process", {
  skip_without_mpi()
  one <- lapply(audits, whole_audit)
  for (job in list(two = two, three = three)) {
    found <- answers(job, "audits")
    for (name in names(audits)) {
      expect_one_audit(one[[name]], lapply(found, `[[`, name), name)
    }
  }
  expect_output(print(found[[2L]]$logistic$audit), "110 rows, 7 columns")
})

test_that("an audit that ranks are not able to, or not agreed about, is an error on all of them", {
  skip_without_mpi()
  wanted <- c(fit = "rank 0 and rank 1 judge other coefficients", rows = "`newx`",
              offset = "several ranks have none", bounds = "have no bounds yet",
              crammer = "draws single rows", unpenalised = "no column without a penalty")
  for (rank in 1:3) {
    said <- answers(three, "stopped")[[rank]]
    for (name in names(wanted)) {
      expect_match(said[[name]]$audit, wanted[[name]], fixed = TRUE, info = paste(name, rank))
    }
  }
})

test_that("the processes of a job under mpirun have their own shares", {
  skip_without_mpi()
  found <- answers(two, "shares")
  rows <- read_rows(mixed)
  first <- 1:11
  expect_equal(lapply(found, `[[`, "share"), list(c(1, 2), c(2, 2)))
  expect_equal(lapply(found, `[[`, "rows"), list(11, 12))
  expect_identical(lapply(found, `[[`, "sum"), list(sum(rows[first, 1]), sum(rows[-first, 1])))
})

test_that("ranks have shares of one file, also more of them than rows, and paths have one grid", {
  skip_without_mpi()
  values <- answers(three, "filed")
  x <- filed$x
  y <- filed$y
  few <- filed$few
  class <- filed$class
  weights <- filed$weights
  expect_identical(unname(rowSums(vapply(values, function(v) v$n, c(0, 0)))), c(30, 2))
  expect_true(any(vapply(values, function(v) v$n[2L] == 0, NA)))
  expect_output(print(values[[2L]]$all), "10 rows of one of 3 ranks, 4 features", fixed = TRUE)
  # the clock of one rank ends the run of all, with one certificate
  late <- lapply(values, function(v) v$late)
  expect_identical(unique(lapply(late, function(fit) fit$status$status)), list("max_seconds"))
  expect_length(unique(lapply(late, coef)), 1L)
  expect_length(unique(lapply(late, certificate)), 1L)
  one <- list(
    all = margin_linear(x, y, loss = "logistic", lambda = 0.05),
    few = margin_linear(x[few, ], y[few], loss = "logistic", lambda = 0.05)
  )
  for (name in names(one)) {
    for (value in values) {
      expect_true(all(certificate(value[[name]])$certified))
      expect_equal(coef(value[[name]]), coef(one[[name]]), tolerance = 1e-3, ignore_attr = TRUE)
      expect_identical(coef(value[[name]]), coef(values[[1L]][[name]]))
    }
  }
  path <- margin_path(x, y, loss = "logistic", mixture = 0.5, n_lambda = 8)
  ridge <- margin_path(x, y, loss = "logistic", n_lambda = 5)
  for (value in values) {
    expect_equal(value$path$lambda, path$lambda, tolerance = 1e-9)
    expect_equal(value$memory$lambda, ridge$lambda, tolerance = 1e-9)
    expect_true(all(value$path$certificate$certified), all(value$memory$certificate$certified))
    expect_equal(as.matrix(value$path$coefficients), as.matrix(path$coefficients), tolerance = 1e-2,
                 ignore_attr = TRUE)
    expect_identical(value$path$nrow, 30)
  }

  # folds of all rows, the same on all ranks, and scores that go to all of them
  cv <- list(
    cv = margin_cv(x, y, grid = list(lambda = c(0.1, 0.01)), folds = 3, seed = 2, loss = "logistic",
                   metric = c("log_loss", "accuracy")),
    classes = margin_cv(x, class, weights = weights, folds = 4, seed = 3, loss = "logistic",
                        grid = list(lambda = c(0.2, 0.02), mixture = 0.5)),
    one_fold = margin_cv(x, filed$number, seed = 4, folds = rep(1:2, c(3, 27)), loss = "squared",
                         grid = list(lambda = 0.1))
  )
  for (name in names(cv)) {
    for (value in values) {
      expect_identical(value[[name]]$folds, cv[[name]]$folds)
      expect_identical(value[[name]]$results, values[[1L]][[name]]$results)
      expect_identical(value[[name]]$nobs, 30L)
      columns <- names(cv[[name]]$results)
      for (column in setdiff(columns, c("seconds", "relative_gap", "certified"))) {
        expect_equal(value[[name]]$results[[column]], cv[[name]]$results[[column]],
                     tolerance = 1e-3, info = paste(name, column))
      }
    }
  }
  expect_match(values[[2L]]$unpenalised, "`penalty_factor` with a 0.*several ranks")
  expect_match(values[[2L]]$formula, "codes its columns from the rows of one rank")
})

test_that("what one rank cannot do stops all of them with one message", {
  skip_without_mpi()
  values <- answers(three, "stops")
  said <- function(name, rank) values[[rank + 1L]][[name]]
  wanted <- list(
    value = "`x` has NA in row 3", columns = "rank 0 has 3 columns and rank 2 has 2 columns",
    names = "or other names of them", loss = "rank 0 has another `loss`",
    storage = "rank 0 has storage of x", lambda = "rank 0 has lambda \"0.1\" and rank 1",
    labels = "on one rank", one_class = "one class only",
    no_weight = "leaves class \"a\" no weight",
    no_rows = "0 rows on all ranks", solver = "does not read rows in whole passes",
    crammer = "draws single rows", kernel = "margin_kernel() needs all rows in one place",
    hard = "margin_hard() needs all rows", nested = "margin_cv(outer = ) needs all rows in one place",
    gone = "is gone",
    version = "and rank 2 has version \"0.1.0\""
  )
  for (rank in 0:2) {
    for (name in names(wanted)) {
      expect_match(said(name, rank)[1L], wanted[[name]], fixed = TRUE, info = paste(name, rank))
      expect_true("dualmargin_input_error" %in% said(name, rank), info = paste(name, rank))
    }
    expect_match(said("pass", rank)[1L], "no more memory here", fixed = TRUE)
    expect_match(said("order", rank)[1L], "do not ask for the same sums", fixed = TRUE)
    expect_true("dualmargin_rank_error" %in% said("order", rank))
    # after all of that they add up as before
    expect_identical(said("whole", rank), "nothing")
  }
  expect_match(said("value", 0)[1L], "Rank 1 of 3 (from 0) stopped", fixed = TRUE)
})

test_that("a killed rank ends the job, and any number of ranks goes on from what was written", {
  skip_without_mpi()
  data <- checkpoint_data()
  whole <- margin_linear(data$x, data$y, loss = "hinge", lambda = 1e-3)
  expect_goes_on <- function(job, file) {
    values <- answers(job, file)
    for (value in values) {
      a <- certificate(value$fit)
      expect_true(a$certified)
      b <- certificate(whole)
      expect_lte(max(a$bound, b$bound), min(a$value, b$value) + 1e-12)
      expect_match(value$other[1L], "another `lambda`", fixed = TRUE)
      expect_match(value$fewer[1L], "of other rows", fixed = TRUE)
      expect_true("dualmargin_input_error" %in% value$other)
    }
    values[[1L]]$fit
  }
  expect_false(killed$status == 0L)
  expect_true(all(vapply(killed$values, is.null, NA)))
  expect_true(file.exists(left[1L]))
  expect_goes_on(two, "killed")

  # all parts of one moment: the dual point goes on, too
  expect_true(all(file.exists(sprintf("%s%s", left[2L], c("", ".rank-1", ".rank-2")))))
  cold <- convergence(answers(three, "short")[[1L]]$fit)
  for (job in list(one, two)) {
    expect_lt(convergence(expect_goes_on(job, "short"))$gap[1L], cold$gap[1L])
  }
  expect_error(margin_linear(data$x, data$y, loss = "hinge", lambda = 1e-3,
                             control = margin_control(start = left[2L])),
               class = "dualmargin_input_error")
})
