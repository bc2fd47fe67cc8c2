# How the ranks of a job talk to one another while a fit is made of the rows of all of them.
#
# Every exchange begins with a block of one size from each rank: is it about to stop, the number and
# kind of the exchange, how many numbers it is about, and the first of these. So a rank that stops
# can say so whatever the others are about to add up, and ranks that do not ask for the same thing
# are told: both end all of them with one message, and nobody waits for ever. Few numbers, as most
# exchanges have, need no second message.
#
# Up to `most_in_order` numbers are gathered and added in the order of the ranks, on each: a sum
# then has the same bits for the same number of ranks. More of them are added by MPI, in an order of
# its own.

block_size <- 32L
block_head <- 4L
most_in_order <- 1e5
exchanges <- c(sum = 1, max = 2, gather = 3, end = 4)

# ranks: an mpi_ranks(). The one way to reach MPI; what it adds up may stand here for tests.
open_meeting <- function(ranks, calls = mpi_calls(ranks)) {
  now <- c(calls$rank(), calls$size())
  if (!identical(as.double(now), c(ranks$rank, ranks$size))) {
    abort_input(sprintf(paste(
      "`ranks` is rank %.0f of %.0f by communicator %.0f of %s, which is gone or another one now;",
      "make it again by mpi_ranks()."
    ), ranks$rank, ranks$size, ranks$comm, ranks$engine), "ranks")
  }
  self <- new.env(parent = emptyenv())
  self$rank <- ranks$rank
  self$size <- ranks$size
  self$calls <- calls
  # inside: is MPI at work, which then cannot be asked for anything else; over: has everyone left?
  self$inside <- self$over <- FALSE
  self$serial <- self$seconds <- self$numbers <- self$messages <- 0
  structure(self, class = "mpi_meeting")
}

is_meeting <- function(x) inherits(x, "mpi_meeting")

# Of the engine, for x as many numbers on every rank: gather(x), those of all in the order of the
# ranks; sum(x), max(x). Numbers are doubles, type 2 of Rmpi.
mpi_calls <- function(ranks) {
  of <- function(name) getExportedValue("Rmpi", name)
  comm <- as.integer(ranks$comm)
  basic <- mpi_engine(ranks$engine)
  gather <- of("mpi.allgather")
  reduce <- of("mpi.allreduce")
  size <- ranks$size
  list(
    rank = function() basic$rank(comm), size = function() basic$size(comm),
    gather = function(x) gather(x, 2L, numeric(length(x) * size), comm),
    sum = function(x) reduce(x, 2L, "sum", comm), max = function(x) reduce(x, 2L, "max", comm)
  )
}

ask_mpi <- function(self, how, x) {
  self$inside <- TRUE
  began <- as.numeric(Sys.time())
  answer <- self$calls[[how]](x)
  self$seconds <- self$seconds + as.numeric(Sys.time()) - began
  self$messages <- self$messages + 1
  self$numbers <- self$numbers + length(x)
  self$inside <- FALSE
  answer
}

# The blocks of all ranks, a column each.
exchange_blocks <- function(self, kind, x = numeric(), fault = 0) {
  self$serial <- self$serial + 1
  block <- numeric(block_size)
  block[seq_len(block_head)] <- c(fault, self$serial, exchanges[[kind]], length(x))
  few <- seq_len(min(length(x), block_size - block_head))
  block[block_head + few] <- x[few]
  matrix(ask_mpi(self, "gather", block), block_size)
}

# The numbers x of all ranks, a column each; NULL where there are too many of them.
exchanged <- function(self, kind, x) {
  x <- as.double(x)
  if (self$over) stop("the ranks of this fit have left one another", call. = FALSE)
  blocks <- exchange_blocks(self, kind, x)
  if (any(blocks[1L, ] != 0)) end_by_fault(self, blocks[1L, ] != 0)
  if (any(blocks[2:block_head, ] != blocks[2:block_head, 1L])) {
    self$over <- TRUE
    abort_rank(paste("The ranks do not ask for the same sums; start all of them with the same",
                     "script and the same arguments"))
  }
  if (length(x) <= block_size - block_head) {
    return(blocks[block_head + seq_along(x), , drop = FALSE])
  }
  if (kind == "gather" || length(x) * self$size <= most_in_order) {
    matrix(ask_mpi(self, "gather", x), length(x))
  }
}

# Of all ranks, and the same bits on each.
sum_over_ranks <- function(self, x) {
  parts <- exchanged(self, "sum", x)
  if (is.null(parts)) return(ask_mpi(self, "sum", as.double(x)))
  total <- parts[, 1L]
  for (r in seq_len(self$size)[-1L]) total <- total + parts[, r]
  total
}
max_over_ranks <- function(self, x) {
  parts <- exchanged(self, "max", x)
  if (is.null(parts)) return(ask_mpi(self, "max", as.double(x)))
  most <- parts[, 1L]
  for (r in seq_len(self$size)[-1L]) most <- pmax(most, parts[, r])
  most
}

# A value of each rank, all of them on every rank, in order.
of_all_ranks <- function(self, value) {
  bytes <- serialize(value, NULL, version = 3)
  sizes <- exchanged(self, "gather", as.double(length(bytes)))
  packed <- exchanged(self, "gather", packed_bytes(bytes, max(sizes)))
  lapply(seq_len(self$size), function(r) {
    unserialize(unpacked_bytes(packed[, r])[seq_len(sizes[r])])
  })
}

# Six bytes a number, which then is a whole one, whatever an engine does with it.
packed_bytes <- function(bytes, size) {
  all <- c(as.double(bytes), numeric(6 * ceiling(size / 6) - length(bytes)))
  colSums(matrix(all, 6L) * 256^(0:5))
}
unpacked_bytes <- function(numbers) {
  as.raw(vapply(numbers, function(x) (x %/% 256^(0:5)) %% 256, numeric(6L)))
}

# ---- The end of all of them ----

# body(control), of which several ranks are at work where the control says so: what ends it on one
# rank ends it on all. Only rank 0 talks.
on_ranks <- function(control, body) {
  ranks <- if (inherits(control, "margin_control") && is.list(control)) unclass(control)$ranks
  if (is.null(ranks) || is_meeting(ranks)) {
    return(body(control))
  }
  self <- open_meeting(ranks)
  control$ranks <- self
  if (self$rank > 0) control$progress <- FALSE
  on.exit(tell_fault(self, simpleError("it was interrupted")))
  quiet <- function(condition) if (self$rank > 0) invokeRestart("muffleMessage")
  value <- tryCatch(
    withCallingHandlers({
      value <- body(control)
      exchanged(self, "end", numeric())
      value
    }, message = quiet),
    error = function(condition) {
      tell_fault(self, condition)
      stop(condition)
    }
  )
  self$over <- TRUE
  value
}

# Takes part in the next exchange of the others, once, to say why this rank stops.
tell_fault <- function(self, condition) {
  if (self$over || self$inside) return(invisible())
  blocks <- exchange_blocks(self, "end", fault = 1)
  end_by_fault(self, blocks[1L, ] != 0, condition)
}

# Everyone tells, or hears, why. at: which ranks stop; own: why this one does.
end_by_fault <- function(self, at, own = NULL) {
  self$over <- TRUE
  said <- if (!is.null(own)) paste(class(own)[1L], fault_text(conditionMessage(own)), sep = "\n")
  bytes <- if (is.null(said)) raw() else charToRaw(said)
  all <- matrix(ask_mpi(self, "gather", packed_bytes(bytes, fault_bytes)), ncol = self$size)
  if (!is.null(own)) return(invisible())
  first <- which(at)[1L]
  bytes <- unpacked_bytes(all[, first])
  said <- strsplit(rawToChar(bytes[bytes != 0]), "\n", fixed = TRUE)[[1L]]
  Encoding(said) <- "UTF-8"
  abort_rank(sprintf("Rank %d of %.0f (from 0) stopped: %s", first - 1L, self$size,
                     paste(said[-1L], collapse = "\n")), said[1L])
}

fault_bytes <- 1020
# So much of a message as has room, in UTF-8.
fault_text <- function(text) {
  text <- enc2utf8(paste(text, collapse = " "))
  while (nchar(text, "bytes") > fault_bytes - 100) text <- substr(text, 1L, nchar(text) * 0.9)
  text
}

# class: of the condition that stopped the other rank.
abort_rank <- function(text, class = NULL) {
  own <- class[startsWith(as.character(class), "dualmargin_")]
  stop(structure(
    class = c("dualmargin_rank_error", own, "dualmargin_error", "error", "condition"),
    list(message = paste0(text, if (!grepl("[.]$", text)) "."), call = NULL)
  ))
}
