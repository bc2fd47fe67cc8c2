# What tests ask of the package beside the answers of its verbs, before all other helpers, since the
# campaigns of tests/fuzz attach the package alone. The first part is said in terms of what is
# exported and of the fields of a fit; the second is the package's own, named here alone.

# The rows of margin_solvers(), lists.
solver_rows <- function(family = NULL) {
  table <- as.list(margin_solvers(family))
  lapply(seq_along(table$name), function(k) lapply(table, function(column) unclass(column)[[k]]))
}
family_names <- function() unique(margin_solvers()$family)
family_fun <- function(family) getExportedValue("dualmargin", paste0("margin_", family))

# Does a solver take a problem?
solver_takes <- function(row, loss, intercept, mixture) {
  loss$name %in% row$losses && (loss$smooth || !row$smooth_loss) && intercept %in% row$intercepts &&
    (mixture < 1 || !row$strong_convexity) && (mixture > 0 || !row$l1) &&
    (mixture == 0 || !row$ridge)
}

has_intercept <- function(fit) {
  s <- fit$settings
  !identical(s$intercept, "none") || (isTRUE(s$center) && !is.null(s$perturbation))
}
coef_matrix <- function(fit) as.matrix(fit$coefficients)
own_slopes <- function(fit) {
  if (has_intercept(fit)) coef_matrix(fit)[-1L, , drop = FALSE] else coef_matrix(fit)
}
# of columns divided by their scales
scaled_slopes <- function(fit) own_slopes(fit) * fit$scales
scores_by <- function(fit, x) {
  z <- as.matrix(x %*% own_slopes(fit))
  if (has_intercept(fit)) z <- z + rep(coef_matrix(fit)[1L, ], each = nrow(z))
  if (ncol(z) == 1L) drop(z) else z
}
is_joint <- function(fit) isTRUE(fit$multiclass %in% c("softmax", "crammer_singer"))
unit_of <- function(fit) if (is.null(fit$response_scale)) 1 else fit$response_scale
# the size in which Huber's delta counts
huber_scale <- function(fit) {
  c(fit$residual_scale, fit$settings$loss$found$scale, unit_of(fit))[1L]
}
dual_norms <- c(l1 = "linf", l2 = "l2", linf = "l1")

# of every value as often as its weight says
weighted_median <- function(values, weights) {
  at <- order(values)[weights[order(values)] > 0]
  below <- cumsum(weights[at]) / sum(weights)
  k <- which(below >= 0.5 - 1e-12)[1L]
  mean(values[at][c(k, if (below[k] <= 0.5 + 1e-12) k + 1L)])
}

# ---- The package's own ----

# A loss or a kernel by its name, the makers by theirs.
as_loss <- dualmargin:::as_loss
as_kernel <- dualmargin:::as_kernel
loss_makers <- dualmargin:::loss_makers
regression_losses <- dualmargin:::regression_losses
# The perturbation that changes nothing; a file of which a control goes on, or to which it writes.
new_perturbation <- dualmargin:::new_perturbation
as_checkpoint <- dualmargin:::as_checkpoint
# An expression without the notes and warnings that are ours; the numbers of a report.
quietly <- dualmargin:::quietly
held_out <- dualmargin:::held_out
problem_formula <- dualmargin:::problem_formula
# Losses that go with a perturbation without draws; a perturbation as the core has it, for probes.
has_closed_form <- dualmargin:::has_closed_form
core_perturbation <- dualmargin:::core_perturbation
# Of solvers that pass over all rows, and those that compare_solvers() takes unasked.
family_field <- function(family, field) dualmargin:::families()[[family]][[field]]
# How often a resample has each row.
counts_of_resample <- dualmargin:::counts_of_resample
# The list of metrics, with what they are computed from.
known_metrics <- dualmargin:::known_metrics
# Coefficients of rows that were moved, and whether they were: roundings are stated of these.
scoring_coefficients <- dualmargin:::scoring_coefficients
rows_may_move <- dualmargin:::rows_may_move
# What a checkpoint holds, which is for fits alone; what is told of its place before a run.
read_left <- dualmargin:::read_checkpoint
assert_place <- dualmargin:::assert_checkpoint_place
# Codes of a file of rows, and the sum that seals a part of it.
codes_in_file <- dualmargin:::rows_file_labels_cpp
file_checksum <- dualmargin:::file_checksum_cpp
# Problems below the checks of the interface: those of one class, too.
fit_robust_core <- dualmargin:::fit_robust_cpp
# Values of a kernel between any rows.
kernel_values <- dualmargin:::kernel_values
kernel_points <- dualmargin:::kernel_points
tangent_rows <- dualmargin:::tangent_rows
# Folds as all that resamples takes them.
resamples_of <- dualmargin:::as_resamples
# What a model of the user's predicted, in any form.
read_prediction <- dualmargin:::read_prediction
# How far from semidefinite rounding may make a matrix.
judge_values <- dualmargin:::judge_values
# Audits of recorded fits of kernlab and nnet, which need neither package.
ksvm_mapping <- dualmargin:::ksvm_mapping
run_audit <- dualmargin:::run_audit
multinom_coefficients <- dualmargin:::multinom_coefficients
# glmnet with digits to spare, whatever its version.
precise_glmnet <- dualmargin:::precise_glmnet
# Rows of losses; a draw with a seed; counts of support vectors; codes of a response, and rows of new data.
loss_list <- dualmargin:::loss_list
with_seed <- dualmargin:::with_seed
support_counts <- dualmargin:::support_counts
code_response <- dualmargin:::code_response
design_newdata <- dualmargin:::design_newdata
