# A name that the core does not know is an error, whatever it is a name of: no fit is by a method, a
# loss or an order of rows that nobody asked for. R checks names before; here the core is asked.

own <- asNamespace("dualmargin")

# What `entry` of the core is given by a fit: another function stands in its place for so long.
given_to <- function(entry, fit) {
  caught <- NULL
  catch <- function(...) {
    caught <<- list(...)
    stop("caught")
  }
  with_own(entry, catch, try(fit(), silent = TRUE))
  stats::setNames(caught, names(formals(own[[entry]])))
}

# What the core says with another name at that place, where it has one.
answer_of <- function(entry, given, place) {
  expect_type(given[[place]], "character")
  given[[place]] <- "nobody's"
  tryCatch({
    do.call(own[[entry]], given)
    "nothing"
  }, error = conditionMessage)
}

set.seed(1)
x <- matrix(rnorm(60), 20)
two <- factor(rep(c("a", "b"), 10))
three <- factor(rep_len(c("a", "b", "c"), 20))

cases <- list(
  list("fit_multiclass_cpp", function() margin_linear(x, three, multiclass = "softmax"),
       list(c("control", "solver"), c("problem", "loss"), c("problem", "intercept"))),
  list("fit_linear_cpp", function() margin_linear(x, two),
       list(c("control", "solver"), c("problem", "loss"), c("problem", "intercept"))),
  list("fit_linear_cpp", function() {
    margin_linear(x, two, solver = "aspdc_i", intercept = "none", loss = loss_smooth_hinge())
  }, list(c("control", "options", "sampling"), c("control", "options", "schedule"))),
  list("fit_kernel_cpp", function() margin_kernel(x, two, solver = "sdca", intercept = "none"),
       list(c("control", "solver"), c("problem", "loss"), c("problem", "kernel", "name"),
            c("control", "options", "sampling"))),
  list("fit_kernel_cpp", function() {
    margin_kernel(x, three, multiclass = "softmax", intercept = "none")
  }, list(c("control", "solver"))),
  list("fit_kernel_cpp", function() {
    margin_kernel(x, two, kernel = kernel_custom(function(x, y) tcrossprod(x, y), check = "full"))
  }, list(c("problem", "kernel", "check"))),
  list("fit_nystrom_cpp", function() margin_kernel(x, two, nystrom = 5),
       list(c("control", "solver"))),
  list("fit_augmented_cpp", function() margin_augmented(x, two, solver = "sgd"),
       list(c("control", "solver"), c("control", "options", "sampling"))),
  list("fit_robust_cpp", function() margin_robust(x, two, radius = 0.01, solver = "isg"),
       list(c("control", "solver"), c("problem", "norm"), c("control", "options", "sampling"),
            c("control", "options", "schedule"))),
  list("fit_hard_cpp", function() margin_hard(x, two, solver = "momentum", intercept = "none"),
       list(c("control", "solver"), c("control", "options", "loss"))),
  list("fit_hard_cpp", function() margin_hard(x, two, solver = "adaptive", intercept = "none"),
       list(c("control", "options", "schedule")))
)

test_that("an unknown name is an error of the core", {
  for (case in cases) {
    given <- given_to(case[[1L]], case[[2L]])
    for (place in case[[3L]]) {
      last <- place[length(place)]
      label <- paste(case[[1L]], paste(place[-1L], collapse = "$"))
      said <- answer_of(case[[1L]], given, place)
      expect_match(said, "^unknown .*: nobody's$", info = label)
      expect_match(said, if (last == "name") "kernel" else last, fixed = TRUE, info = label)
    }
  }
})

test_that("one class is fitted by its solver alone", {
  given <- given_to("fit_oneclass_cpp", function() margin_oneclass(x))
  said <- answer_of("fit_oneclass_cpp", given, c("control", "solver"))
  expect_identical(said, "unknown solver: nobody's")
})
