# Peak memory of a fit beyond what its caller already holds, over the size of the caller's matrix,
# for every family and every class of matrix: what is promised is 1.2 at most.
#
# _memory.R says how it is measured; a fit on few rows comes first and loads what is loaded lazily.
# `extra_to_rows` leaves out the array that a method must have beside the rows (`array_mb`): of a
# kernel, or an approximation of one, 8 bytes for each pair of rows, or of a row and a landmark; of
# S-MISO 8 bytes for each stored value, since it keeps a perturbed row of each.
#
# Dense: 400,000 x 50, or where the family keeps pairs 1,000 x 20,000. Sparse: a9a, imdb, and for
# the hard margin rows made separable (40,000 x 20,000, 50 a row). Fits end after --seconds.
#
# Usage: Rscript memory.R [folder for the results] [--cells=regex] [--seconds=60]
# writes: memory.csv
# depends: core src/linear R/margin_linear.R src/kernel R/margin_kernel.R src/augmented
# depends: R/margin_augmented.R src/robust R/margin_robust.R src/hard R/margin_hard.R
# seeds: 1

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "..", "experiments", "_driver.R"))
source(file.path(home, "_memory.R"))
seconds <- as.numeric(option("seconds", "60"))

# ---- the cells ---------------------------------------------------------------------------------
storages <- c("dense", "dgCMatrix", "dgRMatrix")
cell <- function(family, data, storage = storages, scale = FALSE, ...) {
  lapply(storage, function(one) {
    lapply(scale, function(scaled) {
      list(family = family, data = if (one == "dense") data[1L] else data[length(data)],
           storage = one, scale = scaled, given = list(...))
    })
  })
}
tall <- "400,000 x 50"
wide <- "1,000 x 20,000"
flatten <- function(cells) unlist(unlist(cells, recursive = FALSE), recursive = FALSE)
cells <- flatten(list(
  cell("linear", c(tall, "imdb"), scale = c(FALSE, TRUE), loss = "logistic", lambda = 1e-4),
  cell("linear", c(tall, "a9a"), loss = "hinge", lambda = 1e-4),
  cell("linear", c(tall, "imdb"), loss = "logistic", lambda = 1e-4, mixture = 1),
  cell("linear", wide, "dense", c(FALSE, TRUE), loss = "logistic", lambda = 1e-3),
  cell("kernel", c(wide, "imdb, 2,000 rows"), scale = c(FALSE, TRUE), kernel = "linear",
       loss = "logistic"),
  cell("kernel", c(wide, "imdb, 2,000 rows"), kernel = kernel_rbf(1e-5), loss = "logistic"),
  cell("kernel", c(tall, "imdb"), kernel = kernel_rbf(1e-3), loss = "logistic", nystrom = 20),
  cell("augmented", c(tall, "imdb"), scale = c(FALSE, TRUE), loss = "logistic", lambda = 1e-4,
       perturbation = perturb_dropout(0.1)),
  cell("augmented", tall, "dense", center = FALSE, loss = "logistic", lambda = 1e-4,
       perturbation = perturb_gaussian(0.3)),
  cell("augmented", "imdb", storages[2:3], loss = "squared", lambda = 1e-4,
       perturbation = perturb_dropout(0.1)),
  cell("robust", c(tall, "a9a"), scale = c(FALSE, TRUE), norm = "l1", radius = 0.1),
  cell("robust", c(tall, "a9a"), norm = "l2", radius = 0.1, ridge = 1),
  cell("robust", c(wide, "imdb"), norm = "l1", radius = 0.1),
  cell("hard", c(tall, "40,000 x 20,000")),
  cell("hard", wide, "dense"),
  cell("hard", wide, "dense", kernel = "linear")
))
settings_of <- function(cell) {
  text <- vapply(cell$given, function(value) {
    if (is.list(value)) format(value)[1L] else format(value)
  }, "")
  gsub("\"", "", paste(names(text), text, sep = " = ", collapse = ", "))
}
label <- vapply(cells, function(c) {
  paste(c$family, c$data, c$storage, if (c$scale) "scaled", settings_of(c))
}, "")

# ---- the child: one cell, its answer on one line -----------------------------------------------
read_cell <- function(cell) {
  separable <- cell$family == "hard"
  if (grepl(" x ", cell$data)) {
    size <- as.integer(gsub(",", "", strsplit(cell$data, " x ")[[1L]]))
    set.seed(1)
    if (cell$storage == "dense") {
      x <- matrix(stats::rnorm(as.double(size[1L]) * size[2L]), ncol = size[2L])
    } else {
      columns <- as.vector(vapply(seq_len(size[1L]), function(i) sample.int(size[2L], 50L),
                                  integer(50)))
      x <- Matrix::sparseMatrix(i = rep(seq_len(size[1L]), each = 50L), j = columns,
                                x = stats::rnorm(length(columns)), dims = size)
    }
    y <- ifelse(x[, 1L] + x[, 2L] + stats::rnorm(nrow(x)) > 0, 1, -1)
    # a column of its own makes the classes separable
    if (separable) x[, 3L] <- x[, 3L] * (cell$storage == "dense") + 5 * y
  } else {
    data <- margin_data(sub(",.*", "", cell$data))
    keep <- if (grepl("rows", cell$data)) 2000L else length(data$y)
    set.seed(1)
    rows <- if (keep < length(data$y)) sample(length(data$y), keep) else TRUE
    x <- data$x[rows, , drop = FALSE]
    y <- data$y[rows]
    if (startsWith(cell$data, "imdb")) y <- ifelse(y > 5, 1, -1)
  }
  kind <- c(dgCMatrix = "CsparseMatrix", dgRMatrix = "RsparseMatrix")
  if (cell$storage != "dense") x <- methods::as(x, kind[[cell$storage]])
  list(x = x, y = factor(y, c(-1, 1)))
}
child <- option("child", "")
if (nzchar(child)) {
  cell <- cells[[as.integer(child)]]
  data <- tryCatch(read_cell(cell), dualmargin_input_error = function(condition) NULL)
  if (is.null(data)) no_data()
  f <- get(paste0("margin_", cell$family), envir = asNamespace("dualmargin"))
  fit <- function(rows, limit) {
    given <- cell$given
    if (!is.null(rows) && !is.null(given$nystrom)) given$nystrom <- 5L
    x <- if (is.null(rows)) data$x else data$x[rows, , drop = FALSE]
    y <- if (is.null(rows)) data$y else data$y[rows]
    suppressWarnings(suppressMessages(do.call(f, c(
      list(quote(x), quote(y), intercept = "none", scale = cell$scale,
           control = margin_control(seed = 1, progress = FALSE, max_seconds = limit)), given
    ))))
  }
  few <- c(utils::head(which(data$y == "1"), 6L), utils::head(which(data$y == "-1"), 5L))
  invisible(fit(few, 1))
  model <- with_peak(function() fit(NULL, seconds))
  stored <- if (is.matrix(data$x)) length(data$x) else length(data$x@x)
  array <- if (model$status$solver[1L] == "smiso") stored else
    if (is.null(cell$given$kernel)) 0 else
      nrow(data$x) * (if (is.null(cell$given$nystrom)) nrow(data$x) else cell$given$nystrom)
  answer(attr(model, "peak"), as.numeric(utils::object.size(data$x)), 8 * array,
         as.numeric(utils::object.size(model)), model$status$status[1L], model$status$solver[1L])
}

# ---- the parent --------------------------------------------------------------------------------
for (i in grep(option("cells", ".", spot = "400,000|a9a"), label)) {
  words <- ask_child(i, label[i], paste0("--seconds=", seconds))
  if (is.null(words)) next
  bytes <- as.numeric(words[1:4])
  row <- data.frame(
    family = cells[[i]]$family, data = cells[[i]]$data, storage = cells[[i]]$storage,
    scale = cells[[i]]$scale, settings = settings_of(cells[[i]]), matrix_mb = bytes[2L] / 1e6,
    array_mb = bytes[3L] / 1e6, extra_mb = bytes[1L] / 1e6, fit_mb = bytes[4L] / 1e6,
    ratio = bytes[1L] / bytes[2L], extra_to_rows = (bytes[1L] - bytes[3L]) / bytes[2L],
    status = words[5L], solver = words[6L], seed = 1
  )
  print(row[setdiff(names(row), "seed")], row.names = FALSE, digits = 3)
  keep_table(row, "memory.csv", c("family", "data", "storage", "scale", "settings"),
             "Matrix", tolerance = 0.1)
}
