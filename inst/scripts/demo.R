# A tour in one page: an audit of a fit of base R, five fits of real data, each with its certificate, and pictures.
# Usage: Rscript demo.R [folder for the pictures]

library(dualmargin)
options(width = 100)

folder <- commandArgs(trailingOnly = TRUE)[1L]
if (is.na(folder)) folder <- "demo-output"
dir.create(folder, showWarnings = FALSE, recursive = TRUE)

title <- function(...) cat("\n== ", ..., "\n", sep = "")
show <- function(certificate) print(certificate, digits = 7, row.names = FALSE)
picture <- function(name, draw) {
  file <- file.path(folder, name)
  grDevices::png(file, width = 1600, height = 1000, res = 200)
  tryCatch(draw(), finally = grDevices::dev.off())
  cat("drawn:", file, "\n")
}
control <- margin_control(seed = 1, progress = FALSE)

title("Anyone's fit: a ridge logistic regression by stats::optim(), audited (spambase)")
columns <- as.matrix(spambase[1:57])
signs <- ifelse(spambase$type == "spam", 1, -1)
objective <- function(w) {
  mean(-plogis(signs * drop(columns %*% w), log.p = TRUE)) + 1e-3 / 2 * sum(w^2)
}
slope <- function(w) {
  -drop(crossprod(columns, signs * plogis(-signs * drop(columns %*% w)))) / nrow(columns) + 1e-3 * w
}
by_optim <- stats::optim(numeric(57), objective, slope, method = "BFGS")
audited <- margin_audit(by_optim$par, columns, spambase$type, loss = "logistic", lambda = 1e-3,
                        intercept = "none", control = control)
print(audited)

title("A formula on a data frame with factors: a case-control study (datasets::infert)")
women <- transform(
  infert,
  case = factor(case, levels = 0:1, labels = c("control", "case")),
  induced = factor(induced, labels = c("0", "1", "2+")),
  spontaneous = factor(spontaneous, labels = c("0", "1", "2+"))
)
cases <- margin_linear(
  case ~ education + age + parity + induced + spontaneous,
  data = women, loss = "logistic", control = control
)
print(cases)
show(certificate(cases))

title("Three classes, one-vs-rest, a certificate for each (datasets::iris)")
flowers <- margin_linear(Species ~ ., data = iris, loss = "squared_hinge", control = control)
show(certificate(flowers, by = "class"))

title("A dense data frame, plain hinge: spam or not (spambase)")
mail <- margin_linear(type ~ ., data = spambase, loss = "hinge", control = control)
show(certificate(mail))
cat(sprintf("training accuracy: %.1f %%\n", 100 * mean(predict(mail) == spambase$type)))

title("A sparse matrix: income above 50,000 dollars (a1a)")
income <- margin_linear(a1a$x, factor(a1a$y), loss = "hinge", control = control)
show(certificate(income))

title("Guarding against moved data and changed labels: a distributionally robust SVM (spambase)")
robust <- margin_robust(type ~ ., data = spambase, norm = "l2", radius = 0.01, label_cost = 1,
                        scale = TRUE, intercept = "free", control = control)
show(certificate(robust))
worst <- worst_case(robust, spambase)
cat(sprintf("worst mean hinge loss within the radius: %.4f; on the rows as they are: %.4f\n",
            attr(worst, "risk"), mean(pmax(0, 1 - worst$margin_before[!duplicated(worst$row)]))))

title("Two solvers on one problem (a1a, smoothed hinge)")
comparison <- compare_solvers(
  a1a$x, factor(a1a$y),
  solvers = c("sdca", "newton"), loss = "smooth_hinge", lambda = 1e-3,
  intercept = "penalized", scale = FALSE, control = control
)
show(certificate(comparison))
print(summary(comparison), digits = 4)

title("Pictures")
picture("convergence.png", function() plot(comparison))
picture("coefficients.png", function() plot(cases, which = "coefficients"))
