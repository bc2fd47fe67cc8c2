# Small problems that every law is tried on.

signs <- function(n) ifelse(seq_len(n) %% 3L == 0L, 1, -1)

# n x p with unequal columns, labels that no hyperplane separates, unequal weights, a zero row and a
# constant column.
small_problem <- function(n = 60L, p = 5L, seed = 1L) {
  set.seed(seed)
  x <- matrix(rnorm(n * p), n, p) %*% diag(10^seq(-0.5, 0.5, length.out = p), p)
  x[2L, ] <- 0
  if (p > 2L) x[, p] <- 1.5
  colnames(x) <- paste0("x", seq_len(p))
  score <- x[, 1L] + 0.5 * rnorm(n)
  list(x = x, y = ifelse(score > 0, 1, -1), response = score,
       weights = sample(c(0.5, 1, 2), n, replace = TRUE))
}

sparse_problem <- function(n = 80L, p = 30L, seed = 2L) {
  set.seed(seed)
  x <- Matrix::rsparsematrix(n, p, 0.15)
  x[5L, ] <- 0
  colnames(x) <- paste0("x", seq_len(p))
  x <- as(as(x, "generalMatrix"), "CsparseMatrix")
  list(x = x, y = ifelse(as.vector(x[, 1:3] %*% c(1, -1, 2)) + 0.5 * rnorm(n) > 0, 1, -1))
}

# A fit whose warning is part of what is looked at.
quiet_fit <- function(..., loss = "smooth_hinge") {
  withCallingHandlers(
    margin_linear(..., loss = loss),
    dualmargin_not_certified = function(condition) invokeRestart("muffleWarning")
  )
}

# lambda, or where a solver needs more of it on these rows, twice what it needs.
lambda_for <- function(row, lambda, x, loss, mixture = 0, intercept = "none", scale = TRUE,
                       weights = rep(1, nrow(x))) {
  if (!row$large_lambda) {
    return(lambda)
  }
  x <- as.matrix(x)
  mean <- colSums(weights * x) / sum(weights)
  sd <- sqrt(colSums(weights * sweep(x, 2L, mean)^2) / sum(weights))
  if (scale) x <- sweep(x, 2L, ifelse(sd > 1e-12, sd, 1), `/`)
  norm2 <- rowSums(x^2) + (intercept == "penalized")
  max(lambda, 2 * max(weights * norm2) / (sum(weights) * loss$gamma * (1 - mixture)))
}

# What may be asked of a solver: the gap of one with falling steps closes like 1/t.
tol_for <- function(row, tol) if (row$name == "spd1") max(tol, 0.02) else tol

# Solvers may say by how far lambda is from what their theorem asks.
without_notes <- function(code) {
  withCallingHandlers(code, dualmargin_message = function(note) invokeRestart("muffleMessage"))
}

probe_loss <- function(loss, what, z = 0, y = 1, a = 0, q = 0) {
  size <- max(length(z), length(y), length(a))
  probe("loss", loss$name, loss$parameter, what, rep_len(z, size), rep_len(y, size),
        rep_len(a, size), q)
}

is_extended <- function() identical(Sys.getenv("DUALMARGIN_EXTENDED_TESTS"), "true")


# Plots that nobody looks at.
on_null_device <- function(code) {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  force(code)
}

# Every text that a picture holds, in the order of drawing: read from an uncompressed file of its
# size, in which a text is one string. `frame` is the window in user coordinates at the end, `dashes`
# how often a broken line was begun, `circles` how many round symbols there are, of four arcs each,
# `size` of each text and `height` of its foot above the lower edge, in points, `dyed` how often a
# colour was taken to be #123456.
drawn_text <- function(code, width = 7, height = 5) {
  file <- tempfile(fileext = ".pdf")
  grDevices::pdf(file, width = width, height = height, compress = FALSE, useKerning = FALSE,
                 useDingbats = FALSE)
  frame <- tryCatch({
    force(code)
    graphics::par("usr")
  }, finally = grDevices::dev.off())
  # the second line of the file is bytes that newer versions of R would translate
  lines <- iconv(readLines(file, warn = FALSE), "latin1", "ASCII", sub = "?")
  unlink(file)
  # size, 0, 0, size, left, foot
  place <- "^/F[0-9]+ 1 Tf(( [-0-9.]+){6}) Tm .*$"
  at <- grepl("\\((\\\\.|[^()\\\\])*\\) Tj", lines, useBytes = TRUE)
  numbers <- strsplit(trimws(sub(place, "\\1", lines[at])), " ")
  place <- vapply(numbers, function(one) as.numeric(one[c(1L, 6L)]), numeric(2L))
  text <- regmatches(lines, regexpr("\\((\\\\.|[^()\\\\])*\\) Tj", lines, useBytes = TRUE))
  text <- gsub("\\\\([()\\\\])", "\\1", sub("^\\((.*)\\) Tj$", "\\1", text))
  dashes <- sum(grepl("^\\[.*[0-9].*\\] [0-9.]+ d$", trimws(lines), useBytes = TRUE))
  circles <- sum(grepl("^[-0-9. ]+ c$", trimws(lines), useBytes = TRUE)) / 4
  dyed <- sum(grepl("(^| )0\\.071 0\\.204 0\\.337 (rg|scn)$", trimws(lines), ignore.case = TRUE,
                    useBytes = TRUE))
  structure(text, frame = frame, dashes = dashes, circles = circles, size = place[1L, ],
            height = place[2L, ], dyed = dyed)
}
