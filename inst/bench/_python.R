# The python3 that has scikit-learn, NULL where none has. source() it from its folder.

python <- local({
  has <- function(path) {
    nzchar(path) && file.exists(path) &&
      system2(path, c("-c", shQuote("import sklearn")), stdout = FALSE, stderr = FALSE) == 0
  }
  Find(has, c(Sys.which("python3"), "/usr/bin/python3"))
})
sklearn_version <- if (!is.null(python)) {
  system2(python, c("-c", shQuote("import sklearn; print('scikit-learn', sklearn.__version__)")),
          stdout = TRUE)
}

