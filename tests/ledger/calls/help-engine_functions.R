fit <- dualmargin_svm_linear(as.matrix(spambase[1:57]), spambase$type, cost = 0.1)

# --

certificate(fit)
