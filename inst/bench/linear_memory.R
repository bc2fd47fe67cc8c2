# Peak memory of a fit beyond what its caller already holds, over the size of the caller's matrix.
#
# As _memory.R says. One fit on five rows comes first and loads what is loaded lazily.
#
# Usage: Rscript linear_memory.R [folder for the results] [--cells=regex]
# writes: linear_memory.csv
# depends: core src/linear R/margin_linear.R
# seeds: 1

library(dualmargin)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])
source(file.path(dirname(script), "_arguments.R"))
source(file.path(dirname(script), "_memory.R"))
child <- option("child", "")

cells <- rbind(
  expand.grid(loss = c("logistic", "squared_hinge", "hinge", "squared"),
              data = c("imdb, dgCMatrix", "imdb, dgRMatrix", "a9a, dgCMatrix", "a9a, dgRMatrix",
                       "400,000 x 50, dense"),
              mixture = 0, stringsAsFactors = FALSE),
  expand.grid(loss = c("logistic", "squared_hinge"),
              data = c("imdb, dgCMatrix", "imdb, dgRMatrix"), mixture = 1,
              stringsAsFactors = FALSE)
)
label <- paste(cells$data, cells$loss, ifelse(cells$mixture == 1, "lasso", "ridge"))

# ---- the child: one cell, its answer on one line -----------------------------------------------
read_cell <- function(name) {
  if (grepl("dense", name)) {
    set.seed(1)
    x <- matrix(stats::rnorm(400000 * 50), ncol = 50)
    return(list(x = x, y = ifelse(x[, 1L] + x[, 2L] + stats::rnorm(nrow(x)) > 0, 1, -1)))
  }
  parts <- strsplit(name, ", ")[[1L]]
  data <- margin_data(parts[1L])
  kind <- if (parts[2L] == "dgCMatrix") "CsparseMatrix" else "RsparseMatrix"
  list(x = methods::as(data$x, kind), y = if (parts[1L] == "imdb") ifelse(data$y > 5, 1, -1) else
    data$y)
}
if (nzchar(child)) {
  cell <- cells[as.integer(child), ]
  data <- tryCatch(read_cell(cell$data), dualmargin_input_error = function(condition) NULL)
  if (is.null(data)) no_data()
  fit <- function(rows, seconds) {
    loss <- if (cell$loss == "squared_hinge") loss_squared_hinge(0.5) else cell$loss
    suppressWarnings(margin_linear(
      if (is.null(rows)) data$x else data$x[rows, , drop = FALSE],
      if (is.null(rows)) data$y else data$y[rows], loss = loss, lambda = 1e-4,
      mixture = cell$mixture, scale = FALSE, intercept = "none",
      control = margin_control(seed = 1, progress = FALSE, max_seconds = seconds)
    ))
  }
  few <- c(head(which(data$y > 0), 3L), head(which(data$y < 0), 2L))
  invisible(fit(few, 1))
  model <- with_peak(function() fit(NULL, 60))
  answer(attr(model, "peak"), as.numeric(object.size(data$x)), as.numeric(object.size(model)),
         certificate(model)$certified)
}

# ---- the parent --------------------------------------------------------------------------------
path <- file.path(folder, "linear_memory.csv")
for (i in grep(option("cells", ".", "^a9a, dgCMatrix logistic ridge"), label)) {
  numbers <- ask_child(i, label[i])
  if (is.null(numbers)) next
  bytes <- as.numeric(numbers[1:3])
  row <- data.frame(
    data = cells$data[i], loss = cells$loss[i],
    penalty = if (cells$mixture[i] == 1) "lasso" else "ridge",
    matrix_mb = signif(bytes[2L] / 1e6, 4), extra_mb = signif(bytes[1L] / 1e6, 4),
    ratio = signif(bytes[1L] / bytes[2L], 3), fit_mb = signif(bytes[3L] / 1e6, 3),
    certified = as.logical(numbers[4L]), lambda = 1e-4, date = as.character(Sys.Date()),
    machine = paste(Sys.info()[["sysname"]], Sys.info()[["machine"]], R.version$version.string),
    command = "linear_memory.R"
  )
  print(row[1:8], row.names = FALSE)
  table <- read_table(path)
  same <- paste(table$data, table$loss, table$penalty) %in% paste(row$data, row$loss, row$penalty)
  record(rbind(table[!same, ], row), path, row, c("data", "loss", "penalty"), tolerance = 0.15)
}
