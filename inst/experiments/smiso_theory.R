# The theory of the stochastic MISO paper beside measurements. A. Bietti and J. Mairal (2017), NIPS
# 30, 1623-1633, arXiv:1610.00970. Its Algorithm 1 in plain R, since the bounds need the table z_i
# and the constants c_i, which the solver "smiso" does not give out:
#   bounds     C_t of (8) beside Theorem 2, the averaged iterate beside Theorem 3, and the lower
#              bound D_t(x_t) of (6) beside the optimum, with steps as the theorems have them;
#   averaging  Figure 3 of its appendix, S-MISO and SGD: decay and average from epoch 3 and from
#              epoch 30, steps of Section 5 with eta = 1;
#   clusters   the first row of Table 2: a perturbation draws a member of a cluster of rows.
# Usage: DUALMARGIN_DATA=<data sets> Rscript smiso_theory.R [folder for the results [parts ...]]
# --resume: averaging goes on where it was ended; --method=sgd: averaging of that only.
# --seeds=6:10: clusters, only these, beside those that the file has.
# writes: smiso_bounds.csv smiso_averaging.csv smiso_averaging_curves.csv smiso_clusters.csv
# depends: core src/augmented R/margin_augmented.R R/perturbation.R src/linear R/margin_linear.R
# depends: inst/experiments/_smiso_suboptimality.R
# seeds: 1 to 20 (runs), 100 (reference), 20170201 (draws of the estimate)

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "_driver.R"))
require_data()
source(file.path(home, "_smiso_suboptimality.R"))
parts <- intersect(c("bounds", "averaging", "clusters"), arguments)
if (!length(parts)) parts <- c("bounds", "averaging", "clusters")
asked <- sub("^--seeds=", "", grep("^--seeds=", arguments, value = TRUE))
seeds <- if (spotting) 1L else if (length(asked)) {
  do.call(seq, as.list(as.integer(strsplit(asked, ":")[[1L]])))
} else 1:20

fit_augmented_to <- function(x, y, perturbation, loss, lambda, epochs, seed, solver, options,
                             weights = NULL) {
  suppressMessages(suppressWarnings(margin_augmented(
    x, factor(y), perturbation, loss = loss, lambda = lambda, mixture = 0, weights = weights,
    solver = solver, intercept = "none", center = FALSE, scale = FALSE,
    control = margin_control(tol = 1e-14, max_epochs = epochs, seed = seed, progress = FALSE,
                             solver_options = c(options, iterate = "last"))
  )))
}
long_run <- list(sampling = "permutation", balanced = TRUE, averaging = TRUE, choose = FALSE,
                 step = 1)

genes <- margin_data("gravier")
genes <- list(x = unname(genes$x / sqrt(rowSums(genes$x^2))),
              y = ifelse(genes$y == levels(genes$y)[2L], 1, -1))
n <- nrow(genes$x)
p <- ncol(genes$x)

# Algorithm 1 for the logistic loss and dropout: points at the end of the epochs `at`. alpha(t) is
# the step, weight(t) that of the point in the average (0 before it begins). c_i completes the lower
# bound d_i(w) = mu/2 |w - z_i|^2 + c_i.
algorithm_1 <- function(mu, rate, alpha, weight, at, seed) {
  set.seed(seed)
  z <- matrix(0, p, n)
  constant <- numeric(n)
  w <- numeric(p)
  average <- numeric(p)
  total <- 0
  rows <- t(genes$x)
  kept <- list()
  for (t in seq_len(n * max(at))) {
    i <- sample.int(n, 1L)
    xi <- rows[, i] * (stats::runif(p) >= rate) / (1 - rate)
    margin <- genes$y[i] * sum(w * xi)
    v <- genes$y[i] * stats::plogis(-margin) / mu * xi
    a <- alpha(t)
    # value less |gradient|^2 / (2 mu), the gradient being mu (w - v)
    lowest <- log1p(exp(-margin)) + mu / 2 * (sum(w^2) - sum((w - v)^2))
    change <- v - z[, i]
    constant[i] <- (1 - a) * constant[i] + a * lowest + mu / 2 * a * (1 - a) * sum(change^2)
    z[, i] <- z[, i] + a * change
    w <- w + a / n * change
    if (weight(t) > 0) {
      total <- total + weight(t)
      average <- average + weight(t) / total * (w - average)
    }
    if (t %% n == 0 && (t / n) %in% at) {
      bound <- mean(constant) + mu / 2 * mean(colSums((z - w)^2))
      kept[[length(kept) + 1L]] <- list(epoch = t / n, last = w, bound = bound, alpha = a,
                                        z = z, average = if (total > 0) average else w)
    }
  }
  kept
}
# Over many draws: the optimum's value, z_i* = w* - grad f_i(w*) / mu, and the variance sigma_p^2.
at_optimum <- function(w, mu, rate, draws = 200L) {
  set.seed(20170201)
  sum_z <- 0
  value <- squares <- 0
  for (draw in seq_len(draws)) {
    rows <- genes$x * (stats::runif(n * p) >= rate) / (1 - rate)
    margin <- genes$y * drop(rows %*% w)
    v <- genes$y * stats::plogis(-margin) * rows
    sum_z <- sum_z + v
    squares <- squares + sum(v^2)
    value <- value + mean(log1p(exp(-margin)))
  }
  mean_v <- sum_z / draws
  list(z = t(mean_v) / mu, value = value / draws + mu / 2 * sum(w^2),
       sigma_p2 = (squares / draws - sum(mean_v^2)) / n * draws / (draws - 1))
}
reference_of <- function(mu, rate, epochs) {
  coef(fit_augmented_to(genes$x, genes$y, perturb_dropout(rate), "logistic", mu, epochs, 100,
                        "smiso", long_run))
}

if ("bounds" %in% parts) {
  mu <- 0.01
  rate <- 0.1
  at <- if (spotting) c(1, 5) else c(1, 5, 20, 50, 100)
  best <- reference_of(mu, rate, if (spotting) 500 else 4000)
  known <- at_optimum(best, mu, rate, if (spotting) 20L else 200L)
  # L of the losses as dropout may make them; the ridge is part of f_i
  condition <- (max(rowSums(genes$x^2)) / 4 / (1 - rate)^2 + mu) / mu
  measured <- list()
  for (seed in seeds) {
    for (steps in c("Theorem 2", "Theorem 3")) {
      share <- if (steps == "Theorem 2") 2 else 4
      first <- min(0.5, n / (share * (2 * condition - 1)))
      gamma <- 2 * n / first - 1
      start <- 0.5 * sum(best^2) + first / n^2 * sum((known$z - 0)^2)
      run <- algorithm_1(mu, rate, function(t) 2 * n / (gamma + t), function(t) gamma + t, at, seed)
      w <- vapply(run, `[[`, best, if (steps == "Theorem 2") "last" else "average")
      gaps <- suboptimality(genes$x, genes$y, w, best, "logistic", mu, rate, draws = 10L)
      t <- n * at
      promised <- if (steps == "Theorem 2") {
        pmax(8 * known$sigma_p2 / mu^2, (gamma + 1) * start) / (gamma + t + 1)
      } else {
        2 * mu * gamma * (gamma - 1) * start / (t * (2 * gamma + t - 1)) +
          16 * known$sigma_p2 / (mu * (2 * gamma + t - 1))
      }
      lyapunov <- vapply(run, function(one) {
        0.5 * sum((one$last - best)^2) + one$alpha / n^2 * sum((one$z - known$z)^2)
      }, 0)
      measured[[length(measured) + 1L]] <- data.frame(
        data = "gravier", lambda = mu, rate, steps, seed, epochs = at,
        measured = signif(if (steps == "Theorem 2") lyapunov else gaps, 4),
        promised = signif(promised, 4), suboptimality = signif(gaps, 4),
        below = signif(known$value - vapply(run, `[[`, 0, "bound"), 4),
        distance = signif(mu / 2 * colSums((vapply(run, `[[`, best, "last") - best)^2), 4)
      )
    }
    message(format(Sys.time(), "%T "), "bounds, seed ", seed)
  }
  write_results(do.call(rbind, measured), "smiso_bounds.csv", keys = c("steps", "seed", "epochs"),
                skip = c("suboptimality", "below", "distance"), tolerance = 0.05,
                seeds = c(seeds, "100 (reference)", "20170201 (draws of the estimate)"))
}

# SGD with the steps min(first, top / (gamma + late)) of "averaging" below, compiled: points and
# averages at the end of the epochs `at`, a column each.
sgd_source <- "
Rcpp::List sgd_points(Rcpp::NumericMatrix x, Rcpp::NumericVector y, double mu, double rate,
                      double first, double top, int from, Rcpp::IntegerVector at) {
  int p = x.nrow(), n = x.ncol(), kept = 0;
  std::vector<double> w(p), mean(p), row(p);
  Rcpp::NumericMatrix last(p, at.size()), average(p, at.size());
  double total = 0;
  for (int t = 1; kept < at.size(); ++t) {
    int i = int(R::unif_rand() * n);
    for (int j = 0; j < p; ++j) row[j] = x(j, i);
    // the next coordinate that is dropped is a geometric number of them away
    for (double j = R::rgeom(rate); j < p; j += 1 + R::rgeom(rate)) row[int(j)] = 0;
    double score = 0;
    for (int j = 0; j < p; ++j) score += w[j] * row[j];
    double late = std::max(t - (from - 1) * n, 0);
    double eta = std::min(first, top / (top / first + late));
    double pull = eta * y[i] / (1 + std::exp(y[i] * score));
    double weight = late > 0 ? top / first + late : 0;
    total += weight;
    double share = total > 0 ? weight / total : 1;
    for (int j = 0; j < p; ++j) {
      w[j] = (1 - eta * mu) * w[j] + pull * row[j];
      mean[j] += share * (w[j] - mean[j]);
    }
    if (t != at[kept] * n) continue;
    for (int j = 0; j < p; ++j) last(j, kept) = w[j], average(j, kept) = mean[j];
    ++kept;
  }
  return Rcpp::List::create(Rcpp::Named(\"last\") = last, Rcpp::Named(\"average\") = average);
}"

if ("averaging" %in% parts) {
  if (spotting) seeds <- 1:20  # the curves are quantiles of all of them
  told_at <- if (spotting) c(5, 20) else c(5, 20, 50, 100, 200)
  at <- if (spotting) told_at else c(1:20, 25, 32, 40, 50, 63, 80, 100, 126, 160, 200)
  settings <- expand.grid(from = c(3, 30), method = c("sgd", "smiso"), setting = 1:3,
                          stringsAsFactors = FALSE)
  settings <- settings[order(settings$method != "sgd"), ]
  settings$lambda <- c(0.01, 1e-4, 1e-4)[settings$setting]
  settings$rate <- c(0.1, 0.1, 0.3)[settings$setting]
  if (spotting) settings <- settings[1L, ]
  one_method <- sub("^--method=", "", grep("^--method=", arguments, value = TRUE))
  if (length(one_method)) settings <- settings[settings$method == one_method, ]
  keys <- c("method", "lambda", "rate", "from", "epochs")
  references <- list()
  if ("sgd" %in% settings$method) sgd_points <- Rcpp::cppFunction(sgd_source)
  for (k in seq_len(nrow(settings))) {
    here <- settings[k, c("method", "lambda", "rate", "from")]
    curves_file <- file.path(folder, "smiso_averaging_curves.csv")
    curves_before <- if ("--resume" %in% arguments) read_table(curves_file)
    if (length(curves_before) && nrow(merge(curves_before, here))) next
    mu <- here$lambda
    rate <- here$rate
    # SGD stays further away: a shorter run tells how far
    epochs <- if (spotting) 500 else if (here$method == "sgd") 2000 else 6000
    name <- paste(mu, rate, epochs)
    if (is.null(references[[name]])) references[[name]] <- reference_of(mu, rate, epochs)
    best <- references[[name]]
    smooth <- max(rowSums(genes$x^2)) / 4 / (1 - rate)^2
    first <- if (here$method == "smiso") min(1, n * mu / smooth) else 1 / (smooth + mu)
    top <- if (here$method == "smiso") 2 * n else 2 / mu
    gamma <- top / first
    late <- function(t) max(t - (here$from - 1) * n, 0)
    runs <- lapply(seeds, function(seed) {
      if (here$method == "sgd") {
        set.seed(seed)
        return(sgd_points(t(genes$x) / (1 - rate), genes$y, mu, rate, first, top, here$from, at))
      }
      run <- algorithm_1(mu, rate, function(t) min(first, top / (gamma + late(t))),
                         function(t) if (late(t) > 0) gamma + late(t) else 0, at, seed)
      list(last = vapply(run, `[[`, best, "last"), average = vapply(run, `[[`, best, "average"))
    })
    points <- lapply(c("last", "average"), function(iterate) {
      do.call(cbind, lapply(runs, `[[`, iterate))
    })
    gaps <- suboptimality(genes$x, genes$y, do.call(cbind, points), best, "logistic", mu, rate,
                          draws = 10L)
    gaps <- array(gaps, c(length(at), length(seeds), 2L))
    measured <- do.call(rbind, lapply(seq_along(seeds), function(s) {
      data.frame(data = "gravier", here, seed = seeds[s], epochs = at,
                 last = signif(gaps[, s, 1L], 4), average = signif(gaps[, s, 2L], 4),
                 row.names = NULL)
    }))
    measured <- measured[measured$epochs %in% told_at, ]
    write_results(measured, "smiso_averaging.csv", replaced = c(keys, "seed"), keys = c(keys, "seed"),
                  tolerance = 0.02, seeds = c(seeds, "100 (reference)", "20170201 (draws)"))
    curves <- do.call(rbind, lapply(1:2, function(j) {
      quantiles <- apply(gaps[, , j, drop = FALSE], 1L, function(one) {
        c(min(one), stats::median(one), max(one))
      })
      data.frame(here, iterate = c("last", "averaged")[j], epochs = at,
                 low = signif(quantiles[1L, ], 3), middle = signif(quantiles[2L, ], 3),
                 high = signif(quantiles[3L, ], 3), row.names = NULL)
    }))
    write_results(curves, "smiso_averaging_curves.csv", replaced = c(keys, "iterate"),
                  keys = c(keys, "iterate"), tolerance = 0.02,
                  seeds = c(seeds, "100 (reference)", "20170201 (draws)"))
    message(format(Sys.time(), "%T "), toString(unlist(here)))
  }
}

if ("clusters" %in% parts) {
  # k-means within each class of spambase, columns standardised and rows divided by their norms. A
  # row is the centre of a cluster, weighted by its size, and is seen as one of its members, all
  # equally likely. The mean loss is that of the data themselves, so that margin_linear() knows the
  # optimum. 200,000 draws.
  x <- unname(scale(as.matrix(spambase[-58L])))
  x <- x / sqrt(rowSums(x^2))
  y <- ifelse(spambase$type == "spam", 1, -1)
  mu <- 0.01
  exact <- margin_linear(x, factor(y), loss = "logistic", lambda = mu, mixture = 0,
                         intercept = "none", scale = FALSE, solver = "auto",
                         control = margin_control(tol = 1e-10, seed = 1, progress = FALSE))
  objective <- function(w) mean(log1p(exp(-y * drop(x %*% w)))) + mu / 2 * sum(w^2)
  measured <- list()
  for (count in if (spotting) 2000L else c(100L, 500L, 2000L)) {
    set.seed(count)
    member <- integer(length(y))
    for (class in c(-1, 1)) {
      rows <- which(y == class)
      parted <- suppressWarnings(stats::kmeans(x[rows, ], count / 2, iter.max = 50, nstart = 1))
      member[rows] <- parted$cluster + (class > 0) * count / 2
    }
    groups <- split(seq_along(y), member)
    size <- lengths(groups)
    centres <- t(vapply(groups, function(rows) colMeans(x[rows, , drop = FALSE]), x[1L, ]))
    class <- y[vapply(groups, `[`, 1L, 1L)]
    within <- mean(rowSums((x - centres[member, ])^2))
    a_member <- perturb_custom(function(values, u) {
      cluster <- match(values[, 1L], centres[, 1L])
      which <- pmin(floor(u[, 1L] * size[cluster]), size[cluster] - 1) + 1
      x[mapply(function(rows, k) rows[k], groups[cluster], which), , drop = FALSE]
    })
    epochs <- 2e5 / count
    for (method in c("smiso", "sgd")) for (seed in seeds) {
      fit <- fit_augmented_to(centres, class, a_member, "logistic", mu, epochs, seed, method,
                              list(sampling = "nonuniform", balanced = FALSE,
                                   averaging = FALSE, step = 1), weights = size)
      last <- fit$noise[nrow(fit$noise), ]
      measured[[length(measured) + 1L]] <- data.frame(
        data = "spambase", lambda = mu, clusters = count, method, seed, epochs,
        rows = signif(mean(rowSums(x^2)) / within, 4),
        ratio = signif(last$sigma_tot2 / last$sigma_p2, 4),
        suboptimality = signif(objective(coef(fit)) - certificate(exact)$bound, 4)
      )
    }
    message(format(Sys.time(), "%T "), count, " clusters")
  }
  measured <- do.call(rbind, measured)
  keys <- c("clusters", "method", "seed")
  write_results(measured, "smiso_clusters.csv", replaced = if (length(asked)) keys, keys = keys,
                tolerance = 0.02,
                seeds = seeds)
}
