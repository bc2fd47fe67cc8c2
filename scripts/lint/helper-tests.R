# What the tests share.
tests <- file.path(Sys.getenv("DUALMARGIN_TREE"), "tests", "testthat")
for (file in list.files(tests, "^helper-.*[.]R$", full.names = TRUE)) source(file, local = TRUE)
