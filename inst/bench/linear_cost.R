# What a fit costs against the work: seconds of solver = "auto" to a certificate of 1e-6 against n
# (rows), d (columns) and nnz (nonzeros), slopes by least squares on logarithms; and what one pass
# over the nonzeros costs beside a plain stream of the same bytes: identical() of two integer
# vectors, which is memcmp(). sum() would be bound by its long double additions.
#
# Synthetic rows: d columns, each row with k nonzeros at columns drawn uniformly, values normal over
# sqrt(k), labels from a normal plane with a tenth flipped. Real rows: the first n of covtype and
# imdb in a random order. Times are the least of the repeats, the whole call.
#
# Usage: Rscript linear_cost.R [folder for the results] [--draw=file.png] [--repeats=3]
# --draw reads the results that are there and only draws.
# writes: linear_cost.csv
# depends: core src/linear R/margin_linear.R
# seeds: sum of the sizes (data), 1 (order of rows, solvers)

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "..", "experiments", "_driver.R"))
path <- file.path(folder, "linear_cost.csv")
repeats <- as.integer(option("repeats", "3"))

# ---- the figure --------------------------------------------------------------------------------
draw <- function(table, file) {
  table <- table[table$what == "fit", ]
  panels <- unique(table$series)
  window <- range(table$seconds) * c(1, 10)  # with room for the legend
  grDevices::png(file, width = 350 * length(panels), height = 420, res = 100)
  old <- graphics::par(mfrow = c(1, length(panels)), mar = c(4, 4, 2, 1), las = 1)
  on.exit({
    graphics::par(old)
    grDevices::dev.off()
  })
  losses <- unique(table$loss)
  colours <- grDevices::palette.colors(length(losses), "Okabe-Ito")
  for (panel in panels) {
    here <- table[table$series == panel, ]
    graphics::plot(here$size, here$seconds, log = "xy", type = "n", main = panel,
                   ylab = "seconds", xlab = here$against[1L], ylim = window)
    for (k in seq_along(losses)) {
      line <- here[here$loss == losses[k], ]
      graphics::lines(line$size, line$seconds, type = "b", pch = 14L + k, col = colours[k])
    }
    slopes <- vapply(losses, function(loss) here$slope[here$loss == loss][1L], 0)
    graphics::legend("topleft", sprintf("%s, slope %.2f", losses, slopes), bty = "n", cex = 0.75,
                     pch = 14L + seq_along(losses), col = colours)
  }
}
picture <- option("draw", "")
if (nzchar(picture)) {
  draw(read_table(path), picture)
  quit(status = 0)
}

# ---- data --------------------------------------------------------------------------------------
synthetic <- function(n, d, k) {
  set.seed(n + d + k)
  columns <- lapply(seq_len(n), function(i) sort(sample.int(d, k)))
  x <- Matrix::sparseMatrix(j = unlist(columns), p = seq(0, n * k, by = k), dims = c(n, d),
                            x = stats::rnorm(n * k) / sqrt(k), repr = "R")
  z <- as.vector(x %*% stats::rnorm(d))
  flipped <- stats::runif(n) < 0.1
  list(x = x, y = ifelse((z > 0) != flipped, 1, -1))
}
real <- function(name) {
  data <- data_or_null(name)
  if (is.null(data)) return(NULL)
  set.seed(1)
  order <- sample(length(data$y))
  y <- if (name == "imdb") ifelse(data$y > 5, 1, -1) else data$y
  list(x = methods::as(data$x, "RsparseMatrix")[order, ], y = y[order])
}
head_rows <- function(data, n) {
  list(x = methods::as(data$x[seq_len(n), ], "RsparseMatrix"), y = data$y[seq_len(n)])
}
covtype <- real("covtype_sub92962")
imdb <- real("imdb")
series <- list(
  list(name = "synthetic, d = 200, 20 a row", against = "n", sizes = 2^(12:18),
       data = function(size) synthetic(size, 200, 20)),
  list(name = "synthetic, n = 40,000, 20 a row", against = "d",
       sizes = c(50, 100, 200, 400, 800, 1600, 6400, 25600), data = function(size) {
         synthetic(40000, size, 20)
       }),
  list(name = "synthetic, n = 40,000, d = 500", against = "nnz", sizes = 40000 * 2^(1:7),
       data = function(size) synthetic(40000, 500, size / 40000)),
  if (!is.null(covtype)) list(name = "covtype", against = "n", sizes = c(2^(12:16), 92962),
                              data = function(size) head_rows(covtype, size)),
  if (!is.null(imdb)) list(name = "imdb", against = "n", sizes = c(1000 * 2^(0:4), 25000),
                           data = function(size) head_rows(imdb, size))
)

# ---- measurements ------------------------------------------------------------------------------
least_seconds <- function(code, times = repeats) {
  code <- substitute(code)
  where <- parent.frame()
  min(vapply(seq_len(times), function(i) {
    gc(FALSE)
    start <- clock()
    eval(code, where)
    clock() - start
  }, 0))
}
# The response as a factor: what coding numbers costs is not meant here.
coded <- function(data) c(data, list(f = factor(data$y, c(-1, 1))))
fit <- function(data, loss, tol = 1e-6, solver = "auto", max_epochs = 1000) {
  suppressWarnings(margin_linear(
    data$x, data$f, loss = loss, lambda = 1e-4, mixture = 0, scale = FALSE,
    intercept = "none", solver = solver,
    control = margin_control(tol = tol, seed = 1, progress = FALSE, max_epochs = max_epochs,
                             max_seconds = 60)
  ))
}
row <- function(what, series, against, loss, size, seconds, slope = NA, epochs = NA,
                certified = NA, streams = NA) {
  data.frame(what, series, against, loss, size, seconds = signif(seconds, 4), slope, epochs,
             certified, streams = signif(streams, 3))
}
table <- NULL
save <- function() {
  out <- table
  out$date <- as.character(Sys.Date())
  out$machine <- paste(Sys.info()[["sysname"]], Sys.info()[["machine"]], R.version$version.string)
  out$command <- paste(c("linear_cost.R", arguments[grepl("^--", arguments)]), collapse = " ")
  record(out, path, keys = c("what", "series", "loss", "size"), tolerance = 0.01)
}
if (spotting) series <- lapply(series[1L], function(one) c(one[-3L], list(sizes = one$sizes[1L])))
for (one in Filter(Negate(is.null), series)) {
  rows <- NULL
  for (size in one$sizes) {
    data <- coded(one$data(size))
    for (loss in c("logistic", "squared_hinge", "hinge")) {
      seconds <- least_seconds(model <- fit(data, loss))
      rows <- rbind(rows, row("fit", one$name, one$against, loss, size, seconds,
                              epochs = signif(model$status$epochs, 3),
                              certified = certificate(model)$certified))
    }
  }
  for (loss in unique(rows$loss)) {
    these <- rows$loss == loss & rows$certified  # what was cut short says nothing of the cost
    if (sum(these) > 1L) {
      slope <- coef(lm(log(seconds) ~ log(size), rows[these, ]))[[2L]]
      rows$slope[rows$loss == loss] <- signif(slope, 3)
    }
  }
  print(rows[c("series", "loss", "size", "seconds", "epochs", "certified", "slope")],
        row.names = FALSE)
  table <- rbind(table, rows)
  save()
}

# One pass: the difference of a long and a short run, so that what a run costs once falls out. A
# nonzero takes 12 bytes, so the stream compares twice 1.5 integers for each.
passes <- list(`synthetic, n = 131,072, 20 a row` = synthetic(131072, 200, 20), covtype = covtype,
               imdb = imdb)
for (name in if (!spotting) names(Filter(Negate(is.null), passes))) {
  data <- coded(passes[[name]])
  nnz <- length(data$x@x)
  half <- rep(1L, ceiling(1.5 * nnz))
  other <- half + 0L
  stream <- least_seconds(for (i in 1:10) identical(half, other), 5L) / 10
  multiply <- least_seconds(data$x %*% rep(1, ncol(data$x)), 5L)
  epoch <- function(solver, loss) {
    run <- function(epochs) least_seconds(fit(data, loss, 1e-15, solver, epochs), 5L)
    (run(24) - run(4)) / 20
  }
  table <- rbind(
    table, row("stream of 12 bytes a nonzero", name, "nnz", NA, nnz, stream, streams = 1),
    row("x %*% w of Matrix", name, "nnz", NA, nnz, multiply, streams = multiply / stream)
  )
  for (loss in c("hinge", "squared_hinge", "logistic")) {
    seconds <- epoch("sdca", loss)
    table <- rbind(table, row("epoch of sdca", name, "nnz", loss, nnz, seconds,
                              streams = seconds / stream))
  }
  save()
}
print(table[table$what != "fit", c("what", "series", "loss", "size", "seconds", "streams")],
      row.names = FALSE)
