# Help and pages on a machine that lacks every suggested package: the examples run, a page runs no
# code of a package that it has not looked for, and is made with knitr alone. R CMD check runs the
# examples, and builds the pages, where the packages are.

source_of <- function(...) {
  root <- Sys.getenv("DUALMARGIN_TREE")
  skip_if_not(nzchar(root), "DUALMARGIN_TREE is not set")
  file.path(root, ...)
}

test_that("every example runs without any suggested package", {
  bare <- nzchar(Sys.getenv("_R_CHECK_DEPENDS_ONLY_"))
  skip_if_not(bare, "examples are run by R CMD check, and by make test-bare")
  pages <- list.files(source_of("man"), "[.]Rd$", full.names = TRUE)
  folder <- tempfile("examples")
  dir.create(folder)
  before <- setwd(folder)
  grDevices::pdf(file.path(folder, "plots.pdf"))
  on.exit({
    grDevices::dev.off()
    setwd(before)
    unlink(folder, recursive = TRUE)
  })
  said <- character()
  for (page in pages) {
    code <- file.path(folder, sub("Rd$", "R", basename(page)))
    tools::Rd2ex(page, code)
    if (!file.exists(code)) next
    utils::capture.output(fault <- tryCatch({
      suppressWarnings(suppressMessages(sys.source(code, new.env(parent = globalenv()))))
      NULL
    }, error = conditionMessage))
    if (!is.null(fault)) said <- c(said, paste(basename(page), fault))
  }
  expect_gt(length(list.files(folder, "[.]R$")), 60L)
  expect_identical(said, character())
})

test_that("every page is made with no suggested package but knitr", {
  library <- Sys.getenv("DUALMARGIN_PAGES_LIBRARY")
  skip_if_not(dir.exists(file.path(library, "knitr")), "pages are made by make test-bare")
  folder <- tempfile("pages")
  dir.create(folder)
  before <- setwd(folder)
  on.exit({
    setwd(before)
    unlink(folder, recursive = TRUE)
  })
  file.copy(list.files(source_of("vignettes"), full.names = TRUE), ".")
  pages <- list.files(pattern = "[.]Rmd$")
  expect_gt(length(pages), 10L)
  program <- file.path(R.home("bin"), "Rscript")
  made <- vapply(pages, function(page) {
    code <- sprintf("knitr::knit(\"%s\", quiet = TRUE)", page)
    said <- suppressWarnings(system2(program, c("--no-init-file", "-e", shQuote(code)),
                                     stdout = TRUE, stderr = TRUE,
                                     env = paste0("R_LIBS=", library)))
    if (is.null(attr(said, "status"))) "" else paste(utils::tail(said, 5L), collapse = "\n")
  }, "")
  expect_identical(made[nzchar(made)], made[0L])
})

test_that("a page looks for a package before it runs its code, and names those that it lacks", {
  description <- read.dcf(source_of("DESCRIPTION"), fields = "Suggests")[1L, ]
  suggested <- trimws(gsub("\\(.*?\\)", "", strsplit(description, ",", fixed = TRUE)[[1L]]))
  # pages are made by these
  packages <- setdiff(suggested, c("knitr", "rmarkdown"))
  used <- sprintf("\\b(%s)::|library\\((%s)\\)", paste(packages, collapse = "|"),
                  paste(packages, collapse = "|"))
  pages <- list.files(source_of("vignettes"), "[.]Rmd$", full.names = TRUE)
  expect_gt(length(pages), 10L)
  for (page in pages) {
    lines <- readLines(page, warn = FALSE)
    starts <- grep("^```\\{r", lines)
    ends <- vapply(starts, function(at) at + which(lines[-seq_len(at)] == "```")[1L], 0)
    for (k in seq_along(starts)) {
      chunk <- lines[seq(starts[k], ends[k])]
      if (!any(grepl(used, gsub("\"[^\"]*\"", "", chunk[-1L])))) next
      info <- paste(basename(page), chunk[1L])
      asked <- any(grepl("has\\(|requireNamespace\\(|eval = FALSE", chunk))
      expect_true(asked, info = info)
      if (!grepl("eval = (has|requireNamespace)", chunk[1L])) next
      # what stands in its place
      text <- lines[seq_len(starts[k])]
      expect_true(any(grepl("`r (left_out|if \\(!requireNamespace)", text)), info = info)
    }
  }
})
