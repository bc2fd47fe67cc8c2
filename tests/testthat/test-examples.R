# Help and pages on a machine that lacks every suggested package: the examples run, and a page runs
# no code of a package that it has not looked for. R CMD check runs the examples, and builds the
# pages, where the packages are.

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
