margin_solvers("linear")[c("name", "smooth_loss", "intercepts", "description")]
