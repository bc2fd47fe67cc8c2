# Every law asked of every model of the table in helper-table.R. A law fails with the names of the
# models that break it, and what differs.

# ask(name, row): what is wrong, in words. Models whose `except` has the name of the law are left
# out.
laws <- character()
law <- function(name, title, ask, models = names(law_models)) {
  laws <<- c(laws, name)
  test_that(title, {
    found <- unlist(lapply(models, function(model) {
      row <- law_models[[model]]
      if (name %in% names(row$except)) return(NULL)
      wrong <- tryCatch(ask(model, row), error = conditionMessage)
      if (length(wrong) > 0L) paste0(model, ": ", wrong)
    }))
    expect(length(found) == 0L, paste(c(title, found), collapse = "\n"))
  })
}

# ---- What is done to the data moves no optimum ----

# as_it_was(answer, row): the answer in terms of the data as they are; ignore: what is found from
# the data in terms of their unit.
same_optimum <- function(..., as_it_was = function(answer, row) answer, ignore = character()) {
  function(name, row) {
    base <- answer_of(law_fit(name), row)
    unlist(lapply(c(...), function(variant) {
      d <- law_variants[[variant]](law_case(row))
      other <- as_it_was(answer_of(law_fit(name, variant), row, d), row)
      wrong <- unlike(base, other, ignore)
      if (length(wrong) > 0L) paste0(variant, ": ", wrong)
    }))
  }
}

models_where <- function(is_so) Filter(function(name) is_so(law_models[[name]]), names(law_models))
of_classes <- models_where(function(row) is.factor(law_data[[row$y]]))
of_numbers <- models_where(function(row) identical(row$y, "number"))

law("copies", "a copy is a weight", same_optimum("copies"))
law("zero", "a weight of 0 is no row", same_optimum("no rows of weight 0"))
law("rows", "the order of rows is nothing", same_optimum("rows in another order"))
law("columns", "the order of columns is nothing", same_optimum("columns turned round"))
law("constant", "a constant column is none", same_optimum("no constant column"))
law("units", "units of columns are void", same_optimum("units"))
law("origins", "origins of columns are void", same_optimum("shifts"))
law("frame", "a data frame is its matrix", same_optimum("dense", "data frame"))
law("sparse", "sparse rows are dense rows", same_optimum("sparse by columns", "sparse by rows"))
law("levels", "levels without rows are none, and words are levels",
    same_optimum("a level more", "labels as words"), of_classes)

turned <- function(answer, row) {
  z <- answer$scores
  answer$scores <- if (answer$classes == 2L) -z else z[, rev(seq_len(ncol(z)))]
  ends <- c("low", "high", "far")
  if (answer$classes > 2L) answer[ends] <- lapply(answer[ends], rev)
  answer
}
law("turned", "levels turned round turn decision values round", models = of_classes,
    same_optimum("levels turned round", ignore = "class_weights", as_it_was = turned))

in_its_unit <- function(answer, row) {
  answer[c("scores", "far")] <- lapply(answer[c("scores", "far")], `/`, 2^30)
  squared <- identical(format(row$arguments$loss), "squared")
  if (squared) answer[c("low", "high")] <- lapply(answer[c("low", "high")], `/`, 2^60)
  answer
}
law("response_unit", "the unit of a response is void", models = of_numbers,
    same_optimum("response in another unit", ignore = c("unit", "residual", "lambda", "path"),
                 as_it_was = in_its_unit))

moved_back <- function(answer, row) {
  answer$scores <- answer$scores - 1024
  answer
}
law("response_origin", "the origin of a response is void", models = of_numbers,
    same_optimum("response moved", as_it_was = moved_back))

law("formula", "a formula is its matrix", function(name, row) {
  unlike(answer_of(law_fit(name), row), answer_of(formula_call(row), row))
})

in_files <- models_where(function(row) {
  is.null(c(row$arguments$offset, row$arguments$family)) &&
    (identical(row$fun, margin_linear) || identical(row$fun, margin_path))
})
law("file", "rows in a file are rows in memory", models = in_files, function(name, row) {
  base <- answer_of(law_fit(name), row)
  unlist(lapply(c(FALSE, TRUE), function(sparse) {
    unlike(base, answer_of(file_call(row, sparse), row))
  }))
})

radial <- models_where(function(row) {
  kernel <- row$arguments$kernel
  of_kernels <- identical(row$fun, margin_kernel) || identical(row$fun, margin_oneclass)
  (if (is.null(kernel)) of_kernels else identical(kernel$name, "rbf")) &&
    is.null(c(row$arguments$nystrom, row$arguments$mixup)) && row$x == "x"
})
law("kernel", "a kernel is one, stored or not, given as values or as a function",
    models = radial, function(name, row) {
  base <- answer_of(law_fit(name), row)
  fits <- kernel_calls(name, row)
  unlist(lapply(names(fits), function(how) {
    wrong <- unlike(base, answer_of(fits[[how]], row), ignore = c("sigma", "radii"))
    if (length(wrong) > 0L) paste0(how, ": ", wrong)
  }))
})

# ---- Nor does who solves it, and from where ----

law("seed", "one seed is one fit, for any threads, and leaves R's stream", function(name, row) {
  old <- options(dualmargin.chunk_entries = 50)
  on.exit(options(old))
  set.seed(3)
  before <- .Random.seed
  counts <- list("as it is" = c(1, 1, 2, 4), "sparse by columns" = c(1, 3))
  if ("sparse" %in% names(row$except)) counts <- counts[1L]
  other <- lapply(names(counts), function(storage) {
    fits <- lapply(counts[[storage]], function(threads) {
      d <- law_variants[[storage]](law_case(row))
      timeless(law_call(row, d, list(threads = threads, max_epochs = 30)))
    })
    same <- vapply(fits[-1L], identical, NA, fits[[1L]])
    sprintf("%s, %g threads: another fit", storage, counts[[storage]][-1L][!same])
  })
  c(if (!identical(before, .Random.seed)) "R's stream has moved", unlist(other))
})

law("start", "a start changes no optimum, of another intercept neither", function(name, row) {
  base <- law_fit(name)
  loose <- law_call(row, law_case(row), list(tol = 0.1))
  others <- lapply(c("free", "penalized", "none"), function(intercept) {
    tryCatch(law_call(row, law_case(row), list(tol = 0.1), intercept = intercept),
             dualmargin_input_error = function(e) NULL)
  })
  unlist(lapply(c(list(base, loose), Filter(length, others)), function(start) {
    fit <- law_call(row, law_case(row), list(start = start))
    longer <- identical(start, base) && sum(fit$status$epochs) > sum(base$status$epochs)
    c(unlike(answer_of(base, row), answer_of(fit, row)),
      if (longer) sprintf("%g epochs from it, %g without", sum(fit$status$epochs),
                          sum(base$status$epochs)))
  }))
})

on_paths <- models_where(function(row) nzchar(row$along))
law("path", "a point of a path is the fit", models = on_paths, function(name, row) {
  unlike(answer_of(law_fit(name), row), path_answer(name, row))
})

by_solvers <- setdiff(names(law_table()), grep("^(path|one class)", names(law_table()), value = TRUE))
law("solvers", "every solver that takes a model finds its optimum", models = by_solvers,
    function(name, row) {
  base <- answer_of(law_fit(name), row)
  solvers <- Filter(function(solver) inherits(law_fit(name), paste0("margin_", solver$family)),
                    solver_rows())
  unlist(lapply(solvers, function(solver) {
    tight <- list(tol = 1e-8, max_epochs = 2000)
    fit <- tryCatch(law_call(row, law_case(row), tight, solver = solver$name),
                    dualmargin_input_error = function(e) NULL)
    if (is.null(fit)) return(NULL)
    answer <- answer_of(fit, row)
    if (!all(fit$certificate$certified)) answer$far[] <- Inf
    wrong <- unlike(base, answer, ignore = names(base$found))
    if (length(wrong) > 0L) paste0(solver$name, ": ", wrong)
  }))
})

# ---- What is read from a fit ----

law("decisions", "what is decided of the optimum is void of what is done to the data",
    models = setdiff(names(law_table()), grep("^path", names(law_table()), value = TRUE)),
    function(name, row) {
  base <- decisions_of(name, "as it is")
  variants <- c(copies = "copies", zero = "no rows of weight 0", rows = "rows in another order",
                columns = "columns turned round", units = "units", origins = "shifts",
                sparse = "sparse by columns")
  unlist(lapply(variants[setdiff(names(variants), names(row$except))], function(variant) {
    other <- decisions_of(name, variant)
    met <- function(a, b) {
      all(pmax(a$lower, b$lower) <= pmin(a$upper, b$upper) + 1e-9 * max(abs(a$upper)))
    }
    both <- intersect(names(base$intervals), names(other$intervals))
    wrong <- both[!as.logical(Map(met, base$intervals[both], other$intervals[both]))]
    if (!is.null(other$flips) && !identical(base$flips, other$flips)) wrong <- c(wrong, "flips")
    if (length(wrong) > 0L) paste(variant, wrong, sep = ": ")
  }))
})

# The rows in every storage, some in another order with a column more, one alone: with their places.
forms_of <- function(x) {
  data <- as.data.frame(x)
  more <- cbind(data[rev(names(data))], more = 1)
  forms <- list(all = list(x, 1:40), "a data frame" = list(data, 1:40),
                "three rows in company" = list(more[4:2, , drop = FALSE], 4:2),
                "one row" = list(data[7L, , drop = FALSE], 7L))
  if (is.data.frame(x)) return(forms)
  c(forms, list("sparse by columns" = list(methods::as(x, "CsparseMatrix"), 1:40),
                "sparse by rows" = list(methods::as(x, "RsparseMatrix"), 1:40)))
}
law("new", "new rows have their values in any storage, order and company", function(name, row) {
  fit <- law_fit(name)
  d <- law_case(row)
  want <- unname(as.matrix(scores_of(fit, d)))
  forms <- forms_of(d$x)
  unlist(lapply(names(forms), function(form) {
    at <- forms[[form]][[2L]]
    call <- list(fit, forms[[form]][[1L]], type = "score")
    call$newoffset <- d$offset[at]
    got <- unname(as.matrix(do.call(predict, call)))
    off <- max(abs(got - want[at, , drop = FALSE]))
    if (off > 1e-9 * max(abs(want))) sprintf("%s: off by %.3g", form, off)
  }))
})

test_that("a saved fit says the same in another process", {
  skip_on_cran()
  given <- lapply(stats::setNames(nm = names(law_models)), function(name) {
    c(list(fit = law_fit(name)), law_case(law_models[[name]])[c("x", "offset")])
  })
  say <- function(given) {
    lapply(given, function(one) {
      call <- list(one$fit, one$x)
      call$newoffset <- one$offset
      list(do.call(predict, call), do.call(predict, c(call, type = "score")),
           certificate(one$fit), coef(one$fit), utils::capture.output(print(one$fit)))
    })
  }
  here <- say(given)
  there <- in_another_process(given, say)
  for (name in names(given)) expect_identical(there[[name]], here[[name]], label = name)
})

test_that("an exception names a law of this file, and has a reason", {
  for (row in law_models) expect_true(all(names(row$except) %in% laws & nzchar(row$except)))
})
