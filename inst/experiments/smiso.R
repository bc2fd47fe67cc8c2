# What of the stochastic MISO paper holds? A. Bietti and J. Mairal (2017), NIPS 30, 1623-1633,
# arXiv:1610.00970. Its Figures 1 to 3 on data that can be had, its Table 2 and the accuracies of
# its Section 5 measured, and what the paper does not have: balanced perturbations.
# Usage: DUALMARGIN_DATA=<data sets> Rscript smiso.R [folder for the results [parts ...]]
# Parts, each with a file of its own: dropout, steps, text, noise, images, curves, propositions,
# single; all of them unless named. --seeds=6:10: only these seeds (dropout, steps,
# images, text), put beside those that the file has; with it, --methods=<regex>, --epochs=300: only
# these (dropout, images, text); --accuracy: of images only the test accuracies. With "quick" runs
# are short: for a look at the script, not at the method.

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "_driver.R"))
require_data()
parts <- parts_of(c("dropout", "steps", "text", "noise", "images", "curves", "propositions", "single"))
quick <- "quick" %in% arguments
# What follows --name= among the arguments.
asked <- function(name) {
  sub(sprintf("^--%s=", name), "", grep(sprintf("^--%s=", name), arguments, value = TRUE))
}
asked_seeds <- if (length(asked("seeds"))) {
  do.call(seq, as.list(as.integer(strsplit(asked("seeds"), ":")[[1L]])))
}
cells_asked <- function(cells) {
  if (length(asked("epochs"))) cells <- cells[cells$epochs %in% as.integer(asked("epochs")), ]
  if (length(asked("methods"))) cells <- cells[grepl(asked("methods"), cells$method), ]
  cells
}
run_seeds <- function(all) if (spotting) 1L else if (is.null(asked_seeds)) all else asked_seeds

# The methods of the paper, all of them, draw rows with replacement, uniformly, and independent
# perturbations; "balanced" is ours: perturbations balanced over the visits of a row and, in S-MISO,
# rows in a new order each epoch. SAGA draws uniformly and has no other way.
solvers <- margin_solvers("augmented")$name
paper <- list(sampling = "uniform", balanced = FALSE, step = 1)
ours <- list(sampling = "permutation", balanced = TRUE, step = 1)
saga <- list(balanced = FALSE, step = 1)
# the average from when it exists, not the better of it and the last point
average <- list(averaging = TRUE, choose = FALSE)
methods <- list(
  "smiso, balanced, averaged" = list("smiso", c(ours, average)),
  "smiso, balanced" = list("smiso", c(ours, averaging = FALSE)),
  "smiso, averaged" = list("smiso", c(paper, average)),
  "smiso" = list("smiso", c(paper, averaging = FALSE)),
  "sgd, averaged" = list("sgd", c(paper, average)),
  "sgd" = list("sgd", c(paper, averaging = FALSE)),
  "sgd, balanced, averaged" = list("sgd", c(list(sampling = "uniform", balanced = TRUE, step = 1),
                                            average)),
  "nsaga" = list("nsaga", saga),
  "saga_decay, averaged" = list("saga_decay", c(saga, average))
)

# The point after so many epochs, whatever it is worth; its own certificate is as cheap as can be.
run <- function(x, y, perturbation, method, epochs, seed = 1, loss = "logistic", lambda,
                mixture = 0, options = list(), tol = 1e-14) {
  how <- if (is.list(method)) method else methods[[method]]
  options <- c(options, how[[2L]], list(cycles = 4, iterate = "last"))
  options <- options[!duplicated(names(options))]
  control <- margin_control(tol = tol, max_epochs = epochs, seed = seed, progress = FALSE,
                            solver_options = options)
  quietly(margin_augmented(x, y, perturbation, loss = loss, lambda = lambda, mixture = mixture,
                           solver = how[[1L]], control = control, intercept = "none",
                           center = FALSE, scale = FALSE))
}

source(file.path(home, "_smiso_suboptimality.R"))
origin$version <- as.character(utils::packageVersion("dualmargin"))
save_results <- function(rows, name, ...) write_results(rows, sprintf("smiso_%s.csv", name), ...)
# Of a part that may run some of its rows: those of the file with other `keys` stay. rows: all of
# this run until now; fresh: those that were not saved yet; needed: what is kept of a column, as a
# function of the table.
save_seeds <- function(rows, name, keys, fresh = rows, others = NULL, needed = list(),
                       some = !is.null(asked_seeds), ...) {
  table <- if (some) upsert(rows, sprintf("smiso_%s.csv", name), keys) else rows
  for (column in names(needed)) table[[column]][!needed[[column]](table)] <- NA
  fresh <- table[row_keys(table, keys) %in% row_keys(fresh, keys), ]
  save_results(table, name, fresh = fresh, keys = keys,
               seeds = c(unique(rows$seed), others), ...)
}

# Between the epochs that a table tells: every one to 20, then even steps of its logarithm.
between <- function(told) {
  setdiff(c(1:20, round(exp(seq(log(20), log(max(told)), length.out = 9L)))), told)
}
# While the part "curves" has the others run at those, what they found goes where it says.
keep_curves <- NULL

for (part in parts) source(file.path(home, sprintf("_smiso_%s.R", part)))
