# The problem of a fit in LaTeX, by its family.

problem_formula <- function(fit) family_of(fit)$formula(fit)

linear_formula <- function(fit) {
  loss <- class_model(fit)$formula
  if (!is.null(loss)) {
    return(paste0("\\min_{w_1,\\dots,w_k", if (has_intercept(fit)) ",\\,b", "}\\; ",
                  "\\frac1W \\sum_i \\omega_i\\, \\Big[", loss, "\\Big] + ",
                  "\\frac\\lambda2 \\sum_c \\|w_c\\|^2, \\quad z_{ic} = w_c^\\top x_i",
                  if (has_intercept(fit)) " + b_c"))
  }
  paste0("\\min_{w", if (has_intercept(fit)) ",\\,b", "}\\; ", "\\frac1W \\sum_i \\omega_i\\, ",
         loss_formula(fit, score_formula(fit)), " + ", penalty_formula(fit),
         if (has_bounds(fit$settings)) "\\quad (l_j \\le w_j \\le u_j)")
}

augmented_formula <- function(fit) {
  row <- if (isTRUE(fit$settings$center)) "(x_i - \\bar x)" else "x_i"
  fitted <- fit$settings$intercept != "none"
  score <- paste0("w^\\top(\\rho\\,", row, ")", if (fitted) " + b")
  paste0("\\min_{w", if (fitted) ",\\,b", "}\\; \\frac1W \\sum_i \\omega_i\\, ",
         "\\mathrm{E}_\\rho\\, ", loss_formula(fit, score), " + ", penalty_formula(fit))
}

kernel_formula <- function(fit) {
  loss <- class_model(fit)$kernel_formula
  if (!is.null(loss)) {
    return(paste0("\\min_{f_1,\\dots,f_k", if (has_intercept(fit)) ",\\,b", "}\\; ",
                  "\\frac\\lambda2 \\sum_k \\|f_k\\|_H^2 + \\frac1W \\sum_i \\omega_i ",
                  sprintf("\\Big[%s\\Big], \\quad z_{ik} = f_k(x_i)", loss),
                  if (has_intercept(fit)) " + b_k"))
  }
  score <- paste0("f(x_i)", if (has_intercept(fit)) " + b")
  paste0("\\min_{f", if (has_intercept(fit)) ",\\,b", "}\\; \\frac\\lambda2 \\|f\\|_H^2 + ",
         "\\frac1W \\sum_i \\omega_i\\, ",
         if (has_shares(fit)) soft_formula(fit, score) else loss_formula(fit, score))
}

robust_formula <- function(fit) {
  norm <- c(l1 = "1", l2 = "2", linf = "\\infty")[[fit$settings$norm]]
  free <- is.infinite(fit$settings$label_cost)
  loss <- if (free) "\\max(1 - u_i,\\, 0)" else
    "\\max(1 - u_i,\\; 1 + u_i - \\kappa t,\\; 0)"
  paste0("\\min_{\\|w\\|_", norm, " \\le t}\\; t\\,\\varepsilon + \\frac1W \\sum_i \\omega_i\\, ",
         loss, if (fit$settings$ridge > 0) " + \\frac c2 \\|w\\|_2^2",
         ", \\qquad u_i = y_i\\,(", score_formula(fit), ")")
}

hard_formula <- function(fit) {
  kernel <- has_kernel(fit)
  score <- if (kernel) "f(x_i)" else "w^\\top x_i"
  if (length(fit$levels) > 2L) {
    return(paste("\\max_{\\sum_c \\|u_c\\|^2 = 1/2}\\; \\min_{i,\\; j \\ne c_i}\\;",
                 if (kernel) "\\langle u_{c_i} - u_j,\\, \\varphi(x_i)\\rangle" else
                   "x_i^\\top(u_{c_i} - u_j)"))
  }
  paste0("\\max_{\\|", if (kernel) "f\\|_H" else "w\\|_2", " = 1",
         if (has_intercept(fit)) ",\\; b", "}\\; \\min_i\\; y_i\\,(", score,
         if (has_intercept(fit)) " + b", ")")
}

score_formula <- function(fit) {
  paste0("w^\\top x_i", if (has_intercept(fit)) " + b", if (has_offset(fit)) " + o_i")
}

# Labels between the classes: given as shares, or made by mixup.
has_shares <- function(fit) {
  fit$task == "classification" && fit$settings$loss$name != "squared" &&
    (inherits(fit$response, "soft_labels") || NROW(fit$mixed) > 0L)
}

# Each class by its share, (1 + y)/2 and (1 - y)/2.
soft_formula <- function(fit, score) {
  if (has_intercept(fit)) score <- sprintf("(%s)", score)
  of_class <- function(sign) {
    text <- loss_formula(fit, score, "@", if (sign > 0) "1" else "-1")
    if (sign > 0) {
      return(gsub("@", score, text, fixed = TRUE))
    }
    gsub("-@", score, gsub("- @", paste("+", score), text, fixed = TRUE), fixed = TRUE)
  }
  paste0("\\Big[\\tfrac{1 + y_i}2\\, ", of_class(1), " + \\tfrac{1 - y_i}2\\, ", of_class(-1),
         "\\Big], \\quad y_i \\in [-1, 1]")
}

# The loss of a score. With m = y z, except for those of a difference.
loss_formula <- function(fit, score, margin = sprintf("y_i(%s)", score), label = "y_i") {
  loss <- fit$settings$loss
  tex <- loss_list[[loss$name]]$tex
  if (is.null(tex)) sprintf("\\phi\\bigl(%s,\\, %s\\bigr)", score, label) else
    tex(score, margin, loss$parameter[[1L]])
}

penalty_formula <- function(fit) {
  mixture <- fit$settings$mixture
  factors <- any(fit$settings$penalty_factor != 1)
  if (mixture == 0) {
    return(if (factors) "\\frac\\lambda2 \\sum_j f_j w_j^2" else "\\frac\\lambda2 \\|w\\|_2^2")
  }
  if (mixture == 1) {
    return(if (factors) "\\lambda \\sum_j f_j |w_j|" else "\\lambda \\|w\\|_1")
  }
  norms <- if (factors) c("\\sum_j f_j w_j^2", "\\sum_j f_j |w_j|") else
    c("\\|w\\|_2^2", "\\|w\\|_1")
  sprintf("\\lambda \\Big[\\frac{%s}{2} %s + %s %s\\Big]", format(1 - mixture, digits = 4),
          norms[1L], format(mixture, digits = 4), norms[2L])
}
