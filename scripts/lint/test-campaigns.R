# The campaigns of tests/fuzz begin, judge a problem and say so: they use what the package keeps to
# itself, and no other test runs them.

test_that("each campaign judges its first problem", {
  home <- setwd(Sys.getenv("DUALMARGIN_TREE"))
  on.exit(setwd(home))
  run <- function(file, ...) {
    system2(file.path(R.home("bin"), "Rscript"),
            c("--no-init-file", file.path("tests", "fuzz", file), ...), stdout = TRUE, stderr = TRUE)
  }
  # each of the three is a fit or more
  out <- tempfile(fileext = ".rds")
  expect_match(run(file.path("..", "intervals.R"), "record", out, "--seeds=3", "--first=7002",
                   "--jobs=1", "--tests=no"), " of 3 tests and numbers", all = FALSE)
  expect_match(run("campaign.R", "--seed=3"), "^0 violations", all = FALSE)
  expect_match(run("decisions.R", "--problems=1", "--statement=C1"), "^C1 ", all = FALSE)
  expect_match(run("conformal.R", "--problems=1", "--method=cv"), "problems 1 checked", all = FALSE)
  expect_match(run("audit.R", "--problems=1", "--peer=glm"), "^glm ", all = FALSE)
})
