# The figures of vignettes/drsvm.Rmd, drawn from what _drsvm.R reads.

colours <- c(isg = okabe[6], ippa = okabe[7], hybrid = okabe[4])
titles <- expression(a = paste("(a) q = 1, ", kappa, " = 1, sharp"),
                     b = paste("(b) q = ", infinity, ", ", kappa, " = ", infinity, ", sharp"),
                     c = paste("(c) q = 2, ", kappa, " = 1, BLR"),
                     d = paste("(d) q = 2, ", kappa, " = 10, not BLR"))

draw_leads <- function() {
  layout(rbind(1:2, 3), heights = c(1, 0.2))
  par(mar = c(3, 4, 2, 0.6), mgp = c(2.4, 0.6, 0), tcl = -0.3)
  seen <- c(leads$factor, paper_leads$factor)
  ends <- c(0.5, 2) * range(seen[is.finite(seen) & seen > 0])
  draw <- function(here, at, colour) {
    gone <- !is.finite(here$factor) | here$factor == 0
    points(at + seq(-0.12, 0.12, length.out = nrow(here)), pmin(pmax(here$factor, ends[1L]), ends[2L]),
           pch = ifelse(gone, 4, 1), col = colour, lwd = 1.6)
    middle <- stats::median(here$factor)
    if (is.finite(middle) && middle > 0) segments(at - 0.18, middle, at + 0.18, middle, lwd = 3, col = colour)
  }
  for (target in target_of) {
    plot(NA, xlim = c(0.5, 5.5), ylim = ends, log = "y", xaxt = "n", yaxt = "n", xlab = "", font.main = 1,
         ylab = if (target == target_of[1L]) "seconds, general / paper's" else "",
         main = paste("to", sub("e-0", "e-", format(target))))
    axis(1, 1:5, sub(", ", ",\n", problem_names), tick = FALSE, cex.axis = 0.85, padj = 0.5, gap.axis = -1)
    axis(2, 10^(-2:3), c("0.01", "0.1", "1", "10", "100", "1000"), las = 1)
    abline(h = 10^(-2:3), col = "grey90")
    abline(h = 1, lty = 2, col = "grey40")
    for (k in seq_along(problem_names)) {
      of <- function(table) table[table$table == names(problem_names)[k] & table$target == target, ]
      if (nrow(of(paper_leads))) draw(of(paper_leads), k - 0.2, okabe[7])
      if (nrow(of(leads))) draw(of(leads), k + 0.2, okabe[6])
    }
  }
  par(mar = c(0, 0, 0, 0))
  plot.new()
  legend("center", c("the paper's sets (nested)", "500 rows a set", "median", "one of the two not reached"),
         col = c(okabe[7:6], "grey30", "grey30"), pch = c(1, 1, NA, 4), lty = c(NA, NA, 1, NA), lwd = c(1.6,
           1.6, 3, 1.6),
         ncol = 2, bty = "n")
}

draw_figure1 <- function() {
  schedule_lines <- c(geometric = 1, inverse_root = 2)
  floor_at <- 3e-6
  frame_of <- function(last, title) {
    plot(NA, xlim = c(1, last), ylim = c(floor_at, 1), log = "y", xlab = "", ylab = "", yaxt = "n",
         main = title, font.main = 1, cex.main = 1.1)
    powers(2, 10^(-5:0))
    abline(h = 10^(-5:0), col = "grey90")
  }
  # Median and band over the instances; ln excess is linear between the certificates of each.
  draw_excess <- function(here, colour, ...) {
    at <- sort(unique(here$epoch))
    each <- vapply(split(here, here$instance), function(one) {
      exp(stats::approx(one$epoch, log(pmax(one$excess, 1e-12)), at, rule = 2)$y)
    }, numeric(length(at)))
    over <- function(p) pmax(apply(each, 1L, stats::quantile, p, names = FALSE), floor_at)
    draw_band(at, over(0.25), over(0.5), over(0.75), colour, ...)
  }
  layout(rbind(matrix(1:6, 2, byrow = TRUE), c(7, 8, 9)), heights = c(1, 1, 0.42))
  par(mar = c(2.2, 3.2, 2.2, 0.6), oma = c(0, 2, 0, 0), mgp = c(2, 0.6, 0), tcl = -0.3)
  for (name in names(titles)) {
    frame_of(max(epochs$epoch), titles[name])
    for (method in c("isg", "ippa")) for (schedule in names(schedule_lines)) {
      draw_excess(epochs[epochs$panel == name & epochs$method == method &
                         epochs$schedule == schedule, ],
                colours[[method]], lty = schedule_lines[[schedule]])
    }
  }
  shades <- grDevices::hcl.colors(6L, "viridis")[1:5]
  of_size <- function(method, batch) {
    here <- by_size[by_size$method == method & by_size$batch %in% batch, ]
    data.frame(instance = here$instance, epoch = here$passes, excess = here$excess)
  }
  frame_of(max(by_size$passes), "(e) a1a, ISG by batch size")
  for (k in seq_along(batches)) draw_excess(of_size("isg", batches[k]), shades[k])
  frame_of(max(by_size$passes), "(f) a1a, hybrid")
  draw_excess(of_size("isg", 16), colours[["isg"]], lty = 2)
  draw_excess(of_size("isg", 1), colours[["isg"]])
  draw_excess(of_size("ippa", NA), colours[["ippa"]])
  draw_excess(of_size("hybrid", 16), colours[["hybrid"]])
  mtext("value - optimum", side = 2, outer = TRUE, line = 0.3, adj = 0.62, cex = 0.8)
  par(mar = c(0, 0, 0, 0))
  legend_in <- function(...) {
    plot.new()
    text(0.5, 0.93, "epochs (passes over the data)", cex = 1.1)
    legend("bottom", ..., bty = "n", cex = 1, seg.len = 3, lwd = 1.8)
  }
  legend_in(expression("(a) to (d):", "ISG, batch 1", "IPPA", "geometric", 1/sqrt(k)),
            col = c(NA, colours[c("isg", "ippa")], rep("grey30", 2)),
            lty = c(0, 1, 1, schedule_lines), ncol = 2)
  legend_in(c("(e):", paste("batch", batches)), col = c(NA, shades), lty = c(0, rep(1, 5)), ncol = 2)
  legend_in(c("(f):", "ISG, batch 1", "ISG, batch 16", "IPPA", "hybrid"),
            col = c(NA, colours[c("isg", "isg", "ippa", "hybrid")]), lty = c(0, 1, 2, 1, 1), ncol = 2)
}
