# Handwritten digits for the scripts of the hard family: MNIST, 28 x 28 pixels, from margin_data()
# where it lists them and else from the four idx files (packed or not) in the folder that the option
# `dualmargin.data_dir` or the variable DUALMARGIN_DATA names.

# part: "train" (60,000 digits) or "t10k" (10,000). list(x, y), whole numbers from 0 to 255 and a
# factor; NULL if it is not there.
read_digits <- function(part = "train") {
  name <- c(train = "mnist", t10k = "mnist.t")[[part]]
  data <- if (name %in% margin_data()$name) {
    tryCatch(margin_data(name), dualmargin_input_error = function(condition) NULL)
  } else {
    read_idx(part)
  }
  if (is.null(data)) {
    return(NULL)
  }
  x <- as.matrix(data$x)
  dimnames(x) <- NULL
  list(x = x, y = factor(data$y))
}

read_idx <- function(part) {
  folder <- getOption("dualmargin.data_dir", Sys.getenv("DUALMARGIN_DATA"))
  bytes <- lapply(c("images-idx3-ubyte", "labels-idx1-ubyte"), function(kind) {
    path <- file.path(folder, paste0(part, "-", kind, c(".gz", "")))
    path <- path[file.exists(path)]
    if (!length(path)) return(NULL)
    file <- gzfile(path[1L], "rb")
    on.exit(close(file))
    readBin(file, "raw", 1e8)
  })
  if (is.null(bytes[[1L]]) || is.null(bytes[[2L]])) {
    return(NULL)
  }
  pixels <- as.integer(bytes[[1L]][-(1:16)])
  list(x = matrix(pixels, ncol = 784L, byrow = TRUE), y = as.integer(bytes[[2L]][-(1:8)]))
}

# Pixels divided by 255 of the first `most` with one of the labels, in their order.
digits_of <- function(data, labels = levels(data$y), most = Inf) {
  rows <- which(data$y %in% labels)
  rows <- rows[seq_len(min(most, length(rows)))]
  list(x = data$x[rows, ] / 255, y = factor(data$y[rows], as.character(labels)))
}

# CIFAR-10 (the part in the folder of the data sets: 4,000 training and 1,000 test images together,
# of 50,000 and 10,000): list(x, y), rows of 3 x 1,024 whole numbers; NULL if it is not there.
read_cifar <- function() {
  folder <- getOption("dualmargin.data_dir", Sys.getenv("DUALMARGIN_DATA"))
  files <- file.path(folder, c("cifar10_train4000.bin.xz", "cifar10_test1000.bin.xz"))
  if (!all(file.exists(files))) {
    return(NULL)
  }
  bytes <- unlist(lapply(files, function(path) {
    file <- xzfile(path, "rb")
    on.exit(close(file))
    readBin(file, "raw", 1e8)
  }))
  images <- matrix(as.integer(bytes), ncol = 3073L, byrow = TRUE)
  list(x = images[, -1L], y = factor(images[, 1L]))
}
