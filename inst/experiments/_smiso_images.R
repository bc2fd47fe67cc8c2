# Part of smiso.R: the design of Figure 1 of the paper. Its images (STL-10) and their features are
# not to be had; ours are 500 fours and nines of MNIST, halved to 14 x 14 pixels (means of four),
# rows divided by their norms, squared hinge.
# lambda is the strong convexity mu of the paper; the l1 norm of the composite problem has the
# weight 0.001. The transformations:
#   shift   moved by up to one pixel in either direction, two of the original, nine places
#           (perturb_image)
#   scale   scaled by 0.9 to 1.1 and turned by up to ten degrees, 25 ways, bilinear interpolation,
#           which stands for the paper's rescaling and cropping (perturb_custom)
#   gamma   pixels raised to a power of 0.5 to 2, five powers, and the row divided by its norm again
#           (perturb_custom); with l1, as the paper's scattering features
# All versions of an image are equally likely, so F is a mean over 2,500 to 12,500 rows, and
# margin_linear() knows its optimum. Steps are the paper's eta: its 1 for N-SAGA is 3 of nsaga's.
# Methods draw rows with replacement and perturbations independently and return the last iterate, as
# the paper's do; "balanced" is ours.
# writes: smiso_images.csv smiso_images_accuracy.csv
# depends: core src/augmented R/margin_augmented.R R/perturbation.R src/linear R/margin_linear.R
# seeds: 1 to 20 (suboptimality), 1 to 20 (accuracy: subsets)

read_digits <- function(file) {
  base <- file.path(getOption("dualmargin.data_dir", Sys.getenv("DUALMARGIN_DATA")), file)
  connection <- gzfile(base, "rb")
  on.exit(close(connection))
  magic <- readBin(connection, "integer", 1L, 4L, endian = "big")
  sizes <- readBin(connection, "integer", magic %% 256L, 4L, endian = "big")
  values <- readBin(connection, "integer", prod(sizes), 1L, signed = FALSE)
  if (length(sizes) > 1L) matrix(values, sizes[1L], byrow = TRUE) else values
}
side <- 14L
fours_and_nines <- function(set) {
  files <- paste0(set, c("-images-idx3-ubyte.gz", "-labels-idx1-ubyte.gz"))
  label <- read_digits(files[2L])
  keep <- label %in% c(4, 9)
  pixels <- array(t(read_digits(files[1L])[keep, ]), c(2L, side, 2L, side, sum(keep)))
  halved <- t(matrix(apply(pixels, c(2L, 4L, 5L), mean), side^2))
  list(x = unit_rows(halved), y = ifelse(label[keep] == 9, 1, -1))
}
digits <- fours_and_nines("train")
unseen_digits <- fours_and_nines("t10k")

# A linear map of images as a sparse matrix: pixel p of the new image is the bilinear mean of the
# four old ones around its place, nothing being outside.
warp <- function(scale, degrees, down = 0, right = 0) {
  centre <- (side - 1) / 2
  turn <- degrees * pi / 180
  at <- expand.grid(right = seq_len(side) - 1, down = seq_len(side) - 1)
  u <- (at$right - centre - right) / scale
  v <- (at$down - centre - down) / scale
  from_right <- centre + cos(turn) * u + sin(turn) * v
  from_down <- centre - sin(turn) * u + cos(turn) * v
  parts <- lapply(list(c(0, 0), c(1, 0), c(0, 1), c(1, 1)), function(corner) {
    r <- floor(from_right) + corner[1L]
    d <- floor(from_down) + corner[2L]
    weight <- (1 - abs(from_right - r)) * (1 - abs(from_down - d))
    inside <- r >= 0 & r < side & d >= 0 & d < side & weight > 1e-12
    data.frame(from = (side * d + r + 1)[inside], to = which(inside), weight = weight[inside])
  })
  parts <- do.call(rbind, parts)
  Matrix::sparseMatrix(parts$from, parts$to, x = parts$weight, dims = c(side^2, side^2))
}
apart <- expand.grid(a = 1:5, b = 1:5)
maps <- Map(function(a, b) warp(c(0.9, 0.95, 1, 1.05, 1.1)[a], c(-10, -5, 0, 5, 10)[b]),
            apart$a, apart$b)
near <- expand.grid(down = -1:1, right = -1:1)
moves <- Map(function(down, right) warp(1, 0, down, right), near$down, near$right)
powers <- 2^seq(-1, 1, by = 0.5)
powered <- function(x, power) {
  largest <- do.call(pmax, as.data.frame(x))
  unit_rows((pmax(x, 0) / largest)^power)
}
fifth <- function(u) pmin(floor(5 * u), 4)
# For every kind what a fit sees, and all versions of some rows.
kinds <- list(
  shift = list(perturbation = perturb_image(c(side, side), 1), versions = moves),
  scale = list(perturbation = perturb_custom(function(values, u) {
    which <- 1 + fifth(u[, 1L]) + 5 * fifth(u[, 2L])
    for (k in unique(which)) {
      rows <- which == k
      values[rows, ] <- as.matrix(values[rows, , drop = FALSE] %*% maps[[k]])
    }
    values
  }), versions = maps),
  gamma = list(perturbation = perturb_custom(function(values, u) {
    powered(values, powers[1 + fifth(u[, 1L])])
  }), versions = as.list(powers))
)
all_versions <- function(x, kind) {
  do.call(rbind, lapply(kinds[[kind]]$versions, function(one) {
    if (is.numeric(one)) powered(x, one) else as.matrix(x %*% one)
  }))
}
subset_of <- function(seed) {
  set.seed(seed)
  rows <- sample(nrow(digits$x), 500L)
  list(x = digits$x[rows, ], y = digits$y[rows])
}

# ---- suboptimality ----
last_of <- function(solver, ...) list(solver, list(...))
image_ways <- list(
  "smiso, balanced" = last_of("smiso", sampling = "permutation", balanced = TRUE,
                              averaging = FALSE, step = 1),
  "smiso, step 1" = last_of("smiso", sampling = "uniform", balanced = FALSE, averaging = FALSE,
                            step = 1),
  "smiso, step 0.1" = last_of("smiso", sampling = "uniform", balanced = FALSE, averaging = FALSE,
                              step = 0.1),
  "sgd, step 1" = last_of("sgd", sampling = "uniform", balanced = FALSE, averaging = FALSE,
                          step = 1),
  "sgd, step 0.1" = last_of("sgd", sampling = "uniform", balanced = FALSE, averaging = FALSE,
                            step = 0.1),
  "nsaga, step 1" = last_of("nsaga", balanced = FALSE, step = 3),
  "nsaga, step 0.1" = last_of("nsaga", balanced = FALSE, step = 0.3)
)
designs <- rbind(
  expand.grid(mu = c(1e-2, 1e-3, 1e-4), kind = c("shift", "scale"), l1 = 0,
              stringsAsFactors = FALSE),
  data.frame(mu = c(1e-2, 1e-3, 1e-4), kind = "gamma", l1 = 1e-3)
)
if (spotting) designs <- designs[1L, ]
if ("--accuracy" %in% arguments) designs <- designs[0L, ]
if (length(asked("kinds"))) designs <- designs[grepl(asked("kinds"), designs$kind), ]
# of seeds that were asked for, designs that the file has with all of them are not run again
if (is.null(keep_curves) && !is.null(asked_seeds) && !length(asked("methods"))) {
  before <- read_table(file.path(folder, "smiso_images.csv"))
  before <- before[before$epochs == 300 & before$method == "nsaga, step 0.1", ]
  lacking <- mapply(function(of_mu, of_kind) {
    !all(asked_seeds %in% before$seed[before$mu == of_mu & before$kind == of_kind])
  }, designs$mu, designs$kind)
  designs <- designs[lacking, ]
}
fold <- subset_of(1)
fold_y <- factor(fold$y)
measured <- list()
for (d in seq_len(nrow(designs))) {
  kind <- designs$kind[d]
  mu <- designs$mu[d]
  l1 <- designs$l1[d]
  lambda <- mu + l1
  mixture <- l1 / lambda
  places <- all_versions(fold$x, kind)
  y <- rep(fold$y, nrow(places) / length(fold$y))
  exact <- margin_linear(places, factor(y), loss = "squared_hinge", lambda = lambda,
                         mixture = mixture, intercept = "none", scale = FALSE, solver = "auto",
                         control = margin_control(tol = 1e-10, seed = 1, progress = FALSE))
  points <- if (quick || spotting) c(5, 20) else c(5, 20, 100, 300)
  if (!is.null(keep_curves)) {
    # the other kinds take ten times as long
    points <- if (spotting) 1:2 else if (kind == "shift") between(points) else setdiff(c(1:20, 45), points)
  }
  cells <- expand.grid(epochs = points,
                       seed = if (is.null(keep_curves)) run_seeds(if (quick) 1L else 1:20) else 1:20,
                       method = names(image_ways),
                       stringsAsFactors = FALSE)
  cells <- cells_asked(cells)
  # of all seeds, a median
  if (spotting && !is.null(keep_curves)) cells <- cells[cells$method == "nsaga, step 1", ]
  fits <- Map(function(method, epochs, seed) {
    run(fold$x, fold_y, kinds[[kind]]$perturbation, image_ways[[method]], epochs, seed,
        "squared_hinge", lambda, mixture)
  }, cells$method, cells$epochs, cells$seed)
  w <- vapply(fits, coef, numeric(side^2))
  value <- colMeans(pmax(1 - y * (places %*% w), 0)^2 / 2) +
    mu / 2 * colSums(w^2) + l1 * colSums(abs(w))
  last <- function(fit, what) fit$noise[[what]][nrow(fit$noise)]
  measured[[d]] <- data.frame(
    kind, mu, l1, cells[c("method", "seed", "epochs")],
    suboptimality = signif(value - certificate(exact)$bound, 4),
    sigma_ratio = signif(vapply(fits, last, 0, "sigma_tot2") /
                           vapply(fits, last, 0, "sigma_p2"), 4),
    exact_gap = signif(certificate(exact)$gap, 2),
    zeros = signif(colMeans(w == 0), 3), exact_zeros = signif(mean(coef(exact) == 0), 3)
  )
  if (!is.null(keep_curves)) {
    keep_curves(measured[[d]], sprintf("%s, mu %s", kind, format(mu, scientific = FALSE)))
    next
  }
  save_seeds(do.call(rbind, measured), "images",
             keys = c("kind", "mu", "l1", "method", "seed", "epochs"), fresh = measured[[d]],
             skip = "exact_gap", needed = list(
               sigma_ratio = function(rows) rows$method == "smiso, step 1" & rows$epochs == 300,
               zeros = function(rows) rows$l1 > 0, exact_zeros = function(rows) rows$l1 > 0
             ))
}

# ---- test accuracy ----
# The same subsets for all kinds. Not again where more of the runs above were asked for.
with_accuracy <- is.null(asked_seeds) && is.null(keep_curves)
trials <- expand.grid(subset = seq_len(if (quick) 2L else 20L), mu = c(1e-2, 1e-3, 1e-4),
                      l1 = c(0, 1e-3))
if (spotting) trials <- trials[1L, ]
with_draws <- list(sampling = "auto", balanced = TRUE, averaging = TRUE, choose = TRUE, step = 1)
hits <- function(perturbation, subset, mu, l1) {
  fold <- subset_of(subset)
  epochs <- if (quick) 20 else if (mu < 1e-3) 200 else 100
  fit <- run(fold$x, factor(fold$y), perturbation, list("smiso", with_draws), epochs, subset,
             "squared_hinge", mu + l1, l1 / (mu + l1), tol = 1e-4)
  signif(mean(sign(unseen_digits$x %*% coef(fit)) == unseen_digits$y), 5)
}
for (way in if (with_accuracy) c("plain", names(kinds))) {
  trials[[way]] <- mapply(hits, trials$subset, trials$mu, trials$l1,
                          MoreArgs = list(perturbation = if (way == "plain") "none" else
                            kinds[[way]]$perturbation))
  message(format(Sys.time(), "%T "), "images, accuracy, ", way)
}
if (with_accuracy) save_results(trials, "images_accuracy", keys = c("subset", "mu", "l1"),
                                seeds = "1 to 20 (subsets)")
