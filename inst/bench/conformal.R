# margin_conformal(): how many optima the regions leave to refits, the seconds beside n refits from
# a warm start, and beside package probably; and set sizes and coverage of the four methods.
#
# `refits`: a cell is a data set, a loss, an intercept, a scale and a lambda; level 0.9, 1,000 new
# rows. Jackknife+: `open_rows` is the share of rows that sets of the new rows need beyond two steps
# with the Hessian of the fit (rows are solved, those known least first, until no set is open);
# `no_ball` of rows without a ball then, `refitted` of rows that the default solves by Newton steps
# of their own (to 1e-10, whether sets need them or not). Seconds of the whole (fit's sets and the
# prediction) beside n times the mean of `sample` warm refits. Full: of 2 x 1,000 pairs of row and
# class `open_pairs` have an open inclusion after two steps, `solved_pairs` took Newton steps for
# their count; seconds a pair, and of a warm refit with the row.
#
# `sizes`: on each data set and split the four methods at level 0.9 on the same rows: coverage and
# mean set size of the rows that were not fitted; the mean over the splits, and the verdict of the
# size beside split by the test of margin_compare()'s splits (Nadeau and Bengio 2003).
#
# `stream`: many new rows against the jackknife+ of 10,000 simulated rows of 20 columns (logistic, 2
# threads): seconds of the sets, seconds of predicting them, and the peak of memory while it does
# beyond what is held before, where Linux's /proc tells it.
#
# `probably`: int_conformal_full() and int_conformal_cv() of the same least squares, where the
# package is installed; folds are drawn by each.
#
# Usage: Rscript conformal.R [folder for the results] [--cells=regex]
#        [--parts=refits,sizes,stream,probably] [--new=1000] [--sample=10] [--splits=20]
# writes: conformal_refits.csv conformal_sizes.csv conformal_stream.csv conformal_probably.csv
# depends: R/conformal.R src/decide src/region src/conformal_full.cpp src/conformal_left_out.cpp
# seeds: 1 (solvers, samples of rows, splits, simulated rows)

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "..", "experiments", "_driver.R"))
source(file.path(home, "_memory.R"))
parts <- strsplit(option("parts", "refits,sizes,stream,probably"), ",")[[1L]]
count_new <- as.integer(option("new", "1000"))
sample_size <- as.integer(option("sample", "10"))
splits <- as.integer(option("splits", "20"))
core <- asNamespace("dualmargin")

# ---- the cost of exact sets --------------------------------------------------------------------
rows_of <- function(name) {
  set.seed(1)
  data <- margin_data(name)
  x <- as.matrix(data$x)
  y <- factor(data$y)
  chosen <- sample.int(nrow(x))
  if (name == "spambase") {
    train <- chosen[1:1000]
    test <- chosen[1000 + seq_len(count_new)]
    from <- list(x = x, y = y)
    to <- from
  } else {
    more <- tryCatch(margin_data("a1a.t"), error = function(e) NULL)
    train <- seq_len(nrow(x))
    from <- list(x = x, y = y)
    # without the file of test rows a fifth of the rows are new
    if (is.null(more)) {
      test <- chosen[seq_len(min(count_new, nrow(x) %/% 5L))]
      train <- setdiff(train, test)
      to <- from
    } else {
      test <- sample.int(nrow(more$x), count_new)
      to <- list(x = as.matrix(more$x), y = factor(more$y))
    }
  }
  size <- sqrt(pmax(0, colMeans(from$x[train, ]^2) - colMeans(from$x[train, ])^2))
  keep <- which(size > 0)
  unit <- if (name == "spambase") size[keep] else rep(1, length(keep))
  scaled <- function(x, at) unname(sweep(x[at, keep], 2L, unit, `/`))
  list(x = scaled(from$x, train), y = from$y[train], new = scaled(to$x, test), truth = to$y[test])
}

# Rows that the sets of the new rows need beyond two steps.
needed_rows <- function(fit, data, exact, level = 0.9) {
  task <- core$conformal_task(fit, data$x, data$y)
  left <- core$conformal_left_out(fit, task, 0, steps = 2L)$left_out
  values <- core$left_out_values(left, data$new)
  best <- core$left_out_values(exact, data$new)$values
  half <- pmin(outer(values$norm, left$known$radius), outer(values$length, left$known$plain))
  half[is.nan(half)] <- Inf
  y <- left$known$y
  k <- core$conformal_rank(level, length(y))
  loose <- left$known$own_half
  solved <- logical(length(y))
  for (label in c(-1, 1)) for (t in seq_len(nrow(data$new))) {
    off <- y * left$known$own - label * values$values[t, ]
    width <- loose + half[t, ]
    known <- y * exact$known$own - label * best[t, ]
    off[solved] <- known[solved]
    width[solved] <- 1e-9
    repeat {
      sure <- sum(off + width <= 0)
      open <- which(off + width > 0 & off - width <= 0)
      if (sure >= k || sure + length(open) < k) break
      open <- open[!solved[open]]
      if (length(open) == 0L) break
      i <- open[which.max(width[open])]
      solved[i] <- TRUE
      off[i] <- known[i]
      width[i] <- 1e-9
    }
  }
  c(open_rows = mean(solved), no_ball = mean(!is.finite(pmin(left$known$radius, left$known$plain))))
}

measure <- function(data, cell) {
  fit_of <- function(rows, tol, start = NULL) {
    suppressWarnings(margin_linear(
      data$x[rows, , drop = FALSE], data$y[rows], loss = cell$loss, lambda = cell$lambda,
      intercept = cell$intercept, scale = cell$scale,
      control = margin_control(tol = tol, seed = 1, progress = FALSE, start = start)
    ))
  }
  n <- length(data$y)
  fit <- fit_of(seq_len(n), 1e-6)
  jackknife <- timed({
    object <- margin_conformal(fit, data$x, data$y, method = "jackknife+")
    summary(object, data$new, data$truth)
  })
  if (!is.null(jackknife$error)) stop(jackknife$error)
  set.seed(1)
  warm <- vapply(sample.int(n, min(sample_size, n)), function(i) {
    timed(fit_of(-i, 1e-10, start = fit))$seconds
  }, 0)
  full <- margin_conformal(fit, data$x, data$y, method = "full")
  group <- matrix(1L, nrow(data$new), 2L)
  two <- full
  two$full$refits <- 0
  some <- core$full_counts(two, data$new, group, 2L)
  all <- timed(core$full_counts(full, data$new, group))
  k <- core$conformal_rank(0.9, n)
  row <- data.frame(cell, n = n, d = ncol(data$x), level = 0.9, new = nrow(data$new),
                    t(needed_rows(fit, data, object$left_out)),
                    refitted = mean(object$left_out$refitted), seconds = jackknife$seconds,
                    warm_refits = n * mean(warm), sample = length(warm))
  row$refits_per_set <- row$warm_refits / row$seconds
  row$size <- jackknife$value$size[1L]
  row$coverage <- jackknife$value$coverage[1L]
  row$open_pairs <- mean(some$least < k & some$most >= k)
  row$solved_pairs <- mean(all$value$refitted)
  row$full_seconds <- all$seconds
  row$full_refits <- 2 * nrow(data$new) * mean(warm)
  inside <- all$value$most >= k
  row$full_size <- mean(rowSums(inside))
  row$full_coverage <- mean(inside[cbind(seq_along(data$truth), as.integer(data$truth))])
  row
}

cells <- rbind(
  expand.grid(lambda = c(0.1, 0.01, 0.001), scale = FALSE, intercept = c("penalized", "free"),
              loss = c("logistic", "squared_hinge"), data = c("spambase", "a1a"),
              stringsAsFactors = FALSE),
  expand.grid(lambda = c(0.1, 0.01, 0.001), scale = TRUE, intercept = "free",
              loss = c("logistic", "squared_hinge"), data = "spambase", stringsAsFactors = FALSE)
)
label <- paste(cells$data, cells$loss, cells$intercept, cells$scale, cells$lambda)
if ("refits" %in% parts) {
  chosen <- which(grepl(option("cells", ".", spot = "^a1a .* free"), label))
  for (set in unique(cells$data[chosen])) {
    data <- rows_of(set)
    for (i in chosen[cells$data[chosen] == set]) {
      row <- measure(data, cells[i, ])
      print(row, row.names = FALSE, digits = 3)
      keep_table(row, "conformal_refits.csv", c("data", "loss", "intercept", "scale", "lambda"), "Matrix")
    }
  }
}

# ---- sizes and coverage ------------------------------------------------------------------------
classes_of <- function(name) {
  data <- margin_data(name)
  list(x = as.matrix(data$x), y = factor(data$y))
}
sets <- list(
  spambase = function() classes_of("spambase"), a1a = function() classes_of("a1a"),
  pima = function() {
    rows <- rbind(MASS::Pima.tr, MASS::Pima.te)
    list(x = as.matrix(rows[-8L]), y = rows$type)
  },
  birthwt = function() {
    list(x = as.matrix(MASS::birthwt[-c(1L, 10L)]), y = factor(MASS::birthwt$low))
  },
  biopsy = function() {
    rows <- stats::na.omit(MASS::biopsy)
    list(x = as.matrix(rows[2:10]), y = rows$class)
  },
  iris2 = function() {
    list(x = as.matrix(iris[51:150, -5L]), y = droplevels(iris$Species[51:150]))
  },
  boston = function() list(x = as.matrix(MASS::Boston[-14L]), y = MASS::Boston$medv),
  cpus = function() list(x = log1p(as.matrix(MASS::cpus[2:7])), y = log(MASS::cpus$perf)),
  airquality = function() {
    rows <- stats::na.omit(airquality)
    list(x = as.matrix(rows[2:4]), y = rows$Ozone)
  },
  swiss = function() list(x = as.matrix(swiss[-1L]), y = swiss$Fertility)
)
methods <- c("split", "cv+", "jackknife+", "full")
one_split <- function(data, seed, level = 0.9) {
  set.seed(seed)
  n <- length(data$y)
  train <- sample.int(n, min(400L, (2L * n) %/% 3L))
  test <- setdiff(seq_len(n), train)
  if (length(test) > 400L) test <- sample(test, 400L)
  x <- data$x[train, ]
  keep <- which(apply(x, 2L, function(v) any(v != v[1L])))
  x <- x[, keep]
  fit <- margin_linear(x, data$y[train], lambda = 0.01, control = margin_control(seed = 1))
  t(vapply(methods, function(method) {
    object <- suppressMessages(margin_conformal(fit, x, data$y[train], method = method,
                                                level = level, seed = 1))
    table <- summary(object, data$x[test, keep], data$y[test])[1L, ]
    c(coverage = table$coverage, size = table$size, guaranteed = summary(object)$guaranteed)
  }, c(coverage = 0, size = 0, guaranteed = 0)))
}
if ("sizes" %in% parts) {
  for (name in names(sets)[grepl(option("cells", ".", spot = "iris2|swiss"), names(sets))]) {
    data <- sets[[name]]()
    runs <- lapply(seq_len(splits), function(seed) one_split(data, seed))
    each <- function(what) vapply(runs, function(run) run[, what], numeric(length(methods)))
    size <- each("size")
    coverage <- each("coverage")
    n <- length(data$y)
    train <- min(400L, (2L * n) %/% 3L)
    ratio <- 1 / splits + min(400L, n - train) / train
    verdict <- vapply(seq_along(methods), function(m) {
      off <- log(size[m, ]) - log(size[1L, ])
      if (m == 1L || stats::sd(off) == 0) return(c(1, NA))
      t <- mean(off) / sqrt(ratio * stats::var(off))
      c(exp(mean(off)), 2 * stats::pt(-abs(t), splits - 1))
    }, c(0, 0))
    row <- data.frame(
      data = name, task = if (is.factor(data$y)) "classes" else "regression", method = methods,
      n = train, d = ncol(data$x), level = 0.9, splits = splits,
      guaranteed = rowMeans(each("guaranteed")), coverage = rowMeans(coverage),
      error = apply(coverage, 1L, stats::sd) / sqrt(splits), least = apply(coverage, 1L, min),
      size = rowMeans(size), size_per_split = verdict[1L, ], p_value = verdict[2L, ],
      row.names = NULL
    )
    row$verdict <- ifelse(is.na(row$p_value) | row$p_value > 0.05, "no difference",
                          ifelse(row$size_per_split < 1, "smaller", "larger"))
    print(row, row.names = FALSE, digits = 3)
    keep_table(row, "conformal_sizes.csv", c("data", "method"), "MASS")
  }
}

# ---- many new rows -----------------------------------------------------------------------------
if ("stream" %in% parts) {
  set.seed(1)
  draw_rows <- function(n, d = 20L) {
    x <- matrix(stats::rnorm(n * d), n)
    p <- stats::plogis(drop(x %*% c(1, -1, rep(0.2, d - 2L))))
    list(x = x, y = factor(ifelse(stats::runif(n) < p, "b", "a")))
  }
  train <- draw_rows(1e4)
  fit <- margin_linear(train$x, train$y, lambda = 0.01,
                       control = margin_control(threads = 2, seed = 1, progress = FALSE))
  made <- timed(margin_conformal(fit, train$x, train$y, method = "jackknife+"))
  if (!is.null(made$error)) stop(made$error)
  # what the first call of all loads is no part of it
  predict(made$value, draw_rows(1000)$x)
  told <- file.exists("/proc/self/clear_refs")
  for (size in if (spotting) 1e4 else c(1e4, 1e5)) {
    rows <- draw_rows(size)
    run <- timed(if (told) with_peak(function() predict(made$value, rows$x)) else
      predict(made$value, rows$x))
    if (!is.null(run$error)) stop(run$error)
    inside <- as.matrix(run$value[fit$levels])
    row <- data.frame(
      n = nrow(train$x), d = ncol(train$x), loss = "logistic", lambda = 0.01, threads = 2,
      new = size, level = 0.9, refitted = sum(made$value$left_out$refitted),
      sets_seconds = made$seconds, seconds = run$seconds, cpu = run$cpu,
      rows_per_second = size / run$seconds,
      object_mb = as.numeric(utils::object.size(made$value)) / 1e6,
      answer_mb = as.numeric(utils::object.size(run$value)) / 1e6,
      peak_mb = if (told) attr(run$value, "peak") / 1e6 else NA_real_,
      size = mean(rowSums(inside)), coverage = mean(inside[cbind(seq_len(size), rows$y)])
    )
    print(row, row.names = FALSE, digits = 3)
    keep_table(row, "conformal_stream.csv", c("n", "threads", "new"), skip = "peak_mb")
  }
}

# ---- beside package probably -------------------------------------------------------------------
needs <- c("probably", "parsnip", "workflows", "rsample", "tune", "glmnet")
if ("probably" %in% parts) {
  absent <- needs[!vapply(needs, requireNamespace, NA, quietly = TRUE)]
  if (length(absent) > 0L && !spotting) {
    cat("not measured beside probably:", toString(absent), "not installed\n")
  } else {
    set.seed(1)
    rows <- MASS::Boston[sample.int(nrow(MASS::Boston)), ]
    train <- rows[1:300, ]
    test <- rows[301:400, ]
    # least squares: probably refits a workflow, which has no certificate
    if (!spotting) {
      spec <- parsnip::set_engine(parsnip::linear_reg(), "lm")
      flow <- workflows::workflow(medv ~ ., spec)
      fitted <- workflows::fit(flow, train)
      theirs <- timed(stats::predict(
        probably::int_conformal_full(fitted, train), test, level = 0.9
      ))
      folds <- rsample::vfold_cv(train, v = 10)
      cross <- timed({
        resampled <- tune::fit_resamples(
          flow, folds, control = tune::control_resamples(save_pred = TRUE, extract = identity)
        )
        stats::predict(probably::int_conformal_cv(resampled), test, level = 0.9)
      })
    }
    fit <- margin_linear(medv ~ ., data = train, lambda = 1e-8)
    ours <- timed(predict(margin_conformal(fit, train, method = "full"), test))
    ours_cross <- timed(predict(margin_conformal(fit, train, method = "cv+", seed = 1), test))
    row_of <- function(package, method, run, low, high) {
      if (!is.null(run$error)) {
        cat(package, method, "failed:", run$error, "\n")
        return(NULL)
      }
      from <- run$value[[low]]
      to <- run$value[[high]]
      data.frame(package = package, method = method, data = "Boston", n = 300L, new = 100L,
                 level = 0.9, seconds = run$seconds, cpu = run$cpu, width = mean(to - from),
                 coverage = mean(from <= test$medv & test$medv <= to))
    }
    rows <- rbind(if (!spotting) row_of("probably", "full", theirs, ".pred_lower", ".pred_upper"),
                  row_of("dualmargin", "full", ours, "lower", "upper"),
                  if (!spotting) row_of("probably", "cv+", cross, ".pred_lower", ".pred_upper"),
                  row_of("dualmargin", "cv+", ours_cross, "lower", "upper"))
    print(rows, row.names = FALSE, digits = 3)
    keep_table(rows, "conformal_probably.csv", c("package", "method"),
               c("MASS", needs))
  }
}
