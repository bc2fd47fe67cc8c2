# Which rank this process is, as the engine says; each rank has its own part of a file.

# An engine whose communicators 0 and 2 have `size` processes, of which this one is `rank`.
engine <- function(rank, size) {
  function() {
    list(rank = function(comm) if (comm %in% c(0, 2)) as.integer(rank) else 32671L,
         size = function(comm) if (comm %in% c(0, 2)) as.integer(size) else 0L)
  }
}

test_that("ranks are what the engine says, and share a file between them", {
  path <- rows_path()
  data <- mixed_frame(23)
  write_rows(data, path, formula = y ~ num + text, weights = "w")
  whole <- read_rows(path)
  for (size in c(1, 2, 5)) {
    parts <- lapply(seq_len(size) - 1, function(rank) {
      ranks <- with_own("mpi_engine", engine(rank, size), mpi_ranks())
      expect_s3_class(ranks, "mpi_ranks")
      expect_identical(unclass(ranks), list(comm = 0, rank = rank, size = size))
      rows <- read_rows(path, share = ranks)
      # the number alone is kept
      expect_identical(rows, read_rows(path, share = c(rank + 1, size)))
      rows
    })
    expect_identical(do.call(rbind, lapply(parts, function(rows) rows[, ])), whole[, ])
    sizes <- vapply(parts, nrow, 0L)
    expect_lte(diff(range(sizes)), 1L)
  }
  other <- with_own("mpi_engine", engine(1, 3), mpi_ranks(comm = 2))
  expect_identical(other$comm, 2)
  expect_identical(capture.output(print(other)), "Rank 1 of 3 (from 0), communicator 2")
  # more of them than rows: some have none
  parts <- lapply(0:39, function(rank) {
    read_rows(path, share = with_own("mpi_engine", engine(rank, 40), mpi_ranks()))
  })
  expect_identical(sum(vapply(parts, nrow, 0L)), 23L)
  expect_setequal(vapply(parts, nrow, 0L), 0:1)
  expect_identical(do.call(rbind, lapply(parts, function(rows) rows[, ])), whole[, ])
  forged <- other
  forged$rank <- 3
  expect_input_error(read_rows(path, share = forged), "share", "must be c(k, K)")
})

test_that("a control takes the ranks that a fit adds up over, and no others", {
  ranks <- with_own("mpi_engine", engine(1, 3), mpi_ranks())
  control <- margin_control(ranks = ranks)
  expect_identical(control$ranks, ranks)
  expect_output(print(control), "ranks          3, by Rmpi", fixed = TRUE)
  expect_input_error(margin_control(ranks = 2), "ranks", "must be made by mpi_ranks()")
})

own <- asNamespace("dualmargin")
# Calls of an engine that has one rank.
alone <- list(rank = function() 0L, size = function() 1L, gather = identity, sum = identity,
              max = identity)
met <- function(rank = 0, size = 1, calls = alone) {
  ranks <- structure(list(comm = 0, rank = rank, size = size), class = "mpi_ranks")
  own$open_meeting(ranks, calls)
}

test_that("an exchange gives back numbers and values as they were", {
  self <- met()
  for (k in c(0, 1, 28, 29, 200)) {
    x <- seq_len(k) / 7
    expect_identical(own$sum_over_ranks(self, x), x)
    expect_identical(own$max_over_ranks(self, -x), -x)
  }
  expect_identical(own$sum_over_ranks(self, c(Inf, -Inf)), c(Inf, -Inf))
  expect_identical(self$serial, 11)
  value <- list(a = letters, b = pi, c = NULL, d = "\u00e9")
  expect_identical(own$of_all_ranks(self, value), list(value))
  bytes <- as.raw(c(255, 0, 1:11))
  expect_identical(own$unpacked_bytes(own$packed_bytes(bytes, 20))[seq_along(bytes)], bytes)
  # of three ranks, in their order
  three <- list(rank = function() 1L, size = function() 3L,
                gather = function(x) {
                  block <- length(x) == own$block_size
                  head <- if (block) x[seq_len(own$block_head)]
                  rest <- if (block) x[-seq_len(own$block_head)] else x
                  c(head, 1e16 * (rest != 0), head, rest, head, -1e16 * (rest != 0))
                })
  expect_identical(own$sum_over_ranks(met(1, 3, three), c(1, 0.25)), c((1e16 + 1) - 1e16, 0))
  expect_identical(own$sum_over_ranks(met(1, 3, three), rep(4, 40)), rep((1e16 + 4) - 1e16, 40))
  expect_identical(own$max_over_ranks(met(1, 3, three), 2), 1e16)
})

test_that("a median over ranks is the median of all", {
  set.seed(8)
  self <- met()
  for (n in c(1, 2, 5, 40)) {
    values <- round(rnorm(n), 1)
    weights <- sample(c(0.5, 1, 2), n, replace = TRUE)
    expect_identical(own$median_over_ranks(self, values, weights),
                     own$weighted_median(values, weights))
  }
})

test_that("classes are those of all ranks, in one order", {
  join <- own$joined_labels
  expect_identical(join(list(factor("b"), factor(c("a", "c")))), factor(c("b", "a", "c")))
  own_order <- c("b", "a")
  expect_identical(join(list(factor("b", own_order), factor("a"))), factor(own_order, own_order))
  expect_identical(join(list(numeric(), c(1, 2))), c(1, 2))
  expect_identical(join(list(factor(character(), c("x", "y")), factor("y", c("x", "y")))),
                   factor("y", c("x", "y")))
  expect_input_error(join(list("a", factor("a"))), "y", "on one rank")
  numbers <- own$distinct_labels(as.double(1:100))
  expect_identical(range(numbers), c(1, 100))
  expect_gt(length(unique(numbers)), 10L)
})

test_that("MPI that is not there, or does not start, is told with what to do", {
  for (comm in list(-1, 10, 0.5, NA, "world")) {
    expect_input_error(mpi_ranks(comm = comm), "comm", "must be one whole number from 0 to 9")
  }
  expect_input_error(with_own("mpi_engine", engine(0, 2), mpi_ranks(comm = 1)), "comm",
                     "a communicator that Rmpi does not have")
  # a package that nobody has
  expect_input_error(own$mpi_engine("nobodysMPI"), "ranks", "Rmpi, which is not installed")
})
