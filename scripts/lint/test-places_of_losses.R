# Every place that must know a loss by name, and a test that names those which do not: what a loss
# that is half added still needs. Places that have a general answer for any loss are left out.
# scripts/test.R says where the tree is.

tree <- Sys.getenv("DUALMARGIN_TREE")

# A place in files: a line of them has the pattern, {name} or {type} in it. of: who belongs there; a
# loss without a parameter has no maker.
everyone <- function(loss) TRUE
made <- function(loss) !anyNA(loss$parameter) && loss$name != "squared_epsilon_insensitive"
of_numbers <- function(loss) loss$task != "classification"
in_files <- function(files, pattern, of = everyone) list(files = files, pattern = pattern, of = of)
# A place that answers.
answers <- function(knows, of = everyone) list(knows = knows, of = of)

ours <- function(name) get(name, asNamespace("dualmargin"))
row_of <- function(loss) ours("loss_list")[[loss$name]]

# Files that an added loss touches by hand; NEWS.md needs no list.
places <- list(
  "R/losses.R: constructor" = in_files("R/losses.R", "^loss_{name} <- function", made),
  "R/losses.R: loss_list" = in_files("R/losses.R", "^  {name} = list\\($"),
  "R/losses.R: metric" = answers(
    function(loss) row_of(loss)$metric %in% names(ours("known_metrics")()), of_numbers
  ),
  # none, or the end of the domain of its conjugate
  "R/losses.R: bound" = answers(function(loss) {
    bound <- row_of(loss)$bound
    !is.null(row_of(loss)) && (is.null(bound) ||
      max(bound(loss$parameter[[1L]], c(TRUE, FALSE))) == max(abs(dual_domain(loss))))
  }),
  "NAMESPACE" = in_files("NAMESPACE", "^export\\(loss_{name}\\)$", made),
  "help of the losses" = in_files("man/losses.Rd", "alias\\{loss_{name}\\}", made),
  "help of margin_linear()" = in_files("man/margin_linear.Rd", "\"{name}\""),
  "src/border/dispatch_loss.h" =
    in_files("src/border/dispatch_loss.h", "if \\(name == \"{name}\"\\)"),
  "src/loss" = in_files("src/loss/*.h", "^(class|struct) {type} "),
  "tests: helper-losses.R" = in_files("tests/testthat/helper-losses.R", "^  {name} = list\\("),
  "tests: plain_loss()" = answers(function(loss) is.numeric(plain_loss(loss, 0.3, 1))),
  "tests: plain_conjugate()" = answers(function(loss) is.numeric(plain_conjugate(loss, -0.1, 1))),
  "tests: test-loss*.R" = in_files("tests/testthat/test-loss*.R", "loss_{name}\\(|\"{name}\"")
)

lines_of <- local({
  patterns <- unique(unlist(lapply(places, `[[`, "files")))
  read <- lapply(patterns, function(pattern) {
    unlist(lapply(Sys.glob(file.path(tree, pattern)), readLines, warn = FALSE))
  })
  stats::setNames(read, patterns)
})

# The C++ type of a name, NA without one.
type_of <- function(name, lines = lines_of) {
  line <- grep(sprintf("if \\(name == \"%s\"\\)", name), lines[["src/border/dispatch_loss.h"]],
               value = TRUE)
  if (length(line) == 1L) sub(".*return f\\((\\w+)\\(.*", "\\1", line) else NA
}
pattern_of <- function(place, loss, lines = lines_of) {
  type <- type_of(loss$name, lines)
  pattern <- gsub("{name}", loss$name, place$pattern, fixed = TRUE)
  gsub("{type}", if (is.na(type)) "(?!)" else type, pattern, fixed = TRUE)
}

# The places that do not know a loss.
missing_places <- function(loss, lines = lines_of) {
  knows <- function(place) {
    if (!place$of(loss)) {
      return(TRUE)
    }
    if (!is.null(place$knows)) {
      return(isTRUE(place$knows(loss)))
    }
    any(grepl(pattern_of(place, loss, lines), unlist(lines[place$files]), perl = TRUE))
  }
  names(places)[!vapply(places, knows, NA)]
}

losses <- lapply(ours("loss_makers")(), function(make) make())

test_that("every place knows every loss", {
  for (loss in losses) expect_identical(missing_places(loss), character(), info = loss$name)
})

test_that("a loss that no place knows is told all of them", {
  new <- list(name = "new", gamma = 0, smooth = FALSE, parameter = c(size = 1), task = "regression")
  expect_identical(missing_places(new), names(places))
})

test_that("a place that a loss is taken from is told by name", {
  for (loss in losses) for (name in names(places)) {
    place <- places[[name]]
    if (is.null(place$files) || !place$of(loss)) next
    gone <- pattern_of(place, loss)
    without <- lines_of
    without[place$files] <- lapply(without[place$files], function(lines) {
      lines[!grepl(gone, lines, perl = TRUE)]
    })
    # without its name in the border a loss has no type
    told <- missing_places(loss, without)
    if (name == "src/border/dispatch_loss.h") {
      expect_true(all(c(name, "src/loss") %in% told), info = loss$name)
    } else {
      expect_identical(told, name, info = loss$name)
    }
  }
})

test_that("a row says what is asked of a loss and nothing else", {
  for (row in ours("loss_list")) {
    expect_true(all(names(row) %in% names(ours("loss_fields"))))
    expect_false(anyNA(match(c("make", "task"), names(row))))
    # a metric that only this loss has is computed by it
    shared <- row$metric %in% c("mse", "mae")
    expect_identical(is.null(row$value), row$task == "classification" || shared)
  }
})
