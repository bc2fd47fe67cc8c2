# What exists: the one list that drives checks, error messages, documentation and tests.

#' Table of solvers
#'
#' Lists the solvers that a fit can be given as `solver`, with their options. Every solver of a
#' family works towards the same optimum and returns the same kind of certificate. They differ in
#' what they can do, which this table says, and in speed. Asking a solver for what it cannot do is
#' an error that names the remedy. Most users need none of this: `"auto"` chooses.
#'
#' @param family Name of a family, such as `"linear"`, or `NULL` for all.
#' @return A data frame with one row per solver: `name`; `family`; `smooth_loss` (does it need a
#'   smooth loss?); `intercepts` (list of the intercept kinds it can fit); `strong_convexity` (does
#'   it need `mixture < 1`?); `l1` (does it need `mixture > 0`?); `ridge` (does it need `mixture =
#'   0`?); `large_lambda` (does it need `lambda (1 - mixture)` above \eqn{\max_i \omega_i |x_i|^2 /
#'   (\gamma W)}, which is known only when the data are?); `random` (does its path depend on the
#'   seed?); `paper` (key in `REFERENCES.bib`); `description`; `options`, a list of named lists of
#'   defaults: where an option is a vector of strings, these are the choices and the first is the
#'   default; `losses` (list of the losses it can fit); `max_columns` (most columns of `x` it takes;
#'   `interior_point` of the robust family takes more of them where there are no more rows than that
#'   and `radius` or `ridge` is above 0); `closed_form` (does it need the mean loss over the
#'   perturbations in closed form?); and `dense_l1` (does it need a dense `x` where `mixture > 0`?).
#' @section Solvers for comparison:
#' Some solvers are here so that their costs can be measured. They need more epochs than `"auto"`,
#' or a looser `tol`; raise `max_epochs` in [margin_control()] for them. The steps they take are in
#' `vignette("proofs")`.
#' * Linear: `spd1` and `spd1_vr` read one entry a step. `step` is in the unit of its bound: 1/3 for
#'   `spd1_vr`, at most 1/2 for `spd1`, whose steps fall and whose gap falls like \eqn{1/t}{1/t} in
#'   the number of steps t; ask it for a `tol` of 1e-2 or 1e-3. Longer steps are often quicker, and
#'   may diverge. `spd1_vr` renews its reference point after `inner_passes` epochs.
#' * Robust: `isg` takes subgradient steps with batches of `batch` rows, `ippa` exact proximal steps
#'   with one row at a time, and `hybrid` goes over from the first to the second when the step has
#'   fallen to the share `change` of the first one. Steps fall by `schedule`; with `"geometric"` by
#'   the factor `shrink` in each epoch, too near to 0 stops short of the optimum, and nearer to 1,
#'   with `max_epochs` to match, comes closer. `sampling` is one random order of the rows for all
#'   epochs (`"cyclic"`) or a new one for each (`"permutation"`). The three have no test of accuracy
#'   of their own and end when the step has fallen to the share `floor` of the first one. `gs_admm`
#'   has `penalty` and `growth`, the first penalty and its factor in each of at most `inner_steps`
#'   steps. It and `pdhg` can take thousands of epochs.
#' * Kernel: `mixup_naive`, `mixup_approx` and `mixup_decomp` are the three methods of Obi and
#'   others (2025), for a smooth loss and class labels, hard or soft. `sgd` takes steps of the fixed
#'   length `step`. It ends in a cloud around the optimum whose size falls with `step`, and diverges
#'   when `step` is too long.
#' * Augmented: `sgd`, `nsaga` and `saga_decay` are what stochastic MISO is compared with in its
#'   paper. `step` is at most 1 for `saga_decay`, and at most 30 for `nsaga` and, with `sampling =
#'   "uniform"`, for `sgd`: the paper takes ten times the safe step, which may diverge. `averaging`
#'   looks at the average of the points too, and `choose = FALSE` returns it. `nsaga` ends in a
#'   cloud around the optimum where rows are perturbed and is not certified: that is what it is here
#'   to show. With `mixture > 0` every step thresholds all weights, so `x` must then be dense.
#' * Hard: `auto`, `active_set`, `dual_cd` and `smo` converge fast enough for any tolerance; `auto`
#'   and `active_set` end with the exact support. `active_set` takes in `batch` violated rows at a
#'   time and hands over to `dual_cd`, or to `smo` for a kernel or a free intercept, when more than
#'   `max_support` rows have a weight, since its memory is the square of that. `momentum`,
#'   `adaptive`, `perceptron`, `ngd` and `gd` are the methods and baselines of Ji, Srebro and
#'   Telgarsky (2021); they run until the tolerance or the budget is met. `schedule` `"momentum"` of
#'   `adaptive` is the step that the paper uses, `"theory"` that of its Theorem 4.1. `cache_mb` is
#'   for what is kept of a kernel and for the columns of `smo`.
#'
#' With `iterate = "last"` a solver returns its last iterate and not the best, see
#' [margin_control()].
#' @section Errors:
#' An unknown `family` is an error of class `dualmargin_input_error`.
#' @references
#' Shalev-Shwartz S, Zhang T (2013). Stochastic dual coordinate ascent methods for regularized
#' loss minimization. *Journal of Machine Learning Research* 14, 567-599. arXiv:1209.1873.
#'
#' Liang H, Cai H, Wu H, Shang F, Cheng J, Li X (2022). ASPDC: accelerated SPDC regularized
#' empirical risk minimization for ill-conditioned problems in large-scale machine learning.
#' *Electronics* 11, 2382. \doi{10.3390/electronics11152382}. (`aspdc`, `aspdc_i`)
#'
#' Zhang Y, Xiao L (2017). Stochastic primal-dual coordinate method for regularized empirical risk
#' minimization. *Journal of Machine Learning Research* 18(84), 1-42. arXiv:1409.3257. (`spdc`)
#'
#' Tan C, Zhang T, Ma S, Liu J (2018). Stochastic primal-dual method for empirical risk minimization
#' with O(1) per-iteration complexity. *Advances in Neural Information Processing Systems* 31.
#' arXiv:1811.01182. (`spd1`, `spd1_vr`: after it, steps derived anew)
#'
#' Shalev-Shwartz S, Zhang T (2016). Accelerated proximal stochastic dual coordinate ascent for
#' regularized loss minimization. *Mathematical Programming* 155, 105-145.
#' \doi{10.1007/s10107-014-0839-0}. (`asdca`; without its momentum `proximal_sdca`)
#'
#' Xiao L, Zhang T (2014). A proximal stochastic gradient method with progressive variance
#' reduction. *SIAM Journal on Optimization* 24, 2057-2075. \doi{10.1137/140961791}. (`svrg`)
#'
#' Defazio A, Bach F, Lacoste-Julien S (2014). SAGA: a fast incremental gradient method with support
#' for non-strongly convex composite objectives. *Advances in Neural Information Processing Systems*
#' 27, 1646-1654. arXiv:1407.0202. (`saga`, `saga_decay`)
#'
#' Beck A, Teboulle M (2009). A fast iterative shrinkage-thresholding algorithm for linear inverse
#' problems. *SIAM Journal on Imaging Sciences* 2, 183-202. \doi{10.1137/080716542}. (`fista`)
#'
#' Chambolle A, Pock T (2016). An introduction to continuous optimization for imaging. *Acta
#' Numerica* 25, 161-319. \doi{10.1017/S096249291600009X}. (its momentum where `mixture < 1`)
#'
#' O'Donoghue B, Candes E (2015). Adaptive restart for accelerated gradient schemes. *Foundations of
#' Computational Mathematics* 15, 715-732. \doi{10.1007/s10208-013-9150-3}. (its `restart`)
#'
#' Allen-Zhu Z (2018). Katyusha: the first direct acceleration of stochastic gradient methods.
#' *Journal of Machine Learning Research* 18(221), 1-51. arXiv:1603.05953. (`katyusha`)
#'
#' Hsieh C-J, Chang K-W, Lin C-J, Keerthi SS, Sundararajan S (2008). A dual coordinate descent
#' method for large-scale linear SVM. *Proceedings of the 25th International Conference on Machine
#' Learning*, 408-415. \doi{10.1145/1390156.1390208}. (`dual_cd`)
#'
#' Nocedal J (1980). Updating quasi-Newton matrices with limited storage. *Mathematics of
#' Computation* 35, 773-782. \doi{10.1090/S0025-5718-1980-0572855-7}. (`lbfgs`)
#'
#' Keerthi SS, DeCoste D (2005). A modified finite Newton method for fast solution of large scale
#' linear SVMs. *Journal of Machine Learning Research* 6, 341-361.
#'
#' Li X, Sun D, Toh K-C (2018). A highly efficient semismooth Newton augmented Lagrangian method for
#' solving lasso problems. *SIAM Journal on Optimization* 28, 433-458. \doi{10.1137/16M1097572}.
#'
#' Crammer K, Singer Y (2001). On the algorithmic implementation of multiclass kernel-based vector
#' machines. *Journal of Machine Learning Research* 2, 265-292. (`multiclass = "crammer_singer"`)
#'
#' Keerthi SS, Sundararajan S, Chang K-W, Hsieh C-J, Lin C-J (2008). A sequential dual method for
#' large scale multi-class linear SVMs. *Proceedings of the 14th ACM SIGKDD*, 408-416.
#' \doi{10.1145/1401890.1401942}. (`dual_cd` of several classes in one problem)
#'
#' Platt JC (1999). Fast training of support vector machines using sequential minimal optimization.
#' In *Advances in Kernel Methods: Support Vector Learning*, 185-208. MIT Press. (`smo`)
#'
#' Fan R-E, Chen P-H, Lin C-J (2005). Working set selection using second order information for
#' training support vector machines. *Journal of Machine Learning Research* 6, 1889-1918. (`smo`)
#'
#' Mehrotra S (1992). On the implementation of a primal-dual interior point method. *SIAM Journal on
#' Optimization* 2, 575-601. \doi{10.1137/0802028}.
#'
#' Fine S, Scheinberg K (2001). Efficient SVM training using low-rank kernel representations.
#' *Journal of Machine Learning Research* 2, 243-264. (`interior_point` of kernels)
#'
#' Massias M, Gramfort A, Salmon J (2018). Celer: a fast solver for the lasso with dual
#' extrapolation. *Proceedings of the 35th ICML*, PMLR 80, 3315-3324. arXiv:1802.07481. (`lasso`)
#'
#' Li J, Chen C, So AM-C (2020). Fast epigraphical projection-based incremental algorithms for
#' Wasserstein distributionally robust support vector machine. *Advances in Neural Information
#' Processing Systems* 33. arXiv:2010.12865. (`isg`, `ippa`, `hybrid`; appendix C: `gs_admm`)
#'
#' Applegate D, Diaz M, Hinder O, Lu H, Lubin M, O'Donoghue B, Schudy W (2021). Practical
#' large-scale linear programming using primal-dual hybrid gradient. *Advances in Neural
#' Information Processing Systems* 34, 20243-20257. arXiv:2106.04756. (`pdhg`)
#'
#' Li J, Huang S, So AM-C (2019). A first-order algorithmic framework for distributionally robust
#' logistic regression. *Advances in Neural Information Processing Systems* 32. arXiv:1910.12778.
#'
#' Andrew G, Gao J (2007). Scalable training of L1-regularized log-linear models. *Proceedings of
#' the 24th ICML*, 33-40. \doi{10.1145/1273496.1273501}. (`exact`)
#'
#' Obi G, Saito A, Sasaki Y, Kato T (2025). Linearly convergent mixup learning. arXiv:2501.07794.
#' (`mixup_naive`, `mixup_approx`, `mixup_decomp`)
#'
#' Kivinen J, Smola AJ, Williamson RC (2004). Online learning with kernels. *IEEE Transactions on
#' Signal Processing* 52, 2165-2176. \doi{10.1109/TSP.2004.830991}. (`sgd` of kernels)
#'
#' Bottou L, Curtis FE, Nocedal J (2018). Optimization methods for large-scale machine learning.
#' *SIAM Review* 60, 223-311. \doi{10.1137/16M1080173}. (`sgd` of perturbed rows)
#'
#' Hofmann T, Lucchi A, Lacoste-Julien S, McWilliams B (2015). Variance reduced stochastic gradient
#' descent with neighbors. *Advances in Neural Information Processing Systems* 28, 2305-2313.
#' arXiv:1506.03662. (`nsaga`)
#'
#' Ji Z, Srebro N, Telgarsky M (2021). Fast margin maximization via dual acceleration.
#' *International Conference on Machine Learning* 139, 4860-4869. arXiv:2107.00595. (`momentum`,
#' `adaptive`)
#' @seealso [margin_linear()], [margin_control()] for `solver_options`.
#' @examples
#' margin_solvers("linear")[c("name", "smooth_loss", "intercepts", "description")]
#' @export
margin_solvers <- function(family = NULL, ...) {
  assert_no_extra("margin_solvers()", ...)
  rows <- solver_list
  families <- vapply(rows, function(row) row$family, "")
  if (!is.null(family)) {
    assert_choice(family, unique(families), "family")
    rows <- rows[families == family]
  }
  field <- function(name, type) vapply(rows, function(row) row[[name]], type)
  list_field <- function(name) I(lapply(rows, function(row) row[[name]]))
  solvers <- data.frame(
    name = field("name", ""), family = field("family", ""),
    smooth_loss = field("smooth_loss", NA), intercepts = list_field("intercepts"),
    strong_convexity = field("strong_convexity", NA), l1 = field("l1", NA),
    ridge = field("ridge", NA),
    large_lambda = field("large_lambda", NA), random = field("random", NA),
    paper = field("paper", ""), description = field("description", ""),
    options = list_field("options"),
    losses = list_field("losses"), max_columns = field("max_columns", 0),
    closed_form = field("closed_form", NA), dense_l1 = field("dense_l1", NA)
  )
  structure(solvers, class = c("margin_solvers", "data.frame"))
}

#' @rdname margin_solvers
#' @param x A result of `margin_solvers()`. It is a data frame; where its rows hold all columns, it
#'   is printed as a list.
#' @param ... Not used; an unknown argument is an error.
#' @export
print.margin_solvers <- function(x, ...) {
  assert_no_extra("print()", ...)
  if (nrow(x) == 0L || !all(names(margin_solvers()) %in% names(x))) {
    shown <- x
    class(shown) <- "data.frame"
    lists <- vapply(shown, is.list, NA)
    shown[lists] <- lapply(shown[lists], function(column) vapply(column, toString, ""))
    print(shown, right = FALSE)
    return(invisible(x))
  }
  for (family in unique(x$family)) {
    rows <- which(x$family == family)
    cat(sprintf("%s%s of the %s family\n", if (family == x$family[1L]) "" else "\n",
                count(length(rows), "solver"), family))
    for (i in rows) {
      cat(strwrap(paste0(x$name[i], ": ", x$description[i]), line_width(), indent = 2L, exdent = 6L),
          strwrap(solver_terms(x[i, ]), line_width(), indent = 6L, exdent = 6L), sep = "\n")
    }
  }
  invisible(x)
}

# What a solver asks of the problem, in words.
solver_terms <- function(row) {
  losses <- row$losses[[1L]]
  paste0(
    "loss: ", if (length(losses) < length(loss_list)) paste(losses, collapse = ", ") else
      if (row$smooth_loss) "any smooth one" else "any",
    "; intercept: ", paste(row$intercepts[[1L]], collapse = ", "),
    if (row$l1) "; mixture above 0",
    if (row$ridge) "; mixture 0" else if (row$strong_convexity && row$family == "linear")
      "; mixture below 1",
    if (row$large_lambda) "; lambda above a bound",
    if (is.finite(row$max_columns)) sprintf("; at most %d columns", as.integer(row$max_columns))
  )
}

# The row of a solver by name; an unknown name is the user's error.
find_solver <- function(name, family) {
  rows <- solvers_by_family[[family]]
  assert_choice(name, names(rows), "solver")
  rows[[name]]
}
