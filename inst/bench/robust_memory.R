# Peak memory of margin_robust() beyond what its caller already holds, against the sizes it should
# grow with: 12 bytes for each nonzero and 8 for each pair of columns (interior point) or each
# column (PDHG, which "auto" takes for many columns).
#
# As _memory.R says. One fit on few rows comes first and loads
# what is loaded lazily. Radius 0.1, label cost 1, no intercept, columns as they are.
#
# Usage: Rscript robust_memory.R [folder for the results] [--cells=regex]
# writes: robust_memory.csv
# depends: core src/robust R/margin_robust.R
# seeds: 1

library(dualmargin)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])
source(file.path(dirname(script), "_arguments.R"))
source(file.path(dirname(script), "_memory.R"))
child <- option("child", "")

# Sets that are made up say so: their columns grow, their rows and nonzeros do not.
made_up <- sprintf("random, 10,000 x %s, 100,000 nonzeros",
                   c("250", "500", "1,000", "2,000", "50,000"))
cells <- rbind(
  expand.grid(norm = c("l1", "l2", "linf"), ridge = c(0, 1),
              data = c("a9a", "ijcnn1", "covtype", "400,000 x 50, dense"),
              stringsAsFactors = FALSE),
  expand.grid(norm = c("l1", "l2", "linf"), ridge = 1, data = c(made_up, "imdb"),
              stringsAsFactors = FALSE)
)
label <- paste(cells$data, cells$norm, "ridge", cells$ridge)

# ---- the child: one cell, its answer on one line -----------------------------------------------
random_rows <- function(columns) {
  set.seed(1)
  n <- 10000
  x <- Matrix::sparseMatrix(i = rep(seq_len(n), each = 10),
                            j = as.vector(replicate(n, sample.int(columns, 10))),
                            x = stats::rnorm(10 * n), dims = c(n, columns))
  truth <- stats::rnorm(columns)
  list(x = x, y = sign(as.vector(x %*% truth) + stats::rnorm(n)))
}
read_cell <- function(name) {
  if (grepl("^random", name)) {
    data <- random_rows(as.integer(gsub(",", "", sub(".* x ([0-9,]+), .*", "\\1", name))))
  } else if (grepl("dense", name)) {
    set.seed(1)
    x <- matrix(stats::rnorm(400000 * 50), ncol = 50)
    return(list(x = x, y = ifelse(x[, 1L] + x[, 2L] + stats::rnorm(nrow(x)) > 0, 1, -1)))
  } else {
    data <- margin_data(if (name == "covtype") "covtype_sub92962" else name)
    if (name == "imdb") data$y <- ifelse(data$y > 5, 1, -1)
  }
  list(x = methods::as(data$x, "RsparseMatrix"), y = data$y)
}
if (nzchar(child)) {
  cell <- cells[as.integer(child), ]
  data <- tryCatch(read_cell(cell$data), dualmargin_input_error = function(condition) NULL)
  if (is.null(data)) no_data()
  fit <- function(rows, seconds) {
    suppressWarnings(margin_robust(
      if (is.null(rows)) data$x else data$x[rows, , drop = FALSE],
      if (is.null(rows)) data$y else data$y[rows], norm = cell$norm, radius = 0.1,
      label_cost = 1, ridge = cell$ridge, scale = FALSE, intercept = "none",
      control = margin_control(progress = FALSE, max_seconds = seconds)
    ))
  }
  few <- c(head(which(data$y > 0), 3L), head(which(data$y < 0), 2L))
  if (ncol(data$x) <= 500) invisible(fit(few, 1))
  model <- with_peak(function() fit(NULL, 60))
  nonzeros <- if (is.matrix(data$x)) length(data$x) else length(data$x@x)
  answer(attr(model, "peak"), as.numeric(object.size(data$x)), nonzeros, dim(data$x),
         certificate(model)$certified, model$status$solver)
}

# ---- the parent --------------------------------------------------------------------------------
path <- file.path(folder, "robust_memory.csv")
for (i in grep(option("cells", ".", "^a9a l1 ridge 1$"), label)) {
  words <- ask_child(i, label[i])
  if (is.null(words)) next
  size <- as.numeric(words[1:5])
  pairs <- size[5L]^(if (words[7L] == "pdhg") 1 else 2)
  unit <- 12 * size[3L] + 8 * pairs
  row <- data.frame(
    data = cells$data[i], norm = cells$norm[i], ridge = cells$ridge[i], n = size[4L],
    d = size[5L], nonzeros = size[3L], solver = words[7L], matrix_mb = signif(size[2L] / 1e6, 4),
    unit_mb = signif(unit / 1e6, 4), extra_mb = signif(size[1L] / 1e6, 4),
    ratio = signif(size[1L] / unit, 3), certified = as.logical(words[6L]),
    date = as.character(Sys.Date()),
    machine = paste(Sys.info()[["sysname"]], Sys.info()[["machine"]], R.version$version.string),
    command = "robust_memory.R"
  )
  print(row[1:12], row.names = FALSE)
  table <- read_table(path)
  same <- paste(table$data, table$norm, table$ridge) %in% paste(row$data, row$norm, row$ridge)
  record(rbind(table[!same, ], row), path, row, c("data", "norm", "ridge"), tolerance = 0.15)
}
