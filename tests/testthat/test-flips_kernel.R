# Which rows, and how many, could flip a prediction of a kernel fit: against refits, beside the
# linear family, and by hand.

# A small kernel problem of two classes, with a fit that may be off its optimum.
flip_case <- function(seed, lambda = NULL) {
  problem <- kernel_problem_drawn(seed, numeric_y = FALSE)
  if (!is.null(lambda)) problem$settings$lambda <- lambda
  fit <- loosened_kernel(kernel_fit_drawn(problem, 1e-11),
                         if (seed %% 2L == 0L) 10^runif(1, -5, -1.5) else 0)
  list(problem = problem, y = decision_response(problem), fit = fit,
       change = if (seed %% 4L == 0L) "relabel" else "remove")
}

case_flips <- function(case, ...) {
  margin_sensitivity(case$fit, case$problem$x, case$y, case$problem$new, count = TRUE,
                     change = case$change, ...)
}

# The exact values of the new rows after `which` changed; NULL without two classes.
flipped_optimum <- function(case, which) {
  problem <- case$problem
  total <- sum(problem$omega)
  if (case$change == "remove") {
    problem$omega[which] <- 0
  } else {
    problem$codes[which] <- -problem$codes[which]
  }
  used <- problem$omega > 0
  if (length(unique(problem$codes[used])) < 2L) {
    return(NULL)
  }
  exact_scores(kernel_optimum(problem, which(used), problem$settings$lambda * total /
                                sum(problem$omega)), problem$new)
}

test_that("no row alone moves a value by more than its bound, and what is settled is true", {
  answers <- lapply(if (is_extended()) 1:300 else 1:6, function(seed) {
    case <- flip_case(seed)
    bounds <- lapply(c(0, Inf), function(refits) case_flips(case, most = 99, refits = refits))
    score <- bounds[[1L]]$rows$score
    side <- ifelse(score >= 0, 1, -1)
    found <- lapply(seq_along(case$y), function(j) {
      exact <- flipped_optimum(case, j)
      if (is.null(exact)) return(NULL)
      moved <- ifelse(side > 0, score - exact$high, exact$low - score)
      turned <- ifelse(side > 0, exact$high < 0, exact$low >= 0)
      stays <- ifelse(side > 0, exact$low >= 0, exact$high < 0)
      of_row <- function(flips, part) {
        mine <- flips$bounds[flips$bounds$changed == j, ]
        mine[[part]][match(seq_along(score), mine$row)]
      }
      state <- of_row(bounds[[2L]], "flips")
      least <- pmin(of_row(bounds[[1L]], "bound"), of_row(bounds[[2L]], "bound"))
      data.frame(
        over = moved - least - 1e-9 * (1 + abs(score)),
        tight = ifelse(moved > 1e-3, of_row(bounds[[1L]], "bound") / moved, NA),
        wrong = (turned & !is.na(state) & !state) | (stays & !is.na(state) & state) |
          (turned & bounds[[2L]]$rows$needed > 1) |
          (turned & case$problem$omega[j] > 0 & bounds[[2L]]$rows$alone == 0),
        open = is.na(state) & (turned | stays)
      )
    })
    found <- do.call(rbind, found)
    data.frame(seed, worst = max(found$over), wrong = sum(found$wrong), open = mean(found$open),
               tight = stats::median(found$tight, na.rm = TRUE))
  })
  answers <- do.call(rbind, answers)
  expect_identical(answers$seed[answers$worst > 0], integer())
  expect_identical(answers$seed[answers$wrong > 0], integer())
  expect_lte(stats::median(answers$open), 0.02)
  expect_lte(min(answers$tight, na.rm = TRUE), 10)
})
