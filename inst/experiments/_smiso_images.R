# Part of smiso.R: the design of Figure 1 of the paper. Its images (STL-10) and their features are
# not to be had; ours are 500 fours and nines of MNIST, rows divided by their norms, moved by up to
# two pixels in either direction, squared hinge. lambda is the strong convexity mu of the paper, and
# for the composite problem the l1 norm with the weight 0.001 is added. The 25 places of an image
# are equally likely, so F is a mean over 12,500 rows, and margin_linear() knows its optimum.
# writes: smiso_images.csv smiso_images_accuracy.csv
# depends: core src/augmented R/margin_augmented.R src/linear R/margin_linear.R
# seeds: 1 (suboptimality), 1 to 8 (accuracy)

read_digits <- function(file) {
  base <- file.path(getOption("dualmargin.data_dir", Sys.getenv("DUALMARGIN_DATA")), file)
  connection <- gzfile(base, "rb")
  on.exit(close(connection))
  magic <- readBin(connection, "integer", 1L, 4L, endian = "big")
  sizes <- readBin(connection, "integer", magic %% 256L, 4L, endian = "big")
  values <- readBin(connection, "integer", prod(sizes), 1L, signed = FALSE)
  if (length(sizes) > 1L) matrix(values, sizes[1L], byrow = TRUE) else values
}
fours_and_nines <- function(set) {
  files <- paste0(set, c("-images-idx3-ubyte.gz", "-labels-idx1-ubyte.gz"))
  label <- read_digits(files[2L])
  keep <- label %in% c(4, 9)
  list(x = unit_rows(read_digits(files[1L])[keep, ]), y = ifelse(label[keep] == 9, 1, -1))
}
digits <- fours_and_nines("train")
unseen_digits <- fours_and_nines("t10k")
shifts <- perturb_image(c(28, 28), 2)

# All 25 places, one set of rows below the other.
all_places <- function(x) {
  images <- array(x, c(nrow(x), 28L, 28L))
  moved <- function(down, right) {
    there <- array(0, dim(images))
    to <- function(by) max(1L, 1L + by):min(28L, 28L + by)
    there[, to(down), to(right)] <- images[, to(-down), to(-right)]
    matrix(there, nrow(x))
  }
  steps <- expand.grid(down = -2:2, right = -2:2)
  do.call(rbind, Map(moved, steps$down, steps$right))
}
subset_of <- function(seed) {
  set.seed(seed)
  rows <- sample(nrow(digits$x), 500L)
  list(x = digits$x[rows, ], y = digits$y[rows])
}

# ---- suboptimality ----
image_points <- if (quick || spotting) c(5, 20) else c(5, 20, 50, 100)
fold <- subset_of(1)
places <- all_places(fold$x)
place_y <- rep(fold$y, 25L)
measured <- list()
for (l1 in if (spotting) 0 else c(0, 1e-3)) {
  for (mu in if (spotting) 1e-2 else c(1e-2, 1e-3, 1e-4)) {
    lambda <- mu + l1
    mixture <- l1 / lambda
    exact <- margin_linear(places, place_y, loss = "squared_hinge", lambda = lambda,
                           mixture = mixture, intercept = "none", scale = FALSE,
                           solver = "auto",
                           control = margin_control(tol = 1e-9, seed = 1, progress = FALSE))
    cells <- expand.grid(epochs = image_points, seed = 1L, method = names(methods),
                         stringsAsFactors = FALSE)
    fits <- Map(function(method, epochs, seed) {
      run(fold$x, fold$y, shifts, method, epochs, seed, "squared_hinge", lambda, mixture)
    }, cells$method, cells$epochs, cells$seed)
    w <- vapply(fits, coef, numeric(784))
    value <- colMeans(pmax(1 - place_y * (places %*% w), 0)^2 / 2) +
      mu / 2 * colSums(w^2) + l1 * colSums(abs(w))
    last <- function(fit, what) fit$noise[[what]][nrow(fit$noise)]
    measured[[length(measured) + 1L]] <- data.frame(
      mu, l1, cells[c("method", "seed", "epochs")],
      suboptimality = signif(value - certificate(exact)$bound, 4),
      sigma_ratio = signif(vapply(fits, last, 0, "sigma_tot2") /
                             vapply(fits, last, 0, "sigma_p2"), 4),
      exact_gap = signif(certificate(exact)$gap, 2),
      zeros = signif(colMeans(w == 0), 3), exact_zeros = signif(mean(coef(exact) == 0), 3)
    )
    save_results(do.call(rbind, measured), "images",
                 keys = c("mu", "l1", "method", "seed", "epochs"),
                 skip = "exact_gap")
  }
}

# ---- test accuracy ----
trials <- expand.grid(subset = seq_len(if (quick) 2L else 8L), mu = c(1e-2, 1e-3, 1e-4),
                      l1 = c(0, 1e-3))
if (spotting) trials <- trials[1L, ]
with_draws <- list(sampling = "auto", balanced = TRUE, averaging = TRUE, choose = TRUE, step = 1)
right <- function(perturbation, subset, mu, l1) {
  fold <- subset_of(subset)
  epochs <- if (quick) 20 else if (mu < 1e-3) 300 else 100
  fit <- run(fold$x, fold$y, perturbation, list("smiso", with_draws), epochs, subset,
             "squared_hinge", mu + l1, l1 / (mu + l1), tol = 1e-4)
  signif(mean(sign(unseen_digits$x %*% coef(fit)) == unseen_digits$y), 5)
}
for (way in c("plain", "moved")) {
  trials[[way]] <- mapply(right, trials$subset, trials$mu, trials$l1,
                          MoreArgs = list(perturbation = if (way == "plain") perturb_none() else
                            shifts))
  message(format(Sys.time(), "%T "), "images, accuracy, ", way)
}
save_results(trials, "images_accuracy", keys = c("subset", "mu", "l1"))
