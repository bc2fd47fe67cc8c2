# The b that balances the slopes of each column, by Newton steps within a bracket.
best_offsets <- function(loss, z, y, omega, b) {
  low <- rep(-Inf, length(b))
  high <- rep(Inf, length(b))
  scale <- colSums(omega)
  for (iteration in seq_len(80L)) {
    at <- z + rep(b, each = nrow(z))
    sum <- colSums(omega * loss$left(at, y))
    low <- ifelse(sum <= 0, pmax(low, b), low)
    high <- ifelse(sum >= 0, pmin(high, b), high)
    if (all(abs(sum) <= 1e-15 * scale)) break
    bend <- colSums(omega * loss$curvature(at, y))
    step <- ifelse(bend > 1e-12 * scale, -sum / bend, -sign(sum))
    new <- b + pmin(5, pmax(-5, step))
    between <- ifelse(is.finite(low) & is.finite(high), (low + high) / 2, new)
    # back at an end of the bracket a step makes no progress
    stuck <- (new <= low | new >= high) & abs(step) > 1e-15 * (1 + abs(b))
    new <- ifelse(stuck, between, new)
    if (all(abs(new - b) <= 1e-15 * (1 + abs(b)))) break
    b <- new
  }
  b
}
