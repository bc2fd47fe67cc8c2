# What a search for the best penalty has found and proven.

new_margin_tune <- function(search, plan, resamples, task, call) {
  total <- search$total
  points <- data.frame(lambda = search$lambda, lower = search$lower / total,
                       upper = search$upper / total, undecided = search$undecided)
  bound <- do.call(rbind, lapply(search$intervals, bound_table, total = total))
  # as given, not exp(log()) of it
  bound$from[1L] <- plan$range[1L]
  bound$to[nrow(bound)] <- plan$range[2L]
  best <- max(which(points$upper == min(points$upper)))
  least <- min(vapply(search$intervals, `[[`, 0, "lowest") / total, points$upper[best])
  error <- points[best, c("lower", "upper")]
  tiny <- 1e-12
  near <- unlist(lapply(search$intervals, function(one) {
    low <- which(one$bound <= (error$upper + tiny) * total)
    one$positions[c(low, low + 1L)]
  }))
  new_object(list(
    lambda = search$lambda[best], error = unlist(error), least = least,
    proven = error$upper - least <= plan$eps + tiny, among = exp(range(near)),
    points = points, bound = bound, ended = search$ended, eps = plan$eps,
    range = plan$range, weighted = !is.null(task$weights),
    settings = recorded_settings(plan$settings), levels = task$levels, nobs = nrow(task$x),
    folds = lapply(resamples, function(one) {
      list(repetition = one$repetition, fold = one$fold, test = task$rows[one$test])
    }),
    call = compact_call(call)
  ), "margin_tune")
}

# Steps of one interval, those of equal height in one, without single points.
bound_table <- function(steps, total) {
  wide <- diff(steps$positions) > 0
  height <- steps$bound
  runs <- cumsum(c(TRUE, diff(height[wide]) != 0))
  from <- steps$positions[-length(steps$positions)][wide]
  to <- steps$positions[-1L][wide]
  first <- !duplicated(runs)
  last <- !duplicated(runs, fromLast = TRUE)
  data.frame(from = exp(from[first]), to = exp(to[last]), lower = height[wide][first] / total)
}

signal_tune <- function(tune) {
  if (!tune$proven) {
    warning(structure(
      class = c("dualmargin_not_certified", "warning", "condition"),
      list(message = sprintf(paste(
        "Not proven within eps = %s: the error of the best lambda, %s, is within %s of the",
        "smallest of the range. %s"
      ), format(tune$eps), format(tune$error[["upper"]], digits = 4),
      format(tune$error[["upper"]] - tune$least, digits = 3), tune_remedy(tune)), call = NULL,
      lambda = tune$lambda, remaining = tune$error[["upper"]] - tune$least)
    ))
  }
  tune
}

tune_remedy <- function(tune) {
  if (tune$error[["upper"]] - tune$error[["lower"]] > tune$eps) {
    return("Decision values of 0, up to the tolerance of the fits, decide no class.")
  }
  if (tune$ended == "points") "Give a larger max_points, a larger eps or a narrower range." else
    "Rows change sides closer to one another than can be told apart; give a larger eps."
}
