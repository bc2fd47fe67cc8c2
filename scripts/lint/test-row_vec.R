# A sum that forgets Rows does not compile: a number a row is a RowVec, which adds, compares and
# selects nothing (src/rows/row_vec.h).

test_that("what reduces a number a row without Rows does not compile", {
  root <- Sys.getenv("DUALMARGIN_TREE")
  good <- c("rows.sum([&](Index i) { return rows.weights[i] * z[i]; })",
            "rows.max([&](Index i) { return z[i]; })",
            "RowVec(2 * abs(z) + rows.weights / 3)[0]")
  bad <- c("z.sum()", "rows.weights.dot(z)", "(rows.weights * z).sum()", "z.maxCoeff()",
           "rows.multiply(w, tick).norm()", "Vec(z).sum()", "z.array().sum()",
           "(z + 1).array().sum()")
  lines <- c(good, bad)
  head <- c("#include \"rows/rows.h\"", "using namespace dualmargin;")
  file <- tempfile(fileext = ".cpp")
  on.exit(unlink(file))
  writeLines(c(head, sprintf(paste("double number%d(const Rows& rows, const RowVec& z,",
                                   "const Vec& w, Tick& tick) { return %s; }"),
                             seq_along(lines), lines)), file)
  # errors, and what led to those that are within a header
  said <- grep("[.]cpp:[0-9]+:", compiler_of(file.path(root, "src"))("-fsyntax-only", file),
               value = TRUE)
  at <- unique(as.integer(sub("^.*[.]cpp:([0-9]+):.*", "\\1", said))) - length(head)
  expect_setequal(at[at > 0L], length(good) + seq_along(bad))
})
