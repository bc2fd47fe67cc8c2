# Peak memory of a fit beyond what its caller already holds, over the size of the caller's matrix.
#
# A child reads the data, drops the garbage, resets the kernel's record of its peak (Linux: 5 into
# /proc/self/clear_refs), fits, and reads the record again: peak resident size less resident size
# before. R's garbage collector counts against us: what it has not yet freed is in the peak. The C
# library is told to give every freed vector back at once, or the fit would run in what reading the
# data left behind. One fit on five rows comes first and loads what is loaded lazily.
#
# Usage: Rscript linear_memory.R [folder for the results] [--cells=regex]

library(dualmargin)
arguments <- commandArgs(trailingOnly = TRUE)
child <- grep("^--child=", arguments, value = TRUE)

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
kilobytes <- function(field) {
  status <- readLines("/proc/self/status")
  as.numeric(gsub("\\D", "", grep(paste0("^", field, ":"), status, value = TRUE)))
}
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
if (length(child)) {
  cell <- cells[as.integer(sub("--child=", "", child)), ]
  data <- tryCatch(read_cell(cell$data), dualmargin_input_error = function(condition) NULL)
  if (is.null(data)) quit(status = 3)
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
  invisible(gc(full = TRUE))
  invisible(gc(full = TRUE))
  writeLines("5", "/proc/self/clear_refs")
  before <- kilobytes("VmRSS")
  model <- fit(NULL, 60)
  extra <- kilobytes("VmHWM") - before
  cat("answer", extra * 1024, as.numeric(object.size(data$x)), as.numeric(object.size(model)),
      certificate(model)$certified, "\n")
  quit(status = 0)
}

# ---- the parent --------------------------------------------------------------------------------
if (!file.exists("/proc/self/clear_refs")) {
  message("Peak memory is read from Linux's /proc, which is not here; nothing is measured.")
  quit(status = 0)
}
folder <- grep("^--", arguments, value = TRUE, invert = TRUE)[1L]
if (is.na(folder)) folder <- file.path("inst", "extdata", "results")
path <- file.path(folder, "linear_memory.csv")
wanted <- sub("--cells=", "", c(grep("^--cells=", arguments, value = TRUE), ".")[1L])
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])
for (i in which(grepl(wanted, label))) {
  said <- suppressWarnings(system2(file.path(R.home("bin"), "Rscript"),
                                   c(shQuote(script), paste0("--child=", i)), stdout = TRUE,
                                   env = c("MALLOC_MMAP_THRESHOLD_=16384",
                                           "MALLOC_TRIM_THRESHOLD_=16384")))
  answer <- grep("^answer ", said, value = TRUE)
  if (!length(answer)) {
    message(label[i], ": ", if (identical(attr(said, "status"), 3L)) {
      "margin_data() does not find it; left out."
    } else {
      "the child failed."
    })
    next
  }
  numbers <- strsplit(trimws(answer), " ")[[1L]][-1L]
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
  table <- if (file.exists(path)) utils::read.csv(path)
  same <- paste(table$data, table$loss, table$penalty) %in% paste(row$data, row$loss, row$penalty)
  utils::write.csv(rbind(table[!same, ], row), path, row.names = FALSE)
}
