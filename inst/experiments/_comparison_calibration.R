# Probabilities of support vector machines on spambase: calibrated on cross-validated decision
# values by margin_calibrate(), by the peers' own option, or from a logistic model, judged on rows
# that none of them saw. The settings are those of part spam.
# writes: comparison_calibration.csv comparison_reliability.csv
# depends: core src/linear R/margin_linear.R src/kernel R/margin_kernel.R R/calibrate.R
# depends: R/calibrate.R
# seeds: 3 (rows), 1 (solvers, folds), 1 to 5 (peers)

tuned <- read_table(file.path(folder, "comparison_spam_tuning.csv"))
setting <- function(model, name) {
  said <- tuned$chosen[tuned$model == model]
  as.numeric(sub(sprintf(".*\\b%s = ([-+.0-9e]+).*", name), "\\1", said))
}
set.seed(3)
drawn <- sample(nrow(spambase), 3000L)
train <- spambase[drawn, ]
test <- spambase[-drawn, ]
spread <- vapply(train[-58L], function(column) sqrt(mean((column - mean(column))^2)), 0)
divided <- function(rows) sweep(as.matrix(rows[-58L]), 2L, spread, `/`)
kernel <- lapply(c(cost = "cost", sigma = "sigma"), function(name) setting("kernel, hinge", name))

linear <- margin_linear(type ~ ., data = train, loss = "hinge", intercept = "free", scale = TRUE,
                        cost = setting("linear, hinge", "cost"), control = control)
svm <- margin_kernel(type ~ ., data = train, loss = "hinge", kernel = kernel_rbf(kernel$sigma),
                     cost = kernel$cost, intercept = "free", scale = TRUE, control = control)
logistic <- margin_linear(type ~ ., data = train, loss = "logistic", intercept = "free",
                          scale = TRUE,
                          lambda = setting("linear, logistic", "lambda"), control = control)
spam <- function(fit) predict(fit, test, type = "prob")[, "spam"]
calibrated <- function(fit, method) {
  spam(quietly(margin_calibrate(fit, train, method = method, folds = 5, seed = 1)))
}
of_e1071 <- function(seed) {
  set.seed(seed)
  model <- e1071::svm(divided(train), train$type, scale = FALSE, gamma = kernel$sigma,
                      cost = kernel$cost, probability = TRUE)
  answer <- predict(model, divided(test), probability = TRUE)
  list(prob = attr(answer, "probabilities")[, "spam"], class = answer)
}
of_kernlab <- function(seed) {
  set.seed(seed)
  model <- kernlab::ksvm(divided(train), train$type, scaled = FALSE, C = kernel$cost,
                         kernel = kernlab::rbfdot(kernel$sigma), prob.model = TRUE)
  list(prob = kernlab::predict(model, divided(test), type = "probabilities")[, "spam"],
       class = kernlab::predict(model, divided(test)))
}
peers <- list(e1071 = lapply(1:5, of_e1071), kernlab = lapply(1:5, of_kernlab))
probabilities <- list(
  "linear, logistic" = spam(logistic),
  "linear, hinge, Platt" = calibrated(linear, "platt"),
  "linear, hinge, isotonic" = calibrated(linear, "isotonic"),
  "kernel, hinge, Platt" = calibrated(svm, "platt"),
  "kernel, hinge, isotonic" = calibrated(svm, "isotonic"),
  "e1071 rbf" = peers$e1071[[1L]]$prob,
  "kernlab rbf" = peers$kernlab[[1L]]$prob
)
classes <- list(
  "linear, logistic" = predict(logistic, test), "linear, hinge, Platt" = predict(linear, test),
  "linear, hinge, isotonic" = predict(linear, test), "kernel, hinge, Platt" = predict(svm, test),
  "kernel, hinge, isotonic" = predict(svm, test), "e1071 rbf" = peers$e1071[[1L]]$class,
  "kernlab rbf" = peers$kernlab[[1L]]$class
)
# How far the same call with another seed moves a probability; ours has its seed as an argument.
moved <- function(runs) {
  all <- vapply(runs, function(run) run$prob, numeric(nrow(test)))
  max(apply(all, 1L, function(p) diff(range(p))))
}
truth <- test$type == "spam"
clip <- function(p) pmin(pmax(p, 1e-15), 1 - 1e-15)
bin <- function(p) findInterval(p, seq(0, 1, 0.1), rightmost.closed = TRUE)
save_results(do.call(rbind, lapply(names(probabilities), function(name) {
  p <- probabilities[[name]]
  by_bin <- split(seq_along(p), bin(p))
  data.frame(model = name, n_test = length(p),
             log_loss = -mean(log(clip(ifelse(truth, p, 1 - p)))),
             brier = mean((truth - p)^2),
             calibration_error = sum(vapply(by_bin, function(rows) {
               length(rows) / length(p) * abs(mean(truth[rows]) - mean(p[rows]))
             }, 0)),
             auroc = as.numeric(pROC::auc(pROC::roc(truth, p, quiet = TRUE, direction = "<"))),
             class_differs = sum((p >= 0.5) != (classes[[name]] == "spam")),
             seed_moves = switch(name, "e1071 rbf" = moved(peers$e1071),
                                 "kernlab rbf" = moved(peers$kernlab), 0))
})), "calibration", keys = "model", tolerance = 0.01)
save_results(do.call(rbind, lapply(names(probabilities), function(name) {
  p <- probabilities[[name]]
  rows <- split(seq_along(p), bin(p))
  data.frame(model = name, bin = as.integer(names(rows)), predicted = vapply(rows, function(r) mean(p[r]), 0),
             observed = vapply(rows, function(r) mean(truth[r]), 0), n = lengths(rows))
})), "reliability", keys = c("model", "bin"), tolerance = 0.01)
