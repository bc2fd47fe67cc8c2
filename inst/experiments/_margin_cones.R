# Part of margin.R: rows of length 1 at most, signs in them, with a margin.
#   cone h  100 random ones of 10 columns, the sign of the label taken off: the first between h and
#           1, the others a random point of the ball that is left, so that the margin is above h;
#   iris    setosa and versicolor, centred, divided by the longest.

cone <- function(height, n = 100L, d = 10L) {
  set.seed(20210701)
  first <- runif(n, height, 1)
  side <- matrix(rnorm(n * (d - 1L)), n)
  side <- side / sqrt(rowSums(side^2)) * runif(n)^(1 / (d - 1L)) * sqrt(1 - first^2)
  cbind(first, side)
}
flowers <- local({
  x <- scale(as.matrix(iris[1:100, 1:4]), scale = FALSE)
  x / sqrt(max(rowSums(x^2))) * rep(c(1, -1), each = 50L)
})
sets <- list("cone 0.76" = cone(0.76), "cone 0.4" = cone(0.4), iris = flowers)
