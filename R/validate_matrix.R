# A matrix as the user gave it, before anything reads it: the slots of package Matrix, and whether
# what a fit makes of its size fits into memory.

# Every matrix comes in here, before the first method of package Matrix is called on it: those
# methods index by the slots as unchecked as the core does. O(stored entries).
assert_matrix <- function(x, arg) {
  if (!isS4(x)) {
    return(invisible(x))
  }
  kind <- matrix_kind(x)
  if (is.null(kind)) {
    abort_input(sprintf("`%s` is %s, which is none of package Matrix; convert it to one of those.",
                        arg, show_value(x)), arg)
  }
  found <- check_slots_cpp(x, kind$storage, kind$shape, kind$type)
  if (!is.null(found)) abort_slot(x, arg, found$slot, found$fault)
  if (kind$storage %in% c("diagonal", "index")) {
    said <- methods::validObject(x, test = TRUE)
    if (!isTRUE(said)) abort_slot(x, arg, "perm", paste("is not valid:", said[1L]))
  }
  invisible(x)
}

abort_slot <- function(x, arg, slot, fault) {
  abort_input(sprintf("`%s` is a damaged %s, whose slot `%s` %s; rebuild it with Matrix::%s().",
                      arg, class(x)[1L], slot, fault,
                      if (methods::is(x, "denseMatrix")) "Matrix" else "sparseMatrix"), arg)
}

# How the slots of a class of package Matrix are to be read; NULL for a class of others.
matrix_kind <- function(x) {
  first <- function(classes) {
    names(classes)[vapply(classes, function(class) methods::is(x, class), NA)][1L]
  }
  storage <- first(c(C = "CsparseMatrix", R = "RsparseMatrix", T = "TsparseMatrix",
                     diagonal = "diagonalMatrix", index = "indMatrix", dense = "denseMatrix"))
  if (is.na(storage)) {
    return(NULL)
  }
  shape <- if (storage %in% c("diagonal", "index")) "g" else
    first(c(s = "symmetricMatrix", t = "triangularMatrix", g = "Matrix"))
  type <- first(c(d = "dMatrix", l = "lMatrix", n = "nMatrix"))
  packed <- storage == "dense" && shape != "g" && any(vapply(
    c("dspMatrix", "dtpMatrix", "lspMatrix", "ltpMatrix", "nspMatrix", "ntpMatrix"),
    function(class) methods::is(x, class), NA
  ))
  list(storage = if (packed) "packed" else storage, shape = shape,
       type = if (is.na(type)) "n" else type)
}

# A matrix of at least one row and column whose fit fits into memory, whatever it stores: some
# sixteen vectors along rows and along columns, and the entries once more.
assert_matrix_memory <- function(x, arg) {
  size <- as.double(dim(x))
  stored <- if (methods::is(x, "sparseMatrix")) 0 else prod(size)
  assert_memory(8 * (stored + 16 * sum(size)), arg, sprintf(
    "has %s rows and %s columns", format(size[1L], big.mark = ","),
    format(size[2L], big.mark = ",")
  ), "give fewer, for instance the columns that are not all zero")
}
