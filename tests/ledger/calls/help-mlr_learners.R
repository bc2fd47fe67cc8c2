if (requireNamespace("mlr3", quietly = TRUE)) {
  learner <- mlr3::lrn("classif.margin_linear", lambda = 0.01, predict_type = "prob")
  task <- mlr3::as_task_classif(spambase[seq(1, 4601, by = 20), ], target = "type")
  learner$train(task)
  print(certificate(learner$model))
  learner$predict_newdata(spambase[seq(2, 4601, by = 20), ])
}
