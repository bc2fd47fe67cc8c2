# Sparse and dense matrices of package Matrix with slots that no constructor would make.

tampered_base <- function() {
  set.seed(1)
  x <- matrix(round(rnorm(80), 2), 20)
  x[abs(x) < 0.4] <- 0
  x
}

# class -> a sound matrix of that class, all 20 x 4 but for the square ones
sound_matrices <- function() {
  x <- tampered_base()
  square <- crossprod(x) + diag(4)
  C <- methods::as(x, "CsparseMatrix")
  list(
    dgCMatrix = C, dgRMatrix = methods::as(C, "RsparseMatrix"),
    dgTMatrix = methods::as(C, "TsparseMatrix"),
    lgCMatrix = methods::as(C, "lMatrix"), ngCMatrix = methods::as(C, "nMatrix"),
    ngTMatrix = methods::as(methods::as(C, "TsparseMatrix"), "nMatrix"),
    dsCMatrix = Matrix::forceSymmetric(methods::as(square, "CsparseMatrix")),
    dtCMatrix = Matrix::triu(methods::as(square, "CsparseMatrix")),
    ddiMatrix = Matrix::Diagonal(x = 1:4), indMatrix = methods::as(c(2L, 1L, 3L, 4L), "pMatrix"),
    dgeMatrix = methods::as(methods::as(x, "unpackedMatrix"), "generalMatrix"),
    dsyMatrix = Matrix::forceSymmetric(methods::as(square, "unpackedMatrix"))
  )
}

# A list of list(slot, of): what each did to one slot of one class.
tampered_matrices <- function() {
  sound <- sound_matrices()
  cases <- list()
  add <- function(name, slot, value) {
    x <- sound[[name]]
    attr(x, slot) <- value
    cases[[sprintf("%s @%s #%d", name, slot, length(cases))]] <<- list(x = x, slot = slot)
  }
  put <- function(name, slot, at, value) {
    add(name, slot, replace(attr(sound[[name]], slot), at, value))
  }
  for (name in names(sound)) {
    x <- sound[[name]]
    for (dim in list(c(NA, 4L), c(-1L, 4L), 20L, c(20, 4), c(20L, 4L, 1L), "a")) {
      add(name, "Dim", dim)
    }
    # triplets of a larger matrix are no fault
    if (!grepl("T", name)) add(name, "Dim", dim(x) + 1L)
    add(name, "Dimnames", list(NULL, "one"))
    add(name, "Dimnames", list(NULL))
    add(name, "Dimnames", list(NULL, 1:4))
    if (methods::.hasSlot(x, "x") && length(x@x) > 0L) {
      add(name, "x", x@x[-1L])
      add(name, "x", c(x@x, x@x[1L]))
      add(name, "x", as.character(x@x))
    }
  }
  for (name in c("dgCMatrix", "dgRMatrix", "lgCMatrix", "ngCMatrix", "dsCMatrix", "dtCMatrix")) {
    x <- sound[[name]]
    index <- if (name == "dgRMatrix") "j" else "i"
    at <- attr(x, index)
    end <- dim(x)[if (index == "i") 1L else 2L]
    for (bad in list(end, NA_integer_, -1L, .Machine$integer.max)) {
      put(name, index, 1L, bad)
      put(name, index, length(at), bad)
    }
    add(name, index, as.double(at))
    add(name, index, at[-1L])
    run <- which(diff(x@p) > 1L)[1L] # a column or row of two entries or more
    first <- x@p[run] + 1L
    put(name, index, first + 1L, at[first])
    put(name, index, first + 0:1, at[first + 1:0])
    size <- length(x@p)
    for (bad in list(-1L, 1L, NA_integer_)) put(name, "p", 1L, bad)
    for (bad in list(NA_integer_, -5L, length(at) + 5L, .Machine$integer.max)) {
      put(name, "p", 2L, bad)
      put(name, "p", size, bad)
    }
    put(name, "p", 2L, x@p[size])
    add(name, "p", x@p[-size])
    add(name, "p", c(x@p, x@p[size]))
    add(name, "p", as.double(x@p))
    add(name, "p", integer())
  }
  for (name in c("dgTMatrix", "ngTMatrix")) {
    x <- sound[[name]]
    for (slot in c("i", "j")) {
      end <- dim(x)[if (slot == "i") 1L else 2L]
      for (bad in list(end, NA_integer_, -1L)) put(name, slot, 2L, bad)
      add(name, slot, as.double(attr(x, slot)))
    }
    add(name, "j", x@j[-1L])
  }
  # entries on the other side of the diagonal
  put("dsCMatrix", "uplo", 1L, "L")
  put("dtCMatrix", "uplo", 1L, "x")
  add("ddiMatrix", "diag", "U")
  add("ddiMatrix", "diag", NA_character_)
  for (bad in list(5L, 0L, NA_integer_, -3L)) put("indMatrix", "perm", 2L, bad)
  add("indMatrix", "perm", 1:3)
  cases
}

# The first error of an expression, or NULL.
error_of <- function(expression) tryCatch({
  expression
  NULL
}, error = identity)
