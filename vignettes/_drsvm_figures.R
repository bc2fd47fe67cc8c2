# The figures of vignettes/drsvm.Rmd and vignettes/drsvm-results.Rmd, drawn from what _drsvm.R reads.

okabe <- unname(palette.colors(9L, "Okabe-Ito"))
colours <- c(isg = okabe[6], ippa = okabe[7], hybrid = okabe[4])
titles <- expression(a = paste("(a) q = 1, ", kappa, " = 1, sharp"),
                     b = paste("(b) q = ", infinity, ", ", kappa, " = ", infinity, ", sharp"),
                     c = paste("(c) q = 2, ", kappa, " = 1, BLR"),
                     d = paste("(d) q = 2, ", kappa, " = 10, not BLR"))

draw_leads <- function() {
  layout(rbind(1:2))
  par(mar = c(3, 4, 2, 0.6), mgp = c(2.4, 0.6, 0), tcl = -0.3)
  seen <- c(leads$factor, paper_leads$factor)
  ends <- c(0.5, 2) * range(seen[is.finite(seen) & seen > 0])
  draw <- function(here, at, ...) {
    gone <- !is.finite(here$factor) | here$factor == 0
    points(at + seq(-0.15, 0.15, length.out = nrow(here)), pmin(pmax(here$factor, ends[1L]), ends[2L]),
           pch = ifelse(gone, 4, 1), ...)
    stats::median(here$factor)
  }
  for (target in target_of) {
    plot(NA, xlim = c(0.5, 5.5), ylim = ends, log = "y", xaxt = "n", yaxt = "n", xlab = "",
         font.main = 1, ylab = if (target == target_of[1L]) "seconds, general / paper's" else "",
         main = paste("to", sub("e-0", "e-", format(target))))
    axis(1, 1:5, sub(", ", ",\n", problem_names), tick = FALSE, cex.axis = 0.85, padj = 0.5,
         gap.axis = -1)
    axis(2, 10^(-2:3), c("0.01", "0.1", "1", "10", "100", "1000"), las = 1)
    abline(h = 10^(-2:3), col = "grey90")
    abline(h = 1, lty = 2, col = "grey40")
    for (k in seq_along(problem_names)) {
      of <- function(table) table[table$table == names(problem_names)[k] & table$target == target, ]
      draw(of(paper_leads), k + 0.22, col = "grey55", cex = 0.7)
      if (!nrow(of(leads))) next
      middle <- draw(of(leads), k - 0.18, col = okabe[6], lwd = 2)
      if (is.finite(middle) && middle > 0) segments(k - 0.4, middle, k, middle, lwd = 2.5, col = okabe[7])
    }
  }
}

draw_times <- function() {
  lines_drawn <- list(isg = "isg", ippa = "ippa", hybrid = "hybrid", gs_admm = "gs_admm",
                      auto = "auto", solver = general)
  line_colours <- c(isg = okabe[6], ippa = okabe[7], hybrid = okabe[4], gs_admm = okabe[2],
                    auto = okabe[8], solver = "grey25")
  rows_of <- vapply(paper_sets, function(set) median(times$n[times$data == set]), 0)
  own <- times[times$data %in% paper_sets & times$reached, ]
  top_seconds <- 1.5 * max(own$seconds)
  low_seconds <- min(own$seconds)
  panel_of_times <- function(table, target) {
    plot(NA, xlim = range(rows_of) * c(0.9, 1.1), ylim = c(0.5 * low_seconds, 3 * top_seconds), log = "xy",
         xlab = "", ylab = "", xaxt = "n", yaxt = "n", font.main = 1, cex.main = 1,
         main = sprintf("%s\nto %s", problem_names[[table]], sub("e-0", "e-", format(target))))
    axis(1, c(1000, 5000, 25000), c("1,000", "5,000", "25,000"), gap.axis = 0.1)
    axis(2, 10^(-3:3), c("0.001", "0.01", "0.1", "1", "10", "100", "1000"), las = 1)
    abline(h = 10^(-3:3), col = "grey90")
    sets <- sets_with(table, among = paper_sets)
    for (name in names(lines_drawn)) {
      at <- lapply(sets, function(set) fastest(set, table, target, lines_drawn[[name]]))
      middle <- vapply(at, median, 0)
      x <- rows_of[sets]
      colour <- line_colours[[name]]
      joined <- sets != "ijcnn1" & is.finite(middle)
      lines(x[joined], middle[joined], col = colour, lwd = 1.6)
      points(x, middle, col = colour, pch = ifelse(sets == "ijcnn1", 0, 19), cex = 0.7)
      for (k in seq_along(sets)) if (length(at[[k]]) > 1L && is.finite(middle[k])) {
        ends <- range(at[[k]][is.finite(at[[k]])])
        segments(x[k], ends[1L], x[k], ends[2L], col = colour)
      }
      never <- !is.finite(middle)
      shift <- 1 + 0.06 * (match(name, names(lines_drawn)) - 3.5)
      points(x[never] * shift, rep(2 * top_seconds, sum(never)), pch = 4, col = colour, cex = 0.8)
    }
  }
  layout(rbind(matrix(1:10, 2, byrow = TRUE), 11), heights = c(1, 1, 0.26))
  par(mar = c(2.2, 3, 2.8, 0.3), oma = c(0, 1.4, 0, 0), mgp = c(2, 0.6, 0), tcl = -0.3)
  for (target in target_of) for (table in names(problem_names)) {
    if (length(sets_with(table, among = paper_sets))) panel_of_times(table, target) else plot.new()
  }
  mtext("CPU seconds", side = 2, outer = TRUE, line = 0.2, adj = 0.62, cex = 0.8)
  par(mar = c(0, 0, 0, 0))
  plot.new()
  text(0.5, 0.93, "rows", cex = 1.2)
  legend("bottom", c("ISG", "IPPA", "Hybrid", "GS-ADMM", "auto", "fastest general solver",
                     "ijcnn1", "not reached"),
         col = c(line_colours, "grey25", "grey25"), lty = c(rep(1, 6), NA, NA),
         pch = c(rep(19, 6), 0, 4), ncol = 4, bty = "n", cex = 1.1)
}

draw_figure1 <- function() {
  schedule_lines <- c(geometric = 1, inverse = 2, inverse_root = 3)
  floor_at <- 3e-6
  frame_of <- function(last, title) {
    plot(NA, xlim = c(1, last), ylim = c(floor_at, 1), log = "y", xlab = "", ylab = "", yaxt = "n",
         main = title, font.main = 1, cex.main = 1.1)
    axis(2, 10^(-5:0), parse(text = sprintf("10^%d", -5:0)), las = 1)
    abline(h = 10^(-5:0), col = "grey90")
  }
  # Median and band over the instances; ln excess is linear between the certificates of each.
  draw_band <- function(here, colour, ends = c(0.25, 0.75), alpha = 0.16, ...) {
    at <- sort(unique(here$epoch))
    each <- vapply(split(here, here$instance), function(one) {
      exp(stats::approx(one$epoch, log(pmax(one$excess, 1e-12)), at, rule = 2)$y)
    }, numeric(length(at)))
    over <- function(p) pmax(apply(each, 1L, stats::quantile, p, names = FALSE), floor_at)
    polygon(c(at, rev(at)), c(over(ends[1L]), rev(over(ends[2L]))), border = NA,
            col = grDevices::adjustcolor(colour, alpha))
    lines(at, over(0.5), lwd = 1.8, col = colour, ...)
  }
  layout(rbind(matrix(1:6, 2, byrow = TRUE), c(7, 8, 9)), heights = c(1, 1, 0.42))
  par(mar = c(2.2, 3.2, 2.2, 0.6), oma = c(0, 2, 0, 0), mgp = c(2, 0.6, 0), tcl = -0.3)
  for (name in names(titles)) {
    frame_of(max(epochs$epoch), titles[name])
    for (method in c("isg", "ippa")) for (schedule in names(schedule_lines)) {
      draw_band(epochs[epochs$panel == name & epochs$method == method &
                         epochs$schedule == schedule, ],
                colours[[method]], lty = schedule_lines[[schedule]])
    }
  }
  shades <- okabe[c(2, 3, 1, 8, 9)]
  of_size <- function(method, batch) {
    here <- by_size[by_size$method == method & by_size$batch %in% batch, ]
    data.frame(instance = here$instance, epoch = here$passes, excess = here$excess)
  }
  frame_of(max(by_size$passes), "(e) a1a, ISG by batch size")
  for (k in seq_along(batches)) draw_band(of_size("isg", batches[k]), shades[k])
  frame_of(max(by_size$passes), "(f) a1a, hybrid")
  draw_band(of_size("isg", 16), colours[["isg"]], lty = 2)
  draw_band(of_size("isg", 1), colours[["isg"]])
  draw_band(of_size("ippa", NA), colours[["ippa"]])
  draw_band(of_size("hybrid", 16), colours[["hybrid"]])
  mtext("value - optimum", side = 2, outer = TRUE, line = 0.3, adj = 0.62, cex = 0.8)
  par(mar = c(0, 0, 0, 0))
  legend_in <- function(...) {
    plot.new()
    text(0.5, 0.93, "epochs (passes over the data)", cex = 1.1)
    legend("bottom", ..., bty = "n", cex = 1, seg.len = 3, lwd = 1.8)
  }
  legend_in(expression("(a) to (d):", "ISG, batch 1", "IPPA", "geometric", 1/k, 1/sqrt(k)),
            col = c(NA, colours[c("isg", "ippa")], rep("grey30", 3)),
            lty = c(0, 1, 1, schedule_lines), ncol = 2)
  legend_in(c("(e):", paste("batch", batches)), col = c(NA, shades), lty = c(0, rep(1, 5)), ncol = 2)
  legend_in(c("(f):", "ISG, batch 1", "ISG, batch 16", "IPPA", "hybrid"),
            col = c(NA, colours[c("isg", "isg", "ippa", "hybrid")]), lty = c(0, 1, 2, 1, 1), ncol = 2)
}

draw_factors <- function() {
  layout(rbind(1:4, 5), heights = c(1, 0.16))
  par(mar = c(3.2, 3, 2.2, 0.4), oma = c(0, 1.6, 0, 0), mgp = c(2, 0.6, 0), tcl = -0.3)
  quartiles_of <- function(name, method) sapply(shrinks, function(rho) {
    stats::quantile(grid$excess[grid$panel == name & grid$method == method & grid$shrink %in% rho],
                    c(0.25, 0.5, 0.75))
  })
  heights <- range(lapply(names(titles), function(name) lapply(c("isg", "ippa"), function(method) {
    quartiles_of(name, method)
  })))
  for (name in names(titles)) {
    plot(NA, xlim = c(1, length(shrinks)), ylim = heights, log = "y", xaxt = "n", yaxt = "n",
         ylab = "", xlab = expression(rho), main = titles[name], font.main = 1, cex.main = 1)
    axis(1, seq_along(shrinks), shrinks, cex.axis = 0.8, gap.axis = 0.1)
    axis(2, 10^(-5:-1), parse(text = sprintf("10^%d", -5:-1)), las = 1)
    for (method in c("isg", "ippa")) {
      quartiles <- quartiles_of(name, method)
      polygon(c(seq_along(shrinks), rev(seq_along(shrinks))), c(quartiles[1, ], rev(quartiles[3, ])),
              col = grDevices::adjustcolor(colours[[method]], 0.25), border = NA)
      lines(seq_along(shrinks), quartiles[2, ], col = colours[[method]], lwd = 1.8)
    }
  }
  mtext("value - optimum", side = 2, outer = TRUE, line = 0.2, adj = 0.65, cex = 0.8)
  par(mar = c(0, 0, 0, 0))
  plot.new()
  legend("center", c("ISG, batch 1", "IPPA"), col = colours[c("isg", "ippa")], lwd = 1.8, bty = "n",
         ncol = 2)
}

draw_radius <- function() {
  norm_colours <- setNames(okabe[c(6, 7, 4)], norms)
  layout(rbind(matrix(1:15, 3, byrow = TRUE), 16), heights = c(1, 1, 1, 0.4))
  par(mar = c(2.2, 2.6, 2.2, 0.4), oma = c(0, 2, 0, 0), mgp = c(2, 0.6, 0), tcl = -0.3)
  for (data in sets) for (condition in conditions) {
    here <- each[each$data == data & each$condition == condition, ]
    base <- chosen[chosen$data == data & chosen$condition == condition &
                     chosen$method == "hinge, ridge", ]
    lines_of <- here[here$method %in% norms & here$label_cost %in% c("Inf", "radius/0.1"), ]
    top <- min(0.5, max(lines_of$error))
    height <- 100 * range(pmin(lines_of$error, top), base$error)
    if (diff(height) < 3) height <- mean(height) + c(-1.5, 1.5)
    plot(NA, xlim = range(lines_of$strength), ylim = height,
         log = "x", xlab = "", ylab = "", las = 1, xaxt = "n", main = paste(data, condition, sep = ", "),
         font.main = 1, cex.main = 1.05)
    axis(1, 10^c(-3, -1.5, 0), c("0.001", "0.03", "1"))
    usr <- 10^par("usr")[1:2]
    rect(usr[1], 100 * (base$error - 2 * base$se), usr[2], 100 * (base$error + 2 * base$se),
         col = "grey88", border = NA)
    abline(h = 100 * base$error, col = "grey50")
    for (norm in norms) for (cost in c("Inf", "radius/0.1")) {
      line <- lines_of[lines_of$method == norm & lines_of$label_cost == cost, ]
      line <- line[order(line$strength), ]
      lines(line$strength, 100 * line$error, col = norm_colours[[norm]], lwd = 1.8,
            lty = if (cost == "Inf") 1 else 2)
    }
    box()
  }
  mtext("test error in per cent", side = 2, outer = TRUE, line = 0.3, adj = 0.6, cex = 0.8)
  par(mar = c(0, 0, 0, 0))
  plot.new()
  text(0.5, 0.85, "radius (standard deviations of a column)", cex = 1.2)
  legend("bottom", c(paste("norm", norms), "label cost Inf", "label cost radius/0.1", "plain hinge"),
         col = c(norm_colours, "grey30", "grey30", "grey50"), lty = c(1, 1, 1, 1, 2, 1), lwd = 1.8,
         ncol = 3, bty = "n", cex = 1.1, seg.len = 3)
}
